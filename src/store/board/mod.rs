//! The rows of a board, read and written as the caller.
//!
//! Everything that asks for items goes through [`BoardSource`], so nothing above this module knows whether they lie in
//! `meridian.sprint_items` or in a relation of the user's.

mod attached;
mod context;
mod mapping;
mod own;
mod row;
pub mod sources;

use handoff_contract::board::{Item, Status};

use super::guard;
use super::spi::Visibility;
use crate::error::{Error, Result};

pub use context::{gates, pointers};
pub use mapping::{Mapping, qualified_name};

/// How to lock the row of an item before deciding over it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lock {
    /// Waits for whoever holds it.
    Wait,
    /// A row that somebody else holds is not there.
    SkipLocked,
}

/// What a look-up by id gave.
#[derive(Debug)]
pub enum Found {
    Nothing,
    Item(Box<Item>),
    /// Several rows of an attached relation go by the id.
    Several,
}

/// A change of status, with what the table keeps beside it.
#[derive(Debug, Clone, Copy)]
pub enum Transition<'a> {
    Claim {
        by: &'a str,
    },
    Complete {
        status: &'a Status,
        note: Option<&'a str>,
    },
    Release,
}

/// Where the items of one project lie.
pub trait BoardSource {
    /// Every item, in no particular order.
    fn items(&self) -> Result<Vec<Item>>;
    /// The items of `version` (all with `None`) in the given statuses; with `None`, in any that does not end an item, the
    /// ones that nobody knows included.
    fn items_in(&self, statuses: Option<&[Status]>, version: Option<&str>) -> Result<Vec<Item>>;
    /// Those of the ids that exist.
    fn items_by_id(&self, item_ids: &[String], visibility: Visibility) -> Result<Vec<Item>>;
    /// The item as it is now, locked until the transaction ends.
    fn lock_item(&self, item_id: &str, lock: Lock) -> Result<Found>;
    /// Moves a locked item on and gives it as it is afterwards.
    fn transition(&self, item: &Item, transition: Transition<'_>) -> Result<Item>;
    /// The digest over every item of `version` (all with `None`), streamed.
    fn revision(&self, version: Option<&str>) -> Result<String>;
    /// Whether the relation says who holds an item. Where it does not, whoever acts counts as the holder.
    fn keeps_holder(&self) -> bool {
        true
    }
}

/// The board of a project: the relation attached to it, or `meridian.sprint_items`.
pub fn source(project_id: &str) -> Result<Box<dyn BoardSource + '_>> {
    Ok(match sources::of_project(project_id)? {
        Some(attachment) => attached(project_id, &attachment)?,
        None => Box::new(own::OwnTable { project_id }),
    })
}

/// The board of a project in a relation of the user's.
pub fn attached<'a>(
    project_id: &'a str,
    attachment: &sources::Attachment,
) -> Result<Box<dyn BoardSource + 'a>> {
    Ok(Box::new(attached::Attached::open(project_id, attachment)?))
}

/// Writes of `work` carry this session in the history; without one, whatever the caller has set stands.
pub fn as_session<T>(session_id: Option<&str>, work: impl FnOnce() -> Result<T>) -> Result<T> {
    let Some(session_id) = session_id else {
        return work();
    };
    let session_id = std::ffi::CString::new(session_id)
        .map_err(|_| Error::internal("a session id holds a NUL"))?;
    guard::with_settings(&[(c"meridian.session_id", &session_id)], work)
}

/// The item as a transition leaves it, for a relation that no longer shows the row.
fn moved(item: &Item, transition: Transition<'_>) -> Item {
    let mut item = item.clone();
    match transition {
        Transition::Claim { by } => {
            item.status = Status::InProgress;
            item.claimed_by = Some(by.to_owned());
        }
        Transition::Complete { status, .. } => item.status = status.clone(),
        Transition::Release => {
            item.status = Status::Pending;
            item.claimed_by = None;
            item.claimed_at = None;
        }
    }
    item
}

/// A write that touched no row although it was locked: a trigger of the relation's swallowed it.
fn require_written(written: usize, item_id: &str) -> Result<()> {
    if written > 0 {
        return Ok(());
    }
    Err(handoff_contract::ContractError::new(
        handoff_contract::ErrorCode::BoardReadOnly,
        format!("the write to item \"{item_id}\" did not take effect"),
        "A trigger or rule of the board's relation keeps the row as it was; see what it asks for.",
    )
    .into())
}
