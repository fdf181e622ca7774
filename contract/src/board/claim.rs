//! Claiming, completing and releasing one item: the gates in their order, and who may finish what.
//!
//! A claim is refused for what would make the work wrong, not for what keeps an item out of a batch: an item for
//! humans or one that needs a certain tool can be claimed by whoever asks for it by id. Writing the row, and losing a
//! race for it, is the store's business.

use serde_json::{Map, Value, json};

use super::exclusion::is_unprospected;
use super::{BlockerKind, Board, Item, MilestoneType, Status, dependency, gate};
use crate::Timestamp;

/// A refusal is an answer, not an error.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    /// The code, such as `NOT_FOUND`.
    pub error: &'static str,
    /// For people: what is in the way and what helps.
    pub reason: String,
    /// For programs: `item_id`, and what belongs to the code.
    pub facts: Map<String, Value>,
}

impl Refusal {
    fn new(error: &'static str, item_id: &str, reason: String) -> Self {
        Self {
            error,
            reason,
            facts: Map::new(),
        }
        .with("item_id", item_id)
    }

    /// A refusal by a gate, which holds whoever asks.
    fn blocked(error: &'static str, item: &Item, reason: String) -> Self {
        Self::new(error, &item.item_id, reason).with("blocked", true)
    }

    fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.facts.insert(key.to_owned(), value.into());
        self
    }

    /// `{verb: false, error, reason, …facts}`; `verb` is `claimed`, `completed` or `released`.
    pub fn to_json(&self, verb: &str) -> Value {
        let mut json = Map::new();
        json.insert(verb.to_owned(), false.into());
        json.insert("error".to_owned(), self.error.into());
        json.insert("reason".to_owned(), self.reason.as_str().into());
        json.extend(self.facts.clone());
        Value::Object(json)
    }
}

/// Whether the item can be claimed. `board` holds at least the item, its predecessors, its pointers and the project's
/// gates. `holder_ended`: the session that holds an in_progress item has ended, so its claim may be retaken.
///
/// # Errors
///
/// The first of `NOT_FOUND`, `DEFERRED`, `SUPERSEDED` or `SYSTEMIC_INVALIDATED_RUN`, `WAVE_GATE_PENDING`,
/// `DEPENDENCY_NOT_SATISFIED`, `UNPROSPECTED` and `NOT_CLAIMABLE` that applies.
pub fn claim(
    item_id: &str,
    board: &Board,
    holder_ended: bool,
    now: Timestamp,
) -> Result<(), Refusal> {
    let item = board.get(item_id).ok_or_else(|| not_found(item_id))?;
    check_deferral(item, now)?;
    check_withdrawal(item)?;
    check_wave_gate(item, board)?;
    check_predecessors(item, board)?;
    check_evidence(item, board)?;
    check_status(item, holder_ended)
}

/// Whether `actor` may give the item the terminal status `target`; `false`: it has it already, nothing to write.
///
/// # Errors
///
/// `NOT_FOUND`; `NOT_OWNER` unless `actor` holds the claim; `NOT_CLAIMABLE` when the item ended in another way.
pub fn complete(
    item_id: &str,
    item: Option<&Item>,
    actor: &str,
    target: &Status,
) -> Result<bool, Refusal> {
    let item = owned(item_id, item, actor)?;
    match &item.status {
        status if status == target => Ok(false),
        status if status.is_terminal() => Err(not_claimable(
            item,
            format!(
                "Item {item_id} already ended as {status}; leave it, or ask a planner to reopen it."
            ),
        )),
        _ => Ok(true),
    }
}

/// Whether `actor` may give the item back; `false`: it is pending already, nothing to write.
///
/// # Errors
///
/// `NOT_FOUND`; `NOT_OWNER` unless `actor` holds the claim; `NOT_CLAIMABLE` when the item is not in progress.
pub fn release(item_id: &str, item: Option<&Item>, actor: &str) -> Result<bool, Refusal> {
    let item = owned(item_id, item, actor)?;
    match &item.status {
        Status::InProgress => Ok(true),
        status if status.is_pending() => Ok(false),
        status => Err(not_claimable(
            item,
            format!(
                "Item {item_id} is {status}, and only work in progress can be given back; leave it as it is."
            ),
        )),
    }
}

fn owned<'a>(item_id: &str, item: Option<&'a Item>, actor: &str) -> Result<&'a Item, Refusal> {
    let item = item.ok_or_else(|| not_found(item_id))?;
    let reason = match item.claimed_by.as_deref() {
        Some(holder) if holder == actor => return Ok(item),
        Some(holder) => {
            format!("Item {item_id} is claimed by {holder}, not by {actor}; take another one.")
        }
        None => format!("Nobody has claimed item {item_id}; claim it first."),
    };
    Err(Refusal::new("NOT_OWNER", item_id, reason)
        .with("status", item.status.as_str())
        .with("claimed_by", item.claimed_by.as_deref()))
}

/// Several rows of an attached board go by the id, so no one of them can be meant.
pub fn ambiguous(item_id: &str) -> Refusal {
    Refusal::new(
        "AMBIGUOUS_ITEM_ID",
        item_id,
        format!(
            "More than one item of this board goes by the id {item_id}; whoever keeps the board has to tell them apart."
        ),
    )
}

/// The project has no such item.
pub fn not_found(item_id: &str) -> Refusal {
    Refusal::new(
        "NOT_FOUND",
        item_id,
        format!("This project has no item {item_id}; list its items with get_sprint_items."),
    )
}

fn not_claimable(item: &Item, reason: String) -> Refusal {
    Refusal::new("NOT_CLAIMABLE", &item.item_id, reason)
        .with("status", item.status.as_str())
        .with("claimed_by", item.claimed_by.as_deref())
}

fn check_deferral(item: &Item, now: Timestamp) -> Result<(), Refusal> {
    let Some(until) = item.deferred_until.filter(|_| item.is_deferred(now)) else {
        return Ok(());
    };
    let reason = format!(
        "Item {} is deferred until {until}; take another one until then.",
        item.item_id
    );
    Err(Refusal::blocked("DEFERRED", item, reason)
        .with("deferred_until", until.to_string())
        .with("track", item.track.as_deref()))
}

fn check_withdrawal(item: &Item) -> Result<(), Refusal> {
    let id = &item.item_id;
    let (error, kind, reason) = match item.blocker_kind {
        Some(kind @ BlockerKind::Superseded) => (
            "SUPERSEDED",
            kind,
            format!("Other work has taken the place of item {id}; look for its successor."),
        ),
        Some(kind @ BlockerKind::SystemicInvalidatedRun) => (
            "SYSTEMIC_INVALIDATED_RUN",
            kind,
            format!(
                "Item {id} belongs to a run that was declared invalid; wait for a planner to clear it."
            ),
        ),
        Some(BlockerKind::Manual) | None => return Ok(()),
    };
    Err(Refusal::blocked(error, item, reason).with("blocker_kind", kind.as_str()))
}

fn check_wave_gate(item: &Item, board: &Board) -> Result<(), Refusal> {
    let Some(gate) = gate::blocking_gate(item, board.gates()) else {
        return Ok(());
    };
    let reason = format!(
        "Item {} lies behind the gate after wave {}, which has not passed; finish that wave and its actions first.",
        item.item_id,
        gate.last_wave()
    );
    Err(Refusal::blocked("WAVE_GATE_PENDING", item, reason)
        .with("wave", item.wave.as_deref())
        .with("gate_wave_start", gate.wave_start.as_str())
        .with("gate_wave_end", gate.wave_end.as_str())
        .with("gate_actions", gate.actions.clone()))
}

fn check_predecessors(item: &Item, board: &Board) -> Result<(), Refusal> {
    let blockers = dependency::blockers(item, board);
    if blockers.is_empty() {
        return Ok(());
    }
    let names: Vec<&str> = blockers.iter().map(|blocker| blocker.id.as_str()).collect();
    let reason = format!(
        "Item {} waits for {}; take one of those, or another item.",
        item.item_id,
        names.join(", ")
    );
    let blocking: Vec<Value> = blockers
        .iter()
        .map(
            |blocker| json!({"id": blocker.id, "status": blocker.status, "reason": blocker.reason}),
        )
        .collect();
    Err(Refusal::blocked("DEPENDENCY_NOT_SATISFIED", item, reason)
        .with("predecessor_ids", item.depends_on.clone())
        .with("blocking_predecessors", blocking))
}

fn check_evidence(item: &Item, board: &Board) -> Result<(), Refusal> {
    if !is_unprospected(item, board, false) {
        return Ok(());
    }
    let reason = format!(
        "Item {} names resources, but no pointer shows where they are; have a pointer recorded for it first.",
        item.item_id
    );
    Err(Refusal::blocked("UNPROSPECTED", item, reason)
        .with("touches_resources", item.touches_resources.clone()))
}

fn check_status(item: &Item, holder_ended: bool) -> Result<(), Refusal> {
    let id = &item.item_id;
    let reason = match &item.status {
        status if status.is_claimable() => return Ok(()),
        Status::InProgress if holder_ended => return Ok(()),
        Status::InProgress => match item.claimed_by.as_deref() {
            Some(holder) => format!("Item {id} is being worked on by {holder}; take another one."),
            None => format!("Item {id} is being worked on already; take another one."),
        },
        Status::Unknown(text) => {
            format!(
                "Item {id} has the status {text}, which this board does not explain; have it mapped first."
            )
        }
        status => format!("Item {id} already ended as {status}; take another one."),
    };
    Err(not_claimable(item, reason))
}

/// The item as the answers to claims show it.
pub fn item_json(item: &Item) -> Value {
    json!({
        "item_id": item.item_id,
        "title": item.title,
        "status": item.status.as_str(),
        "priority": item.priority.as_str(),
        "version": item.version,
        "depends_on": item.depends_on,
        "item_group": item.item_group,
        "wave": item.wave,
        "milestone_type": milestone_type(item.milestone_type),
        "blocker_kind": item.blocker_kind.map(BlockerKind::as_str),
        "required_tool": item.required_tool,
        "tool_requirements": item.tool_requirements,
        "touches_resources": item.touches_resources,
        "notes": item.notes,
        "claimed_by": item.claimed_by,
        "claimed_at": item.claimed_at,
        "added_at": item.added_at,
        "completed_at": item.completed_at,
    })
}

fn milestone_type(kind: MilestoneType) -> &'static str {
    match kind {
        MilestoneType::Task => "task",
        MilestoneType::Milestone => "milestone",
        MilestoneType::Human => "human",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Pointer, WaveGate};

    const NOW: Timestamp = Timestamp(1_000_000);

    fn with(status: Status, claimed_by: Option<&str>) -> Item {
        Item {
            status,
            claimed_by: claimed_by.map(str::to_owned),
            ..Item::new("i", "Work")
        }
    }

    fn gate() -> WaveGate {
        WaveGate {
            gate_id: "g".into(),
            version: None,
            wave_start: "W1".into(),
            wave_end: "W2".into(),
            actions: vec!["push_dev".into(), "wait".into()],
            passed: false,
        }
    }

    fn board(item: &Item) -> Board {
        let blocker = Item {
            status: Status::InProgress,
            ..Item::new("p", "")
        };
        Board::new(vec![item.clone(), blocker], vec![], vec![gate()])
    }

    fn names_item(reason: &str) -> bool {
        reason.split([' ', ';', ',']).any(|word| word == "i")
    }

    fn refused(item: &Item) -> Value {
        let refusal = claim("i", &board(item), false, NOW).unwrap_err();
        assert!(names_item(&refusal.reason), "{}", refusal.reason);
        let mut json = refusal.to_json("claimed");
        assert_eq!(
            json.as_object_mut()
                .and_then(|members| members.remove("reason")),
            Some(json!(refusal.reason))
        );
        json
    }

    #[test]
    fn gates_refuse_in_their_order() {
        let mut item = Item {
            deferred_until: Some(Timestamp(2_000_000)),
            track: Some("backburner".into()),
            blocker_kind: Some(BlockerKind::Superseded),
            wave: Some("W3".into()),
            depends_on: vec!["gone".into(), "p".into()],
            touches_resources: vec!["file:a".into()],
            ..with(Status::Done, Some("s1"))
        };
        let absent = claim("other", &board(&item), false, NOW).unwrap_err();
        assert_eq!(
            (absent.error, &absent.facts["item_id"]),
            ("NOT_FOUND", &json!("other"))
        );

        assert_eq!(
            refused(&item),
            json!({"claimed": false, "error": "DEFERRED", "item_id": "i", "blocked": true,
                "deferred_until": "1970-01-01T00:00:02Z", "track": "backburner"})
        );
        item.deferred_until = Some(NOW);
        assert_eq!(
            refused(&item),
            json!({"claimed": false, "error": "SUPERSEDED", "item_id": "i", "blocked": true,
                "blocker_kind": "superseded"})
        );
        item.blocker_kind = Some(BlockerKind::SystemicInvalidatedRun);
        assert_eq!(refused(&item)["error"], "SYSTEMIC_INVALIDATED_RUN");
        item.blocker_kind = Some(BlockerKind::Manual);
        assert_eq!(
            refused(&item),
            json!({"claimed": false, "error": "WAVE_GATE_PENDING", "item_id": "i", "blocked": true, "wave": "W3",
                "gate_wave_start": "W1", "gate_wave_end": "W2", "gate_actions": ["push_dev", "wait"]})
        );
        item.wave = None;
        let mut refusal = refused(&item);
        for blocker in refusal["blocking_predecessors"].as_array_mut().unwrap() {
            assert!(
                blocker
                    .as_object_mut()
                    .unwrap()
                    .remove("reason")
                    .is_some_and(|reason| reason.is_string())
            );
        }
        assert_eq!(
            refusal,
            json!({"claimed": false, "error": "DEPENDENCY_NOT_SATISFIED", "item_id": "i", "blocked": true,
                "predecessor_ids": ["gone", "p"],
                "blocking_predecessors": [{"id": "gone", "status": "missing"}, {"id": "p", "status": "in_progress"}]})
        );
        item.depends_on.clear();
        assert_eq!(
            refused(&item),
            json!({"claimed": false, "error": "UNPROSPECTED", "item_id": "i", "blocked": true,
                "touches_resources": ["file:a"]})
        );
        item.prospect_bypass = true;
        assert_eq!(
            refused(&item),
            json!({"claimed": false, "error": "NOT_CLAIMABLE", "item_id": "i", "status": "done",
                "claimed_by": "s1"})
        );
        item.status = Status::Todo;
        assert_eq!(claim("i", &board(&item), false, NOW), Ok(()));
    }

    #[test]
    fn a_dead_pointer_is_evidence_enough_for_a_claim() {
        let item = Item {
            touches_resources: vec!["file:a".into()],
            ..with(Status::Todo, None)
        };
        let pointer = Pointer {
            item_id: "i".into(),
            pointer_id: 1,
            source_type: "code".into(),
            targets: json!([]),
            label: None,
            target_resolved: Some(false),
        };
        let board = Board::new(vec![item], vec![pointer], vec![]);
        assert_eq!(claim("i", &board, false, NOW), Ok(()));
    }

    #[test]
    fn human_work_and_pinned_tools_are_no_gate() {
        let item = Item {
            milestone_type: MilestoneType::Human,
            blocker_kind: Some(BlockerKind::Manual),
            required_tool: Some("editor".into()),
            ..with(Status::Todo, None)
        };
        assert_eq!(claim("i", &board(&item), false, NOW), Ok(()));
    }

    #[test]
    fn the_status_decides_last() {
        for status in Status::KNOWN
            .into_iter()
            .chain([Status::Unknown("odd".into())])
        {
            let item = with(status.clone(), Some("s1"));
            let claimable = matches!(
                status,
                Status::Pending
                    | Status::Todo
                    | Status::Indeterminate
                    | Status::ProvisionalComplete
            );
            assert_eq!(
                claim("i", &board(&item), false, NOW).is_ok(),
                claimable,
                "{status}"
            );
            let retaken = claimable || status == Status::InProgress;
            assert_eq!(
                claim("i", &board(&item), true, NOW).is_ok(),
                retaken,
                "{status}"
            );
        }
    }

    fn error(outcome: Result<bool, Refusal>) -> (&'static str, Value, Value) {
        let refusal = outcome.unwrap_err();
        assert!(names_item(&refusal.reason), "{}", refusal.reason);
        let fact = |key: &str| refusal.facts.get(key).cloned().unwrap_or_default();
        (refusal.error, fact("status"), fact("claimed_by"))
    }

    #[test]
    fn only_the_holder_completes_and_only_once() {
        let done = |item: Option<&Item>| complete("i", item, "s1", &Status::Done);
        assert_eq!(done(Some(&with(Status::InProgress, Some("s1")))), Ok(true));
        assert_eq!(
            done(Some(&with(Status::Indeterminate, Some("s1")))),
            Ok(true)
        );
        assert_eq!(done(Some(&with(Status::Done, Some("s1")))), Ok(false));
        assert_eq!(error(done(None)), ("NOT_FOUND", json!(null), json!(null)));
        let failed = with(Status::Failed, Some("s1"));
        assert_eq!(
            error(done(Some(&failed))),
            ("NOT_CLAIMABLE", json!("failed"), json!("s1"))
        );
        let foreign = with(Status::Done, Some("s2"));
        assert_eq!(
            error(done(Some(&foreign))),
            ("NOT_OWNER", json!("done"), json!("s2"))
        );
        let unclaimed = with(Status::Todo, None);
        assert_eq!(
            error(done(Some(&unclaimed))),
            ("NOT_OWNER", json!("todo"), json!(null))
        );
    }

    #[test]
    fn only_the_holder_releases_and_only_work_in_progress() {
        let released = |item: Option<&Item>| release("i", item, "s1");
        assert_eq!(
            released(Some(&with(Status::InProgress, Some("s1")))),
            Ok(true)
        );
        assert_eq!(
            released(Some(&with(Status::Pending, Some("s1")))),
            Ok(false)
        );
        assert_eq!(
            error(released(None)),
            ("NOT_FOUND", json!(null), json!(null))
        );
        let foreign = with(Status::InProgress, Some("s2"));
        assert_eq!(
            error(released(Some(&foreign))),
            ("NOT_OWNER", json!("in_progress"), json!("s2"))
        );
        let unclaimed = with(Status::Pending, None);
        assert_eq!(
            error(released(Some(&unclaimed))),
            ("NOT_OWNER", json!("pending"), json!(null))
        );
        for status in [
            Status::Done,
            Status::ProvisionalComplete,
            Status::Unknown("odd".into()),
        ] {
            let expected = ("NOT_CLAIMABLE", json!(status.as_str()), json!("s1"));
            assert_eq!(error(released(Some(&with(status, Some("s1"))))), expected);
        }
    }

    #[test]
    fn the_item_as_shown() {
        let item = Item {
            depends_on: vec!["p".into()],
            blocker_kind: Some(BlockerKind::Manual),
            claimed_at: Some(Timestamp(0)),
            ..with(Status::InProgress, Some("s1"))
        };
        assert_eq!(
            item_json(&item),
            json!({
                "item_id": "i", "title": "Work", "status": "in_progress", "priority": "normal", "version": null,
                "depends_on": ["p"], "item_group": null, "wave": null, "milestone_type": "task",
                "blocker_kind": "manual", "required_tool": null, "tool_requirements": [], "touches_resources": [],
                "notes": null, "claimed_by": "s1", "claimed_at": "1970-01-01T00:00:00Z",
                "added_at": "1970-01-01T00:00:00Z", "completed_at": null,
            })
        );
    }
}
