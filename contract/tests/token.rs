//! Properties of token, strip and verification over any body and any surroundings, and their cost on hostile text.

use handoff_contract::Timestamp;
use handoff_contract::goal::token::{
    END_LINE, count_blocks, digest, embed, encode, extract_block, find_banner, find_block,
    find_token, is_ambiguous, strip,
};
use handoff_contract::receive::verify::{Reason, TokenRow, Verification, verify};
use proptest::prelude::*;

const TOKEN: &str = "EXAMPLE_TOKEN_16";

/// Text made of what could confuse the search, and of anything else.
fn hostile_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        3 => any::<String>(),
        1 => Just("\n".to_owned()),
        1 => Just("\r\n".to_owned()),
        1 => Just("\n/goal\n".to_owned()),
        1 => Just("<goal_token>".to_owned()),
        1 => Just("</goal_token>".to_owned()),
        1 => Just("\n<goal_token>x</goal_token>".to_owned()),
        1 => Just("\n<!-- SECURITY: ".to_owned()),
        1 => Just(" -->".to_owned()),
        1 => Just(format!("\n{END_LINE}\n")),
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

/// A block as the builders make it: one start, one end line, no carriage return at the end of a line.
fn block() -> impl Strategy<Value = String> {
    let lines = prop::collection::vec("[^\r\n]*", 0..6);
    (prop::sample::select(vec!["/goal", "/loop /goal"]), lines).prop_map(|(first, lines)| {
        let body: String = lines.iter().map(|line| format!("{line}\n")).collect();
        format!("{first}\n<executor_directive>Work.</executor_directive>\n{body}{END_LINE}")
    })
}

fn prose() -> impl Strategy<Value = String> {
    let block = "/goal\n<executor_directive>Work.</executor_directive>\n<!-- end of /goal -->";
    hostile_text().prop_filter("prose reads like no part of a block", move |text| {
        !is_ambiguous(&format!("{text}\n{}", embed(block, TOKEN)))
    })
}

fn verify_pasted(text: &str, block: &str) -> Verification {
    let row = TokenRow {
        project_id: "demo".into(),
        body_hash: Some(digest(block)),
        expires_at: Timestamp(10),
        consumed: false,
        superseded: false,
    };
    verify("demo", Some(TOKEN), Some(text), Some(&row), Timestamp(10))
}

proptest! {
    #[test]
    fn strip_is_the_inverse_of_embed(body in hostile_text(), token in any::<[u8; 12]>()) {
        prop_assert_eq!(strip(&embed(&body, &encode(token))), body);
    }

    #[test]
    fn token_survives_embedding(block in block(), bytes in any::<[u8; 12]>()) {
        let token = encode(bytes);
        prop_assert_eq!(token.len(), 16);
        prop_assert!(token.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')));
        let text = embed(&block, &token);
        prop_assert_eq!(find_token(&text), Some(token.as_str()));
        prop_assert_eq!(extract_block(&text), Some(text.as_str()));
    }

    #[test]
    fn surroundings_change_nothing(before in prose(), block in block(), after in prose()) {
        let pasted = embed(&block, TOKEN);
        let text = format!("{before}\n{pasted}\n{after}");
        prop_assert_eq!(extract_block(&text), Some(pasted.as_str()));
        let verification = verify_pasted(&text, &block);
        prop_assert_eq!(verification.reason, Reason::Ok);
        prop_assert!(!verification.normalized);
    }

    #[test]
    fn clipboard_line_ends_change_nothing(before in prose(), block in block(), after in prose(), blank in "[ \t\n]*") {
        let pasted = embed(&block, TOKEN);
        for text in [format!("{blank}\n{pasted}\n{blank}"), format!("{before}\n{pasted}\n{after}")] {
            let verification = verify_pasted(&text.replace('\n', "\r\n"), &block);
            prop_assert_eq!(verification.reason, Reason::Ok);
            prop_assert!(verification.normalized);
        }
    }

    #[test]
    fn any_other_change_is_seen(block in block(), at in any::<prop::sample::Index>(), c in "[^\r\n]") {
        let lines = block.matches('\n').count();
        let mut edited: Vec<String> = block.split('\n').map(str::to_owned).collect();
        edited[at.index(lines - 1) + 1].push_str(&c);
        let text = embed(&edited.join("\n"), TOKEN);
        prop_assert_eq!(verify_pasted(&text, &block).reason, Reason::BodyMismatch);
    }

    #[test]
    fn two_blocks_never_verify(block in block(), second in block(), swap in any::<bool>()) {
        let pasted = embed(&block, TOKEN);
        let text = if swap { format!("{second}\n{pasted}") } else { format!("{pasted}\n{second}") };
        prop_assert_eq!(verify_pasted(&text, &block).reason, Reason::BodyMismatch);
        prop_assert_eq!(verify_pasted(&text, &text).reason, Reason::BodyMismatch);
    }
}

/// 4 MB each; a search that started over at every repetition would take hours.
#[test]
fn hostile_text_costs_one_pass() {
    for piece in [
        "\n<goal_token>",
        "\n<goal_token>x</goal_token>",
        "\n<goal_token>x</goal_token>\n<!-- SECURITY:",
        "\n/goal",
        "\n/goal\n<executor_directive>",
    ] {
        let text = piece.repeat(4_000_000 / piece.len());
        assert_eq!(find_banner(&text), None);
        assert_eq!(strip(&text), text);
        let blocks = count_blocks(&text);
        assert_eq!(find_block(&text).is_some(), blocks > 0);
    }
}
