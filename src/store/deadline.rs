//! A deadline over reads: past it they are given up and the transaction goes on, also when a query hangs on a lock or in
//! somebody's slow view.
//!
//! The reads run in a subtransaction. A timer of PostgreSQL's own cancels the query that runs when it fires, the way
//! `pg_cancel_backend` does, and the subtransaction is rolled back. A cancel that the timer did not cause stays one:
//! the user's, and that of `statement_timeout`.

use std::ffi::{c_char, c_int};
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use pgrx::pg_sys;

use crate::error::{Result, TRAPPED, trap};

mod raw {
    use super::*;

    unsafe extern "C-unwind" {
        pub fn RegisterTimeout(id: c_int, handler: unsafe extern "C" fn()) -> c_int;
        pub fn enable_timeout_after(id: c_int, delay_ms: c_int);
        pub fn disable_timeout(id: c_int, keep_indicator: bool);
        pub fn get_timeout_active(id: c_int) -> bool;
        pub fn BeginInternalSubTransaction(name: *const c_char);
        pub fn ReleaseCurrentSubTransaction();
        pub fn RollbackAndReleaseCurrentSubTransaction();
    }

    unsafe extern "C" {
        pub fn SetLatch(latch: *mut pg_sys::Latch);
    }
}

/// `STATEMENT_TIMEOUT` of PostgreSQL's `TimeoutId`.
const STATEMENT_TIMEOUT: c_int = 3;
/// Asks for a free number of those that are for extensions: they begin below this one in every version, and end above it.
const ANY_USER_TIMEOUT: c_int = 16;
/// SQLSTATE query_canceled.
const CANCELED: &str = "57014";

/// What [`RegisterTimeout`](raw::RegisterTimeout) gave in this process; it cannot be asked for before there is one, as
/// a preloaded library's first process is the postmaster.
static TIMEOUT_ID: AtomicI32 = AtomicI32::new(-1);
static FIRED: AtomicBool = AtomicBool::new(false);
/// A generation inside the reads of another one: a view may call it. The outer deadline holds for both.
static RUNNING: AtomicBool = AtomicBool::new(false);

/// Runs `reads` for at most `milliseconds`, 0 being no limit; `None` where that was not enough.
pub fn bounded<T>(milliseconds: i32, reads: impl FnOnce() -> Result<T>) -> Result<Option<T>> {
    if milliseconds == 0 || RUNNING.load(Ordering::Relaxed) {
        return reads().map(Some);
    }
    let timer = Timer::start(milliseconds)?;
    let subtransaction = Subtransaction::begin()?;
    let read = reads();
    let fired = timer.stop();
    match read {
        Ok(value) if !fired => subtransaction.release().map(|()| Some(value)),
        Ok(_) => subtransaction.roll_back().map(|()| None),
        Err(error) => {
            subtransaction.roll_back()?;
            if fired && error.has_sqlstate(CANCELED) {
                Ok(None)
            } else {
                Err(error)
            }
        }
    }
}

/// Runs in a signal handler: it sets what `pg_cancel_backend` sets, and wakes whoever waits.
unsafe extern "C" fn cancel() {
    FIRED.store(true, Ordering::Relaxed);
    // SAFETY: variables of the backend that signal handlers are meant to set.
    unsafe {
        pg_sys::InterruptPending = 1;
        pg_sys::QueryCancelPending = 1;
        raw::SetLatch(pg_sys::MyLatch);
    }
}

/// The running timer; stopped whichever way the reads end.
struct Timer {
    id: c_int,
    /// Whether `statement_timeout` was still to come when this one started.
    statement_timeout: bool,
}

impl Timer {
    fn start(milliseconds: i32) -> Result<Self> {
        let id = match TIMEOUT_ID.load(Ordering::Relaxed) {
            -1 => trap(|| unsafe { raw::RegisterTimeout(ANY_USER_TIMEOUT, cancel) })?,
            id => id,
        };
        TIMEOUT_ID.store(id, Ordering::Relaxed);
        FIRED.store(false, Ordering::Relaxed);
        let statement_timeout = trap(|| unsafe {
            raw::enable_timeout_after(id, milliseconds);
            raw::get_timeout_active(STATEMENT_TIMEOUT)
        })?;
        RUNNING.store(true, Ordering::Relaxed);
        Ok(Self {
            id,
            statement_timeout,
        })
    }

    /// Whether it fired, and nothing but it. A cancel of its own that no query noticed is taken back.
    fn stop(self) -> bool {
        // SAFETY: `id` is registered; the variable is the backend's.
        unsafe {
            raw::disable_timeout(self.id, false);
            let fired = FIRED.load(Ordering::Relaxed);
            let expired = self.statement_timeout && !raw::get_timeout_active(STATEMENT_TIMEOUT);
            if fired && !expired {
                pg_sys::QueryCancelPending = 0;
            }
            fired && !expired
        }
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        RUNNING.store(false, Ordering::Relaxed);
        // SAFETY: as in `stop`; a timer that does not run is left alone.
        unsafe { raw::disable_timeout(self.id, false) };
    }
}

/// An open subtransaction, and what it must put back when it ends.
struct Subtransaction {
    memory: pg_sys::MemoryContext,
    resources: pg_sys::ResourceOwner,
    trapped: bool,
}

impl Subtransaction {
    fn begin() -> Result<Self> {
        // SAFETY: reads variables of the backend.
        let begun = unsafe {
            Self {
                memory: pg_sys::CurrentMemoryContext,
                resources: pg_sys::CurrentResourceOwner,
                trapped: TRAPPED.get(),
            }
        };
        trap(|| unsafe {
            raw::BeginInternalSubTransaction(std::ptr::null());
            // What the reads leave behind is to live as long as what the call itself does.
            pg_sys::CurrentMemoryContext = begun.memory;
        })?;
        Ok(begun)
    }

    fn release(self) -> Result<()> {
        trap(|| unsafe { raw::ReleaseCurrentSubTransaction() })?;
        self.put_back();
        Ok(())
    }

    /// Also ends the connections to SPI that were open where an error was raised.
    fn roll_back(self) -> Result<()> {
        trap(|| unsafe { raw::RollbackAndReleaseCurrentSubTransaction() })?;
        TRAPPED.set(self.trapped);
        self.put_back();
        Ok(())
    }

    fn put_back(&self) {
        // SAFETY: both were current before the subtransaction began, and outlive it.
        unsafe {
            pg_sys::CurrentMemoryContext = self.memory;
            pg_sys::CurrentResourceOwner = self.resources;
        }
    }
}
