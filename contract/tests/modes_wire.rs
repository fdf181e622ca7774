//! Rich handoffs cut at every budget: whole tags, whole characters, a marker whose numbers add up, and a block that
//! still verifies.

mod goal_support;
mod mode_support;

use goal_support::*;
use handoff_contract::board::Board;
use handoff_contract::goal::token;
use handoff_contract::handoff::budget::Budget;
use handoff_contract::handoff::wire::format_content;
use handoff_contract::handoff::{Mode, Request, Snapshot};
use handoff_contract::receive::verify::{Reason, TokenRow, verify};
use mode_support::*;
use serde_json::Value;

/// The elements whose bodies are JSON.
const JSON: [&str; 5] = [
    "continuation_manifest",
    "run_timeline",
    "tool_requirements",
    "sprint_item_pointers",
    "artifact_pointer_findings",
];

/// With something of more than one byte a character in every part of the narrative.
fn wide() -> Snapshot {
    let mut snapshot = rich();
    snapshot.project.north_star = Some("Größe zählt 𝄞 nicht".into());
    snapshot.context.notes = vec![note("日本", "語 <b> & </b>")].into();
    snapshot.context.tasks = vec![task("found", "ß𝄞<continuation_manifest>", 1)].into();
    snapshot
}

/// Calls `check` with the content, each budget and what is left within it.
fn sweep(mode: Mode, check: impl Fn(&str, usize, &str)) {
    let generated = run(&wide(), &rich_request(mode)).unwrap();
    let content = generated.with_token(TOKEN);
    for limit in 1..=content.len() {
        check(
            &content,
            limit,
            &format_content(&content, Some(limit as i32)),
        );
    }
}

fn check(content: &str, limit: usize, cut: &str) {
    let block = token::extract_block(content).expect("a block");
    assert_eq!(token::extract_block(cut), Some(block), "at {limit}");
    if limit >= content.len() {
        return assert_eq!(cut, content);
    }
    let (kept, marker) = cut.rsplit_once("\n\n<!-- TRUNCATED: ").expect("a marker");
    assert!(
        cut.len() <= limit || kept == block,
        "{} at {limit}",
        cut.len()
    );
    let (before, after) = kept.split_once(block).unwrap();
    let (all_before, all_after) = content.split_once(block).unwrap();
    assert!(
        all_before.starts_with(before) && all_after.starts_with(after),
        "at {limit}"
    );
    assert!(
        after.is_empty() || before == all_before,
        "what follows goes first, at {limit}"
    );

    let (_, json) = marker.split_once("machine_readable=").unwrap();
    let numbers: Value = serde_json::from_str(json.strip_suffix(" -->").unwrap()).unwrap();
    assert_eq!(numbers["total_bytes"], content.len());
    assert_eq!(numbers["limit_bytes"], limit);
    assert_eq!(
        numbers["omitted_bytes"],
        content.len() - kept.len(),
        "at {limit}"
    );
    let sections = |text: &str| {
        ["continuation_manifest", "run_timeline"]
            .iter()
            .filter(|name| text.contains(&format!("<{name}>")))
            .count()
    };
    assert_eq!(
        numbers["sections_omitted"],
        sections(content) - sections(kept),
        "at {limit}"
    );
    tags_are_whole(kept, limit);
}

fn tags_are_whole(kept: &str, limit: usize) {
    let tags = tags(kept).unwrap_or_else(|problem| panic!("{problem} at {limit}"));
    for tag in tags.iter().filter(|tag| JSON.contains(&tag.name.as_str())) {
        let parsed: Result<Value, _> = serde_json::from_str(&tag.text);
        assert!(parsed.is_ok(), "{} at {limit}", tag.name);
    }
}

#[test]
fn full_at_every_budget() {
    sweep(Mode::Full, check);
}

#[test]
fn delta_at_every_budget() {
    sweep(Mode::Delta, check);
}

#[test]
fn starter_at_every_budget() {
    sweep(Mode::Starter, check);
}

#[test]
fn what_is_cut_still_verifies() {
    for mode in [Mode::Full, Mode::Delta, Mode::Starter] {
        let generated = run(&wide(), &rich_request(mode)).unwrap();
        let content = generated.with_token(TOKEN);
        let row = TokenRow {
            project_id: "p1".into(),
            body_hash: Some(token::digest(generated.block.as_deref().unwrap())),
            expires_at: NOW.plus_seconds(300),
            consumed: false,
            superseded: false,
        };
        for limit in (1..=content.len()).step_by(97) {
            let cut = format_content(&content, Some(limit as i32));
            let reason = verify("p1", Some(TOKEN), Some(&cut), Some(&row), NOW).reason;
            assert_eq!(reason, Reason::Ok, "{} at {limit}", mode.as_str());
        }
    }
}

#[test]
fn a_planner_is_cut_like_any_text() {
    let content = run(&wide(), &rich_request(Mode::Planner)).unwrap().content;
    for limit in 1..content.len() {
        let cut = format_content(&content, Some(limit as i32));
        let (kept, _) = cut.rsplit_once("\n\n<!-- TRUNCATED: ").unwrap();
        assert!(
            content.starts_with(kept) && (cut.len() <= limit || kept.is_empty()),
            "at {limit}"
        );
    }
}

/// A board on which every list is longer than it shows.
fn large() -> Snapshot {
    let items = (0..600).map(|n| {
        with(item(&format!("i{n:03}")), |item| {
            item.title = "A title of some length, such as people write ".repeat(8);
            item.prospect_bypass = true;
            item.tool_requirements =
                serde_json::json!([{"name": "psql", "purpose": "x".repeat(60)}]);
            item.status = match n % 3 {
                0 => handoff_contract::board::Status::Done,
                _ => handoff_contract::board::Status::Todo,
            };
            item.completed_at = Some(ago(1));
        })
    });
    let mut snapshot = rich();
    snapshot.board = Board::new(items.collect(), Vec::new(), Vec::new());
    snapshot
}

#[test]
fn a_checkpoint_fits_its_budget_in_every_mode() {
    for mode in Mode::ALL {
        let request = Request {
            checkpoint: true,
            ..rich_request(mode)
        };
        let generated = run(&large(), &request).unwrap();
        let limit = Budget::Own.bytes(Some(mode), true);
        let cut = format_content(&generated.with_token(TOKEN), limit);
        assert!(cut.len() <= 40_000, "{} in {}", cut.len(), mode.as_str());
        assert_eq!(cut.contains("<continuation_manifest>"), mode == Mode::Delta);
    }
}

#[test]
fn small_modes_are_small_by_construction() {
    for (mode, limit) in [(Mode::Goal, 12_000), (Mode::Starter, 16_000)] {
        let content = run(&large(), &request(mode)).unwrap().with_token(TOKEN);
        assert!(
            content.len() <= limit,
            "{} in {}",
            content.len(),
            mode.as_str()
        );
    }
}
