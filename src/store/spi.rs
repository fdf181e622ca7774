//! Statements: prepared once a backend, run over SPI with the snapshot that the caller asks for, read as Rust values.
//!
//! Plans are kept in the backend that made them (a plan is private to its process, so no lock is needed); PostgreSQL
//! itself re-plans them when a table, a role or the search path that they depend on changes. Statements run as whoever
//! is the current user; see [`super::guard`] for the ones that must not run as the caller.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::{CStr, CString, c_int, c_long};
use std::marker::PhantomData;

use handoff_contract::text::json;
use handoff_contract::{ContractError, ErrorCode, Timestamp};
use pgrx::pg_sys::{self, Datum, Oid};
use pgrx::{FromDatum, IntoDatum};
use serde_json::Value;

use crate::error::{Error, Result, TRAPPED, trap};

mod raw {
    use super::*;

    unsafe extern "C-unwind" {
        pub fn SPI_connect() -> c_int;
        pub fn SPI_finish() -> c_int;
        pub fn SPI_prepare(
            source: *const std::ffi::c_char,
            count: c_int,
            types: *mut Oid,
        ) -> pg_sys::SPIPlanPtr;
        pub fn SPI_execute(
            source: *const std::ffi::c_char,
            read_only: bool,
            limit: c_long,
        ) -> c_int;
        pub fn SPI_keepplan(plan: pg_sys::SPIPlanPtr) -> c_int;
        pub fn SPI_execute_plan(
            plan: pg_sys::SPIPlanPtr,
            values: *mut Datum,
            nulls: *const std::ffi::c_char,
            read_only: bool,
            limit: c_long,
        ) -> c_int;
        pub fn SPI_cursor_open(
            name: *const std::ffi::c_char,
            plan: pg_sys::SPIPlanPtr,
            values: *mut Datum,
            nulls: *const std::ffi::c_char,
            read_only: bool,
        ) -> pg_sys::Portal;
        pub fn SPI_cursor_fetch(portal: pg_sys::Portal, forward: bool, count: c_long);
        pub fn SPI_cursor_close(portal: pg_sys::Portal);
        pub fn SPI_getbinval(
            row: pg_sys::HeapTuple,
            description: pg_sys::TupleDesc,
            column: c_int,
            is_null: *mut bool,
        ) -> Datum;
        pub fn SPI_fname(description: pg_sys::TupleDesc, column: c_int) -> *mut std::ffi::c_char;
        pub fn SPI_freetuptable(table: *mut pg_sys::SPITupleTable);
        pub fn pg_detoast_datum_packed(datum: *mut pg_sys::varlena) -> *mut pg_sys::varlena;
    }
}

/// An open SPI connection. Everything read through it is copied out before it closes.
///
/// An error of PostgreSQL leaves SPI's stack where it was raised, which is deeper than here if it came from a function that
/// uses SPI itself. Only the abort that must follow unwinds that, so after such an error nothing is closed or freed.
pub struct Connection {
    /// Whether an error had been trapped before, in a connection around this one.
    outer_error: bool,
}

impl Connection {
    pub fn open() -> Result<Self> {
        match trap(|| unsafe { raw::SPI_connect() })? {
            code if code == pg_sys::SPI_OK_CONNECT as c_int => Ok(Self {
                outer_error: TRAPPED.replace(false),
            }),
            code => Err(Error::internal(format!("SPI_connect failed with {code}"))),
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        if !TRAPPED.replace(self.outer_error) {
            // SAFETY: closes the connection that `open` made; it raises nothing.
            unsafe { raw::SPI_finish() };
        }
    }
}

/// Which rows a statement sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visibility {
    /// Those of the calling statement's own snapshot: several reads see one state of the database. Cannot write.
    CallerSnapshot,
    /// Those committed by now (at READ COMMITTED), and this transaction's own. May write and lock.
    Fresh,
}

/// A statement with the types of its parameters: a fixed text, or one built for a relation of the user's.
pub struct Statement<S = &'static str> {
    sql: S,
    types: &'static [Oid],
}

pub const TEXT: Oid = pg_sys::TEXTOID;
pub const TEXT_ARRAY: Oid = pg_sys::TEXTARRAYOID;
pub const INT8: Oid = pg_sys::INT8OID;
pub const OID: Oid = pg_sys::OIDOID;
pub const BOOL: Oid = pg_sys::BOOLOID;
pub const BYTEA: Oid = pg_sys::BYTEAOID;
pub const TIMESTAMPTZ: Oid = pg_sys::TIMESTAMPTZOID;

/// A parameter; `None` is NULL.
pub type Parameter = Option<Datum>;

pub fn text(value: &str) -> Parameter {
    value.into_datum()
}

pub fn optional_text(value: Option<&str>) -> Parameter {
    value.and_then(IntoDatum::into_datum)
}

pub fn texts<S: AsRef<str>>(values: &[S]) -> Parameter {
    values
        .iter()
        .map(AsRef::as_ref)
        .collect::<Vec<&str>>()
        .into_datum()
}

/// A JSON value as the text that the statement casts.
pub fn json_text(value: &Value) -> Parameter {
    value.to_string().into_datum()
}

pub fn timestamp(value: Timestamp) -> Parameter {
    Some(Datum::from(to_postgres_time(value)))
}

thread_local! {
    static PLANS: RefCell<HashMap<Box<str>, pg_sys::SPIPlanPtr>> = RefCell::new(HashMap::new());
}

impl<S> Statement<S> {
    pub const fn new(sql: S, types: &'static [Oid]) -> Self {
        Self { sql, types }
    }
}

impl<S: AsRef<str>> Statement<S> {
    /// Runs to the end and gives all rows.
    pub fn run(&self, visibility: Visibility, parameters: &[Parameter]) -> Result<Rows> {
        let plan = self.plan()?;
        let (mut values, nulls) = bind(parameters);
        let read_only = visibility == Visibility::CallerSnapshot;
        let code = trap(|| unsafe {
            raw::SPI_execute_plan(plan, values.as_mut_ptr(), nulls.as_ptr(), read_only, 0)
        })?;
        if code < 0 {
            return Err(Error::internal(format!(
                "SPI_execute_plan failed with {code}"
            )));
        }
        // SAFETY: set by the call above, on the one thread that a backend has.
        unsafe { Ok(Rows::take(pg_sys::SPI_tuptable, pg_sys::SPI_processed)) }
    }

    /// Runs and gives the only row, if there is one.
    pub fn row(
        &self,
        visibility: Visibility,
        parameters: &[Parameter],
    ) -> Result<Option<OwnedRow>> {
        let rows = self.run(visibility, parameters)?;
        Ok((rows.len() > 0).then_some(OwnedRow(rows)))
    }

    /// Hands every row of a read to `each`, some thousands at a time, so memory stays flat however many there are.
    pub fn stream(
        &self,
        parameters: &[Parameter],
        mut each: impl FnMut(Row<'_>) -> Result<()>,
    ) -> Result<()> {
        const BATCH: c_long = 5_000;
        let plan = self.plan()?;
        let (mut values, nulls) = bind(parameters);
        let portal = trap(|| unsafe {
            raw::SPI_cursor_open(
                std::ptr::null(),
                plan,
                values.as_mut_ptr(),
                nulls.as_ptr(),
                true,
            )
        })?;
        loop {
            trap(|| unsafe { raw::SPI_cursor_fetch(portal, true, BATCH) })?;
            // SAFETY: as in `run`.
            let rows = unsafe { Rows::take(pg_sys::SPI_tuptable, pg_sys::SPI_processed) };
            for row in rows.iter() {
                each(row)?;
            }
            if rows.len() == 0 {
                return trap(|| unsafe { raw::SPI_cursor_close(portal) });
            }
        }
    }

    fn plan(&self) -> Result<pg_sys::SPIPlanPtr> {
        let sql = self.sql.as_ref();
        if let Some(plan) = PLANS.with_borrow(|plans| plans.get(sql).copied()) {
            return Ok(plan);
        }
        let source = CString::new(sql).map_err(|_| Error::internal("a statement holds a NUL"))?;
        let mut types = self.types.to_vec();
        let plan = trap(|| unsafe {
            let plan = raw::SPI_prepare(source.as_ptr(), types.len() as c_int, types.as_mut_ptr());
            if plan.is_null() || raw::SPI_keepplan(plan) != 0 {
                std::ptr::null_mut()
            } else {
                plan
            }
        })?;
        if plan.is_null() {
            return Err(Error::internal("SPI_prepare failed"));
        }
        PLANS.with_borrow_mut(|plans| plans.insert(sql.into(), plan));
        Ok(plan)
    }
}

/// Runs a statement that is of use once or cannot have parameters, such as DDL. Whoever builds its text quotes what goes
/// into it.
pub fn run_once(sql: &str) -> Result<()> {
    let source = CString::new(sql).map_err(|_| Error::internal("a statement holds a NUL"))?;
    match trap(|| unsafe { raw::SPI_execute(source.as_ptr(), false, 0) })? {
        code if code < 0 => Err(Error::internal(format!("SPI_execute failed with {code}"))),
        _ => Ok(()),
    }
}

/// Values and PostgreSQL's null map (`n` where NULL).
fn bind(parameters: &[Parameter]) -> (Vec<Datum>, Vec<std::ffi::c_char>) {
    parameters
        .iter()
        .map(|parameter| match parameter {
            Some(datum) => (*datum, b' ' as std::ffi::c_char),
            None => (Datum::from(0), b'n' as std::ffi::c_char),
        })
        .unzip()
}

/// The rows of one statement; freed with it.
pub struct Rows {
    table: *mut pg_sys::SPITupleTable,
    processed: usize,
}

impl Rows {
    /// # Safety
    /// `table` is the tuple table of the statement just run, or null, and `count` its number of rows.
    unsafe fn take(table: *mut pg_sys::SPITupleTable, count: u64) -> Self {
        Self {
            table,
            processed: count as usize,
        }
    }

    /// Rows that came back.
    pub fn len(&self) -> usize {
        if self.table.is_null() {
            0
        } else {
            self.processed
        }
    }

    /// Rows that the statement read or wrote.
    pub fn processed(&self) -> usize {
        self.processed
    }

    pub fn iter(&self) -> impl Iterator<Item = Row<'_>> {
        (0..self.len()).map(|at| self.row(at))
    }

    fn row(&self, at: usize) -> Row<'_> {
        // SAFETY: `at` is below the count of rows of a table that lives as long as `self`.
        unsafe {
            Row {
                tuple: *(*self.table).vals.add(at),
                description: (*self.table).tupdesc,
                rows: PhantomData,
            }
        }
    }
}

impl Drop for Rows {
    fn drop(&mut self) {
        if !self.table.is_null() && !TRAPPED.get() {
            // SAFETY: the table came from SPI and is freed once, before its connection closes.
            unsafe { raw::SPI_freetuptable(self.table) };
        }
    }
}

/// The one row of [`Statement::row`].
pub struct OwnedRow(Rows);

impl OwnedRow {
    pub fn get(&self) -> Row<'_> {
        self.0.row(0)
    }
}

/// One row. Columns count from 1.
#[derive(Clone, Copy)]
pub struct Row<'a> {
    tuple: pg_sys::HeapTuple,
    description: pg_sys::TupleDesc,
    rows: PhantomData<&'a Rows>,
}

impl<'a> Row<'a> {
    pub fn datum(&self, column: c_int) -> Option<Datum> {
        let mut is_null = false;
        // SAFETY: tuple and description belong together; a column out of range sets is_null.
        let datum =
            unsafe { raw::SPI_getbinval(self.tuple, self.description, column, &mut is_null) };
        (!is_null).then_some(datum)
    }

    /// A text column, borrowed where it lies in the row uncompressed.
    pub fn str(&self, column: c_int) -> Result<Option<&'a str>> {
        self.datum(column).map(borrow_text).transpose()
    }

    pub fn text(&self, column: c_int) -> Result<Option<String>> {
        Ok(self.str(column)?.map(str::to_owned))
    }

    /// A text column that the table declares NOT NULL.
    pub fn required_text(&self, column: c_int) -> Result<String> {
        self.text(column)?
            .ok_or_else(|| Error::internal(format!("column {column} is NULL")))
    }

    pub fn int8(&self, column: c_int) -> Option<i64> {
        self.datum(column).map(|datum| datum.value() as i64)
    }

    pub fn bool(&self, column: c_int) -> Option<bool> {
        self.datum(column).map(|datum| datum.value() != 0)
    }

    pub fn timestamp(&self, column: c_int) -> Option<Timestamp> {
        self.datum(column)
            .map(|datum| from_postgres_time(datum.value() as i64))
    }

    /// A `text[]` without NULLs.
    pub fn texts(&self, column: c_int) -> Option<Vec<String>> {
        // SAFETY: the column is a text array.
        self.datum(column)
            .and_then(|datum| unsafe { Vec::<Option<String>>::from_datum(datum, false) })
            .map(|list| list.into_iter().flatten().collect())
    }

    /// A JSON column that the statement has cast to text.
    pub fn json(&self, column: c_int) -> Result<Option<Value>> {
        let Some(text) = self.str(column)? else {
            return Ok(None);
        };
        json::parse(text)
            .map(Some)
            .map_err(|error| self.unreadable(column, &error))
    }

    /// A document too deep to work with is in a row of somebody's: it is told by where it stands.
    fn unreadable(&self, column: c_int, error: &json::JsonError) -> Error {
        let first = self.str(1).ok().flatten().unwrap_or_default();
        let name = self.name(column);
        ContractError::new(
            ErrorCode::InvalidValue,
            format!("{name} of \"{first}\" cannot be read: {error}"),
            "Store a flatter document there.",
        )
        .into()
    }

    /// The name of a column as the statement gives it.
    fn name(&self, column: c_int) -> String {
        // SAFETY: null for a column out of range, else a palloc'd C string.
        unsafe {
            let name = raw::SPI_fname(self.description, column);
            if name.is_null() {
                format!("column {column}")
            } else {
                CStr::from_ptr(name).to_string_lossy().into_owned()
            }
        }
    }

    /// A `bytea` of 32 bytes.
    pub fn digest(&self, column: c_int) -> Result<Option<[u8; 32]>> {
        self.datum(column)
            .map(|datum| {
                borrow_bytes(datum)?
                    .try_into()
                    .map_err(|_| Error::internal(format!("column {column} is no digest")))
            })
            .transpose()
    }
}

fn borrow_text<'a>(datum: Datum) -> Result<&'a str> {
    std::str::from_utf8(borrow_bytes(datum)?).map_err(|_| Error::internal("text is not UTF-8"))
}

/// The bytes of a varlena: in place, or decompressed into memory that lives as long as the connection.
fn borrow_bytes<'a>(datum: Datum) -> Result<&'a [u8]> {
    let stored = datum.cast_mut_ptr::<pg_sys::varlena>();
    let plain = trap(|| unsafe { raw::pg_detoast_datum_packed(stored) })?;
    // SAFETY: detoasting leaves a varlena with a one- or four-byte header.
    unsafe { Ok(pgrx::varlena::varlena_to_byte_slice(plain)) }
}

/// Microseconds between 1970-01-01 and PostgreSQL's own epoch, 2000-01-01.
const EPOCH_SHIFT: i64 = 946_684_800_000_000;

pub fn from_postgres_time(value: i64) -> Timestamp {
    match value {
        i64::MIN => Timestamp::NEG_INFINITY,
        i64::MAX => Timestamp::INFINITY,
        // The last instants that PostgreSQL knows lie beyond ours; they are no infinity for that.
        value => Timestamp(value.saturating_add(EPOCH_SHIFT).min(i64::MAX - 1)),
    }
}

pub fn to_postgres_time(value: Timestamp) -> i64 {
    match value {
        Timestamp::NEG_INFINITY => i64::MIN,
        Timestamp::INFINITY => i64::MAX,
        Timestamp(value) => value.saturating_sub(EPOCH_SHIFT),
    }
}

/// The wall clock, not the start of the transaction.
pub fn clock() -> Timestamp {
    // SAFETY: reads the system's clock.
    from_postgres_time(unsafe { pg_sys::GetCurrentTimestamp() })
}
