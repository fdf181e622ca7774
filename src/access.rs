//! What a call must pass before anything is read: its required arguments, and the door of its project.

use handoff_contract::{ContractError, ErrorCode};

use crate::error::{Error, Result, answer};
use crate::store::spi::Connection;
use crate::store::{board, history, session};

/// The frame of an SQL function that reads or writes rows: an open connection around `work`, and errors raised whole.
pub fn call<T>(work: impl FnOnce() -> Result<T>) -> T {
    answer(|| {
        let _connection = Connection::open()?;
        work()
    })
}

/// The argument, or 22004.
pub fn required<T>(value: Option<T>, argument: &str) -> Result<T> {
    value.ok_or_else(|| Error::null_argument(argument))
}

/// The elements of an array argument; NULL is the empty list, a NULL inside it an error.
pub fn elements(values: Option<Vec<Option<String>>>, argument: &str) -> Result<Vec<String>> {
    values
        .unwrap_or_default()
        .into_iter()
        .map(|value| value.ok_or_else(|| null_element(argument)))
        .collect()
}

fn null_element(argument: &str) -> Error {
    ContractError::new(
        ErrorCode::NullArgument,
        format!("argument \"{argument}\" must not hold NULL"),
        "Leave the NULL out of the array.",
    )
    .into()
}

/// `None` for NULL and for a blank text.
pub fn non_blank(value: Option<&str>) -> Option<&str> {
    value.map(str::trim).filter(|value| !value.is_empty())
}

/// 22023.
pub fn invalid(message: impl Into<String>, hint: impl Into<String>) -> Error {
    ContractError::new(ErrorCode::InvalidValue, message, hint).into()
}

pub const HOUR_MICROSECONDS: i64 = 3_600_000_000;

/// The length of an interval. Months count as 30 days, as PostgreSQL compares intervals.
pub fn microseconds(interval: &pgrx::datum::Interval) -> i64 {
    const DAY: i64 = 24 * HOUR_MICROSECONDS;
    let days = i64::from(interval.months()) * 30 + i64::from(interval.days());
    days.saturating_mul(DAY).saturating_add(interval.micros())
}

/// Who acts: an active session of the project, else the role whose rights are in force.
pub struct Actor<'a> {
    pub session_id: Option<&'a str>,
    pub name: String,
}

impl<'a> Actor<'a> {
    pub fn resolve(project_id: &str, session_id: Option<&'a str>) -> Result<Self> {
        let name = match session_id {
            Some(session_id) => session::active(project_id, session_id)?.session.session_id,
            None => history::current_role()?,
        };
        Ok(Self { session_id, name })
    }

    /// Runs writes that the history puts down to this actor's session.
    pub fn write<T>(&self, work: impl FnOnce() -> Result<T>) -> Result<T> {
        board::as_session(self.session_id, work)
    }
}
