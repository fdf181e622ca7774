//! The answer of one generation: every key in every mode, null where a handoff has nothing to say under it.
//!
//! Source: The Per-Mode Handoff Envelope Contract, "The envelope fields".

use serde_json::{Value, json};

use super::generate::Generated;
use crate::board::Pointer;
use crate::board::selection::{Rejection, SelectedScope};
use crate::goal::block::Subject;
use crate::goal::project_tags;

/// `wire_content` is the content as it goes out: with its token, and within the budget.
pub fn response(generated: &Generated, amended: bool, wire_content: &str) -> Value {
    let counts = &generated.counts;
    let rejected: Vec<Value> = generated
        .force_include_rejected
        .iter()
        .map(Rejection::to_json)
        .collect();
    json!({
        "project_id": generated.project_id,
        "mode": generated.mode.as_str(),
        "content": wire_content,
        "amended": amended,
        "degraded": false,
        "retrievable_via_load_handoff": generated.mode.is_retrievable(),
        "scope": {
            "requested_version": generated.requested_version,
            "effective_version": generated.effective_version,
            "session_id": generated.session_id,
        },
        "selected_scope": generated.selected_scope.as_ref().map(SelectedScope::to_json),
        "force_include_rejected": rejected,
        "capability_contract": null,
        "profile_binding": project_tags::profile_binding(),
        "handoff_evidence_status": generated.evidence_status,
        "continuation_status": null,
        "blocker_policy": null,
        "docx_integrity": null,
        "run_timeline": null,
        "board_revision": generated.board_revision,
        "item_counts": {
            "pending": counts.pending,
            "in_progress": counts.in_progress,
            "selected": counts.selected,
            "excluded": counts.excluded,
        },
        "content_hash": generated.content_hash(),
        "checkpoint": generated.checkpoint,
        "generated_at": generated.generated_at,
    })
}

/// `handoff_evidence_status`: what was done for the evidence behind this handoff, under five fixed names.
pub(super) fn evidence_status(subject: &Subject<'_>) -> Value {
    let board = &subject.snapshot.board;
    let pointers: Vec<&Pointer> = subject
        .batch
        .candidates
        .iter()
        .flat_map(|item| board.pointers(&item.item_id))
        .collect();
    json!({
        "code_pointer_enrichment": status(
            "skipped",
            "The handoff shows the pointers that are stored and looks for no others.",
            Some("sprint_item_pointers"),
        ),
        "resolved_pointer_annotation": pointer_annotation(&pointers),
        "freshness_requery": status(
            "verified",
            "All rows were read in one database snapshot, so nothing could change in between.",
            None,
        ),
        "wave_gate_exclusion": status("verified", "Items beyond a gate that is not passed are held back.", None),
        "graph_search_availability": status("skipped", "No graph search takes part in a generation.", None),
    })
}

/// Whether each pointer in scope says if its target was found. The database itself cannot look into a repository.
fn pointer_annotation(pointers: &[&Pointer]) -> Value {
    let unchecked = pointers
        .iter()
        .filter(|pointer| pointer.target_resolved.is_none())
        .count();
    match (pointers.len(), unchecked) {
        (0, _) => status("skipped", "No item in scope has a pointer.", None),
        (_, 0) => status(
            "verified",
            "Every pointer in scope says whether its target was found.",
            None,
        ),
        (total, unchecked) => status(
            "skipped",
            &format!("{unchecked} of {total} pointers in scope have never been resolved."),
            Some("presence of a pointer"),
        ),
    }
}

fn status(status: &str, reason: &str, fallback: Option<&str>) -> Value {
    json!({"status": status, "reason": reason, "fallback": fallback})
}
