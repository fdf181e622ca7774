//! The readiness header: at one glance, whether a session can start from this.
//!
//! Source: The Handoff Contract, "Planner vs. executor modes".

use super::Page;
use super::prose::{TITLE_LIMIT, present, words};
use crate::Timestamp;
use crate::handoff::ArtifactCheck;

/// From how many days on a sprint focus is taken to be out of date, once the board has items.
const STALE_DAYS: i64 = 30;
const MICROS_PER_DAY: i64 = 86_400_000_000;
const ARTIFACT_CAP: usize = 5;

pub fn readiness(page: &Page<'_>) -> Vec<String> {
    let mut lines = vec![
        "=== HANDOFF READINESS ===".to_owned(),
        focus(page),
        pending(page),
    ];
    lines.push(decisions(page));
    lines.push(executable(page));
    lines.extend(artifacts(page));
    lines.push("=========================".to_owned());
    lines
}

fn focus(page: &Page<'_>) -> String {
    let project = &page.snapshot().project;
    let Some(focus) = present(project.sprint_focus.as_deref()) else {
        return "⚠ Sprint focus: none is set".to_owned();
    };
    let focus = words(focus, TITLE_LIMIT);
    let has_items = !page.prepared.view.by_status.is_empty();
    match age_in_days(project.sprint_focus_updated_at, page.snapshot().now) {
        Some(days) if days >= STALE_DAYS && has_items => {
            format!("⚠ Sprint focus (STALE: {days} days old, go by the items instead): {focus}")
        }
        _ => format!("Sprint focus: {focus}"),
    }
}

fn age_in_days(at: Option<Timestamp>, now: Timestamp) -> Option<i64> {
    Some(now.0.saturating_sub(at?.0) / MICROS_PER_DAY)
}

fn pending(page: &Page<'_>) -> String {
    let counts = &page.prepared.counts;
    match counts.pending {
        0 => "⚠ Pending items: none".to_owned(),
        pending => format!(
            "Pending items: {pending}, of which an executor can take {}",
            counts.selected
        ),
    }
}

fn decisions(page: &Page<'_>) -> String {
    match page.snapshot().context.decisions.total {
        0 => "⚠ Pinned decisions: none".to_owned(),
        total => format!("Pinned decisions: {total}"),
    }
}

/// What the proposal scope of the block says, here for modes without a block, too.
fn executable(page: &Page<'_>) -> String {
    let scope = &page.prepared.subject.scope;
    if scope.executable {
        return format!(
            "Executable: yes. Open questions to a human: {}",
            page.prepared.view.gates.len()
        );
    }
    let reasons = scope.executable_reasons.join(", ");
    format!(
        "⚠ Executable: no ({})",
        words(&reasons, super::prose::BODY_LIMIT)
    )
}

/// Checks on artifacts of the batch, or of no item, that failed or could not be made.
fn artifacts(page: &Page<'_>) -> Vec<String> {
    let unsound: Vec<&ArtifactCheck> = page
        .snapshot()
        .artifact_checks
        .iter()
        .filter(|check| check.status != "passed" && concerns(page, check))
        .collect();
    let mut lines: Vec<String> = unsound
        .iter()
        .take(ARTIFACT_CAP)
        .map(|check| artifact(page, check))
        .collect();
    if unsound.len() > ARTIFACT_CAP {
        lines.push(format!(
            "⚠ Artifacts: {} more, {} in all",
            unsound.len() - ARTIFACT_CAP,
            unsound.len()
        ));
    }
    lines
}

fn concerns(page: &Page<'_>, check: &ArtifactCheck) -> bool {
    let batch = &page.prepared.subject.batch;
    let item_id = check.item_id.as_deref();
    item_id.is_none_or(|id| batch.contains(id))
}

fn artifact(page: &Page<'_>, check: &ArtifactCheck) -> String {
    let blocking = check.status == "failed" && is_strict(page, check);
    let item = check
        .item_id
        .as_deref()
        .map(|id| format!(" (item {})", words(id, TITLE_LIMIT)));
    format!(
        "⚠ Artifact{}: {} of {} {}{}",
        if blocking { ", blocking" } else { "" },
        words(&check.check_name, TITLE_LIMIT),
        words(&check.path, TITLE_LIMIT),
        words(&check.status, TITLE_LIMIT),
        item.unwrap_or_default()
    )
}

fn is_strict(page: &Page<'_>, check: &ArtifactCheck) -> bool {
    let item = check
        .item_id
        .as_deref()
        .and_then(|id| page.snapshot().board.get(id));
    let policy = item.and_then(|item| item.artifact_policy.as_ref());
    policy.is_some_and(|policy| policy["artifact_pointer_check"] == "strict")
}
