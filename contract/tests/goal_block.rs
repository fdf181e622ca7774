//! What a goal block says, part by part, and in which order.

mod goal_support;

use std::collections::BTreeSet;

use goal_support::*;
use handoff_contract::Timestamp;
use handoff_contract::board::{BlockerKind, Board, MilestoneType, Priority, Status};
use handoff_contract::goal::block::{Attachments, Layout, build};
use handoff_contract::goal::token::END_LINE;
use handoff_contract::handoff::generate::Prepared;
use handoff_contract::handoff::{ArtifactCheck, HitlGate, Request, Snapshot};
use handoff_contract::text::xml::Element;
use serde_json::json;

fn block(snapshot: &Snapshot) -> String {
    goal(snapshot).block.expect("goal mode has a block")
}

fn flat(ids: &[&str]) -> Snapshot {
    snapshot(ids.iter().map(|id| item(id)).collect())
}

fn configured(mut snapshot: Snapshot, config: serde_json::Value) -> Snapshot {
    snapshot.project.settings = json!({ "executor_config": config });
    snapshot
}

fn hitl(gate_id: &str, item_id: Option<&str>, question: &str) -> HitlGate {
    HitlGate {
        gate_id: gate_id.into(),
        item_id: item_id.map(str::to_owned),
        question: question.into(),
        urgency: "normal".into(),
        created_at: NOW,
    }
}

/// A board with something for every part of a block.
fn rich() -> Snapshot {
    let items = vec![
        with(item("api"), |item| {
            item.title = "Serve the index. Then cache it".into();
            item.priority = Priority::Urgent;
            item.touches_resources = vec!["file:src/api.rs".into()];
            item.required_tool = Some("ripgrep".into());
            item.tool_requirements = json!([{"name": "psql", "required_or_preferred": "required"}]);
        }),
        with(item("docs"), |item| {
            item.title = "Describe <index> & co".into()
        }),
        with(after("ship", &["api", "docs"]), |item| {
            item.item_group = Some("release".into())
        }),
        after("tell", &["ship"]),
        with(item("sign"), |item| {
            item.title = "MANUAL(Ann): sign the form. Post it".into()
        }),
        with(item("later"), |item| {
            item.deferred_until = Some(Timestamp::INFINITY)
        }),
        with(item("old"), |item| {
            item.blocker_kind = Some(BlockerKind::Superseded)
        }),
        with(item("blind"), |item| {
            item.touches_resources = vec!["file:src/dark.rs".into()]
        }),
        with(item("gated"), |item| item.wave = Some("W3".into())),
        after("unsigned", &["sign"]),
        with(item("running"), |item| {
            item.status = Status::InProgress;
            item.claimed_by = Some("session-of-a-sibling".into());
            item.claimed_at = Some(NOW);
            item.touches_resources = vec!["file:src/api.rs".into()];
        }),
        with(item("done"), |item| item.status = Status::Done),
    ];
    let mut api = pointer(
        "api",
        1,
        json!([{"uri": "src/api.rs", "selector": "Index", "subSelector": "get"}]),
    );
    api.label = Some("entry".into());
    let mut snapshot = snapshot_of(Board::new(items, vec![api], vec![gate("W2")]));
    snapshot.hitl_gates = vec![
        hitl("q1", Some("docs"), "Which <audience>?"),
        hitl("q2", None, "May we spend money?"),
        hitl("q3", Some("done"), "Never shown"),
    ];
    snapshot.artifact_checks = vec![ArtifactCheck {
        item_id: Some("docs".into()),
        path: "out/guide.docx".into(),
        check_name: "render".into(),
        status: "failed".into(),
        detail: Some(json!({"page": 3})),
    }];
    configured(
        snapshot,
        json!({"test_cmd": "make test", "test_min": 12, "repo_path": "demo", "branch": "dev"}),
    )
}

#[test]
fn a_whole_block() {
    insta::assert_snapshot!(block(&rich()));
}

#[test]
fn parts_stand_in_order() {
    assert_eq!(
        names(&block(&rich())),
        [
            "executor_directive",
            "execution_policy",
            "profile_generation",
            "first_step",
            "executor_item_ids",
            "sprint_items",
            "dependency_waves",
            "hitl_gates",
            "completion_criteria",
            "test_gate_config",
            "test_gate_note",
            "test_gate_recovery",
            "not_done_until",
            "stop_conditions",
            "sprint_type",
            "required_tool",
            "tool_requirements",
            "sprint_item_pointers",
            "artifact_pointer_findings",
            "plan_generation",
            "resource_contention",
            "excluded_superseded",
            "exclusions",
            "exclusions",
            "excluded_unprospected",
            "excluded_wave_gate_pending",
            "excluded_dependency_not_satisfied",
            "project_start_config",
            "proposal_scope",
        ]
    );
}

#[test]
fn attachments_stand_between_items_and_start_config() {
    let snapshot = flat(&["a"]);
    let request = Request::default();
    let prepared = Prepared::decide(&snapshot, &request, &BTreeSet::new()).unwrap();
    let attachments = Attachments {
        manifest: Some(Element::new("handoff_manifest")),
        research_evidence: Some("## Research Evidence".into()),
        release_transactions: Some(Element::new("release_transactions")),
    };
    let block = prepared.render(&attachments).content;
    assert!(
        block.contains(
            " />\n<handoff_manifest />\n\n## Research Evidence\n\n<release_transactions />\n<project_start_config "
        ),
        "{block}"
    );
    assert!(block.ends_with(END_LINE));
}

#[test]
fn other_layouts_leave_parts_out() {
    let snapshot = flat(&["a"]);
    let request = Request::default();
    let prepared = Prepared::decide(&snapshot, &request, &BTreeSet::new()).unwrap();
    let bare = Layout {
        bootstrap: false,
        pointer_lines: false,
        start_config: false,
        research_evidence: true,
        proposal_scope: None,
    };
    let block = build(&prepared.subject, bare, &Attachments::default());
    assert!(!block.contains("start_session"));
    assert!(
        find(&block, "first_step")
            .unwrap()
            .text
            .contains("get_sprint_items('p1')")
    );
    let names = names(&block);
    assert!(
        !names
            .iter()
            .any(|name| name == "project_start_config" || name == "proposal_scope")
    );
    assert!(block.ends_with(END_LINE));
}

#[test]
fn an_empty_batch_verifies_and_stops() {
    for board in [
        vec![],
        vec![with(item("sign"), |item| {
            item.milestone_type = MilestoneType::Human
        })],
    ] {
        let has_exclusion = !board.is_empty();
        let block = block(&snapshot(board));
        let mut expected = vec![
            "executor_directive",
            "execution_policy",
            "profile_generation",
            "first_step",
            "completion_criteria",
            "stop_conditions",
        ];
        expected.extend(has_exclusion.then_some("exclusions"));
        expected.extend(["project_start_config", "proposal_scope"]);
        assert_eq!(names(&block), expected);
        assert!(find(&block, "first_step").unwrap().text.contains("verify"));
        assert!(block.ends_with(END_LINE));
    }
}

#[test]
fn first_and_last_line() {
    let first = |config| {
        block(&configured(flat(&["a"]), config))
            .lines()
            .next()
            .map(str::to_owned)
    };
    assert_eq!(
        first(json!({"loop_enabled": true})).as_deref(),
        Some("/loop /goal")
    );
    assert_eq!(
        first(json!({"loop_enabled": "workspace"})).as_deref(),
        Some("/goal")
    );
    let mut by_workspace = flat(&["a"]);
    by_workspace.loop_enabled_default = Some(true);
    assert!(block(&by_workspace).starts_with("/goal\n<executor_directive>"));
    assert!(block(&by_workspace).ends_with(&format!("</proposal_scope>\n{END_LINE}")));
}

#[test]
fn every_call_is_sql() {
    let mut snapshot = flat(&["it's"]);
    snapshot.project.project_id = "a&b".into();
    let block = block(&snapshot);
    assert!(!block.contains("=>") && !block.contains("=&gt;"));
    let literal = handoff_contract::text::sql::literal("a&b");
    assert!(!literal.contains('&'));
    let step = find(&block, "first_step").unwrap().text;
    assert!(step.contains(&format!(
        "SELECT meridian.start_session({literal}, 'describe-what-youre-doing', 'executor');"
    )));
    assert!(step.contains(&format!(
        "SELECT * FROM meridian.get_sprint_items({literal});"
    )));
    assert!(step.contains(&format!(
        "SELECT meridian.claim_sprint_item({literal}, 'it''s');"
    )));
    // What is pasted from the raw text is the same: nothing in a call needed escaping.
    assert!(block.contains(&format!("SELECT meridian.start_session({literal},")));
}

#[test]
fn the_sessions_human_is_named() {
    let mut snapshot = flat(&["a"]);
    let mut session = session(None);
    session.human_id = Some("ann".into());
    snapshot.session = Some(session);
    assert!(block(&snapshot).contains("'describe-what-youre-doing', 'executor', 'ann');"));
}

#[test]
fn directive_and_policy_follow_the_projects_mode() {
    let mut snapshot = flat(&["a"]);
    let autonomous = block(&snapshot);
    snapshot.project.execution_mode = Some("interactive".into());
    let interactive = block(&snapshot);
    let policy = |block: &str| find(block, "execution_policy").unwrap();
    assert_eq!(policy(&autonomous).attribute("execution_mode"), "immediate");
    assert_eq!(policy(&interactive).attribute("execution_mode"), "relaxed");
    assert_ne!(
        find(&autonomous, "executor_directive"),
        find(&interactive, "executor_directive")
    );
}

#[test]
fn items_are_listed_in_one_of_four_ways() {
    let prose = |snapshot: &Snapshot| find(&block(snapshot), "sprint_items").unwrap().text;
    assert_eq!(prose(&flat(&["a", "b"])), "Complete sprint items: a, b.");

    let chain = || snapshot(vec![item("a"), after("b", &["a"])]);
    assert!(prose(&chain()).starts_with("Complete sprint items: a, b. "));
    assert_eq!(
        prose(&configured(chain(), json!({"goal_group_style": "waves"}))),
        "Complete sprint items: Wave 1: a; Wave 2: b."
    );

    let touching = |id: &str, file: &str| {
        with(item(id), |item| {
            item.touches_resources = vec![format!("file:{file}")];
            item.prospect_bypass = true;
        })
    };
    let mut shared = snapshot(vec![
        touching("a", "x"),
        touching("b", "x"),
        touching("c", "y"),
        after("d", &["a"]),
    ]);
    let text = prose(&shared);
    assert!(
        text.starts_with("Complete sprint items: batch 1: a, c; batch 2: b. "),
        "{text}"
    );
    assert!(text.contains("concurrently") && text.contains("no barriers"));
    assert!(
        text.contains("Do not dispatch yet: d (blocked on a, status: todo)."),
        "{text}"
    );

    // Where a human confirms, nothing is dispatched in parallel.
    shared.project.execution_mode = Some("interactive".into());
    assert!(!prose(&shared).contains("batch"));
}

#[test]
fn waves_name_what_they_wait_for() {
    let block = block(&snapshot(vec![
        item("a"),
        item("b"),
        after("c", &["b", "a"]),
        after("d", &["c", "a"]),
    ]));
    let waves: Vec<&str> = block
        .lines()
        .filter(|line| line.starts_with("<dependency_waves"))
        .collect();
    assert_eq!(
        waves,
        [concat!(
            r#"<dependency_waves active_wave="1" total_waves="3">"#,
            r#"<wave n="1" status="claimable">a, b</wave>"#,
            r#"<wave n="2" status="blocked_until_terminal" blocked_on="a, b">c</wave>"#,
            r#"<wave n="3" status="blocked_until_terminal" blocked_on="a, c">d</wave>"#,
            "</dependency_waves>"
        )]
    );
    assert!(find(&self::block(&flat(&["a", "b"])), "dependency_waves").is_none());
}

#[test]
fn executor_item_ids_are_complete() {
    let ids: Vec<String> = (10..60).map(|n| format!("i{n}")).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let tag = find(&block(&flat(&ids)), "executor_item_ids").unwrap();
    assert_eq!(tag.attribute("count"), "50");
    assert_eq!(tag.text, ids.join(","));
}

#[test]
fn clauses_are_sorted_capped_and_counted() {
    let items = (10..30)
        .rev()
        .map(|n| {
            with(item(&format!("i{n}")), |item| {
                item.tool_requirements = json!([{"name": "b", "a": 1}])
            })
        })
        .collect();
    let generated = goal(&snapshot(items));
    let block = generated.block.unwrap();
    let entries: Vec<serde_json::Value> =
        serde_json::from_str(&find(&block, "tool_requirements").unwrap().text).unwrap();
    let ids: Vec<&str> = entries
        .iter()
        .map(|entry| entry["item_id"].as_str().unwrap())
        .collect();
    assert_eq!(ids, (10..25).map(|n| format!("i{n}")).collect::<Vec<_>>());
    assert!(block.contains(
        r#"<tool_requirements>[{"item_id":"i10","tool_requirements":[{"a":1,"name":"b"}]},"#
    ));
    assert!(block.contains("<tool_requirements_truncated total=\"20\" included=\"15\" />\n<!-- 15 of 20 shown, 5 left out. "));
    assert!(block.contains(
        "SELECT meridian.generate_handoff('p1', 'goal', NULL, NULL, ARRAY['i25', 'i26', 'i27', 'i28', 'i29'], NULL, true);"
    ));
    let scope = find(&block, "proposal_scope").unwrap();
    assert_eq!(
        ["executable", "degraded", "truncated", "executable_reasons"]
            .map(|name| scope.attribute(name).to_owned()),
        ["true", "true", "true", "content_truncated"]
    );
}

#[test]
fn fifteen_items_are_not_truncated() {
    let items = (10..25)
        .map(|n| {
            with(item(&format!("i{n}")), |item| {
                item.tool_requirements = json!([{"name": "x"}])
            })
        })
        .collect();
    let block = block(&snapshot(items));
    assert!(!block.contains("_truncated "));
    assert_eq!(
        find(&block, "proposal_scope")
            .unwrap()
            .attribute("truncated"),
        "false"
    );
}

#[test]
fn only_bad_findings_are_shown() {
    let mut snapshot = flat(&["a"]);
    let check = |path: &str, status: &str| ArtifactCheck {
        item_id: Some("a".into()),
        path: path.into(),
        check_name: "render".into(),
        status: status.into(),
        detail: None,
    };
    snapshot.artifact_checks = vec![
        check("z", "unavailable"),
        check("m", "passed"),
        check("a", "failed"),
    ];
    let text = find(&block(&snapshot), "artifact_pointer_findings")
        .unwrap()
        .text;
    assert_eq!(
        text,
        r#"[{"findings":[{"check_name":"render","detail":null,"path":"a","status":"failed"},{"check_name":"render","detail":null,"path":"z","status":"unavailable"}],"item_id":"a"}]"#
    );
    snapshot.artifact_checks = vec![check("m", "passed")];
    assert!(find(&block(&snapshot), "artifact_pointer_findings").is_none());
}

#[test]
fn pointer_lines_say_where_the_code_lies() {
    let mut gone = pointer("a", 2, json!([{"uri": "src/gone.rs"}]));
    gone.target_resolved = Some(false);
    let mut labelled = pointer(
        "a",
        1,
        json!([{"uri": "src/a.rs", "selector": "f"}, {"uri": "src/b.rs"}, {"no": "uri"}]),
    );
    labelled.label = Some("core".into());
    let odd = pointer("b", 3, json!("no list"));
    let board = Board::new(
        vec![
            with(item("a"), |item| item.title = "Do it. Soon".into()),
            item("b"),
        ],
        vec![labelled, gone, odd],
        vec![],
    );
    let text = find(&block(&snapshot_of(board)), "sprint_items")
        .unwrap()
        .text;
    assert_eq!(
        text,
        "Complete sprint items: a, b.\n- a (Do it): core: src/a.rs::f; core: src/b.rs"
    );
}

#[test]
fn pointer_lines_are_capped_and_counted() {
    let ids: Vec<String> = (10..30).map(|n| format!("i{n}")).collect();
    let items = ids.iter().map(|id| item(id)).collect();
    let pointers = ids
        .iter()
        .zip(0..)
        .map(|(id, n)| pointer(id, n, json!([{"uri": "u"}])))
        .collect();
    let text = find(
        &block(&snapshot_of(Board::new(items, pointers, vec![]))),
        "sprint_items",
    )
    .unwrap()
    .text;
    let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("- ")).collect();
    assert_eq!(lines.len(), 16);
    assert!(lines[14].starts_with("- i24 ("));
    assert!(
        lines[15].starts_with("- 5 more of 20 items have pointers.")
            && lines[15].contains("ARRAY['i25', ")
    );
}

#[test]
fn exclusions_are_counted_capped_and_true() {
    let many = (10..30).map(|n| {
        with(item(&format!("o{n}")), |item| {
            item.blocker_kind = Some(BlockerKind::Superseded)
        })
    });
    let invalid = with(item("x"), |item| {
        item.blocker_kind = Some(BlockerKind::SystemicInvalidatedRun)
    });
    let block = block(&snapshot(many.chain([item("a"), invalid]).collect()));
    let superseded = find(&block, "excluded_superseded").unwrap();
    assert_eq!(superseded.attribute("count"), "20");
    assert_eq!(superseded.text.split(", ").count(), 15);
    assert!(block.contains("<excluded_superseded_truncated total=\"20\" included=\"15\" />"));
    assert_eq!(
        find(&block, "excluded_systemic_invalidated_run")
            .unwrap()
            .text,
        "x"
    );
}

#[test]
fn notes_show_titles_of_manual_and_parked_items() {
    let block = block(&rich());
    let notes: Vec<String> = tags(&block)
        .unwrap()
        .into_iter()
        .filter(|tag| tag.name == "exclusions")
        .map(|tag| tag.text)
        .collect();
    assert_eq!(
        notes,
        [
            "Left for a human, not to be claimed (1): sign — sign the form.",
            "Parked or deferred, not to be claimed (1): later — Title of later."
        ]
    );
}

#[test]
fn gates_are_quoted_counted_and_clipped() {
    let mut snapshot = flat(&["a", "b"]);
    snapshot.hitl_gates = (0..12)
        .map(|n| hitl(&format!("q{n}"), Some("b"), &"é".repeat(201)))
        .collect();
    let block = block(&snapshot);
    let gates = find(&block, "hitl_gates").unwrap();
    assert_eq!(
        ["total", "included", "item_ids"].map(|name| gates.attribute(name).to_owned()),
        ["12", "10", "b"]
    );
    assert_eq!(block.matches("<gate ").count(), 10);
    assert!(block.contains(&format!(">{}… (+1 more chars)</gate>", "é".repeat(200))));
    assert!(
        find(&block, "proposal_scope")
            .unwrap()
            .text
            .contains("human: 12.")
    );
}

#[test]
fn the_first_claim_avoids_an_open_question() {
    let mut snapshot = flat(&["a", "b"]);
    let claims = |snapshot: &Snapshot, id: &str| {
        let step = find(&block(snapshot), "first_step").unwrap().text;
        step.contains(&format!("claim_sprint_item('p1', '{id}')"))
    };
    assert!(claims(&snapshot, "a"));
    snapshot.hitl_gates = vec![hitl("q1", Some("a"), "Really?")];
    assert!(claims(&snapshot, "b"));
    snapshot
        .hitl_gates
        .push(hitl("q2", Some("b"), "This, too?"));
    assert!(claims(&snapshot, "a"));
}

#[test]
fn completion_tags_follow_kind_override_and_mode() {
    let ops = || {
        snapshot(vec![with(item("a"), |item| {
            item.item_group = Some("ops".into())
        })])
    };
    let bare = block(&ops());
    let config = find(&bare, "test_gate_config").unwrap();
    let values = |config: &Tag| {
        [
            "test_cmd",
            "branch",
            "version",
            "test_floor",
            "baseline",
            "test_cmd_plausible",
        ]
        .map(|name| config.attribute(name).to_owned())
    };
    assert_eq!(
        values(&config),
        [
            "unset",
            "unset",
            "unscoped",
            "unknown",
            "unknown_validate_via_collect_only",
            "false"
        ]
    );
    let set = block(&configured(
        ops(),
        json!({"test_cmd": "make test", "test_min": 7, "completion_mode": "lenient"}),
    ));
    let config = find(&set, "test_gate_config").unwrap();
    assert_eq!(
        values(&config),
        ["make test", "unset", "unscoped", "7", "configured", "true"]
    );
    assert!(find(&bare, "not_done_until").is_some() && find(&set, "not_done_until").is_none());

    let mut own = ops();
    own.completion_criteria = Some("All green".into());
    let own = block(&own);
    assert_eq!(find(&own, "completion_criteria").unwrap().text, "All green");
    assert_eq!(
        find(&own, "sprint_type").unwrap().attribute("value"),
        "general"
    );
    assert!(find(&own, "test_gate_config").is_none());
    assert!(find(&block(&flat(&["a"])), "test_gate_config").is_none());
}

#[test]
fn stop_conditions_name_the_turns() {
    let text = |config| {
        find(&block(&configured(flat(&["a"]), config)), "stop_conditions")
            .unwrap()
            .text
    };
    assert!(text(json!({})).starts_with("Stop after 200 turns"));
    assert!(text(json!({"max_turns": 9999})).starts_with("Stop after 500 turns"));
}

#[test]
fn a_selection_is_stated_in_the_block() {
    let snapshot = snapshot(vec![item("a"), after("b", &["a"]), item("c")]);
    let block = run(&snapshot, &select(&["b"])).unwrap().block.unwrap();
    let scope = find(&block, "selected_item_scope").unwrap();
    assert_eq!(
        (scope.attribute("requested"), scope.attribute("closure")),
        ("b", "a, b")
    );
    assert_eq!(
        scope.attribute("closure_hash"),
        "0473ef2dc0d324ab659d3580c1134e9d812035905c4781fdd6d529b0c6860e13"
    );
    assert!(scope.text.starts_with('\n'));
    assert_eq!(find(&block, "executor_item_ids").unwrap().text, "a,b");
    let names = names(&block);
    assert_eq!(names[3..5], ["selected_item_scope", "first_step"]);
    let unselected = run(&snapshot, &Request::default()).unwrap().block.unwrap();
    assert!(find(&unselected, "selected_item_scope").is_none());
}
