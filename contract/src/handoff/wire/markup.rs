//! Where the markup of a text lies, so that a cut can go around it. This reads what the contract's own renderers
//! write, and takes everything else for text; it is no XML parser.

use std::collections::HashMap;
use std::ops::Range;

/// A stretch that stays whole or goes whole.
pub struct Markup {
    pub range: Range<usize>,
    /// An element with its content, which the marker counts; else a comment or a tag without its partner.
    pub is_section: bool,
}

/// The outermost pieces of markup, in order. An element reaches from its opening tag to the first closing tag of the
/// same name, nested ones being part of it.
pub fn scan(text: &str) -> Vec<Markup> {
    let closings = Closings::find(text);
    let mut markup: Vec<Markup> = Vec::new();
    let mut from = 0;
    while let Some(found) = text[from..].find('<') {
        let start = from + found;
        from = match piece_at(text, start, &closings) {
            Some(piece) => {
                let end = piece.range.end;
                markup.push(piece);
                end
            }
            None => start + 1,
        };
    }
    markup
}

fn piece_at(text: &str, start: usize, closings: &Closings) -> Option<Markup> {
    if text[start..].starts_with("<!--") {
        let end = closings.comment_end(start + "<!--".len())?;
        return Some(Markup {
            range: start..end,
            is_section: false,
        });
    }
    let tag = Tag::read(&text[start..])?;
    let tag_end = start + tag.len;
    let element_end = (tag.kind == TagKind::Opening)
        .then(|| closings.element_end(tag.name, tag_end))
        .flatten();
    Some(Markup {
        range: start..element_end.unwrap_or(tag_end),
        is_section: element_end.is_some(),
    })
}

/// Where elements and comments can end, found in one pass, so that a text of a million tags that nothing closes costs
/// a million look-ups and not as many searches to its end.
struct Closings<'a> {
    elements: HashMap<&'a str, Vec<Range<usize>>>,
    comments: Vec<usize>,
}

impl<'a> Closings<'a> {
    fn find(text: &'a str) -> Self {
        let mut elements: HashMap<_, Vec<_>> = HashMap::new();
        for (start, _) in text.match_indices("</") {
            if let Some(tag) = Tag::read(&text[start..]) {
                elements
                    .entry(tag.name)
                    .or_default()
                    .push(start..start + tag.len);
            }
        }
        let comments = text.match_indices("-->").map(|(start, _)| start).collect();
        Self { elements, comments }
    }

    fn element_end(&self, name: &str, from: usize) -> Option<usize> {
        let closings = self.elements.get(name)?;
        closings
            .get(closings.partition_point(|closing| closing.start < from))
            .map(|closing| closing.end)
    }

    fn comment_end(&self, from: usize) -> Option<usize> {
        let next = self.comments.partition_point(|start| *start < from);
        self.comments.get(next).map(|start| start + "-->".len())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TagKind {
    Opening,
    Closing,
    /// `<a />`
    Empty,
}

/// One tag: a name of ASCII letters, digits and underscores, and attributes that hold neither `<` nor `>`.
struct Tag<'a> {
    name: &'a str,
    kind: TagKind,
    /// From `<` to `>`, both included.
    len: usize,
}

impl<'a> Tag<'a> {
    /// The tag that `text` starts with. Reads no further than the next angle bracket.
    fn read(text: &'a str) -> Option<Self> {
        let inner = text.strip_prefix('<')?;
        let inner = &inner[..inner.find(['<', '>'])?];
        let len = inner.len() + 2;
        if !text[..len].ends_with('>') {
            return None;
        }
        let (kind, inner) = match (inner.strip_prefix('/'), inner.strip_suffix('/')) {
            (Some(inner), _) => (TagKind::Closing, inner),
            (None, Some(inner)) => (TagKind::Empty, inner),
            (None, None) => (TagKind::Opening, inner),
        };
        let name_end = inner
            .find(|c: char| c != '_' && !c.is_ascii_alphanumeric())
            .unwrap_or(inner.len());
        let (name, attributes) = inner.split_at(name_end);
        let is_tag = name.starts_with(|c: char| c.is_ascii_alphabetic())
            && (attributes.is_empty() || attributes.starts_with(char::is_whitespace));
        is_tag.then_some(Self { name, kind, len })
    }
}
