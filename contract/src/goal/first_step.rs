//! Where a receiver begins: the literal calls that open a session, read the board and take the first item.
//!
//! Source: The Handoff Contract, "The directive block".

use super::calls;
use crate::text::xml::Element;

/// With a bootstrap the receiver is taken to know nothing, so opening a session comes first. `first_item` is the one
/// to claim, `None` where the batch is empty.
pub fn element(
    project_id: &str,
    human_id: Option<&str>,
    first_item: Option<&str>,
    bootstrap: bool,
) -> Element {
    let mut steps = Vec::new();
    if bootstrap {
        steps.push(format!(
            "If you have no session on this project yet, open one: {}",
            calls::start_session(project_id, human_id)
        ));
    }
    steps.push(format!(
        "Read the live board: {}",
        calls::read_board(project_id)
    ));
    steps.push(match first_item {
        Some(item_id) => format!(
            "Claim each item before you touch anything for it, with your session id as the third argument if you have \
             one, the first with: {}",
            calls::claim(project_id, item_id)
        ),
        None => "Then verify that no work is left in this scope.".to_owned(),
    });
    Element::new("first_step").text(steps.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bootstrap_opens_a_session_first() {
        let text = element("p1", None, Some("a"), true).to_string();
        let start = text
            .find("SELECT meridian.start_session('p1', 'describe-what-youre-doing', 'executor');");
        let board = text.find("SELECT * FROM meridian.get_sprint_items('p1');");
        let claim = text.find("SELECT meridian.claim_sprint_item('p1', 'a');");
        assert!(start.is_some() && start < board && board < claim, "{text}");
    }

    #[test]
    fn without_bootstrap_no_session_is_opened() {
        let text = element("p1", None, None, false).to_string();
        assert!(!text.contains("start_session") && !text.contains("claim_sprint_item"));
        assert!(text.contains("SELECT * FROM meridian.get_sprint_items('p1');"));
    }

    #[test]
    fn the_humans_id_is_passed_on() {
        let text = element("p1", Some("o'neil"), None, true).to_string();
        assert!(
            text.contains("'describe-what-youre-doing', 'executor', 'o''neil');"),
            "{text}"
        );
    }
}
