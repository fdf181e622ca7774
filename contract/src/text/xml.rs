//! The one writer of tags. Text is escaped by the place it stands in (element text, attribute value, comment), names
//! are `&'static str`, so nothing a caller sends can open a tag, close a comment or start a line of its own.

use std::fmt::{self, Display, Write};

/// An element under construction. Printing it gives one line, but for the breaks added with [`Element::line`].
#[derive(Debug, Clone, PartialEq)]
pub struct Element {
    name: &'static str,
    attributes: Vec<(&'static str, String)>,
    body: Vec<Node>,
}

#[derive(Debug, Clone, PartialEq)]
enum Node {
    Text(String),
    Line,
    Child(Element),
}

impl Element {
    pub fn new(name: &'static str) -> Self {
        Self {
            name,
            attributes: Vec::new(),
            body: Vec::new(),
        }
    }

    pub fn attr(mut self, name: &'static str, value: impl Display) -> Self {
        self.attributes.push((name, value.to_string()));
        self
    }

    /// Appends text, trusted or not. An empty text still makes the element `<a></a>` rather than `<a />`.
    pub fn text(mut self, text: impl Display) -> Self {
        self.body.push(Node::Text(text.to_string()));
        self
    }

    /// Appends a line break: layout, which only the writer of the contract decides.
    pub fn line(mut self) -> Self {
        self.body.push(Node::Line);
        self
    }

    pub fn child(mut self, child: Element) -> Self {
        self.body.push(Node::Child(child));
        self
    }

    pub fn children(mut self, children: impl IntoIterator<Item = Element>) -> Self {
        self.body.extend(children.into_iter().map(Node::Child));
        self
    }
}

impl Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{}", self.name)?;
        for (name, value) in &self.attributes {
            write!(f, " {name}=\"")?;
            escape(f, value, true)?;
            f.write_char('"')?;
        }
        if self.body.is_empty() {
            return f.write_str(" />");
        }
        f.write_char('>')?;
        for node in &self.body {
            match node {
                Node::Text(text) => escape(f, text, false)?,
                Node::Line => f.write_char('\n')?,
                Node::Child(child) => write!(f, "{child}")?,
            }
        }
        write!(f, "</{}>", self.name)
    }
}

/// A comment on one line; `--` in its text is broken up, so nothing inside can close it.
pub struct Comment<'a>(pub &'a str);

impl Display for Comment<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<!-- ")?;
        let mut previous = ' ';
        for c in self.0.chars() {
            let c = if c.is_control() || breaks_line_or_invalid(c) {
                ' '
            } else {
                c
            };
            if c == '-' && previous == '-' {
                f.write_char(' ')?;
            }
            f.write_char(c)?;
            previous = c;
        }
        f.write_str(" -->")
    }
}

/// Element text as a string, for text that stands outside any tag. Line breaks become character references.
pub fn escape_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let _ = escape(&mut out, text, false);
    out
}

/// The five characters with a meaning, line breaks and tabs as character references, and every other character that
/// XML 1.0 cannot hold as U+FFFD.
fn escape(out: &mut impl Write, text: &str, attribute: bool) -> fmt::Result {
    for c in text.chars() {
        match c {
            '&' => out.write_str("&amp;")?,
            '<' => out.write_str("&lt;")?,
            '>' => out.write_str("&gt;")?,
            '"' if attribute => out.write_str("&quot;")?,
            '\n' => out.write_str("&#10;")?,
            '\r' => out.write_str("&#13;")?,
            '\t' => out.write_str("&#9;")?,
            c if c.is_control() || breaks_line_or_invalid(c) => out.write_char('\u{FFFD}')?,
            c => out.write_char(c)?,
        }
    }
    Ok(())
}

/// U+2028 and U+2029 break a line in many viewers; U+FFFE and U+FFFF are no characters of XML 1.0.
pub(crate) fn breaks_line_or_invalid(c: char) -> bool {
    matches!(c, '\u{2028}' | '\u{2029}' | '\u{FFFE}' | '\u{FFFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_by_place() {
        let element = Element::new("a")
            .attr("k", "<&>\"'\n")
            .text("<&>\"'\r\n\u{1}");
        assert_eq!(
            element.to_string(),
            "<a k=\"&lt;&amp;&gt;&quot;'&#10;\">&lt;&amp;&gt;\"'&#13;&#10;\u{FFFD}</a>"
        );
    }

    #[test]
    fn empty_and_nested() {
        assert_eq!(Element::new("a").attr("n", 0).to_string(), "<a n=\"0\" />");
        assert_eq!(Element::new("a").text("").to_string(), "<a></a>");
        let nested = Element::new("a")
            .line()
            .child(Element::new("b").text("x"))
            .line();
        assert_eq!(nested.to_string(), "<a>\n<b>x</b>\n</a>");
    }

    #[test]
    fn comment_cannot_be_closed_from_inside() {
        let comment = Comment("a --> b\n---->").to_string();
        assert_eq!(comment.matches("-->").count(), 1);
        assert!(comment.ends_with(" -->") && !comment.contains('\n'));
    }
}
