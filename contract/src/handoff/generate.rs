//! One generation from its snapshot to its content: what is decided for every mode before any of them writes a line.
//!
//! Mode, version, selection, stale references, batch, scope and counts are settled here, in this order, and each
//! refusal comes before anything is rendered. Renderers lay out what [`Prepared`] holds; minting, storing and the cut
//! for the wire are the caller's.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::readiness::Readiness;
use super::{Mode, Request, Snapshot, evidence_status, render};
use crate::board::selection::{self, Rejection, SelectedScope, Selection};
use crate::board::{Batch, BatchRequest, Exclusion, Status, revision, stale};
use crate::goal::block::{Attachments, Subject};
use crate::goal::capped::ITEM_CAP;
use crate::goal::clauses::Clauses;
use crate::goal::executor_config::ExecutorConfig;
use crate::goal::proposal_scope::{ProposalScope, ScopeInput};
use crate::goal::{hitl, token};
use crate::text::json::sha256_hex;
use crate::{ContractError, ErrorCode, Timestamp};

/// Numbers of items in the effective scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ItemCounts {
    /// Pending before any filter.
    pub pending: usize,
    /// Being worked on in the version of the scope; a selection holds pending items only and does not narrow this.
    pub in_progress: usize,
    /// Handed out.
    pub selected: usize,
    /// Removed by a filter.
    pub excluded: usize,
}

/// Everything that is decided before a renderer runs.
#[derive(Debug)]
pub struct Prepared<'a> {
    pub mode: Mode,
    pub requested_version: Option<&'a str>,
    pub force_include_rejected: Vec<Rejection>,
    pub counts: ItemCounts,
    /// Of the live board in the version of the scope.
    pub board_revision: String,
    pub subject: Subject<'a>,
}

/// A finished handoff without its token: what is stored, hashed and answered.
#[derive(Debug, Clone)]
pub struct Generated {
    pub mode: Mode,
    /// Without token and banner: what is hashed and stored.
    pub content: String,
    /// The part of the content that a token is minted for; in mode goal, all of it.
    pub block: Option<String>,
    pub project_id: String,
    pub session_id: Option<String>,
    pub requested_version: Option<String>,
    pub effective_version: Option<String>,
    pub selected_scope: Option<SelectedScope>,
    pub force_include_rejected: Vec<Rejection>,
    pub evidence_status: Value,
    pub readiness: Readiness,
    pub counts: ItemCounts,
    pub board_revision: String,
    pub checkpoint: bool,
    pub generated_at: Timestamp,
}

/// `foreign_ids`: which ids of the request exist in another project that the caller can see.
///
/// Errors: an unknown mode (22023) or one without a renderer (0A000), a selection that cannot be handed out (MH002),
/// a predecessor that is gone (MH006), a selection of which nothing is left (MH003).
pub fn generate(
    snapshot: &Snapshot,
    request: &Request,
    foreign_ids: &BTreeSet<String>,
) -> Result<Generated, ContractError> {
    let prepared = Prepared::decide(snapshot, request, foreign_ids)?;
    let evidence = evidence_status::evidence_status(&prepared.subject);
    if request.strict_evidence {
        evidence_status::require_sound(&evidence)?;
    }
    let (content, block) = match prepared.mode {
        Mode::Goal => {
            let block = render::goal::render(&prepared.subject, &Attachments::default());
            (block.clone(), Some(block))
        }
        mode => return Err(not_available(mode)),
    };
    Ok(prepared.into_generated(content, block, evidence, request.checkpoint))
}

impl<'a> Prepared<'a> {
    pub fn decide(
        snapshot: &'a Snapshot,
        request: &'a Request,
        foreign_ids: &BTreeSet<String>,
    ) -> Result<Self, ContractError> {
        let mode = resolve_mode(snapshot, request)?;
        let board = &snapshot.board;
        let requested_version = non_blank(request.version.as_deref());
        let session_version = snapshot
            .session
            .as_ref()
            .and_then(|session| session.version.as_deref());
        let version = requested_version.or(non_blank(session_version));

        let selection = select(snapshot, request, version, foreign_ids)?;
        let closure = selection.as_ref().map(|selection| &selection.closure);
        refuse_stale_references(snapshot, version, closure)?;
        let (force_include, force_include_rejected) =
            selection::force_include(board, &request.force_include_ids, version, foreign_ids);
        let batch = Batch::plan(
            board,
            &BatchRequest {
                version,
                closure,
                force_include: &force_include,
                now: snapshot.now,
                strict_pointer_evidence: request.strict_pointer_evidence,
            },
        );
        let selected_scope = selection.map(|selection| SelectedScope::outcome(selection, &batch));
        refuse_empty_selection(selected_scope.as_ref())?;

        let in_progress = board
            .scoped(version)
            .filter(|item| item.status == Status::InProgress)
            .count();
        Ok(Self {
            mode,
            requested_version,
            force_include_rejected,
            counts: ItemCounts {
                pending: batch.candidates.len(),
                in_progress,
                selected: batch.claimable.len(),
                excluded: batch.excluded.len(),
            },
            board_revision: revision::of_items(board.scoped(version)),
            subject: subject(
                snapshot,
                version,
                batch,
                selected_scope,
                item_cap(mode, request.checkpoint),
            ),
        })
    }

    fn into_generated(
        self,
        content: String,
        block: Option<String>,
        evidence_status: Value,
        checkpoint: bool,
    ) -> Generated {
        let snapshot = self.subject.snapshot;
        Generated {
            mode: self.mode,
            content,
            block,
            project_id: snapshot.project.project_id.clone(),
            session_id: snapshot
                .session
                .as_ref()
                .map(|session| session.session_id.clone()),
            requested_version: self.requested_version.map(str::to_owned),
            effective_version: self.subject.version.map(str::to_owned),
            evidence_status,
            readiness: self.subject.readiness,
            selected_scope: self.subject.selected_scope,
            force_include_rejected: self.force_include_rejected,
            counts: self.counts,
            board_revision: self.board_revision,
            checkpoint,
            generated_at: snapshot.now,
        }
    }
}

impl Generated {
    /// 64 hex characters over the content as stored.
    pub fn content_hash(&self) -> String {
        sha256_hex(self.content.as_bytes())
    }

    /// The content with the token and its banner inside the block.
    pub fn with_token(&self, token: &str) -> String {
        match &self.block {
            Some(block) => self
                .content
                .replacen(block.as_str(), &token::embed(block, token), 1),
            None => self.content.clone(),
        }
    }
}

fn resolve_mode(snapshot: &Snapshot, request: &Request) -> Result<Mode, ContractError> {
    let session = snapshot.session.as_ref();
    Mode::resolve(
        request.requested_mode.as_deref(),
        session.is_some_and(|session| session.resumed),
        session.and_then(|session| session.role.as_deref()),
    )
}

fn not_available(mode: Mode) -> ContractError {
    ContractError::new(
        ErrorCode::NotSupported,
        format!("mode {} is not available in this version", mode.as_str()),
        "Pass mode 'goal'.",
    )
}

fn non_blank(text: Option<&str>) -> Option<&str> {
    text.filter(|text| !text.trim().is_empty())
}

/// No ids, no selection.
fn select(
    snapshot: &Snapshot,
    request: &Request,
    version: Option<&str>,
    foreign_ids: &BTreeSet<String>,
) -> Result<Option<Selection>, ContractError> {
    if request.selected_item_ids.is_empty() {
        return Ok(None);
    }
    selection::select(&snapshot.board, &request.selected_item_ids, version, foreign_ids).map(Some).map_err(
        |rejections| {
            let rejected: Vec<Value> = rejections.iter().map(Rejection::to_json).collect();
            ContractError::new(
                ErrorCode::SelectionBlocked,
                format!("{} of the selected items cannot be handed out", rejected.len()),
                "Select pending items of this project and version only; the detail says what is wrong with which.",
            )
            .with_detail(json!({ "selection_rejected": rejected }))
        },
    )
}

fn refuse_stale_references(
    snapshot: &Snapshot,
    version: Option<&str>,
    closure: Option<&BTreeSet<String>>,
) -> Result<(), ContractError> {
    let stale = stale::stale_references(&snapshot.board, version, closure);
    if stale.is_empty() {
        return Ok(());
    }
    let references: Vec<Value> = stale.iter().map(stale::StaleReference::to_json).collect();
    Err(ContractError::new(
        ErrorCode::StaleReference,
        format!("{} dependencies point to items that are missing or merged away", references.len()),
        "Repair depends_on of the items in the detail: drop the id, or name the item it was merged into.",
    )
    .with_detail(json!({ "version": version, "stale_references": references })))
}

/// One executable item of those asked for is enough to go on.
fn refuse_empty_selection(scope: Option<&SelectedScope>) -> Result<(), ContractError> {
    let Some(scope) = scope.filter(|scope| scope.all_excluded()) else {
        return Ok(());
    };
    let excluded: Vec<Value> = scope
        .excluded_requested
        .iter()
        .map(exclusion_json)
        .collect();
    Err(ContractError::new(
        ErrorCode::ScopeNonExecutable,
        "none of the selected items can be claimed now",
        "Clear the reasons in the detail, or select other items.",
    )
    .with_detail(json!({
        "requested_ids": scope.selection.selected_item_ids,
        "excluded_requested": excluded,
    })))
}

fn exclusion_json(exclusion: &Exclusion) -> Value {
    json!({"id": exclusion.item_id, "reason": exclusion.reason.as_str()})
}

/// The small modes and every checkpoint show a bounded number of items a clause.
fn item_cap(mode: Mode, checkpoint: bool) -> Option<usize> {
    let small = checkpoint || matches!(mode, Mode::Goal | Mode::Starter | Mode::Compact);
    small.then_some(ITEM_CAP)
}

fn subject<'a>(
    snapshot: &'a Snapshot,
    version: Option<&'a str>,
    batch: Batch<'a>,
    selected_scope: Option<SelectedScope>,
    item_cap: Option<usize>,
) -> Subject<'a> {
    let clauses = Clauses::of(&batch, &snapshot.board, &snapshot.artifact_checks);
    let readiness = Readiness::of(snapshot, &batch, &clauses);
    let gates = hitl::in_scope(&snapshot.hitl_gates, &batch.candidates);
    let scope = ProposalScope::build(&ScopeInput {
        project_id: &snapshot.project.project_id,
        version,
        items: &batch.claimable,
        omitted: &batch.excluded,
        failed_capabilities: &[],
        contract_reasons: &readiness.executable_reasons(),
        open_gates: gates.len(),
        // A block without claimable items has no clauses that could be cut.
        truncated: !batch.claimable.is_empty() && clauses.is_truncated(item_cap),
    });
    Subject {
        snapshot,
        config: ExecutorConfig::read(&snapshot.project.settings),
        version,
        batch,
        selected_scope,
        gates,
        clauses,
        item_cap,
        scope,
        readiness,
    }
}
