//! What a receiver reads beside the content before it starts: the capability contract, the triage of blocked items,
//! and how sound the documents are.
//!
//! Here the three get their rows: the pending items of one scope, also those that a filter holds back, since what holds
//! an item back may pass. What they make of them is decided in [`crate::capability`] and [`super::docx_integrity`].
//! Only the contract has a say in whether a proposal can be executed.
//!
//! Source: The Per-Mode Handoff Envelope Contract, "The envelope fields".

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::Value;

use super::docx_integrity::{self, DocxInput};
use super::fallback::Tools;
use super::snapshot::Snapshot;
use crate::board::{Batch, BatchRequest, Item};
use crate::capability::availability::{self, Reports};
use crate::capability::blocker::{self, Decision, Signals};
use crate::capability::contract::{self, ContractInput, ItemClauses};
use crate::capability::manifest::Manifest;
use crate::goal::clauses::Clauses;
use crate::{ContractError, Timestamp};

#[derive(Debug, Clone, PartialEq)]
pub struct Readiness {
    pub capability_contract: Value,
    /// `None`: the project asks for a policy that does not exist.
    pub blocker_policy: Option<Value>,
    /// `None`: no document is in scope.
    pub docx_integrity: Option<Value>,
}

impl Readiness {
    /// A wrong setting does not keep a handoff from being made, so it shows as an absent triage;
    /// [`blocker_policy`] names it.
    pub fn of(snapshot: &Snapshot, batch: &Batch<'_>, clauses: &Clauses) -> Self {
        let items = &batch.candidates;
        Self {
            capability_contract: contract_of(snapshot, items, clauses),
            blocker_policy: triage(snapshot, items)
                .ok()
                .map(|decision| decision.to_json()),
            docx_integrity: docx_integrity::of(&DocxInput {
                project_id: &snapshot.project.project_id,
                board: &snapshot.board,
                checks: &snapshot.artifact_checks,
                items,
                generated_at: snapshot.now,
            }),
        }
    }

    /// Why the contract says that work cannot start; none if it can.
    pub fn executable_reasons(&self) -> Vec<&str> {
        let reasons = self.capability_contract["executable_reasons"].as_array();
        reasons
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect()
    }
}

/// The contract that a handoff over one version, or over all of them, would come with.
pub fn capability_contract(snapshot: &Snapshot, version: Option<&str>) -> Value {
    let batch = whole_batch(snapshot, version);
    let clauses = Clauses::of(&batch, &snapshot.board, &snapshot.artifact_checks);
    contract_of(snapshot, &batch.candidates, &clauses)
}

/// The triage of everything that is pending. Errors: 22023 for a policy that does not exist.
pub fn blocker_policy(snapshot: &Snapshot) -> Result<Value, ContractError> {
    let batch = whole_batch(snapshot, None);
    Ok(triage(snapshot, &batch.candidates)?.to_json())
}

/// The contract of an answer that does not know the board: it names the tools, and never says that work can start.
pub fn without_the_board(project_id: &str, tools: &Tools, now: Timestamp) -> Value {
    contract::build(&ContractInput {
        project_id,
        manifest: tools.manifest.as_ref(),
        reported: &tools.reported,
        items: &[],
        clauses: ItemClauses::default(),
        board_stale: true,
        generated_at: now,
    })
}

fn whole_batch<'a>(snapshot: &'a Snapshot, version: Option<&'a str>) -> Batch<'a> {
    Batch::plan(
        &snapshot.board,
        &BatchRequest {
            version,
            closure: None,
            force_include: &Default::default(),
            now: snapshot.now,
            strict_pointer_evidence: false,
        },
    )
}

fn contract_of(snapshot: &Snapshot, items: &[&Item], clauses: &Clauses) -> Value {
    contract::build(&ContractInput {
        project_id: &snapshot.project.project_id,
        manifest: snapshot.capability_manifest.as_ref(),
        reported: &snapshot.reported_tools,
        items,
        clauses: ItemClauses {
            tool_requirements: &clauses.entries("tool_requirements"),
            sprint_item_pointers: &clauses.entries("sprint_item_pointers"),
            artifact_pointer_findings: &clauses.entries("artifact_pointer_findings"),
        },
        // The rows of a snapshot are all there, and of one moment.
        board_stale: false,
        generated_at: snapshot.now,
    })
}

fn triage(snapshot: &Snapshot, items: &[&Item]) -> Result<Decision, ContractError> {
    let undeclared = Manifest::default();
    let manifest = snapshot.capability_manifest.as_ref().unwrap_or(&undeclared);
    let reports = Reports::of(&snapshot.reported_tools);
    let assessments = availability::assess(manifest, &reports);
    let signals: HashMap<&str, Signals> = items
        .iter()
        .map(|item| {
            let signals = Signals::of_rows(item, &snapshot.board, &reports, &assessments);
            (item.item_id.as_str(), signals)
        })
        .collect();
    let policy = policy_setting(&snapshot.project.settings["blocker_policy"]);
    blocker::decide(items, policy.as_deref(), &signals)
}

/// As text whatever its type, so that a wrong one is refused like a wrong word.
fn policy_setting(setting: &Value) -> Option<Cow<'_, str>> {
    match setting {
        Value::Null => None,
        Value::String(policy) => Some(policy.into()),
        other => Some(other.to_string().into()),
    }
}
