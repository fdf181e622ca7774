//! The SQL that a block spells out. Each call runs as it is pasted, so it holds values of this project or a phrase
//! that is a legal value itself, never a placeholder.
//!
//! Arguments are positional: `=>` would have to be escaped inside a tag.

use crate::text::sql;

/// Opens the receiver's session; `human_id` is passed on where the generating session has one.
pub fn start_session(project_id: &str, human_id: Option<&str>) -> String {
    let human = human_id.map(|id| format!(", {}", literal(id)));
    format!(
        "SELECT meridian.start_session({}, 'describe-what-youre-doing', 'executor'{});",
        literal(project_id),
        human.unwrap_or_default()
    )
}

/// The live board, every status that is not done.
pub fn read_board(project_id: &str) -> String {
    format!(
        "SELECT * FROM meridian.get_sprint_items({});",
        literal(project_id)
    )
}

pub fn claim(project_id: &str, item_id: &str) -> String {
    format!(
        "SELECT meridian.claim_sprint_item({}, {});",
        literal(project_id),
        literal(item_id)
    )
}

/// Claims the first item that can be claimed.
pub fn claim_next(project_id: &str) -> String {
    format!(
        "SELECT meridian.claim_next_sprint_item({});",
        literal(project_id)
    )
}

pub fn complete(project_id: &str, item_id: &str) -> String {
    format!(
        "SELECT meridian.complete_sprint_item({}, {});",
        literal(project_id),
        literal(item_id)
    )
}

pub fn ask_human(project_id: &str) -> String {
    format!(
        "SELECT meridian.request_hitl({}, 'describe-what-has-to-be-decided');",
        literal(project_id)
    )
}

pub fn closing_handoff(project_id: &str) -> String {
    format!("SELECT meridian.generate_handoff({});", literal(project_id))
}

/// The goal for an executor, whatever mode the caller's session would get by itself.
pub fn goal(project_id: &str) -> String {
    format!(
        "SELECT meridian.generate_handoff({}, 'goal');",
        literal(project_id)
    )
}

/// In which order the batch can be worked on.
pub fn plan_waves(project_id: &str) -> String {
    format!(
        "SELECT * FROM meridian.plan_waves({});",
        literal(project_id)
    )
}

pub fn board_revision(project_id: &str) -> String {
    format!("SELECT meridian.board_revision({});", literal(project_id))
}

/// Questions to a human that have no answer yet.
pub fn open_questions(project_id: &str) -> String {
    format!(
        "SELECT gate_id, item_id, question FROM meridian.hitl_gates WHERE project_id = {} AND status = 'open';",
        literal(project_id)
    )
}

/// A checkpoint of the given items alone: it shows what a bounded list left out and replaces no pending goal.
pub fn checkpoint_of<'a>(project_id: &str, item_ids: impl IntoIterator<Item = &'a str>) -> String {
    let ids: Vec<String> = item_ids.into_iter().map(literal).collect();
    format!(
        "SELECT meridian.generate_handoff({}, 'goal', NULL, NULL, ARRAY[{}], NULL, true);",
        literal(project_id),
        ids.join(", ")
    )
}

/// A literal that may stand in a tag and in a comment: a comment may not hold two hyphens in a row.
fn literal(text: &str) -> String {
    let literal = sql::literal(text);
    if !literal.contains("--") {
        return literal;
    }
    let escaped = literal.replace("--", r"-\x2D");
    if escaped.starts_with('E') {
        escaped
    } else {
        format!("E{escaped}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_hold_values_and_no_placeholder() {
        assert_eq!(
            start_session("p1", None),
            "SELECT meridian.start_session('p1', 'describe-what-youre-doing', 'executor');"
        );
        assert_eq!(
            start_session("p'1", Some("ann")),
            "SELECT meridian.start_session('p''1', 'describe-what-youre-doing', 'executor', 'ann');"
        );
        assert_eq!(
            read_board("p1"),
            "SELECT * FROM meridian.get_sprint_items('p1');"
        );
        assert_eq!(
            claim("p1", "a"),
            "SELECT meridian.claim_sprint_item('p1', 'a');"
        );
        assert_eq!(
            checkpoint_of("p1", ["a", "b"]),
            "SELECT meridian.generate_handoff('p1', 'goal', NULL, NULL, ARRAY['a', 'b'], NULL, true);"
        );
    }

    #[test]
    fn hyphens_survive_a_comment() {
        assert_eq!(literal("a--b"), r"E'a-\x2Db'");
        assert_eq!(literal("---"), r"E'-\x2D-'");
        assert_eq!(literal("a-b"), "'a-b'");
        let escaped = literal("<--");
        assert!(
            escaped.starts_with("E'") && escaped.ends_with(r"-\x2D'"),
            "{escaped}"
        );
    }
}
