//! The log of what the protocol did. An event names things; it never holds a token, a body, a question or an answer.

use handoff_contract::Timestamp;
use pgrx::IntoDatum;

use super::guard;
use super::spi::{INT8, Statement, TEXT, TIMESTAMPTZ, Visibility, optional_text, text, timestamp};
use crate::error::Result;

#[derive(Debug, Clone, Copy, Default)]
pub struct Event<'a> {
    pub event_type: &'static str,
    pub session_id: Option<&'a str>,
    /// Whoever did it: the session, else the role.
    pub actor: Option<&'a str>,
    pub item_id: Option<&'a str>,
    pub handoff_id: Option<i64>,
    /// A reason code, a mode or a status.
    pub outcome: Option<&'a str>,
}

static INSERT: Statement = Statement::new(
    "INSERT INTO meridian.events (project_id, event_type, session_id, actor, item_id, handoff_id, outcome)
     VALUES ($1, $2, $3, $4, $5, $6, $7)",
    &[TEXT, TEXT, TEXT, TEXT, TEXT, INT8, TEXT],
);

static PURGE: Statement = Statement::new(
    "WITH old AS (
         SELECT ctid FROM meridian.events WHERE occurred_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)
     DELETE FROM meridian.events e USING old WHERE e.ctid = old.ctid RETURNING 1",
    &[TIMESTAMPTZ, INT8],
);

/// Records inside a guard that is already in force.
pub fn record_guarded(project_id: &str, event: Event<'_>) -> Result<()> {
    INSERT.run(
        Visibility::Fresh,
        &[
            text(project_id),
            text(event.event_type),
            optional_text(event.session_id),
            optional_text(event.actor),
            optional_text(event.item_id),
            event.handoff_id.and_then(IntoDatum::into_datum),
            optional_text(event.outcome),
        ],
    )?;
    Ok(())
}

pub fn record(project_id: &str, event: Event<'_>) -> Result<()> {
    guard::as_owner(|| record_guarded(project_id, event))
}

/// Removes up to `limit` events from before `cutoff`, passing over locked ones. Runs inside a guard.
pub fn purge_guarded(cutoff: Timestamp, limit: i64) -> Result<usize> {
    Ok(PURGE
        .run(Visibility::Fresh, &[timestamp(cutoff), limit.into_datum()])?
        .len())
}
