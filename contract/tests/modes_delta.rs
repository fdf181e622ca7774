//! What a delta tells of the time since the last handoff, and the manifest that a resumed session checks it with.

mod goal_support;
mod mode_support;

use goal_support::*;
use handoff_contract::board::{Priority, Status};
use handoff_contract::handoff::{Mode, Request, Snapshot};
use mode_support::*;
use serde_json::json;

#[test]
fn the_manifest_is_of_the_whole_board_and_before_the_block() {
    let snapshot = rich();
    let selection = Request {
        requested_mode: Some("delta".into()),
        ..select(&["docs"])
    };
    let generated = run(&snapshot, &selection).unwrap();
    let manifest = manifest(&generated.content);
    assert_eq!(manifest["source"], "generate_handoff:delta");
    assert_eq!(
        (&manifest["schema_version"], &manifest["session_id"]),
        (&json!(1), &json!("s1"))
    );
    assert_eq!(manifest["revision_hash"], json!(generated.board_revision));
    assert_eq!(manifest["revision_counter"], 17);
    assert_eq!(
        (&manifest["item_count"], &manifest["pending_count"]),
        (&json!(6), &json!(5))
    );
    assert_eq!(
        manifest["pending_item_ids"],
        json!(["api", "docs", "later", "ship", "sign"])
    );
    assert_eq!(
        manifest["hard_blocked_pending_ids"],
        json!([{"id": "sign", "blocker_kind": "manual"}])
    );
    assert_eq!(
        manifest["deferred_pending_ids"],
        json!([{"id": "later", "deferred_until": "2026-12-01T03:10:42Z"}])
    );
    assert_eq!(manifest["hitl_gated_item_ids"], json!(["docs"]));
    let at = |text: &str| generated.content.find(text).expect("it stands there");
    assert!(at("<continuation_manifest>") < at("Next:\n/goal\n"));
    assert!(at("Next:\n/goal\n") < at("<run_timeline>"));
    assert_eq!(
        embedded(&generated.content, "run_timeline"),
        generated.run_timeline.unwrap()
    );
}

#[test]
fn the_manifests_lists_are_bounded_and_counted() {
    let items = (0..30).map(|n| {
        with(item(&format!("i{n:02}")), |item| {
            item.blocker_kind = Some(handoff_contract::board::BlockerKind::Superseded);
            item.deferred_until = Some(NOW.plus_seconds(1));
        })
    });
    let manifest = manifest(&content(&snapshot(items.collect()), Mode::Delta));
    for (list, count) in [
        ("pending_item_ids", "pending_count"),
        ("hard_blocked_pending_ids", "hard_blocked_pending_count"),
        ("deferred_pending_ids", "deferred_pending_count"),
    ] {
        assert_eq!(manifest[list].as_array().unwrap().len(), 20, "{list}");
        assert_eq!(manifest[count], 30, "{count}");
    }
}

#[test]
fn a_delta_tells_what_came_since() {
    let mut snapshot = rich();
    let completed = |snapshot: &Snapshot| {
        let content = content(snapshot, Mode::Delta);
        let (_, rest) = content.split_once("Completed ").unwrap();
        rest.split_once("\n\n").unwrap().0.to_owned()
    };
    assert_eq!(
        completed(&snapshot),
        "since 2026-11-30T16:10:42Z:\n- schema [done] Title of schema"
    );
    snapshot.context.since = Some(NOW);
    assert_eq!(completed(&snapshot), "since 2026-12-01T02:10:42Z:\n- none");
    snapshot.context.since = None;
    assert_eq!(
        completed(&snapshot),
        "so far:\n- schema [done] Title of schema\n- seed [failed] Title of seed"
    );
}

#[test]
fn long_lists_of_a_delta_are_ranked_capped_and_counted() {
    let mut items: Vec<_> = (0..30)
        .map(|n| {
            with(item(&format!("d{n:02}")), |item| {
                item.status = Status::Done;
                item.completed_at = Some(ago(n));
            })
        })
        .collect();
    items.extend((0..23).map(|n| {
        with(item(&format!("u{n:02}")), |item| {
            item.priority = Priority::Urgent
        })
    }));
    items.push(with(item("h"), |item| item.priority = Priority::High));
    items.push(item("n"));
    let content = content(&snapshot(items), Mode::Delta);
    assert!(
        content.contains("- d19 [done]") && !content.contains("- d20 [done]"),
        "{content}"
    );
    assert!(
        content
            .contains("\n- 10 more, 30 in all\n\nPending:\n- u00 [todo] Title of u00 (urgent)\n")
    );
    assert!(
        content.contains("\n- 5 more, 25 in all (3 urgent, 1 high-priority)\n"),
        "{content}"
    );
}
