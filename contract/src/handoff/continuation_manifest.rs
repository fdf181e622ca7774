//! `<continuation_manifest>`: the whole board of the version as one digest and the few lists that a resumed session
//! checks first, whatever was selected.
//!
//! All lists are bounded, and each has its count beside it.
//!
//! Source: The Handoff Contract, "Resuming a prior run vs. starting fresh".

use std::collections::HashSet;

use serde_json::{Value, json};

use super::render::Page;
use crate::board::Item;
use crate::text::clip;
use crate::text::json::canonical_ascii;
use crate::text::xml::Element;

const ID_CAP: usize = 20;
const DETAIL_CAP: usize = 5;
/// Code points of the blocker policy's rationale.
const RATIONALE_LIMIT: usize = 400;

/// One line of canonical JSON on a line of its own.
pub fn element(page: &Page<'_>) -> Element {
    Element::new("continuation_manifest")
        .line()
        .text(canonical_ascii(&manifest(page)))
        .line()
}

fn manifest(page: &Page<'_>) -> Value {
    let snapshot = page.snapshot();
    let version = page.prepared.subject.version;
    let open: Vec<&Item> = snapshot
        .board
        .scoped(version)
        .filter(|item| !item.status.is_terminal())
        .collect();
    let pending: Vec<&Item> = open
        .iter()
        .copied()
        .filter(|item| item.status.is_pending())
        .collect();

    let hard_blocked = select(&pending, |item| {
        let kind = item.blocker_kind?;
        Some(json!({"id": item.item_id, "blocker_kind": kind.as_str()}))
    });
    let deferred = select(&pending, |item| {
        let until = item.deferred_until.filter(|until| *until > snapshot.now)?;
        Some(json!({"id": item.item_id, "deferred_until": until}))
    });
    let asked_about: HashSet<&str> = snapshot
        .hitl_gates
        .iter()
        .filter_map(|gate| gate.item_id.as_deref())
        .collect();
    let gated = select(&open, |item| {
        asked_about
            .contains(item.item_id.as_str())
            .then(|| json!(item.item_id))
    });
    json!({
        "schema_version": 1,
        "project_id": snapshot.project.project_id,
        "session_id": snapshot.session.as_ref().map(|session| &session.session_id),
        "sprint_version": version,
        "source": "generate_handoff:delta",
        "revision_hash": page.prepared.board_revision,
        "revision_counter": snapshot.context.revision_counter,
        "item_count": open.len(),
        "pending_count": pending.len(),
        "pending_item_ids": head(&select(&pending, |item| Some(json!(item.item_id)))),
        "hard_blocked_pending_count": hard_blocked.len(),
        "hard_blocked_pending_ids": head(&hard_blocked),
        "deferred_pending_count": deferred.len(),
        "deferred_pending_ids": head(&deferred),
        "hitl_gated_item_count": gated.len(),
        "hitl_gated_item_ids": head(&gated),
        "blocker_summary": page.prepared.subject.readiness.blocker_policy.as_ref().map(blocker_summary),
    })
}

fn select(items: &[&Item], entry: impl Fn(&Item) -> Option<Value>) -> Vec<Value> {
    items.iter().filter_map(|item| entry(item)).collect()
}

fn head(entries: &[Value]) -> &[Value] {
    &entries[..entries.len().min(ID_CAP)]
}

/// The blocker policy in short: its decision, the first ids and kinds, and the beginning of its rationale.
fn blocker_summary(policy: &Value) -> Value {
    let blocked = policy["blocked_item_ids"]
        .as_array()
        .map_or(&[][..], Vec::as_slice);
    let kinds = policy["classifications"].as_object();
    let kinds = kinds
        .into_iter()
        .flatten()
        .filter(|(_, kind)| !kind.is_null());
    let details: Vec<Value> = kinds
        .take(DETAIL_CAP)
        .map(|(id, kind)| json!({"id": id, "kind": kind}))
        .collect();
    json!({
        "policy": policy["policy"],
        "run_stop": policy["run_stop"],
        "run_stop_reason": policy["run_stop_reason"],
        "blocked_count": blocked.len(),
        "blocked_item_ids": head(blocked),
        "details": details,
        "continuation_rationale": policy["continuation_rationale"].as_str().map(rationale),
    })
}

fn rationale(text: &str) -> String {
    let head = clip::head(text, RATIONALE_LIMIT);
    if head.len() == text.len() {
        text.to_owned()
    } else {
        format!("{head}...(truncated)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_triage_is_cut_and_counted() {
        let ids: Vec<String> = (10..40).map(|n| format!("i{n}")).collect();
        let kinds: serde_json::Map<_, _> = ids
            .iter()
            .map(|id| (id.clone(), json!("needs_scope")))
            .collect();
        let summary = blocker_summary(&json!({
            "policy": "quarantine_continue",
            "blocked_item_ids": ids,
            "classifications": kinds,
            "continuation_rationale": "ä".repeat(401),
        }));
        assert_eq!(summary["blocked_count"], 30);
        assert_eq!(summary["blocked_item_ids"].as_array().unwrap().len(), 20);
        assert_eq!(summary["details"].as_array().unwrap().len(), 5);
        assert_eq!(
            summary["details"][0],
            json!({"id": "i10", "kind": "needs_scope"})
        );
        let cut = format!("{}...(truncated)", "ä".repeat(400));
        assert_eq!(summary["continuation_rationale"], json!(cut));
        assert_eq!(rationale("short"), "short");
    }

    #[test]
    fn eligible_items_are_no_details() {
        let summary =
            blocker_summary(&json!({"classifications": {"a": null, "b": "human_action"}}));
        assert_eq!(
            summary["details"],
            json!([{"id": "b", "kind": "human_action"}])
        );
        assert_eq!(summary["blocked_count"], 0);
        assert_eq!(summary["continuation_rationale"], Value::Null);
    }
}
