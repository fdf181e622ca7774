//! Canonical JSON and the digests taken over it.
//!
//! One byte form for every pre-image of the contract: compact, keys sorted by code point, printable ASCII only. Which
//! values go into a pre-image is decided where the digest belongs (board revision, closure, proposal scope).

use std::fmt::Write;

use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// Compact JSON with keys sorted by code point and everything but printable ASCII as `\uXXXX` (lower-case hex,
/// surrogate pairs above the BMP) or as a short escape such as `\n`.
///
/// Numbers print as `serde_json` prints them.
pub fn canonical_ascii(value: &Value) -> String {
    let mut out = String::new();
    push_value(&mut out, value);
    out
}

/// Appends `text` as a JSON string literal, quotes included, in the form of [`canonical_ascii`].
pub fn push_string(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        push_char(out, c);
    }
    out.push('"');
}

/// SHA-256 as 64 lower-case hex characters.
pub fn sha256_hex(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

fn push_value(out: &mut String, value: &Value) {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => out.push_str(&value.to_string()),
        Value::String(text) => push_string(out, text),
        Value::Array(elements) => {
            out.push('[');
            for (at, element) in elements.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                push_value(out, element);
            }
            out.push(']');
        }
        Value::Object(members) => {
            let mut members: Vec<(&String, &Value)> = members.iter().collect();
            members.sort_unstable_by_key(|&(key, _)| key);
            out.push('{');
            for (at, (key, member)) in members.into_iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                push_string(out, key);
                out.push(':');
                push_value(out, member);
            }
            out.push('}');
        }
    }
}

fn push_char(out: &mut String, c: char) {
    match c {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\u{8}' => out.push_str("\\b"),
        '\u{c}' => out.push_str("\\f"),
        ' '..='~' => out.push(c),
        _ => {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a `String` cannot fail.
                let _ = write!(out, "\\u{unit:04x}");
            }
        }
    }
}

/// How deep a JSON document may nest. Reading, comparing and dropping one goes down level by level on the stack.
pub const MAX_DEPTH: usize = 1_000;

/// Why a text is no JSON that can be worked with.
#[derive(Debug, thiserror::Error)]
pub enum JsonError {
    #[error("it nests deeper than {MAX_DEPTH} levels")]
    TooDeep,
    #[error("{0}")]
    Malformed(#[from] serde_json::Error),
}

/// Reads a document with its numbers as they are written.
pub fn parse(text: &str) -> Result<Value, JsonError> {
    if depth(text) > MAX_DEPTH {
        return Err(JsonError::TooDeep);
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    reader.disable_recursion_limit();
    let value = Value::deserialize(&mut reader)?;
    reader.end()?;
    Ok(value)
}

/// The deepest nesting of brackets outside strings.
fn depth(text: &str) -> usize {
    let (mut depth, mut deepest, mut in_string, mut escaped) = (0usize, 0, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'[' | b'{' if !in_string => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn sorts_keys_at_every_level_and_leaves_no_spaces() {
        let value = json!({"b": [1, true, null, -2.5], "a": {"z": "", "y": {}}, "é": []});
        assert_eq!(
            canonical_ascii(&value),
            r#"{"a":{"y":{},"z":""},"b":[1,true,null,-2.5],"\u00e9":[]}"#
        );
    }

    #[test]
    fn escapes_to_printable_ascii() {
        assert_eq!(
            canonical_ascii(&json!("\"\\/\n\r\t\u{8}\u{c}\u{1}\u{7f}é\u{1F600}")),
            r#""\"\\/\n\r\t\b\f\u0001\u007f\u00e9\ud83d\ude00""#
        );
    }

    #[test]
    fn digests() {
        let none = "4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945";
        assert_eq!(sha256_hex(canonical_ascii(&json!([])).as_bytes()), none);
        let tools = "cdf087c8a1d98f4708bbe2f174a7c99df42fcc28cd62d8ffc96ecd2a1a2abd0d";
        assert_eq!(
            sha256_hex(canonical_ascii(&json!(["graph_search", "pytest"])).as_bytes()),
            tools
        );
    }

    proptest! {
        #[test]
        fn reads_back_as_the_same_text(text in any::<String>()) {
            let written = canonical_ascii(&json!(text));
            prop_assert!(written.bytes().all(|byte| (b' '..=b'~').contains(&byte)));
            prop_assert_eq!(serde_json::from_str::<String>(&written).ok(), Some(text));
        }
    }

    #[test]
    fn numbers_keep_their_digits() {
        for text in ["1e+400", "123456789012345678901234567890", "1.10", "-0.0"] {
            assert_eq!(parse(text).unwrap().to_string(), text);
        }
    }

    /// On a stack as large as a server process has; a test's own is a quarter of it.
    #[test]
    fn deep_documents_are_read_and_deeper_ones_refused() {
        let stack = std::thread::Builder::new().stack_size(8 << 20);
        stack.spawn(read_deep_documents).unwrap().join().unwrap();
    }

    fn read_deep_documents() {
        let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        assert!(parse(&nested(MAX_DEPTH)).is_ok());
        assert!(matches!(
            parse(&nested(MAX_DEPTH + 1)),
            Err(JsonError::TooDeep)
        ));
        assert!(matches!(parse(&nested(1_000_000)), Err(JsonError::TooDeep)));
        assert!(parse(r#""[[[\"[[""#).is_ok());
        assert!(matches!(parse("[1"), Err(JsonError::Malformed(_))));
        assert!(matches!(parse("[] []"), Err(JsonError::Malformed(_))));
    }
}
