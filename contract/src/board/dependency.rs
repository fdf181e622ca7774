//! Predecessors of an item: reading them in every form they are stored in, their one normal form, and which of them
//! are still in the way.
//!
//! Several predecessors form a barrier: all of them must be satisfied. In which order a set of items becomes free is
//! decided in [`super::waves`], whether a batch holds an item back in [`super::batch`].

use std::collections::{BTreeSet, HashSet};

use serde_json::Value;

use super::{Board, FailureMode, Item, Status};
use crate::text::json::canonical_ascii;

/// Predecessor ids of a text column: nothing, one id, or a JSON array of ids. Text that only looks like an array is
/// one id, as it stands. Duplicates are dropped, order is kept.
pub fn parse_text(stored: Option<&str>) -> Vec<String> {
    let text = stored.unwrap_or_default();
    match serde_json::from_str(text) {
        Ok(Value::Array(elements)) => ids_of(&elements),
        _ if text.is_empty() => Vec::new(),
        _ => vec![text.to_owned()],
    }
}

/// Predecessor ids of a JSON value: null, an array, or a string that is read like a text column. A number is the id
/// it prints as; any other value stays in as its JSON text, so that it blocks rather than vanishes.
pub fn parse_json(stored: &Value) -> Vec<String> {
    match stored {
        Value::Null => Vec::new(),
        Value::String(text) => parse_text(Some(text)),
        Value::Array(elements) => ids_of(elements),
        other => vec![canonical_ascii(other)],
    }
}

/// The ids without repetitions, first occurrences in their order.
pub fn deduplicated(ids: Vec<String>) -> Vec<String> {
    let mut seen = HashSet::new();
    ids.into_iter()
        .filter(|id| seen.insert(id.clone()))
        .collect()
}

/// The form that is hashed, the same however the ids are stored: empty for none, the bare id for one, else the
/// compact ASCII JSON array of the ids without duplicates, sorted by code point.
pub fn normalized(depends_on: &[String]) -> String {
    let ids: BTreeSet<&str> = depends_on
        .iter()
        .map(String::as_str)
        .filter(|id| !id.is_empty())
        .collect();
    match ids.len() {
        0 => String::new(),
        1 => ids.into_iter().collect(),
        _ => canonical_ascii(&ids.into_iter().collect()),
    }
}

/// A predecessor that is in the way.
#[derive(Debug, Clone, PartialEq)]
pub struct Blocker {
    pub id: String,
    /// The predecessor's status, or `missing` where the project has no such item.
    pub status: String,
    /// For people; programs read `status`.
    pub reason: &'static str,
}

/// The predecessors of `item` that do not satisfy it, in the item's order. Empty: the item is ready.
pub fn blockers(item: &Item, board: &Board) -> Vec<Blocker> {
    item.depends_on
        .iter()
        .filter_map(|id| blocker(id, item.failure_mode, board))
        .collect()
}

fn blocker(id: &str, failure_mode: FailureMode, board: &Board) -> Option<Blocker> {
    let (status, reason) = match board.get(id).map(|predecessor| &predecessor.status) {
        None => ("missing", "this project has no such item"),
        Some(Status::Done | Status::Skipped | Status::Pushed) => return None,
        Some(Status::Failed) if failure_mode == FailureMode::Continue => return None,
        Some(Status::Failed) => (
            "failed",
            "it failed, and this item must not run after a failure",
        ),
        Some(status) => (status.as_str(), "it is not finished"),
    };
    Some(Blocker {
        id: id.to_owned(),
        status: status.to_owned(),
        reason,
    })
}

fn ids_of(elements: &[Value]) -> Vec<String> {
    deduplicated(elements.iter().filter_map(id_of).collect())
}

/// Null and the empty string name nobody, in an array as well as alone.
fn id_of(element: &Value) -> Option<String> {
    match element {
        Value::Null => None,
        Value::String(id) => (!id.is_empty()).then(|| id.clone()),
        other => Some(canonical_ascii(other)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn with(item_id: &str, status: Status) -> Item {
        Item {
            status,
            ..Item::new(item_id, item_id)
        }
    }

    #[test]
    fn text_is_nothing_one_id_or_an_array() {
        for (stored, expected) in [
            (None, vec![]),
            (Some(""), vec![]),
            (Some("a"), vec!["a"]),
            (Some("17"), vec!["17"]),
            (Some("[]"), vec![]),
            (Some(r#"["b", "a", "b"]"#), vec!["b", "a"]),
            (Some("[1, 2]"), vec!["1", "2"]),
            (Some(r#"[null, "", "a"]"#), vec!["a"]),
            (Some("[not json"), vec!["[not json"]),
            (Some(r#""quoted""#), vec![r#""quoted""#]),
        ] {
            assert_eq!(parse_text(stored), expected, "{stored:?}");
        }
    }

    #[test]
    fn json_reads_like_text() {
        for (stored, expected) in [
            (json!(null), vec![]),
            (json!(""), vec![]),
            (json!("a"), vec!["a"]),
            (json!(7), vec!["7"]),
            (json!("[\"a\",\"b\"]"), vec!["a", "b"]),
            (json!(["b", 1, "b"]), vec!["b", "1"]),
            (json!([{"id": "a"}]), vec![r#"{"id":"a"}"#]),
        ] {
            assert_eq!(parse_json(&stored), expected, "{stored}");
        }
    }

    #[test]
    fn normal_form_forgets_order_and_duplicates() {
        let normal =
            |ids: &[&str]| normalized(&ids.iter().map(|&id| id.to_owned()).collect::<Vec<_>>());
        assert_eq!(normal(&[]), "");
        assert_eq!(normal(&["é"]), "é");
        assert_eq!(normal(&["a", "a"]), "a");
        assert_eq!(normal(&["b", "é", "a", "b"]), r#"["a","b","\u00e9"]"#);
    }

    #[test]
    fn only_finished_predecessors_are_out_of_the_way() {
        for status in Status::KNOWN {
            for (mode, blocks_on_failure) in
                [(FailureMode::Continue, false), (FailureMode::Stop, true)]
            {
                let blocks = match status {
                    Status::Done | Status::Skipped | Status::Pushed => false,
                    Status::Failed => blocks_on_failure,
                    _ => true,
                };
                let item = Item {
                    depends_on: vec!["p".into()],
                    failure_mode: mode,
                    ..Item::new("i", "i")
                };
                let board = Board::new(vec![with("p", status.clone())], vec![], vec![]);
                let found = blockers(&item, &board);
                assert_eq!(!found.is_empty(), blocks, "{status} {mode:?}");
                assert!(
                    found
                        .iter()
                        .all(|blocker| blocker.status == status.as_str())
                );
            }
        }
    }

    #[test]
    fn blockers_keep_the_order_of_the_item() {
        let item = Item {
            depends_on: vec!["z".into(), "done".into(), "a".into()],
            ..Item::new("i", "i")
        };
        let board = Board::new(
            vec![with("done", Status::Done), with("a", Status::InProgress)],
            vec![],
            vec![],
        );
        let found: Vec<_> = blockers(&item, &board)
            .into_iter()
            .map(|blocker| (blocker.id, blocker.status))
            .collect();
        assert_eq!(
            found,
            [
                ("z".to_owned(), "missing".to_owned()),
                ("a".to_owned(), "in_progress".to_owned())
            ]
        );
    }
}
