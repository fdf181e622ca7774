//! What holds for every project of the tenant. Mode `full` alone shows it.
//!
//! Source: The Per-Mode Handoff Envelope Contract, "Context classes allowed per mode".

use super::Page;
use super::narrative::{decision_line, note_line};
use super::prose::{rows, section};

pub fn sections(page: &Page<'_>) -> Vec<Vec<String>> {
    let context = &page.snapshot().context;
    let cap = page.needs().workspace;
    if context.workspace_decisions.total == 0 && context.workspace_notes.total == 0 {
        return Vec::new();
    }
    vec![
        vec!["## Workspace (applies to all projects)".to_owned()],
        section(
            "### Decisions",
            rows(&context.workspace_decisions, cap, decision_line),
        ),
        section("### Notes", rows(&context.workspace_notes, cap, note_line)),
    ]
}
