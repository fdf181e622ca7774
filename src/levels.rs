//! The four levels of access and what each one opens. Pure data: granting it is the concern of `store::access`, and
//! `docs/access.md` prints it.
//!
//! A new function needs one line in [`FUNCTIONS`], which tests hold against the catalog; a new table for people one word in
//! `PEOPLE`.

/// A level holds all that the ones before it do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Reads: every function that changes nothing, the views, what people wrote.
    Reader,
    /// Works: sessions, handoffs, claims.
    Executor,
    /// Plans: writes the tables of people and answers questions.
    Planner,
    /// Vouches and rules: minting, purging, access.
    Admin,
}

use Level::{Admin, Executor, Planner, Reader};

impl Level {
    pub const ALL: [Self; 4] = [Reader, Executor, Planner, Admin];

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.as_str() == text)
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Reader => "reader",
            Executor => "executor",
            Planner => "planner",
            Admin => "admin",
        }
    }

    /// The functions that this level may call, by name.
    pub fn functions(self) -> impl Iterator<Item = &'static str> {
        FUNCTIONS
            .iter()
            .filter(move |(_, level)| *level <= self)
            .map(|(name, _)| *name)
    }

    /// The rights on tables and views that this level has.
    pub fn tables(self) -> impl Iterator<Item = &'static TableRight> {
        TABLES.iter().filter(move |right| right.level <= self)
    }
}

/// Every function, with the lowest level that may call it. A trigger function that is not here is called by nobody.
pub const FUNCTIONS: &[(&str, Level)] = &[
    ("get_sprint_items", Reader),
    ("compute_board_revision", Reader),
    ("verify_board_revision", Reader),
    ("board_revision", Reader),
    ("verify_live_board", Reader),
    ("cross_check_items", Reader),
    ("board_changes_since", Reader),
    ("plan_waves", Reader),
    ("plan_waves_mermaid", Reader),
    ("resolve_handoff_mode", Reader),
    ("handoff_mode_is_retrievable", Reader),
    ("load_handoff", Reader),
    ("strip_goal_token_banner", Reader),
    ("extract_goal_block", Reader),
    ("format_handoff_mcp_content", Reader),
    ("capability_contract", Reader),
    ("blocker_policy", Reader),
    ("meridian_version", Reader),
    ("start_session", Executor),
    ("end_session", Executor),
    ("generate_handoff", Executor),
    ("verify_handoff_token", Executor),
    ("claim_sprint_item", Executor),
    ("claim_next_sprint_item", Executor),
    ("complete_sprint_item", Executor),
    ("release_sprint_item", Executor),
    ("request_hitl", Executor),
    ("report_capability_availability", Executor),
    ("answer_hitl", Planner),
    ("set_capability_manifest", Planner),
    ("mint_handoff_token", Admin),
    ("attach_board", Admin),
    ("detach_board", Admin),
    // A trigger function: attaching a board puts it on the relation as the caller.
    ("record_item_history", Admin),
    ("next_xid", Admin),
    ("purge_handoff_tokens", Admin),
    ("purge_history", Admin),
    ("grant_access", Admin),
    ("revoke_access", Admin),
    ("list_access", Admin),
];

/// One right on some tables, from a level on.
pub struct TableRight {
    pub level: Level,
    /// As GRANT spells it, with columns where it is not the whole table.
    pub privileges: &'static str,
    pub tables: &'static [&'static str],
}

const fn right(
    level: Level,
    privileges: &'static str,
    tables: &'static [&'static str],
) -> TableRight {
    TableRight {
        level,
        privileges,
        tables,
    }
}

/// The tables that people write with plain SQL.
const PEOPLE: &[&str] = &[
    "projects",
    "sprint_items",
    "sprint_item_pointers",
    "wave_gates",
    "decisions",
    "notes",
    "tasks",
    "hitl_gates",
    "sprint_versions",
    "workspace_decisions",
    "workspace_notes",
    "workspace_settings",
    "artifact_checks",
];

/// What functions and views need of the tables, since they run as their caller. The columns of the kept tables are those
/// that `handoff_status` counts: no text, no digest.
pub const TABLES: &[TableRight] = &[
    right(Reader, "SELECT", PEOPLE),
    right(Reader, "SELECT", &["handoff_status"]),
    right(
        Reader,
        "SELECT (project_id, expires_at, consumed_at, superseded_at)",
        &["handoff_tokens"],
    ),
    right(
        Reader,
        "SELECT (project_id, handoff_id, created_at)",
        &["pending_goals"],
    ),
    right(
        Reader,
        "SELECT (project_id, handoff_id, mode, checkpoint, created_at, amended_at)",
        &["handoffs"],
    ),
    right(
        Reader,
        "SELECT (project_id, state, updated_at)",
        &["release_transactions"],
    ),
    right(Reader, "SELECT (project_id)", &["board_sources"]),
    right(
        Executor,
        "UPDATE (status, claimed_by, claimed_at, completed_at, updated_at)",
        &["sprint_items"],
    ),
    // Not status nor answer: who asks cannot answer in the same breath.
    right(
        Executor,
        "INSERT (project_id, item_id, question, urgency, session_id)",
        &["hitl_gates"],
    ),
    right(Planner, "INSERT, UPDATE, DELETE", PEOPLE),
];
