//! How many bytes of content go over the wire. Where the cut falls is decided in [`super::wire`].
//!
//! Source: The Handoff Contract, "Bounded payloads, never silently truncated".

use super::Mode;
use crate::{ContractError, ErrorCode};

const CHECKPOINT: i32 = 40_000;
/// Of an answer that is in no mode.
const FALLBACK: i32 = 300_000;

/// What the caller asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Budget {
    /// That of the mode.
    Own,
    Unlimited,
    /// More than zero.
    Bytes(i32),
}

impl Budget {
    /// `None` means no budget, `-1` the mode's own, a positive number itself. Zero and what lies below -1 are an
    /// [`ErrorCode::InvalidValue`].
    pub fn parse(max_content_bytes: Option<i32>) -> Result<Self, ContractError> {
        match max_content_bytes {
            None => Ok(Self::Unlimited),
            Some(-1) => Ok(Self::Own),
            Some(bytes) if bytes > 0 => Ok(Self::Bytes(bytes)),
            Some(bytes) => Err(not_a_budget(bytes)),
        }
    }

    /// In bytes; `None` is no limit. `mode` is `None` for the answer that stands for a handoff which ran out of time.
    /// A checkpoint is a progress report, so its budget goes before that of its mode.
    pub fn bytes(self, mode: Option<Mode>, checkpoint: bool) -> Option<i32> {
        match self {
            Self::Unlimited => None,
            Self::Bytes(bytes) => Some(bytes),
            Self::Own if checkpoint => Some(CHECKPOINT),
            Self::Own => Some(mode.map_or(FALLBACK, |mode| mode.spec().budget)),
        }
    }
}

fn not_a_budget(bytes: i32) -> ContractError {
    ContractError::new(
        ErrorCode::InvalidValue,
        format!("max_content_bytes is {bytes}"),
        "Pass a positive number of bytes, -1 for the budget of the mode, or NULL for none.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_mode_has_its_own() {
        let budgets = Mode::ALL.map(|mode| Budget::Own.bytes(Some(mode), false));
        let expected = [300_000, 300_000, 300_000, 16_000, 16_000, 12_000];
        assert_eq!(budgets, expected.map(Some));
        assert_eq!(Budget::Own.bytes(None, false), Some(300_000));
    }

    #[test]
    fn a_checkpoint_has_one_for_every_mode() {
        let modes = Mode::ALL.into_iter().map(Some).chain([None]);
        for mode in modes {
            assert_eq!(Budget::Own.bytes(mode, true), Some(40_000));
        }
    }

    #[test]
    fn what_is_given_wins() {
        for (mode, checkpoint) in [
            (Some(Mode::Goal), false),
            (Some(Mode::Full), true),
            (None, true),
        ] {
            for asked in [None, Some(1), Some(i32::MAX)] {
                let budget = Budget::parse(asked).unwrap();
                assert_eq!(budget.bytes(mode, checkpoint), asked);
            }
        }
        assert_eq!(Budget::parse(Some(-1)), Ok(Budget::Own));
    }

    #[test]
    fn refuses_what_is_no_number_of_bytes() {
        for bytes in [0, -2, i32::MIN] {
            let error = Budget::parse(Some(bytes)).unwrap_err();
            assert_eq!(error.code, ErrorCode::InvalidValue);
            assert!(error.message.contains(&bytes.to_string()));
        }
    }
}
