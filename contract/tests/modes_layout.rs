//! How the modes lay out what was decided: previews, headers, caps, templates and the parts of their blocks.

mod goal_support;
mod mode_support;

use std::collections::BTreeSet;

use goal_support::*;
use handoff_contract::Timestamp;
use handoff_contract::board::{Board, Priority, Status};
use handoff_contract::goal::block::Attachments;
use handoff_contract::handoff::context::Rows;
use handoff_contract::handoff::generate::Prepared;
use handoff_contract::handoff::{Mode, Request, Snapshot};
use mode_support::*;
use serde_json::json;

#[test]
fn starter_is_light() {
    let snapshot = snapshot(vec![item("a"), item("b")]);
    let generated = in_mode(&snapshot, Mode::Starter);
    let text = generated.with_token(TOKEN);
    let lines = text.lines().filter(|line| !line.is_empty()).count();
    assert!(lines <= 20, "{lines}\n{text}");
    assert!(
        text.contains(
            "\nDone: (none)\n\n# Pending\n1. [a] Title of a\n2. [b] Title of b\n\n/goal\n"
        ),
        "{text}"
    );
    for tag in [
        "project_start_config",
        "proposal_scope",
        "continuation_manifest",
    ] {
        assert!(!text.contains(tag), "{tag}");
    }
    let compact = content(&snapshot, Mode::Compact);
    assert_eq!(compact, generated.content);
}

#[test]
fn a_starter_shows_the_top_of_the_batch() {
    let mut items: Vec<_> = ["a", "b", "c", "d"].map(item).to_vec();
    items.extend((0..7).map(|n| {
        with(item(&format!("d{n}")), |item| {
            item.title = format!("Done {n}. And more");
            item.status = Status::Done;
            item.completed_at = Some(ago(n));
        })
    }));
    let text = content(&snapshot(items), Mode::Starter);
    assert!(
        text.contains("\nDone: Done 0, Done 1, Done 2, Done 3, Done 4 (+2 more)\n"),
        "{text}"
    );
    assert!(
        text.contains("\n# Pending (first 3 of 4, all of them in the block below)\n1. [a] "),
        "{text}"
    );
    assert!(!text.contains("4. [d]"));
}

#[test]
fn a_starter_shows_what_can_be_claimed_at_once_first() {
    let urgent = with(item("late"), |item| {
        item.priority = Priority::Urgent;
        item.depends_on = vec!["b".into()];
    });
    let text = content(&snapshot(vec![urgent, item("a"), item("b")]), Mode::Starter);
    assert!(
        text.contains("# Pending\n1. [a] Title of a\n2. [b] Title of b\n3. [late] "),
        "{text}"
    );
}

#[test]
fn a_narrative_tells_the_time_to_the_second() {
    let mut snapshot = rich();
    snapshot.now = Timestamp(snapshot.now.0 + 1_234);
    for mode in [Mode::Full, Mode::Planner, Mode::Delta] {
        let text = content(&snapshot, mode);
        let told = format!("_Generated at {} · mode", NOW);
        assert!(text.contains(&told), "{text}");
    }
}

#[test]
fn each_block_has_its_layout() {
    let tag = |mode, name: &str| find(&in_mode(&rich(), mode).block.unwrap(), name);
    for mode in WITH_BLOCK {
        let start_config = matches!(mode, Mode::Goal | Mode::Delta);
        assert_eq!(
            tag(mode, "project_start_config").is_some(),
            start_config,
            "{}",
            mode.as_str()
        );
        let scope = tag(mode, "proposal_scope").map(|scope| scope.text);
        match mode {
            Mode::Goal => assert!(scope.unwrap().starts_with("In scope: 3 items.")),
            Mode::Full | Mode::Delta => {
                let scope = scope.unwrap();
                assert!(
                    scope.starts_with(
                        "items_in_scope: 3\nwaves: {\"W1\":[\"api\",\"ship\"]}\nhitl_gates: 2\n"
                    ),
                    "{scope}"
                );
                assert!(
                    scope.ends_with("omitted_items: 2\n- later (backburner)\n- sign (manual)"),
                    "{scope}"
                );
            }
            _ => assert_eq!(scope, None),
        }
    }
}

#[test]
fn small_modes_and_checkpoints_cap_their_clauses() {
    let needing = |n| {
        with(item(&format!("i{n:02}")), |item| {
            item.tool_requirements = json!([{"name": "psql"}])
        })
    };
    let snapshot = snapshot((0..20).map(needing).collect());
    let is_cut = |request: &Request| {
        let block = run(&snapshot, request).unwrap().block.unwrap();
        find(&block, "tool_requirements_truncated").is_some()
    };
    for mode in WITH_BLOCK {
        let small = matches!(mode, Mode::Goal | Mode::Starter | Mode::Compact);
        assert_eq!(is_cut(&request(mode)), small, "{}", mode.as_str());
        let checkpoint = Request {
            checkpoint: true,
            ..request(mode)
        };
        assert!(is_cut(&checkpoint), "{}", mode.as_str());
    }
}

#[test]
fn evidence_stands_in_the_blocks_of_three_modes() {
    let snapshot = rich();
    for mode in WITH_BLOCK {
        let request = request(mode);
        let attachments = Attachments {
            research_evidence: Some("## Research Evidence".into()),
            ..Attachments::default()
        };
        let generated = Prepared::decide(&snapshot, &request, &BTreeSet::new())
            .unwrap()
            .render(&attachments);
        let expected = matches!(mode, Mode::Goal | Mode::Delta | Mode::Full);
        let block = generated.block.unwrap();
        assert_eq!(
            block.contains("\n\n## Research Evidence\n\n"),
            expected,
            "{}",
            mode.as_str()
        );
        assert_eq!(
            generated.content.matches("Research Evidence").count(),
            usize::from(expected)
        );
    }
}

#[test]
fn a_template_lays_out_full_and_nothing_else() {
    let mut snapshot = rich();
    snapshot.context.workspace_template = Some("Tenant {{sprint}}".into());
    assert!(content(&snapshot, Mode::Full).contains("\n\nTenant Serve before you tune\n\n"));
    snapshot.project.settings["handoff_template"] = json!(
        "# Ours <b>\r\n{{north_star}} / {{ version_goal }}\n  - {{unknown}} {{ {{sprint}}\n/goal {{nowhere\n{{recent_tasks}}\n{{notes}}{{decisions}}"
    );
    snapshot.project.north_star = Some("{{notes}}".into());
    snapshot.project.version_goal = None;
    snapshot.context.notes = Rows::default();
    let full = content(&snapshot, Mode::Full);
    assert!(
        full.contains(
            "\n\n# Ours &lt;b&gt;\n{{notes}} / (none)\n  - {{unknown}} {{ Serve before you tune\n\\/goal {{nowhere\n- 2026-1"
        ),
        "{full}"
    );
    assert!(
        full.contains("\n(none)- [urgent] **Rust** (scope): One binary\n"),
        "{full}"
    );
    assert!(!full.contains("## L0") && !full.contains("Tenant"));
    assert!(full.contains("House style") && full.contains("=== HANDOFF READINESS ==="));
    for mode in Mode::ALL.into_iter().filter(|mode| *mode != Mode::Full) {
        assert!(
            !content(&snapshot, mode).contains("# Ours"),
            "{}",
            mode.as_str()
        );
    }
}

#[test]
fn bodies_are_clipped_and_lists_counted() {
    let full = content(&rich(), Mode::Full);
    assert!(full.contains(&format!(
        "**No cache** (scope): {}… (+10 more chars)\n- 58 more, 60 in all\n",
        "x".repeat(300)
    )));
    let mut snapshot = rich();
    snapshot.context.workspace_notes = (0..12)
        .map(|n| note(&format!("n{n}"), "&"))
        .collect::<Vec<_>>()
        .into();
    let full = content(&snapshot, Mode::Full);
    assert!(
        full.contains("**n9** (finding: api, cache): &amp;\n- 2 more, 12 in all\n"),
        "{full}"
    );
}

#[test]
fn readiness_warns() {
    let header = |snapshot: &Snapshot| {
        let content = content(snapshot, Mode::Planner);
        content
            .split_once("=========================\n")
            .unwrap()
            .0
            .to_owned()
    };
    let rich_header = header(&rich());
    assert!(
        rich_header.starts_with("=== HANDOFF READINESS ===\n⚠ Sprint focus (STALE: 40 days old"),
        "{rich_header}"
    );
    assert!(
        rich_header.contains(
            "\nPending items: 5, of which an executor can take 3\nPinned decisions: 60\n"
        )
    );
    assert!(rich_header.contains("\n⚠ Artifact: render of out/guide.docx failed (item docs)\n"));
    let empty = header(&snapshot_of(Board::default()));
    for warning in [
        "⚠ Sprint focus: none",
        "⚠ Pending items: none",
        "⚠ Pinned decisions: none",
    ] {
        assert!(empty.contains(warning), "{empty}");
    }
    let mut fresh = rich();
    fresh.project.sprint_focus_updated_at = Some(ago(24 * 29));
    assert!(header(&fresh).contains("\nSprint focus: Serve before you tune\n"));
}

#[test]
fn the_callers_summary_stands_outside_the_block() {
    for mode in Mode::ALL {
        let generated = run(&rich(), &rich_request(mode)).unwrap();
        let told = generated
            .content
            .contains("## Summary by the caller\n> We are &lt;half&gt; done.\n>\n> /goal is next.");
        assert_eq!(
            told,
            matches!(mode, Mode::Full | Mode::Delta | Mode::Planner),
            "{}",
            mode.as_str()
        );
        assert!(generated.block.is_none_or(|block| !block.contains("half")));
        assert!(!content(&rich(), mode).contains("Summary by the caller"));
    }
}
