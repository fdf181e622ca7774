//! The rows of a board, read and written as the caller.
//!
//! Everything that asks for items goes through [`BoardSource`], so a board that lives in another relation is one more
//! implementation of it, and nothing above this file knows where the rows lie.

use handoff_contract::board::revision::RevisionHasher;
use handoff_contract::board::{
    BlockerKind, FailureMode, Item, MilestoneType, Pointer, Priority, Status, WaveGate, dependency,
};
use serde_json::Value;

use super::guard;
use super::spi::{
    Parameter, Row, Statement, TEXT, TEXT_ARRAY, Visibility, optional_text, text, texts,
};
use crate::error::{Error, Result};

/// How to lock the row of an item before deciding over it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lock {
    /// Waits for whoever holds it.
    Wait,
    /// A row that somebody else holds is not there.
    SkipLocked,
}

/// A change of status, with what the table keeps beside it.
#[derive(Debug, Clone, Copy)]
pub enum Transition<'a> {
    Claim {
        by: &'a str,
    },
    Complete {
        status: &'a Status,
        note: Option<&'a str>,
    },
    Release,
}

/// Where the items of one project lie.
pub trait BoardSource {
    /// Every item, in no particular order.
    fn items(&self) -> Result<Vec<Item>>;
    /// The items of `version` (all with `None`) in the given statuses.
    fn items_in(&self, statuses: &[&str], version: Option<&str>) -> Result<Vec<Item>>;
    /// Those of the ids that exist.
    fn items_by_id(&self, item_ids: &[String], visibility: Visibility) -> Result<Vec<Item>>;
    /// The item as it is now, locked until the transaction ends.
    fn lock_item(&self, item_id: &str, lock: Lock) -> Result<Option<Item>>;
    /// Moves a locked item on and gives it as it is afterwards.
    fn transition(&self, item_id: &str, transition: Transition<'_>) -> Result<Item>;
    /// The digest over every item of `version` (all with `None`), streamed.
    fn revision(&self, version: Option<&str>) -> Result<String>;
}

/// The board of a project.
pub fn source(project_id: &str) -> impl BoardSource + use<'_> {
    OwnTable { project_id }
}

/// `meridian.sprint_items`.
struct OwnTable<'a> {
    project_id: &'a str,
}

macro_rules! select_items {
    ($rest:literal) => {
        concat!(
            "SELECT i.item_id, i.title, i.notes, i.status, i.priority, i.version, i.depends_on, i.failure_mode,
                    i.item_group, i.milestone_type, i.human_id, i.blocker_kind, i.wave, i.track, i.deferred_until,
                    i.touches_resources::pg_catalog.text, i.tool_requirements::pg_catalog.text, i.required_tool,
                    i.prospect_bypass, i.artifact_policy::pg_catalog.text, i.parent_id, i.merged_into, i.claimed_by,
                    i.claimed_at, i.added_at, i.completed_at
             FROM meridian.sprint_items i
             WHERE i.project_id OPERATOR(pg_catalog.=) $1 ",
            $rest
        )
    };
}

macro_rules! update_item {
    ($set:literal) => {
        concat!(
            "UPDATE meridian.sprint_items SET ",
            $set,
            ", updated_at = pg_catalog.clock_timestamp()
             WHERE project_id OPERATOR(pg_catalog.=) $1 AND item_id OPERATOR(pg_catalog.=) $2"
        )
    };
}

static ALL: Statement = Statement::new(select_items!(""), &[TEXT]);
static IN_STATUSES: Statement = Statement::new(
    select_items!(
        "AND i.status OPERATOR(pg_catalog.=) ANY ($2) AND ($3 IS NULL OR i.version OPERATOR(pg_catalog.=) $3)"
    ),
    &[TEXT, TEXT_ARRAY, TEXT],
);
static BY_ID: Statement = Statement::new(
    select_items!("AND i.item_id OPERATOR(pg_catalog.=) ANY ($2)"),
    &[TEXT, TEXT_ARRAY],
);
static LOCK_WAIT: Statement = Statement::new(
    select_items!("AND i.item_id OPERATOR(pg_catalog.=) $2 FOR NO KEY UPDATE"),
    &[TEXT, TEXT],
);
static LOCK_SKIP: Statement = Statement::new(
    select_items!("AND i.item_id OPERATOR(pg_catalog.=) $2 FOR NO KEY UPDATE SKIP LOCKED"),
    &[TEXT, TEXT],
);
static CLAIM: Statement = Statement::new(
    update_item!(
        "status = 'in_progress', claimed_by = $3, claimed_at = pg_catalog.clock_timestamp()"
    ),
    &[TEXT, TEXT, TEXT],
);
static COMPLETE: Statement = Statement::new(
    update_item!("status = $3, completed_at = pg_catalog.clock_timestamp()"),
    &[TEXT, TEXT, TEXT],
);
static COMPLETE_WITH_NOTE: Statement = Statement::new(
    update_item!("status = $3, completed_at = pg_catalog.clock_timestamp(), completion_note = $4"),
    &[TEXT, TEXT, TEXT, TEXT],
);
static RELEASE: Statement = Statement::new(
    update_item!("status = 'pending', claimed_by = NULL, claimed_at = NULL"),
    &[TEXT, TEXT],
);

static REVISION: Statement = Statement::new(
    "SELECT i.item_id, i.status, i.depends_on FROM meridian.sprint_items i
     WHERE i.project_id OPERATOR(pg_catalog.=) $1 AND ($2 IS NULL OR i.version OPERATOR(pg_catalog.=) $2)
     ORDER BY i.item_id COLLATE pg_catalog.\"C\"",
    &[TEXT, TEXT],
);

static POINTERS: Statement = Statement::new(
    "SELECT p.item_id, p.pointer_id, p.source_type, p.targets::pg_catalog.text, p.label, p.target_resolved
     FROM meridian.sprint_item_pointers p
     WHERE p.project_id OPERATOR(pg_catalog.=) $1 AND ($2 IS NULL OR p.item_id OPERATOR(pg_catalog.=) ANY ($2))
     ORDER BY p.pointer_id",
    &[TEXT, TEXT_ARRAY],
);

static GATES: Statement = Statement::new(
    "SELECT g.gate_id, g.version, g.wave_start, g.wave_end, g.actions, g.passed_at IS NOT NULL
     FROM meridian.wave_gates g
     WHERE g.project_id OPERATOR(pg_catalog.=) $1
     ORDER BY g.gate_id COLLATE pg_catalog.\"C\"",
    &[TEXT],
);

impl BoardSource for OwnTable<'_> {
    fn items(&self) -> Result<Vec<Item>> {
        read_items(&ALL, Visibility::CallerSnapshot, &[text(self.project_id)])
    }

    fn items_in(&self, statuses: &[&str], version: Option<&str>) -> Result<Vec<Item>> {
        let parameters = [
            text(self.project_id),
            texts(statuses),
            optional_text(version),
        ];
        read_items(&IN_STATUSES, Visibility::CallerSnapshot, &parameters)
    }

    fn items_by_id(&self, item_ids: &[String], visibility: Visibility) -> Result<Vec<Item>> {
        read_items(
            &BY_ID,
            visibility,
            &[text(self.project_id), texts(item_ids)],
        )
    }

    fn lock_item(&self, item_id: &str, lock: Lock) -> Result<Option<Item>> {
        let statement = match lock {
            Lock::Wait => &LOCK_WAIT,
            Lock::SkipLocked => &LOCK_SKIP,
        };
        let row = statement.row(Visibility::Fresh, &[text(self.project_id), text(item_id)])?;
        row.map(|row| read_item(row.get())).transpose()
    }

    fn transition(&self, item_id: &str, transition: Transition<'_>) -> Result<Item> {
        let key = [text(self.project_id), text(item_id)];
        match transition {
            Transition::Claim { by } => {
                CLAIM.run(Visibility::Fresh, &[key[0], key[1], text(by)])?
            }
            Transition::Complete { status, note: None } => {
                COMPLETE.run(Visibility::Fresh, &[key[0], key[1], text(status.as_str())])?
            }
            Transition::Complete {
                status,
                note: Some(note),
            } => COMPLETE_WITH_NOTE.run(
                Visibility::Fresh,
                &[key[0], key[1], text(status.as_str()), text(note)],
            )?,
            Transition::Release => RELEASE.run(Visibility::Fresh, &key)?,
        };
        let row = LOCK_WAIT.row(Visibility::Fresh, &key)?;
        row.map(|row| read_item(row.get()))
            .transpose()?
            .ok_or_else(|| {
                Error::internal(format!(
                    "item \"{item_id}\" is no longer visible after it was written"
                ))
            })
    }

    fn revision(&self, version: Option<&str>) -> Result<String> {
        let mut hasher = RevisionHasher::new();
        REVISION.stream(&[text(self.project_id), optional_text(version)], |row| {
            let depends_on = row.texts(3).filter(|ids| !ids.is_empty());
            let depends_on = depends_on
                .map(|ids| dependency::normalized(&ids))
                .unwrap_or_default();
            hasher.push(
                row.str(1)?.unwrap_or_default(),
                row.str(2)?.unwrap_or_default(),
                &depends_on,
            );
            Ok(())
        })?;
        Ok(hasher.finish())
    }
}

/// The pointers of the project's items, or of some of them, by pointer id.
pub fn pointers(
    project_id: &str,
    item_ids: Option<&[String]>,
    visibility: Visibility,
) -> Result<Vec<Pointer>> {
    let rows = POINTERS.run(visibility, &[text(project_id), item_ids.and_then(texts)])?;
    rows.iter()
        .map(|row| {
            Ok(Pointer {
                item_id: row.required_text(1)?,
                pointer_id: row.int8(2).unwrap_or_default(),
                source_type: row.required_text(3)?,
                targets: row.json(4)?.unwrap_or(Value::Null),
                label: row.text(5)?,
                target_resolved: row.bool(6),
            })
        })
        .collect()
}

/// The project's wave gates, passed ones included.
pub fn gates(project_id: &str, visibility: Visibility) -> Result<Vec<WaveGate>> {
    let rows = GATES.run(visibility, &[text(project_id)])?;
    rows.iter()
        .map(|row| {
            Ok(WaveGate {
                gate_id: row.required_text(1)?,
                version: row.text(2)?,
                wave_start: row.required_text(3)?,
                wave_end: row.required_text(4)?,
                actions: row.texts(5).unwrap_or_default(),
                passed: row.bool(6).unwrap_or_default(),
            })
        })
        .collect()
}

/// Writes of `work` carry this session in the history.
pub fn as_session<T>(session_id: Option<&str>, work: impl FnOnce() -> Result<T>) -> Result<T> {
    let value = std::ffi::CString::new(session_id.unwrap_or_default())
        .map_err(|_| Error::internal("a session id holds a NUL"))?;
    guard::with_settings(&[(c"meridian.session_id", &value)], work)
}

fn read_items(
    statement: &Statement,
    visibility: Visibility,
    parameters: &[Parameter],
) -> Result<Vec<Item>> {
    let rows = statement.run(visibility, parameters)?;
    rows.iter().map(read_item).collect()
}

fn read_item(row: Row<'_>) -> Result<Item> {
    Ok(Item {
        item_id: row.required_text(1)?,
        title: row.text(2)?.unwrap_or_default(),
        notes: row.text(3)?,
        status: Status::parse(row.str(4)?),
        priority: Priority::parse(row.str(5)?),
        version: row.text(6)?,
        depends_on: dependency::deduplicated(row.texts(7).unwrap_or_default()),
        failure_mode: FailureMode::parse(row.str(8)?),
        item_group: row.text(9)?,
        milestone_type: MilestoneType::parse(row.str(10)?),
        human_id: row.text(11)?,
        blocker_kind: BlockerKind::parse(row.str(12)?),
        wave: row.text(13)?,
        track: row.text(14)?,
        deferred_until: row.timestamp(15),
        touches_resources: read_strings(row.str(16)?),
        tool_requirements: row.json(17)?.unwrap_or_else(|| Value::Array(Vec::new())),
        required_tool: row.text(18)?,
        prospect_bypass: row.bool(19).unwrap_or_default(),
        artifact_policy: row.json(20)?,
        parent_id: row.text(21)?,
        merged_into: row.text(22)?,
        claimed_by: row.text(23)?,
        claimed_at: row.timestamp(24),
        added_at: row
            .timestamp(25)
            .unwrap_or(handoff_contract::Timestamp::NEG_INFINITY),
        completed_at: row.timestamp(26),
    })
}

/// The strings of a JSON array; anything else in it names no resource.
fn read_strings(json: Option<&str>) -> Vec<String> {
    match json {
        None | Some("[]") => Vec::new(),
        Some(json) => match serde_json::from_str(json) {
            Ok(Value::Array(values)) => values
                .into_iter()
                .filter_map(|value| match value {
                    Value::String(text) => Some(text),
                    _ => None,
                })
                .collect(),
            _ => Vec::new(),
        },
    }
}
