//! The board revision: one digest by which a board is told from a later one.
//!
//! It covers id, status and predecessors of every item and nothing else, so a changed title or note leaves it alone.
//! Which items make up the board (every status, one version or all) is the caller's choice, and must be the same on
//! both sides of a comparison. Source: The Handoff Contract, "Board revision and drift detection".

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::{Item, dependency};
use crate::text::json::push_string;
use crate::{ContractError, ErrorCode};

/// Hashes the triples of a board one by one without holding them.
///
/// The pre-image is the compact ASCII JSON array of the arrays `[id, status, depends_on]`, sorted by code point.
#[derive(Debug, Clone)]
pub struct RevisionHasher {
    digest: Sha256,
    /// Reused for each triple.
    triple: String,
    empty: bool,
}

impl RevisionHasher {
    pub fn new() -> Self {
        Self {
            digest: Sha256::new_with_prefix("["),
            triple: String::new(),
            empty: true,
        }
    }

    /// Triples must arrive sorted by id, status and `depends_on`, each by code point; duplicates count.
    /// `depends_on` is already in the form of [`dependency::normalized`].
    pub fn push(&mut self, id: &str, status: &str, depends_on: &str) {
        self.triple.clear();
        self.triple.push_str(if self.empty { "[" } else { ",[" });
        push_string(&mut self.triple, id);
        self.triple.push(',');
        push_string(&mut self.triple, status);
        self.triple.push(',');
        push_string(&mut self.triple, depends_on);
        self.triple.push(']');
        self.digest.update(&self.triple);
        self.empty = false;
    }

    /// 64 lower-case hex characters.
    pub fn finish(mut self) -> String {
        self.digest.update("]");
        hex::encode(self.digest.finalize())
    }
}

impl Default for RevisionHasher {
    fn default() -> Self {
        Self::new()
    }
}

/// The revision of the given items, in whatever order they come.
pub fn of_items<'a>(items: impl IntoIterator<Item = &'a Item>) -> String {
    of_triples(
        items
            .into_iter()
            .map(|item| {
                (
                    &*item.item_id,
                    item.status.as_str(),
                    dependency::normalized(&item.depends_on),
                )
            })
            .collect(),
    )
}

/// The revision of a caller's array of objects with `id` (or `item_id`), `status` and `depends_on`, the last one as
/// text, array or JSON array in a text. What is null or missing counts as empty; other members are ignored.
///
/// # Errors
///
/// `InvalidValue` that names the element, when the array or one of its members has another shape.
pub fn of_json(items: &Value) -> Result<String, ContractError> {
    let items = items
        .as_array()
        .ok_or_else(|| bad_shape("items", "an array of objects", items))?;
    let triples = items
        .iter()
        .enumerate()
        .map(|(at, item)| triple(at, item))
        .collect::<Result<_, _>>()?;
    Ok(of_triples(triples))
}

fn of_triples<Text: AsRef<str> + Ord>(mut triples: Vec<(Text, Text, String)>) -> String {
    triples.sort_unstable();
    let mut hasher = RevisionHasher::new();
    for (id, status, depends_on) in &triples {
        hasher.push(id.as_ref(), status.as_ref(), depends_on);
    }
    hasher.finish()
}

fn triple(at: usize, item: &Value) -> Result<(String, String, String), ContractError> {
    let members = item
        .as_object()
        .ok_or_else(|| bad_shape(&format!("items[{at}]"), "an object", item))?;
    let id_key = if present(members, "id").is_some() {
        "id"
    } else {
        "item_id"
    };
    Ok((
        text(at, members, id_key)?,
        text(at, members, "status")?,
        depends_on(at, members)?,
    ))
}

fn present<'a>(members: &'a Map<String, Value>, key: &str) -> Option<&'a Value> {
    members.get(key).filter(|member| !member.is_null())
}

fn text(at: usize, members: &Map<String, Value>, key: &str) -> Result<String, ContractError> {
    match present(members, key) {
        None => Ok(String::new()),
        Some(Value::String(text)) => Ok(text.clone()),
        Some(Value::Number(number)) => Ok(number.to_string()),
        Some(other) => Err(bad_shape(
            &format!("items[{at}].{key}"),
            "a string or a number",
            other,
        )),
    }
}

fn depends_on(at: usize, members: &Map<String, Value>) -> Result<String, ContractError> {
    let Some(stored) = present(members, "depends_on") else {
        return Ok(String::new());
    };
    let ids = stored
        .as_array()
        .map_or(std::slice::from_ref(stored), Vec::as_slice);
    match ids
        .iter()
        .find(|id| !(id.is_null() || id.is_string() || id.is_number()))
    {
        None => Ok(dependency::normalized(&dependency::parse_json(stored))),
        Some(other) => Err(bad_shape(
            &format!("items[{at}].depends_on"),
            "an item id or an array of them",
            other,
        )),
    }
}

fn bad_shape(place: &str, expected: &str, found: &Value) -> ContractError {
    let found = match found {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    };
    ContractError::new(
        ErrorCode::InvalidValue,
        format!("{place} must be {expected}, but {found} was found"),
        r#"Pass the items as [{"id": "a", "status": "todo", "depends_on": ["b"]}]."#,
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::board::Status;

    const EMPTY: &str = "4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945";

    fn item(item_id: &str, status: Status, depends_on: &[&str]) -> Item {
        Item {
            status,
            depends_on: depends_on.iter().map(|&id| id.to_owned()).collect(),
            ..Item::new(item_id, "")
        }
    }

    fn revision(items: Value) -> String {
        of_json(&items).unwrap()
    }

    #[test]
    fn golden_values() {
        for (items, expected) in [
            (json!([]), EMPTY),
            (
                json!([{"id": "i1", "status": "todo"}]),
                "4349f4a8875b9e8ae9988299ac44fa907a3965de251228ef3ef08a129a2653e6",
            ),
            (
                json!([{"id": "i2", "status": "todo", "depends_on": "i1"}, {"id": "i1", "status": "todo"}]),
                "acd57c4297df9d992ab0ce74b80d1456e306725cfacdbc73d7a6f50f8219e72c",
            ),
            (
                json!([{"id": "i1", "status": "in_progress"}, {"id": "i2", "status": "todo", "depends_on": "i1"}]),
                "898105db034142c89c6a4a03b251b4ad21c8638ca5364bbc22b6128d45b57fc3",
            ),
            (
                json!([{"id": "i1", "status": "todo"}, {"id": "i1", "status": "todo"}]),
                "317b22f43784aed68a35d75cd6804f3d8118551a8369a4ae7ff52fec70c01723",
            ),
            (
                json!([{"id": "é", "status": "pending"}]),
                "8f83f9ce7ab0750823bd074f9363d054fb68e15e896282b6f99a7caf2bc51e15",
            ),
            (
                json!([{"id": "a", "status": "pending"}, {"id": "b", "status": "done", "depends_on": "a"}]),
                "96f35e980b42dc88a8af80743d106a9a4b9fb76d4fdca3706195891d7c928fd5",
            ),
        ] {
            assert_eq!(revision(items.clone()), expected, "{items}");
        }
    }

    #[test]
    fn every_form_of_a_dependency_counts_the_same() {
        let expected = "268f4ae631cf76a9210c25babc3fd82989d101470849a270e863d1008891149e";
        for depends_on in [
            json!(["a", "b"]),
            json!(["b", "a", "b"]),
            json!(r#"["b", "a"]"#),
            json!(r#"["a","b"]"#),
        ] {
            assert_eq!(
                revision(json!([{"id": "j", "status": "pending", "depends_on": depends_on}])),
                expected
            );
        }
        assert_eq!(
            of_items([&item("j", Status::Pending, &["b", "a"])]),
            expected
        );

        let alone = revision(json!([{"id": "j", "status": "todo", "depends_on": "a"}]));
        assert_eq!(
            revision(json!([{"id": "j", "status": "todo", "depends_on": ["a"]}])),
            alone
        );
        assert_eq!(of_items([&item("j", Status::Todo, &["a"])]), alone);
    }

    #[test]
    fn json_members_may_be_numbers_null_or_absent() {
        let numbers = json!([{"id": 1, "status": "todo", "depends_on": [2, 3]}]);
        let strings = json!([{"item_id": "1", "id": null, "status": "todo", "depends_on": ["3", "2"], "title": "t"}]);
        assert_eq!(revision(numbers), revision(strings));
        let mut blank = RevisionHasher::new();
        blank.push("", "", "");
        assert_eq!(revision(json!([{"status": null}])), blank.finish());
    }

    #[test]
    fn bad_shapes_are_named_with_their_place() {
        for (items, place, found) in [
            (json!({}), "items must", "an object"),
            (json!(null), "items must", "null"),
            (json!([{}, "a"]), "items[1] must", "a string"),
            (json!([{"id": ["a"]}]), "items[0].id must", "an array"),
            (
                json!([{"id": "a", "status": true}]),
                "items[0].status must",
                "a boolean",
            ),
            (
                json!([{"id": "a", "depends_on": {"b": 1}}]),
                "items[0].depends_on must",
                "an object",
            ),
            (
                json!([{"id": "a", "depends_on": ["b", ["c"]]}]),
                "items[0].depends_on must",
                "an array",
            ),
        ] {
            let error = of_json(&items).unwrap_err();
            assert_eq!(error.code, ErrorCode::InvalidValue);
            assert!(error.message.starts_with(place), "{}", error.message);
            assert!(error.message.contains(found), "{}", error.message);
        }
    }

    proptest! {
        #[test]
        fn order_is_irrelevant_and_streaming_agrees(
            rows in prop::collection::vec(("[a-c\u{e9}\"]{1,2}", 0..9_usize, prop::collection::vec("[a-c]", 0..3)), 0..8),
        ) {
            let mut items: Vec<Item> = rows
                .into_iter()
                .map(|(id, status, depends_on)| Item {
                    status: Status::KNOWN[status].clone(),
                    depends_on,
                    ..Item::new(id, "")
                })
                .collect();
            let expected = of_items(&items);
            items.reverse();
            prop_assert_eq!(of_items(&items), expected.clone());

            let as_json: Vec<Value> = items
                .iter()
                .map(|item| json!({"id": item.item_id, "status": item.status.as_str(), "depends_on": item.depends_on}))
                .collect();
            prop_assert_eq!(revision(Value::Array(as_json)), expected);
        }
    }
}
