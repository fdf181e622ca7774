//! Selections, versions and broken dependencies, which narrow or stop every mode alike.

mod goal_support;
mod mode_support;

use goal_support::*;
use handoff_contract::ErrorCode;
use handoff_contract::board::Status;
use handoff_contract::handoff::{Mode, Request, envelope};
use mode_support::*;
use serde_json::json;

#[test]
fn a_selection_narrows_every_mode() {
    for mode in Mode::ALL {
        let selection = Request {
            requested_mode: Some(mode.as_str().into()),
            ..select(&["docs"])
        };
        let generated = run(&rich(), &selection).unwrap();
        let response = envelope::response(&generated, false, "");
        assert_eq!(
            response["selected_scope"]["closure_item_ids"],
            json!(["docs"])
        );
        // The whole board stands in the continuation manifest alone.
        let manifest = generated
            .content
            .lines()
            .find(|line| line.starts_with("{\"blocker_summary"));
        let told = generated.content.replace(manifest.unwrap_or("\0"), "");
        assert!(told.contains("docs"), "{}", mode.as_str());
        for id in [
            "Title of later",
            "Serve the index",
            "sign the form",
            "Title of running",
            "Title of seed",
        ] {
            assert!(!told.contains(id), "{id} in {}", mode.as_str());
        }
        let bad = Request {
            requested_mode: Some(mode.as_str().into()),
            ..select(&["nowhere"])
        };
        assert_eq!(
            run(&rich(), &bad).unwrap_err().code,
            ErrorCode::SelectionBlocked
        );
    }
}

#[test]
fn a_version_narrows_every_mode() {
    let of_version = |id: &str, version: &str, status: Status| {
        with(item(id), |item| {
            item.version = Some(version.into());
            item.status = status;
            item.completed_at = Some(NOW);
        })
    };
    let snapshot = snapshot(vec![
        of_version("mine", "v1", Status::Todo),
        of_version("foreign", "v2", Status::Todo),
        of_version("foreign-running", "v2", Status::InProgress),
        of_version("foreign-done", "v2", Status::Done),
    ]);
    for mode in Mode::ALL {
        let request = Request {
            version: Some("v1".into()),
            ..request(mode)
        };
        let content = run(&snapshot, &request).unwrap().content;
        assert!(
            content.contains("mine") && !content.contains("foreign"),
            "{content}"
        );
    }
}

#[test]
fn a_planner_sees_stale_references_that_others_are_refused_over() {
    let snapshot = snapshot(vec![item("a"), after("b", &["gone"])]);
    for mode in WITH_BLOCK {
        assert_eq!(
            run(&snapshot, &request(mode)).unwrap_err().code,
            ErrorCode::StaleReference
        );
    }
    let planner = content(&snapshot, Mode::Planner);
    assert!(
        planner
            .contains("\n## Dependencies to repair first\n- b waits for gone, which is missing\n"),
        "{planner}"
    );
}
