//! Mode `full`: everything that a session needs which resumes from nothing, the workspace's decisions included.
//!
//! Source: The Handoff Contract, "The six modes".

use super::prose::{document, section};
use super::{Page, Spec, header, narrative, template, workspace};
use crate::goal::block::{Layout, ScopeForm};
use crate::handoff::needs::{ActivityScope, Needs};

pub static SPEC: Spec = Spec {
    name: "full",
    retrievable: true,
    budget: 300_000,
    small: false,
    reports_continuation: true,
    needs: Needs {
        decisions: 50,
        notes: 50,
        tasks: 20,
        sessions: 20,
        workspace: 10,
        template: true,
        activity: Some(ActivityScope::Project),
        ..Needs::BOARD
    },
    layout: Some(Layout {
        bootstrap: false,
        pointer_lines: false,
        start_config: false,
        research_evidence: true,
        proposal_scope: Some(ScopeForm::Full),
    }),
    render,
};

/// The block comes last: what a cut takes first is the end of the narrative before it.
fn render(page: &Page<'_>) -> String {
    let opening = [header::readiness(page)];
    let closing = [
        narrative::span(page.snapshot()),
        narrative::ai_summary(page),
        section("## Next goal", Vec::new()),
    ];
    let sections = opening
        .into_iter()
        .chain(workspace::sections(page))
        .chain([narrative::title("# Handoff", page), vec![body(page)]])
        .chain(closing)
        .chain([vec![page.block.to_owned()]]);
    document(sections)
}

/// The tenant's or project's own template, else the three layers.
fn body(page: &Page<'_>) -> String {
    match template::of(page.snapshot()) {
        Some(template) => template::fill(template, page),
        None => narrative::layers(page),
    }
}
