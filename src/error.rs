//! How errors travel and how they leave: as Rust values up to the outermost frame of an SQL function, where [`answer`]
//! raises them with every field they had.
//!
//! pgrx turns an error of PostgreSQL into a panic and keeps only the SQLSTATEs it knows, without constraint and table
//! names. A user's own trigger may raise any SQLSTATE, and the contract has a class of its own, so neither direction
//! goes through pgrx here: [`trap`] catches an error whole, and [`Error::raise`] hands it back to PostgreSQL.

use std::cell::Cell;
use std::ffi::{CStr, c_char, c_int};
use std::mem::MaybeUninit;

use cee_scape::call_with_sigsetjmp;
use handoff_contract::{ContractError, ErrorCode};
use pgrx::pg_sys;

/// PostgreSQL's functions as they are, without the guard that pgrx puts around its bindings.
mod raw {
    use super::*;

    unsafe extern "C-unwind" {
        pub fn CopyErrorData() -> *mut pg_sys::ErrorData;
        pub fn FlushErrorState();
        pub fn ReThrowError(edata: *mut pg_sys::ErrorData) -> !;
        pub fn errstart(elevel: c_int, domain: *const c_char) -> bool;
        pub fn errcode(sqlerrcode: c_int) -> c_int;
        pub fn errmsg_internal(format: *const c_char, ...) -> c_int;
        pub fn errdetail_internal(format: *const c_char, ...) -> c_int;
        pub fn errhint(format: *const c_char, ...) -> c_int;
        pub fn errfinish(filename: *const c_char, lineno: c_int, funcname: *const c_char);
        pub fn ProcessInterrupts();
        pub fn PreventCommandIfReadOnly(command: *const c_char);
    }
}

/// Anything that ends a call without an answer.
#[derive(Debug)]
pub enum Error {
    /// The contract refuses, or the caller's arguments do.
    Contract(ContractError),
    /// PostgreSQL raised it while one of our statements ran.
    Postgres(Caught),
    /// A row does not hold what the table promises.
    Internal(String),
}

/// An error of PostgreSQL, complete, kept until the end of the transaction.
#[derive(Debug, Clone, Copy)]
pub struct Caught(*mut pg_sys::ErrorData);

impl From<ContractError> for Error {
    fn from(error: ContractError) -> Self {
        Self::Contract(error)
    }
}

pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    pub fn internal(message: impl Into<String>) -> Self {
        Self::Internal(message.into())
    }

    /// 22004: `argument` is required.
    pub fn null_argument(argument: &str) -> Self {
        ContractError::new(
            ErrorCode::NullArgument,
            format!("argument \"{argument}\" must not be NULL"),
            format!("Pass a value for \"{argument}\"."),
        )
        .into()
    }

    pub fn has_sqlstate(&self, sqlstate: &str) -> bool {
        match self {
            // SAFETY: the data was copied into the transaction's own memory context, which is still there.
            Self::Postgres(Caught(data)) => unsafe {
                (**data).sqlerrcode == encode_sqlstate(sqlstate)
            },
            Self::Contract(error) => error.code.sqlstate() == sqlstate,
            Self::Internal(_) => false,
        }
    }

    /// Leaves through PostgreSQL's own error handling, past every frame up to its nearest handler.
    ///
    /// Called by [`answer`] alone: the frames in between are the body of an SQL function whose values were moved into
    /// the closure and dropped, and pgrx's wrapper around it, so nothing with a destructor is jumped over.
    fn raise(self) -> ! {
        let (sqlstate, message, detail, hint) = match self {
            // SAFETY: the data was copied into the transaction's own memory context, which is still there.
            Self::Postgres(Caught(data)) => unsafe { raw::ReThrowError(data) },
            Self::Contract(error) => (
                error.code.sqlstate(),
                palloc_text(&error.message),
                error
                    .detail
                    .as_ref()
                    .map(|detail| palloc_text(&detail.to_string())),
                Some(palloc_text(&error.hint)),
            ),
            Self::Internal(message) => ("XX000", palloc_text(&message), None, None),
        };
        // SAFETY: the texts are palloc'd and NUL-terminated; `%s` takes exactly one of them. Nothing on this frame
        // needs dropping when errfinish jumps.
        unsafe {
            if raw::errstart(pgrx::PgLogLevel::ERROR as c_int, std::ptr::null()) {
                raw::errcode(encode_sqlstate(sqlstate));
                raw::errmsg_internal(c"%s".as_ptr(), message);
                if let Some(detail) = detail {
                    raw::errdetail_internal(c"%s".as_ptr(), detail);
                }
                if let Some(hint) = hint {
                    raw::errhint(c"%s".as_ptr(), hint);
                }
                raw::errfinish(c"error.rs".as_ptr(), 0, c"raise".as_ptr());
            }
        }
        unreachable!("errfinish does not return from an ERROR")
    }
}

/// The outermost frame of every SQL function: an answer, or an error raised as it is.
///
/// `work` must own all that the function was given and that has a destructor.
pub fn answer<T>(work: impl FnOnce() -> Result<T>) -> T {
    match work() {
        Ok(value) => value,
        Err(error) => error.raise(),
    }
}

thread_local! {
    /// Whether [`trap`] has caught an error that the transaction has not been aborted for yet.
    pub static TRAPPED: Cell<bool> = const { Cell::new(false) };
}

/// Runs calls into PostgreSQL and gives back an error of theirs as a value.
///
/// `call` holds calls of unguarded PostgreSQL functions and nothing else: an error jumps out of it, so it must own
/// nothing with a destructor and must not panic.
pub fn trap<T: Copy>(call: impl FnOnce() -> T) -> Result<T> {
    // SAFETY: this is PG_TRY: the handler's stack and the context callbacks are put back on both ways out, and what
    // the jump passes over are the frames of `call`, which own nothing.
    unsafe {
        let memory_context = pg_sys::CurrentMemoryContext;
        let exception_stack = pg_sys::PG_exception_stack;
        let context_stack = pg_sys::error_context_stack;
        let mut value = MaybeUninit::<T>::uninit();
        let jumped = call_with_sigsetjmp(false, |buffer| {
            pg_sys::PG_exception_stack = std::ptr::from_ref(buffer).cast_mut().cast();
            value.write(call());
            0
        });
        pg_sys::PG_exception_stack = exception_stack;
        pg_sys::error_context_stack = context_stack;
        if jumped == 0 {
            return Ok(value.assume_init());
        }
        TRAPPED.set(true);
        // The data must outlive the SPI connection that is about to close.
        pg_sys::CurrentMemoryContext = pg_sys::TopTransactionContext;
        let data = raw::CopyErrorData();
        raw::FlushErrorState();
        pg_sys::CurrentMemoryContext = memory_context;
        Err(Error::Postgres(Caught(data)))
    }
}

/// 25006 in a read-only transaction and on a standby, whatever the answer would have been.
pub fn must_write(function: &CStr) -> Result<()> {
    trap(|| unsafe { raw::PreventCommandIfReadOnly(function.as_ptr()) })
}

/// Lets a cancel or a timeout end the call here; for use between stages that run without asking PostgreSQL anything.
pub fn check_for_interrupts() -> Result<()> {
    // SAFETY: reads a flag that a signal handler sets.
    if unsafe { pg_sys::InterruptPending } == 0 {
        return Ok(());
    }
    trap(|| unsafe { raw::ProcessInterrupts() })
}

/// PostgreSQL packs the five characters of a SQLSTATE into six bits each.
fn encode_sqlstate(sqlstate: &str) -> c_int {
    sqlstate.bytes().rev().fold(0, |packed, byte| {
        (packed << 6) | (c_int::from(byte.wrapping_sub(b'0')) & 0x3F)
    })
}

/// A C string in the current memory context. A NUL cannot come from PostgreSQL's text, and would end the text here.
fn palloc_text(text: &str) -> *mut c_char {
    let text = text.split('\0').next().unwrap_or_default();
    // SAFETY: palloc gives the bytes asked for or raises.
    unsafe {
        let copy = pg_sys::palloc(text.len() + 1).cast::<u8>();
        copy.copy_from_nonoverlapping(text.as_ptr(), text.len());
        copy.add(text.len()).write(0);
        copy.cast()
    }
}
