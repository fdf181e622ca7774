//! A table or view of the user's as a project's board.

use handoff_contract::board::{Status, StatusMap};
use handoff_contract::{ContractError, ErrorCode};
use pgrx::pg_sys::Oid;
use pgrx::prelude::*;
use serde_json::{Value, json};

use crate::access::{call, invalid, required};
use crate::error::{Result, must_write};
use crate::json;
use crate::store::board::sources::{self, Attachment};
use crate::store::board::{self, Mapping};
use crate::store::{board_trigger, project};

#[pg_extern(sql = r#"CREATE FUNCTION "attach_board"(
	"project_id" TEXT,
	"board" regclass,
	"columns" jsonb DEFAULT '{}',
	"status_map" jsonb DEFAULT '{}',
	"track_history" bool DEFAULT true,
	"status_write" jsonb DEFAULT '{}'
) RETURNS void
VOLATILE PARALLEL UNSAFE
LANGUAGE c
AS 'MODULE_PATHNAME', '@FUNCTION_NAME@';"#)]
fn attach_board(
    project_id: Option<&str>,
    board: Option<Oid>,
    columns: Option<json::Argument>,
    status_map: Option<json::Argument>,
    track_history: Option<bool>,
    status_write: Option<json::Argument>,
) {
    call(move || {
        must_write(c"attach_board()")?;
        let project_id = required(project_id, "project_id")?;
        let relation = *required(board.as_ref(), "board")?;
        let columns = &json::read(columns, "columns")?;
        let status_map = &json::read(status_map, "status_map")?;
        let track_history = *required(track_history.as_ref(), "track_history")?;
        let status_write = &json::read(status_write, "status_write")?;
        project::enter(project_id)?;
        if sources::of_project(project_id)?.is_some() {
            return Err(invalid(
                format!("project \"{project_id}\" has an attached board already"),
                "Detach it first with meridian.detach_board.",
            ));
        }
        let statuses = StatusMap::parse(status_map, status_write)?;
        let mapping = Mapping::propose(relation, columns)?;
        check_kind(&mapping, track_history)?;
        check_statuses(&mapping, &statuses, project_id)?;
        let attachment = Attachment {
            relation,
            columns: mapping.resolved(),
            status_map: status_map.clone(),
            status_write: status_write.clone(),
            track_history,
        };
        sources::insert(project_id, &attachment)?;
        // Reads every row once, so ids that no handoff could carry are told now rather than by the first handoff.
        // Not by the project: the row above is newer than the caller's snapshot.
        board::attached(project_id, &attachment)?.items()?;
        if track_history {
            board_trigger::create(relation)?;
        }
        Ok(())
    })
}

#[pg_extern(volatile, parallel_unsafe)]
fn detach_board(project_id: Option<&str>) {
    call(|| {
        must_write(c"detach_board()")?;
        let project_id = required(project_id, "project_id")?;
        project::enter(project_id)?;
        let Some(attachment) = sources::of_project(project_id)? else {
            return Err(invalid(
                format!("project \"{project_id}\" has no attached board"),
                "Its board is meridian.sprint_items.",
            ));
        };
        sources::delete(project_id)?;
        board_trigger::drop(attachment.relation)?;
        Ok(())
    })
}

/// What kind of relation it is decides over history, writing, and whose rights it reads with.
fn check_kind(mapping: &Mapping, track_history: bool) -> Result<()> {
    let name = &mapping.name;
    match mapping.kind {
        'r' | 'p' => {}
        'v' | 'm' | 'f' if track_history => {
            return Err(invalid(
                format!("{name} is no table, so no trigger can record its history"),
                "Attach the base table, or pass track_history => false; claims and completions are recorded either way.",
            ));
        }
        'v' | 'm' | 'f' => {}
        _ => {
            return Err(invalid(
                format!("{name} is neither a table nor a view"),
                "A board is a table, a partitioned table, a view, a materialized view or a foreign table.",
            ));
        }
    }
    if !mapping.updatable {
        notice!(
            "{name} cannot be updated: the board is attached for reading, and its items cannot be claimed"
        );
    }
    if mapping.lends_rights {
        warning!(
            "view {name} reads with its owner's rights; create it WITH (security_invoker) for row policies to see the caller"
        );
    }
    Ok(())
}

const WRITTEN_STATUSES: [Status; 6] = [
    Status::Pending,
    Status::InProgress,
    Status::Done,
    Status::Failed,
    Status::Skipped,
    Status::Pushed,
];

/// Every value that the relation holds now must say which status it stands for, and every status how it is written.
fn check_statuses(mapping: &Mapping, statuses: &StatusMap, project_id: &str) -> Result<()> {
    let unmapped: Vec<String> = mapping
        .distinct_statuses(project_id)?
        .into_iter()
        .filter(|value| {
            let status = statuses.read(Some(value));
            !(status.is_live() || status.is_terminal())
        })
        .collect();
    if !unmapped.is_empty() {
        return Err(board_problem(
            mapping,
            "unmapped_status",
            format!(
                "{} holds statuses that nothing explains: {}",
                mapping.name,
                unmapped.join(", ")
            ),
            "Map each of them in status_map.",
            json!(unmapped),
        ));
    }
    let misread = WRITTEN_STATUSES.iter().find_map(|status| {
        let stored = statuses.written(status).ok()?;
        (statuses.read(Some(stored)) != *status).then_some((status, stored))
    });
    if let Some((status, stored)) = misread {
        return Err(board_problem(
            mapping,
            "misread_status",
            format!(
                "{status} would be written to {} as {stored}, which is read as something else",
                mapping.name
            ),
            "Name another value in status_write, and what it stands for in status_map.",
            json!([stored]),
        ));
    }
    match statuses.ambiguous().first() {
        Some((status, candidates)) if mapping.updatable => Err(board_problem(
            mapping,
            "ambiguous_status",
            format!(
                "{status} could be written to {} as any of {}",
                mapping.name,
                candidates.join(", ")
            ),
            "Name one in status_write.",
            json!(candidates),
        )),
        _ => Ok(()),
    }
}

fn board_problem(
    mapping: &Mapping,
    problem: &str,
    message: String,
    hint: &str,
    values: Value,
) -> crate::error::Error {
    ContractError::new(ErrorCode::BoardInvalid, message, hint)
        .with_detail(json!({ "relation": mapping.name, "problem": problem, "values": values }))
        .into()
}
