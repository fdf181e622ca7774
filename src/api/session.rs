//! Sessions: beginning one, which picks up the goal that waits, and ending it.

use handoff_contract::ErrorCode;
use handoff_contract::goal::directive::ExecutionPolicy;
use handoff_contract::handoff::{Mode, Session};
use pgrx::prelude::*;
use serde_json::{Value, json};

use super::capability::contract_in_time;
use crate::access::{call, non_blank, required};
use crate::error::{Error, Result, must_write};
use crate::json;
use crate::store::event::{self, Event};
use crate::store::spi::{Visibility, clock};
use crate::store::{guard, handoff, project, session};

/// A goal that waited longer is still handed over, and flagged.
const STALE_AFTER_SECONDS: i64 = 24 * 3_600;

#[pg_extern(volatile, parallel_unsafe)]
fn start_session(
    project_id: Option<&str>,
    session_name: default!(Option<&str>, "NULL"),
    role: default!(Option<&str>, "NULL"),
    human_id: default!(Option<&str>, "NULL"),
    version: default!(Option<&str>, "NULL"),
    worktree: default!(Option<&str>, "NULL"),
) -> json::Answer {
    json::call(|| {
        must_write(c"start_session()")?;
        let project_id = required(project_id, "project_id")?;
        let project = project::enter(project_id)?;
        let owned = |value: Option<&str>| non_blank(value).map(str::to_owned);
        let mut session = Session {
            session_id: String::new(),
            name: owned(session_name),
            role: owned(role),
            human_id: owned(human_id),
            version: owned(version),
            worktree: owned(worktree),
            resumed: false,
        };
        let capability_contract = contract_in_time(&project, session.version.as_deref())?;
        let goal = guard::as_owner(|| {
            session.session_id = session::insert_guarded(project_id, &session)?;
            let goal = pick_up_guarded(project_id, &session)?;
            let event = Event {
                event_type: "session_started",
                session_id: Some(&session.session_id),
                actor: Some(&session.session_id),
                handoff_id: goal.handoff_id,
                outcome: goal.outcome,
                ..Event::default()
            };
            event::record_guarded(project_id, event)?;
            Ok(goal)
        })?;
        let policy = ExecutionPolicy::of(&project);
        Ok(json!({
            "session_id": session.session_id,
            "project_id": project.project_id,
            "project_name": project.name,
            "role": session.role,
            "version": session.version,
            "pending_goal": goal.content,
            "pending_goal_trusted": goal.content.is_some(),
            "pending_goal_stale": goal.stale,
            "pending_goal_withheld": goal.withheld,
            "execution_policy": policy.to_json(),
            "capability_contract": capability_contract,
        }))
    })
}

#[pg_extern(volatile, parallel_unsafe)]
fn end_session(session_id: Option<&str>) -> bool {
    call(|| {
        must_write(c"end_session()")?;
        let session_id = required(session_id, "session_id")?;
        let project_id = project_of(session_id)?.0;
        guard::as_owner(|| {
            let ended = session::end_guarded(session_id)?;
            if ended {
                let event = Event {
                    event_type: "session_ended",
                    session_id: Some(session_id),
                    actor: Some(session_id),
                    ..Event::default()
                };
                event::record_guarded(&project_id, event)?;
            }
            Ok(ended)
        })
    })
}

#[pg_extern(stable, parallel_restricted)]
fn resolve_handoff_mode(
    requested_mode: default!(Option<&str>, "NULL"),
    session_id: default!(Option<&str>, "NULL"),
) -> &'static str {
    call(|| {
        let session = session_id
            .map(project_of)
            .transpose()?
            .map(|(_, session)| session);
        let resumed = session.as_ref().is_some_and(|session| session.resumed);
        let role = session.as_ref().and_then(|session| session.role.as_deref());
        Ok(Mode::resolve(requested_mode, resumed, role)?.as_str())
    })
}

/// The session with its project, whose door the caller must be able to open.
fn project_of(session_id: &str) -> Result<(String, Session)> {
    let row = session::load(session_id, Visibility::CallerSnapshot)?
        .ok_or_else(|| session::not_found(session_id))?;
    project::enter(&row.project_id).map_err(|error| match error {
        // Not visible is the same as not there, for the session as for its project.
        Error::Contract(error) if error.code == ErrorCode::ProjectNotFound => {
            session::not_found(session_id)
        }
        error => error,
    })?;
    Ok((row.project_id, row.session))
}

/// What became of the goal that waited, if one did.
#[derive(Default)]
struct PickedUp {
    content: Option<String>,
    handoff_id: Option<i64>,
    stale: bool,
    withheld: Value,
    outcome: Option<&'static str>,
}

/// Takes the pending goal if it is addressed to this session. The row stays locked until the transaction ends, so of
/// several sessions one gets it.
fn pick_up_guarded(project_id: &str, session: &Session) -> Result<PickedUp> {
    let Some(goal) = handoff::lock_pending_guarded(project_id)? else {
        return Ok(PickedUp::default());
    };
    let mismatched = goal
        .receiver
        .as_ref()
        .map(|receiver| receiver.mismatches(session))
        .unwrap_or_default();
    if !mismatched.is_empty() {
        return Ok(PickedUp {
            withheld: json!({
                "reason": "addressed_to_other_receiver",
                "consumed": false,
                "receiver": goal.receiver.as_ref().map(|receiver| receiver.to_json()),
                "mismatched_fields": mismatched,
            }),
            outcome: Some("pending_goal_withheld"),
            ..PickedUp::default()
        });
    }
    handoff::clear_pending_guarded(project_id)?;
    Ok(PickedUp {
        stale: goal.created_at.plus_seconds(STALE_AFTER_SECONDS) < clock(),
        content: Some(goal.content),
        handoff_id: Some(goal.handoff_id),
        withheld: Value::Null,
        outcome: Some("pending_goal_delivered"),
    })
}
