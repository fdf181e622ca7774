//! Which project's board lies in which relation, and how that relation's columns and words are read.

use pgrx::{IntoDatum, pg_sys::Oid};
use serde_json::Value;

use crate::error::{Error, Result};
use crate::store::guard;
use crate::store::spi::{BOOL, Row, Statement, TEXT, Visibility, json_text, text};

/// A row of `board_sources`.
pub struct Attachment {
    pub relation: Oid,
    /// Our column → the relation's, or null where it has none: as resolved when it was attached.
    pub columns: Value,
    pub status_map: Value,
    pub status_write: Value,
    pub track_history: bool,
}

impl Attachment {
    /// Whether both make the same items of the same rows.
    pub fn reads_like(&self, other: &Self) -> bool {
        self.relation == other.relation
            && self.columns == other.columns
            && self.status_map == other.status_map
            && self.status_write == other.status_write
    }
}

const OID: Oid = pgrx::pg_sys::OIDOID;

macro_rules! select_sources {
    ($where:literal) => {
        concat!(
            "SELECT project_id, relation::oid, columns::text, status_map::text, status_write::text, track_history
             FROM meridian.board_sources WHERE ",
            $where
        )
    };
}

static OF_PROJECT: Statement = Statement::new(select_sources!("project_id = $1"), &[TEXT]);
/// A statement on a partition fires the partition's triggers; its board is an ancestor.
static RECORDING: Statement = Statement::new(
    select_sources!(
        "track_history AND (relation = $1::regclass
             OR relation IN (SELECT a.relid FROM pg_partition_ancestors($1::regclass) a))
         ORDER BY project_id"
    ),
    &[OID],
);
static INSERT: Statement = Statement::new(
    "INSERT INTO meridian.board_sources (project_id, relation, columns, status_map, status_write, track_history)
     VALUES ($1, $2::regclass, $3::jsonb, $4::jsonb, $5::jsonb, $6)",
    &[TEXT, OID, TEXT, TEXT, TEXT, BOOL],
);
static DELETE: Statement = Statement::new(
    "DELETE FROM meridian.board_sources WHERE project_id = $1",
    &[TEXT],
);

pub fn of_project(project_id: &str) -> Result<Option<Attachment>> {
    guard::as_owner(|| {
        let row = OF_PROJECT.row(Visibility::CallerSnapshot, &[text(project_id)])?;
        row.map(|row| read(row.get())).transpose()
    })
}

/// The projects that keep history of a relation or of what it is a partition of, as of now.
pub fn recording(relation: Oid) -> Result<Vec<(String, Attachment)>> {
    guard::as_owner(|| {
        let rows = RECORDING.run(Visibility::Fresh, &[relation.into_datum()])?;
        rows.iter()
            .map(|row| Ok((row.required_text(1)?, read(row)?)))
            .collect()
    })
}

pub fn insert(project_id: &str, attachment: &Attachment) -> Result<()> {
    let parameters = [
        text(project_id),
        attachment.relation.into_datum(),
        json_text(&attachment.columns),
        json_text(&attachment.status_map),
        json_text(&attachment.status_write),
        attachment.track_history.into_datum(),
    ];
    guard::as_owner(|| INSERT.run(Visibility::Fresh, &parameters))?;
    Ok(())
}

pub fn delete(project_id: &str) -> Result<()> {
    guard::as_owner(|| DELETE.run(Visibility::Fresh, &[text(project_id)]))?;
    Ok(())
}

fn read(row: Row<'_>) -> Result<Attachment> {
    let relation = row
        .datum(2)
        .ok_or_else(|| Error::internal("a board source without relation"))?;
    Ok(Attachment {
        relation: Oid::from(relation.value() as u32),
        columns: row.json(3)?.unwrap_or(Value::Null),
        status_map: row.json(4)?.unwrap_or(Value::Null),
        status_write: row.json(5)?.unwrap_or(Value::Null),
        track_history: row.bool(6).unwrap_or_default(),
    })
}
