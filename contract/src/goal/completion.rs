//! When an executor is done, when it is not, and when it has to stop anyway; with the test gate in between.
//!
//! Source: The Handoff Contract, "The item list".

use super::calls;
use super::executor_config::ExecutorConfig;
use super::project_tags::{UNSCOPED, UNSET};
use super::sprint_type::SprintType;
use crate::text::xml::Element;

/// What the tags of this module are told.
#[derive(Debug, Clone, Copy)]
pub struct Completion<'a> {
    pub project_id: &'a str,
    pub version: Option<&'a str>,
    pub config: &'a ExecutorConfig,
    pub sprint_type: SprintType,
    /// The project's own criteria, which replace ours and the test gate.
    pub criteria: Option<&'a str>,
    /// An item of the batch, for the literal call; `None` where the batch is empty.
    pub first_item: Option<&'a str>,
}

impl Completion<'_> {
    pub fn criteria(&self) -> Element {
        let text = match (self.criteria, self.first_item) {
            (Some(own), _) => own.to_owned(),
            (None, None) => format!(
                "The scope as stated has been checked against the live board, and a closing handoff was generated: {}",
                calls::closing_handoff(self.project_id)
            ),
            (None, Some(item_id)) => self.default_criteria(item_id),
        };
        Element::new("completion_criteria").text(text)
    }

    fn default_criteria(&self, item_id: &str) -> String {
        let tests = if self.has_test_gate() {
            " The tests pass as the test gate below asks."
        } else {
            ""
        };
        format!(
            "What each item asks for is done, and each is recorded as complete as soon as it is, with your session id as \
             the third argument if you claimed it with one, the first with: {}{tests} At the end a closing handoff is generated: {}",
            calls::complete(self.project_id, item_id),
            calls::closing_handoff(self.project_id)
        )
    }

    /// Sprints of a general kind may have nothing to test; a project's own criteria speak for themselves.
    fn has_test_gate(&self) -> bool {
        self.sprint_type != SprintType::General
            && self.criteria.is_none()
            && self.first_item.is_some()
    }

    /// Config, note and recovery; empty where no test gate applies.
    pub fn test_gate(&self) -> Vec<Element> {
        if !self.has_test_gate() {
            return Vec::new();
        }
        vec![
            self.test_gate_config(),
            self.test_gate_note(),
            Element::new("test_gate_recovery")
                .attr("on_failure", "fix_and_rerun")
                .attr("on_missing_command", "request_hitl"),
        ]
    }

    fn test_gate_config(&self) -> Element {
        let floor = self.config.test_min.map(|floor| floor.to_string());
        let baseline = if floor.is_some() {
            "configured"
        } else {
            "unknown_validate_via_collect_only"
        };
        Element::new("test_gate_config")
            .attr("test_cmd", self.test_cmd().unwrap_or(UNSET))
            .attr("parallelism", UNSET)
            .attr("branch", self.config.branch.as_deref().unwrap_or(UNSET))
            .attr("version", self.version.unwrap_or(UNSCOPED))
            .attr("test_floor", floor.as_deref().unwrap_or("unknown"))
            .attr("baseline", baseline)
            .attr("test_cmd_plausible", self.test_cmd().is_some())
    }

    fn test_gate_note(&self) -> Element {
        let floor = match self.config.test_min {
            Some(floor) => format!("At least {floor} tests have to pass."),
            None => "No number of tests is configured: count what the suite collects before your first change, and \
                     lose none of it."
                .into(),
        };
        let run = match self.test_cmd() {
            Some(command) => format!("Run them with: {command}"),
            None => {
                "The project names no command: find out how they are run before you rely on them."
                    .into()
            }
        };
        Element::new("test_gate_note").text(format!(
            "The project's tests pass before an item counts as complete. {floor} {run}"
        ))
    }

    fn test_cmd(&self) -> Option<&str> {
        self.config.test_cmd.as_deref()
    }

    /// None in the lenient completion mode.
    pub fn not_done_until(&self) -> Option<Element> {
        (!self.config.lenient).then(|| {
            Element::new("not_done_until").text(
                "You are not done while an item listed here is neither finished nor refused to you, or while work of \
                 yours is not recorded on the board.",
            )
        })
    }

    pub fn stop_conditions(&self) -> Element {
        Element::new("stop_conditions").text(format!(
            "Stop after {} turns, or when a human has to decide and no other item can go on.",
            self.config.max_turns
        ))
    }
}
