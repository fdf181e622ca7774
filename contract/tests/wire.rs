//! The wire cut: whole blocks, whole tags, whole characters, and a marker whose numbers add up.

use handoff_contract::goal::token::{embed, extract_block};
use handoff_contract::handoff::wire::format_content;
use proptest::prelude::*;
use serde_json::{Value, json};

const BODY: &str =
    "/goal\n<executor_directive>Work.</executor_directive>\n<a>1</a>\n<!-- end of /goal -->";

fn block() -> String {
    embed(BODY, "EXAMPLE_TOKEN_16")
}

/// The kept part and the marker's JSON.
fn split(result: &str) -> (&str, Value) {
    let (kept, marker) = result
        .rsplit_once("\n\n<!-- TRUNCATED: ")
        .expect("a marker");
    let json = marker
        .split_once("machine_readable=")
        .unwrap()
        .1
        .strip_suffix(" -->")
        .unwrap();
    (kept, serde_json::from_str(json).unwrap())
}

fn number(omission: &Value, key: &str) -> usize {
    omission[key].as_u64().unwrap() as usize
}

#[test]
fn what_fits_or_has_no_limit_is_unchanged() {
    let long = "x".repeat(1_000);
    for limit in [
        None,
        Some(0),
        Some(-1),
        Some(i32::MIN),
        Some(1_000),
        Some(i32::MAX),
    ] {
        assert_eq!(format_content(&long, limit), long);
    }
    assert_ne!(format_content(&long, Some(999)), long);
}

#[test]
fn marker_is_compact_and_sorted() {
    let result = format_content(&"x".repeat(1_000), Some(500));
    let json = result.split_once("machine_readable=").unwrap().1;
    let kept = result.find('\n').unwrap();
    let expected = format!(
        r#"{{"content_truncated":true,"limit_bytes":500,"omitted_bytes":{},"reason":"response_size_budget","sections_omitted":0,"total_bytes":1000}} -->"#,
        1_000 - kept
    );
    assert_eq!(json, expected);
    assert_eq!(result.len(), 500);
}

#[test]
fn sections_stay_whole_and_are_counted() {
    let content = format!(
        "intro <s k=\"v\">{}</s><t>\n<t>1</t></t><u />",
        "x".repeat(1_000)
    );
    let (kept, omission) = split_owned(&format_content(&content, Some(600)));
    assert_eq!(kept, "intro ");
    assert_eq!(omission["sections_omitted"], json!(2));

    let content = format!("<s>1</s>{}", "x".repeat(1_000));
    let (kept, omission) = split_owned(&format_content(&content, Some(600)));
    assert!(kept.starts_with("<s>1</s>x"));
    assert_eq!(omission["sections_omitted"], json!(0));
}

fn split_owned(result: &str) -> (String, Value) {
    let (kept, omission) = split(result);
    (kept.to_owned(), omission)
}

#[test]
fn single_tags_and_comments_are_not_sliced() {
    for markup in [
        "<config path=\"PAD\" />",
        "<open k=\"PAD\">",
        "</close PAD>",
        "<!-- <x> PAD -->",
    ] {
        let markup = markup.replace("PAD", &"p".repeat(1_000));
        let (kept, omission) = split_owned(&format_content(&format!("intro {markup}"), Some(600)));
        assert_eq!(kept, "intro ");
        assert_eq!(omission["sections_omitted"], json!(0));
    }
}

#[test]
fn what_only_looks_like_markup_is_text() {
    for text in ["a < b", "<1>", "<>", "<a", "<a-b>", "<!-- open", "<ä>"] {
        let content = format!("{text}{}", "x".repeat(1_000));
        assert_eq!(format_content(&content, Some(600)).len(), 600, "{text}");
    }
}

#[test]
fn content_that_starts_with_an_executable_block_is_atomic() {
    for content in [
        block(),
        format!(
            "\n {}\n{}",
            block().replacen("/goal", "/loop /goal", 1),
            "x".repeat(1_000)
        ),
    ] {
        assert_eq!(format_content(&content, Some(1)), content);
    }
    let without_token = format!("{BODY}\n{}", "x".repeat(1_000));
    assert_eq!(format_content(&without_token, Some(600)).len(), 600);
}

#[test]
fn what_follows_a_block_goes_before_what_precedes_it() {
    let before = "line\n".repeat(100);
    let content = format!("{before}{}\n{}", block(), "y".repeat(1_000));
    let roomy = before.len() + block().len() + 300;
    let (kept, _) = split_owned(&format_content(&content, Some(roomy as i32)));
    assert!(kept.starts_with(&format!("{before}{}\ny", block())));

    let tight = block().len() + 400;
    let (kept, omission) = split_owned(&format_content(&content, Some(tight as i32)));
    let lines = kept.strip_suffix(&block()).unwrap();
    assert!(!lines.is_empty() && before.starts_with(lines) && lines.ends_with("line\n"));
    assert_eq!(
        number(&omission, "omitted_bytes"),
        content.len() - kept.len()
    );
}

#[test]
fn a_budget_below_the_block_gives_the_block_alone() {
    let content = format!("# Head\n<s>1</s>\n{}\n<t>2</t>", block());
    let (kept, omission) = split_owned(&format_content(&content, Some(1)));
    assert_eq!(kept, block());
    assert_eq!(omission["sections_omitted"], json!(2));
    assert_eq!(
        number(&omission, "omitted_bytes"),
        content.len() - kept.len()
    );
}

#[test]
fn tags_around_a_block_do_not_pair_across_it() {
    let content = format!("<a>\n{}\n</a>{}", block(), "x".repeat(1_000));
    let (kept, _) = split_owned(&format_content(&content, Some(block().len() as i32 + 400)));
    assert!(kept.starts_with(&format!("<a>\n{}\n</a>x", block())));
}

#[test]
fn a_block_without_its_end_line_is_not_marked() {
    let open = block().replace("\n<!-- end of /goal -->", "");
    let content = format!("# Head\n{open}\n{}", "x".repeat(1_000));
    assert_eq!(format_content(&content, Some(600)), content);
}

#[test]
fn a_banner_outside_any_block_is_a_floor() {
    let floor = embed("# Head <s>", "EXAMPLE_TOKEN_16");
    let content = format!("{floor}\n{}</s>", "x".repeat(1_000));
    let (kept, _) = split_owned(&format_content(&content, Some(10)));
    assert_eq!(kept, floor);
}

/// 1 MB each; a search to the end of the text at every tag would take minutes.
#[test]
fn hostile_text_costs_one_pass() {
    let numbered: String = (0..100_000).map(|n| format!("<a{n}>")).collect();
    for content in [
        "<a>".repeat(350_000),
        "<!--".repeat(250_000),
        "<a \n".repeat(250_000),
        "<a>\n</a>".repeat(125_000),
        numbered,
    ] {
        for content in [format!("{content}\n{}", block()), content] {
            assert!(format_content(&content, Some(500_000)).len() <= 500_000);
        }
    }
}

fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        2 => "[a-zß𝄞 \n]{0,60}",
        1 => any::<String>(),
        2 => "<(a|b)( k=\"[a-z]{0,9}\")?>[a-zß<\n]{0,40}</(a|b)>",
        1 => "<(a|b) />|</a>|<a>|<!-- [a-z<>]{0,20} -->",
    ];
    prop::collection::vec(piece, 0..25).prop_map(|pieces| pieces.concat())
}

/// Whether some element of the text begins before `cut` and ends after it, found the slow and plain way.
fn cuts_an_element(text: &str, cut: usize) -> bool {
    let mut from = 0;
    while let Some(found) = text[from..].find('<') {
        let start = from + found;
        from = start + 1;
        let Some(end) = element_end(text, start) else {
            continue;
        };
        if start < cut && cut < end {
            return true;
        }
        from = end;
    }
    false
}

fn element_end(text: &str, start: usize) -> Option<usize> {
    if text[start..].starts_with("<!--") {
        return text[start + 4..].find("-->").map(|at| start + 4 + at + 3);
    }
    let name = ["a", "b"].into_iter().find(|name| {
        text[start + 1..]
            .strip_prefix(name)
            .is_some_and(|rest| rest.starts_with('>') || rest.starts_with(" k="))
    })?;
    let open_end = start + text[start..].find('>')? + 1;
    if text[start + 1..open_end].contains('<') {
        return None;
    }
    let close = format!("</{name}>");
    text[open_end..]
        .find(&close)
        .map(|at| open_end + at + close.len())
}

proptest! {
    #[test]
    fn plain_content_is_cut_where_it_may_be(content in text(), limit in 300..1_500usize) {
        let result = format_content(&content, Some(limit as i32));
        prop_assert_eq!(format_content(&result, Some(limit as i32)), result.clone());
        if content.len() <= limit {
            prop_assert_eq!(result, content);
            return Ok(());
        }
        prop_assert!(result.len() <= limit);
        let (kept, omission) = split(&result);
        prop_assert!(content.starts_with(kept));
        prop_assert!(!cuts_an_element(&content, kept.len()));
        prop_assert_eq!(number(&omission, "omitted_bytes"), content.len() - kept.len());
        prop_assert_eq!(number(&omission, "total_bytes"), content.len());
        prop_assert_eq!(number(&omission, "limit_bytes"), limit);
    }

    #[test]
    fn the_block_comes_through_whole(before in text(), after in text(), limit in 1..4_000usize) {
        let content = format!("#{before}\n{}\n{after}", block());
        let result = format_content(&content, Some(limit as i32));
        let block = block();
        prop_assert_eq!(extract_block(&result), Some(block.as_str()));
        if content.len() <= limit {
            prop_assert_eq!(result, content);
            return Ok(());
        }
        let (kept, omission) = split(&result);
        prop_assert!(result.len() <= limit || kept == block);
        let (kept_before, kept_after) = kept.split_once(&block).unwrap();
        let (all_before, all_after) = content.split_once(&block).unwrap();
        prop_assert!(all_before.starts_with(kept_before) && all_after.starts_with(kept_after));
        prop_assert!(!cuts_an_element(all_before, kept_before.len()));
        prop_assert!(!cuts_an_element(all_after, kept_after.len()));
        prop_assert_eq!(number(&omission, "omitted_bytes"), content.len() - kept.len());
    }
}
