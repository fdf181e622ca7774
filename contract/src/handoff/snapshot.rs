//! What one generation has read: the rows of one project as of one moment. Loading it is the store's work; nothing
//! that decides or renders reads anything else.

use serde_json::Value;

use super::context::Context;
use crate::Timestamp;
use crate::board::Board;
use crate::capability::{Manifest, Reported};

#[derive(Debug, Clone)]
pub struct Snapshot {
    pub now: Timestamp,
    pub project: Project,
    /// The tenant's `loop_enabled_default`, where its settings name one.
    pub loop_enabled_default: Option<bool>,
    /// The session the call names; its existence in this project was checked when loading.
    pub session: Option<Session>,
    pub board: Board,
    /// The description of the version `''`: the project's own completion criteria.
    pub completion_criteria: Option<String>,
    /// Open gates, oldest first.
    pub hitl_gates: Vec<HitlGate>,
    pub artifact_checks: Vec<ArtifactCheck>,
    /// `None`: the project never declared what it needs.
    pub capability_manifest: Option<Manifest>,
    /// What was last found out about each tool.
    pub reported_tools: Vec<Reported>,
    /// What stands beside the board. Empty in what the mode does not read, see [`super::needs::Needs`].
    pub context: Context,
}

impl Snapshot {
    /// A project without items, gates and history.
    pub fn new(project: Project, now: Timestamp) -> Self {
        Self {
            now,
            project,
            loop_enabled_default: None,
            session: None,
            board: Board::default(),
            completion_criteria: None,
            hitl_gates: Vec::new(),
            artifact_checks: Vec::new(),
            capability_manifest: None,
            reported_tools: Vec::new(),
            context: Context::default(),
        }
    }
}

#[derive(Debug, Clone)]
pub struct Project {
    pub project_id: String,
    pub name: String,
    pub tenant_id: Option<String>,
    pub north_star: Option<String>,
    pub version_goal: Option<String>,
    pub sprint_focus: Option<String>,
    /// `None`: nobody knows how old the focus is.
    pub sprint_focus_updated_at: Option<Timestamp>,
    pub agent_instructions: Option<String>,
    /// `autonomous` unless it says `interactive`.
    pub execution_mode: Option<String>,
    /// The `settings` column: `executor_config` and its neighbours, as stored.
    pub settings: Value,
}

impl Project {
    /// A project with the defaults of the table.
    pub fn new(project_id: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            project_id: project_id.into(),
            name: name.into(),
            tenant_id: None,
            north_star: None,
            version_goal: None,
            sprint_focus: None,
            sprint_focus_updated_at: None,
            agent_instructions: None,
            execution_mode: None,
            settings: Value::Object(serde_json::Map::new()),
        }
    }
}

#[derive(Debug, Clone)]
pub struct Session {
    pub session_id: String,
    pub name: Option<String>,
    pub role: Option<String>,
    pub human_id: Option<String>,
    pub version: Option<String>,
    pub worktree: Option<String>,
    /// Whether this session's events hold a generation that makes it a resumed one.
    pub resumed: bool,
}

#[derive(Debug, Clone)]
pub struct HitlGate {
    pub gate_id: String,
    pub item_id: Option<String>,
    pub question: String,
    pub urgency: String,
    pub created_at: Timestamp,
}

/// A finding of a check on an artifact that an item points to.
#[derive(Debug, Clone)]
pub struct ArtifactCheck {
    pub item_id: Option<String>,
    pub path: String,
    pub check_name: String,
    /// `passed`, `failed` or `unavailable`.
    pub status: String,
    pub detail: Option<Value>,
}
