//! Mode `delta`: what changed since the session's last handoff, the state it can be checked against, and the next goal.
//!
//! The continuation manifest stands before the block, where a cut reaches it last.
//!
//! Source: The Handoff Contract, "Resuming a prior run vs. starting fresh".

use super::narrative::{self, running_line, span};
use super::prose::{TITLE_LIMIT, bullets, document, section, words};
use super::starter::problems;
use super::{Page, Spec};
use crate::board::{Item, Priority};
use crate::goal::block::{Layout, ScopeForm};
use crate::handoff::needs::{ActivityScope, Needs};
use crate::handoff::{continuation_manifest, timeline};
use crate::text::json::canonical_ascii;
use crate::text::xml::Element;

/// How many items each list shows.
const LIST_CAP: usize = 20;

pub static SPEC: Spec = Spec {
    name: "delta",
    retrievable: true,
    budget: 300_000,
    small: false,
    reports_continuation: true,
    needs: Needs {
        tasks: 20,
        since: true,
        activity: Some(ActivityScope::Session),
        revision_counter: true,
        ..Needs::BOARD
    },
    layout: Some(Layout {
        bootstrap: false,
        pointer_lines: false,
        start_config: true,
        research_evidence: true,
        proposal_scope: Some(ScopeForm::Full),
    }),
    render,
};

fn render(page: &Page<'_>) -> String {
    document([
        narrative::title("# Session update", page),
        running(page),
        completed(page),
        pending(page),
        problems(&page.snapshot().context.tasks.rows),
        vec![continuation_manifest::element(page).to_string()],
        vec!["Next:".to_owned(), page.block.to_owned()],
        run_timeline(page),
        span(page.snapshot()),
        narrative::ai_summary(page),
    ])
}

fn running(page: &Page<'_>) -> Vec<String> {
    let running = &page.prepared.view.running;
    if running.is_empty() {
        return Vec::new();
    }
    section(
        "Currently running:",
        bullets(running, LIST_CAP, |item| running_line(item)),
    )
}

/// Rows say what is finished; an item that is finished at a time that nobody recorded is counted apart.
fn completed(page: &Page<'_>) -> Vec<String> {
    let since = page.snapshot().context.since;
    let (finished, undated) = page.prepared.view.finished_since(since);
    let heading = match since {
        Some(since) => format!("Completed since {}:", since.to_the_second()),
        None => "Completed so far:".to_owned(),
    };
    let mut lines = bullets(&finished, LIST_CAP, |item| {
        format!(
            "{} [{}] {}",
            words(&item.item_id, TITLE_LIMIT),
            item.status,
            words(&item.title, TITLE_LIMIT)
        )
    });
    if undated > 0 {
        lines.push(format!(
            "- {undated} finished at a time that the board does not tell"
        ));
    }
    section(&heading, lines)
}

/// By priority, those that an executor cannot take with the reason.
fn pending(page: &Page<'_>) -> Vec<String> {
    let batch = &page.prepared.subject.batch;
    let reasons = narrative::reasons(batch);
    let mut lines = bullets(&batch.candidates, LIST_CAP, |item| {
        narrative::pending_line(item, &reasons)
    });
    let unseen = batch.candidates.get(LIST_CAP..).unwrap_or_default();
    if let (Some(last), Some(pressing)) = (lines.last_mut(), pressing(unseen)) {
        last.push_str(&pressing);
    }
    section("Pending:", lines)
}

/// ` (2 urgent, 1 high-priority)`, each only where there are any.
fn pressing(items: &[&Item]) -> Option<String> {
    let count = |priority| {
        items
            .iter()
            .filter(|item| item.priority == priority)
            .count()
    };
    let counts: Vec<String> = [
        (count(Priority::Urgent), "urgent"),
        (count(Priority::High), "high-priority"),
    ]
    .into_iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, name)| format!("{count} {name}"))
    .collect();
    (!counts.is_empty()).then(|| format!(" ({})", counts.join(", ")))
}

fn run_timeline(page: &Page<'_>) -> Vec<String> {
    let timeline = timeline::of_work(page.snapshot());
    let element = timeline.map(|timeline| {
        Element::new("run_timeline")
            .line()
            .text(canonical_ascii(&timeline))
            .line()
    });
    element.iter().map(Element::to_string).collect()
}
