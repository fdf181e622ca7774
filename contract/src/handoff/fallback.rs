//! What is answered when the reads of a generation ran out of time. It says so in every field, and nothing of it is
//! stored.
//!
//! Source: The Per-Mode Handoff Envelope Contract, "Receiver behavior" (degraded/offline).

use serde_json::Value;

use super::context::{Decision, Rows};
use super::render::l0;
use super::{Project, Request, Session, evidence_status};
use crate::{ContractError, Timestamp};

/// The name that stands for a mode in the answer; nobody can ask for it.
pub const MODE: &str = "l0_fallback";

#[derive(Debug, Clone)]
pub struct Fallback {
    pub project_id: String,
    pub session_id: Option<String>,
    pub requested_version: Option<String>,
    pub effective_version: Option<String>,
    pub content: String,
    pub evidence_status: Value,
    /// As far as it can be told without the board; the caller may put one in.
    pub capability_contract: Option<Value>,
    pub checkpoint: bool,
}

impl Fallback {
    /// `decisions`: what was read of them, `None` where nothing was.
    ///
    /// Error: MH004 for a caller who wants no weak evidence.
    pub fn new(
        project: &Project,
        session: Option<&Session>,
        decisions: Option<&Rows<Decision>>,
        request: &Request,
        now: Timestamp,
    ) -> Result<Self, ContractError> {
        let evidence_status = evidence_status::unread();
        if request.strict_evidence {
            evidence_status::require_sound(&evidence_status)?;
        }
        let non_blank = |version: &Option<String>| {
            let version = version.clone();
            version.filter(|version| !version.trim().is_empty())
        };
        let requested_version = non_blank(&request.version);
        let of_session = session.and_then(|session| non_blank(&session.version));
        Ok(Self {
            project_id: project.project_id.clone(),
            session_id: session.map(|session| session.session_id.clone()),
            effective_version: requested_version.clone().or(of_session),
            requested_version,
            content: l0::render(project, decisions, now),
            evidence_status,
            capability_contract: None,
            checkpoint: request.checkpoint,
        })
    }
}
