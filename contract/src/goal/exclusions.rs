//! Which pending items are not handed out, each under its true reason.
//!
//! Items for a human and parked items get a note with their titles, since somebody may want to know what they are; the
//! others get a tag with their ids. All lists are bounded and counted.

use super::calls;
use super::capped::Capped;
use crate::board::{Batch, Board, ExclusionReason, Item};
use crate::text::clip;
use crate::text::xml::{Comment, Element};

const SNIPPET_LIMIT: usize = 80;

/// How one reason is shown.
enum Form {
    /// A tag of ids, its truncation marker, and what the reason means.
    Ids {
        tag: &'static str,
        truncated_tag: &'static str,
        meaning: &'static str,
    },
    /// `<exclusions>` with ids and titles behind an opening sentence.
    Note { opening: &'static str },
}

/// In the order in which they stand in the block.
const FORMS: [(ExclusionReason, Form); 8] = [
    (
        ExclusionReason::Superseded,
        Form::Ids {
            tag: "excluded_superseded",
            truncated_tag: "excluded_superseded_truncated",
            meaning: "Replaced by other work: a claim is refused.",
        },
    ),
    (
        ExclusionReason::SystemicInvalidatedRun,
        Form::Ids {
            tag: "excluded_systemic_invalidated_run",
            truncated_tag: "excluded_systemic_invalidated_run_truncated",
            meaning: "The run that these items rest on was declared invalid: a claim is refused.",
        },
    ),
    (
        ExclusionReason::Manual,
        Form::Note {
            opening: "Left for a human, not to be claimed",
        },
    ),
    (
        ExclusionReason::Backburner,
        Form::Note {
            opening: "Parked or deferred, not to be claimed",
        },
    ),
    (
        ExclusionReason::Unprospected,
        Form::Ids {
            tag: "excluded_unprospected",
            truncated_tag: "excluded_unprospected_truncated",
            meaning: "These name resources that no pointer has located yet: they can be claimed once one does.",
        },
    ),
    (
        ExclusionReason::WaveGatePending,
        Form::Ids {
            tag: "excluded_wave_gate_pending",
            truncated_tag: "excluded_wave_gate_pending_truncated",
            meaning: "A wave gate before these items has not been passed.",
        },
    ),
    (
        ExclusionReason::DependencyNotSatisfied,
        Form::Ids {
            tag: "excluded_dependency_not_satisfied",
            truncated_tag: "excluded_dependency_not_satisfied_truncated",
            meaning: "These wait for an item that this block does not hand out, or for each other.",
        },
    ),
    (
        ExclusionReason::UnknownStatus,
        Form::Ids {
            tag: "excluded_unknown_status",
            truncated_tag: "excluded_unknown_status_truncated",
            meaning: "The status of these items is none that the board's mapping explains.",
        },
    ),
];

/// Nothing for a reason that no item has.
pub fn lines(
    batch: &Batch<'_>,
    board: &Board,
    project_id: &str,
    cap: Option<usize>,
) -> Vec<String> {
    let rest = format!("To see them: {}", calls::read_board(project_id));
    FORMS
        .iter()
        .map(|(reason, form)| (batch.excluded_for(*reason), form))
        .filter(|(ids, _)| !ids.is_empty())
        .flat_map(|(ids, form)| form.lines(&Capped::new(&ids, cap), board, &rest))
        .collect()
}

impl Form {
    fn lines(&self, ids: &Capped<'_, &str>, board: &Board, rest: &str) -> Vec<String> {
        match self {
            Self::Ids {
                tag,
                truncated_tag,
                meaning,
            } => {
                let element = Element::new(tag)
                    .attr("count", ids.total())
                    .text(ids.shown.join(", "));
                let mut lines = vec![element.to_string(), Comment(meaning).to_string()];
                lines.extend(ids.marker(truncated_tag, rest));
                lines
            }
            Self::Note { opening } => {
                let shown: Vec<String> = ids
                    .shown
                    .iter()
                    .map(|id| described(id, board.get(id)))
                    .collect();
                let text = format!("{opening} ({}): {}.", ids.total(), shown.join("; "));
                let mut lines = vec![Element::new("exclusions").text(text).to_string()];
                lines.extend(ids.marker("exclusions_truncated", rest));
                lines
            }
        }
    }
}

/// `id — snippet of the title`.
fn described(item_id: &str, item: Option<&Item>) -> String {
    match item.map(|item| snippet(&item.title)) {
        Some(snippet) if !snippet.is_empty() => format!("{item_id} — {snippet}"),
        _ => item_id.to_owned(),
    }
}

/// The title's first sentence without its `MANUAL`, `MANUAL:` or `MANUAL(who)` tag.
fn snippet(title: &str) -> &str {
    let title = without_manual_tag(title.trim());
    let sentence = title.split_once(". ").map_or(title, |(first, _)| first);
    clip::head(sentence, SNIPPET_LIMIT).trim_end()
}

/// Words that merely begin with the letters, as in `Manually`, are no tag.
fn without_manual_tag(title: &str) -> &str {
    let tagged = title
        .split_at_checked(6)
        .filter(|(tag, _)| tag.eq_ignore_ascii_case("MANUAL"));
    let Some((_, rest)) = tagged else {
        return title;
    };
    let rest = match rest
        .trim_start()
        .strip_prefix('(')
        .and_then(|inside| inside.split_once(')'))
    {
        Some((_, after)) => after,
        None if rest.starts_with(char::is_alphanumeric) => return title,
        None => rest,
    };
    rest.trim_start_matches([':', '-', ']', ' '])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manual_tag_is_no_part_of_the_snippet() {
        assert_eq!(without_manual_tag("MANUAL: sign the form"), "sign the form");
        assert_eq!(
            without_manual_tag("manual (Ann, by Friday) sign it"),
            "sign it"
        );
        assert_eq!(without_manual_tag("MANUAL(Ann): sign it"), "sign it");
        assert_eq!(without_manual_tag("Manually sign it"), "Manually sign it");
        assert_eq!(without_manual_tag("MANUAL"), "");
        assert_eq!(without_manual_tag("größe"), "größe");
    }
}
