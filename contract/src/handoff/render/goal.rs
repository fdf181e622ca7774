//! Mode `goal`: the block and nothing else.
//!
//! Source: The Handoff Contract, "The six modes".

use super::{Page, Spec};
use crate::goal::block::{Layout, ScopeForm};
use crate::handoff::needs::Needs;

pub static SPEC: Spec = Spec {
    name: "goal",
    retrievable: true,
    budget: 12_000,
    small: true,
    reports_continuation: false,
    needs: Needs::BOARD,
    layout: Some(Layout {
        bootstrap: true,
        pointer_lines: true,
        start_config: true,
        research_evidence: true,
        proposal_scope: Some(ScopeForm::Compact),
    }),
    render,
};

fn render(page: &Page<'_>) -> String {
    page.block.to_owned()
}
