//! The one place where a statement does not run as the caller.
//!
//! Tokens, handoffs, pending goals, sessions, events, history and capabilities are kept by the functions alone. Their
//! statements run as the tables' owner, with nothing but PostgreSQL's own schema on the search path, and are fixed texts
//! with qualified names: no view, trigger, operator or name of a user's is ever reached from inside. In a trusted install the owner is
//! the installing role, so the guard never makes anyone a superuser who was not.

use std::cell::Cell;
use std::ffi::{CStr, c_int};

use pgrx::pg_sys::{self, Oid};

use crate::error::{Error, Result, trap};

mod raw {
    use super::*;

    unsafe extern "C-unwind" {
        pub fn set_config_option(
            name: *const std::ffi::c_char,
            value: *const std::ffi::c_char,
            context: pg_sys::GucContext::Type,
            source: pg_sys::GucSource::Type,
            action: pg_sys::GucAction::Type,
            change: bool,
            elevel: c_int,
            is_reload: bool,
        ) -> c_int;
        pub fn get_namespace_oid(name: *const std::ffi::c_char, missing_ok: bool) -> Oid;
        pub fn get_relname_relid(name: *const std::ffi::c_char, namespace: Oid) -> Oid;
        pub fn SearchSysCache1(cache: c_int, key: pg_sys::Datum) -> pg_sys::HeapTuple;
        pub fn ReleaseSysCache(tuple: pg_sys::HeapTuple);
    }
}

/// Runs `work` as the owner of the protected tables, and puts identity and settings back whichever way it ends.
pub fn as_owner<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    let _identity = Identity::assume(owner()?)?;
    work()
}

/// Runs `work` with settings that last until it ends.
pub fn with_settings<T>(
    settings: &[(&CStr, &CStr)],
    work: impl FnOnce() -> Result<T>,
) -> Result<T> {
    let level = GucLevel::open();
    for (name, value) in settings {
        level.set(name, value)?;
    }
    work()
}

/// The user whose rights are in force, as the extension's functions see it: the caller.
pub fn current_user() -> Oid {
    // SAFETY: reads a variable of the backend.
    unsafe { pg_sys::GetUserId() }
}

/// The user on whose behalf something is done: inside the guard the one who was in force outside.
pub fn acting_user() -> Oid {
    OUTSIDE.get().unwrap_or_else(current_user)
}

thread_local! {
    /// Set while a guard is in force; a backend has one thread.
    static OUTSIDE: Cell<Option<Oid>> = const { Cell::new(None) };
}

/// The role that owns the protected tables.
fn owner() -> Result<Oid> {
    let owner = trap(|| unsafe {
        let namespace = raw::get_namespace_oid(c"meridian".as_ptr(), false);
        let relation = raw::get_relname_relid(c"handoff_tokens".as_ptr(), namespace);
        let tuple = raw::SearchSysCache1(
            pg_sys::SysCacheIdentifier::RELOID as c_int,
            pg_sys::Datum::from(relation),
        );
        if tuple.is_null() {
            return pg_sys::InvalidOid;
        }
        let header = (*tuple).t_data;
        let class = header
            .cast::<u8>()
            .add(usize::from((*header).t_hoff))
            .cast::<pg_sys::FormData_pg_class>();
        let owner = (*class).relowner;
        raw::ReleaseSysCache(tuple);
        owner
    })?;
    if owner == pg_sys::InvalidOid {
        return Err(Error::internal("table meridian.handoff_tokens is missing"));
    }
    Ok(owner)
}

/// Another user in force, with the search path pinned, until dropped.
struct Identity {
    user: Oid,
    /// What `OUTSIDE` was: a user, if this guard stands inside another.
    outside: Option<Oid>,
    context: c_int,
    _settings: GucLevel,
}

impl Identity {
    fn assume(owner: Oid) -> Result<Self> {
        let (mut user, mut context) = (pg_sys::InvalidOid, 0);
        // SAFETY: both calls only read and write variables of the backend.
        unsafe {
            pg_sys::GetUserIdAndSecContext(&mut user, &mut context);
            pg_sys::SetUserIdAndSecContext(
                owner,
                context | pg_sys::SECURITY_LOCAL_USERID_CHANGE as c_int,
            );
        }
        let identity = Self {
            user,
            outside: OUTSIDE.replace(Some(OUTSIDE.get().unwrap_or(user))),
            context,
            _settings: GucLevel::open(),
        };
        identity
            ._settings
            .set(c"search_path", c"pg_catalog, pg_temp")?;
        Ok(identity)
    }
}

impl Drop for Identity {
    fn drop(&mut self) {
        OUTSIDE.set(self.outside);
        // SAFETY: puts back what `assume` read.
        unsafe { pg_sys::SetUserIdAndSecContext(self.user, self.context) };
    }
}

/// A nesting level of settings; what was set in it ends with it.
struct GucLevel(c_int);

impl GucLevel {
    fn open() -> Self {
        // SAFETY: counts a level up.
        Self(unsafe { pg_sys::NewGUCNestLevel() })
    }

    fn set(&self, name: &CStr, value: &CStr) -> Result<()> {
        trap(|| unsafe {
            raw::set_config_option(
                name.as_ptr(),
                value.as_ptr(),
                pg_sys::GucContext::PGC_USERSET,
                pg_sys::GucSource::PGC_S_SESSION,
                pg_sys::GucAction::GUC_ACTION_SAVE,
                true,
                0,
                false,
            )
        })
        .map(|_| ())
    }
}

impl Drop for GucLevel {
    fn drop(&mut self) {
        // SAFETY: closes the level that `open` made.
        unsafe { pg_sys::AtEOXact_GUC(true, self.0) };
    }
}
