//! A finished handoff: what is stored, hashed and answered. Its token is minted and put in by the caller.

use serde_json::Value;

use super::Mode;
use super::readiness::Readiness;
use crate::Timestamp;
use crate::board::selection::{Rejection, SelectedScope};
use crate::goal::token;
use crate::text::json::sha256_hex;

/// Numbers of items in the effective scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ItemCounts {
    /// Pending before any filter.
    pub pending: usize,
    /// Being worked on in the version of the scope; a selection holds pending items only and does not narrow this.
    pub in_progress: usize,
    /// Handed out.
    pub selected: usize,
    /// Removed by a filter.
    pub excluded: usize,
}

/// A handoff without its token.
#[derive(Debug, Clone)]
pub struct Generated {
    pub mode: Mode,
    /// Without token and banner: what is hashed and stored.
    pub content: String,
    /// The part of the content that a token is minted for; in mode goal, all of it.
    pub block: Option<String>,
    pub project_id: String,
    pub session_id: Option<String>,
    pub requested_version: Option<String>,
    pub effective_version: Option<String>,
    pub selected_scope: Option<SelectedScope>,
    pub force_include_rejected: Vec<Rejection>,
    pub evidence_status: Value,
    /// `None` in the modes that do not report on it.
    pub continuation_status: Option<Value>,
    pub run_timeline: Option<Value>,
    pub readiness: Readiness,
    pub counts: ItemCounts,
    pub board_revision: String,
    pub checkpoint: bool,
    pub generated_at: Timestamp,
}

impl Generated {
    /// 64 hex characters over the content as stored.
    pub fn content_hash(&self) -> String {
        sha256_hex(self.content.as_bytes())
    }

    /// Whether `load_handoff` gives it back: it passes over checkpoints, whatever their mode.
    pub fn is_retrievable(&self) -> bool {
        self.mode.is_retrievable() && !self.checkpoint
    }

    /// The content with the token and its banner inside the block.
    pub fn with_token(&self, token: &str) -> String {
        match &self.block {
            Some(block) => self
                .content
                .replacen(block.as_str(), &token::embed(block, token), 1),
            None => self.content.clone(),
        }
    }
}
