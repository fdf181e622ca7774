//! The answer of one generation: every key in every mode, null where a handoff has nothing to say under it.
//!
//! Source: The Per-Mode Handoff Envelope Contract, "The envelope fields".

use serde::Serialize;
use serde_json::{Value, json};

use super::fallback::{self, Fallback};
use super::generated::Generated;
use crate::Timestamp;
use crate::board::selection::{Rejection, SelectedScope};
use crate::goal::project_tags;

/// The keys in the order in which they are printed.
#[derive(Serialize)]
struct Envelope<'a> {
    project_id: &'a str,
    mode: &'a str,
    content: &'a str,
    amended: bool,
    degraded: bool,
    retrievable_via_load_handoff: bool,
    scope: Value,
    selected_scope: Option<Value>,
    force_include_rejected: Vec<Value>,
    capability_contract: Option<&'a Value>,
    profile_binding: Value,
    handoff_evidence_status: &'a Value,
    continuation_status: &'a Option<Value>,
    blocker_policy: &'a Option<Value>,
    docx_integrity: &'a Option<Value>,
    run_timeline: &'a Option<Value>,
    board_revision: Option<&'a str>,
    item_counts: Option<Value>,
    content_hash: Option<String>,
    checkpoint: bool,
    generated_at: Option<Timestamp>,
}

/// `wire_content` is the content as it goes out: with its token, and within the budget.
pub fn response(generated: &Generated, amended: bool, wire_content: &str) -> Value {
    let counts = &generated.counts;
    let readiness = &generated.readiness;
    json!(Envelope {
        project_id: &generated.project_id,
        mode: generated.mode.as_str(),
        content: wire_content,
        amended,
        degraded: false,
        retrievable_via_load_handoff: generated.is_retrievable(),
        scope: scope(
            generated.requested_version.as_deref(),
            generated.effective_version.as_deref(),
            generated.session_id.as_deref(),
        ),
        selected_scope: generated
            .selected_scope
            .as_ref()
            .map(SelectedScope::to_json),
        force_include_rejected: generated
            .force_include_rejected
            .iter()
            .map(Rejection::to_json)
            .collect(),
        capability_contract: Some(&readiness.capability_contract),
        profile_binding: project_tags::profile_binding(),
        handoff_evidence_status: &generated.evidence_status,
        continuation_status: &generated.continuation_status,
        blocker_policy: &readiness.blocker_policy,
        docx_integrity: &readiness.docx_integrity,
        run_timeline: &generated.run_timeline,
        board_revision: Some(&generated.board_revision),
        item_counts: Some(json!({
            "pending": counts.pending,
            "in_progress": counts.in_progress,
            "selected": counts.selected,
            "excluded": counts.excluded,
        })),
        content_hash: Some(generated.content_hash()),
        checkpoint: generated.checkpoint,
        generated_at: Some(generated.generated_at),
    })
}

/// The same keys for a generation that ran out of time: degraded, and null wherever the board would have to be known.
pub fn fallback(fallback: &Fallback, wire_content: &str) -> Value {
    json!(Envelope {
        project_id: &fallback.project_id,
        mode: fallback::MODE,
        content: wire_content,
        amended: false,
        degraded: true,
        retrievable_via_load_handoff: super::mode::is_retrievable(fallback::MODE),
        scope: scope(
            fallback.requested_version.as_deref(),
            fallback.effective_version.as_deref(),
            fallback.session_id.as_deref(),
        ),
        selected_scope: None,
        force_include_rejected: Vec::new(),
        capability_contract: fallback.capability_contract.as_ref(),
        profile_binding: project_tags::profile_binding(),
        handoff_evidence_status: &fallback.evidence_status,
        continuation_status: &None,
        blocker_policy: &None,
        docx_integrity: &None,
        run_timeline: &None,
        board_revision: None,
        item_counts: None,
        content_hash: None,
        checkpoint: fallback.checkpoint,
        generated_at: None,
    })
}

fn scope(requested: Option<&str>, effective: Option<&str>, session_id: Option<&str>) -> Value {
    json!({
        "requested_version": requested,
        "effective_version": effective,
        "session_id": session_id,
    })
}
