//! A board with something for every part of every mode.

#![allow(dead_code)] // each test binary uses its own part

use handoff_contract::Timestamp;
use handoff_contract::board::{BlockerKind, Board, Item, Priority, Status};
use handoff_contract::handoff::context::{
    ActiveSession, Activity, Context, Decision, Event, Note, Rows, Task,
};
use handoff_contract::handoff::fallback::{Early, Fallback, Tools};
use handoff_contract::handoff::generated::Generated;
use handoff_contract::handoff::{ArtifactCheck, HitlGate, Mode, Project, Request, Snapshot};
use serde_json::{Value, json};

use crate::goal_support::*;

pub const TOKEN: &str = "EXAMPLE_TOKEN_16";
const HOUR: i64 = 3_600;

pub fn ago(hours: i64) -> Timestamp {
    NOW.plus_seconds(-hours * HOUR)
}

pub fn request(mode: Mode) -> Request {
    Request {
        requested_mode: Some(mode.as_str().into()),
        ..Request::default()
    }
}

pub fn in_mode(snapshot: &Snapshot, mode: Mode) -> Generated {
    run(snapshot, &request(mode)).expect("a handoff")
}

pub fn content(snapshot: &Snapshot, mode: Mode) -> String {
    in_mode(snapshot, mode).content
}

pub fn decision(title: &str, body: &str, priority: Priority) -> Decision {
    Decision {
        title: title.into(),
        body: body.into(),
        category: Some("scope".into()),
        priority,
        created_at: ago(50),
    }
}

pub fn note(title: &str, body: &str) -> Note {
    Note {
        title: title.into(),
        body: body.into(),
        tags: vec!["api".into(), "cache".into()],
        kind: "finding".into(),
        priority: Priority::Normal,
        created_at: ago(40),
    }
}

pub fn task(kind: &str, description: &str, hours: i64) -> Task {
    Task {
        kind: kind.into(),
        description: description.into(),
        session_id: Some("s1".into()),
        created_at: ago(hours),
    }
}

pub fn event(event_type: &str, hours: i64) -> Event {
    Event {
        event_type: event_type.into(),
        session_id: Some("s1".into()),
        actor: Some("s1".into()),
        item_id: Some("schema".into()),
        handoff_id: None,
        outcome: Some("done".into()),
        occurred_at: ago(hours),
    }
}

fn finished(id: &str, status: Status, hours: i64) -> Item {
    with(item(id), |item| {
        item.status = status;
        item.completed_at = Some(ago(hours));
    })
}

fn items() -> Vec<Item> {
    vec![
        with(item("api"), |item| {
            item.title = "Serve the index. Then cache it".into();
            item.priority = Priority::Urgent;
            item.wave = Some("W1".into());
            item.tool_requirements = json!([{"name": "psql"}]);
        }),
        with(item("docs"), |item| {
            item.title = "Describe <index> & co".into()
        }),
        with(after("ship", &["api", "schema"]), |item| {
            item.wave = Some("W1".into())
        }),
        with(item("sign"), |item| {
            item.title = "MANUAL: sign the form".into();
            item.blocker_kind = Some(BlockerKind::Manual);
        }),
        with(item("later"), |item| {
            item.deferred_until = Some(NOW.plus_seconds(HOUR))
        }),
        with(item("running"), |item| {
            item.status = Status::InProgress;
            item.claimed_by = Some("s2".into());
            item.claimed_at = Some(ago(1));
        }),
        finished("schema", Status::Done, 2),
        finished("seed", Status::Failed, 30),
    ]
}

fn project() -> Project {
    Project {
        north_star: Some("Every search answers in 50 ms".into()),
        version_goal: Some("A first index that people use".into()),
        sprint_focus: Some("Serve before you tune".into()),
        sprint_focus_updated_at: Some(ago(24 * 40)),
        agent_instructions: Some("Small commits.\nNo new dependencies.".into()),
        settings: json!({"executor_config": {"test_cmd": "make test", "repo_path": "demo"}}),
        ..Project::new("p1", "Demo")
    }
}

fn context() -> Context {
    Context {
        decisions: Rows {
            rows: vec![
                decision("Rust", "One binary", Priority::Urgent),
                decision("No cache", &"x".repeat(310), Priority::Normal),
            ],
            total: 60,
        },
        notes: vec![note("Slow disk", "The old host reads at 20 MB/s")].into(),
        tasks: vec![
            task("done", "Schema is in", 2),
            task("found", "The index is rebuilt twice", 3),
        ]
        .into(),
        sessions: vec![ActiveSession {
            session_id: "s2".into(),
            name: Some("build".into()),
            role: Some("executor".into()),
            version: None,
            last_seen: ago(1),
        }]
        .into(),
        workspace_decisions: vec![decision("House style", "Plain words", Priority::Normal)].into(),
        workspace_notes: vec![note("House note", "Ask Ann")].into(),
        workspace_template: None,
        events: vec![event("item_claimed", 3), event("item_completed", 2)],
        since: Some(ago(10)),
        activity: Some(Activity {
            first: ago(60),
            last: ago(1),
            distinct_days: 3,
        }),
        revision_counter: Some(17),
    }
}

pub fn rich() -> Snapshot {
    let pointers = vec![pointer("api", 1, json!([{"uri": "src/api.rs"}]))];
    let gate = |gate_id: &str, item_id: Option<&str>, question: &str| HitlGate {
        gate_id: gate_id.into(),
        item_id: item_id.map(str::to_owned),
        question: question.into(),
        urgency: "normal".into(),
        created_at: ago(5),
    };
    Snapshot {
        board: Board::new(items(), pointers, Vec::new()),
        session: Some(session(None)),
        hitl_gates: vec![
            gate("q1", Some("docs"), "Which <audience>?"),
            gate("q2", None, "May we spend money?"),
        ],
        artifact_checks: vec![ArtifactCheck {
            item_id: Some("docs".into()),
            path: "out/guide.docx".into(),
            check_name: "render".into(),
            status: "failed".into(),
            detail: None,
        }],
        context: context(),
        ..Snapshot::new(project(), NOW)
    }
}

/// The same with everything that a caller can add.
pub fn rich_request(mode: Mode) -> Request {
    Request {
        ai_summary: Some("We are <half> done.\n\n/goal is next.".into()),
        ..request(mode)
    }
}

pub fn fallback(snapshot: &Snapshot) -> Fallback {
    let early = Early {
        decisions: Some(snapshot.context.decisions.clone()),
        session: snapshot.session.clone(),
        tools: Some(Tools::default()),
    };
    Fallback::new(&snapshot.project, &early, &Request::default(), NOW).unwrap()
}

/// The JSON of an element that stands on lines of its own.
pub fn embedded(content: &str, name: &str) -> Value {
    let (_, rest) = content.split_once(&format!("\n<{name}>\n")).expect(name);
    let (json, _) = rest.split_once(&format!("\n</{name}>\n")).expect(name);
    let json = quick_xml::escape::unescape(json).unwrap();
    assert!(!json.contains('\n'));
    serde_json::from_str(&json).unwrap()
}

pub fn manifest(content: &str) -> Value {
    embedded(content, "continuation_manifest")
}

pub const WITH_BLOCK: [Mode; 5] = [
    Mode::Full,
    Mode::Delta,
    Mode::Starter,
    Mode::Compact,
    Mode::Goal,
];
