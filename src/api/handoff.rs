//! Generating a handoff and loading the stored one.

use std::collections::BTreeSet;

use handoff_contract::handoff::budget::Budget;
use handoff_contract::handoff::fallback::{Early, Fallback};
use handoff_contract::handoff::generate::{Generated, generate};
use handoff_contract::handoff::receiver::Receiver;
use handoff_contract::handoff::render::l0;
use handoff_contract::handoff::{Project, Request, Snapshot, envelope, timeline, wire};
use handoff_contract::{ContractError, ErrorCode, Timestamp};
use pgrx::prelude::*;
use serde_json::{Value, json};

use super::token::mint_guarded;
use crate::access::{elements, non_blank, required};
use crate::error::{Result, check_for_interrupts, must_write};
use crate::store::event::{self, Event};
use crate::store::handoff::{self, NewHandoff, PendingGoal};
use crate::store::spi::{Visibility, clock};
use crate::store::{
    capability, context, deadline, guard, history, project, session, snapshot, token,
};
use crate::{gucs, json};

#[allow(clippy::too_many_arguments)]
#[pg_extern(volatile, parallel_unsafe)]
fn generate_handoff(
    project_id: Option<&str>,
    mode: default!(Option<&str>, "NULL"),
    session_id: default!(Option<&str>, "NULL"),
    version: default!(Option<&str>, "NULL"),
    selected_item_ids: default!(Option<Vec<Option<String>>>, "NULL"),
    force_include_ids: default!(Option<Vec<Option<String>>>, "NULL"),
    checkpoint: default!(Option<bool>, "false"),
    strict_continuation: default!(Option<bool>, "false"),
    strict_evidence: default!(Option<bool>, "false"),
    strict_pointer_evidence: default!(Option<bool>, "false"),
    emit_manifest: default!(Option<bool>, "false"),
    research_evidence_envelope: default!(Option<json::Argument>, "NULL"),
    max_content_bytes: default!(Option<i32>, "-1"),
    pending_goal_receiver: default!(Option<json::Argument>, "NULL"),
    ai_summary: default!(Option<&str>, "NULL"),
) -> json::Answer {
    json::call(move || {
        must_write(c"generate_handoff()")?;
        let project_id = required(project_id, "project_id")?;
        let project = project::enter(project_id)?;
        let sections = [
            ("emit_manifest", flag(emit_manifest, "emit_manifest")?),
            (
                "research_evidence_envelope",
                research_evidence_envelope.is_some(),
            ),
        ];
        refuse_unbuilt(&sections)?;
        let request = Request {
            requested_mode: mode.map(str::to_owned),
            session_id: non_blank(session_id).map(str::to_owned),
            version: non_blank(version).map(str::to_owned),
            selected_item_ids: elements(selected_item_ids, "selected_item_ids")?,
            force_include_ids: elements(force_include_ids, "force_include_ids")?,
            checkpoint: flag(checkpoint, "checkpoint")?,
            strict_continuation: flag(strict_continuation, "strict_continuation")?,
            ai_summary: ai_summary.map(str::to_owned),
            strict_evidence: flag(strict_evidence, "strict_evidence")?,
            strict_pointer_evidence: flag(strict_pointer_evidence, "strict_pointer_evidence")?,
            pending_goal_receiver: match pending_goal_receiver {
                Some(receiver) => Receiver::parse(&receiver.read("pending_goal_receiver")?)?,
                None => None,
            },
        };
        let budget = Budget::parse(max_content_bytes)?;
        let mut early = Early::default();
        let reads = || read(project.clone(), &request, &mut early);
        let Some(reading) = deadline::bounded(gucs::generation_timeout(), reads)? else {
            return fall_back(&project, &early, &request, budget);
        };
        check_for_interrupts()?;
        let generated = generate(&reading.snapshot, &request, &reading.foreign_ids)?;
        check_for_interrupts()?;
        let stored = persist(&generated, &request, reading.snapshot.now)?;
        let budget = budget.bytes(Some(generated.mode), generated.checkpoint);
        let wire = wire::format_content(&stored.content, budget);
        Ok(envelope::response(&generated, stored.amended, &wire))
    })
}

/// What a generation has read.
struct Reading {
    snapshot: Snapshot,
    /// The ids of the request that name items of other projects the caller can see.
    foreign_ids: BTreeSet<String>,
}

/// Reads the board, and before it what an answer without the board is made of.
fn read(project: Project, request: &Request, early: &mut Early) -> Result<Reading> {
    let project_id = project.project_id.clone();
    let decisions = context::decisions(&project_id, l0::DECISION_CAP)?;
    early.decisions = Some(decisions.clone());
    if let Some(session_id) = &request.session_id {
        let row = session::of_project(&project_id, session_id, Visibility::CallerSnapshot)?;
        early.session = Some(row.session);
    }
    let tools = capability::tools(&project_id)?;
    early.tools = Some(tools.clone());
    let session = early.session.clone();
    let mode = request.mode(session.as_ref())?;
    Ok(Reading {
        foreign_ids: foreign_ids(&project_id, request)?,
        snapshot: snapshot::load(project, session, tools, decisions, mode.needs())?,
    })
}

/// The answer when the reads ran out of time. Nothing of it is stored.
fn fall_back(project: &Project, early: &Early, request: &Request, budget: Budget) -> Result<Value> {
    let fallback = Fallback::new(project, early, request, clock())?;
    let budget = budget.bytes(None, fallback.checkpoint);
    let wire = wire::format_content(&fallback.content, budget);
    Ok(envelope::fallback(&fallback, &wire))
}

#[pg_extern(stable, parallel_restricted)]
fn load_handoff(project_id: Option<&str>) -> json::Answer {
    json::call(|| {
        let project_id = required(project_id, "project_id")?;
        project::enter(project_id)?;
        let (latest, pending) = guard::as_owner(|| {
            Ok((
                handoff::latest_guarded(project_id)?,
                handoff::pending_content_guarded(project_id)?,
            ))
        })?;
        let handoff = latest.map_or(Value::Null, |handoff| {
            json!({
                "content": handoff.content,
                "mode": handoff.mode,
                "session_id": handoff.session_id,
                "created_at": handoff.created_at,
            })
        });
        Ok(json!({
            "is_trusted_channel": true,
            "delivery_source": "mcp_load_handoff",
            "has_handoff": !handoff.is_null(),
            "handoff": handoff,
            "pending_goal": pending,
            "correction": null,
        }))
    })
}

/// The content as the caller gets it, with its token.
struct Stored {
    content: String,
    amended: bool,
}

/// Stores a generation, mints the token of its block and makes it the pending goal: all of it, or nothing.
fn persist(generated: &Generated, request: &Request, now: Timestamp) -> Result<Stored> {
    let project_id = generated.project_id.as_str();
    let content_hash = generated.content_hash();
    let selected: Option<Vec<String>> = generated
        .selected_scope
        .as_ref()
        .map(|scope| scope.selection.selected_item_ids.clone());
    let new = NewHandoff {
        project_id,
        session_id: request.session_id.as_deref(),
        mode: generated.mode.as_str(),
        content: &generated.content,
        content_hash: &content_hash,
        board_revision: Some(&generated.board_revision),
        selected_item_ids: selected.as_deref(),
        receiver: request
            .pending_goal_receiver
            .as_ref()
            .map(Receiver::to_json),
        checkpoint: request.checkpoint,
        now,
    };
    let actor = request
        .session_id
        .clone()
        .map_or_else(history::current_role, Ok)?;
    guard::as_owner(|| {
        let (handoff_id, amended) = store_guarded(&new, generated, request)?;
        let content = match &generated.block {
            Some(block) => {
                generated.with_token(&mint_guarded(project_id, Some(block), handoff_id, None)?)
            }
            None => generated.content.clone(),
        };
        let event = Event {
            event_type: timeline::GENERATED,
            session_id: request.session_id.as_deref(),
            actor: Some(&actor),
            handoff_id,
            outcome: Some(generated.mode.as_str()),
            ..Event::default()
        };
        event::record_guarded(project_id, event)?;
        Ok(Stored { content, amended })
    })
}

/// The row of a generation, new or amended, and the pending goal. A mode that nobody can load again leaves no row; a
/// checkpoint leaves its own and touches nothing else.
fn store_guarded(
    new: &NewHandoff<'_>,
    generated: &Generated,
    request: &Request,
) -> Result<(Option<i64>, bool)> {
    if request.checkpoint {
        return Ok((Some(handoff::insert_guarded(new)?), false));
    }
    let block = match &generated.block {
        Some(block) if generated.mode.is_retrievable() => block,
        _ => return Ok((None, false)),
    };
    // Tokens before the pending goal, as a receiver locks them who verifies first and then starts its session.
    if let Some(handoff_id) = handoff::pending_id_guarded(new.project_id)? {
        token::lock_of_handoff_guarded(new.project_id, handoff_id)?;
    }
    let pending = handoff::lock_pending_guarded(new.project_id)?;
    let same = pending.filter(|pending| is_same_address(pending, new, request));
    let handoff_id = match &same {
        Some(pending) => {
            handoff::amend_guarded(pending.handoff_id, new)?;
            token::supersede_guarded(new.project_id, pending.handoff_id, new.now)?;
            pending.handoff_id
        }
        None => handoff::insert_guarded(new)?,
    };
    handoff::set_pending_guarded(handoff_id, block, new)?;
    Ok((Some(handoff_id), same.is_some()))
}

/// A generation replaces the pending one only if it is for the same session, receiver and selection; anything else is
/// a handoff of its own, whose predecessor's token lives on.
fn is_same_address(pending: &PendingGoal, new: &NewHandoff<'_>, request: &Request) -> bool {
    pending.session_id.as_deref() == new.session_id
        && pending.receiver == request.pending_goal_receiver
        && pending.selected_item_ids.as_deref() == new.selected_item_ids
}

/// The ids of the request that name items of other projects the caller can see.
fn foreign_ids(project_id: &str, request: &Request) -> Result<BTreeSet<String>> {
    let mut ids = request.selected_item_ids.clone();
    ids.extend_from_slice(&request.force_include_ids);
    Ok(project::foreign_items(project_id, &ids)?
        .into_iter()
        .collect())
}

/// A boolean argument, which must not be NULL.
fn flag(value: Option<bool>, argument: &str) -> Result<bool> {
    required(value.as_ref(), argument).copied()
}

/// An argument whose section is not part of this version is refused rather than ignored.
fn refuse_unbuilt(arguments: &[(&str, bool)]) -> Result<()> {
    match arguments.iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((argument, _)) => Err(ContractError::new(
            ErrorCode::NotSupported,
            format!("argument \"{argument}\" is not available in this version"),
            format!("Leave \"{argument}\" at its default."),
        )
        .into()),
    }
}
