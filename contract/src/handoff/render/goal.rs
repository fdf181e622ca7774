//! Mode `goal`: the block and nothing else.
//!
//! Source: The Handoff Contract, "The six modes".

use crate::goal::block::{self, Attachments, Layout, Subject};

const LAYOUT: Layout = Layout {
    bootstrap: true,
    pointer_lines: true,
    start_config: true,
    proposal_scope: true,
};

pub fn render(subject: &Subject<'_>, attachments: &Attachments) -> String {
    block::build(subject, LAYOUT, attachments)
}
