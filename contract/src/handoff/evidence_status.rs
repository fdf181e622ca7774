//! What was done for the evidence behind a handoff, and the gate of a caller who wants none of it to be weak.
//!
//! Source: The Per-Mode Handoff Envelope Contract, "The envelope fields" (pointer policy/budget).

use serde_json::{Value, json};

use crate::board::{Batch, Board, Pointer};
use crate::{ContractError, ErrorCode};

/// `handoff_evidence_status`: what was done for the evidence behind this handoff, under five fixed names.
pub fn evidence_status(board: &Board, batch: &Batch<'_>) -> Value {
    let pointers: Vec<&Pointer> = batch
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
        "graph_search_availability": no_graph_search(),
    })
}

/// The same of a handoff whose reads ran out of time: what rests on them was not done.
pub fn unread() -> Value {
    let late = || {
        status(
            "failed",
            "The board was not read within the time that a generation has.",
            Some("north star and pinned decisions alone"),
        )
    };
    json!({
        "code_pointer_enrichment": late(),
        "resolved_pointer_annotation": late(),
        "freshness_requery": late(),
        "wave_gate_exclusion": late(),
        "graph_search_availability": no_graph_search(),
    })
}

fn no_graph_search() -> Value {
    status(
        "skipped",
        "No graph search takes part in a generation.",
        None,
    )
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

/// Refuses a handoff of which any evidence failed or is degraded; what was skipped on purpose is no weakness.
///
/// Error: MH004 with `{evidence_status, evidence_errors: [{code, capability, status, reason}]}`.
pub fn require_sound(evidence_status: &Value) -> Result<(), ContractError> {
    let errors: Vec<Value> = evidence_status
        .as_object()
        .into_iter()
        .flatten()
        .filter_map(|(capability, evidence)| {
            let status = evidence["status"].as_str()?;
            matches!(status, "failed" | "degraded").then(|| {
                json!({
                    "code": format!("{capability}_{status}").to_uppercase(),
                    "capability": capability,
                    "status": status,
                    "reason": evidence["reason"],
                })
            })
        })
        .collect();
    if errors.is_empty() {
        return Ok(());
    }
    let codes: Vec<&str> = errors
        .iter()
        .filter_map(|error| error["code"].as_str())
        .collect();
    Err(ContractError::new(
        ErrorCode::EvidenceBlocked,
        format!("the evidence behind this handoff is weak: {}", codes.join(", ")),
        "Mend what DETAIL names, or generate without strict_evidence and read handoff_evidence_status.",
    )
    .with_detail(json!({ "evidence_status": evidence_status, "evidence_errors": errors })))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skipped_evidence_is_sound() {
        let evidence = json!({
            "graph_search_availability": status("skipped", "none", None),
            "freshness_requery": status("verified", "one snapshot", None),
        });
        assert_eq!(require_sound(&evidence), Ok(()));
    }

    #[test]
    fn failed_and_degraded_evidence_is_named() {
        let evidence = json!({
            "wave_gate_exclusion": status("failed", "no gates", None),
            "freshness_requery": status("degraded", "late", None),
        });
        let error = require_sound(&evidence).unwrap_err();
        assert_eq!(error.code.sqlstate(), "MH004");
        assert!(
            error
                .message
                .ends_with("is weak: WAVE_GATE_EXCLUSION_FAILED, FRESHNESS_REQUERY_DEGRADED")
        );
        let detail = *error.detail.unwrap();
        assert_eq!(
            detail["evidence_errors"],
            json!([
                {"code": "WAVE_GATE_EXCLUSION_FAILED", "capability": "wave_gate_exclusion", "status": "failed", "reason": "no gates"},
                {"code": "FRESHNESS_REQUERY_DEGRADED", "capability": "freshness_requery", "status": "degraded", "reason": "late"},
            ])
        );
    }
}
