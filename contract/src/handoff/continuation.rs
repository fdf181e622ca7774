//! Whether work remains that a session should go on with, and the gate of a caller who wants no closing handoff then.
//!
//! Blocked is what a `blocker_kind` records; prose in notes blocks nothing. What others have claimed stays in the
//! numbers, but only what nobody has claimed holds a handoff back.
//!
//! Source: The Handoff Contract, "Resuming a prior run vs. starting fresh".

use serde_json::{Value, json};

use crate::board::{Item, Status};
use crate::goal::calls;
use crate::goal::directive::ExecutionMode;
use crate::{ContractError, ErrorCode};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Continuation<'a> {
    pub execution_mode: ExecutionMode,
    /// Neither finished nor blocked, in listing order.
    pub actionable_ids: Vec<&'a str>,
    pub pending: usize,
    pub in_progress: usize,
    /// Not finished, with a recorded blocker, in listing order.
    pub blocked_ids: Vec<&'a str>,
}

impl<'a> Continuation<'a> {
    pub fn of(items: impl IntoIterator<Item = &'a Item>, execution_mode: ExecutionMode) -> Self {
        let mut state = Self {
            execution_mode,
            actionable_ids: Vec::new(),
            pending: 0,
            in_progress: 0,
            blocked_ids: Vec::new(),
        };
        let open = items.into_iter().filter(|item| !item.status.is_terminal());
        for item in open {
            if item.blocker_kind.is_some() {
                state.blocked_ids.push(&item.item_id);
                continue;
            }
            state.actionable_ids.push(&item.item_id);
            state.pending += usize::from(item.status.is_pending());
            state.in_progress += usize::from(item.status == Status::InProgress);
        }
        state
    }

    /// An interactive session ends when its human says so.
    pub fn is_required(&self) -> bool {
        self.execution_mode == ExecutionMode::Autonomous && !self.actionable_ids.is_empty()
    }

    /// Actionable and claimed by nobody.
    pub fn unclaimed(&self) -> usize {
        self.actionable_ids.len() - self.in_progress
    }

    /// `continuation_status`, with the two arguments of the call that it depends on.
    pub fn to_json(&self, checkpoint: bool, strict: bool) -> Value {
        json!({
            "continuation_required": self.is_required(),
            "terminal_ready": !self.is_required(),
            "execution_mode": self.execution_mode.as_str(),
            "actionable_count": self.actionable_ids.len(),
            "actionable_pending_count": self.pending,
            "actionable_in_progress_count": self.in_progress,
            "actionable_unclaimed_count": self.unclaimed(),
            "actionable_item_ids": self.actionable_ids,
            "blocked_count": self.blocked_ids.len(),
            "blocked_item_ids": self.blocked_ids,
            "reason": self.reason(),
            "checkpoint": checkpoint,
            "strict_continuation": strict,
        })
    }

    fn reason(&self) -> String {
        match (self.actionable_ids.len(), self.blocked_ids.len()) {
            (0, 0) => "No item of this scope is unfinished.".into(),
            (0, blocked) => {
                format!("Nothing can go on: {blocked} unfinished items have a recorded blocker.")
            }
            (open, _) if self.is_required() => format!(
                "{open} items can go on, {} of them claimed by nobody.",
                self.unclaimed()
            ),
            (open, _) => {
                format!(
                    "{open} items can go on, when the human of this interactive project says so."
                )
            }
        }
    }

    /// Refuses to close while items that nobody has claimed could go on.
    ///
    /// Error: MH005 with `{continuation_status}`.
    pub fn require_done(&self, project_id: &str) -> Result<(), ContractError> {
        if !self.is_required() || self.unclaimed() == 0 {
            return Ok(());
        }
        Err(ContractError::new(
            ErrorCode::ContinuationBlocked,
            format!(
                "{} items can go on and nobody has claimed them",
                self.unclaimed()
            ),
            format!(
                "Go on with the next one: {} A report of progress alone is a checkpoint.",
                calls::claim_next(project_id)
            ),
        )
        .with_detail(json!({ "continuation_status": self.to_json(false, true) })))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::BlockerKind;

    fn item(id: &str, status: Status, blocker_kind: Option<BlockerKind>) -> Item {
        Item {
            status,
            blocker_kind,
            ..Item::new(id, id)
        }
    }

    fn state(items: &[Item], mode: ExecutionMode) -> Continuation<'_> {
        Continuation::of(items, mode)
    }

    #[test]
    fn tells_actionable_blocked_and_finished_apart() {
        let items = [
            item("a", Status::Todo, None),
            item("b", Status::InProgress, None),
            item("c", Status::Unknown("odd".into()), None),
            item("d", Status::Pending, Some(BlockerKind::Manual)),
            item("e", Status::InProgress, Some(BlockerKind::Superseded)),
            item("f", Status::Done, None),
            item("g", Status::Failed, Some(BlockerKind::Manual)),
        ];
        let status = state(&items, ExecutionMode::Autonomous).to_json(true, false);
        assert_eq!(status["actionable_item_ids"], json!(["a", "b", "c"]));
        assert_eq!(status["blocked_item_ids"], json!(["d", "e"]));
        assert_eq!(
            (
                &status["actionable_count"],
                &status["actionable_pending_count"]
            ),
            (&json!(3), &json!(1))
        );
        assert_eq!(status["actionable_in_progress_count"], 1);
        assert_eq!(status["actionable_unclaimed_count"], 2);
        assert_eq!(status["continuation_required"], true);
        assert_eq!(status["terminal_ready"], false);
        assert_eq!(
            (&status["checkpoint"], &status["strict_continuation"]),
            (&json!(true), &json!(false))
        );
    }

    #[test]
    fn each_state_has_its_reason() {
        let todo = [item("a", Status::Todo, None)];
        let blocked = [item("a", Status::Todo, Some(BlockerKind::Manual))];
        let done = [item("a", Status::Done, None)];
        let reasons: Vec<String> = [
            state(&todo, ExecutionMode::Autonomous),
            state(&todo, ExecutionMode::Interactive),
            state(&blocked, ExecutionMode::Autonomous),
            state(&done, ExecutionMode::Autonomous),
        ]
        .iter()
        .map(Continuation::reason)
        .collect();
        let mut distinct = reasons.clone();
        distinct.sort();
        distinct.dedup();
        assert_eq!(distinct.len(), reasons.len(), "{reasons:?}");
    }

    #[test]
    fn only_unclaimed_work_of_an_autonomous_project_blocks() {
        let unclaimed = [
            item("a", Status::Todo, None),
            item("b", Status::InProgress, None),
        ];
        let error = state(&unclaimed, ExecutionMode::Autonomous)
            .require_done("p1")
            .unwrap_err();
        assert_eq!(error.code.sqlstate(), "MH005");
        assert!(
            error
                .message
                .starts_with("HANDOFF_CONTINUATION_BLOCKED: 1 items"),
            "{}",
            error.message
        );
        assert!(
            error
                .hint
                .contains("SELECT meridian.claim_next_sprint_item('p1');")
        );
        let detail = *error.detail.unwrap();
        assert_eq!(detail["continuation_status"]["actionable_count"], 2);
        assert_eq!(detail["continuation_status"]["strict_continuation"], true);

        assert_eq!(
            state(&unclaimed, ExecutionMode::Interactive).require_done("p1"),
            Ok(())
        );
        assert_eq!(
            state(&unclaimed[1..], ExecutionMode::Autonomous).require_done("p1"),
            Ok(())
        );
        assert_eq!(
            state(&[], ExecutionMode::Autonomous).require_done("p1"),
            Ok(())
        );
    }
}
