//! What the live board says of one id that a handoff names.
//!
//! Three answers are told apart: work that is still open, work that somebody finished, and an id that this project
//! never had. What follows from them is the verdict of whoever receives the handoff.

use crate::board::Status;

/// One id of a handoff against the board. An unmapped status is neither live nor terminal, and not suspicious.
#[derive(Debug, Clone, PartialEq)]
pub struct CrossCheck {
    pub item_id: String,
    /// `None` where the project has no such item.
    pub status: Option<Status>,
    /// Still to be worked on, or being worked on.
    pub live: bool,
    pub terminal: bool,
    /// The mark of a made-up id. An item that a sibling finished in the meantime does not get it.
    pub suspicious: bool,
}

impl CrossCheck {
    /// `status` is `None` where the project has no such item.
    ///
    /// Source: The Handoff Contract, "Live-board cross-check", which would also suspect a finished item; here only an
    /// id that is nowhere on the board is suspected.
    pub fn of(item_id: &str, status: Option<Status>) -> Self {
        Self {
            item_id: item_id.to_owned(),
            live: status.as_ref().is_some_and(Status::is_live),
            terminal: status.as_ref().is_some_and(Status::is_terminal),
            suspicious: status.is_none(),
            status,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_known_status_is_either_live_or_terminal() {
        for status in Status::KNOWN {
            let finished = matches!(
                status,
                Status::Done | Status::Failed | Status::Skipped | Status::Pushed
            );
            let check = CrossCheck::of("a", Some(status));
            assert_eq!((check.live, check.terminal), (!finished, finished));
            assert!(!check.suspicious);
        }
    }

    #[test]
    fn only_an_absent_item_is_suspicious() {
        let absent = CrossCheck::of("a", None);
        assert_eq!(
            (absent.live, absent.terminal, absent.suspicious),
            (false, false, true)
        );
        let unmapped = CrossCheck::of("a", Some(Status::Unknown("parked".into())));
        assert_eq!(
            (unmapped.live, unmapped.terminal, unmapped.suspicious),
            (false, false, false)
        );
    }
}
