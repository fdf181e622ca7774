//! Minting and verifying tokens.

use handoff_contract::goal::token as text;
use handoff_contract::receive::verify::{self, Verification};
use handoff_contract::{ContractError, ErrorCode, Timestamp};
use pgrx::prelude::*;
use rand::TryRng;
use serde_json::json;

use crate::access::{HOUR_MICROSECONDS, call, invalid, microseconds, required};
use crate::error::{Error, Result, must_write};
use crate::gucs;
use crate::json;
use crate::store::event::{self, Event};
use crate::store::spi::clock;
use crate::store::token::{self, NewToken};
use crate::store::{guard, history, project};

/// How many old rows a mint takes along.
const PURGED_IN_PASSING: i64 = 10;

#[pg_extern(volatile, parallel_unsafe)]
fn mint_handoff_token(
    project_id: Option<&str>,
    body: default!(Option<&str>, "NULL"),
    ttl: default!(Option<pgrx::datum::Interval>, "NULL"),
) -> String {
    call(move || {
        must_write(c"mint_handoff_token()")?;
        let project_id = required(project_id, "project_id")?;
        let ttl = ttl.map(lifetime).transpose()?;
        project::enter(project_id)?;
        let actor = history::current_role()?;
        guard::as_owner(|| {
            let minted = mint_guarded(project_id, body, None, ttl)?;
            let event = Event {
                event_type: "token_minted",
                actor: Some(&actor),
                ..Event::default()
            };
            event::record_guarded(project_id, event)?;
            Ok(minted)
        })
    })
}

#[pg_extern(volatile, parallel_unsafe)]
fn verify_handoff_token(
    project_id: Option<&str>,
    token: Option<&str>,
    body: default!(Option<&str>, "NULL"),
) -> json::Answer {
    json::call(|| {
        must_write(c"verify_handoff_token()")?;
        let project_id = required(project_id, "project_id")?;
        project::enter(project_id).map_err(|error| keep_token_out(error, project_id))?;
        let actor = history::current_role()?;
        Ok(verify(project_id, token, body, &actor)?.to_json())
    })
}

/// Arguments get swapped, and a token in the place of the project must not end up in an error or a log.
fn keep_token_out(error: Error, project_id: &str) -> Error {
    match error {
        Error::Contract(error)
            if error.code == ErrorCode::ProjectNotFound && text::looks_like_one(project_id) =>
        {
            ContractError::new(
                ErrorCode::ProjectNotFound,
                "there is no such project that this role can see",
                "The project id comes first, then the token, then the text.",
            )
            .with_detail(json!({ "project_id": null }))
            .into()
        }
        error => error,
    }
}

/// Presents a token: decides over its locked row, and spends it where the answer is `ok`.
pub fn verify(
    project_id: &str,
    token: Option<&str>,
    body: Option<&str>,
    actor: &str,
) -> Result<Verification> {
    let token = token.filter(|token| !token.is_empty());
    let digest = token.map(text::digest);
    guard::as_owner(|| {
        let row = match &digest {
            Some(digest) => token::lock_guarded(digest)?,
            None => None,
        };
        // After the lock: waiting for it may have taken longer than the token lives.
        let now = clock();
        let verification = verify::verify(project_id, token, body, row.as_ref(), now);
        if let (Some(digest), true) = (&digest, verification.consumes()) {
            token::consume_guarded(digest, now)?;
        }
        let event = Event {
            event_type: "token_verified",
            actor: Some(actor),
            outcome: Some(verification.reason.as_str()),
            ..Event::default()
        };
        event::record_guarded(project_id, event)?;
        Ok(verification)
    })
}

/// Mints a token for `body` and stores its digest. Runs inside a guard.
///
/// `ttl` in microseconds; `None` is the setting's.
pub fn mint_guarded(
    project_id: &str,
    body: Option<&str>,
    handoff_id: Option<i64>,
    ttl: Option<i64>,
) -> Result<String> {
    let mut bytes = [0u8; 12];
    rand::rngs::SysRng
        .try_fill_bytes(&mut bytes)
        .map_err(|error| Error::internal(format!("the system gives no random bytes: {error}")))?;
    let minted = text::encode(bytes);
    let now = clock();
    let ttl = ttl.unwrap_or_else(|| gucs::token_ttl() * 1_000_000);
    token::insert_guarded(&NewToken {
        digest: text::digest(&minted),
        project_id,
        body_hash: body.map(text::digest),
        handoff_id,
        minted_at: now,
        expires_at: Timestamp(now.0.saturating_add(ttl)),
    })?;
    if token::may_purge_in_passing() {
        token::purge_guarded(
            now.plus_seconds(-gucs::token_retention()),
            PURGED_IN_PASSING,
        )?;
    }
    Ok(minted)
}

/// A token's life in microseconds: any positive interval up to an hour.
fn lifetime(ttl: pgrx::datum::Interval) -> Result<i64> {
    match microseconds(&ttl) {
        ttl @ 1..=HOUR_MICROSECONDS => Ok(ttl),
        _ => Err(invalid(
            "ttl must be positive and at most an hour",
            "Leave it out for the time that the setting meridian.token_ttl gives.",
        )),
    }
}
