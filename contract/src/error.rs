//! The errors of the contract: one code each, with the facts that a caller's program reads and the step that helps.
//!
//! An expected answer (a refused claim, an expired token) is a value, never one of these.

use serde_json::Value;

/// What went wrong, and under which SQLSTATE and leading word it reaches a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorCode {
    ProjectNotFound,
    SelectionBlocked,
    ScopeNonExecutable,
    EvidenceBlocked,
    ContinuationBlocked,
    StaleReference,
    CapabilityManifestInvalid,
    SessionNotFound,
    /// An attached board that cannot be read as one.
    BoardInvalid,
    /// A board that cannot be written (55000).
    BoardReadOnly,
    /// A value outside what the argument allows (22023).
    InvalidValue,
    /// NULL for a required argument (22004).
    NullArgument,
    /// Named in the contract, not available in this version (0A000).
    NotSupported,
}

impl ErrorCode {
    pub fn sqlstate(self) -> &'static str {
        match self {
            Self::ProjectNotFound => "MH001",
            Self::SelectionBlocked => "MH002",
            Self::ScopeNonExecutable => "MH003",
            Self::EvidenceBlocked => "MH004",
            Self::ContinuationBlocked => "MH005",
            Self::StaleReference => "MH006",
            Self::CapabilityManifestInvalid => "MH008",
            Self::SessionNotFound => "MH011",
            Self::BoardInvalid => "MH012",
            Self::BoardReadOnly => "55000",
            Self::InvalidValue => "22023",
            Self::NullArgument => "22004",
            Self::NotSupported => "0A000",
        }
    }

    /// The word that the message starts with, for the codes of the contract's own class.
    pub fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::ProjectNotFound => "PROJECT_NOT_FOUND",
            Self::SelectionBlocked => "HANDOFF_SELECTION_BLOCKED",
            Self::ScopeNonExecutable => "HANDOFF_SCOPE_NON_EXECUTABLE",
            Self::EvidenceBlocked => "HANDOFF_EVIDENCE_BLOCKED",
            Self::ContinuationBlocked => "HANDOFF_CONTINUATION_BLOCKED",
            Self::StaleReference => "STALE_REFERENCE",
            Self::CapabilityManifestInvalid => "CAPABILITY_MANIFEST_INVALID",
            Self::SessionNotFound => "SESSION_NOT_FOUND",
            Self::BoardInvalid => "BOARD_INVALID",
            Self::BoardReadOnly | Self::InvalidValue | Self::NullArgument | Self::NotSupported => {
                return None;
            }
        })
    }
}

/// An error on its way to the caller: `message` names what is wrong, `detail` holds the facts as JSON, `hint` says
/// what to do next.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct ContractError {
    pub code: ErrorCode,
    pub message: String,
    pub detail: Option<Box<Value>>,
    pub hint: String,
}

impl ContractError {
    /// `reason` without the leading code word, which is put in front here.
    pub fn new(code: ErrorCode, reason: impl Into<String>, hint: impl Into<String>) -> Self {
        let reason = reason.into();
        let message = match code.name() {
            Some(name) => format!("{name}: {reason}"),
            None => reason,
        };
        Self {
            code,
            message,
            detail: None,
            hint: hint.into(),
        }
    }

    pub fn with_detail(mut self, detail: Value) -> Self {
        self.detail = Some(Box::new(detail));
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_starts_with_the_code_of_its_class() {
        let error = ContractError::new(ErrorCode::ProjectNotFound, "no project \"p\"", "create it");
        assert_eq!(error.message, "PROJECT_NOT_FOUND: no project \"p\"");
        let error = ContractError::new(
            ErrorCode::InvalidValue,
            "ttl must be positive",
            "pass seconds",
        );
        assert_eq!(error.message, "ttl must be positive");
    }
}
