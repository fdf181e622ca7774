//! Taking an item, finishing it, giving it back. A refusal is an answer, not an error.

use handoff_contract::board::claim::{self, Refusal};
use handoff_contract::board::{Board, Item, Status};
use pgrx::JsonB;
use pgrx::prelude::*;
use serde_json::{Value, json};

use super::board::plan;
use crate::access::{Actor, call, invalid, required};
use crate::error::{Result, must_write};
use crate::store::board::{self, BoardSource, Lock, Transition};
use crate::store::event::{self, Event};
use crate::store::spi::{Visibility, clock};
use crate::store::{project, session, snapshot};

#[pg_extern(volatile, parallel_unsafe)]
fn claim_sprint_item(
    project_id: Option<&str>,
    item_id: Option<&str>,
    session_id: default!(Option<&str>, "NULL"),
) -> JsonB {
    call(|| {
        must_write(c"claim_sprint_item()")?;
        let project_id = required(project_id, "project_id")?;
        let item_id = required(item_id, "item_id")?;
        project::enter(project_id)?;
        let actor = Actor::resolve(project_id, session_id)?;
        let item = board::source(project_id).lock_item(item_id, Lock::Wait)?;
        Ok(JsonB(match take(project_id, item_id, item, &actor)? {
            Ok(item) => json!({ "claimed": true, "item": claim::item_json(&item) }),
            Err(refusal) => refusal.to_json("claimed"),
        }))
    })
}

#[pg_extern(volatile, parallel_unsafe)]
fn claim_next_sprint_item(
    project_id: Option<&str>,
    session_id: default!(Option<&str>, "NULL"),
    version: default!(Option<&str>, "NULL"),
) -> JsonB {
    call(|| {
        must_write(c"claim_next_sprint_item()")?;
        let project_id = required(project_id, "project_id")?;
        project::enter(project_id)?;
        let actor = Actor::resolve(project_id, session_id)?;
        let board = snapshot::load_board(project_id)?;
        let batch = plan(&board, version);
        for candidate in batch.waves.first().into_iter().flatten() {
            // Whoever holds the row is claiming it: the next one is as good.
            let Some(item) =
                board::source(project_id).lock_item(&candidate.item_id, Lock::SkipLocked)?
            else {
                continue;
            };
            if let Ok(item) = take(project_id, &candidate.item_id, Some(item), &actor)? {
                return Ok(JsonB(
                    json!({ "claimed": true, "item": claim::item_json(&item) }),
                ));
            }
        }
        Ok(JsonB(json!({
            "claimed": false,
            "error": "NOTHING_CLAIMABLE",
            "reason": "No item of the batch is free to claim now.",
        })))
    })
}

#[pg_extern(volatile, parallel_unsafe)]
fn complete_sprint_item(
    project_id: Option<&str>,
    item_id: Option<&str>,
    session_id: default!(Option<&str>, "NULL"),
    status: default!(Option<&str>, "'done'"),
    note: default!(Option<&str>, "NULL"),
) -> JsonB {
    call(|| {
        must_write(c"complete_sprint_item()")?;
        let project_id = required(project_id, "project_id")?;
        let item_id = required(item_id, "item_id")?;
        let status = terminal_status(required(status, "status")?)?;
        project::enter(project_id)?;
        let actor = Actor::resolve(project_id, session_id)?;
        let item = board::source(project_id).lock_item(item_id, Lock::Wait)?;
        let decision = claim::complete(item_id, item.as_ref(), &actor.name, &status);
        let transition = Transition::Complete {
            status: &status,
            note,
        };
        let outcome = carry_out(
            project_id,
            item_id,
            item,
            decision,
            transition,
            &actor,
            "item_completed",
        )?;
        Ok(JsonB(outcome_json("completed", outcome)))
    })
}

#[pg_extern(volatile, parallel_unsafe)]
fn release_sprint_item(
    project_id: Option<&str>,
    item_id: Option<&str>,
    session_id: default!(Option<&str>, "NULL"),
) -> JsonB {
    call(|| {
        must_write(c"release_sprint_item()")?;
        let project_id = required(project_id, "project_id")?;
        let item_id = required(item_id, "item_id")?;
        project::enter(project_id)?;
        let actor = Actor::resolve(project_id, session_id)?;
        let item = board::source(project_id).lock_item(item_id, Lock::Wait)?;
        let decision = claim::release(item_id, item.as_ref(), &actor.name);
        let outcome = carry_out(
            project_id,
            item_id,
            item,
            decision,
            Transition::Release,
            &actor,
            "item_released",
        )?;
        Ok(JsonB(outcome_json("released", outcome)))
    })
}

/// Passes a locked item through the gates and claims it. What the gates ask about is read now, not at the start of the
/// statement, since the lock may have been waited for.
fn take(
    project_id: &str,
    item_id: &str,
    item: Option<Item>,
    actor: &Actor<'_>,
) -> Result<std::result::Result<Item, Refusal>> {
    let source = board::source(project_id);
    let holder_ended = match item.as_ref().and_then(|item| item.claimed_by.as_deref()) {
        Some(holder) => session::has_ended(project_id, holder)?,
        None => false,
    };
    let board = surroundings(project_id, item)?;
    if let Err(refusal) = claim::claim(item_id, &board, holder_ended, clock()) {
        return Ok(Err(refusal));
    }
    let item = actor.write(|| source.transition(item_id, Transition::Claim { by: &actor.name }))?;
    record(project_id, item_id, actor, "item_claimed", &item)?;
    Ok(Ok(item))
}

/// The part of the board that the gates of one item look at.
fn surroundings(project_id: &str, item: Option<Item>) -> Result<Board> {
    let Some(item) = item else {
        return Ok(Board::default());
    };
    let visibility = Visibility::Fresh;
    let pointers = board::pointers(
        project_id,
        Some(std::slice::from_ref(&item.item_id)),
        visibility,
    )?;
    let gates = match item.wave {
        Some(_) => board::gates(project_id, visibility)?,
        None => Vec::new(),
    };
    let mut items = match item.depends_on.as_slice() {
        [] => Vec::new(),
        ids => board::source(project_id).items_by_id(ids, visibility)?,
    };
    items.retain(|predecessor| predecessor.item_id != item.item_id);
    items.push(item);
    Ok(Board::new(items, pointers, gates))
}

/// Writes what was decided over a locked item; `Ok(false)` decided that nothing is left to write.
fn carry_out(
    project_id: &str,
    item_id: &str,
    item: Option<Item>,
    decision: std::result::Result<bool, Refusal>,
    transition: Transition<'_>,
    actor: &Actor<'_>,
    event_type: &'static str,
) -> Result<std::result::Result<Item, Refusal>> {
    match (decision, item) {
        (Err(refusal), _) => Ok(Err(refusal)),
        (Ok(false), Some(item)) => Ok(Ok(item)),
        _ => {
            let item = actor.write(|| board::source(project_id).transition(item_id, transition))?;
            record(project_id, item_id, actor, event_type, &item)?;
            Ok(Ok(item))
        }
    }
}

fn record(
    project_id: &str,
    item_id: &str,
    actor: &Actor<'_>,
    event_type: &'static str,
    item: &Item,
) -> Result<()> {
    event::record(
        project_id,
        Event {
            event_type,
            session_id: actor.session_id,
            actor: Some(&actor.name),
            item_id: Some(item_id),
            outcome: Some(item.status.as_str()),
            ..Event::default()
        },
    )
}

fn outcome_json(verb: &'static str, outcome: std::result::Result<Item, Refusal>) -> Value {
    match outcome {
        Ok(item) => json!({ verb: true, "item": claim::item_json(&item) }),
        Err(refusal) => refusal.to_json(verb),
    }
}

fn terminal_status(status: &str) -> Result<Status> {
    let parsed = Status::parse(Some(status));
    if parsed.is_terminal() {
        return Ok(parsed);
    }
    Err(invalid(
        format!("an item cannot be completed as \"{status}\""),
        "The status is one of done, failed, skipped, pushed.",
    ))
}
