//! The six modes, how an omitted one is resolved, and which of them a receiver can load again.
//!
//! What else tells one mode from another stands in its [`Spec`], beside its renderer: a new mode is a file under
//! [`super::render`] and its line in each list here.
//!
//! Source: The Per-Mode Handoff Envelope Contract, "Default mode selection" and "Persistence and retrievability".

use super::needs::Needs;
use super::render::{self, Spec};
use crate::{ContractError, ErrorCode};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mode {
    Planner,
    Full,
    Delta,
    Starter,
    Compact,
    Goal,
}

impl Mode {
    pub const ALL: [Mode; 6] = [
        Mode::Planner,
        Mode::Full,
        Mode::Delta,
        Mode::Starter,
        Mode::Compact,
        Mode::Goal,
    ];

    /// `starter` and `compact` are two names of one thing.
    pub fn spec(self) -> &'static Spec {
        match self {
            Mode::Planner => &render::planner::SPEC,
            Mode::Full => &render::full::SPEC,
            Mode::Delta => &render::delta::SPEC,
            Mode::Starter => &render::starter::STARTER,
            Mode::Compact => &render::starter::COMPACT,
            Mode::Goal => &render::goal::SPEC,
        }
    }

    pub fn as_str(self) -> &'static str {
        self.spec().name
    }

    /// What the store has to read for the mode beside the board.
    pub fn needs(self) -> Needs {
        self.spec().needs
    }

    /// An unknown name, in whatever case, is an [`ErrorCode::InvalidValue`] that lists the legal ones.
    pub fn parse(text: &str) -> Result<Self, ContractError> {
        Self::from_name(text).ok_or_else(|| {
            ContractError::new(
                ErrorCode::InvalidValue,
                format!("mode {text:?} does not exist"),
                format!(
                    "Pass one of {}, or NULL to have it chosen.",
                    Self::ALL.map(Self::as_str).join(", ")
                ),
            )
        })
    }

    /// The mode of one generation. A requested one always wins; then a session that goes on with its own earlier
    /// handoff, whatever its role; then the role. What is left gets `Goal`, the narrowest: `Full` alone shows the
    /// decisions and notes of other projects, so nobody gets it without asking.
    pub fn resolve(
        requested: Option<&str>,
        resumed: bool,
        role: Option<&str>,
    ) -> Result<Self, ContractError> {
        match (requested, role) {
            (Some(name), _) => Self::parse(name),
            (None, _) if resumed => Ok(Mode::Delta),
            (None, Some("planner")) => Ok(Mode::Planner),
            (None, _) => Ok(Mode::Goal),
        }
    }

    /// Whether the mode is stored for `load_handoff`. The others are made to be pasted or read at once.
    pub fn is_retrievable(self) -> bool {
        self.spec().retrievable
    }

    fn from_name(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.as_str() == text)
    }
}

/// The same of any mode name; false for `l0_fallback`, which is never stored, and for names that don't exist.
pub fn is_retrievable(mode: &str) -> bool {
    Mode::from_name(mode).is_some_and(Mode::is_retrievable)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        for mode in Mode::ALL {
            assert_eq!(Mode::parse(mode.as_str()), Ok(mode));
        }
    }

    #[test]
    fn unknown_names_are_errors_that_list_the_legal_ones() {
        for name in ["", "Goal", "everything", "l0_fallback"] {
            let error = Mode::parse(name).unwrap_err();
            assert_eq!(error.code, ErrorCode::InvalidValue);
            assert!(
                Mode::ALL
                    .iter()
                    .all(|mode| error.hint.contains(mode.as_str())),
                "{}",
                error.hint
            );
            assert_eq!(Mode::resolve(Some(name), true, Some("planner")), Err(error));
        }
    }

    #[test]
    fn resolves_in_order() {
        for resumed in [false, true] {
            for role in [None, Some("executor"), Some("planner"), Some("reviewer")] {
                assert_eq!(Mode::resolve(Some("full"), resumed, role), Ok(Mode::Full));
            }
        }
        assert_eq!(Mode::resolve(None, true, Some("planner")), Ok(Mode::Delta));
        assert_eq!(Mode::resolve(None, true, None), Ok(Mode::Delta));
        assert_eq!(Mode::resolve(None, false, Some("executor")), Ok(Mode::Goal));
        assert_eq!(
            Mode::resolve(None, false, Some("planner")),
            Ok(Mode::Planner)
        );
        assert_eq!(Mode::resolve(None, false, Some("reviewer")), Ok(Mode::Goal));
        assert_eq!(Mode::resolve(None, false, None), Ok(Mode::Goal));
    }

    #[test]
    fn three_modes_can_be_loaded_again() {
        let retrievable: Vec<_> = Mode::ALL
            .into_iter()
            .filter(|mode| mode.is_retrievable())
            .collect();
        assert_eq!(retrievable, [Mode::Full, Mode::Delta, Mode::Goal]);
        assert!(is_retrievable("goal"));
        assert!(
            !is_retrievable("starter") && !is_retrievable("l0_fallback") && !is_retrievable("")
        );
    }
}
