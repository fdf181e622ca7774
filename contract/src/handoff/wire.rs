//! The last cut before the wire: structural, counted, and never through an executable block.
//!
//! What is returned is the content's beginning, its block with a token if it has one, and a marker that says how much
//! is missing. How many bytes there are to spend is decided in [`super::budget`]; what is stored is never cut.
//!
//! Source: The Handoff Contract, "Wire-level truncation is never allowed to cut an executable body".

mod markup;

use std::ops::Range;

use serde::Serialize;

use self::markup::Markup;
use crate::goal::token;
use crate::text::xml::Comment;

/// Fits content into `max_bytes`; `None` or a number below 1 leaves it as it is.
///
/// Content that starts with an executable block is returned whole. A block further down is kept whole while what
/// stands around it is cut, first what follows and then, line by line from its end, what precedes. The result is
/// larger than `max_bytes` only where that block, or the marker alone, is.
pub fn format_content(content: &str, max_bytes: Option<i32>) -> String {
    let limit = match max_bytes.map(usize::try_from) {
        Some(Ok(limit)) if limit > 0 => limit,
        _ => return content.to_owned(),
    };
    if content.len() <= limit || is_executable(content) {
        return content.to_owned();
    }
    match protected(content) {
        Some(range) => Layout::new(content, range).fit(limit),
        None => content.to_owned(),
    }
}

/// Whether the content is one block to be run as it is: a cut would leave its token and break its hash.
fn is_executable(content: &str) -> bool {
    let content = content.trim_start();
    token::FIRST_LINES
        .iter()
        .any(|line| content.starts_with(line))
        && token::find_banner(content).is_some()
}

/// What no cut may touch: the block that carries a token; else everything up to the end of a banner that stands
/// outside any block; else nothing. `None` where a block has no end line: a marker behind it would become part of it.
fn protected(content: &str) -> Option<Range<usize>> {
    let block = token::find_block(content).filter(|block| carries_token(&content[block.clone()]));
    match block {
        Some(block) if !content[block.clone()].ends_with(token::END_LINE) => None,
        Some(block) => Some(block),
        None => Some(0..token::find_banner(content).map_or(0, |banner| banner.end)),
    }
}

/// A block with a token has it on its second line.
fn carries_token(block: &str) -> bool {
    let two_lines = block
        .match_indices('\n')
        .nth(1)
        .map_or(block, |(at, _)| &block[..at]);
    token::find_token(two_lines).is_some()
}

/// The content in three parts, of which the middle one stays. Tags are looked for on each side by itself, so nothing
/// in the surroundings can pair with a tag of the block.
struct Layout<'a> {
    before: Region<'a>,
    protected: &'a str,
    after: Region<'a>,
    total_bytes: usize,
}

/// How many bytes stay of the parts around the protected one.
#[derive(Clone, Copy)]
struct Kept {
    before: usize,
    after: usize,
}

impl<'a> Layout<'a> {
    fn new(content: &'a str, protected: Range<usize>) -> Self {
        Self {
            before: Region::new(&content[..protected.start]),
            after: Region::new(&content[protected.end..]),
            protected: &content[protected],
            total_bytes: content.len(),
        }
    }

    /// The marker counts against the limit and its length depends on what it counts, so the two are settled in turn:
    /// keeping less never makes it shorter, and it can grow by a few digits only.
    fn fit(&self, limit: usize) -> String {
        let mut reserved = 0;
        loop {
            let kept = self.keep(limit.saturating_sub(reserved));
            let marker = self.marker(kept, limit);
            if marker.len() <= reserved {
                let before = &self.before.text[..kept.before];
                let after = &self.after.text[..kept.after];
                return [before, self.protected, after, &marker].concat();
            }
            reserved = marker.len();
        }
    }

    fn keep(&self, limit: usize) -> Kept {
        let room = limit.saturating_sub(self.protected.len());
        match room.checked_sub(self.before.text.len()) {
            Some(left) => Kept {
                before: self.before.text.len(),
                after: self.after.cut(left),
            },
            // The block has to stay at the start of a line.
            None => Kept {
                before: self.before.cut_after_line(room),
                after: 0,
            },
        }
    }

    fn marker(&self, kept: Kept, limit: usize) -> String {
        let omission = Omission {
            content_truncated: true,
            limit_bytes: limit,
            omitted_bytes: self.total_bytes - self.protected.len() - kept.before - kept.after,
            reason: "response_size_budget",
            sections_omitted: self.before.sections_after(kept.before)
                + self.after.sections_after(kept.after),
            total_bytes: self.total_bytes,
        };
        let text = format!(
            "TRUNCATED: {} of {} bytes left out. Ask for mode full, or for fewer items with selected_item_ids. \
             machine_readable={}",
            omission.omitted_bytes,
            omission.total_bytes,
            serde_json::json!(omission),
        );
        format!("\n\n{}", Comment(&text))
    }
}

/// The marker's JSON; the fields stand in the order of their names, as they are printed.
#[derive(Serialize)]
struct Omission {
    content_truncated: bool,
    limit_bytes: usize,
    omitted_bytes: usize,
    reason: &'static str,
    sections_omitted: usize,
    total_bytes: usize,
}

/// A part of the content that may be cut, with the markup in it that may not.
struct Region<'a> {
    text: &'a str,
    markup: Vec<Markup>,
}

impl<'a> Region<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            markup: markup::scan(text),
        }
    }

    /// The longest prefix of at most `limit` bytes that ends within neither a character nor a piece of markup.
    fn cut(&self, limit: usize) -> usize {
        let cut = last_char_boundary(self.text, limit);
        let next = self.markup.partition_point(|piece| piece.range.end <= cut);
        self.markup
            .get(next)
            .map_or(cut, |piece| cut.min(piece.range.start))
    }

    /// The same, ending after a line feed, or with nothing.
    fn cut_after_line(&self, limit: usize) -> usize {
        let mut cut = self.cut(limit);
        loop {
            let line_start = self.text[..cut]
                .rfind('\n')
                .map_or(0, |line_feed| line_feed + 1);
            if line_start == cut {
                return cut;
            }
            cut = self.cut(line_start);
        }
    }

    fn sections_after(&self, cut: usize) -> usize {
        let next = self.markup.partition_point(|piece| piece.range.start < cut);
        self.markup[next..]
            .iter()
            .filter(|piece| piece.is_section)
            .count()
    }
}

fn last_char_boundary(text: &str, limit: usize) -> usize {
    let mut at = limit.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
