//! Cutting text to a number of code points, never silently where a whole body is shown.
//!
//! Clip before escaping: the other order could cut a character reference in two.

/// The first `limit` code points, without a marker: for titles in lists.
pub fn head(text: &str, limit: usize) -> &str {
    let end = text
        .char_indices()
        .nth(limit)
        .map_or(text.len(), |(at, _)| at);
    &text[..end]
}

/// The text, or its first `limit` code points and how many more there are: `first… (+12 more chars)`.
pub fn clip_body(text: &str, limit: usize) -> String {
    let head = head(text, limit);
    match text[head.len()..].chars().count() {
        0 => text.to_owned(),
        omitted => format!("{head}… (+{omitted} more chars)"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_code_points_not_bytes() {
        assert_eq!(head("aäß𝄞z", 4), "aäß𝄞");
        assert_eq!(head("ab", 2), "ab");
        assert_eq!(head("ab", 0), "");
        assert_eq!(head("", 5), "");
    }

    #[test]
    fn says_how_much_is_missing() {
        assert_eq!(clip_body("äöü", 3), "äöü");
        assert_eq!(clip_body("äöüß", 3), "äöü… (+1 more chars)");
        assert_eq!(clip_body("abc", 0), "… (+3 more chars)");
    }
}
