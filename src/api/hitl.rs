//! Asking a human, and answering.

use pgrx::prelude::*;
use serde_json::json;

use crate::access::{invalid, required};
use crate::error::{Result, must_write};
use crate::json;
use crate::store::board;
use crate::store::event::{self, Event};
use crate::store::spi::Visibility;
use crate::store::{history, hitl, project, session};

const URGENCIES: [&str; 4] = ["urgent", "high", "normal", "low"];

#[pg_extern(volatile, parallel_unsafe)]
fn request_hitl(
    project_id: Option<&str>,
    question: Option<&str>,
    item_id: default!(Option<&str>, "NULL"),
    urgency: default!(Option<&str>, "'normal'"),
    session_id: default!(Option<&str>, "NULL"),
) -> json::Answer {
    json::call(|| {
        must_write(c"request_hitl()")?;
        let project_id = required(project_id, "project_id")?;
        let question = required(question, "question")?;
        let urgency = required(urgency, "urgency")?;
        project::enter(project_id)?;
        if question.trim().is_empty() {
            return Err(invalid(
                "the question is empty",
                "Ask what a human has to decide, in one or two sentences.",
            ));
        }
        if !URGENCIES.contains(&urgency) {
            return Err(invalid(
                format!("unknown urgency \"{urgency}\""),
                format!("The urgency is one of {}.", URGENCIES.join(", ")),
            ));
        }
        if let Some(session_id) = session_id {
            session::of_project(project_id, session_id, Visibility::CallerSnapshot)?;
        }
        require_item(project_id, item_id)?;
        let gate_id = hitl::insert(project_id, question, item_id, urgency, session_id)?;
        event::record(
            project_id,
            Event {
                event_type: "hitl_requested",
                session_id,
                actor: Some(&actor(session_id)?),
                item_id,
                outcome: Some(urgency),
                ..Event::default()
            },
        )?;
        Ok(json!({ "gate_id": gate_id, "status": "open" }))
    })
}

#[pg_extern(volatile, parallel_unsafe)]
fn answer_hitl(
    project_id: Option<&str>,
    gate_id: Option<&str>,
    answer: Option<&str>,
) -> json::Answer {
    json::call(|| {
        must_write(c"answer_hitl()")?;
        let project_id = required(project_id, "project_id")?;
        let gate_id = required(gate_id, "gate_id")?;
        let answer = required(answer, "answer")?;
        project::enter(project_id)?;
        let Some((status, item_id)) = hitl::lock(project_id, gate_id)? else {
            return Err(invalid(
                format!("project \"{project_id}\" has no gate \"{gate_id}\""),
                "The project's gates are in meridian.hitl_gates.",
            ));
        };
        if status != "open" {
            return Err(invalid(
                format!("gate \"{gate_id}\" is {status}, not open"),
                "Only an open gate can be answered; ask anew with meridian.request_hitl.",
            ));
        }
        hitl::answer(project_id, gate_id, answer)?;
        event::record(
            project_id,
            Event {
                event_type: "hitl_answered",
                actor: Some(&actor(None)?),
                item_id: item_id.as_deref(),
                ..Event::default()
            },
        )?;
        Ok(json!({ "gate_id": gate_id, "status": "answered" }))
    })
}

fn actor(session_id: Option<&str>) -> Result<String> {
    session_id.map_or_else(
        history::current_role,
        |session_id| Ok(session_id.to_owned()),
    )
}

fn require_item(project_id: &str, item_id: Option<&str>) -> Result<()> {
    let Some(item_id) = item_id else {
        return Ok(());
    };
    let found = board::source(project_id)?
        .items_by_id(&[item_id.to_owned()], Visibility::CallerSnapshot)?;
    if found.is_empty() {
        return Err(invalid(
            format!("project \"{project_id}\" has no item \"{item_id}\""),
            "Leave item_id out for a question about the project.",
        ));
    }
    Ok(())
}
