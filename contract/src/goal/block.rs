//! The order of a block's parts, from its first line to its end line.
//!
//! What a part says is written by its own module; what the block is about arrives decided, as a [`Subject`]. All that
//! counts for a receiver stands inside the block, so that the digest behind its token covers it.
//!
//! Source: The Handoff Contract, "Anatomy of a `/goal` block".

use std::collections::HashSet;

use super::clauses::Clauses;
use super::completion::Completion;
use super::directive::{self, ExecutionPolicy};
use super::executor_config::ExecutorConfig;
use super::items::{self, PointerLines};
use super::proposal_scope::ProposalScope;
use super::sprint_type::SprintType;
use super::{exclusions, first_step, hitl, project_tags, resources, token};
use crate::board::selection::{SelectedScope, Selection};
use crate::board::{Batch, Board};
use crate::handoff::readiness::Readiness;
use crate::handoff::{HitlGate, Snapshot};
use crate::text::xml::Element;

/// What a block speaks of: decided once, the same for every mode.
#[derive(Debug)]
pub struct Subject<'a> {
    pub snapshot: &'a Snapshot,
    pub config: ExecutorConfig,
    /// The effective version; `None` is every version.
    pub version: Option<&'a str>,
    pub batch: Batch<'a>,
    pub selected_scope: Option<SelectedScope>,
    /// Open gates that concern the scope.
    pub gates: Vec<&'a HitlGate>,
    pub clauses: Clauses,
    /// How many items a clause, an exclusion tag or the pointer lines show; `None` is all.
    pub item_cap: Option<usize>,
    pub scope: ProposalScope,
    /// What a receiver checks before it starts; the block shows what of it is in the way.
    pub readiness: Readiness,
}

/// What differs between the modes that hold a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// `<first_step>` tells how to open a session.
    pub bootstrap: bool,
    /// Under the items, where their code lies.
    pub pointer_lines: bool,
    pub start_config: bool,
    /// Evidence that the caller attaches.
    pub research_evidence: bool,
    /// `None`: the scope is not printed.
    pub proposal_scope: Option<ScopeForm>,
}

/// How much of the proposal scope is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScopeForm {
    /// Counts and what was left out.
    Compact,
    /// The wave labels and the open questions, too.
    Full,
}

/// Parts that only some handoffs have, each already rendered.
#[derive(Debug, Clone, Default)]
pub struct Attachments {
    pub manifest: Option<Element>,
    /// Markdown, escaped by its writer.
    pub research_evidence: Option<String>,
    pub release_transactions: Option<Element>,
}

/// The block without token and banner, and without a line break at its end.
pub fn build(subject: &Subject<'_>, layout: Layout, attachments: &Attachments) -> String {
    let writer = Writer::new(subject, layout);
    let parts = [
        writer.opening(),
        writer.work(),
        exclusions::lines(
            &subject.batch,
            writer.board,
            writer.project_id,
            subject.item_cap,
        ),
        attached(attachments, layout),
        writer.closing(),
    ];
    parts.concat().join("\n")
}

/// A subject with what several parts ask of it.
struct Writer<'s, 'a> {
    subject: &'s Subject<'a>,
    layout: Layout,
    project_id: &'a str,
    board: &'a Board,
    policy: ExecutionPolicy,
}

impl<'s, 'a> Writer<'s, 'a> {
    fn new(subject: &'s Subject<'a>, layout: Layout) -> Self {
        let project = &subject.snapshot.project;
        Self {
            subject,
            layout,
            project_id: &project.project_id,
            board: &subject.snapshot.board,
            policy: ExecutionPolicy::of(project),
        }
    }

    /// First line, directive, policy, profile, selection, first step.
    fn opening(&self) -> Vec<String> {
        let batch = &self.subject.batch;
        let first_line = if self.subject.config.loop_enabled {
            "/loop /goal"
        } else {
            "/goal"
        };
        let mut lines = vec![
            first_line.to_owned(),
            directive::element(self.policy.mode, !batch.claimable.is_empty()).to_string(),
            self.policy.element().to_string(),
            project_tags::profile_generation().to_string(),
        ];
        if let Some(scope) = &self.subject.selected_scope {
            lines.push(selected_item_scope(&scope.selection).to_string());
        }
        if self.layout.bootstrap || !batch.claimable.is_empty() {
            let session = self.subject.snapshot.session.as_ref();
            let human_id = session.and_then(|session| session.human_id.as_deref());
            let step = first_step::element(
                self.project_id,
                human_id,
                self.first_item(),
                self.layout.bootstrap,
            );
            lines.push(step.to_string());
        }
        lines
    }

    /// Items, how to tell that they are done, and what each of them needs. An empty batch has only criteria and stop.
    fn work(&self) -> Vec<String> {
        let Subject {
            batch,
            config,
            item_cap,
            clauses,
            ..
        } = self.subject;
        let completion = self.completion();
        let gates = hitl::lines(&self.subject.gates, self.project_id, *item_cap);
        if batch.claimable.is_empty() {
            let bounds = [completion.criteria(), completion.stop_conditions()];
            return gates
                .into_iter()
                .chain(bounds.iter().map(Element::to_string))
                .collect();
        }
        let pointers = self.layout.pointer_lines.then_some(PointerLines {
            project_id: self.project_id,
            cap: *item_cap,
        });
        let mut elements = vec![
            items::executor_item_ids(batch),
            items::sprint_items(batch, self.board, config, &self.policy, pointers),
        ];
        elements.extend(items::dependency_waves(batch));

        let mut bounds = vec![completion.criteria()];
        bounds.extend(completion.test_gate());
        bounds.extend(completion.not_done_until());
        bounds.push(completion.stop_conditions());
        bounds.push(completion.sprint_type.element());

        let mut lines = vec![String::new()];
        lines.extend(elements.iter().map(Element::to_string));
        lines.extend(gates);
        lines.extend(bounds.iter().map(Element::to_string));
        lines.extend(clauses.lines(self.project_id, *item_cap));
        lines.push(resources::plan_generation(batch, self.board).to_string());
        lines.extend(resources::contention_lines(
            batch,
            self.board,
            self.project_id,
            *item_cap,
        ));
        lines
    }

    fn completion(&self) -> Completion<'_> {
        let own = self.subject.snapshot.completion_criteria.as_deref();
        let criteria = own.filter(|criteria| !criteria.trim().is_empty());
        let sprint_type = match criteria {
            Some(_) => SprintType::General,
            None => SprintType::of(&self.subject.batch),
        };
        Completion {
            project_id: self.project_id,
            version: self.subject.version,
            config: &self.subject.config,
            sprint_type,
            criteria,
            first_item: self.first_item(),
        }
    }

    /// Of the first wave, so that it can be claimed at once, and without an open question where there is such a one.
    fn first_item(&self) -> Option<&'a str> {
        let gates = self.subject.gates.iter();
        let asked_about: HashSet<&str> = gates.filter_map(|gate| gate.item_id.as_deref()).collect();
        let ready = self.subject.batch.waves.first()?;
        let free = ready
            .iter()
            .find(|item| !asked_about.contains(item.item_id.as_str()));
        free.or(ready.first()).map(|item| item.item_id.as_str())
    }

    fn closing(&self) -> Vec<String> {
        let Subject {
            snapshot,
            version,
            config,
            scope,
            ..
        } = self.subject;
        let mut lines = Vec::new();
        if self.layout.start_config {
            lines.push(
                project_tags::project_start_config(&snapshot.project, *version, config).to_string(),
            );
        }
        let scope = self.layout.proposal_scope.map(|form| match form {
            ScopeForm::Compact => scope.compact_element(),
            ScopeForm::Full => {
                scope.full_element(&self.subject.batch.claimable, &self.subject.gates)
            }
        });
        lines.extend(scope.as_ref().map(Element::to_string));
        lines.push(token::END_LINE.to_owned());
        lines
    }
}

fn attached(attachments: &Attachments, layout: Layout) -> Vec<String> {
    let mut lines = Vec::new();
    lines.extend(attachments.manifest.as_ref().map(Element::to_string));
    let evidence = attachments.research_evidence.as_ref();
    if let Some(markdown) = evidence.filter(|_| layout.research_evidence) {
        lines.extend([String::new(), markdown.clone(), String::new()]);
    }
    lines.extend(
        attachments
            .release_transactions
            .as_ref()
            .map(Element::to_string),
    );
    lines
}

/// What was asked for, what that needs, and that nothing else is meant.
///
/// Source: The Per-Mode Handoff Envelope Contract, "`selected_scope`".
fn selected_item_scope(selection: &Selection) -> Element {
    let closure: Vec<&str> = selection.closure.iter().map(String::as_str).collect();
    let pulled_in = selection
        .closure
        .len()
        .saturating_sub(selection.selected_item_ids.len());
    Element::new("selected_item_scope")
        .attr("requested", selection.selected_item_ids.join(", "))
        .attr("closure", closure.join(", "))
        .attr("closure_hash", &selection.closure_hash)
        .line()
        .text(format!(
            "This handoff is about {} alone: {} asked for, and {pulled_in} pending that they depend on. Whatever else \
             is on the board is out of its scope.",
            closure.join(", "),
            selection.selected_item_ids.len(),
        ))
}
