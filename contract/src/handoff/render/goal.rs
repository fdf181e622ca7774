//! Mode `goal`: the block and nothing else.
//!
//! Source: The Handoff Contract, "The six modes".

use crate::goal::block::{self, Attachments, Layout, ScopeForm, Subject};

const LAYOUT: Layout = Layout {
    bootstrap: true,
    pointer_lines: true,
    start_config: true,
    research_evidence: true,
    proposal_scope: Some(ScopeForm::Compact),
};

pub fn render(subject: &Subject<'_>, attachments: &Attachments) -> String {
    block::build(subject, LAYOUT, attachments)
}
