//! What a narrative tells beside the board: decisions, notes, tasks, sessions, events, and since when.
//!
//! These are rows as the store found them, in the order in which they are shown. How many of them a mode reads is said
//! in [`super::needs`]; how they are printed, by the renderers.

use crate::Timestamp;
use crate::board::Priority;

/// The first rows of a list, and how long the whole list is: a mode reads no more rows than it shows, and still says
/// how many it left out.
#[derive(Debug, Clone, PartialEq)]
pub struct Rows<T> {
    pub rows: Vec<T>,
    /// At least the number of `rows`.
    pub total: usize,
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self::from(Vec::new())
    }
}

/// A list that was read whole.
impl<T> From<Vec<T>> for Rows<T> {
    fn from(rows: Vec<T>) -> Self {
        let total = rows.len();
        Self { rows, total }
    }
}

#[derive(Debug, Clone, Default)]
pub struct Context {
    /// Active and pinned; by priority, then newest first.
    pub decisions: Rows<Decision>,
    /// By priority, then newest first.
    pub notes: Rows<Note>,
    /// Newest first.
    pub tasks: Rows<Task>,
    /// Active ones, last seen first.
    pub sessions: Rows<ActiveSession>,
    /// Of the project's tenant, active; by priority, then newest first.
    pub workspace_decisions: Rows<Decision>,
    /// Of the project's tenant; by priority, then newest first.
    pub workspace_notes: Rows<Note>,
    /// `handoff_template` of the tenant's settings. A project's own stands in its settings.
    pub workspace_template: Option<String>,
    /// In the order in which they happened: the newest generations, and the newest of everything else.
    pub events: Vec<Event>,
    /// From when on something counts as news: the session's newest earlier handoff, else its start. `None`: always.
    pub since: Option<Timestamp>,
    pub activity: Option<Activity>,
    /// From which history row on the board may have changed; `None` where history is off.
    pub revision_counter: Option<i64>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    pub title: String,
    pub body: String,
    pub category: Option<String>,
    pub priority: Priority,
    pub created_at: Timestamp,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Note {
    pub title: String,
    pub body: String,
    pub tags: Vec<String>,
    pub kind: String,
    pub priority: Priority,
    pub created_at: Timestamp,
}

/// A line of the task log.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    /// `progress`, `done`, `blocked` or `found`.
    pub kind: String,
    pub description: String,
    pub session_id: Option<String>,
    pub created_at: Timestamp,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ActiveSession {
    pub session_id: String,
    pub name: Option<String>,
    pub role: Option<String>,
    pub version: Option<String>,
    pub last_seen: Timestamp,
}

/// A row of the log of what the protocol did: names of things, never what they hold.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    pub event_type: String,
    pub session_id: Option<String>,
    /// Whoever did it: the session, else the database role.
    pub actor: Option<String>,
    pub item_id: Option<String>,
    pub handoff_id: Option<i64>,
    pub outcome: Option<String>,
    pub occurred_at: Timestamp,
}

/// From the first to the last sign of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Activity {
    pub first: Timestamp,
    pub last: Timestamp,
    /// Days in UTC on which something happened.
    pub distinct_days: u32,
}
