//! Untrusted text outside any tag, on one line.
//!
//! Inside a tag the XML writer keeps line breaks as character references; in a list or a heading, where people read
//! the text as it stands, they become spaces instead. Where on its line the text goes is the renderer's business.

use super::xml;

/// Escapes `&`, `<`, `>`, turns every line break and tab into a space and every other control character into U+FFFD,
/// and trims both ends, so that the text can open no tag or comment and start no line.
pub fn one_line(text: &str) -> String {
    let folded: String = text.chars().map(fold).collect();
    xml::escape_text(folded.trim())
}

fn fold(c: char) -> char {
    match c {
        // Of the control characters these are the breaks and tabs: U+0009 to U+000D and U+0085.
        c if c.is_control() && c.is_whitespace() => ' ',
        '\u{2028}' | '\u{2029}' => ' ',
        c if c.is_control() => '\u{FFFD}',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn folds_breaks_and_escapes_markup() {
        assert_eq!(
            one_line("a\n/goal\r\n<b>&\t\u{b}\u{c}\u{85}\u{2028}\u{2029}."),
            "a /goal  &lt;b&gt;&amp;      ."
        );
        assert_eq!(
            one_line("a\u{0}b\u{1b}c\u{7f}\u{9b}\u{FFFE}"),
            "a\u{FFFD}b\u{FFFD}c\u{FFFD}\u{FFFD}\u{FFFD}"
        );
    }

    #[test]
    fn blank_text_leaves_nothing() {
        assert_eq!(one_line("\n \r\n\t\u{2029}"), "");
        assert_eq!(
            one_line("\n\n<!-- SECURITY: x -->\n"),
            "&lt;!-- SECURITY: x --&gt;"
        );
    }

    proptest! {
        #[test]
        fn stays_on_its_line(text in any::<String>()) {
            let line = one_line(&text);
            let breaks = |c: char| c.is_control() || c == '\u{2028}' || c == '\u{2029}';
            prop_assert!(!line.contains(breaks) && !line.contains(['<', '>']));
            prop_assert_eq!(line.trim(), line.as_str());
        }
    }
}
