//! What one generation has read: the rows of one project as of one moment. Loading it is the store's work; nothing
//! that decides or renders reads anything else.

use serde_json::Value;

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
}

#[derive(Debug, Clone)]
pub struct Project {
    pub project_id: String,
    pub name: String,
    pub tenant_id: Option<String>,
    /// `autonomous` unless it says `interactive`.
    pub execution_mode: Option<String>,
    /// The `settings` column: `executor_config` and its neighbours, as stored.
    pub settings: Value,
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
