//! The statuses of a board that has words of its own: which status each stored value stands for, and which value is
//! written for a status.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Status;
use crate::{ContractError, ErrorCode};

/// Both directions. A value without an entry that is one of our own words stands for itself; any other is
/// [`Status::Unknown`], which keeps its item out of every batch.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StatusMap {
    read: BTreeMap<String, Status>,
    write: BTreeMap<&'static str, String>,
}

impl StatusMap {
    /// `status_map`: object of stored value → status. `status_write`: object of status → stored value.
    ///
    /// Error: [`ErrorCode::InvalidValue`] for anything that is no such object, or a status that nobody knows.
    pub fn parse(status_map: &Value, status_write: &Value) -> Result<Self, ContractError> {
        let mut map = Self::default();
        for (stored, status) in entries(status_map, "status_map")? {
            map.read.insert(stored, known(&status, "status_map")?);
        }
        for (status, stored) in entries(status_write, "status_write")? {
            let status = known(&status, "status_write")?;
            map.write.insert(name(&status), stored);
        }
        Ok(map)
    }

    /// NULL is pending.
    pub fn read(&self, stored: Option<&str>) -> Status {
        stored
            .and_then(|stored| self.read.get(stored).cloned())
            .unwrap_or_else(|| Status::parse(stored))
    }

    /// The value to write for a status: the one that was named for it, else the only one that is read as it, else our
    /// own word. Several without a named one are an error that lists them.
    pub fn written(&self, status: &Status) -> Result<&str, Vec<&str>> {
        if let Some(stored) = self.write.get(name(status)) {
            return Ok(stored);
        }
        match self.values_read_as(status).as_slice() {
            [] => Ok(name(status)),
            [stored] => Ok(stored),
            several => Err(several.to_vec()),
        }
    }

    /// Statuses that could be written in more than one way, with the candidates.
    pub fn ambiguous(&self) -> Vec<(Status, Vec<&str>)> {
        Status::KNOWN
            .into_iter()
            .filter_map(|status| {
                let candidates = self.written(&status).err()?;
                Some((status, candidates))
            })
            .collect()
    }

    /// Every stored value that reads as one of the statuses.
    pub fn stored_values(&self, statuses: &[Status]) -> Vec<String> {
        let mut values: Vec<String> = Vec::new();
        for status in statuses {
            values.extend(self.values_read_as(status).into_iter().map(str::to_owned));
            if !self.read.contains_key(name(status)) {
                values.push(name(status).to_owned());
            }
        }
        values
    }

    fn values_read_as(&self, status: &Status) -> Vec<&str> {
        self.read
            .iter()
            .filter(|(_, read)| *read == status)
            .map(|(stored, _)| stored.as_str())
            .collect()
    }
}

/// The word of a known status.
fn name(status: &Status) -> &'static str {
    match status {
        Status::Pending => "pending",
        Status::Todo => "todo",
        Status::InProgress => "in_progress",
        Status::ProvisionalComplete => "provisional_complete",
        Status::Indeterminate => "indeterminate",
        Status::Done => "done",
        Status::Failed => "failed",
        Status::Skipped => "skipped",
        Status::Pushed => "pushed",
        Status::Unknown(_) => "unknown",
    }
}

fn known(status: &str, argument: &str) -> Result<Status, ContractError> {
    match Status::parse(Some(status)) {
        Status::Unknown(status) => Err(ContractError::new(
            ErrorCode::InvalidValue,
            format!("{argument} names the status \"{status}\", which there is not"),
            format!(
                "A status is one of {}.",
                Status::KNOWN.map(|known| known.to_string()).join(", ")
            ),
        )),
        known => Ok(known),
    }
}

fn entries(object: &Value, argument: &str) -> Result<Vec<(String, String)>, ContractError> {
    let malformed = || {
        ContractError::new(
            ErrorCode::InvalidValue,
            format!("{argument} must be a JSON object of texts"),
            "For example: {\"open\": \"todo\", \"closed\": \"done\"}.",
        )
    };
    match object {
        Value::Null => Ok(Vec::new()),
        Value::Object(members) => members
            .iter()
            .map(|(key, value)| {
                let value = value.as_str().ok_or_else(malformed)?;
                Ok((key.clone(), value.to_owned()))
            })
            .collect(),
        _ => Err(malformed()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn map(read: Value, write: Value) -> StatusMap {
        StatusMap::parse(&read, &write).unwrap()
    }

    #[test]
    fn reads_mapped_values_own_words_and_null() {
        let map = map(json!({"open": "todo", "done": "failed"}), json!({}));
        assert_eq!(map.read(Some("open")), Status::Todo);
        assert_eq!(map.read(Some("done")), Status::Failed);
        assert_eq!(map.read(Some("skipped")), Status::Skipped);
        assert_eq!(map.read(None), Status::Pending);
        assert_eq!(map.read(Some("later")), Status::Unknown("later".into()));
    }

    #[test]
    fn writes_the_one_value_that_reads_back() {
        let map = map(json!({"open": "todo", "doing": "in_progress"}), json!({}));
        assert_eq!(map.written(&Status::InProgress), Ok("doing"));
        assert_eq!(map.written(&Status::Done), Ok("done"));
    }

    #[test]
    fn several_candidates_need_a_named_one() {
        let read = json!({"closed": "done", "shipped": "done"});
        let undecided = map(read.clone(), json!({}));
        assert_eq!(
            undecided.written(&Status::Done),
            Err(vec!["closed", "shipped"])
        );
        assert_eq!(
            undecided.ambiguous(),
            [(Status::Done, vec!["closed", "shipped"])]
        );
        let decided = map(read, json!({"done": "shipped"}));
        assert_eq!(decided.written(&Status::Done), Ok("shipped"));
        assert!(decided.ambiguous().is_empty());
    }

    #[test]
    fn a_filter_covers_every_value_that_reads_as_the_status() {
        let map = map(
            json!({"open": "todo", "wip": "in_progress", "todo": "done"}),
            json!({}),
        );
        assert_eq!(map.stored_values(&[Status::Todo]), ["open"]);
        assert_eq!(map.stored_values(&[Status::Done]), ["todo", "done"]);
        assert_eq!(
            map.stored_values(&[Status::InProgress, Status::Failed]),
            ["wip", "in_progress", "failed"]
        );
    }

    #[test]
    fn nonsense_is_refused() {
        for (read, write) in [
            (json!([]), json!({})),
            (json!({"a": 1}), json!({})),
            (json!({"a": "later"}), json!({})),
            (json!({}), json!({"later": "a"})),
        ] {
            let error = StatusMap::parse(&read, &write).unwrap_err();
            assert_eq!(error.code, ErrorCode::InvalidValue, "{read} {write}");
        }
    }
}
