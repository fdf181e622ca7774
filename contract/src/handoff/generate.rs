//! One generation from its snapshot to its content: what is decided for every mode before any of them writes a line.
//!
//! Mode, version, selection, stale references, batch, scope, counts, evidence and continuation are settled here, in
//! this order, and each refusal comes before anything is rendered. Renderers lay out what [`Prepared`] holds; minting,
//! storing and the cut for the wire are the caller's.

use std::collections::BTreeSet;

use serde_json::Value;

use super::continuation::Continuation;
use super::generated::ItemCounts;
use super::readiness::Readiness;
use super::render::Page;
use super::view::View;
use super::{Mode, Request, Snapshot, evidence_status, refusal, timeline};
use crate::ContractError;
use crate::board::selection::{self, Rejection, SelectedScope};
use crate::board::stale::{self, StaleReference};
use crate::board::{Batch, BatchRequest, Status, revision};
use crate::goal::block::{self, Attachments, Subject};
use crate::goal::capped::ITEM_CAP;
use crate::goal::clauses::Clauses;
use crate::goal::directive::ExecutionMode;
use crate::goal::executor_config::ExecutorConfig;
use crate::goal::hitl;
use crate::goal::proposal_scope::{ProposalScope, ScopeInput};

pub use super::generated::Generated;

/// Everything that is decided before a renderer runs.
#[derive(Debug)]
pub struct Prepared<'a> {
    pub mode: Mode,
    pub request: &'a Request,
    pub requested_version: Option<&'a str>,
    pub force_include_rejected: Vec<Rejection>,
    pub counts: ItemCounts,
    /// Of the live board in the version of the scope.
    pub board_revision: String,
    pub evidence_status: Value,
    /// Of the version of the scope, whatever is selected.
    pub continuation: Continuation<'a>,
    /// Predecessors that are gone. A mode with a block is refused over them; others show them.
    pub stale_references: Vec<StaleReference>,
    pub view: View<'a>,
    pub subject: Subject<'a>,
}

/// A whole generation with nothing attached; see [`Prepared::decide`] and [`Prepared::render`].
pub fn generate(
    snapshot: &Snapshot,
    request: &Request,
    foreign_ids: &BTreeSet<String>,
) -> Result<Generated, ContractError> {
    Ok(Prepared::decide(snapshot, request, foreign_ids)?.render(&Attachments::default()))
}

impl<'a> Prepared<'a> {
    /// `foreign_ids`: which ids of the request exist in another project that the caller can see.
    ///
    /// Errors: an unknown mode (22023), a selection that cannot be handed out (MH002), a predecessor that is gone
    /// (MH006), a selection of which nothing is left (MH003), and for those who ask for strictness weak evidence
    /// (MH004) and unclaimed work (MH005).
    pub fn decide(
        snapshot: &'a Snapshot,
        request: &'a Request,
        foreign_ids: &BTreeSet<String>,
    ) -> Result<Self, ContractError> {
        let mode = request.mode(snapshot.session.as_ref())?;
        let board = &snapshot.board;
        let requested_version = non_blank(request.version.as_deref());
        let version = requested_version.or(session_version(snapshot));

        let selection = refusal::select(snapshot, request, version, foreign_ids)?;
        let closure = selection.as_ref().map(|selection| &selection.closure);
        let stale_references = stale::stale_references(board, version, closure);
        if mode.spec().layout.is_some() {
            refusal::stale_references(&stale_references, version)?;
        }
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
        let view = View::of(snapshot, version, closure);
        let selected_scope = selection.map(|selection| SelectedScope::outcome(selection, &batch));
        refusal::empty_selection(selected_scope.as_ref())?;

        let item_cap = item_cap(mode, request.checkpoint);
        let prepared = Self {
            mode,
            request,
            requested_version,
            force_include_rejected,
            counts: counts(snapshot, version, &batch),
            board_revision: revision::of_items(board.scoped(version)),
            evidence_status: evidence_status::evidence_status(board, &batch),
            continuation: Continuation::of(board.scoped(version), execution_mode(snapshot)),
            stale_references,
            view,
            subject: subject(snapshot, version, batch, selected_scope, item_cap),
        };
        prepared.require_what_is_strict()?;
        Ok(prepared)
    }

    /// What was read.
    pub fn snapshot(&self) -> &'a Snapshot {
        self.subject.snapshot
    }

    /// Writes the block, if the mode has one, and the content around it.
    pub fn render(self, attachments: &Attachments) -> Generated {
        let spec = self.mode.spec();
        let block = spec
            .layout
            .map(|layout| block::build(&self.subject, layout, attachments));
        let content = (spec.render)(&Page {
            prepared: &self,
            block: block.as_deref().unwrap_or_default(),
        });
        self.into_generated(content, block)
    }

    fn into_generated(self, content: String, block: Option<String>) -> Generated {
        let snapshot = self.snapshot();
        let Request {
            checkpoint,
            strict_continuation,
            ..
        } = *self.request;
        let reports = self.mode.spec().reports_continuation;
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
            selected_scope: self.subject.selected_scope,
            force_include_rejected: self.force_include_rejected,
            evidence_status: self.evidence_status,
            continuation_status: reports
                .then(|| self.continuation.to_json(checkpoint, strict_continuation)),
            run_timeline: timeline::of(snapshot),
            readiness: self.subject.readiness,
            counts: self.counts,
            board_revision: self.board_revision,
            checkpoint,
            generated_at: snapshot.now,
        }
    }

    fn require_what_is_strict(&self) -> Result<(), ContractError> {
        if self.request.strict_evidence {
            evidence_status::require_sound(&self.evidence_status)?;
        }
        let closes = self.mode.spec().reports_continuation && !self.request.checkpoint;
        if closes && self.request.strict_continuation {
            self.continuation
                .require_done(&self.snapshot().project.project_id)?;
        }
        Ok(())
    }
}

fn session_version(snapshot: &Snapshot) -> Option<&str> {
    let session = snapshot.session.as_ref()?;
    non_blank(session.version.as_deref())
}

fn execution_mode(snapshot: &Snapshot) -> ExecutionMode {
    ExecutionMode::parse(snapshot.project.execution_mode.as_deref())
}

fn non_blank(text: Option<&str>) -> Option<&str> {
    text.filter(|text| !text.trim().is_empty())
}

fn counts(snapshot: &Snapshot, version: Option<&str>, batch: &Batch<'_>) -> ItemCounts {
    let in_progress = snapshot
        .board
        .scoped(version)
        .filter(|item| item.status == Status::InProgress);
    ItemCounts {
        pending: batch.candidates.len(),
        in_progress: in_progress.count(),
        selected: batch.claimable.len(),
        excluded: batch.excluded.len(),
    }
}

/// The small modes and every checkpoint show a bounded number of items a clause.
fn item_cap(mode: Mode, checkpoint: bool) -> Option<usize> {
    let small = checkpoint || mode.spec().small;
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
