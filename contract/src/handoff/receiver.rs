//! The address of a pending goal: which session may pick it up. An address is a courtesy among sessions of one
//! project, who name themselves; who may read the project at all is decided by the database.

use serde_json::{Map, Value};

use super::Session;
use crate::{ContractError, ErrorCode};

/// The longest value of a field, in code points.
const MAX_CHARS: usize = 512;

/// Only the fields that are set are addressed; at least one is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Receiver {
    pub session_name: Option<String>,
    pub role: Option<String>,
    pub worktree: Option<String>,
}

impl Receiver {
    /// Reads `{"session_name"?, "role"?, "worktree"?}`. `None`, unaddressed, for null and for an object without any
    /// value but blank ones. Anything that is no object, an unknown key, and a value that is no string or is longer
    /// than 512 characters are an [`ErrorCode::InvalidValue`] that names the field.
    pub fn parse(value: &Value) -> Result<Option<Self>, ContractError> {
        let fields = match value {
            Value::Null => return Ok(None),
            Value::Object(fields) => fields,
            _ => return Err(invalid("is not an object")),
        };
        let mut receiver = Self::default();
        for (key, value) in fields {
            *receiver.field(key)? = read(key, value)?;
        }
        Ok(Some(receiver).filter(|receiver| *receiver != Self::default()))
    }

    /// The addressed fields only; [`Receiver::parse`] reads it back.
    pub fn to_json(&self) -> Value {
        let fields = [
            ("session_name", &self.session_name),
            ("role", &self.role),
            ("worktree", &self.worktree),
        ];
        let addressed = fields.into_iter().filter_map(|(key, value)| {
            value
                .as_deref()
                .map(|value| (key.to_owned(), Value::from(value)))
        });
        Value::Object(addressed.collect::<Map<_, _>>())
    }

    /// Names of the addressed fields that the session does not match, in the order session_name, role, worktree;
    /// empty means that it may take the goal. A field that the session lacks is a mismatch.
    pub fn mismatches(&self, session: &Session) -> Vec<&'static str> {
        let checks = [
            (
                "session_name",
                &self.session_name,
                &session.name,
                same as fn(&str, &str) -> bool,
            ),
            ("role", &self.role, &session.role, same),
            ("worktree", &self.worktree, &session.worktree, contains),
        ];
        checks
            .into_iter()
            .filter(
                |(_, addressed, actual, matches)| match (addressed, actual) {
                    (None, _) => false,
                    (Some(_), None) => true,
                    (Some(addressed), Some(actual)) => !matches(addressed, actual),
                },
            )
            .map(|(name, ..)| name)
            .collect()
    }

    fn field(&mut self, key: &str) -> Result<&mut Option<String>, ContractError> {
        match key {
            "session_name" => Ok(&mut self.session_name),
            "role" => Ok(&mut self.role),
            "worktree" => Ok(&mut self.worktree),
            _ => Err(invalid(format!("has the unknown field {key:?}"))),
        }
    }
}

fn read(key: &str, value: &Value) -> Result<Option<String>, ContractError> {
    let Some(text) = value.as_str() else {
        return Err(invalid(format!("has a {key} that is not a string")));
    };
    if text.chars().count() > MAX_CHARS {
        return Err(invalid(format!(
            "has a {key} of more than {MAX_CHARS} characters"
        )));
    }
    Ok(Some(text.trim())
        .filter(|text| !text.is_empty())
        .map(str::to_owned))
}

fn invalid(problem: impl std::fmt::Display) -> ContractError {
    ContractError::new(
        ErrorCode::InvalidValue,
        format!("pending_goal_receiver {problem}"),
        format!(
            "Pass an object of session_name, role and worktree, each optional and a string of up to {MAX_CHARS} \
             characters, or NULL to address nobody."
        ),
    )
}

fn same(addressed: &str, actual: &str) -> bool {
    addressed.trim().to_lowercase() == actual.trim().to_lowercase()
}

/// Whether the session's directory is the addressed one or lies inside it. Case is ignored here, too: one directory
/// spelled in two ways is met far more often than two that differ in case alone.
fn contains(addressed: &str, actual: &str) -> bool {
    path_parts(actual).starts_with(&path_parts(addressed))
}

/// An absolute path starts with an empty part, so a relative one never matches it.
fn path_parts(path: &str) -> Vec<String> {
    let path = path.trim().replace('\\', "/").to_lowercase();
    path.trim_end_matches('/')
        .split('/')
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn receiver(value: Value) -> Receiver {
        Receiver::parse(&value).unwrap().unwrap()
    }

    fn session(name: Option<&str>, role: Option<&str>, worktree: Option<&str>) -> Session {
        Session {
            session_id: "s1".into(),
            name: name.map(Into::into),
            role: role.map(Into::into),
            human_id: None,
            version: None,
            worktree: worktree.map(Into::into),
            resumed: false,
        }
    }

    fn at(worktree: &str) -> Session {
        session(None, None, Some(worktree))
    }

    #[test]
    fn blank_means_unaddressed() {
        for value in [
            json!(null),
            json!({}),
            json!({"role": "", "worktree": " \t"}),
        ] {
            assert_eq!(Receiver::parse(&value), Ok(None));
        }
    }

    #[test]
    fn reads_back_what_it_prints() {
        let value = json!({"session_name": "build", "worktree": "src/app"});
        assert_eq!(receiver(value.clone()).to_json(), value);
        assert_eq!(
            receiver(json!({"role": " executor ", "worktree": ""})).to_json(),
            json!({"role": "executor"})
        );
    }

    #[test]
    fn refuses_what_is_no_address_and_names_it() {
        let long = "ä".repeat(MAX_CHARS + 1);
        for (value, named) in [
            (json!("executor"), "object"),
            (json!([]), "object"),
            (json!({"role": "executor", "host": "x"}), "\"host\""),
            (json!({"role": 1}), "role"),
            (json!({"session_name": null}), "session_name"),
            (json!({"worktree": long}), "worktree"),
        ] {
            let error = Receiver::parse(&value).unwrap_err();
            assert_eq!(error.code, ErrorCode::InvalidValue);
            assert!(error.message.contains(named), "{}", error.message);
        }
        assert!(Receiver::parse(&json!({"worktree": "ä".repeat(MAX_CHARS)})).is_ok());
    }

    #[test]
    fn every_addressed_field_must_match() {
        let address =
            receiver(json!({"session_name": "Build", "role": "executor", "worktree": "/w"}));
        assert!(
            address
                .mismatches(&session(Some("bUILD"), Some("EXECUTOR"), Some("/w")))
                .is_empty()
        );
        assert_eq!(
            address.mismatches(&session(Some("build"), Some("planner"), None)),
            ["role", "worktree"]
        );
        assert_eq!(
            address.mismatches(&session(None, None, None)),
            ["session_name", "role", "worktree"]
        );
        let role_only = receiver(json!({"role": "executor"}));
        assert!(
            role_only
                .mismatches(&session(None, Some("executor"), None))
                .is_empty()
        );
    }

    #[test]
    fn worktree_takes_in_what_lies_inside_it() {
        for (addressed, actual) in [
            ("/w/app", "/w/app"),
            ("/w/app/", "/w/app"),
            ("/w/app", "/w/app/src/"),
            ("/", "/w"),
            (r"C:\Work\App", "c:/Work/App/src"),
            ("c:/", r"C:\Work"),
        ] {
            assert!(
                receiver(json!({"worktree": addressed}))
                    .mismatches(&at(actual))
                    .is_empty(),
                "{actual}"
            );
        }
        for (addressed, actual) in [
            ("/w/app", "/w/app2"),
            ("/w/app", "/w"),
            ("/w", "w"),
            ("w", "/w"),
            ("c:/w", "d:/w"),
            ("/w", ""),
        ] {
            assert_eq!(
                receiver(json!({"worktree": addressed})).mismatches(&at(actual)),
                ["worktree"],
                "{actual}"
            );
        }
    }
}
