//! Tokens at rest: their digest, what they vouch for, and whether they are spent. The token itself is never stored.

use handoff_contract::Timestamp;
use handoff_contract::receive::verify::TokenRow;
use pgrx::{IntoDatum, pg_sys};

use super::guard;
use super::spi::{BYTEA, INT8, Statement, TEXT, TIMESTAMPTZ, Visibility, text, timestamp};
use crate::error::{Error, Result};

static INSERT: Statement = Statement::new(
    "INSERT INTO meridian.handoff_tokens (token_digest, project_id, body_hash, handoff_id, minted_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6)",
    &[BYTEA, TEXT, BYTEA, INT8, TIMESTAMPTZ, TIMESTAMPTZ],
);

static LOCK: Statement = Statement::new(
    "SELECT project_id, body_hash, expires_at, consumed_at IS NOT NULL, superseded_at IS NOT NULL
     FROM meridian.handoff_tokens WHERE token_digest = $1 FOR NO KEY UPDATE",
    &[BYTEA],
);

static LOCK_OF_HANDOFF: Statement = Statement::new(
    "SELECT FROM meridian.handoff_tokens
     WHERE project_id = $1 AND handoff_id = $2 AND consumed_at IS NULL AND superseded_at IS NULL
     ORDER BY token_digest FOR NO KEY UPDATE",
    &[TEXT, INT8],
);

static CONSUME: Statement = Statement::new(
    "UPDATE meridian.handoff_tokens SET consumed_at = $2 WHERE token_digest = $1 AND consumed_at IS NULL",
    &[BYTEA, TIMESTAMPTZ],
);

static SUPERSEDE: Statement = Statement::new(
    "UPDATE meridian.handoff_tokens SET superseded_at = $3
     WHERE project_id = $1 AND handoff_id = $2 AND consumed_at IS NULL AND superseded_at IS NULL",
    &[TEXT, INT8, TIMESTAMPTZ],
);

/// A token can be consumed only before it expires, so one that expired `cutoff` ago was not consumed later either.
static PURGE: Statement = Statement::new(
    "WITH old AS (
         SELECT ctid FROM meridian.handoff_tokens WHERE expires_at < $1
         ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)
     DELETE FROM meridian.handoff_tokens t USING old WHERE t.ctid = old.ctid RETURNING 1",
    &[TIMESTAMPTZ, INT8],
);

/// A token about to be stored.
pub struct NewToken<'a> {
    pub digest: [u8; 32],
    pub project_id: &'a str,
    pub body_hash: Option<[u8; 32]>,
    pub handoff_id: Option<i64>,
    pub minted_at: Timestamp,
    pub expires_at: Timestamp,
}

/// Stores a token. Runs inside a guard.
pub fn insert_guarded(token: &NewToken<'_>) -> Result<()> {
    INSERT.run(
        Visibility::Fresh,
        &[
            token.digest.as_slice().into_datum(),
            text(token.project_id),
            token
                .body_hash
                .as_ref()
                .and_then(|hash| hash.as_slice().into_datum()),
            token.handoff_id.and_then(IntoDatum::into_datum),
            timestamp(token.minted_at),
            timestamp(token.expires_at),
        ],
    )?;
    Ok(())
}

/// The token's row as it is now, locked, so that nobody else decides over it meanwhile. Runs inside a guard.
pub fn lock_guarded(digest: &[u8; 32]) -> Result<Option<TokenRow>> {
    let row = LOCK.row(Visibility::Fresh, &[digest.as_slice().into_datum()])?;
    row.map(|row| {
        let row = row.get();
        Ok(TokenRow {
            project_id: row.required_text(1)?,
            body_hash: row.digest(2)?,
            expires_at: row
                .timestamp(3)
                .ok_or_else(|| Error::internal("a token without expires_at"))?,
            consumed: row.bool(4).unwrap_or_default(),
            superseded: row.bool(5).unwrap_or_default(),
        })
    })
    .transpose()
}

/// Spends a locked token. Runs inside a guard.
pub fn consume_guarded(digest: &[u8; 32], now: Timestamp) -> Result<()> {
    CONSUME.run(
        Visibility::Fresh,
        &[digest.as_slice().into_datum(), timestamp(now)],
    )?;
    Ok(())
}

/// Locks the live tokens of a handoff: the one of its present content. Runs inside a guard.
pub fn lock_of_handoff_guarded(project_id: &str, handoff_id: i64) -> Result<()> {
    LOCK_OF_HANDOFF.run(
        Visibility::Fresh,
        &[text(project_id), handoff_id.into_datum()],
    )?;
    Ok(())
}

/// Retires the live tokens of a handoff whose content was replaced. Runs inside a guard.
pub fn supersede_guarded(project_id: &str, handoff_id: i64, now: Timestamp) -> Result<()> {
    SUPERSEDE.run(
        Visibility::Fresh,
        &[text(project_id), handoff_id.into_datum(), timestamp(now)],
    )?;
    Ok(())
}

/// Removes up to `limit` rows that expired before `cutoff`, passing over locked ones. Runs inside a guard.
pub fn purge_guarded(cutoff: Timestamp, limit: i64) -> Result<usize> {
    Ok(PURGE
        .run(Visibility::Fresh, &[timestamp(cutoff), limit.into_datum()])?
        .len())
}

pub fn purge(cutoff: Timestamp, limit: i64) -> Result<usize> {
    guard::as_owner(|| purge_guarded(cutoff, limit))
}

/// At the higher isolation levels a purge that meets a concurrent change fails the whole transaction, so a mint there
/// leaves old rows to others.
pub fn may_purge_in_passing() -> bool {
    // SAFETY: reads a variable of the backend.
    unsafe { pg_sys::XactIsoLevel < pg_sys::XACT_REPEATABLE_READ as i32 }
}
