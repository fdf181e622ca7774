//! The answer of one generation: every key in every mode, null where a handoff has nothing to say under it.
//!
//! Source: The Per-Mode Handoff Envelope Contract, "The envelope fields".

use serde_json::{Value, json};

use super::generate::Generated;
use crate::board::selection::{Rejection, SelectedScope};
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
        "capability_contract": generated.readiness.capability_contract,
        "profile_binding": project_tags::profile_binding(),
        "handoff_evidence_status": generated.evidence_status,
        "continuation_status": null,
        "blocker_policy": generated.readiness.blocker_policy,
        "docx_integrity": generated.readiness.docx_integrity,
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
