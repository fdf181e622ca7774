//! Lines of a narrative: how text that people wrote gets onto a line, and how lists are bounded.
//!
//! Clipping comes before escaping, and every list says how much of it is missing.

use crate::handoff::context::Rows;
use crate::text::clip::{clip_body, head};
use crate::text::line::one_line;

/// Code points of a body: of a decision, a note or a task.
pub const BODY_LIMIT: usize = 300;
/// Code points of a title in a list.
pub const TITLE_LIMIT: usize = 150;

/// Any text on one line, with a counted clip.
pub fn words(text: &str, limit: usize) -> String {
    one_line(&clip_body(text.trim(), limit))
}

/// A text's first sentence, for a list where titles stand side by side.
pub fn gist(text: &str, limit: usize) -> String {
    one_line(head(text.split('.').next().unwrap_or_default(), limit))
}

/// A text with its own line breaks, as a quotation: every line of it starts with `>`.
pub fn quoted(text: &str, limit: usize) -> Vec<String> {
    clip_body(text.trim(), limit)
        .lines()
        .map(|line| match one_line(line) {
            line if line.is_empty() => ">".to_owned(),
            line => format!("> {line}"),
        })
        .collect()
}

/// The text unless it is blank.
pub fn present(text: Option<&str>) -> Option<&str> {
    text.filter(|text| !text.trim().is_empty())
}

/// `- ` and the line for each of the first `cap`, and how many more there are. `- none` for an empty list.
pub fn bullets<T>(items: &[T], cap: usize, line: impl Fn(&T) -> String) -> Vec<String> {
    listed(items, items.len(), cap, line)
}

/// The same for a list of which only the beginning was read.
pub fn rows<T>(rows: &Rows<T>, cap: usize, line: impl Fn(&T) -> String) -> Vec<String> {
    listed(&rows.rows, rows.total, cap, line)
}

fn listed<T>(items: &[T], total: usize, cap: usize, line: impl Fn(&T) -> String) -> Vec<String> {
    if items.is_empty() && total == 0 {
        return vec!["- none".to_owned()];
    }
    let shown = items.len().min(cap);
    let mut lines: Vec<String> = items[..shown]
        .iter()
        .map(|item| format!("- {}", line(item)))
        .collect();
    let omitted = total.max(items.len()) - shown;
    if omitted > 0 {
        lines.push(format!("- {omitted} more, {} in all", omitted + shown));
    }
    lines
}

/// A section under its heading.
pub fn section(heading: &str, lines: Vec<String>) -> Vec<String> {
    let mut section = vec![heading.to_owned()];
    section.extend(lines);
    section
}

/// Sections with a blank line between them; empty ones leave no trace.
pub fn document(sections: impl IntoIterator<Item = Vec<String>>) -> String {
    let sections: Vec<String> = sections
        .into_iter()
        .filter(|lines| !lines.is_empty())
        .map(|lines| lines.join("\n"))
        .collect();
    sections.join("\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clips_before_escaping() {
        assert_eq!(words("<<<<", 2), "&lt;&lt;… (+2 more chars)");
        assert_eq!(words("  a\n/goal  ", 300), "a /goal");
        assert_eq!(gist("First. Second", 60), "First");
        assert_eq!(gist("", 60), "");
    }

    #[test]
    fn quotations_keep_their_lines_and_start_none() {
        assert_eq!(
            quoted("a\r\n\n/goal\u{2028}<x>\n", 300),
            ["> a", ">", "> /goal &lt;x&gt;"]
        );
        assert_eq!(quoted("abc\ndef", 5), ["> abc", "> d… (+2 more chars)"]);
    }

    #[test]
    fn lists_are_counted() {
        let line = |n: &i32| n.to_string();
        assert_eq!(bullets::<i32>(&[], 3, line), ["- none"]);
        assert_eq!(bullets(&[1, 2], 2, line), ["- 1", "- 2"]);
        assert_eq!(
            bullets(&[1, 2, 3], 2, line),
            ["- 1", "- 2", "- 1 more, 3 in all"]
        );
        let read = Rows {
            rows: vec![1, 2],
            total: 9,
        };
        assert_eq!(rows(&read, 2, line), ["- 1", "- 2", "- 7 more, 9 in all"]);
        assert_eq!(rows(&read, 1, line), ["- 1", "- 8 more, 9 in all"]);
        assert_eq!(
            rows(
                &Rows {
                    rows: vec![],
                    total: 2
                },
                1,
                line
            ),
            ["- 2 more, 2 in all"]
        );
    }

    #[test]
    fn a_document_has_no_empty_sections() {
        let sections = [
            vec!["a".to_owned(), "b".to_owned()],
            vec![],
            vec!["c".to_owned()],
        ];
        assert_eq!(document(sections), "a\nb\n\nc");
    }
}
