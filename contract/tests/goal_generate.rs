//! What one generation decides, refuses and answers.

mod goal_support;

use std::collections::BTreeSet;

use goal_support::*;
use handoff_contract::ErrorCode;
use handoff_contract::board::{BlockerKind, Board, Status, revision};
use handoff_contract::goal::token;
use handoff_contract::handoff::{Mode, Request, envelope};
use serde_json::{Value, json};

const TOKEN: &str = "AAAAAAAAAAAAAAAA";

fn request(version: Option<&str>) -> Request {
    Request {
        version: version.map(str::to_owned),
        ..Request::default()
    }
}

fn answer(snapshot: &handoff_contract::handoff::Snapshot, request: &Request) -> Value {
    let generated = run(snapshot, request).expect("a goal");
    envelope::response(&generated, false, &generated.with_token(TOKEN))
}

#[test]
fn goal_is_the_default() {
    assert_eq!(goal(&snapshot(vec![item("a")])).mode, Mode::Goal);
}

#[test]
fn the_block_is_the_content_and_the_token_goes_into_it() {
    let generated = goal(&snapshot(vec![item("a")]));
    assert_eq!(generated.block.as_deref(), Some(generated.content.as_str()));
    let embedded = generated.with_token(TOKEN);
    assert!(embedded.starts_with(&format!(
        "/goal\n<goal_token>{TOKEN}</goal_token>\n<!-- SECURITY:"
    )));
    assert_eq!(token::strip(&embedded), generated.content);
    assert_eq!(token::extract_block(&embedded), Some(embedded.as_str()));
    let digest = token::digest(&generated.content)
        .map(|byte| format!("{byte:02x}"))
        .concat();
    assert_eq!(generated.content_hash(), digest);
}

#[test]
fn same_rows_same_bytes() {
    let items = || vec![item("b"), item("a"), after("c", &["b", "a"])];
    let reversed = || items().into_iter().rev().collect();
    let content = goal(&snapshot(items())).content;
    assert_eq!(content, goal(&snapshot(items())).content);
    assert_eq!(content, goal(&snapshot(reversed())).content);
}

#[test]
fn an_explicit_version_wins_and_blank_is_none() {
    let versioned =
        |id: &str, version: &str| with(item(id), |item| item.version = Some(version.into()));
    let mut snapshot = snapshot(vec![versioned("a", "v1"), versioned("b", "v2"), item("c")]);
    let scope = |snapshot: &_, version| answer(snapshot, &request(version))["scope"].clone();
    let ids = |snapshot: &_, version| {
        let generated = run(snapshot, &request(version)).unwrap();
        find(&generated.content, "executor_item_ids").unwrap().text
    };
    assert_eq!(ids(&snapshot, None), "a,b,c");
    assert_eq!(ids(&snapshot, Some(" ")), "a,b,c");
    assert_eq!(ids(&snapshot, Some("v2")), "b");
    assert_eq!(
        scope(&snapshot, Some(" ")),
        json!({"requested_version": null, "effective_version": null, "session_id": null})
    );
    snapshot.session = Some(session(Some("v1")));
    assert_eq!(ids(&snapshot, None), "a");
    assert_eq!(
        scope(&snapshot, None),
        json!({"requested_version": null, "effective_version": "v1", "session_id": "s1"})
    );
    assert_eq!(
        scope(&snapshot, Some("v2")),
        json!({"requested_version": "v2", "effective_version": "v2", "session_id": "s1"})
    );
}

#[test]
fn a_bad_selection_is_refused_whole() {
    let busy = with(item("busy"), |item| {
        item.status = Status::InProgress;
        item.claimed_by = Some("s9".into());
    });
    let snapshot = snapshot(vec![item("a"), busy]);
    let foreign = BTreeSet::from(["theirs".to_owned()]);
    let request = select(&["a", "busy", "nowhere", "theirs"]);
    let error =
        handoff_contract::handoff::generate::generate(&snapshot, &request, &foreign).unwrap_err();
    assert_eq!(error.code, ErrorCode::SelectionBlocked);
    assert_eq!(
        *error.detail.unwrap(),
        json!({"selection_rejected": [
            {"id": "busy", "reason": "in_progress", "claimed_by": "s9"},
            {"id": "nowhere", "reason": "not_found"},
            {"id": "theirs", "reason": "wrong_project"},
        ]})
    );
}

#[test]
fn stale_references_of_the_scope_are_refused() {
    let merged = with(item("old"), |item| {
        item.status = Status::Skipped;
        item.merged_into = Some("new".into());
    });
    let snapshot = snapshot(vec![
        item("new"),
        merged,
        after("x", &["old"]),
        after("y", &["gone"]),
    ]);
    let error = run(&snapshot, &Request::default()).unwrap_err();
    assert_eq!(error.code, ErrorCode::StaleReference);
    let detail = *error.detail.unwrap();
    assert_eq!(detail["version"], Value::Null);
    let found: Vec<(&str, &str)> = detail["stale_references"]
        .as_array()
        .unwrap()
        .iter()
        .map(|reference| {
            (
                reference["item_id"].as_str().unwrap(),
                reference["reason"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(found, [("x", "merged_away"), ("y", "missing")]);
    // A selection that has none of them goes through.
    assert!(run(&snapshot, &select(&["new"])).is_ok());
}

#[test]
fn a_selection_with_a_stale_reference_says_so_before_it_says_empty() {
    let snapshot = snapshot(vec![with(after("x", &["gone"]), |item| {
        item.blocker_kind = Some(BlockerKind::Manual);
    })]);
    assert_eq!(
        run(&snapshot, &select(&["x"])).unwrap_err().code,
        ErrorCode::StaleReference
    );
}

#[test]
fn a_selection_of_nothing_executable_is_refused() {
    let manual = |id: &str| {
        with(item(id), |item| {
            item.blocker_kind = Some(BlockerKind::Manual)
        })
    };
    let snapshot = snapshot(vec![item("a"), manual("m"), after("waits", &["m"])]);
    let error = run(&snapshot, &select(&["m", "waits"])).unwrap_err();
    assert_eq!(error.code, ErrorCode::ScopeNonExecutable);
    let detail = *error.detail.unwrap();
    assert_eq!(detail["requested_ids"], json!(["m", "waits"]));
    assert_eq!(
        detail["excluded_requested"],
        json!([{"id": "m", "reason": "manual"}, {"id": "waits", "reason": "dependency_not_satisfied"}])
    );
    // One executable item is enough, and the other is reported.
    let scope = answer(&snapshot, &select(&["a", "m"]))["selected_scope"].clone();
    assert_eq!(scope["executable_ids"], json!(["a"]));
    assert_eq!(
        scope["excluded_requested"],
        json!([{"id": "m", "reason": "manual"}])
    );
    assert_eq!(scope["all_excluded"], json!(false));
}

#[test]
fn forced_items_come_in_and_rejected_ones_are_told() {
    let parked = with(item("parked"), |item| {
        item.track = Some("backburner".into())
    });
    let snapshot = snapshot(vec![item("a"), parked]);
    let request = Request {
        force_include_ids: vec!["parked".into(), "nowhere".into()],
        ..Request::default()
    };
    let response = answer(&snapshot, &request);
    assert_eq!(
        response["force_include_rejected"],
        json!([{"id": "nowhere", "reason": "not_found"}])
    );
    assert_eq!(response["item_counts"]["selected"], 2);
    assert_eq!(
        answer(&snapshot, &Request::default())["item_counts"]["selected"],
        1
    );
}

#[test]
fn counts_and_revision_are_of_the_scope() {
    let in_v1 = |item| {
        with(item, |item: &mut handoff_contract::board::Item| {
            item.version = Some("v1".into())
        })
    };
    let busy = with(item("busy"), |item| item.status = Status::InProgress);
    let done = with(item("done"), |item| item.status = Status::Done);
    let manual = with(item("m"), |item| {
        item.blocker_kind = Some(BlockerKind::Manual)
    });
    let items = vec![
        in_v1(item("a")),
        in_v1(busy),
        in_v1(done),
        in_v1(manual),
        item("elsewhere"),
    ];
    let board = Board::new(items.clone(), vec![], vec![]);
    let snapshot = snapshot(items);
    let response = answer(&snapshot, &request(Some("v1")));
    assert_eq!(
        response["item_counts"],
        json!({"pending": 2, "in_progress": 1, "selected": 1, "excluded": 1})
    );
    assert_eq!(
        response["board_revision"],
        json!(revision::of_items(board.scoped(Some("v1"))))
    );
    assert_ne!(
        response["board_revision"],
        answer(&snapshot, &Request::default())["board_revision"]
    );
}

#[test]
fn the_response_has_every_key_in_order() {
    let generated = goal(&snapshot(vec![item("a")]));
    let response = envelope::response(&generated, true, "wire");
    let keys: Vec<&str> = response
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(
        keys,
        [
            "project_id",
            "mode",
            "content",
            "amended",
            "degraded",
            "retrievable_via_load_handoff",
            "scope",
            "selected_scope",
            "force_include_rejected",
            "capability_contract",
            "profile_binding",
            "handoff_evidence_status",
            "continuation_status",
            "blocker_policy",
            "docx_integrity",
            "run_timeline",
            "board_revision",
            "item_counts",
            "content_hash",
            "checkpoint",
            "generated_at",
        ]
    );
    assert_eq!(response["content"], "wire");
    assert_eq!(response["amended"], true);
    assert_eq!(response["retrievable_via_load_handoff"], true);
    assert_eq!(response["generated_at"], "2026-12-01T02:10:42Z");
    assert_eq!(response["content_hash"], json!(generated.content_hash()));
    assert_eq!(response["selected_scope"], Value::Null);
}

#[test]
fn evidence_status_is_true() {
    let statuses = |snapshot: &_| {
        let status = answer(snapshot, &Request::default())["handoff_evidence_status"].clone();
        status
            .as_object()
            .unwrap()
            .iter()
            .map(|(id, entry)| {
                assert!(!entry["reason"].as_str().unwrap().is_empty());
                format!("{id}: {}", entry["status"].as_str().unwrap())
            })
            .collect::<Vec<_>>()
    };
    let expected = |annotation| {
        [
            "code_pointer_enrichment: skipped".to_owned(),
            format!("resolved_pointer_annotation: {annotation}"),
            "freshness_requery: verified".to_owned(),
            "wave_gate_exclusion: verified".to_owned(),
            "graph_search_availability: skipped".to_owned(),
        ]
    };
    assert_eq!(statuses(&snapshot(vec![item("a")])), expected("skipped"));
    let mut looked_at = pointer("a", 1, json!([{"uri": "x"}]));
    let board = |pointer| snapshot_of(Board::new(vec![item("a")], vec![pointer], vec![]));
    assert_eq!(statuses(&board(looked_at.clone())), expected("verified"));
    looked_at.target_resolved = None;
    assert_eq!(statuses(&board(looked_at)), expected("skipped"));
}

#[test]
fn a_checkpoint_says_so() {
    let request = Request {
        checkpoint: true,
        ..Request::default()
    };
    assert_eq!(
        answer(&snapshot(vec![item("a")]), &request)["checkpoint"],
        true
    );
}
