//! Sessions: who works on a project, until they end.

use handoff_contract::handoff::Session;
use handoff_contract::{ContractError, ErrorCode};
use serde_json::json;

use super::guard;
use super::spi::{Row, Statement, TEXT, Visibility, optional_text, text};
use crate::error::{Error, Result};

/// A session row with its project.
pub struct SessionRow {
    pub project_id: String,
    pub ended: bool,
    pub session: Session,
}

static LOAD: Statement = Statement::new(
    "SELECT s.session_id, s.project_id, s.name, s.role, s.human_id, s.version, s.worktree, s.status = 'ended',
            EXISTS (SELECT FROM meridian.events e
                    WHERE e.project_id = s.project_id AND e.session_id = s.session_id
                      AND e.event_type = 'handoff_generated' AND e.outcome IN ('goal', 'planner', 'delta', 'full'))
     FROM meridian.sessions s WHERE s.session_id = $1",
    &[TEXT],
);

static INSERT: Statement = Statement::new(
    "INSERT INTO meridian.sessions (project_id, name, role, human_id, version, worktree)
     VALUES ($1, $2, $3, $4, $5, $6) RETURNING session_id",
    &[TEXT, TEXT, TEXT, TEXT, TEXT, TEXT],
);

static END: Statement = Statement::new(
    "UPDATE meridian.sessions SET status = 'ended', ended_at = clock_timestamp(), last_seen = clock_timestamp()
     WHERE session_id = $1 AND status = 'active' RETURNING session_id",
    &[TEXT],
);

/// The session, whichever project it belongs to.
pub fn load(session_id: &str, visibility: Visibility) -> Result<Option<SessionRow>> {
    guard::as_owner(|| {
        let row = LOAD.row(visibility, &[text(session_id)])?;
        row.map(|row| read(row.get())).transpose()
    })
}

/// The session if it is one of the project's; another project's is the same as none.
pub fn of_project(
    project_id: &str,
    session_id: &str,
    visibility: Visibility,
) -> Result<SessionRow> {
    load(session_id, visibility)?
        .filter(|row| row.project_id == project_id)
        .ok_or_else(|| not_found(session_id))
}

/// The session if it is one of the project's and still active: who ended cannot claim.
pub fn active(project_id: &str, session_id: &str) -> Result<SessionRow> {
    let row = of_project(project_id, session_id, Visibility::Fresh)?;
    if !row.ended {
        return Ok(row);
    }
    Err(ContractError::new(
        ErrorCode::SessionNotFound,
        format!("session \"{session_id}\" has ended"),
        "Begin a new one with meridian.start_session.",
    )
    .with_detail(json!({ "session_id": session_id }))
    .into())
}

/// Whether `claimed_by` names a session of the project that has ended.
pub fn has_ended(project_id: &str, claimed_by: &str) -> Result<bool> {
    Ok(load(claimed_by, Visibility::Fresh)?
        .is_some_and(|row| row.project_id == project_id && row.ended))
}

/// Adds an active session and gives its id. Runs inside a guard.
pub fn insert_guarded(project_id: &str, session: &Session) -> Result<String> {
    let row = INSERT.row(
        Visibility::Fresh,
        &[
            text(project_id),
            optional_text(session.name.as_deref()),
            optional_text(session.role.as_deref()),
            optional_text(session.human_id.as_deref()),
            optional_text(session.version.as_deref()),
            optional_text(session.worktree.as_deref()),
        ],
    )?;
    row.ok_or_else(|| Error::internal("INSERT gave no session"))?
        .get()
        .required_text(1)
}

/// Ends an active session. Runs inside a guard; `false` where it had ended before.
pub fn end_guarded(session_id: &str) -> Result<bool> {
    Ok(END.row(Visibility::Fresh, &[text(session_id)])?.is_some())
}

pub fn not_found(session_id: &str) -> Error {
    ContractError::new(
        ErrorCode::SessionNotFound,
        format!("there is no session \"{session_id}\" in this project"),
        "Begin one with meridian.start_session, or leave session_id out.",
    )
    .with_detail(json!({ "session_id": session_id }))
    .into()
}

fn read(row: Row<'_>) -> Result<SessionRow> {
    Ok(SessionRow {
        project_id: row.required_text(2)?,
        ended: row.bool(8).unwrap_or_default(),
        session: Session {
            session_id: row.required_text(1)?,
            name: row.text(3)?,
            role: row.text(4)?,
            human_id: row.text(5)?,
            version: row.text(6)?,
            worktree: row.text(7)?,
            resumed: row.bool(9).unwrap_or_default(),
        },
    })
}
