//! Bounded lists. What does not fit is counted and can be fetched: nothing is left out silently.
//!
//! Source: The Handoff Contract, "Bounded payloads, never silently truncated".

use crate::text::xml::{Comment, Element};

/// How many items a clause, an exclusion tag or the pointer lines show in the small modes.
pub const ITEM_CAP: usize = 15;

/// The head of a list, and how long the list is.
#[derive(Debug, Clone, Copy)]
pub struct Capped<'a, T> {
    pub shown: &'a [T],
    pub omitted: &'a [T],
}

impl<'a, T> Capped<'a, T> {
    /// `None` shows everything.
    pub fn new(entries: &'a [T], cap: Option<usize>) -> Self {
        let (shown, omitted) = entries.split_at(cap.unwrap_or(entries.len()).min(entries.len()));
        Self { shown, omitted }
    }

    pub fn total(&self) -> usize {
        self.shown.len() + self.omitted.len()
    }

    pub fn is_truncated(&self) -> bool {
        !self.omitted.is_empty()
    }

    /// Two lines: `<name total included />`, and a comment that tells how to read the rest. None for a whole list.
    pub fn marker(&self, name: &'static str, rest: &str) -> Vec<String> {
        if !self.is_truncated() {
            return Vec::new();
        }
        let (total, included) = (self.total(), self.shown.len());
        let note = format!(
            "{included} of {total} shown, {} left out. {rest}",
            self.omitted.len()
        );
        vec![
            Element::new(name)
                .attr("total", total)
                .attr("included", included)
                .to_string(),
            Comment(&note).to_string(),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_list_has_no_marker() {
        let entries = [1, 2, 3];
        for cap in [None, Some(3), Some(9)] {
            let list = Capped::new(&entries, cap);
            assert_eq!((list.shown.len(), list.total()), (3, 3));
            assert!(list.marker("x_truncated", "").is_empty());
        }
    }

    #[test]
    fn what_is_left_out_is_counted() {
        let list = Capped::new(&[1, 2, 3], Some(1));
        assert_eq!((list.shown, list.omitted), (&[1][..], &[2, 3][..]));
        let marker = list.marker("x_truncated", "Ask for it.");
        assert_eq!(marker[0], r#"<x_truncated total="3" included="1" />"#);
        assert_eq!(marker[1], "<!-- 1 of 3 shown, 2 left out. Ask for it. -->");
    }
}
