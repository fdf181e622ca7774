//! One row of the board, and what follows from its columns alone.

use std::cmp::Ordering;
use std::fmt;

use serde_json::Value;

use crate::Timestamp;

/// Where an item stands. `Unknown` is a value of an attached board that no mapping explains.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Status {
    Pending,
    Todo,
    InProgress,
    ProvisionalComplete,
    Indeterminate,
    Done,
    Failed,
    Skipped,
    Pushed,
    Unknown(String),
}

impl Status {
    /// Every known status, live ones first.
    pub const KNOWN: [Status; 9] = [
        Status::Pending,
        Status::Todo,
        Status::InProgress,
        Status::ProvisionalComplete,
        Status::Indeterminate,
        Status::Done,
        Status::Failed,
        Status::Skipped,
        Status::Pushed,
    ];

    /// What a receiver cross-checks against: the known statuses that do not end an item.
    pub const LIVE: [Status; 5] = [
        Status::Pending,
        Status::Todo,
        Status::InProgress,
        Status::ProvisionalComplete,
        Status::Indeterminate,
    ];

    /// What ends an item.
    pub const TERMINAL: [Status; 4] = [
        Status::Done,
        Status::Failed,
        Status::Skipped,
        Status::Pushed,
    ];

    /// NULL is `pending`.
    pub fn parse(text: Option<&str>) -> Self {
        let Some(text) = text else {
            return Self::Pending;
        };
        Self::KNOWN
            .into_iter()
            .find(|known| known.as_str() == text)
            .unwrap_or_else(|| Self::Unknown(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        match self {
            Self::Pending => "pending",
            Self::Todo => "todo",
            Self::InProgress => "in_progress",
            Self::ProvisionalComplete => "provisional_complete",
            Self::Indeterminate => "indeterminate",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Skipped => "skipped",
            Self::Pushed => "pushed",
            Self::Unknown(text) => text,
        }
    }

    /// `pending` and `todo`, which mean the same everywhere.
    pub fn is_pending(&self) -> bool {
        matches!(self, Self::Pending | Self::Todo)
    }

    /// What a claim may move to `in_progress`.
    pub fn is_claimable(&self) -> bool {
        matches!(
            self,
            Self::Pending | Self::Todo | Self::Indeterminate | Self::ProvisionalComplete
        )
    }

    /// The non-done statuses that a receiver cross-checks against.
    pub fn is_live(&self) -> bool {
        self.is_claimable() || *self == Self::InProgress
    }

    pub fn is_terminal(&self) -> bool {
        matches!(
            self,
            Self::Done | Self::Failed | Self::Skipped | Self::Pushed
        )
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What makes a text unfit as an item id: ids stand comma-separated in a handoff, on one line, between quotes.
pub fn item_id_problem(item_id: &str) -> Option<&'static str> {
    let breaks_line = |c: char| c.is_control() || crate::text::xml::breaks_line_or_invalid(c);
    match item_id {
        "" => Some("it is empty"),
        id if id.contains(',') => Some("it holds a comma"),
        id if id.contains(breaks_line) => Some("it holds a control character"),
        id if id.trim() != id => Some("it begins or ends with a space"),
        _ => None,
    }
}

/// NULL and unknown values are `Normal`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Priority {
    Urgent,
    High,
    Normal,
    Low,
}

impl Priority {
    pub fn parse(text: Option<&str>) -> Self {
        match text {
            Some("urgent") => Self::Urgent,
            Some("high") => Self::High,
            Some("low") => Self::Low,
            _ => Self::Normal,
        }
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Urgent => "urgent",
            Self::High => "high",
            Self::Normal => "normal",
            Self::Low => "low",
        }
    }
}

/// Whether a failed predecessor satisfies (`Continue`) or blocks (`Stop`) the item that names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureMode {
    Continue,
    Stop,
}

impl FailureMode {
    pub fn parse(text: Option<&str>) -> Self {
        if text == Some("stop") {
            Self::Stop
        } else {
            Self::Continue
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MilestoneType {
    Task,
    Milestone,
    Human,
}

impl MilestoneType {
    pub fn parse(text: Option<&str>) -> Self {
        match text {
            Some("milestone") => Self::Milestone,
            Some("human") => Self::Human,
            _ => Self::Task,
        }
    }
}

/// `Manual` hides an item from executors; the other two also refuse a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockerKind {
    Manual,
    Superseded,
    SystemicInvalidatedRun,
}

impl BlockerKind {
    pub fn parse(text: Option<&str>) -> Option<Self> {
        match text {
            Some("manual") => Some(Self::Manual),
            Some("superseded") => Some(Self::Superseded),
            Some("systemic_invalidated_run") => Some(Self::SystemicInvalidatedRun),
            _ => None,
        }
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Manual => "manual",
            Self::Superseded => "superseded",
            Self::SystemicInvalidatedRun => "systemic_invalidated_run",
        }
    }
}

/// A sprint item. `depends_on` is already parsed and de-duplicated (see [`super::dependency`]), keeping its order.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    pub item_id: String,
    pub title: String,
    pub notes: Option<String>,
    pub status: Status,
    pub priority: Priority,
    pub version: Option<String>,
    pub depends_on: Vec<String>,
    pub failure_mode: FailureMode,
    pub item_group: Option<String>,
    pub milestone_type: MilestoneType,
    pub human_id: Option<String>,
    pub blocker_kind: Option<BlockerKind>,
    /// The wave label of wave gates (`W2`); unrelated to dependency waves.
    pub wave: Option<String>,
    pub track: Option<String>,
    pub deferred_until: Option<Timestamp>,
    /// Typed ids such as `file:src/a.rs` or `symbol:src/a.rs::main`.
    pub touches_resources: Vec<String>,
    /// A JSON array of tool requirements as stored.
    pub tool_requirements: Value,
    pub required_tool: Option<String>,
    pub prospect_bypass: bool,
    pub artifact_policy: Option<Value>,
    pub parent_id: Option<String>,
    pub merged_into: Option<String>,
    pub claimed_by: Option<String>,
    pub claimed_at: Option<Timestamp>,
    pub added_at: Timestamp,
    pub completed_at: Option<Timestamp>,
}

impl Item {
    /// A pending item with the defaults of the table.
    pub fn new(item_id: impl Into<String>, title: impl Into<String>) -> Self {
        Self {
            item_id: item_id.into(),
            title: title.into(),
            notes: None,
            status: Status::Todo,
            priority: Priority::Normal,
            version: None,
            depends_on: Vec::new(),
            failure_mode: FailureMode::Continue,
            item_group: None,
            milestone_type: MilestoneType::Task,
            human_id: None,
            blocker_kind: None,
            wave: None,
            track: None,
            deferred_until: None,
            touches_resources: Vec::new(),
            tool_requirements: Value::Array(Vec::new()),
            required_tool: None,
            prospect_bypass: false,
            artifact_policy: None,
            parent_id: None,
            merged_into: None,
            claimed_by: None,
            claimed_at: None,
            added_at: Timestamp(0),
            completed_at: None,
        }
    }

    /// Priority, `added_at`, id by code point.
    pub fn listing_order(&self, other: &Self) -> Ordering {
        self.priority
            .cmp(&other.priority)
            .then(self.added_at.cmp(&other.added_at))
            .then_with(|| self.item_id.cmp(&other.item_id))
    }

    pub fn in_version(&self, version: Option<&str>) -> bool {
        version.is_none() || self.version.as_deref() == version
    }

    /// For a human: `blocker_kind` manual, milestone type human, or a title that starts with `MANUAL` in any case.
    /// An assignee (`human_id`) alone makes nothing manual.
    pub fn is_manual(&self) -> bool {
        self.blocker_kind == Some(BlockerKind::Manual)
            || self.milestone_type == MilestoneType::Human
            || self
                .title
                .trim_start()
                .get(..6)
                .is_some_and(|head| head.eq_ignore_ascii_case("MANUAL"))
    }

    pub fn is_deferred(&self, now: Timestamp) -> bool {
        self.deferred_until.is_some_and(|until| until > now)
    }

    /// Parked: on the backburner track, or deferred into the future.
    pub fn is_backburner(&self, now: Timestamp) -> bool {
        self.track
            .as_deref()
            .is_some_and(|track| track.trim().eq_ignore_ascii_case("backburner"))
            || self.is_deferred(now)
    }

    pub fn declares_resources(&self) -> bool {
        !self.touches_resources.is_empty()
    }
}

/// Where the code or artifact of an item lies: `targets` as stored, `[{uri, selector, subSelector?, target_kind}]`.
#[derive(Debug, Clone, PartialEq)]
pub struct Pointer {
    pub item_id: String,
    pub pointer_id: i64,
    pub source_type: String,
    pub targets: Value,
    pub label: Option<String>,
    /// `None`: nobody looked yet.
    pub target_resolved: Option<bool>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_that_would_blur_a_list_are_told_apart() {
        for fit in ["1", "12.3", "a b", "é-日", "x\"<&>"] {
            assert_eq!(item_id_problem(fit), None, "{fit}");
        }
        for unfit in ["", "a,b", "a\nb", " a", "a ", "a\u{2028}b", "\u{85}"] {
            assert!(item_id_problem(unfit).is_some(), "{unfit:?}");
        }
    }
}
