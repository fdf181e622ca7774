//! The clauses that hold one entry an item: tool requirements, pointers, findings on artifacts, pinned tools.
//!
//! They speak of every pending item of the scope, also of those that a filter holds back, because what holds an item
//! back may pass while the block is being worked on. Each body is one line of canonical JSON, an array of objects
//! with `item_id`, sorted by it.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};

use super::calls;
use super::capped::Capped;
use crate::board::{Batch, Board, Item, Pointer};
use crate::handoff::ArtifactCheck;
use crate::text::json::canonical_ascii;
use crate::text::xml::Element;

/// One clause. `entries` are sorted by item id and complete; the cap is applied when they are written.
#[derive(Debug, Clone, PartialEq)]
struct Clause {
    tag: &'static str,
    truncated_tag: &'static str,
    entries: Vec<Entry>,
}

#[derive(Debug, Clone, PartialEq)]
struct Entry {
    item_id: String,
    claimable: bool,
    /// `{item_id, <field>}`.
    json: Value,
}

/// The clauses of one block, in the order in which they stand.
#[derive(Debug, Clone, PartialEq)]
pub struct Clauses(Vec<Clause>);

impl Clauses {
    pub fn of(batch: &Batch<'_>, board: &Board, checks: &[ArtifactCheck]) -> Self {
        let mut items = batch.candidates.clone();
        items.sort_by(|a, b| a.item_id.cmp(&b.item_id));
        let claimable: HashSet<&str> = batch
            .claimable
            .iter()
            .map(|item| item.item_id.as_str())
            .collect();
        let clause =
            |tag, truncated_tag, field: &str, value_of: &dyn Fn(&Item) -> Option<Value>| Clause {
                tag,
                truncated_tag,
                entries: items
                    .iter()
                    .filter_map(|item| {
                        let value = value_of(item)?;
                        Some(Entry {
                            item_id: item.item_id.clone(),
                            claimable: claimable.contains(item.item_id.as_str()),
                            json: json!({ "item_id": item.item_id, field: value }),
                        })
                    })
                    .collect(),
            };
        let checks = unsound(checks);
        Self(vec![
            clause(
                "required_tool",
                "required_tool_truncated",
                "required_tool",
                &required_tool,
            ),
            clause(
                "tool_requirements",
                "tool_requirements_truncated",
                "tool_requirements",
                &tool_requirements,
            ),
            clause(
                "sprint_item_pointers",
                "sprint_item_pointers_truncated",
                "pointers",
                &|item| pointers(board.pointers(&item.item_id)),
            ),
            clause(
                "artifact_pointer_findings",
                "artifact_pointer_findings_truncated",
                "findings",
                &|item| findings(checks.get(item.item_id.as_str())?),
            ),
        ])
    }

    /// Whether the cap leaves out an item of any clause.
    pub fn is_truncated(&self, cap: Option<usize>) -> bool {
        self.0
            .iter()
            .any(|clause| Capped::new(&clause.entries, cap).is_truncated())
    }

    /// The whole clause under one tag: `{item_id, …}` each, sorted by item id.
    pub fn entries(&self, tag: &str) -> Vec<Value> {
        let clause = self.0.iter().filter(|clause| clause.tag == tag);
        clause
            .flat_map(|clause| &clause.entries)
            .map(|entry| entry.json.clone())
            .collect()
    }

    pub fn lines(&self, project_id: &str, cap: Option<usize>) -> Vec<String> {
        self.0
            .iter()
            .flat_map(|clause| clause.lines(project_id, cap))
            .collect()
    }
}

impl Clause {
    /// Nothing for a clause without entries.
    fn lines(&self, project_id: &str, cap: Option<usize>) -> Vec<String> {
        if self.entries.is_empty() {
            return Vec::new();
        }
        let entries = Capped::new(&self.entries, cap);
        let shown = entries
            .shown
            .iter()
            .map(|entry| entry.json.clone())
            .collect();
        let mut lines = vec![
            Element::new(self.tag)
                .text(canonical_ascii(&Value::Array(shown)))
                .to_string(),
        ];
        lines.extend(entries.marker(
            self.truncated_tag,
            &refetch(project_id, entries.omitted, cap),
        ));
        lines
    }
}

/// A call that shows as many of the omitted items as one block holds. Only a claimable item can be selected.
fn refetch(project_id: &str, omitted: &[Entry], cap: Option<usize>) -> String {
    let claimable = omitted
        .iter()
        .filter(|entry| entry.claimable)
        .map(|entry| entry.item_id.as_str());
    let next: Vec<&str> = claimable.take(cap.unwrap_or(omitted.len())).collect();
    if next.is_empty() {
        return format!(
            "None of the others can be claimed now; the board: {}",
            calls::read_board(project_id)
        );
    }
    format!(
        "The next, as long as they are pending: {}",
        calls::checkpoint_of(project_id, next)
    )
}

fn required_tool(item: &Item) -> Option<Value> {
    let tool = item.required_tool.as_deref()?.trim();
    (!tool.is_empty()).then(|| json!(tool))
}

/// As stored; null and empty lists say nothing.
fn tool_requirements(item: &Item) -> Option<Value> {
    let says_something = match &item.tool_requirements {
        Value::Null => false,
        Value::Array(requirements) => !requirements.is_empty(),
        _ => true,
    };
    says_something.then(|| item.tool_requirements.clone())
}

fn pointers(pointers: &[Pointer]) -> Option<Value> {
    let pointers: Vec<Value> = pointers
        .iter()
        .map(|pointer| {
            json!({
                "pointer_id": pointer.pointer_id,
                "source_type": pointer.source_type,
                "label": pointer.label,
                "targets": pointer.targets,
                "target_resolved": pointer.target_resolved,
            })
        })
        .collect();
    (!pointers.is_empty()).then(|| Value::Array(pointers))
}

/// The checks that failed or could not be made, by the item they are about.
fn unsound(checks: &[ArtifactCheck]) -> HashMap<&str, Vec<&ArtifactCheck>> {
    let mut by_item: HashMap<&str, Vec<&ArtifactCheck>> = HashMap::new();
    for check in checks.iter().filter(|check| check.status != "passed") {
        if let Some(item_id) = check.item_id.as_deref() {
            by_item.entry(item_id).or_default().push(check);
        }
    }
    by_item
}

/// Sorted by path and check.
fn findings(checks: &[&ArtifactCheck]) -> Option<Value> {
    let mut findings = checks.to_vec();
    findings.sort_by(|a, b| (&a.path, &a.check_name).cmp(&(&b.path, &b.check_name)));
    let findings: Vec<Value> = findings
        .into_iter()
        .map(|check| {
            json!({"path": check.path, "check_name": check.check_name, "status": check.status, "detail": check.detail})
        })
        .collect();
    (!findings.is_empty()).then(|| Value::Array(findings))
}
