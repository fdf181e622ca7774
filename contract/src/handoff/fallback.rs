//! What is answered when the reads of a generation ran out of time. It says so in every field, and nothing of it is
//! stored.
//!
//! Source: The Per-Mode Handoff Envelope Contract, "Receiver behavior" (degraded/offline).

use serde_json::Value;

use super::context::{Decision, Rows};
use super::render::l0;
use super::{Project, Request, Session, evidence_status, readiness};
use crate::capability::{Manifest, Reported};
use crate::{ContractError, Timestamp};

/// The name that stands for a mode in the answer; nobody can ask for it.
pub const MODE: &str = "l0_fallback";

/// What a generation reads before the board, in this order. Each is `None` until it was read; a project's session and
/// its manifest are options of their own.
#[derive(Debug, Clone, Default)]
pub struct Early {
    pub decisions: Option<Rows<Decision>>,
    pub session: Option<Session>,
    pub tools: Option<Tools>,
}

/// What the project needs of tools, and what was last found out about them.
#[derive(Debug, Clone, Default)]
pub struct Tools {
    pub manifest: Option<Manifest>,
    pub reported: Vec<Reported>,
}

#[derive(Debug, Clone)]
pub struct Fallback {
    pub project_id: String,
    pub session_id: Option<String>,
    pub requested_version: Option<String>,
    pub effective_version: Option<String>,
    pub content: String,
    pub evidence_status: Value,
    /// Never executable, since the board is not known. `None` where the tools were not read, either.
    pub capability_contract: Option<Value>,
    pub checkpoint: bool,
}

impl Fallback {
    /// Error: MH004 for a caller who wants no weak evidence.
    pub fn new(
        project: &Project,
        early: &Early,
        request: &Request,
        now: Timestamp,
    ) -> Result<Self, ContractError> {
        let evidence_status = evidence_status::unread();
        if request.strict_evidence {
            evidence_status::require_sound(&evidence_status)?;
        }
        let session = early.session.as_ref();
        let non_blank = |version: &Option<String>| {
            let version = version.clone();
            version.filter(|version| !version.trim().is_empty())
        };
        let requested_version = non_blank(&request.version);
        let of_session = session.and_then(|session| non_blank(&session.version));
        let tools = early.tools.as_ref();
        Ok(Self {
            project_id: project.project_id.clone(),
            session_id: session.map(|session| session.session_id.clone()),
            effective_version: requested_version.clone().or(of_session),
            requested_version,
            content: l0::render(project, early.decisions.as_ref(), now),
            evidence_status,
            capability_contract: tools
                .map(|tools| readiness::without_the_board(&project.project_id, tools, now)),
            checkpoint: request.checkpoint,
        })
    }
}
