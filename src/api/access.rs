//! Giving a role a level of access, taking it away, and listing who has one.

use pgrx::prelude::*;

use super::types::{Name, RegRole};
use crate::access::{call, invalid, required};
use crate::error::{Result, must_write};
use crate::levels::Level;
use crate::store::access;

#[pg_extern(volatile, parallel_unsafe)]
fn grant_access(grantee: Option<RegRole>, level: Option<&str>) {
    call(|| {
        must_write(c"grant_access()")?;
        let grantee = required(grantee, "grantee")?;
        let level = parse(required(level, "level")?)?;
        access::grant(grantee.0, level)
    })
}

#[pg_extern(volatile, parallel_unsafe)]
fn revoke_access(grantee: Option<RegRole>) {
    call(|| {
        must_write(c"revoke_access()")?;
        let grantee = required(grantee, "grantee")?;
        access::revoke(grantee.0)
    })
}

#[pg_extern(stable, parallel_restricted)]
fn list_access() -> TableIterator<'static, (name!(grantee, Name), name!(level, String))> {
    call(|| {
        let grants = access::list()?;
        Ok(TableIterator::new(
            grants
                .into_iter()
                .map(|grant| (Name(grant.grantee), grant.level)),
        ))
    })
}

fn parse(level: &str) -> Result<Level> {
    Level::parse(level).ok_or_else(|| {
        invalid(
            format!("unknown level \"{level}\""),
            format!(
                "The level is one of {}; each holds the ones before it.",
                Level::ALL.map(Level::as_str).join(", ")
            ),
        )
    })
}
