//! Handoffs as they were generated, and the goal that waits for its receiver. Content at rest has no token.

use handoff_contract::Timestamp;
use handoff_contract::handoff::receiver::Receiver;
use pgrx::IntoDatum;
use serde_json::Value;

use super::spi::{
    BOOL, INT8, Statement, TEXT, TEXT_ARRAY, TIMESTAMPTZ, Visibility, json_text, optional_text,
    text, texts, timestamp,
};
use crate::error::{Error, Result};

/// A generation about to be stored.
pub struct NewHandoff<'a> {
    pub project_id: &'a str,
    pub session_id: Option<&'a str>,
    pub mode: &'static str,
    pub content: &'a str,
    pub content_hash: &'a str,
    pub board_revision: Option<&'a str>,
    pub selected_item_ids: Option<&'a [String]>,
    pub receiver: Option<Value>,
    pub checkpoint: bool,
    pub now: Timestamp,
}

/// The goal that nobody has picked up, with what decides whether a new generation replaces it.
pub struct PendingGoal {
    pub handoff_id: i64,
    pub content: String,
    pub receiver: Option<Receiver>,
    pub created_at: Timestamp,
    pub session_id: Option<String>,
    pub selected_item_ids: Option<Vec<String>>,
}

/// A stored handoff, as a receiver on a trusted channel gets it.
pub struct StoredHandoff {
    pub content: String,
    pub mode: String,
    pub session_id: Option<String>,
    pub created_at: Option<Timestamp>,
}

static INSERT: Statement = Statement::new(
    "INSERT INTO meridian.handoffs
         (project_id, session_id, mode, content, content_hash, board_revision, selected_item_ids, receiver, checkpoint, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9, $10) RETURNING handoff_id",
    &[TEXT, TEXT, TEXT, TEXT, TEXT, TEXT, TEXT_ARRAY, TEXT, BOOL, TIMESTAMPTZ],
);

static AMEND: Statement = Statement::new(
    "UPDATE meridian.handoffs SET mode = $3, content = $4, content_hash = $5, board_revision = $6, amended_at = $7
     WHERE project_id = $1 AND handoff_id = $2",
    &[TEXT, INT8, TEXT, TEXT, TEXT, TEXT, TIMESTAMPTZ],
);

/// Of two generations that race, the one with the later id stays pending.
static SET_PENDING: Statement = Statement::new(
    "INSERT INTO meridian.pending_goals AS p (project_id, handoff_id, content, receiver, created_at)
     VALUES ($1, $2, $3, $4::jsonb, $5)
     ON CONFLICT (project_id) DO UPDATE
         SET handoff_id = excluded.handoff_id, content = excluded.content, receiver = excluded.receiver,
             created_at = excluded.created_at
         WHERE p.handoff_id <= excluded.handoff_id",
    &[TEXT, INT8, TEXT, TEXT, TIMESTAMPTZ],
);

static LOCK_PENDING: Statement = Statement::new(
    "SELECT handoff_id, content, receiver::text, created_at FROM meridian.pending_goals
     WHERE project_id = $1 FOR UPDATE",
    &[TEXT],
);

static ADDRESS: Statement = Statement::new(
    "SELECT session_id, selected_item_ids FROM meridian.handoffs WHERE project_id = $1 AND handoff_id = $2",
    &[TEXT, INT8],
);

static PENDING_ID: Statement = Statement::new(
    "SELECT handoff_id FROM meridian.pending_goals WHERE project_id = $1",
    &[TEXT],
);

static READ_PENDING: Statement = Statement::new(
    "SELECT content FROM meridian.pending_goals WHERE project_id = $1",
    &[TEXT],
);

static CLEAR_PENDING: Statement = Statement::new(
    "DELETE FROM meridian.pending_goals WHERE project_id = $1",
    &[TEXT],
);

static LATEST: Statement = Statement::new(
    "SELECT content, mode, session_id, coalesce(amended_at, created_at) FROM meridian.handoffs
     WHERE project_id = $1 AND NOT checkpoint ORDER BY handoff_id DESC LIMIT 1",
    &[TEXT],
);

/// What is old and nobody can still be sent to: a newer row stands for it (for a handoff that is loaded, a newer one of
/// its kind), and it is no goal that still waits.
static PURGE: Statement = Statement::new(
    "WITH old AS (
         SELECT h.ctid FROM meridian.handoffs h
         WHERE coalesce(h.amended_at, h.created_at) < $1
           AND EXISTS (SELECT FROM meridian.handoffs n
                       WHERE n.project_id = h.project_id AND n.handoff_id > h.handoff_id AND (h.checkpoint OR NOT n.checkpoint))
           AND NOT EXISTS (SELECT FROM meridian.pending_goals p
                           WHERE p.project_id = h.project_id AND p.handoff_id = h.handoff_id)
         ORDER BY h.handoff_id LIMIT $2 FOR UPDATE OF h SKIP LOCKED)
     DELETE FROM meridian.handoffs h USING old WHERE h.ctid = old.ctid RETURNING 1",
    &[TIMESTAMPTZ, INT8],
);

static NOTIFY: Statement = Statement::new("SELECT pg_notify('meridian_handoff', $1)", &[TEXT]);

/// A new row in the history of handoffs, and its id. Runs inside a guard.
pub fn insert_guarded(handoff: &NewHandoff<'_>) -> Result<i64> {
    let row = INSERT.row(
        Visibility::Fresh,
        &[
            text(handoff.project_id),
            optional_text(handoff.session_id),
            text(handoff.mode),
            text(handoff.content),
            text(handoff.content_hash),
            optional_text(handoff.board_revision),
            handoff.selected_item_ids.and_then(texts),
            handoff.receiver.as_ref().and_then(json_text),
            handoff.checkpoint.into_datum(),
            timestamp(handoff.now),
        ],
    )?;
    row.and_then(|row| row.get().int8(1))
        .ok_or_else(|| Error::internal("INSERT gave no handoff_id"))
}

/// Puts a new generation in the place of one that nobody picked up. Runs inside a guard.
pub fn amend_guarded(handoff_id: i64, handoff: &NewHandoff<'_>) -> Result<()> {
    AMEND.run(
        Visibility::Fresh,
        &[
            text(handoff.project_id),
            handoff_id.into_datum(),
            text(handoff.mode),
            text(handoff.content),
            text(handoff.content_hash),
            optional_text(handoff.board_revision),
            timestamp(handoff.now),
        ],
    )?;
    Ok(())
}

/// Makes `block` the goal that waits for a receiver. Runs inside a guard.
pub fn set_pending_guarded(handoff_id: i64, block: &str, handoff: &NewHandoff<'_>) -> Result<()> {
    SET_PENDING.run(
        Visibility::Fresh,
        &[
            text(handoff.project_id),
            handoff_id.into_datum(),
            text(block),
            handoff.receiver.as_ref().and_then(json_text),
            timestamp(handoff.now),
        ],
    )?;
    if crate::gucs::notify() {
        NOTIFY.run(Visibility::Fresh, &[text(handoff.project_id)])?;
    }
    Ok(())
}

/// Which handoff is pending now, without waiting for whoever may be taking it. Runs inside a guard.
pub fn pending_id_guarded(project_id: &str) -> Result<Option<i64>> {
    let row = PENDING_ID.row(Visibility::Fresh, &[text(project_id)])?;
    Ok(row.and_then(|row| row.get().int8(1)))
}

/// The pending goal, locked, so that only one takes or replaces it. Runs inside a guard.
pub fn lock_pending_guarded(project_id: &str) -> Result<Option<PendingGoal>> {
    let Some(row) = LOCK_PENDING.row(Visibility::Fresh, &[text(project_id)])? else {
        return Ok(None);
    };
    let row = row.get();
    let handoff_id = row
        .int8(1)
        .ok_or_else(|| Error::internal("a pending goal without handoff_id"))?;
    // A statement of its own: a row joined to the locked one would be that of before the wait.
    let address = ADDRESS.row(
        Visibility::Fresh,
        &[text(project_id), handoff_id.into_datum()],
    )?;
    let address = address.as_ref().map(|address| address.get());
    Ok(Some(PendingGoal {
        handoff_id,
        content: row.required_text(2)?,
        receiver: row
            .json(3)?
            .map_or(Ok(None), |receiver| Receiver::parse(&receiver))?,
        created_at: row.timestamp(4).unwrap_or(Timestamp::NEG_INFINITY),
        session_id: address.map_or(Ok(None), |address| address.text(1))?,
        selected_item_ids: address.and_then(|address| address.texts(2)),
    }))
}

/// Removes the pending goal that was locked. Runs inside a guard.
pub fn clear_pending_guarded(project_id: &str) -> Result<()> {
    CLEAR_PENDING.run(Visibility::Fresh, &[text(project_id)])?;
    Ok(())
}

/// The pending goal as it lies there, for reading only. Runs inside a guard.
pub fn pending_content_guarded(project_id: &str) -> Result<Option<String>> {
    match READ_PENDING.row(Visibility::CallerSnapshot, &[text(project_id)])? {
        Some(row) => row.get().text(1),
        None => Ok(None),
    }
}

/// The newest handoff that is no checkpoint. Runs inside a guard.
pub fn latest_guarded(project_id: &str) -> Result<Option<StoredHandoff>> {
    let row = LATEST.row(Visibility::CallerSnapshot, &[text(project_id)])?;
    row.map(|row| {
        let row = row.get();
        Ok(StoredHandoff {
            content: row.required_text(1)?,
            mode: row.required_text(2)?,
            session_id: row.text(3)?,
            created_at: row.timestamp(4),
        })
    })
    .transpose()
}

/// Removes up to `limit` handoffs from before `cutoff`, passing over locked ones; the newest of each project and pending
/// goals stay. Runs inside a guard.
pub fn purge_guarded(cutoff: Timestamp, limit: i64) -> Result<usize> {
    Ok(PURGE
        .run(Visibility::Fresh, &[timestamp(cutoff), limit.into_datum()])?
        .len())
}
