//! The triage of a board: which kind an item gets, what waits for it, and when the run stops.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::{Duration, Instant};

use handoff_contract::board::{
    BlockerKind, Board, FailureMode, Item, MilestoneType, Pointer, Status,
};
use handoff_contract::capability::availability::{self, Reports};
use handoff_contract::capability::blocker::{Decision, Kind, Policy, Signals, decide};
use handoff_contract::capability::{Reported, manifest};
use handoff_contract::{ErrorCode, Timestamp};
use proptest::prelude::*;
use serde_json::{Value, json};

/// An item that nothing blocks.
fn item(id: &str, depends_on: &[&str]) -> Item {
    Item {
        notes: Some("As discussed.".into()),
        depends_on: depends_on.iter().map(|id| (*id).to_owned()).collect(),
        ..Item::new(id, "Title")
    }
}

fn for_human(id: &str, depends_on: &[&str]) -> Item {
    Item {
        milestone_type: MilestoneType::Human,
        ..item(id, depends_on)
    }
}

fn decided(items: &[Item], policy: Option<&str>, signals: &[(&str, Signals)]) -> Decision {
    let items: Vec<&Item> = items.iter().collect();
    let signals: HashMap<&str, Signals> = signals.iter().copied().collect();
    decide(&items, policy, &signals).unwrap()
}

fn kind(item: &Item, signals: Signals) -> Option<Kind> {
    let decision = decided(
        std::slice::from_ref(item),
        None,
        &[(&item.item_id, signals)],
    );
    decision.kinds.get(&item.item_id).copied()
}

#[test]
fn first_kind_in_the_order_wins() {
    // Everything is set; each step takes away what the kind before it saw.
    let mut signals = Signals {
        run_global: true,
        verified_security: true,
        integrity_corruption: true,
        require_human_review: true,
        dependency_blocked: true,
        tool_unavailable: true,
        has_approved_fallback: Some(false),
        prospected: Some(false),
    };
    let mut item = Item::new("i", "i");
    assert_eq!(kind(&item, signals), Some(Kind::RunGlobalBlocker));
    signals.run_global = false;
    assert_eq!(kind(&item, signals), Some(Kind::VerifiedSecurity));
    signals.verified_security = false;
    assert_eq!(kind(&item, signals), Some(Kind::IntegrityCorruption));
    signals.integrity_corruption = false;
    assert_eq!(kind(&item, signals), Some(Kind::HumanAction));
    signals.require_human_review = false;
    assert_eq!(kind(&item, signals), Some(Kind::DependencyBlocked));
    signals.dependency_blocked = false;
    assert_eq!(kind(&item, signals), Some(Kind::OptionalToolUnavailable));
    signals.has_approved_fallback = None;
    assert_eq!(kind(&item, signals), Some(Kind::NeedsScope));
    item.touches_resources = vec!["file:a".into()];
    assert_eq!(kind(&item, signals), Some(Kind::NeedsProspecting));
    signals.prospected = None;
    assert_eq!(kind(&item, signals), None);
}

#[test]
fn scope_is_shown_by_notes_resources_and_tools_only() {
    let scoped = |change: &dyn Fn(&mut Item)| {
        let mut item = Item {
            priority: handoff_contract::board::Priority::Urgent,
            ..Item::new("i", "MANUAL: run_global_blocker, verified security hole")
        };
        change(&mut item);
        kind(&item, Signals::default()).is_none()
    };
    assert!(scoped(&|item| item.notes = Some("x".into())));
    assert!(scoped(
        &|item| item.touches_resources = vec!["file:a".into()]
    ));
    assert!(scoped(&|item| item.required_tool = Some("cargo".into())));
    assert!(scoped(
        &|item| item.tool_requirements = json!([{"name": "cargo"}])
    ));
    assert!(!scoped(&|_| ()));
    assert!(!scoped(&|item| item.notes = Some(" \n".into())));
    assert!(!scoped(&|item| item.required_tool = Some(" ".into())));
    for nothing in [
        json!(null),
        json!([]),
        json!({}),
        json!(""),
        json!("[]"),
        json!("null"),
    ] {
        assert!(
            !scoped(&|item| item.tool_requirements = nothing.clone()),
            "{nothing}"
        );
    }
}

#[test]
fn the_whole_answer() {
    let items = [
        for_human("ask", &[]),
        item("build", &["ask"]),
        item("ship", &["build", "free"]),
        item("free", &["done_long_ago"]),
        Item::new("vague", "Do things"),
    ];
    let decision = decided(&items, None, &[]);
    let with_notes = json!({"has_notes": true, "has_resources": false, "has_tool_requirements": false, "has_scope_evidence": true});
    assert_eq!(
        decision.to_json(),
        json!({
            "policy": "quarantine_continue",
            "blocked_item_ids": ["ask", "vague"],
            "classifications": {"ask": "human_action", "vague": "needs_scope"},
            "evidence_status": {
                "ask": with_notes, "build": with_notes, "free": with_notes, "ship": with_notes,
                "vague": {"has_notes": false, "has_resources": false, "has_tool_requirements": false, "has_scope_evidence": false},
            },
            "fail_closed_item_ids": [],
            "skipped_dependents": {"ask": ["build", "ship"], "vague": []},
            "skipped_dependents_listed_under": "every_blocker",
            "quarantined_item_ids": ["ask", "vague"],
            "eligible_item_ids": ["free"],
            "run_stop": false,
            "run_stop_reason": null,
            "continuation_rationale": "Under policy quarantine_continue the run goes on without 2 blocked items \
                (ask:human_action, vague:needs_scope) and the 2 that wait for them; eligible: 1.",
        })
    );
}

#[test]
fn an_item_behind_several_blocked_ones_waits_for_each() {
    let items = [
        for_human("a", &[]),
        for_human("b", &[]),
        item("c", &["a", "b"]),
        for_human("d", &["c"]),
        item("e", &["d"]),
    ];
    let answer = decided(&items, None, &[]).to_json();
    assert_eq!(
        answer["skipped_dependents"],
        json!({"a": ["c"], "b": ["c"], "d": ["e"]})
    );
}

#[test]
fn a_cycle_is_walked_once() {
    let items = [
        for_human("a", &["c"]),
        item("b", &["a", "b"]),
        item("c", &["b"]),
        item("x", &["y"]),
        item("y", &["x"]),
    ];
    let decision = decided(&items, None, &[]);
    assert_eq!(
        decision.to_json()["skipped_dependents"],
        json!({"a": ["b", "c"]})
    );
    assert_eq!(decision.eligible, ["x", "y"]);
}

#[test]
fn kinds_that_fail_closed_stop_the_run_under_every_policy() {
    let items = [
        item("a", &[]),
        item("b", &[]),
        item("c", &["a"]),
        for_human("d", &[]),
        item("e", &[]),
    ];
    let corrupt = Signals {
        integrity_corruption: true,
        ..Signals::default()
    };
    let global = Signals {
        run_global: true,
        ..Signals::default()
    };
    for policy in Policy::KNOWN {
        let signals = [("b", corrupt), ("a", global), ("e", corrupt)];
        let answer = decided(&items, Some(policy.as_str()), &signals).to_json();
        assert_eq!(answer["run_stop"], true);
        assert_eq!(
            answer["run_stop_reason"],
            "fail_closed_blocker:integrity_corruption,run_global_blocker;items:a,b,e"
        );
        assert_eq!(answer["fail_closed_item_ids"], json!(["a", "b", "e"]));
        assert_eq!(answer["eligible_item_ids"], json!([]));
        assert_eq!(
            answer["skipped_dependents"],
            json!({"a": ["c"], "b": [], "d": [], "e": []})
        );
        let rationale = answer["continuation_rationale"].as_str().unwrap();
        assert!(
            rationale.contains("items:a,b,e")
                && rationale.contains("Blocked items: 4; waiting for them: 1.")
        );
    }
}

#[test]
fn run_stop_needs_something_blocked() {
    let free = [item("a", &[])];
    let decision = decided(&free, Some(" RUN_STOP\n"), &[]);
    assert!(!decision.run_stop());
    assert_eq!(decision.eligible, ["a"]);
    assert!(
        decision.to_json()["continuation_rationale"]
            .as_str()
            .unwrap()
            .starts_with("Nothing is blocked; all 1 ")
    );

    let blocked = [item("a", &[]), for_human("b", &[])];
    let decision = decided(&blocked, Some("run_stop"), &[]);
    assert_eq!(
        decision.run_stop_reason.as_deref(),
        Some("explicit_project_run_stop_policy")
    );
    assert!(decision.eligible.is_empty());
    for policy in ["quarantine_continue", "auto_prospect", "item_stop"] {
        assert_eq!(decided(&blocked, Some(policy), &[]).eligible, ["a"]);
    }
}

#[test]
fn an_unknown_policy_names_the_legal_ones() {
    for text in ["", "stop", "run-stop", "quarantine_continue;"] {
        let error = decide(&[], Some(text), &HashMap::new()).unwrap_err();
        assert_eq!(error.code, ErrorCode::InvalidValue);
        assert!(
            error
                .hint
                .ends_with("quarantine_continue, auto_prospect, item_stop, run_stop.")
        );
    }
}

#[test]
fn an_empty_board_goes_on() {
    let answer = decided(&[Item::new("", "no id")], None, &[]).to_json();
    assert_eq!(answer["eligible_item_ids"], json!([]));
    assert_eq!(answer["run_stop"], false);
    assert_eq!(answer["evidence_status"], json!({}));
}

#[test]
fn rows_give_signals() {
    let touching = |id: &str| Item {
        touches_resources: vec!["file:a".into()],
        ..item(id, &[])
    };
    let pinned = |id: &str, tool: &str| Item {
        required_tool: Some(tool.into()),
        ..item(id, &[])
    };
    let failed = Item {
        status: Status::Failed,
        ..item("failed", &[])
    };
    let items = vec![
        failed,
        item("open", &[]),
        item("waits", &["open", "failed"]),
        Item {
            failure_mode: FailureMode::Stop,
            ..item("stopped", &["failed"])
        },
        item("orphan", &["gone"]),
        Item {
            blocker_kind: Some(BlockerKind::Manual),
            ..item("manual", &[])
        },
        touching("unprospected"),
        touching("prospected"),
        pinned("no_tool", "gone_tool"),
        pinned("rescued_tool", "backed_tool"),
        pinned("unknown_tool", "never_reported"),
        Item {
            tool_requirements: json!([{"name": "gone_tool", "required_or_preferred": "preferred"}]),
            ..item("preferred_tool", &[])
        },
    ];
    let pointer = Pointer {
        item_id: "prospected".into(),
        pointer_id: 1,
        source_type: "code".into(),
        targets: json!([]),
        label: None,
        target_resolved: None,
    };
    let board = Board::new(items, vec![pointer], vec![]);
    let report = |tool, status| Reported::checked(tool, status, None, Timestamp(0)).unwrap();
    let rows = [
        report("gone_tool", "missing"),
        report("backed_tool", "missing"),
        report("spare", "available"),
    ];
    let manifest = manifest::parse(&json!([
        {"id": "c", "purpose": "x", "required_tools": ["backed_tool"], "fallback_chain": ["spare"]},
    ]))
    .unwrap();
    let reports = Reports::of(&rows);
    let assessments = availability::assess(&manifest, &reports);
    let items: Vec<&Item> = board.items().iter().collect();
    let signals: HashMap<&str, Signals> = items
        .iter()
        .map(|item| {
            (
                item.item_id.as_str(),
                Signals::of_rows(item, &board, &reports, &assessments),
            )
        })
        .collect();
    let answer = decide(&items, None, &signals).unwrap().to_json();
    assert_eq!(
        answer["classifications"],
        json!({
            "manual": "human_action",
            "no_tool": "optional_tool_unavailable",
            "orphan": "dependency_blocked",
            "stopped": "dependency_blocked",
            "unprospected": "needs_prospecting",
        })
    );
}

#[test]
fn the_summary_is_capped_and_counts() {
    let items: Vec<Item> = (0..100)
        .map(|n| for_human(&format!("human-{n:03}"), &[]))
        .chain([item("z", &["human-000"])])
        .collect();
    let summary = decided(&items, Some("run_stop"), &[]).summary();
    assert_eq!(summary["blocked_count"], 100);
    assert_eq!(summary["blocked_item_ids"].as_array().unwrap().len(), 20);
    assert_eq!(summary["details"].as_array().unwrap().len(), 5);
    assert_eq!(
        summary["details"][0],
        json!({"id": "human-000", "kind": "human_action", "skipped_dependent_count": 1})
    );
    assert_eq!(summary["paused_count"], 1);
    assert_eq!(summary["truncated"], true);

    let rationale = decided(&items, None, &[]).summary()["continuation_rationale"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(rationale.ends_with("...(truncated)"));
    assert_eq!(rationale.chars().count(), 400 + "...(truncated)".len());
    assert_eq!(
        decided(&items[..3], None, &[]).summary()["truncated"],
        false
    );
}

/// Every kind of board that could make the walk long: one chain, one hub, layers that depend on each other entirely.
fn long_boards() -> Vec<Vec<Item>> {
    let id = |n: usize| format!("i{n:05}");
    let chain = (0..10_000).map(|n| match n {
        0 => for_human(&id(0), &[]),
        n => item(&id(n), &[&id(n - 1)]),
    });
    let hub = (0..10_000).map(|n| match n {
        0..5_000 => for_human(&id(n), &[]),
        5_000 => Item {
            depends_on: (0..5_000).map(id).collect(),
            ..item(&id(5_000), &[])
        },
        n => item(&id(n), &[&id(n - 1)]),
    });
    let layers = (0..10_000).map(|n| {
        let depends_on = (0..50)
            .filter(|_| n >= 50)
            .map(|k| id((n / 50 - 1) * 50 + k))
            .collect();
        Item {
            depends_on,
            ..for_human(&id(n), &[])
        }
    });
    let open_layers = (0..10_000).map(|n| {
        let depends_on = (0..50)
            .filter(|_| n >= 50)
            .map(|k| id((n / 50 - 1) * 50 + k))
            .collect();
        if n < 50 {
            for_human(&id(n), &[])
        } else {
            Item {
                depends_on,
                ..item(&id(n), &[])
            }
        }
    });
    vec![
        chain.collect(),
        hub.collect(),
        layers.collect(),
        open_layers.collect(),
    ]
}

#[test]
fn large_boards_take_linear_time_and_lose_no_waiting_item() {
    for items in long_boards() {
        let started = Instant::now();
        let decision = decided(&items, None, &[]);
        let answer = decision.to_json();
        let took = started.elapsed();
        assert!(took < Duration::from_secs(15), "{took:?}");

        let listed: BTreeSet<&str> = answer["skipped_dependents"]
            .as_object()
            .unwrap()
            .values()
            .flat_map(|list| list.as_array().unwrap())
            .map(|id| id.as_str().unwrap())
            .collect();
        let paused: BTreeSet<&str> = decision.paused.iter().map(String::as_str).collect();
        assert_eq!(listed, paused);
        assert_eq!(
            decision.kinds.len() + paused.len() + decision.eligible.len(),
            items.len()
        );
    }
    let hub = decided(&long_boards()[1], None, &[]).to_json();
    assert_eq!(hub["skipped_dependents_listed_under"], "nearest_blocker");
    assert_eq!(
        hub["skipped_dependents"]["i00000"]
            .as_array()
            .unwrap()
            .len(),
        5_000
    );
    assert_eq!(hub["skipped_dependents"]["i00001"], json!([]));
}

/// Who waits for `blocked`, by asking every item again and again until nothing new turns up.
fn waiting_for(blocked: &str, items: &[Item], kinds: &BTreeMap<String, Kind>) -> BTreeSet<String> {
    let mut waiting: BTreeSet<String> = BTreeSet::new();
    loop {
        let more: Vec<String> = items
            .iter()
            .filter(|item| !kinds.contains_key(&item.item_id) && !waiting.contains(&item.item_id))
            .filter(|item| {
                item.depends_on
                    .iter()
                    .any(|id| id == blocked || waiting.contains(id))
            })
            .map(|item| item.item_id.clone())
            .collect();
        if more.is_empty() {
            return waiting;
        }
        waiting.extend(more);
    }
}

fn any_board() -> impl Strategy<Value = Vec<Item>> {
    let row = (
        prop::collection::vec(0..12usize, 0..4),
        prop::bool::weighted(0.3),
    );
    prop::collection::vec(row, 0..12).prop_map(|rows| {
        rows.into_iter()
            .enumerate()
            .map(|(n, (depends_on, blocked))| {
                let depends_on: BTreeSet<String> =
                    depends_on.into_iter().map(|n| format!("i{n:02}")).collect();
                let depends_on: Vec<&str> = depends_on.iter().map(String::as_str).collect();
                let id = format!("i{n:02}");
                if blocked {
                    for_human(&id, &depends_on)
                } else {
                    item(&id, &depends_on)
                }
            })
            .collect()
    })
}

proptest! {
    #[test]
    fn waiting_items_are_those_of_the_plain_definition(items in any_board()) {
        let decision = decided(&items, None, &[]);
        let expected: BTreeMap<&String, BTreeSet<String>> = decision
            .kinds
            .keys()
            .map(|id| (id, waiting_for(id, &items, &decision.kinds)))
            .collect();
        let answer = decision.to_json();
        prop_assert_eq!(&answer["skipped_dependents"], &json!(expected));
        let paused: BTreeSet<String> = expected.into_values().flatten().collect();
        prop_assert_eq!(&decision.paused, &paused);
        let eligible: Vec<&String> = items
            .iter()
            .map(|item| &item.item_id)
            .filter(|id| !decision.kinds.contains_key(*id) && !paused.contains(*id))
            .collect();
        prop_assert_eq!(&answer["eligible_item_ids"], &json!(eligible));
    }

    #[test]
    fn any_text_is_taken(
        texts in prop::collection::vec((any::<String>(), any::<Option<String>>(), any::<String>()), 0..5), policy: Option<String>
    ) {
        let items: Vec<Item> = texts
            .into_iter()
            .map(|(id, notes, tool)| Item { notes, required_tool: Some(tool.clone()), tool_requirements: Value::from(tool), ..Item::new(id, "t") })
            .collect();
        let items: Vec<&Item> = items.iter().collect();
        if let Ok(decision) = decide(&items, policy.as_deref(), &HashMap::new()) {
            decision.to_json();
            decision.summary();
        }
        prop_assert!(decide(&items, None, &HashMap::new()).is_ok());
    }
}
