//! Why an item of a batch is not handed to an executor.
//!
//! Here stand the reasons, their order and those that follow from the item, its pointers and the project's gates
//! alone. What follows from the other members of the batch is decided in [`super::batch`].

use super::{BatchRequest, BlockerKind, Board, Item, Pointer, gate};

/// In the order of the filters; an item leaves at the first one that it hits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ExclusionReason {
    Superseded,
    SystemicInvalidatedRun,
    /// For a human to do.
    Manual,
    /// Parked, or deferred into the future.
    Backburner,
    /// It declares resources, but nobody has recorded where they are.
    Unprospected,
    WaveGatePending,
    /// A predecessor is in the way and will not be finished within the batch, or the item is in a cycle.
    DependencyNotSatisfied,
    /// The board holds a status that nothing explains.
    UnknownStatus,
    /// Not pending to begin with. Only an id that a caller asks for can have this reason.
    NotInPendingBatch,
}

impl ExclusionReason {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Superseded => "superseded",
            Self::SystemicInvalidatedRun => "systemic_invalidated_run",
            Self::Manual => "manual",
            Self::Backburner => "backburner",
            Self::Unprospected => "unprospected",
            Self::WaveGatePending => "wave_gate_pending",
            Self::DependencyNotSatisfied => "dependency_not_satisfied",
            Self::UnknownStatus => "unknown_status",
            Self::NotInPendingBatch => "not_in_pending_batch",
        }
    }

    /// The first filter that the item hits by itself, whatever else is in the batch.
    pub(super) fn of_item(item: &Item, board: &Board, request: &BatchRequest<'_>) -> Option<Self> {
        let forced = request.force_include.contains(&item.item_id);
        let filters = [
            (
                Self::Superseded,
                item.blocker_kind == Some(BlockerKind::Superseded),
            ),
            (
                Self::SystemicInvalidatedRun,
                item.blocker_kind == Some(BlockerKind::SystemicInvalidatedRun),
            ),
            (Self::Manual, item.is_manual()),
            (Self::Backburner, item.is_backburner(request.now) && !forced),
            (
                Self::Unprospected,
                is_unprospected(item, board, request.strict_pointer_evidence),
            ),
            (
                Self::WaveGatePending,
                gate::blocking_gate(item, board.gates()).is_some(),
            ),
        ];
        filters
            .into_iter()
            .find_map(|(reason, hit)| hit.then_some(reason))
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exclusion {
    pub item_id: String,
    pub reason: ExclusionReason,
}

/// Whether the item declares resources that no pointer backs up, and no human has waived that. `strict` does not
/// count a pointer whose target was looked for and not found; one that nobody looked for counts either way.
pub fn is_unprospected(item: &Item, board: &Board, strict: bool) -> bool {
    let is_evidence = |pointer: &Pointer| !(strict && pointer.target_resolved == Some(false));
    item.declares_resources()
        && !item.prospect_bypass
        && !board.pointers(&item.item_id).iter().any(is_evidence)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::json;

    use super::*;
    use crate::Timestamp;
    use crate::board::WaveGate;

    fn pointer(item_id: &str, target_resolved: Option<bool>) -> Pointer {
        Pointer {
            item_id: item_id.into(),
            pointer_id: 1,
            source_type: "code".into(),
            targets: json!([]),
            label: None,
            target_resolved,
        }
    }

    #[test]
    fn first_filter_wins() {
        let gate = WaveGate {
            gate_id: "g".into(),
            version: None,
            wave_start: "W1".into(),
            wave_end: "W1".into(),
            actions: vec!["deploy".into()],
            passed: false,
        };
        let board = Board::new(vec![], vec![], vec![gate]);
        let force_include = BTreeSet::new();
        let request = BatchRequest {
            version: None,
            closure: None,
            force_include: &force_include,
            now: Timestamp(0),
            strict_pointer_evidence: false,
        };
        let reason = |item: &Item| ExclusionReason::of_item(item, &board, &request);

        // Each step takes away what the filter before it saw, so that the next one in the order shows.
        let mut item = Item {
            blocker_kind: Some(BlockerKind::Superseded),
            track: Some(" Backburner ".into()),
            touches_resources: vec!["file:a".into()],
            wave: Some("W2".into()),
            ..Item::new("i", "manual: call them")
        };
        assert_eq!(reason(&item), Some(ExclusionReason::Superseded));
        item.blocker_kind = Some(BlockerKind::SystemicInvalidatedRun);
        assert_eq!(reason(&item), Some(ExclusionReason::SystemicInvalidatedRun));
        item.blocker_kind = None;
        assert_eq!(reason(&item), Some(ExclusionReason::Manual));
        item.title = "call them".into();
        assert_eq!(reason(&item), Some(ExclusionReason::Backburner));
        item.track = None;
        assert_eq!(reason(&item), Some(ExclusionReason::Unprospected));
        item.prospect_bypass = true;
        assert_eq!(reason(&item), Some(ExclusionReason::WaveGatePending));
        item.wave = Some("W1".into());
        assert_eq!(reason(&item), None);
    }

    #[test]
    fn evidence_is_any_pointer_or_in_strict_mode_one_not_known_to_be_dead() {
        let item = Item {
            touches_resources: vec!["file:a".into()],
            ..Item::new("i", "i")
        };
        for (pointers, lenient, strict) in [
            (vec![], true, true),
            (vec![pointer("other", None)], true, true),
            (vec![pointer("i", None)], false, false),
            (vec![pointer("i", Some(true))], false, false),
            (vec![pointer("i", Some(false))], false, true),
            (
                vec![pointer("i", Some(false)), pointer("i", None)],
                false,
                false,
            ),
        ] {
            let board = Board::new(vec![], pointers.clone(), vec![]);
            assert_eq!(
                is_unprospected(&item, &board, false),
                lenient,
                "{pointers:?}"
            );
            assert_eq!(is_unprospected(&item, &board, true), strict, "{pointers:?}");
        }
        let board = Board::new(vec![], vec![], vec![]);
        assert!(!is_unprospected(&Item::new("i", "i"), &board, true));
        assert!(!is_unprospected(
            &Item {
                prospect_bypass: true,
                ..item
            },
            &board,
            true
        ));
    }
}
