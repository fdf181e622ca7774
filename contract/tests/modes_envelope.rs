//! The answer of every mode and of the fallback: its keys, and what others find out about a scope.

mod goal_support;
mod mode_support;

use std::collections::BTreeSet;

use goal_support::*;
use handoff_contract::ErrorCode;
use handoff_contract::board::Status;
use handoff_contract::capability;
use handoff_contract::goal::token;
use handoff_contract::handoff::fallback::{Early, Fallback};
use handoff_contract::handoff::generate::Prepared;
use handoff_contract::handoff::mode::is_retrievable;
use handoff_contract::handoff::{Mode, Request, envelope};
use mode_support::*;
use serde_json::{Value, json};

#[test]
fn only_three_modes_are_stored() {
    for (name, stored) in [
        ("full", true),
        ("delta", true),
        ("goal", true),
        ("starter", false),
        ("compact", false),
        ("planner", false),
        ("l0_fallback", false),
    ] {
        assert_eq!(is_retrievable(name), stored, "{name}");
    }
    assert_eq!(response(Mode::Delta)["retrievable_via_load_handoff"], true);
    assert_eq!(
        response(Mode::Planner)["retrievable_via_load_handoff"],
        false
    );
}

#[test]
fn a_checkpoint_is_not_what_load_handoff_gives_back() {
    for mode in Mode::ALL {
        let request = Request {
            checkpoint: true,
            ..rich_request(mode)
        };
        let generated = run(&rich(), &request).unwrap();
        let response = envelope::response(&generated, false, "wire");
        assert_eq!(response["checkpoint"], true);
        assert_eq!(response["retrievable_via_load_handoff"], false);
    }
}

fn response(mode: Mode) -> Value {
    let generated = run(&rich(), &rich_request(mode)).unwrap();
    envelope::response(&generated, false, "wire")
}

const NULL_IN_FALLBACK: [&str; 4] = [
    "board_revision",
    "item_counts",
    "content_hash",
    "generated_at",
];

#[test]
fn every_key_in_every_mode() {
    let keys = |response: &Value| -> Vec<String> {
        response.as_object().unwrap().keys().cloned().collect()
    };
    let snapshot = rich();
    let fallback = envelope::fallback(&fallback(&snapshot), "wire");
    assert_eq!(keys(&fallback).len(), 21);
    for mode in Mode::ALL {
        let response = response(mode);
        assert_eq!(keys(&response), keys(&fallback), "{}", mode.as_str());
        assert_eq!(response["mode"], mode.as_str());
        assert_eq!(
            (&response["content"], &response["degraded"]),
            (&json!("wire"), &json!(false))
        );
        for key in NULL_IN_FALLBACK {
            assert!(!response[key].is_null(), "{key} in {}", mode.as_str());
        }
        let reports = matches!(mode, Mode::Full | Mode::Delta);
        assert_eq!(
            response["continuation_status"].is_null(),
            !reports,
            "{}",
            mode.as_str()
        );
        assert_eq!(response["run_timeline"]["event_count"], 2);
        assert_eq!(
            response["handoff_evidence_status"]
                .as_object()
                .unwrap()
                .len(),
            5
        );
        for key in ["capability_contract", "blocker_policy", "docx_integrity"] {
            assert!(response[key].is_object(), "{key} in {}", mode.as_str());
        }
        for key in ["blocker_policy", "docx_integrity"] {
            assert!(fallback[key].is_null(), "{key}");
        }
        assert!(response["selected_scope"].is_null());
    }
}

#[test]
fn a_fallback_says_what_it_is() {
    let snapshot = rich();
    let response = envelope::fallback(&fallback(&snapshot), "wire");
    assert_eq!(response["mode"], "l0_fallback");
    assert_eq!(response["degraded"], true);
    assert_eq!(response["retrievable_via_load_handoff"], false);
    assert_eq!(response["scope"]["session_id"], "s1");
    for key in NULL_IN_FALLBACK {
        assert!(response[key].is_null(), "{key}");
    }
    let contract = &response["capability_contract"];
    assert_eq!(contract["executable"], false);
    assert_eq!(contract["board_stale"], true);
    let content = fallback(&snapshot).content;
    assert!(content.contains("50 ms") && content.contains("One binary"));
    assert_eq!(token::count_blocks(&content), 0);
    for text in [
        "api",
        "Serve",
        "Slow disk",
        "House",
        "Small commits",
        "## L1",
    ] {
        assert!(!content.contains(text), "{text}");
    }
    let strict = Request {
        strict_evidence: true,
        ..Request::default()
    };
    let unread = Fallback::new(
        &snapshot.project,
        &Early::default(),
        &Request::default(),
        NOW,
    );
    assert_eq!(unread.unwrap().capability_contract, None);
    let error = Fallback::new(&snapshot.project, &Early::default(), &strict, NOW).unwrap_err();
    assert_eq!(error.code, ErrorCode::EvidenceBlocked);
}

#[test]
fn what_is_missing_is_answered_and_decides_in_every_mode() {
    let needed = json!([{"id": "build", "purpose": "Compile", "required_tools": ["make"]}]);
    let mut snapshot = rich();
    snapshot.capability_manifest = Some(capability::manifest::parse(&needed).unwrap());
    let reason = "required_capabilities_unverified:build";
    for mode in Mode::ALL {
        let generated = in_mode(&snapshot, mode);
        let response = envelope::response(&generated, false, "wire");
        assert_eq!(
            response["capability_contract"]["executable_reasons"],
            json!([reason])
        );
        assert_eq!(response["blocker_policy"]["policy"], "quarantine_continue");
        let scope = generated
            .block
            .and_then(|block| find(&block, "proposal_scope"));
        if let Some(scope) = scope {
            assert_eq!(scope.attribute("executable"), "false", "{}", mode.as_str());
            assert_eq!(scope.attribute("executable_reasons"), reason);
        }
    }
    let planner = content(&snapshot, Mode::Planner);
    assert!(
        planner.contains(&format!("\n⚠ Executable: no ({reason})\n")),
        "{planner}"
    );
}

#[test]
fn the_manifest_sums_the_blocker_policy_up() {
    let delta = in_mode(&rich(), Mode::Delta);
    let policy = delta.readiness.blocker_policy.as_ref().unwrap();
    let summary = &manifest(&delta.content)["blocker_summary"];
    for key in ["policy", "run_stop", "run_stop_reason", "blocked_item_ids"] {
        assert_eq!(summary[key], policy[key], "{key}");
    }
    let blocked = policy["blocked_item_ids"].as_array().unwrap().len();
    assert!(blocked > 0);
    assert_eq!(summary["blocked_count"], blocked);
}

#[test]
fn clauses_can_be_read_whole_for_the_capability_contract() {
    let snapshot = rich();
    let request = request(Mode::Goal);
    let prepared = Prepared::decide(&snapshot, &request, &BTreeSet::new()).unwrap();
    let clauses = &prepared.subject.clauses;
    let expected = json!([{"item_id": "api", "tool_requirements": [{"name": "psql"}]}]);
    assert_eq!(json!(clauses.entries("tool_requirements")), expected);
    assert!(clauses.entries("required_tool").is_empty() && clauses.entries("no_clause").is_empty());
}

#[test]
fn strictness_about_continuation() {
    let strict = |mode, checkpoint| Request {
        strict_continuation: true,
        checkpoint,
        ..request(mode)
    };
    let open = snapshot(vec![item("a")]);
    for mode in Mode::ALL {
        let result = run(&open, &strict(mode, false));
        if matches!(mode, Mode::Full | Mode::Delta) {
            let error = result.unwrap_err();
            assert_eq!(error.code.sqlstate(), "MH005");
            assert_eq!(
                error.detail.unwrap()["continuation_status"]["actionable_item_ids"],
                json!(["a"])
            );
        } else {
            assert!(result.is_ok(), "{}", mode.as_str());
        }
        let checkpoint = run(&open, &strict(mode, true)).unwrap();
        assert!(
            checkpoint
                .continuation_status
                .is_none_or(|status| status["continuation_required"] == true)
        );
    }
    // A sibling's claim and a recorded blocker hold nobody back; neither does an interactive project.
    let busy = with(item("a"), |item| item.status = Status::InProgress);
    let blocked = with(item("b"), |item| {
        item.blocker_kind = Some(handoff_contract::board::BlockerKind::Manual)
    });
    assert!(run(&snapshot(vec![busy, blocked]), &strict(Mode::Delta, false)).is_ok());
    let mut interactive = open;
    interactive.project.execution_mode = Some("interactive".into());
    assert!(run(&interactive, &strict(Mode::Full, false)).is_ok());
}
