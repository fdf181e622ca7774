//! Stale references: predecessors that do not exist in the project, or that were merged into another item.
//!
//! A handoff over such a dependency graph would promise an order that nobody can keep, so generation refuses it.
//! Finished items and items outside the effective scope cannot do that harm and are not looked at.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::{Board, Item};

/// Ordered by item, then predecessor.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct StaleReference {
    pub item_id: String,
    pub depends_on: String,
    /// `missing` or `merged_away`.
    pub reason: &'static str,
    /// Where a predecessor that was merged away went.
    pub merged_into: Option<String>,
}

impl StaleReference {
    /// `{item_id, depends_on, reason}`, with `merged_into` where there is one.
    pub fn to_json(&self) -> Value {
        let mut json = Map::new();
        json.insert("item_id".into(), self.item_id.as_str().into());
        json.insert("depends_on".into(), self.depends_on.as_str().into());
        json.insert("reason".into(), self.reason.into());
        if let Some(survivor) = &self.merged_into {
            json.insert("merged_into".into(), survivor.as_str().into());
        }
        Value::Object(json)
    }
}

/// The stale references of the unfinished items of `closure` where a selection was made, else of `version` (`None`:
/// all versions). Sorted by item and predecessor.
pub fn stale_references(
    board: &Board,
    version: Option<&str>,
    closure: Option<&BTreeSet<String>>,
) -> Vec<StaleReference> {
    let in_scope = |item: &&Item| match closure {
        Some(closure) => closure.contains(&item.item_id),
        None => item.in_version(version),
    };
    let mut stale: Vec<StaleReference> = board
        .items()
        .iter()
        .filter(|item| !item.status.is_terminal())
        .filter(in_scope)
        .flat_map(|item| {
            item.depends_on
                .iter()
                .filter_map(|predecessor| reference(item, predecessor, board))
        })
        .collect();
    stale.sort_unstable();
    stale
}

fn reference(item: &Item, predecessor: &str, board: &Board) -> Option<StaleReference> {
    let (reason, merged_into) = match board.get(predecessor) {
        None => ("missing", None),
        Some(found) => ("merged_away", Some(found.merged_into.clone()?)),
    };
    Some(StaleReference {
        item_id: item.item_id.clone(),
        depends_on: predecessor.to_owned(),
        reason,
        merged_into,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::board::Status;

    fn item(item_id: &str, version: &str, status: Status, depends_on: &[&str]) -> Item {
        Item {
            version: Some(version.into()),
            status,
            depends_on: depends_on.iter().map(|&id| id.to_owned()).collect(),
            ..Item::new(item_id, "")
        }
    }

    fn board() -> Board {
        let merged = Item {
            merged_into: Some("b".into()),
            ..item("m", "v1", Status::Skipped, &[])
        };
        Board::new(
            vec![
                merged,
                item("finished", "v1", Status::Done, &["gone"]),
                item("b", "v1", Status::InProgress, &["m", "gone", "finished"]),
                item("a", "v1", Status::Unknown("parked".into()), &["m"]),
                item("c", "v2", Status::Todo, &["gone", "b"]),
            ],
            vec![],
            vec![],
        )
    }

    fn pairs(stale: &[StaleReference]) -> Vec<(&str, &str)> {
        stale
            .iter()
            .map(|stale| (stale.item_id.as_str(), stale.depends_on.as_str()))
            .collect()
    }

    #[test]
    fn unfinished_items_of_the_scope_only() {
        let board = board();
        let v1 = [("a", "m"), ("b", "gone"), ("b", "m")];
        assert_eq!(pairs(&stale_references(&board, Some("v1"), None)), v1);
        assert_eq!(
            pairs(&stale_references(&board, Some("v2"), None)),
            [("c", "gone")]
        );
        assert_eq!(stale_references(&board, None, None).len(), 4);
        let closure = BTreeSet::from(["a".to_owned()]);
        assert_eq!(
            pairs(&stale_references(&board, Some("v1"), Some(&closure))),
            [("a", "m")]
        );
    }

    #[test]
    fn the_survivor_is_named_only_after_a_merge() {
        let json: Vec<Value> = stale_references(&board(), Some("v1"), None)
            .iter()
            .skip(1)
            .map(StaleReference::to_json)
            .collect();
        assert_eq!(
            json,
            [
                json!({"item_id": "b", "depends_on": "gone", "reason": "missing"}),
                json!({"item_id": "b", "depends_on": "m", "reason": "merged_away", "merged_into": "b"}),
            ]
        );
    }
}
