//! Taking an item, finishing it, giving it back. A refusal is an answer, not an error.

use handoff_contract::board::claim::{self, Refusal};
use handoff_contract::board::{Board, Item, Status};
use pgrx::prelude::*;
use serde_json::{Value, json};

use super::board::plan;
use crate::access::{Actor, invalid, required};
use crate::error::{Result, must_write};
use crate::json;
use crate::store::board::{self, BoardSource, Found, Lock, Transition};
use crate::store::event::{self, Event};
use crate::store::spi::{Visibility, clock};
use crate::store::{project, session, snapshot};

#[pg_extern(volatile, parallel_unsafe)]
fn claim_sprint_item(
    project_id: Option<&str>,
    item_id: Option<&str>,
    session_id: default!(Option<&str>, "NULL"),
) -> json::Answer {
    json::call(|| {
        must_write(c"claim_sprint_item()")?;
        let item_id = required(item_id, "item_id")?;
        let desk = Desk::open(project_id, session_id)?;
        let outcome = match desk.source.lock_item(item_id, Lock::Wait)? {
            Found::Several => Err(claim::ambiguous(item_id)),
            Found::Item(item) => desk.take(item_id, Some(*item))?,
            Found::Nothing => desk.take(item_id, None)?,
        };
        Ok(answer("claimed", outcome))
    })
}

#[pg_extern(volatile, parallel_unsafe)]
fn claim_next_sprint_item(
    project_id: Option<&str>,
    session_id: default!(Option<&str>, "NULL"),
    version: default!(Option<&str>, "NULL"),
) -> json::Answer {
    json::call(|| {
        must_write(c"claim_next_sprint_item()")?;
        let desk = Desk::open(project_id, session_id)?;
        let board = snapshot::load_board(desk.project_id, desk.source.as_ref())?;
        let batch = plan(&board, version);
        for candidate in batch.waves.first().into_iter().flatten() {
            // Whoever holds the row is claiming it: the next one is as good.
            let found = desk
                .source
                .lock_item(&candidate.item_id, Lock::SkipLocked)?;
            let Found::Item(item) = found else { continue };
            if let Ok(item) = desk.take(&candidate.item_id, Some(*item))? {
                return Ok(answer("claimed", Ok(item)));
            }
        }
        Ok(json!({
            "claimed": false,
            "error": "NOTHING_CLAIMABLE",
            "reason": "No item of the batch is free to claim now.",
        }))
    })
}

#[pg_extern(volatile, parallel_unsafe)]
fn complete_sprint_item(
    project_id: Option<&str>,
    item_id: Option<&str>,
    session_id: default!(Option<&str>, "NULL"),
    status: default!(Option<&str>, "'done'"),
    note: default!(Option<&str>, "NULL"),
) -> json::Answer {
    json::call(|| {
        must_write(c"complete_sprint_item()")?;
        let item_id = required(item_id, "item_id")?;
        let status = terminal_status(required(status, "status")?)?;
        let desk = Desk::open(project_id, session_id)?;
        let outcome = desk.change(
            item_id,
            Transition::Complete {
                status: &status,
                note,
            },
            "item_completed",
            |item| claim::complete(item_id, item, &desk.actor.name, &status),
        )?;
        Ok(answer("completed", outcome))
    })
}

#[pg_extern(volatile, parallel_unsafe)]
fn release_sprint_item(
    project_id: Option<&str>,
    item_id: Option<&str>,
    session_id: default!(Option<&str>, "NULL"),
) -> json::Answer {
    json::call(|| {
        must_write(c"release_sprint_item()")?;
        let item_id = required(item_id, "item_id")?;
        let desk = Desk::open(project_id, session_id)?;
        let outcome = desk.change(item_id, Transition::Release, "item_released", |item| {
            claim::release(item_id, item, &desk.actor.name)
        })?;
        Ok(answer("released", outcome))
    })
}

/// An item as it is now, or why not.
type Outcome = std::result::Result<Item, Refusal>;

/// One actor before the board of one project.
struct Desk<'a> {
    project_id: &'a str,
    source: Box<dyn BoardSource + 'a>,
    actor: Actor<'a>,
}

impl<'a> Desk<'a> {
    fn open(project_id: Option<&'a str>, session_id: Option<&'a str>) -> Result<Self> {
        let project_id = required(project_id, "project_id")?;
        project::enter(project_id)?;
        Ok(Self {
            project_id,
            source: board::source(project_id)?,
            actor: Actor::resolve(project_id, session_id)?,
        })
    }

    /// Passes a locked item through the gates and claims it. What the gates ask about is read now, not at the start of
    /// the statement, since the lock may have been waited for.
    fn take(&self, item_id: &str, item: Option<Item>) -> Result<Outcome> {
        let holder_ended = match item.as_ref().and_then(|item| item.claimed_by.as_deref()) {
            Some(holder) => session::has_ended(self.project_id, holder)?,
            None => false,
        };
        let board = self.surroundings(item)?;
        if let Err(refusal) = claim::claim(item_id, &board, holder_ended, clock()) {
            return Ok(Err(refusal));
        }
        let by = &self.actor.name;
        match board.get(item_id) {
            Some(item) => self
                .write(item, Transition::Claim { by }, "item_claimed")
                .map(Ok),
            None => Ok(Err(claim::ambiguous(item_id))),
        }
    }

    /// Locks an item, asks `decide` whether it may change, and changes it; `Ok(false)` decides that nothing is left to
    /// write.
    fn change(
        &self,
        item_id: &str,
        transition: Transition<'_>,
        event_type: &'static str,
        decide: impl FnOnce(Option<&Item>) -> std::result::Result<bool, Refusal>,
    ) -> Result<Outcome> {
        let item = match self.source.lock_item(item_id, Lock::Wait)? {
            Found::Several => return Ok(Err(claim::ambiguous(item_id))),
            Found::Item(item) => Some(self.with_holder(*item)),
            Found::Nothing => None,
        };
        match (decide(item.as_ref()), item) {
            (Err(refusal), _) => Ok(Err(refusal)),
            (Ok(true), Some(item)) => self.write(&item, transition, event_type).map(Ok),
            (Ok(_), Some(item)) => Ok(Ok(item)),
            (Ok(_), None) => Ok(Err(claim::not_found(item_id))),
        }
    }

    /// A relation without a column for the holder cannot tell whose work an item in progress is.
    fn with_holder(&self, mut item: Item) -> Item {
        if !self.source.keeps_holder() && item.status == Status::InProgress {
            item.claimed_by = Some(self.actor.name.clone());
        }
        item
    }

    fn write(
        &self,
        item: &Item,
        transition: Transition<'_>,
        event_type: &'static str,
    ) -> Result<Item> {
        let item = self
            .actor
            .write(|| self.source.transition(item, transition))?;
        event::record(
            self.project_id,
            Event {
                event_type,
                session_id: self.actor.session_id,
                actor: Some(&self.actor.name),
                item_id: Some(&item.item_id),
                outcome: Some(item.status.as_str()),
                ..Event::default()
            },
        )?;
        Ok(item)
    }

    /// The part of the board that the gates of one item look at.
    fn surroundings(&self, item: Option<Item>) -> Result<Board> {
        let Some(item) = item else {
            return Ok(Board::default());
        };
        let visibility = Visibility::Fresh;
        let own_id = std::slice::from_ref(&item.item_id);
        let pointers = board::pointers(self.project_id, Some(own_id), visibility)?;
        let gates = match item.wave {
            Some(_) => board::gates(self.project_id, visibility)?,
            None => Vec::new(),
        };
        let mut items = match item.depends_on.as_slice() {
            [] => Vec::new(),
            ids => self.source.items_by_id(ids, visibility)?,
        };
        items.retain(|predecessor| predecessor.item_id != item.item_id);
        // Where several rows go by the id of a predecessor, the one that is not finished decides.
        items.sort_by_key(|predecessor| !predecessor.status.is_terminal());
        items.push(item);
        Ok(Board::new(items, pointers, gates))
    }
}

fn answer(verb: &'static str, outcome: Outcome) -> Value {
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
