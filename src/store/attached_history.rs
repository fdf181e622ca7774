//! History of a board in a relation of the user's.
//!
//! Two steps, since the writer of the relation and the owner of the history are two roles: what changed is read from
//! the transition tables as the writer, whose types and casts these are, and comes out as text; the insert then runs
//! inside the guard and sees nothing but that text.

use std::collections::BTreeSet;

use handoff_contract::board::StatusMap;
use pgrx::pg_sys::Oid;
use pgrx::{IntoDatum, pg_sys};
use serde_json::{Value, json};

use super::board::Mapping;
use super::board::sources::{self, Attachment};
use super::guard;
use super::spi::{Row, Statement, TEXT, Visibility, optional_text, text};
use crate::error::Result;

/// Rows a single insert takes, so that a bulk change needs no single huge value.
const BATCH: usize = 10_000;

static INSERT: Statement = Statement::new(
    "INSERT INTO meridian.sprint_item_history
         (project_id, item_id, operation, old_status, new_status, old_depends_on, new_depends_on, changed_columns,
          row_count, changed_by, session_id)
     SELECT r.project_id, r.item_id, r.operation, r.old_status, r.new_status, r.old_depends_on, r.new_depends_on,
            r.changed_columns, r.row_count, $2, $3
     FROM jsonb_to_recordset($1::jsonb) AS r (project_id text, item_id text, operation text, old_status text,
          new_status text, old_depends_on text[], new_depends_on text[], changed_columns text[], row_count bigint)
     WHERE NOT EXISTS (SELECT FROM meridian.projects p
                       WHERE p.project_id = r.project_id AND p.settings -> 'history' = 'false'::jsonb)",
    &[TEXT, TEXT, TEXT],
);

/// What a statement did to the relation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    Insert,
    Update,
    Delete,
    Truncate,
}

impl Operation {
    pub fn of_event(event: u32) -> Self {
        match event & pg_sys::TRIGGER_EVENT_OPMASK {
            pg_sys::TRIGGER_EVENT_INSERT => Self::Insert,
            pg_sys::TRIGGER_EVENT_UPDATE => Self::Update,
            pg_sys::TRIGGER_EVENT_DELETE => Self::Delete,
            _ => Self::Truncate,
        }
    }
}

/// Records what a statement did, for every project whose board lies in the relation. Its transition tables are
/// registered with the open connection.
pub fn record(
    relation: Oid,
    operation: Operation,
    writer: &str,
    session_id: Option<&str>,
) -> Result<()> {
    for (projects, attachment) in groups(sources::recording(relation)?) {
        let reader = Reader::new(&attachment, projects)?;
        let rows = guard::with_settings(&[(c"search_path", c"pg_catalog, pg_temp")], || {
            reader.read(relation, operation)
        })?;
        for batch in rows.chunks(BATCH) {
            let batch = Value::Array(batch.to_vec()).to_string();
            let parameters = [batch.into_datum(), text(writer), optional_text(session_id)];
            guard::as_owner(|| INSERT.run(Visibility::Fresh, &parameters))?;
        }
    }
    Ok(())
}

/// Projects that read the relation in the same way, together.
fn groups(attachments: Vec<(String, Attachment)>) -> Vec<(BTreeSet<String>, Attachment)> {
    let mut groups: Vec<(BTreeSet<String>, Attachment)> = Vec::new();
    for (project_id, attachment) in attachments {
        match groups
            .iter_mut()
            .find(|(_, group)| group.reads_like(&attachment))
        {
            Some((projects, _)) => {
                projects.insert(project_id);
            }
            None => groups.push((BTreeSet::from([project_id]), attachment)),
        }
    }
    groups
}

/// Turns transition tables into rows of history.
struct Reader {
    mapping: Mapping,
    statuses: StatusMap,
    projects: BTreeSet<String>,
}

impl Reader {
    /// MH012 where the relation is no longer what was attached.
    fn new(attachment: &Attachment, projects: BTreeSet<String>) -> Result<Self> {
        Ok(Self {
            mapping: Mapping::restore(attachment.relation, &attachment.columns)?,
            statuses: StatusMap::parse(&attachment.status_map, &attachment.status_write)?,
            projects,
        })
    }

    fn read(&self, relation: Oid, operation: Operation) -> Result<Vec<Value>> {
        let sql = match operation {
            Operation::Insert => self.one_sided("new_items"),
            Operation::Delete => self.one_sided("old_items"),
            Operation::Update => self.compared(),
            Operation::Truncate => self.counted(relation)?,
        };
        // Plans are kept by their text, and transition tables of one name are laid out like the relation they are of.
        let sql = format!("{sql} /* {} */", relation.to_u32());
        let rows = Statement::new(sql, &[]).run(Visibility::Fresh, &[])?;
        let mut changes = Vec::with_capacity(rows.len());
        for row in rows.iter() {
            for project_id in self.projects_of(row)? {
                changes.push(self.change(row, project_id, operation)?);
            }
        }
        Ok(changes)
    }

    /// The projects whose history a row is part of: the one that it names, or every one where rows name none.
    fn projects_of(&self, row: Row<'_>) -> Result<Vec<String>> {
        if self.mapping.project_expression().is_none() {
            return Ok(self.projects.iter().cloned().collect());
        }
        Ok(row
            .text(1)?
            .filter(|project_id| self.projects.contains(project_id))
            .into_iter()
            .collect())
    }

    fn change(&self, row: Row<'_>, project_id: String, operation: Operation) -> Result<Value> {
        let depends_on = self.mapping.depends_on();
        let status =
            |column| -> Result<Value> { Ok(json!(self.statuses.read(row.str(column)?).as_str())) };
        let (old, new) = match operation {
            Operation::Insert => (None, Some((3, 4))),
            Operation::Delete => (Some((3, 4)), None),
            Operation::Truncate => {
                return Ok(
                    json!({ "project_id": project_id, "operation": "TRUNCATE", "row_count": row.int8(2) }),
                );
            }
            Operation::Update => (
                row.bool(3).unwrap_or_default().then_some((5, 7)),
                row.bool(4).unwrap_or_default().then_some((6, 8)),
            ),
        };
        let mut change = json!({ "project_id": project_id, "item_id": row.text(2)? });
        for (side, columns) in [("old", old), ("new", new)] {
            if let Some((status_column, depends_column)) = columns {
                change[format!("{side}_status")] = status(status_column)?;
                change[format!("{side}_depends_on")] = json!(depends_on.read(row, depends_column)?);
            }
        }
        change["operation"] = match (old, new) {
            (None, _) => "INSERT".into(),
            (_, None) => "DELETE".into(),
            _ => {
                change["changed_columns"] = json!(row.texts(9));
                "UPDATE".into()
            }
        };
        Ok(change)
    }

    fn project_expression(&self) -> String {
        self.mapping
            .project_expression()
            .unwrap_or_else(|| "''::text".to_owned())
    }

    /// Project, id, status and predecessors of the rows of one transition table.
    fn one_sided(&self, table: &str) -> String {
        let mapping = &self.mapping;
        format!(
            "SELECT {}, {}, {}, {} FROM {table} b",
            self.project_expression(),
            mapping.expression("item_id"),
            mapping.expression("status"),
            mapping.expression("depends_on")
        )
    }

    /// Both transition tables side by side; a row without a change in a column of a board is none.
    fn compared(&self) -> String {
        let columns = self.mapping.compared_columns();
        let side = |table: &str| {
            let columns: Vec<String> = columns
                .iter()
                .map(|ours| format!("{} AS {ours}", self.mapping.expression(ours)))
                .collect();
            format!(
                "(SELECT {} AS project, {} FROM {table} b)",
                self.project_expression(),
                columns.join(", ")
            )
        };
        let changed: Vec<String> = columns
            .iter()
            .filter(|ours| **ours != "item_id")
            .map(|ours| format!("CASE WHEN o.{ours} IS DISTINCT FROM n.{ours} THEN '{ours}' END"))
            .collect();
        let predecessors = |side: char| match columns.contains(&"depends_on") {
            true => format!("{side}.depends_on"),
            false => "NULL::text".to_owned(),
        };
        format!(
            "SELECT coalesce(n.project, o.project), coalesce(n.item_id, o.item_id), o.item_id IS NOT NULL,
                    n.item_id IS NOT NULL, o.status, n.status, {}, {}, c.names
             FROM {} o FULL JOIN {} n ON o.project = n.project AND o.item_id = n.item_id
             CROSS JOIN LATERAL (SELECT array_remove(ARRAY[{}]::text[], NULL) AS names) c
             WHERE o.item_id IS NULL OR n.item_id IS NULL OR cardinality(c.names) > 0",
            predecessors('o'),
            predecessors('n'),
            side("old_items"),
            side("new_items"),
            changed.join(", ")
        )
    }

    fn counted(&self, relation: Oid) -> Result<String> {
        let name =
            super::board::qualified_name(relation)?.unwrap_or_else(|| self.mapping.name.clone());
        let project = self.project_expression();
        Ok(format!(
            "SELECT {project}, count(*) FROM ONLY {name} b GROUP BY {project} ORDER BY 1"
        ))
    }
}
