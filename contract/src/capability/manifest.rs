//! The capability manifest: what a project declares that it needs, checked as a whole before it is kept.
//!
//! A document is an array of entries, or `{version, capabilities: [entries]}`. An entry is `{id, purpose,
//! required_tools, fallback_chain?, availability_policy?, verification_command?, provenance?}`. Two documents that
//! say the same give the same [`Manifest`] and hash: entries are sorted by id and defaults are written out. Whether
//! the tools are there is decided in [`super::availability`].
//!
//! Source: The Handoff Contract, "Executability as a first-class signal".

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use serde_json::{Map, Value, json};

use super::secret;
use crate::board::item::item_id_problem;
use crate::text::json::{canonical_ascii, sha256_hex};
use crate::{ContractError, ErrorCode};

/// What a project declares. Entries are sorted by id, and no id occurs twice.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Manifest {
    /// A text or a number of the project's own; null for none.
    pub version: Value,
    pub capabilities: Vec<Capability>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Capability {
    pub id: String,
    pub purpose: String,
    /// At least one.
    pub required_tools: Vec<String>,
    /// Tried in this order when a required tool is not available.
    pub fallback_chain: Vec<String>,
    pub policy: Policy,
    pub verification_command: Option<String>,
    /// A text, an object or null.
    pub provenance: Value,
}

/// What it means for a handoff that a capability is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Policy {
    /// Without it nothing can be executed.
    #[default]
    Required,
    Optional,
    /// Not knowing is as good as having it in part.
    DegradedOk,
}

impl Policy {
    pub const KNOWN: [Self; 3] = [Self::Required, Self::Optional, Self::DegradedOk];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Required => "required",
            Self::Optional => "optional",
            Self::DegradedOk => "degraded_ok",
        }
    }
}

impl Manifest {
    /// `{version, capabilities}`: what is stored, and what [`from_stored`] reads back.
    pub fn to_json(&self) -> Value {
        json!({"version": self.version, "capabilities": self.capabilities_json()})
    }

    /// The entries with every field written out.
    pub fn capabilities_json(&self) -> Vec<Value> {
        self.capabilities.iter().map(Capability::to_json).collect()
    }

    /// 64 hex characters over the entries alone, so that a new version of the same needs keeps its hash.
    pub fn hash(&self) -> String {
        sha256_hex(canonical_ascii(&Value::Array(self.capabilities_json())).as_bytes())
    }
}

impl Capability {
    pub fn to_json(&self) -> Value {
        json!({
            "id": self.id,
            "purpose": self.purpose,
            "required_tools": self.required_tools,
            "fallback_chain": self.fallback_chain,
            "availability_policy": self.policy.as_str(),
            "verification_command": self.verification_command,
            "provenance": self.provenance,
        })
    }
}

/// A manifest that a caller sets. Refused (MH008) when it is malformed, names an id twice, or holds a credential or a
/// path of one machine; the detail is `{errors: [{path, code, message}]}` with every problem, `path` a JSON pointer.
/// No error repeats a value.
pub fn parse(document: &Value) -> Result<Manifest, ContractError> {
    let mut reader = Reader::default();
    let manifest = reader.manifest(document);
    refused_unless_sound(manifest, reader.problems)
}

/// A manifest as [`Manifest::to_json`] stored it. Its shape is checked again; a credential in it is no error here,
/// because [`super::contract`] must be able to say that there is one.
pub fn from_stored(document: &Value) -> Result<Manifest, ContractError> {
    let mut reader = Reader::default();
    let manifest = reader.manifest(document);
    let is_shape = |problem: &Problem| !problem.is_finding;
    let problems = reader.problems.into_iter().filter(is_shape).collect();
    refused_unless_sound(manifest, problems)
}

fn refused_unless_sound(
    manifest: Option<Manifest>,
    problems: Vec<Problem>,
) -> Result<Manifest, ContractError> {
    match (manifest, problems.first()) {
        (Some(manifest), None) => Ok(manifest),
        (_, first) => Err(invalid(first, &problems)),
    }
}

fn invalid(first: Option<&Problem>, problems: &[Problem]) -> ContractError {
    let start = first.map_or_else(String::new, |first| {
        format!(", the first at \"{}\": {}", first.path, first.message)
    });
    let errors: Vec<Value> = problems.iter().map(Problem::to_json).collect();
    ContractError::new(
        ErrorCode::CapabilityManifestInvalid,
        format!("{} problems in the manifest{start}", problems.len()),
        "Correct every place that the detail names; nothing was stored. Keep credentials and local paths out: name the tool, not where it lies.",
    )
    .with_detail(json!({ "errors": errors }))
}

#[derive(Debug, Clone, PartialEq)]
struct Problem {
    path: String,
    code: &'static str,
    message: String,
    /// Whether it is what a value holds rather than its shape.
    is_finding: bool,
}

impl Problem {
    fn to_json(&self) -> Value {
        json!({"path": self.path, "code": self.code, "message": self.message})
    }
}

/// How deep a provenance may go: it is written out again by a recursive writer.
const PROVENANCE_DEPTH: usize = 32;
const MANIFEST_FIELDS: [&str; 2] = ["version", "capabilities"];
const ENTRY_FIELDS: [&str; 7] = [
    "id",
    "purpose",
    "required_tools",
    "fallback_chain",
    "availability_policy",
    "verification_command",
    "provenance",
];

/// Reads on after a problem. A reading function returns `None` only after it has noted one.
#[derive(Default)]
struct Reader {
    problems: Vec<Problem>,
}

impl Reader {
    fn note(&mut self, path: &str, code: &'static str, message: impl Into<String>) {
        self.problems.push(Problem {
            path: path.to_owned(),
            code,
            message: message.into(),
            is_finding: false,
        });
    }

    fn manifest(&mut self, document: &Value) -> Option<Manifest> {
        match document {
            Value::Array(entries) => Some(Manifest {
                version: Value::Null,
                capabilities: self.entries("", entries),
            }),
            Value::Object(members) => {
                self.refuse_unknown("", members, &MANIFEST_FIELDS);
                let version = self.version(members.get("version"));
                let Some(Value::Array(entries)) = members.get("capabilities") else {
                    self.note(
                        "/capabilities",
                        "wrong_type",
                        "it must be an array of entries",
                    );
                    return None;
                };
                Some(Manifest {
                    version: version?,
                    capabilities: self.entries("/capabilities", entries),
                })
            }
            _ => {
                let message =
                    "a manifest is an array of entries, or an object with \"capabilities\"";
                self.note("", "wrong_type", message);
                None
            }
        }
    }

    fn version(&mut self, version: Option<&Value>) -> Option<Value> {
        let version = version.cloned().unwrap_or_default();
        match &version {
            Value::Null | Value::Number(_) => Some(version),
            Value::String(text) => {
                self.checked_text("/version", text)?;
                Some(version)
            }
            _ => {
                self.note("/version", "wrong_type", "it must be a text or a number");
                None
            }
        }
    }

    /// Those that could be read, sorted by id.
    fn entries(&mut self, path: &str, entries: &[Value]) -> Vec<Capability> {
        let mut capabilities: Vec<Capability> = entries
            .iter()
            .enumerate()
            .filter_map(|(at, entry)| self.entry(&format!("{path}/{at}"), entry))
            .collect();
        self.refuse_repeated_ids(path, entries);
        capabilities.sort_by(|a, b| a.id.cmp(&b.id));
        capabilities
    }

    fn refuse_repeated_ids(&mut self, path: &str, entries: &[Value]) {
        let mut first_with: HashMap<&str, usize> = HashMap::new();
        for (at, entry) in entries.iter().enumerate() {
            let Some(id) = entry.get("id").and_then(Value::as_str) else {
                continue;
            };
            match first_with.entry(id) {
                Entry::Vacant(vacant) => {
                    vacant.insert(at);
                }
                Entry::Occupied(first) => self.note(
                    &format!("{path}/{at}/id"),
                    "duplicate_id",
                    format!("the entry at \"{path}/{}\" has the same id", first.get()),
                ),
            }
        }
    }

    fn entry(&mut self, path: &str, entry: &Value) -> Option<Capability> {
        let Some(members) = entry.as_object() else {
            self.note(path, "wrong_type", "an entry is an object");
            return None;
        };
        self.refuse_unknown(path, members, &ENTRY_FIELDS);
        // All fields are read before the first missing one ends the entry, so that every problem is noted.
        let id = self.id(path, members);
        let purpose = self.required_text(path, members, "purpose");
        let required_tools = self.required_tools(path, members);
        let fallback_chain = self.tools(path, members, "fallback_chain");
        let policy = self.policy(path, members);
        let verification_command = self.optional_text(path, members, "verification_command");
        let provenance = self.provenance(path, members);
        Some(Capability {
            id: id?,
            purpose: purpose?,
            required_tools: required_tools?,
            fallback_chain: fallback_chain?,
            policy: policy?,
            verification_command: verification_command?,
            provenance: provenance?,
        })
    }

    fn refuse_unknown(&mut self, path: &str, members: &Map<String, Value>, known: &[&str]) {
        for name in members
            .keys()
            .filter(|name| !known.contains(&name.as_str()))
        {
            // The name may itself be what must not be shown.
            let message = match secret::find(name) {
                None => format!(
                    "there is no field {name:?}; known are: {}",
                    known.join(", ")
                ),
                Some(_) => format!("an unknown field; known are: {}", known.join(", ")),
            };
            self.note(path, "unknown_field", message);
        }
    }

    /// Ids stand comma-separated in the reasons of a contract, so they are as strict as item ids.
    fn id(&mut self, path: &str, members: &Map<String, Value>) -> Option<String> {
        let id = self.required_text(path, members, "id")?;
        match item_id_problem(&id) {
            None => Some(id),
            Some(problem) => {
                self.note(&format!("{path}/id"), "illegal_value", problem);
                None
            }
        }
    }

    fn required_text(
        &mut self,
        path: &str,
        members: &Map<String, Value>,
        field: &str,
    ) -> Option<String> {
        let text = self.optional_text(path, members, field)?;
        if text.is_none() {
            self.note(
                &format!("{path}/{field}"),
                "missing_field",
                "it is required",
            );
        }
        text
    }

    /// The outer `None` says that there is a problem, the inner one that there is no text.
    fn optional_text(
        &mut self,
        path: &str,
        members: &Map<String, Value>,
        field: &str,
    ) -> Option<Option<String>> {
        let path = format!("{path}/{field}");
        match members.get(field) {
            None | Some(Value::Null) => Some(None),
            Some(Value::String(text)) => self.checked_text(&path, text).map(Some),
            Some(_) => {
                self.note(&path, "wrong_type", "it must be a text");
                None
            }
        }
    }

    fn checked_text(&mut self, path: &str, text: &str) -> Option<String> {
        self.refuse_finding(path, secret::find(text));
        if text.trim().is_empty() {
            self.note(path, "blank", "it is blank");
            return None;
        }
        Some(text.to_owned())
    }

    fn required_tools(&mut self, path: &str, members: &Map<String, Value>) -> Option<Vec<String>> {
        let tools = self.tools(path, members, "required_tools")?;
        if tools.is_empty() {
            let message = "it is required and must name at least one tool";
            self.note(&format!("{path}/required_tools"), "missing_field", message);
            return None;
        }
        Some(tools)
    }

    /// No list is an empty one.
    fn tools(
        &mut self,
        path: &str,
        members: &Map<String, Value>,
        field: &str,
    ) -> Option<Vec<String>> {
        let path = format!("{path}/{field}");
        match members.get(field) {
            None | Some(Value::Null) => Some(Vec::new()),
            Some(Value::Array(tools)) => {
                let tools: Vec<Option<String>> = tools
                    .iter()
                    .enumerate()
                    .map(|(at, tool)| self.tool(&format!("{path}/{at}"), tool))
                    .collect();
                tools.into_iter().collect()
            }
            Some(_) => {
                self.note(&path, "wrong_type", "it must be an array of tool names");
                None
            }
        }
    }

    fn tool(&mut self, path: &str, tool: &Value) -> Option<String> {
        let Some(text) = tool.as_str() else {
            self.note(path, "wrong_type", "a tool is named by a text");
            return None;
        };
        let text = self.checked_text(path, text)?;
        if text.trim() != text || text.contains(char::is_control) {
            let message = "no report can match it: it holds a control character or begins or ends with a space";
            self.note(path, "illegal_value", message);
            return None;
        }
        Some(text)
    }

    fn policy(&mut self, path: &str, members: &Map<String, Value>) -> Option<Policy> {
        let stated = match members.get("availability_policy") {
            None | Some(Value::Null) => return Some(Policy::default()),
            Some(stated) => stated.as_str(),
        };
        let policy = Policy::KNOWN
            .into_iter()
            .find(|policy| Some(policy.as_str()) == stated);
        if policy.is_none() {
            let known = Policy::KNOWN.map(Policy::as_str).join(", ");
            let path = format!("{path}/availability_policy");
            self.note(
                &path,
                "illegal_value",
                format!("it must be one of: {known}"),
            );
        }
        policy
    }

    fn provenance(&mut self, path: &str, members: &Map<String, Value>) -> Option<Value> {
        let path = format!("{path}/provenance");
        let provenance = members.get("provenance").unwrap_or(&Value::Null);
        if !matches!(
            provenance,
            Value::Null | Value::String(_) | Value::Object(_)
        ) {
            self.note(&path, "wrong_type", "it must be a text or an object");
            return None;
        }
        self.refuse_finding(&path, secret::find_in(provenance));
        if is_deeper_than(provenance, PROVENANCE_DEPTH) {
            let message = format!("it is nested more than {PROVENANCE_DEPTH} levels deep");
            self.note(&path, "illegal_value", message);
            return None;
        }
        Some(provenance.clone())
    }

    fn refuse_finding(&mut self, path: &str, finding: Option<secret::Finding>) {
        if let Some(finding) = finding {
            self.problems.push(Problem {
                path: path.to_owned(),
                code: finding.as_str(),
                message: finding.describe().to_owned(),
                is_finding: true,
            });
        }
    }
}

/// The recursion ends at the limit, whatever the depth.
fn is_deeper_than(value: &Value, limit: usize) -> bool {
    let below = |value: &Value| limit == 0 || is_deeper_than(value, limit - 1);
    match value {
        Value::Array(elements) => elements.iter().any(below),
        Value::Object(members) => members.values().any(below),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn entry(id: &str) -> Value {
        json!({"id": id, "purpose": "Search the code.", "required_tools": ["graph_search"]})
    }

    /// `path code` of every problem.
    fn problems(document: &Value) -> Vec<String> {
        let error = parse(document).unwrap_err();
        assert_eq!(error.code.sqlstate(), "MH008");
        assert!(error.message.starts_with("CAPABILITY_MANIFEST_INVALID: "));
        let detail = *error.detail.unwrap();
        let problems = detail["errors"].as_array().unwrap();
        problems
            .iter()
            .map(|problem| {
                format!(
                    "{} {}",
                    problem["path"].as_str().unwrap(),
                    problem["code"].as_str().unwrap()
                )
            })
            .collect()
    }

    #[test]
    fn entries_are_sorted_and_defaults_written_out() {
        let manifest = parse(&json!([entry("b"), entry("a")])).unwrap();
        assert_eq!(
            manifest.to_json(),
            json!({"version": null, "capabilities": [
                {"id": "a", "purpose": "Search the code.", "required_tools": ["graph_search"], "fallback_chain": [],
                 "availability_policy": "required", "verification_command": null, "provenance": null},
                {"id": "b", "purpose": "Search the code.", "required_tools": ["graph_search"], "fallback_chain": [],
                 "availability_policy": "required", "verification_command": null, "provenance": null},
            ]})
        );
    }

    #[test]
    fn same_needs_have_the_same_hash() {
        let plain = parse(&json!([entry("b"), entry("a")])).unwrap();
        let mut spelled_out = entry("a");
        spelled_out["availability_policy"] = json!("required");
        spelled_out["fallback_chain"] = Value::Null;
        let wrapped =
            parse(&json!({"version": 3, "capabilities": [spelled_out, entry("b")]})).unwrap();
        assert_eq!(wrapped.version, json!(3));
        assert_eq!(plain.hash(), wrapped.hash());
        assert_ne!(plain.hash(), parse(&json!([entry("a")])).unwrap().hash());
    }

    #[test]
    fn hash_is_that_of_the_sorted_compact_list() {
        assert_eq!(
            Manifest::default().hash(),
            "4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945"
        );
        let image = r#"[{"availability_policy":"required","fallback_chain":[],"id":"a","provenance":null,"purpose":"Search the code.","required_tools":["graph_search"],"verification_command":null}]"#;
        assert_eq!(
            parse(&json!([entry("a")])).unwrap().hash(),
            sha256_hex(image.as_bytes())
        );
    }

    #[test]
    fn every_problem_is_named_at_once() {
        let document = json!({"capabilities": [
            {"id": "a,b", "purpose": " ", "required_tools": [], "availability_policy": "never", "extra": 1},
            {"required_tools": ["ok", 7, " edge", ""], "fallback_chain": "x", "provenance": [], "verification_command": 1},
            entry("c"), entry("c"), "text",
        ], "layers": []});
        assert_eq!(
            problems(&document),
            [
                " unknown_field",
                "/capabilities/0 unknown_field",
                "/capabilities/0/id illegal_value",
                "/capabilities/0/purpose blank",
                "/capabilities/0/required_tools missing_field",
                "/capabilities/0/availability_policy illegal_value",
                "/capabilities/1/id missing_field",
                "/capabilities/1/purpose missing_field",
                "/capabilities/1/required_tools/1 wrong_type",
                "/capabilities/1/required_tools/2 illegal_value",
                "/capabilities/1/required_tools/3 blank",
                "/capabilities/1/fallback_chain wrong_type",
                "/capabilities/1/verification_command wrong_type",
                "/capabilities/1/provenance wrong_type",
                "/capabilities/4 wrong_type",
                "/capabilities/3/id duplicate_id",
            ]
        );
    }

    #[test]
    fn what_is_no_manifest_is_refused() {
        for document in [
            json!(null),
            json!("x"),
            json!(1),
            json!({}),
            json!({"capabilities": {}}),
        ] {
            assert_eq!(problems(&document).len(), 1, "{document}");
        }
        assert_eq!(
            problems(&json!({"version": [], "capabilities": []})),
            ["/version wrong_type"]
        );
        assert_eq!(
            problems(&json!({"version": "", "capabilities": []})),
            ["/version blank"]
        );
    }

    #[test]
    fn credentials_and_local_paths_are_refused_without_being_repeated() {
        let key = "ghp_aaaaaaaaaaaaaaaaaaaaaaaaaaaa";
        let places = [
            ("id", json!(key)),
            ("purpose", json!(format!("Use {key}."))),
            ("required_tools", json!([key])),
            ("fallback_chain", json!([key])),
            ("verification_command", json!(format!("tool --token={key}"))),
            ("provenance", json!({"by": [key]})),
            ("provenance", json!({(key): 1})),
            (key, json!(1)),
        ];
        for (field, value) in places {
            let mut entry = entry("a");
            entry[field] = value;
            let error = parse(&json!([entry])).unwrap_err();
            let shown = format!("{error:?}");
            assert!(!shown.contains(key), "{field}: {shown}");
            assert!(
                field == key || shown.contains("secret_shaped_value"),
                "{shown}"
            );
        }
        let mut entry = entry("a");
        entry["required_tools"] = json!(["/home/ada/bin/tool"]);
        assert_eq!(
            problems(&json!([entry])),
            ["/0/required_tools/0 absolute_local_path"]
        );
    }

    #[test]
    fn a_stored_manifest_is_read_back_even_with_a_credential_in_it() {
        let mut document = parse(&json!([entry("a")])).unwrap().to_json();
        assert_eq!(from_stored(&document).unwrap().to_json(), document);
        document["capabilities"][0]["purpose"] = json!("token=abcdefgh");
        assert!(parse(&document).is_err());
        assert_eq!(from_stored(&document).unwrap().to_json(), document);
        document["capabilities"][0]["id"] = json!("");
        assert!(from_stored(&document).is_err());
    }

    #[test]
    fn depth_is_bounded() {
        let mut provenance = json!({});
        for _ in 0..PROVENANCE_DEPTH {
            provenance = json!({ "of": provenance });
        }
        let mut deep = entry("a");
        deep["provenance"] = provenance.clone();
        assert!(parse(&json!([deep])).is_ok());
        deep["provenance"] = json!({ "of": provenance });
        assert_eq!(problems(&json!([deep])), ["/0/provenance illegal_value"]);
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let field = prop::sample::select(ENTRY_FIELDS.to_vec());
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<i64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
            Just(json!("required")),
        ];
        leaf.prop_recursive(4, 40, 7, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::vec((field.clone(), inner), 0..7).prop_map(|members| {
                    members
                        .into_iter()
                        .map(|(name, value)| (name.to_owned(), value))
                        .collect()
                }),
            ]
        })
    }

    proptest! {
        #[test]
        fn any_document_is_read_or_refused_with_problems(document in any_json()) {
            match parse(&document) {
                Ok(manifest) => prop_assert_eq!(parse(&manifest.to_json()), Ok(manifest)),
                Err(error) => prop_assert!(error.detail.is_some_and(|detail| detail["errors"][0]["code"].is_string())),
            }
        }

        #[test]
        fn order_of_entries_does_not_matter(order in Just((0..6).collect::<Vec<u8>>()).prop_shuffle()) {
            let document: Value = order.iter().map(|n| entry(&format!("c{n}"))).collect();
            let sorted: Value = (0..6).map(|n| entry(&format!("c{n}"))).collect();
            prop_assert_eq!(parse(&document), parse(&sorted));
        }
    }
}
