//! A caller's choice of items: whether it is valid, what it pulls in, and what became of it.
//!
//! A selection is all or nothing: one bad id and nothing is generated. Forced ids that are bad are reported and left
//! out. Which of the valid ones an executor can take is decided by the batch.
//! Source: The Per-Mode Handoff Envelope Contract, "`selected_scope`".

use std::collections::{BTreeSet, HashMap};

use serde_json::{Map, Value, json};

use super::{Batch, Board, Exclusion, ExclusionReason, Item, Status, dependency};
use crate::text::json::{canonical_ascii, sha256_hex};

/// Why one requested id cannot be used.
#[derive(Debug, Clone, PartialEq)]
pub struct Rejection {
    pub id: String,
    /// `not_found`, `wrong_project`, `wrong_version`, `in_progress` or `not_pending`.
    pub reason: &'static str,
    /// What belongs to the reason: `item_version` and `requested_version`, `claimed_by`, or `status`.
    pub extra: Map<String, Value>,
}

impl Rejection {
    fn new(id: &str, reason: &'static str) -> Self {
        Self {
            id: id.to_owned(),
            reason,
            extra: Map::new(),
        }
    }

    fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.extra.insert(key.to_owned(), value.into());
        self
    }

    /// `{id, reason, …extra}`.
    pub fn to_json(&self) -> Value {
        let mut json = Map::new();
        json.insert("id".into(), self.id.as_str().into());
        json.insert("reason".into(), self.reason.into());
        json.extend(self.extra.clone());
        Value::Object(json)
    }
}

/// A valid selection.
#[derive(Debug, Clone, PartialEq)]
pub struct Selection {
    /// As requested, without duplicates.
    pub selected_item_ids: Vec<String>,
    /// The selected ids and every pending predecessor in the same version scope that they wait for.
    pub closure: BTreeSet<String>,
    /// SHA-256 over the compact JSON array of the sorted closure, 64 hex characters.
    pub closure_hash: String,
}

/// Validates `ids` against the board and follows their predecessors. `foreign`: which of the ids exist in another
/// project that the caller can see.
///
/// # Errors
///
/// Every rejection, in the order requested.
pub fn select(
    board: &Board,
    ids: &[String],
    version: Option<&str>,
    foreign: &BTreeSet<String>,
) -> Result<Selection, Vec<Rejection>> {
    let selected_item_ids = dependency::deduplicated(ids.to_vec());
    let rejected: Vec<Rejection> = selected_item_ids
        .iter()
        .filter_map(|id| {
            in_scope(board, id, version, foreign)
                .and_then(not_in_progress)
                .and_then(pending)
                .err()
        })
        .collect();
    if !rejected.is_empty() {
        return Err(rejected);
    }
    let closure = closure(board, &selected_item_ids, version);
    let closure_hash =
        sha256_hex(canonical_ascii(&closure.iter().map(String::as_str).collect()).as_bytes());
    Ok(Selection {
        selected_item_ids,
        closure,
        closure_hash,
    })
}

/// The ids that may be forced into the batch, and the others with their reasons in the order requested. `foreign` as
/// in [`select`].
pub fn force_include(
    board: &Board,
    ids: &[String],
    version: Option<&str>,
    foreign: &BTreeSet<String>,
) -> (BTreeSet<String>, Vec<Rejection>) {
    let mut accepted = BTreeSet::new();
    let mut rejected = Vec::new();
    for id in dependency::deduplicated(ids.to_vec()) {
        match in_scope(board, &id, version, foreign).and_then(pending) {
            Ok(_) => drop(accepted.insert(id)),
            Err(rejection) => rejected.push(rejection),
        }
    }
    (accepted, rejected)
}

fn in_scope<'a>(
    board: &'a Board,
    id: &str,
    version: Option<&str>,
    foreign: &BTreeSet<String>,
) -> Result<&'a Item, Rejection> {
    match board.get(id) {
        None if foreign.contains(id) => Err(Rejection::new(id, "wrong_project")),
        None => Err(Rejection::new(id, "not_found")),
        Some(item) if !item.in_version(version) => Err(Rejection::new(id, "wrong_version")
            .with("item_version", item.version.as_deref())
            .with("requested_version", version)),
        Some(item) => Ok(item),
    }
}

fn not_in_progress(item: &Item) -> Result<&Item, Rejection> {
    match item.status {
        Status::InProgress => Err(Rejection::new(&item.item_id, "in_progress")
            .with("claimed_by", item.claimed_by.as_deref())),
        _ => Ok(item),
    }
}

fn pending(item: &Item) -> Result<&Item, Rejection> {
    if item.status.is_pending() {
        Ok(item)
    } else {
        Err(Rejection::new(&item.item_id, "not_pending").with("status", item.status.as_str()))
    }
}

fn closure(board: &Board, selected: &[String], version: Option<&str>) -> BTreeSet<String> {
    let mut closure: BTreeSet<String> = selected.iter().cloned().collect();
    let mut unvisited: Vec<&Item> = selected.iter().filter_map(|id| board.get(id)).collect();
    while let Some(item) = unvisited.pop() {
        for predecessor in item.depends_on.iter().filter_map(|id| board.get(id)) {
            let wanted = predecessor.status.is_pending() && predecessor.in_version(version);
            if wanted && closure.insert(predecessor.item_id.clone()) {
                unvisited.push(predecessor);
            }
        }
    }
    closure
}

/// A selection after the batch was planned over its closure.
#[derive(Debug, Clone, PartialEq)]
pub struct SelectedScope {
    pub selection: Selection,
    /// The requested ids that an executor can take, in the order requested.
    pub executable_ids: Vec<String>,
    /// The other requested ids, in the order requested.
    pub excluded_requested: Vec<Exclusion>,
}

impl SelectedScope {
    pub fn outcome(selection: Selection, batch: &Batch<'_>) -> Self {
        let reasons: HashMap<&str, ExclusionReason> = batch
            .excluded
            .iter()
            .map(|exclusion| (exclusion.item_id.as_str(), exclusion.reason))
            .collect();
        let mut executable_ids = Vec::new();
        let mut excluded_requested = Vec::new();
        for id in &selection.selected_item_ids {
            if batch.contains(id) {
                executable_ids.push(id.clone());
            } else {
                let reason = reasons
                    .get(id.as_str())
                    .copied()
                    .unwrap_or(ExclusionReason::NotInPendingBatch);
                excluded_requested.push(Exclusion {
                    item_id: id.clone(),
                    reason,
                });
            }
        }
        Self {
            selection,
            executable_ids,
            excluded_requested,
        }
    }

    /// Whether ids were requested and none of them can be taken, though predecessors of theirs may be.
    pub fn all_excluded(&self) -> bool {
        self.executable_ids.is_empty() && !self.excluded_requested.is_empty()
    }

    /// The excluded requested ids as `[{id, reason}]`.
    pub fn excluded_json(&self) -> Value {
        self.excluded_requested
            .iter()
            .map(|exclusion| json!({"id": exclusion.item_id, "reason": exclusion.reason.as_str()}))
            .collect()
    }

    /// The `selected_scope` of the response envelope.
    pub fn to_json(&self) -> Value {
        json!({
            "selected_item_ids": self.selection.selected_item_ids,
            "closure_item_ids": self.selection.closure,
            "closure_hash": self.selection.closure_hash,
            "requested_ids": self.selection.selected_item_ids,
            "executable_ids": self.executable_ids,
            "excluded_requested": self.excluded_json(),
            "all_excluded": self.all_excluded(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Timestamp;
    use crate::board::BatchRequest;

    fn item(item_id: &str, depends_on: &[&str]) -> Item {
        Item {
            version: Some("v1".into()),
            depends_on: depends_on.iter().map(|&id| id.to_owned()).collect(),
            ..Item::new(item_id, "")
        }
    }

    fn with(status: Status, item: Item) -> Item {
        Item { status, ..item }
    }

    fn ids(ids: &[&str]) -> Vec<String> {
        ids.iter().map(|&id| id.to_owned()).collect()
    }

    fn set(members: &[&str]) -> BTreeSet<String> {
        ids(members).into_iter().collect()
    }

    fn rejections(rejected: &[Rejection]) -> Value {
        rejected.iter().map(Rejection::to_json).collect()
    }

    fn mixed_board() -> Board {
        Board::new(
            vec![
                item("ok", &[]),
                Item {
                    version: None,
                    ..item("unversioned", &[])
                },
                Item {
                    claimed_by: Some("s1".into()),
                    ..with(Status::InProgress, item("running", &[]))
                },
                with(Status::Done, item("done", &[])),
                with(Status::Unknown("parked".into()), item("odd", &[])),
            ],
            vec![],
            vec![],
        )
    }

    const MIXED: [&str; 8] = [
        "odd",
        "ok",
        "gone",
        "theirs",
        "unversioned",
        "running",
        "done",
        "ok",
    ];

    #[test]
    fn every_rejection_is_collected_in_the_order_requested() {
        let rejected = select(
            &mixed_board(),
            &ids(&MIXED),
            Some("v1"),
            &set(&["theirs", "ok"]),
        )
        .unwrap_err();
        assert_eq!(
            rejections(&rejected),
            json!([
                {"id": "odd", "reason": "not_pending", "status": "parked"},
                {"id": "gone", "reason": "not_found"},
                {"id": "theirs", "reason": "wrong_project"},
                {"id": "unversioned", "reason": "wrong_version", "item_version": null, "requested_version": "v1"},
                {"id": "running", "reason": "in_progress", "claimed_by": "s1"},
                {"id": "done", "reason": "not_pending", "status": "done"},
            ])
        );
    }

    #[test]
    fn forced_ids_are_accepted_one_by_one() {
        let (accepted, rejected) =
            force_include(&mixed_board(), &ids(&MIXED), Some("v1"), &set(&["theirs"]));
        assert_eq!(accepted, set(&["ok"]));
        assert_eq!(
            rejections(&rejected),
            json!([
                {"id": "odd", "reason": "not_pending", "status": "parked"},
                {"id": "gone", "reason": "not_found"},
                {"id": "theirs", "reason": "wrong_project"},
                {"id": "unversioned", "reason": "wrong_version", "item_version": null, "requested_version": "v1"},
                {"id": "running", "reason": "not_pending", "status": "in_progress"},
                {"id": "done", "reason": "not_pending", "status": "done"},
            ])
        );
        let (accepted, _) = force_include(&mixed_board(), &ids(&MIXED), None, &BTreeSet::new());
        assert_eq!(accepted, set(&["ok", "unversioned"]));
    }

    #[test]
    fn closure_follows_pending_predecessors_of_the_same_version() {
        let board = Board::new(
            vec![
                item("top", &["left", "right"]),
                item("left", &["root", "finished"]),
                item("right", &["root", "top"]),
                item("root", &["elsewhere", "gone"]),
                with(Status::Done, item("finished", &["behind"])),
                item("behind", &[]),
                Item {
                    version: Some("v2".into()),
                    ..item("elsewhere", &[])
                },
                item("unrelated", &["top"]),
            ],
            vec![],
            vec![],
        );
        let closure = |version| {
            select(&board, &ids(&["top"]), version, &BTreeSet::new())
                .unwrap()
                .closure
        };
        assert_eq!(closure(Some("v1")), set(&["top", "left", "right", "root"]));
        assert_eq!(
            closure(None),
            set(&["top", "left", "right", "root", "elsewhere"])
        );
    }

    #[test]
    fn closure_hashes() {
        let board = Board::new(vec![item("a", &[]), item("b", &["a"])], vec![], vec![]);
        let hash = |requested: &[&str]| {
            select(&board, &ids(requested), None, &BTreeSet::new())
                .unwrap()
                .closure_hash
        };
        assert_eq!(
            hash(&["a"]),
            "0eb5b8d6f81bc677da8a08567cc4fa9a06a57e9ec8da85ed73a7f62727996002"
        );
        let both = "0473ef2dc0d324ab659d3580c1134e9d812035905c4781fdd6d529b0c6860e13";
        assert_eq!(hash(&["b"]), both);
        assert_eq!(hash(&["b", "a", "b"]), both);
    }

    fn outcome(board: &Board, requested: &[&str]) -> SelectedScope {
        let selection = select(board, &ids(requested), None, &BTreeSet::new()).unwrap();
        let request = BatchRequest {
            version: None,
            closure: Some(&selection.closure.clone()),
            force_include: &BTreeSet::new(),
            now: Timestamp(0),
            strict_pointer_evidence: false,
        };
        SelectedScope::outcome(selection, &Batch::plan(board, &request))
    }

    #[test]
    fn outcome_names_what_the_batch_dropped() {
        let manual = Item {
            title: "MANUAL: sign".into(),
            ..item("m", &["a"])
        };
        let board = Board::new(
            vec![item("b", &["a"]), item("a", &[]), manual],
            vec![],
            vec![],
        );

        let scope = outcome(&board, &["m", "b"]);
        assert_eq!(
            scope.to_json(),
            json!({
                "selected_item_ids": ["m", "b"],
                "closure_item_ids": ["a", "b", "m"],
                "closure_hash": scope.selection.closure_hash,
                "requested_ids": ["m", "b"],
                "executable_ids": ["b"],
                "excluded_requested": [{"id": "m", "reason": "manual"}],
                "all_excluded": false,
            })
        );
        assert!(outcome(&board, &["m"]).all_excluded());
    }

    #[test]
    fn an_id_that_the_batch_never_saw_was_not_pending() {
        let board = Board::new(vec![item("a", &[])], vec![], vec![]);
        let selection = select(&board, &ids(&["a"]), None, &BTreeSet::new()).unwrap();
        let later = Board::new(
            vec![with(Status::InProgress, item("a", &[]))],
            vec![],
            vec![],
        );
        let request = BatchRequest {
            version: None,
            closure: Some(&selection.closure.clone()),
            force_include: &BTreeSet::new(),
            now: Timestamp(0),
            strict_pointer_evidence: false,
        };
        let scope = SelectedScope::outcome(selection, &Batch::plan(&later, &request));
        assert_eq!(
            scope.excluded_json(),
            json!([{"id": "a", "reason": "not_in_pending_batch"}])
        );
        assert!(scope.all_excluded());
    }
}
