//! Removing what is past its time, a bounded number of rows a call, so that a job can repeat it without long locks.

use handoff_contract::Timestamp;
use pgrx::datum::Interval;
use pgrx::prelude::*;

use crate::access::{HOUR_MICROSECONDS, call, invalid, microseconds, required};
use crate::error::{Result, must_write};
use crate::gucs;
use crate::store::spi::clock;
use crate::store::{guard, handoff, history, token};

#[pg_extern(volatile, parallel_unsafe)]
fn purge_handoff_tokens(
    retention: default!(Option<Interval>, "NULL"),
    batch: default!(Option<i32>, "10000"),
) -> i64 {
    call(move || {
        must_write(c"purge_handoff_tokens()")?;
        let batch = rows(batch)?;
        let retention = match retention {
            None => gucs::token_retention() * 1_000_000,
            Some(interval) => microseconds(&interval),
        };
        if retention < HOUR_MICROSECONDS {
            return Err(invalid(
                "retention must be at least an hour",
                "A token that is gone answers not_found, which reads as forged; keep it while its text may still be pasted.",
            ));
        }
        Ok(token::purge(before(retention), batch)? as i64)
    })
}

/// Handoffs first, since they are the largest; what is left of the batch goes to events and to item history.
#[pg_extern(volatile, parallel_unsafe)]
fn purge_history(
    retention: default!(Option<Interval>, "'90 days'"),
    batch: default!(Option<i32>, "10000"),
) -> i64 {
    call(move || {
        must_write(c"purge_history()")?;
        let retention = microseconds(&required(retention, "retention")?);
        let batch = rows(batch)?;
        if retention < 0 {
            return Err(invalid(
                "retention must not be negative",
                "It is the age from which rows are removed, such as '90 days'.",
            ));
        }
        let cutoff = before(retention);
        guard::as_owner(|| {
            let mut removed = 0;
            for purge in [
                handoff::purge_guarded,
                crate::store::event::purge_guarded,
                history::purge_guarded,
            ] {
                if removed < batch {
                    removed += purge(cutoff, batch - removed)? as i64;
                }
            }
            Ok(removed)
        })
    })
}

/// The number of rows that one call may remove.
fn rows(batch: Option<i32>) -> Result<i64> {
    match required(batch, "batch")? {
        batch @ 1.. => Ok(batch.into()),
        _ => Err(invalid(
            "batch must be at least 1",
            "It is the number of rows to remove in one call.",
        )),
    }
}

/// The time this many microseconds ago.
fn before(retention: i64) -> Timestamp {
    Timestamp(clock().0.saturating_sub(retention))
}
