//! How many bytes of content go over the wire. Where the cut falls is decided in [`super::wire`].
//!
//! Source: The Handoff Contract, "Bounded payloads, never silently truncated".

use super::Mode;
use crate::{ContractError, ErrorCode};

const CHECKPOINT: i32 = 40_000;

/// The budget in bytes; `None` is none. Asked for: `None` means no budget, `-1` the mode's own, a positive number
/// itself. Zero and what lies below -1 are an [`ErrorCode::InvalidValue`].
pub fn resolve(
    max_content_bytes: Option<i32>,
    mode: Mode,
    checkpoint: bool,
) -> Result<Option<i32>, ContractError> {
    match max_content_bytes {
        None => Ok(None),
        Some(-1) => Ok(Some(own_budget(mode, checkpoint))),
        Some(bytes) if bytes > 0 => Ok(Some(bytes)),
        Some(bytes) => Err(not_a_budget(bytes)),
    }
}

/// A checkpoint is a progress report, so its budget goes before that of its mode.
fn own_budget(mode: Mode, checkpoint: bool) -> i32 {
    if checkpoint {
        CHECKPOINT
    } else {
        mode.spec().budget
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
        let budgets = Mode::ALL.map(|mode| resolve(Some(-1), mode, false));
        let expected = [300_000, 300_000, 300_000, 16_000, 16_000, 12_000];
        assert_eq!(budgets, expected.map(|bytes| Ok(Some(bytes))));
    }

    #[test]
    fn a_checkpoint_has_one_for_every_mode() {
        for mode in Mode::ALL {
            assert_eq!(resolve(Some(-1), mode, true), Ok(Some(40_000)));
        }
    }

    #[test]
    fn what_is_given_wins() {
        for (mode, checkpoint) in [(Mode::Goal, false), (Mode::Full, true)] {
            assert_eq!(resolve(None, mode, checkpoint), Ok(None));
            assert_eq!(resolve(Some(1), mode, checkpoint), Ok(Some(1)));
            assert_eq!(
                resolve(Some(i32::MAX), mode, checkpoint),
                Ok(Some(2_147_483_647))
            );
        }
    }

    #[test]
    fn refuses_what_is_no_number_of_bytes() {
        for bytes in [0, -2, i32::MIN] {
            let error = resolve(Some(bytes), Mode::Full, false).unwrap_err();
            assert_eq!(error.code, ErrorCode::InvalidValue);
            assert!(error.message.contains(&bytes.to_string()));
        }
    }
}
