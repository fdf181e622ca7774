//! What stands beside the content of a handoff, and what of it the block repeats.

mod goal_support;

use goal_support::{NOW, item, snapshot};
use handoff_contract::ErrorCode;
use handoff_contract::capability::availability::Status;
use handoff_contract::capability::{Reported, manifest};
use handoff_contract::handoff::generate::{Generated, generate};
use handoff_contract::handoff::{Request, Snapshot, readiness};
use serde_json::{Value, json};

fn generated(snapshot: &Snapshot) -> Generated {
    let request = Request {
        requested_mode: Some("goal".into()),
        ..Request::default()
    };
    generate(snapshot, &request, &Default::default()).unwrap()
}

fn needing_make() -> Snapshot {
    let document = json!([{"id": "build", "purpose": "Compile", "required_tools": ["make"]}]);
    Snapshot {
        capability_manifest: Some(manifest::parse(&document).unwrap()),
        ..snapshot(vec![item("a")])
    }
}

fn reported(status: Status) -> Reported {
    Reported {
        tool: "make".into(),
        status,
        detail: None,
        reported_at: NOW,
    }
}

#[test]
fn every_reason_of_the_contract_is_one_of_the_block() {
    let mut snapshot = needing_make();
    let reasons = [
        (vec![], "required_capabilities_unverified:build"),
        (
            vec![reported(Status::Missing)],
            "missing_required_capabilities:build",
        ),
    ];
    for (reports, reason) in reasons {
        snapshot.reported_tools = reports;
        let generated = generated(&snapshot);
        assert_eq!(generated.readiness.executable_reasons(), [reason]);
        let told = format!(
            r#"executable="false" degraded="true" truncated="false" executable_reasons="{reason}""#
        );
        assert!(generated.content.contains(&told));
    }
    snapshot.reported_tools = vec![reported(Status::Degraded)];
    let generated = generated(&snapshot);
    assert!(generated.readiness.executable_reasons().is_empty());
    assert!(generated.content.contains(r#" executable="true""#));
}

#[test]
fn a_handoff_and_the_functions_say_the_same() {
    let snapshot = needing_make();
    let beside = generated(&snapshot).readiness;
    assert_eq!(
        beside.capability_contract,
        readiness::capability_contract(&snapshot, None)
    );
    assert_eq!(
        beside.blocker_policy,
        readiness::blocker_policy(&snapshot).ok()
    );
}

#[test]
fn a_policy_that_does_not_exist_leaves_the_triage_out() {
    for policy in [json!("shrug"), json!(5), json!({})] {
        let mut snapshot = needing_make();
        snapshot.project.settings = json!({ "blocker_policy": policy });
        let error = readiness::blocker_policy(&snapshot).unwrap_err();
        assert_eq!(error.code, ErrorCode::InvalidValue);
        assert_eq!(generated(&snapshot).readiness.blocker_policy, None);
    }
    let mut snapshot = needing_make();
    snapshot.project.settings = json!({ "blocker_policy": Value::Null });
    let triage = readiness::blocker_policy(&snapshot).unwrap();
    assert_eq!(triage["policy"], "quarantine_continue");
}
