//! The body of a `full` handoff as somebody else laid it out: a text with `{{placeholders}}`.
//!
//! A placeholder is replaced by text and never evaluated; one that nobody knows stays as it is, and what is put in is
//! not looked through again. The template is text that people wrote, like any other: it opens no tag and starts no
//! block.

use super::Page;
use super::narrative::{self, TEXT_LIMIT};
use super::prose::{present, rows, words};
use crate::handoff::Snapshot;
use crate::handoff::context::Rows;
use crate::text::line::one_line;

const NOTHING: &str = "(none)";
const PENDING_CAP: usize = 100;

/// A project's own template wins over its tenant's; a blank one is none.
pub fn of(snapshot: &Snapshot) -> Option<&str> {
    let own = snapshot.project.settings["handoff_template"].as_str();
    present(own).or(present(snapshot.context.workspace_template.as_deref()))
}

pub fn fill(template: &str, page: &Page<'_>) -> String {
    let mut filled = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        filled.push_str(&inert(before));
        rest = match placeholder(after).and_then(|(name, rest)| Some((value(name, page)?, rest))) {
            Some((value, rest)) => {
                filled.push_str(&value);
                rest
            }
            None => {
                filled.push_str("{{");
                after
            }
        };
    }
    filled.push_str(&inert(rest));
    let lines: Vec<String> = filled.lines().map(without_command).collect();
    lines.join("\n").trim_matches('\n').to_owned()
}

/// The name between the braces, blanks around it aside, and what follows them.
fn placeholder(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = text.split_once("}}")?;
    Some((name.trim(), rest))
}

fn value(name: &str, page: &Page<'_>) -> Option<String> {
    let snapshot = page.snapshot();
    let project = &snapshot.project;
    let context = &snapshot.context;
    let needs = page.needs();
    Some(match name {
        "sprint" => text(project.sprint_focus.as_deref()),
        "north_star" => text(project.north_star.as_deref()),
        "version_goal" => text(project.version_goal.as_deref()),
        "recent_tasks" => list(&context.tasks, needs.tasks, narrative::task_line),
        "decisions" => list(
            &context.decisions,
            needs.decisions,
            narrative::decision_line,
        ),
        "notes" => list(&context.notes, needs.notes, narrative::note_line),
        "pending_items" => pending(page),
        _ => return None,
    })
}

fn text(text: Option<&str>) -> String {
    present(text).map_or_else(|| NOTHING.to_owned(), |text| words(text, TEXT_LIMIT))
}

fn list<T>(list: &Rows<T>, cap: usize, line: impl Fn(&T) -> String) -> String {
    if list.total == 0 {
        return NOTHING.to_owned();
    }
    rows(list, cap, line).join("\n")
}

fn pending(page: &Page<'_>) -> String {
    let batch = &page.prepared.subject.batch;
    let reasons = narrative::reasons(batch);
    let pending = Rows::from(batch.candidates.clone());
    list(&pending, PENDING_CAP, |item| {
        narrative::pending_line(item, &reasons)
    })
}

/// The template's own text with its line breaks and the blanks around its lines, and nothing in it that is markup.
fn inert(text: &str) -> String {
    let lines: Vec<String> = text
        .replace("\r\n", "\n")
        .split('\n')
        .map(inert_line)
        .collect();
    lines.join("\n")
}

fn inert_line(line: &str) -> String {
    let is_blank = |c: char| c == ' ' || c == '\t';
    let start = &line[..line.len() - line.trim_start_matches(is_blank).len()];
    let end = &line[start.len()..];
    let end = &end[end.trim_end_matches(is_blank).len()..];
    format!("{start}{}{end}", one_line(line))
}

/// At the start of a line a slash could be read as a command, and a code fence would swallow the block that follows.
/// Behind a backslash, Markdown shows both as they are.
fn without_command(line: &str) -> String {
    let text = line.trim_start();
    if ["/", "```", "~~~"]
        .iter()
        .any(|start| text.starts_with(start))
    {
        let blanks = &line[..line.len() - text.len()];
        format!("{blanks}\\{text}")
    } else {
        line.to_owned()
    }
}
