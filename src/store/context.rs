//! What a narrative tells beside the board, as of the caller's own snapshot: no more rows than the mode shows, and how
//! many there are.
//!
//! What people write (decisions, notes, tasks, the workspace) is read with the caller's rights, what the functions keep
//! (sessions, events, handoffs, history) as its owner.

use std::collections::BTreeSet;
use std::ffi::c_int;

use handoff_contract::Timestamp;
use handoff_contract::board::Priority;
use handoff_contract::handoff::context::{
    ActiveSession, Activity, Context, Decision, Event, Note, Rows, Task,
};
use handoff_contract::handoff::needs::{ActivityScope, Needs};
use handoff_contract::handoff::{Project, Session};
use pgrx::IntoDatum;
use serde_json::Value;

use super::spi::{INT8, Parameter, Row, Statement, TEXT, Visibility, optional_text, text};
use super::{guard, history};
use crate::error::Result;

/// By priority, then the newest first; ties by `$key`.
macro_rules! by_importance {
    ($row:literal, $key:literal) => {
        concat!(
            " ORDER BY pg_catalog.array_position(ARRAY['urgent', 'high', 'normal', 'low'], ",
            $row,
            ".priority), ",
            $row,
            ".created_at DESC, ",
            $row,
            ".",
            $key,
            " COLLATE pg_catalog.\"C\" LIMIT $2"
        )
    };
}

/// The rows of the tenant `$1`; NULL stands for the projects without one.
macro_rules! of_tenant {
    ($row:literal) => {
        concat!(
            "(",
            $row,
            ".tenant_id OPERATOR(pg_catalog.=) $1 OR (",
            $row,
            ".tenant_id IS NULL AND $1 IS NULL)) AND ",
            $row,
            ".status OPERATOR(pg_catalog.=) 'active'"
        )
    };
}

/// When work was done: its first and last moment, and its days in UTC.
macro_rules! activity {
    ($time:literal) => {
        concat!(
            "SELECT pg_catalog.min(",
            $time,
            "), pg_catalog.max(",
            $time,
            "),
                    pg_catalog.array_agg(DISTINCT ((",
            $time,
            " AT TIME ZONE 'UTC')::pg_catalog.date)::pg_catalog.text)"
        )
    };
}

static DECISIONS: Statement = Statement::new(
    concat!(
        "SELECT d.title, d.body, d.category, d.priority, d.created_at, pg_catalog.count(*) OVER ()
         FROM meridian.decisions d
         WHERE d.project_id OPERATOR(pg_catalog.=) $1 AND d.status OPERATOR(pg_catalog.=) 'active' AND d.pinned",
        by_importance!("d", "decision_id")
    ),
    &[TEXT, INT8],
);

static WORKSPACE_DECISIONS: Statement = Statement::new(
    concat!(
        "SELECT d.title, d.body, NULL::pg_catalog.text, d.priority, d.created_at, pg_catalog.count(*) OVER ()
         FROM meridian.workspace_decisions d WHERE ",
        of_tenant!("d"),
        by_importance!("d", "decision_id")
    ),
    &[TEXT, INT8],
);

static NOTES: Statement = Statement::new(
    concat!(
        "SELECT n.title, n.body, n.tags, n.kind, n.priority, n.created_at, pg_catalog.count(*) OVER ()
         FROM meridian.notes n WHERE n.project_id OPERATOR(pg_catalog.=) $1",
        by_importance!("n", "note_id")
    ),
    &[TEXT, INT8],
);

static WORKSPACE_NOTES: Statement = Statement::new(
    concat!(
        "SELECT n.title, n.body, n.tags, 'note', n.priority, n.created_at, pg_catalog.count(*) OVER ()
         FROM meridian.workspace_notes n WHERE ",
        of_tenant!("n"),
        by_importance!("n", "note_id")
    ),
    &[TEXT, INT8],
);

static TASKS: Statement = Statement::new(
    "SELECT t.kind, t.description, t.session_id, t.created_at, pg_catalog.count(*) OVER () FROM meridian.tasks t
     WHERE t.project_id OPERATOR(pg_catalog.=) $1 ORDER BY t.created_at DESC, t.task_id DESC LIMIT $2",
    &[TEXT, INT8],
);

static TASK_ACTIVITY: Statement = Statement::new(
    concat!(
        activity!("t.created_at"),
        " FROM meridian.tasks t WHERE t.project_id OPERATOR(pg_catalog.=) $1
            AND ($2 IS NULL OR t.session_id OPERATOR(pg_catalog.=) $2)"
    ),
    &[TEXT, TEXT],
);

static EVENT_ACTIVITY: Statement = Statement::new(
    concat!(
        activity!("e.occurred_at"),
        " FROM meridian.events e WHERE e.project_id = $1 AND ($2 IS NULL OR e.session_id = $2)
            AND e.event_type <> 'handoff_generated'"
    ),
    &[TEXT, TEXT],
);

static SESSIONS: Statement = Statement::new(
    "SELECT s.session_id, s.name, s.role, s.version, s.last_seen, count(*) OVER () FROM meridian.sessions s
     WHERE s.project_id = $1 AND s.status = 'active' ORDER BY s.last_seen DESC, s.session_id LIMIT $2",
    &[TEXT, INT8],
);

/// The newest generations and the newest of everything else, `$3` each.
static EVENTS: Statement = Statement::new(
    "WITH log AS (
         SELECT * FROM meridian.events e WHERE e.project_id = $1 AND ($2 IS NULL OR e.session_id = $2))
     SELECT event_type, session_id, actor, item_id, handoff_id, outcome, occurred_at FROM (
         (SELECT * FROM log WHERE event_type <> 'handoff_generated' ORDER BY event_id DESC LIMIT $3)
         UNION ALL
         (SELECT * FROM log WHERE event_type = 'handoff_generated' ORDER BY event_id DESC LIMIT $3)) newest
     ORDER BY event_id",
    &[TEXT, TEXT, INT8],
);

static SINCE: Statement = Statement::new(
    "SELECT coalesce(
         (SELECT max(coalesce(h.amended_at, h.created_at)) FROM meridian.handoffs h
          WHERE h.project_id = $1 AND h.session_id = $2),
         (SELECT s.created_at FROM meridian.sessions s WHERE s.session_id = $2))",
    &[TEXT, TEXT],
);

/// The active pinned decisions of a project, at most `limit` of them.
pub fn decisions(project_id: &str, limit: usize) -> Result<Rows<Decision>> {
    list(&DECISIONS, text(project_id), limit, 6, decision)
}

/// All that `needs` names. `decisions` were read before; `settings` are those of the tenant's workspace.
pub fn load(
    project: &Project,
    session: Option<&Session>,
    needs: Needs,
    decisions: Rows<Decision>,
    settings: Option<&Value>,
) -> Result<Context> {
    let project_id = &project.project_id;
    let tenant = || optional_text(project.tenant_id.as_deref());
    let session_id = session.map(|session| session.session_id.as_str());
    let template = settings
        .and_then(|settings| settings.get("handoff_template")?.as_str())
        .filter(|_| needs.template);
    Ok(Context {
        decisions: first(decisions, needs.decisions),
        notes: list(&NOTES, text(project_id), needs.notes, 7, note)?,
        tasks: list(&TASKS, text(project_id), needs.tasks, 5, task)?,
        sessions: guard::as_owner(|| {
            list(
                &SESSIONS,
                text(project_id),
                needs.sessions,
                6,
                active_session,
            )
        })?,
        workspace_decisions: list(&WORKSPACE_DECISIONS, tenant(), needs.workspace, 6, decision)?,
        workspace_notes: list(&WORKSPACE_NOTES, tenant(), needs.workspace, 7, note)?,
        workspace_template: template.map(str::to_owned),
        events: events(project_id, session_id, needs.events)?,
        since: match session_id {
            Some(session_id) if needs.since => since(project_id, session_id)?,
            _ => None,
        },
        activity: match needs.activity {
            Some(ActivityScope::Session) => activity(project_id, session_id)?,
            Some(ActivityScope::Project) => activity(project_id, None)?,
            None => None,
        },
        revision_counter: if needs.revision_counter {
            history::counter(project_id)?
        } else {
            None
        },
    })
}

/// The first `limit` rows, and in the column `total` of each how many there are.
fn list<T>(
    statement: &Statement,
    scope: Parameter,
    limit: usize,
    total: c_int,
    read: fn(Row<'_>) -> Result<T>,
) -> Result<Rows<T>> {
    if limit == 0 {
        return Ok(Rows::default());
    }
    let parameters = [scope, (limit as i64).into_datum()];
    let found = statement.run(Visibility::CallerSnapshot, &parameters)?;
    let all = found.iter().next().and_then(|row| row.int8(total));
    Ok(Rows {
        rows: found.iter().map(read).collect::<Result<_>>()?,
        total: all.unwrap_or_default() as usize,
    })
}

/// No more than a mode shows; none, and none counted, in a mode that shows none.
fn first<T>(mut list: Rows<T>, limit: usize) -> Rows<T> {
    if limit == 0 {
        return Rows::default();
    }
    list.rows.truncate(limit);
    list
}

fn decision(row: Row<'_>) -> Result<Decision> {
    Ok(Decision {
        title: row.required_text(1)?,
        body: row.required_text(2)?,
        category: row.text(3)?,
        priority: Priority::parse(row.str(4)?),
        created_at: moment(row, 5),
    })
}

fn note(row: Row<'_>) -> Result<Note> {
    Ok(Note {
        title: row.required_text(1)?,
        body: row.required_text(2)?,
        tags: row.texts(3).unwrap_or_default(),
        kind: row.required_text(4)?,
        priority: Priority::parse(row.str(5)?),
        created_at: moment(row, 6),
    })
}

fn task(row: Row<'_>) -> Result<Task> {
    Ok(Task {
        kind: row.required_text(1)?,
        description: row.required_text(2)?,
        session_id: row.text(3)?,
        created_at: moment(row, 4),
    })
}

fn active_session(row: Row<'_>) -> Result<ActiveSession> {
    Ok(ActiveSession {
        session_id: row.required_text(1)?,
        name: row.text(2)?,
        role: row.text(3)?,
        version: row.text(4)?,
        last_seen: moment(row, 5),
    })
}

fn events(project_id: &str, session_id: Option<&str>, limit: usize) -> Result<Vec<Event>> {
    if limit == 0 {
        return Ok(Vec::new());
    }
    let parameters = [
        text(project_id),
        optional_text(session_id),
        (limit as i64).into_datum(),
    ];
    let rows = guard::as_owner(|| EVENTS.run(Visibility::CallerSnapshot, &parameters))?;
    rows.iter()
        .map(|row| {
            Ok(Event {
                event_type: row.required_text(1)?,
                session_id: row.text(2)?,
                actor: row.text(3)?,
                item_id: row.text(4)?,
                handoff_id: row.int8(5),
                outcome: row.text(6)?,
                occurred_at: moment(row, 7),
            })
        })
        .collect()
}

/// When the session last got a handoff, else when it began.
fn since(project_id: &str, session_id: &str) -> Result<Option<Timestamp>> {
    let parameters = [text(project_id), text(session_id)];
    let row = guard::as_owner(|| SINCE.row(Visibility::CallerSnapshot, &parameters))?;
    Ok(row.and_then(|row| row.get().timestamp(1)))
}

/// The span of the tasks and events of one session, or of the project. Generating a handoff is no work.
fn activity(project_id: &str, session_id: Option<&str>) -> Result<Option<Activity>> {
    let parameters = [text(project_id), optional_text(session_id)];
    let tasks = TASK_ACTIVITY.row(Visibility::CallerSnapshot, &parameters)?;
    let events = guard::as_owner(|| EVENT_ACTIVITY.row(Visibility::CallerSnapshot, &parameters))?;
    let both = || [&tasks, &events].into_iter().flatten().map(|row| row.get());
    let days: BTreeSet<String> = both().filter_map(|row| row.texts(3)).flatten().collect();
    let first = both().filter_map(|row| row.timestamp(1)).min();
    let last = both().filter_map(|row| row.timestamp(2)).max();
    Ok(first.zip(last).map(|(first, last)| Activity {
        first,
        last,
        distinct_days: days.len() as u32,
    }))
}

fn moment(row: Row<'_>, column: c_int) -> Timestamp {
    row.timestamp(column).unwrap_or(Timestamp::NEG_INFINITY)
}
