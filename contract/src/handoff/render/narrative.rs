//! The three layers of a project's own story, shared by the modes that tell it: what holds throughout (L0), how things
//! stand (L1), and what led there (L2). Nothing of the workspace is in them.
//!
//! Source: The Handoff Contract, "Planner vs. executor modes".

use std::collections::HashMap;

use super::Page;
use super::prose::{
    BODY_LIMIT, TITLE_LIMIT, bullets, document, present, quoted, rows, section, words,
};
use crate::board::{Batch, Item, Priority};
use crate::goal::capped::ITEM_CAP;
use crate::handoff::context::{ActiveSession, Decision, Note, Task};
use crate::handoff::{HitlGate, Snapshot};

/// Code points of the texts that hold throughout, of one on a line, and of one with lines of its own.
pub const TEXT_LIMIT: usize = 2_000;
const INSTRUCTIONS_LIMIT: usize = 8_000;
const QUESTION_LIMIT: usize = 200;
/// How many items, questions or sessions a list shows where the mode is not a small one.
const LIST_CAP: usize = 100;

/// The first line, and when, in which mode and of which version it was written.
pub fn title(heading: &str, page: &Page<'_>) -> Vec<String> {
    let name = words(&page.snapshot().project.name, TITLE_LIMIT);
    let mut facts = vec![
        format!("Generated at {}", page.snapshot().now.to_the_second()),
        format!("mode {}", page.prepared.mode.as_str()),
    ];
    if let Some(version) = page.prepared.subject.version {
        facts.push(format!("version {}", words(version, TITLE_LIMIT)));
    }
    if page.prepared.request.checkpoint {
        facts.push("checkpoint".to_owned());
    }
    vec![
        format!("{heading} — {name}"),
        format!("_{}_", facts.join(" · ")),
    ]
}

pub fn l0(page: &Page<'_>) -> Vec<Vec<String>> {
    let snapshot = page.snapshot();
    let project = &snapshot.project;
    let mut sections = vec![
        vec!["## L0 · Core".to_owned()],
        section(
            "### North star",
            text_or(project.north_star.as_deref(), "(no north star set)"),
        ),
        section(
            "### Pinned decisions",
            rows(
                &snapshot.context.decisions,
                page.needs().decisions,
                decision_line,
            ),
        ),
    ];
    if let Some(instructions) = present(project.agent_instructions.as_deref()) {
        sections.push(section(
            "### Agent instructions",
            quoted(instructions, INSTRUCTIONS_LIMIT),
        ));
    }
    sections
}

pub fn l1(page: &Page<'_>) -> Vec<Vec<String>> {
    let snapshot = page.snapshot();
    let project = &snapshot.project;
    let view = &page.prepared.view;
    let batch = &page.prepared.subject.batch;
    let cap = list_cap(page);
    let reasons = reasons(batch);
    vec![
        vec!["## L1 · Current state".to_owned()],
        section(
            "### Version goal",
            text_or(project.version_goal.as_deref(), "(none)"),
        ),
        section(
            "### Sprint focus",
            text_or(project.sprint_focus.as_deref(), "(none)"),
        ),
        section(
            "### Items by status",
            bullets(&view.by_status, LIST_CAP, |(status, count)| {
                format!("{}: {count}", words(status, TITLE_LIMIT))
            }),
        ),
        section(
            "### In progress",
            bullets(&view.running, cap, |item| running_line(item)),
        ),
        section(
            "### Pending",
            bullets(&batch.candidates, cap, |item| pending_line(item, &reasons)),
        ),
        section("### Claimable batch", waves(batch, cap)),
        section(
            "### Open questions to a human",
            bullets(&view.gates, cap, |gate| gate_line(gate)),
        ),
        section(
            "### Active sessions",
            rows(
                &snapshot.context.sessions,
                page.needs().sessions,
                session_line,
            ),
        ),
    ]
}

pub fn l2(page: &Page<'_>) -> Vec<Vec<String>> {
    let context = &page.snapshot().context;
    vec![
        vec!["## L2 · History".to_owned()],
        section(
            "### Recent tasks",
            rows(&context.tasks, page.needs().tasks, task_line),
        ),
        section(
            "### Notes",
            rows(&context.notes, page.needs().notes, note_line),
        ),
        section(
            "### Done",
            bullets(&page.prepared.view.finished, ITEM_CAP, |item| {
                done_line(item)
            }),
        ),
    ]
}

/// The three layers as one text.
pub fn layers(page: &Page<'_>) -> String {
    document([l0(page), l1(page), l2(page)].into_iter().flatten())
}

/// From when to when and on how many days work was done. Nothing without any sign of it.
pub fn span(snapshot: &Snapshot) -> Vec<String> {
    let Some(activity) = snapshot.context.activity else {
        return Vec::new();
    };
    let minutes = activity.last.0.saturating_sub(activity.first.0) / 60_000_000;
    let lines = vec![
        format!("- First activity: {}", activity.first.to_the_second()),
        format!("- Last activity: {}", activity.last.to_the_second()),
        format!("- Elapsed: {} h {} min", minutes / 60, minutes % 60),
        format!("- Days with activity: {}", activity.distinct_days),
    ];
    section("## Session span", lines)
}

/// The caller's own words. Nothing without them.
pub fn ai_summary(page: &Page<'_>) -> Vec<String> {
    match present(page.prepared.request.ai_summary.as_deref()) {
        Some(summary) => section("## Summary by the caller", quoted(summary, usize::MAX)),
        None => Vec::new(),
    }
}

/// Why pending items are not handed out, by their ids.
pub fn reasons<'b>(batch: &'b Batch<'_>) -> HashMap<&'b str, &'static str> {
    let excluded = batch.excluded.iter();
    excluded
        .map(|exclusion| (exclusion.item_id.as_str(), exclusion.reason.as_str()))
        .collect()
}

/// `id [status] title`, with what sets the item apart.
pub fn pending_line(item: &Item, reasons: &HashMap<&str, &'static str>) -> String {
    let mut line = format!(
        "{} [{}] {}",
        words(&item.item_id, TITLE_LIMIT),
        words(item.status.as_str(), TITLE_LIMIT),
        words(&item.title, TITLE_LIMIT)
    );
    if item.priority != Priority::Normal {
        line.push_str(&format!(" ({})", item.priority.as_str()));
    }
    if let Some(reason) = reasons.get(item.item_id.as_str()) {
        line.push_str(&format!(" — left out: {reason}"));
    }
    line
}

pub fn running_line(item: &Item) -> String {
    let line = format!(
        "{} — {}",
        words(&item.item_id, TITLE_LIMIT),
        words(&item.title, TITLE_LIMIT)
    );
    match present(item.claimed_by.as_deref()) {
        Some(holder) => format!("{line} (claimed by {})", words(holder, TITLE_LIMIT)),
        None => line,
    }
}

pub fn decision_line(decision: &Decision) -> String {
    let category = present(decision.category.as_deref());
    let category = category.map(|category| format!(" ({})", words(category, TITLE_LIMIT)));
    titled(
        decision.priority,
        &decision.title,
        &category.unwrap_or_default(),
        &decision.body,
    )
}

pub fn note_line(note: &Note) -> String {
    let tags: Vec<String> = note
        .tags
        .iter()
        .map(|tag| words(tag, TITLE_LIMIT))
        .collect();
    let kind = words(&note.kind, TITLE_LIMIT);
    let about = match (kind.as_str(), tags.is_empty()) {
        ("" | "note", true) => String::new(),
        ("" | "note", false) => format!(" ({})", tags.join(", ")),
        (kind, true) => format!(" ({kind})"),
        (kind, false) => format!(" ({kind}: {})", tags.join(", ")),
    };
    titled(note.priority, &note.title, &about, &note.body)
}

pub fn task_line(task: &Task) -> String {
    format!(
        "{} [{}] {}",
        task.created_at.to_the_second(),
        words(&task.kind, TITLE_LIMIT),
        words(&task.description, BODY_LIMIT)
    )
}

/// `[urgent] **title** (about): body`, each part only where it says something.
fn titled(priority: Priority, title: &str, about: &str, body: &str) -> String {
    let flag = match priority {
        Priority::Urgent | Priority::High => format!("[{}] ", priority.as_str()),
        Priority::Normal | Priority::Low => String::new(),
    };
    let body = match words(body, BODY_LIMIT) {
        body if body.is_empty() => body,
        body => format!(": {body}"),
    };
    format!("{flag}**{}**{about}{body}", words(title, TITLE_LIMIT))
}

fn done_line(item: &Item) -> String {
    let at = item
        .completed_at
        .map(|at| format!(" ({})", at.to_the_second()));
    format!(
        "{} [{}] {}{}",
        words(&item.item_id, TITLE_LIMIT),
        item.status,
        words(&item.title, TITLE_LIMIT),
        at.unwrap_or_default()
    )
}

fn gate_line(gate: &HitlGate) -> String {
    let item = gate
        .item_id
        .as_deref()
        .map(|id| format!(" on {}", words(id, TITLE_LIMIT)));
    format!(
        "[{}] {}{}: {}",
        words(&gate.urgency, TITLE_LIMIT),
        words(&gate.gate_id, TITLE_LIMIT),
        item.unwrap_or_default(),
        words(&gate.question, QUESTION_LIMIT)
    )
}

fn session_line(session: &ActiveSession) -> String {
    let named = [
        ("name", &session.name),
        ("role", &session.role),
        ("version", &session.version),
    ];
    let facts: Vec<String> = named
        .into_iter()
        .filter_map(|(key, value)| {
            Some(format!(
                ", {key} {}",
                words(present(value.as_deref())?, TITLE_LIMIT)
            ))
        })
        .collect();
    format!(
        "{}{}, last seen {}",
        words(&session.session_id, TITLE_LIMIT),
        facts.concat(),
        session.last_seen.to_the_second()
    )
}

/// The batch wave by wave.
fn waves(batch: &Batch<'_>, cap: usize) -> Vec<String> {
    let waves: Vec<(usize, &Vec<&Item>)> = batch.waves.iter().enumerate().collect();
    bullets(&waves, cap, |(at, wave)| {
        let shown: Vec<String> = wave
            .iter()
            .take(cap)
            .map(|item| words(&item.item_id, TITLE_LIMIT))
            .collect();
        let more = match wave.len() - shown.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        format!("Wave {}: {}{more}", at + 1, shown.join(", "))
    })
}

fn list_cap(page: &Page<'_>) -> usize {
    page.prepared.subject.item_cap.unwrap_or(LIST_CAP)
}

fn text_or(text: Option<&str>, nothing: &str) -> Vec<String> {
    match present(text) {
        Some(text) => vec![format!("> {}", words(text, TEXT_LIMIT))],
        None => vec![nothing.to_owned()],
    }
}
