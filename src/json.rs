//! `jsonb` in and out of SQL functions.
//!
//! pgrx's own type reads and writes JSON by panicking on whatever it cannot hold: a number beyond a double, nesting of
//! more than 128 levels, an answer of more than PostgreSQL takes. Here the first two are read, and the rest are errors
//! like any other.

use std::ffi::{CStr, CString, c_char};

use handoff_contract::text::json;
use pgrx::callconv::{ArgAbi, BoxRet, FcInfo};
use pgrx::datum::Datum as LifetimeDatum;
use pgrx::pg_sys::{self, Datum, Oid};
use pgrx::pgrx_sql_entity_graph::metadata::{
    ArgumentError, ReturnsError, ReturnsRef, SqlMappingRef, SqlTranslatable, TypeOrigin,
};
use serde_json::Value;

use crate::access::{invalid, required};
use crate::error::{Error, Result, answer, trap};
use crate::store::spi::Connection;

mod raw {
    use super::*;

    unsafe extern "C-unwind" {
        pub fn DirectFunctionCall1Coll(
            function: unsafe extern "C-unwind" fn(pg_sys::FunctionCallInfo) -> Datum,
            collation: Oid,
            argument: Datum,
        ) -> Datum;
        pub fn jsonb_in(call: pg_sys::FunctionCallInfo) -> Datum;
        pub fn jsonb_out(call: pg_sys::FunctionCallInfo) -> Datum;
    }
}

/// An argument of type `jsonb`, not yet read.
#[derive(Debug, Clone, Copy)]
pub struct Argument(Datum);

impl Argument {
    /// The document, or 22023 that names the argument.
    pub fn read(self, argument: &str) -> Result<Value> {
        let printed = trap(|| unsafe {
            raw::DirectFunctionCall1Coll(raw::jsonb_out, pg_sys::InvalidOid, self.0)
        })?;
        // SAFETY: jsonb_out gives a palloc'd C string.
        let text = unsafe { CStr::from_ptr(printed.cast_mut_ptr::<c_char>()) };
        let text = text
            .to_str()
            .map_err(|_| Error::internal("jsonb is not UTF-8"))?;
        json::parse(text).map_err(|error| {
            invalid(
                format!("argument \"{argument}\" cannot be read: {error}"),
                "Pass a flatter document.",
            )
        })
    }
}

/// The document of a required argument.
pub fn read(value: Option<Argument>, argument: &str) -> Result<Value> {
    required(value.as_ref(), argument)?.read(argument)
}

/// An answer of type `jsonb`.
#[derive(Debug)]
pub struct Answer(Datum);

/// The frame of an SQL function that answers with `jsonb`; like [`crate::access::call`].
pub fn call(work: impl FnOnce() -> Result<Value>) -> Answer {
    answer(|| {
        let value = {
            let _connection = Connection::open()?;
            work()?
        };
        // After the connection has closed: what is made while it is open ends with it.
        let text = CString::new(value.to_string())
            .map_err(|_| Error::internal("an answer holds a NUL"))?;
        let datum = trap(|| unsafe {
            let text = Datum::from(text.as_ptr());
            raw::DirectFunctionCall1Coll(raw::jsonb_in, pg_sys::InvalidOid, text)
        })?;
        Ok(Answer(datum))
    })
}

// SAFETY: the datum is the one that the function was called with, which outlives the call.
unsafe impl<'fcx> ArgAbi<'fcx> for Argument {
    unsafe fn unbox_arg_unchecked(arg: pgrx::callconv::Arg<'_, 'fcx>) -> Self {
        // SAFETY: the caller has checked that the argument is no NULL.
        let raw = unsafe { arg.unbox_arg_using_from_datum::<RawDatum>() };
        Self(raw.map_or(Datum::null(), |raw| raw.0))
    }
}

/// A datum as it is.
struct RawDatum(Datum);

impl pgrx::FromDatum for RawDatum {
    unsafe fn from_polymorphic_datum(datum: Datum, is_null: bool, _: Oid) -> Option<Self> {
        (!is_null).then_some(Self(datum))
    }
}

// SAFETY: the datum is a jsonb in the memory context of the caller.
unsafe impl BoxRet for Answer {
    unsafe fn box_into<'fcx>(self, fcinfo: &mut FcInfo<'fcx>) -> LifetimeDatum<'fcx> {
        // SAFETY: as above.
        unsafe { fcinfo.return_raw_datum(self.0) }
    }
}

macro_rules! is_jsonb {
    ($type:ty) => {
        // SAFETY: the type stands for jsonb in SQL, both ways.
        unsafe impl SqlTranslatable for $type {
            const TYPE_IDENT: &'static str = pgrx::pgrx_resolved_type!($type);
            const TYPE_ORIGIN: TypeOrigin = TypeOrigin::External;
            const ARGUMENT_SQL: std::result::Result<SqlMappingRef, ArgumentError> =
                Ok(SqlMappingRef::literal("jsonb"));
            const RETURN_SQL: std::result::Result<ReturnsRef, ReturnsError> =
                Ok(ReturnsRef::One(SqlMappingRef::literal("jsonb")));
        }
    };
}

is_jsonb!(Argument);
is_jsonb!(Answer);
