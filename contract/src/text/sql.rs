//! SQL that a receiver can paste from any output, through the XML writer or not.
//!
//! What the XML writer would change in element text is written as an escape of the literal itself, so the call that
//! is printed is the call that runs.

use std::fmt::Write;

use super::xml::breaks_line_or_invalid;

/// A string literal: `'it''s'`, or `E'…'` with escapes where the text holds `&`, `<`, `>`, a backslash, or a control
/// or line-breaking character. Holds none of those itself, but for the backslashes of its escapes.
pub fn literal(text: &str) -> String {
    let quote = if text.chars().any(needs_escape) {
        "E'"
    } else {
        "'"
    };
    let mut out = String::with_capacity(quote.len() + text.len() + 1);
    out.push_str(quote);
    for c in text.chars() {
        push(&mut out, c);
    }
    out.push('\'');
    out
}

/// `function('a', 'b')`: every argument as a literal, by position.
pub fn call(function: &str, arguments: &[&str]) -> String {
    let literals: Vec<String> = arguments.iter().map(|argument| literal(argument)).collect();
    format!("{function}({})", literals.join(", "))
}

fn needs_escape(c: char) -> bool {
    matches!(c, '&' | '<' | '>' | '\\') || c.is_control() || breaks_line_or_invalid(c)
}

/// `\x` takes at most two digits and `\u` exactly four, so whatever follows can't be read into the escape. Every
/// character that needs one lies in the BMP.
fn push(out: &mut String, c: char) {
    let _ = match c {
        '\'' => write!(out, "''"),
        '\\' => write!(out, "\\\\"),
        '\n' => write!(out, "\\n"),
        '&' | '<' | '>' => write!(out, "\\x{:02X}", c as u32),
        c if needs_escape(c) => write!(out, "\\u{:04X}", c as u32),
        c => write!(out, "{c}"),
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::xml::escape_text;
    use proptest::prelude::*;

    #[test]
    fn plain_text_needs_no_escapes() {
        assert_eq!(literal(""), "''");
        assert_eq!(literal("it's ABC-12 ü"), "'it''s ABC-12 ü'");
    }

    #[test]
    fn escapes_what_markup_or_a_line_would_break() {
        assert_eq!(literal("a<b>&c"), r"E'a\x3Cb\x3E\x26c'");
        assert_eq!(literal("\\n\n\t\u{2028}'"), r"E'\\n\n\u0009\u2028'''");
    }

    #[test]
    fn calls_by_position() {
        assert_eq!(
            call("meridian.load_handoff", &["p'1"]),
            "meridian.load_handoff('p''1')"
        );
        assert_eq!(call("f", &["a", "<"]), r"f('a', E'\x3C')");
        assert_eq!(call("f", &[]), "f()");
    }

    /// Reads a literal the way PostgreSQL does with `standard_conforming_strings` on. `None` where it wouldn't parse.
    fn decode(literal: &str) -> Option<String> {
        let escapes = literal.starts_with('E');
        let inner = literal
            .trim_start_matches('E')
            .strip_prefix('\'')?
            .strip_suffix('\'')?;
        let mut rest = inner.chars();
        let mut out = String::new();
        while let Some(c) = rest.next() {
            out.push(match c {
                '\'' => rest.next().filter(|c| *c == '\'')?,
                '\\' if escapes => match rest.next()? {
                    'n' => '\n',
                    'x' => hex(&mut rest, 2)?,
                    'u' => hex(&mut rest, 4)?,
                    c => c,
                },
                c => c,
            });
        }
        Some(out)
    }

    fn hex(rest: &mut std::str::Chars, digits: usize) -> Option<char> {
        let code: String = rest.take(digits).collect();
        char::from_u32(u32::from_str_radix(&code, 16).ok()?)
    }

    proptest! {
        #[test]
        fn reads_back_and_passes_the_xml_writer_unchanged(text in any::<String>()) {
            let literal = literal(&text);
            prop_assert_eq!(decode(&literal), Some(text));
            prop_assert_eq!(escape_text(&literal), literal);
        }

        #[test]
        fn reads_back_where_most_characters_need_an_escape(text in r"[\\'&<>\x00-\x1f\u{85}\u{2028}\u{fffe}a-f0-9xun]*") {
            prop_assert_eq!(decode(&literal(&text)), Some(text));
        }
    }
}
