//! The claimable batch: what is pending in a scope, less what an executor cannot take, in dependency waves.
//!
//! This is the one place that says which items a handoff offers, so every mode and `claim_next` agree. What an item
//! is excluded for by itself stands in [`super::exclusion`]; how the waves are printed is up to the renderers.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::{Board, Exclusion, ExclusionReason, Item, Status, dependency, waves};
use crate::Timestamp;

#[derive(Debug, Clone, Copy)]
pub struct BatchRequest<'a> {
    /// `None` means every version.
    pub version: Option<&'a str>,
    /// Narrows the batch to a selection and the predecessors that it needs.
    pub closure: Option<&'a BTreeSet<String>>,
    /// Ids that being parked or deferred does not exclude; every other filter sees them.
    pub force_include: &'a BTreeSet<String>,
    pub now: Timestamp,
    /// Whether a pointer that is known to lead nowhere is no evidence.
    pub strict_pointer_evidence: bool,
}

/// `claimable` and `excluded` together are `candidates`.
#[derive(Debug, Clone)]
pub struct Batch<'a> {
    /// Pending items of the scope, and those whose status nothing explains, before any exclusion; in listing order.
    pub candidates: Vec<&'a Item>,
    /// What an executor may claim now or after an earlier wave, in listing order.
    pub claimable: Vec<&'a Item>,
    /// `claimable` by dependency wave, first wave first. No wave is empty.
    pub waves: Vec<Vec<&'a Item>>,
    /// In listing order.
    pub excluded: Vec<Exclusion>,
    claimable_ids: HashSet<&'a str>,
}

impl<'a> Batch<'a> {
    /// Linear in the items of the board and their dependencies.
    pub fn plan(board: &'a Board, request: &BatchRequest<'_>) -> Self {
        let candidates = candidates(board, request);
        let own_reasons: Vec<Option<ExclusionReason>> = candidates
            .iter()
            .map(|item| ExclusionReason::of_item(item, board, request))
            .collect();
        let depths = waves::depths(&waits_for(&candidates, &own_reasons, board));

        let mut staying = Vec::new();
        let mut excluded = Vec::new();
        for ((&item, own_reason), depth) in candidates.iter().zip(own_reasons).zip(depths) {
            match own_reason.or_else(|| batch_reason(item, depth)) {
                None => staying.push((item, depth)),
                Some(reason) => excluded.push(Exclusion {
                    item_id: item.item_id.clone(),
                    reason,
                }),
            }
        }
        Self {
            candidates,
            claimable: staying.iter().map(|&(item, _)| item).collect(),
            claimable_ids: staying
                .iter()
                .map(|(item, _)| item.item_id.as_str())
                .collect(),
            waves: waves::by_depth(staying.into_iter()),
            excluded,
        }
    }

    /// Whether an executor may claim the item now or after an earlier wave.
    pub fn contains(&self, item_id: &str) -> bool {
        self.claimable_ids.contains(item_id)
    }

    /// Predecessors of `item` inside the batch, sorted by code point.
    pub fn blocked_on(&self, item: &'a Item) -> Vec<&'a str> {
        let inside: BTreeSet<&str> = item
            .depends_on
            .iter()
            .map(String::as_str)
            .filter(|id| self.contains(id))
            .collect();
        inside.into_iter().collect()
    }

    /// Ids excluded for `reason`, in listing order.
    pub fn excluded_for(&self, reason: ExclusionReason) -> Vec<&str> {
        self.excluded
            .iter()
            .filter(|exclusion| exclusion.reason == reason)
            .map(|exclusion| exclusion.item_id.as_str())
            .collect()
    }
}

fn candidates<'a>(board: &'a Board, request: &BatchRequest<'_>) -> Vec<&'a Item> {
    board
        .items()
        .iter()
        .filter(|item| item.in_version(request.version))
        .filter(|item| {
            request
                .closure
                .is_none_or(|closure| closure.contains(&item.item_id))
        })
        .filter(|item| item.status.is_pending() || matches!(item.status, Status::Unknown(_)))
        .collect()
}

/// For each candidate the positions of what is in its way, or `None` when something is that this batch will not
/// finish: an item outside of it, excluded from it, or of a status that nothing explains.
///
/// Predecessors are looked up on the whole board; only those that are pending and not excluded can be waited for.
fn waits_for(
    candidates: &[&Item],
    reasons: &[Option<ExclusionReason>],
    board: &Board,
) -> Vec<Option<Vec<usize>>> {
    let awaitable: HashMap<&str, usize> = candidates
        .iter()
        .enumerate()
        .filter(|&(at, item)| reasons[at].is_none() && item.status.is_pending())
        .map(|(at, item)| (item.item_id.as_str(), at))
        .collect();
    candidates
        .iter()
        .map(|item| {
            let blockers = dependency::blockers(item, board);
            blockers
                .iter()
                .map(|blocker| awaitable.get(blocker.id.as_str()).copied())
                .collect()
        })
        .collect()
}

/// The filters that come after those of the item itself. Without a depth no order of the batch reaches the item.
fn batch_reason(item: &Item, depth: Option<usize>) -> Option<ExclusionReason> {
    match (depth, &item.status) {
        (None, _) => Some(ExclusionReason::DependencyNotSatisfied),
        (Some(_), Status::Unknown(_)) => Some(ExclusionReason::UnknownStatus),
        (Some(_), _) => None,
    }
}
