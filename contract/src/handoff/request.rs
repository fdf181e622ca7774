//! What the caller asks of one generation, already free of NULLs and SQL types.

use super::receiver::Receiver;
use super::{Mode, Session};
use crate::ContractError;

#[derive(Debug, Clone, Default)]
pub struct Request {
    pub requested_mode: Option<String>,
    pub session_id: Option<String>,
    pub version: Option<String>,
    /// In the order given, duplicates and all; empty means no selection.
    pub selected_item_ids: Vec<String>,
    pub force_include_ids: Vec<String>,
    pub checkpoint: bool,
    /// Unclaimed work that could go on is an error rather than a line in the answer; the modes that report on
    /// continuation alone heed it, and no checkpoint does.
    pub strict_continuation: bool,
    /// Weak evidence is an error rather than a line in the answer.
    pub strict_evidence: bool,
    /// A pointer whose target was not found is no evidence.
    pub strict_pointer_evidence: bool,
    pub pending_goal_receiver: Option<Receiver>,
    /// The caller's own summary, printed under its own heading outside the block.
    pub ai_summary: Option<String>,
}

impl Request {
    /// The mode of this call; see [`Mode::resolve`].
    pub fn mode(&self, session: Option<&Session>) -> Result<Mode, ContractError> {
        Mode::resolve(
            self.requested_mode.as_deref(),
            session.is_some_and(|session| session.resumed),
            session.and_then(|session| session.role.as_deref()),
        )
    }
}
