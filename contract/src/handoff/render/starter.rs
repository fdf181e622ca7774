//! Modes `starter` and `compact`: a look at what is done and what comes next, then the block.
//!
//! Source: The Handoff Contract, "The six modes".

use super::prose::{document, gist, section, words};
use super::{Page, Spec};
use crate::board::Item;
use crate::goal::block::Layout;
use crate::handoff::context::Task;
use crate::handoff::needs::Needs;

/// The newest tasks, among which problems are looked for.
const TASKS: usize = 20;
const PROBLEMS: usize = 3;
const PROBLEM_LIMIT: usize = 200;
const DONE: usize = 5;
const DONE_LIMIT: usize = 60;
const PENDING: usize = 3;
const PENDING_LIMIT: usize = 80;

pub static STARTER: Spec = spec("starter");
pub static COMPACT: Spec = spec("compact");

const fn spec(name: &'static str) -> Spec {
    Spec {
        name,
        retrievable: false,
        budget: 16_000,
        small: true,
        reports_continuation: false,
        needs: Needs {
            tasks: TASKS,
            ..Needs::BOARD
        },
        layout: Some(Layout {
            bootstrap: true,
            pointer_lines: false,
            start_config: false,
            research_evidence: false,
            proposal_scope: None,
        }),
        render,
    }
}

fn render(page: &Page<'_>) -> String {
    let project = &page.snapshot().project;
    let head = vec![
        format!(
            "# Meridian — {} ({})",
            words(&project.name, PENDING_LIMIT),
            words(&project.project_id, PENDING_LIMIT)
        ),
        format!("Done: {}", done(&page.prepared.view.finished)),
    ];
    document([
        head,
        pending(&page.prepared.subject.batch.waves),
        problems(&page.snapshot().context.tasks.rows),
        vec![page.block.to_owned()],
    ])
}

/// Titles of what was finished last, side by side.
fn done(finished: &[&Item]) -> String {
    if finished.is_empty() {
        return "(none)".to_owned();
    }
    let titles: Vec<String> = finished.iter().take(DONE).map(|item| short(item)).collect();
    match finished.len().saturating_sub(DONE) {
        0 => titles.join(", "),
        more => format!("{} (+{more} more)", titles.join(", ")),
    }
}

/// The title's first sentence; the id where there is none.
fn short(item: &Item) -> String {
    match gist(&item.title, DONE_LIMIT) {
        title if title.is_empty() => words(&item.item_id, DONE_LIMIT),
        title => title,
    }
}

/// What can be claimed at once comes first, then what waits for it.
fn pending(waves: &[Vec<&Item>]) -> Vec<String> {
    let claimable: Vec<&Item> = waves.iter().flatten().copied().collect();
    let heading = match claimable.len() {
        n if n > PENDING => {
            format!("# Pending (first {PENDING} of {n}, all of them in the block below)")
        }
        _ => "# Pending".to_owned(),
    };
    if claimable.is_empty() {
        return section(&heading, vec!["(none)".to_owned()]);
    }
    let top = claimable.iter().take(PENDING).enumerate();
    let lines = top.map(|(at, item)| {
        format!(
            "{}. [{}] {}",
            at + 1,
            words(&item.item_id, PENDING_LIMIT),
            words(&item.title, PENDING_LIMIT)
        )
    });
    section(&heading, lines.collect())
}

/// The newest tasks that tell of a problem. Nothing without any.
pub(super) fn problems(tasks: &[Task]) -> Vec<String> {
    let lines: Vec<String> = tasks
        .iter()
        .take(TASKS)
        .filter(|task| matches!(task.kind.as_str(), "blocked" | "found"))
        .take(PROBLEMS)
        .map(|task| {
            format!(
                "- [{}] {}",
                task.kind.to_uppercase(),
                words(&task.description, PROBLEM_LIMIT)
            )
        })
        .collect();
    if lines.is_empty() {
        return lines;
    }
    section("# Recent diagnostics", lines)
}
