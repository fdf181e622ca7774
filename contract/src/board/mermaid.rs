//! The waves of a batch as a Mermaid flowchart, for people.
//!
//! Node names are counted and labels are escaped, so no title can end a label, add an edge or hide a directive.

use std::collections::HashMap;
use std::fmt::{self, Write};

use super::{Batch, Item};

const TITLE_LIMIT: usize = 60;

/// `flowchart TD` with a subgraph for each wave and an edge from each predecessor inside the batch. The same batch
/// always gives the same text; an empty one gives a chart with a single note.
pub fn flowchart(batch: &Batch<'_>) -> String {
    if batch.claimable.is_empty() {
        return "flowchart TD\n  none[\"No item can be claimed\"]".to_owned();
    }
    let nodes: HashMap<&str, usize> = batch
        .waves
        .iter()
        .flatten()
        .zip(1..)
        .map(|(item, node)| (item.item_id.as_str(), node))
        .collect();
    let mut chart = "flowchart TD".to_owned();
    // Writing to a `String` cannot fail.
    let _ = push_waves(&mut chart, batch);
    let _ = push_edges(&mut chart, batch, &nodes);
    chart
}

fn push_waves(chart: &mut String, batch: &Batch<'_>) -> fmt::Result {
    let mut node = 0_usize;
    for (wave, number) in batch.waves.iter().zip(1_usize..) {
        write!(chart, "\n  subgraph wave{number}[\"Wave {number}\"]")?;
        for item in wave {
            node += 1;
            write!(chart, "\n    n{node}[\"{}\"]", label(item))?;
        }
        chart.push_str("\n  end");
    }
    Ok(())
}

fn push_edges(chart: &mut String, batch: &Batch<'_>, nodes: &HashMap<&str, usize>) -> fmt::Result {
    for (item, node) in batch.waves.iter().flatten().zip(1_usize..) {
        for predecessor in batch.blocked_on(item).iter().filter_map(|id| nodes.get(id)) {
            write!(chart, "\n  n{predecessor} --> n{node}")?;
        }
    }
    Ok(())
}

/// Id and title; a title over the limit ends in an ellipsis.
fn label(item: &Item) -> String {
    let mut label = escaped(item.item_id.chars());
    let title = item.title.trim();
    if !title.is_empty() {
        label.push_str(" - ");
        label.push_str(&escaped(title.chars().take(TITLE_LIMIT)));
    }
    if title.chars().nth(TITLE_LIMIT).is_some() {
        label.push('…');
    }
    label
}

/// Punctuation with any meaning to Mermaid becomes an entity and whatever breaks a line a space. The colon is among
/// it: Mermaid drops a semicolon after text such as `style: #35;`.
fn escaped(text: impl Iterator<Item = char>) -> String {
    let mut out = String::new();
    for c in text {
        match c {
            '"' => out.push_str("#quot;"),
            '<' => out.push_str("#lt;"),
            '>' => out.push_str("#gt;"),
            '&' => out.push_str("#amp;"),
            '-' | '_' | '.' | ',' | '/' | '\'' | '!' | '?' => out.push(c),
            c if c.is_ascii_punctuation() => {
                // Writing to a `String` cannot fail.
                let _ = write!(out, "#{};", u32::from(c));
            }
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::Timestamp;
    use crate::board::{BatchRequest, Board};

    fn item(item_id: &str, title: &str, depends_on: &[&str]) -> Item {
        Item {
            depends_on: depends_on.iter().map(|&id| id.to_owned()).collect(),
            ..Item::new(item_id, title)
        }
    }

    fn chart(items: Vec<Item>) -> String {
        let board = Board::new(items, vec![], vec![]);
        let request = BatchRequest {
            version: None,
            closure: None,
            force_include: &BTreeSet::new(),
            now: Timestamp(0),
            strict_pointer_evidence: false,
        };
        flowchart(&Batch::plan(&board, &request))
    }

    #[test]
    fn waves_are_subgraphs_and_dependencies_edges() {
        let items = vec![
            item("a", "First", &[]),
            item("b", "", &[]),
            item("c", "Last", &["b", "a"]),
        ];
        assert_eq!(
            chart(items),
            "flowchart TD\n  subgraph wave1[\"Wave 1\"]\n    n1[\"a - First\"]\n    n2[\"b\"]\n  end\n  \
             subgraph wave2[\"Wave 2\"]\n    n3[\"c - Last\"]\n  end\n  n1 --> n3\n  n2 --> n3"
        );
    }

    #[test]
    fn an_empty_batch_is_a_note() {
        assert_eq!(
            chart(vec![]),
            "flowchart TD\n  none[\"No item can be claimed\"]"
        );
    }

    #[test]
    fn labels_cannot_leave_their_quotes() {
        let nasty = "\"]\n  x --> y; %%{init: {}}%% `<b>` &#35; (style:)\u{2028}";
        let chart = chart(vec![item("a\"b", nasty, &[])]);
        assert_eq!(
            chart.lines().nth(2),
            Some(
                "    n1[\"a#quot;b - #quot;#93;   x --#gt; y#59; #37;#37;#123;init#58; #123;#125;#125;#37;#37; \
                 #96;#lt;b#gt;#96; #amp;#35;35#59; #40;style#58;#41;\"]"
            )
        );
        assert_eq!(chart.lines().count(), 4);
    }

    #[test]
    fn long_titles_are_clipped_by_code_points() {
        let exact = "é".repeat(60);
        assert!(chart(vec![item("a", &exact, &[])]).contains(&format!("a - {exact}\"")));
        assert!(
            chart(vec![item("a", &format!("{exact}é"), &[])]).contains(&format!("a - {exact}…\""))
        );
    }
}
