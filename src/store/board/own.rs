//! The board in `meridian.sprint_items`.

use handoff_contract::board::revision::RevisionHasher;
use handoff_contract::board::{Item, Status, StatusMap, dependency};

use super::row::{DependsOn, ItemReader};
use super::{BoardSource, Found, Lock, Transition, moved, require_written};
use crate::error::Result;
use crate::store::guard;
use crate::store::spi::{
    Parameter, Statement, TEXT, TEXT_ARRAY, Visibility, optional_text, text, texts,
};

/// The items of one project.
pub struct OwnTable<'a> {
    pub project_id: &'a str,
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
static NOTE: Statement = Statement::new(update_item!("completion_note = $3"), &[TEXT, TEXT, TEXT]);
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

impl OwnTable<'_> {
    fn read(
        &self,
        statement: &Statement,
        visibility: Visibility,
        parameters: &[Parameter],
    ) -> Result<Vec<Item>> {
        let rows = statement.run(visibility, parameters)?;
        ItemReader {
            depends_on: DependsOn::Array,
            statuses: &StatusMap::default(),
        }
        .all(&rows)
    }

    /// Completing an item takes the right to update its status, not its texts. The note that belongs to a completion is
    /// therefore written by the owner, on a row that the caller has locked and just updated; history names the caller.
    fn write_note(&self, item_id: &str, note: &str) -> Result<()> {
        let parameters = [text(self.project_id), text(item_id), text(note)];
        guard::as_owner(|| NOTE.run(Visibility::Fresh, &parameters))?;
        Ok(())
    }
}

impl BoardSource for OwnTable<'_> {
    fn items(&self) -> Result<Vec<Item>> {
        self.read(&ALL, Visibility::CallerSnapshot, &[text(self.project_id)])
    }

    fn items_in(&self, statuses: Option<&[Status]>, version: Option<&str>) -> Result<Vec<Item>> {
        // The table's constraint leaves no other status that is not terminal.
        let statuses = statuses.unwrap_or(&Status::LIVE);
        let statuses: Vec<&str> = statuses.iter().map(Status::as_str).collect();
        let parameters = [
            text(self.project_id),
            texts(&statuses),
            optional_text(version),
        ];
        self.read(&IN_STATUSES, Visibility::CallerSnapshot, &parameters)
    }

    fn items_by_id(&self, item_ids: &[String], visibility: Visibility) -> Result<Vec<Item>> {
        self.read(
            &BY_ID,
            visibility,
            &[text(self.project_id), texts(item_ids)],
        )
    }

    fn lock_item(&self, item_id: &str, lock: Lock) -> Result<Found> {
        let statement = match lock {
            Lock::Wait => &LOCK_WAIT,
            Lock::SkipLocked => &LOCK_SKIP,
        };
        let parameters = [text(self.project_id), text(item_id)];
        let found = self.read(statement, Visibility::Fresh, &parameters)?.pop();
        Ok(found.map_or(Found::Nothing, |item| Found::Item(Box::new(item))))
    }

    fn transition(&self, item: &Item, transition: Transition<'_>) -> Result<Item> {
        let key = [text(self.project_id), text(&item.item_id)];
        let written = match transition {
            Transition::Claim { by } => {
                CLAIM.run(Visibility::Fresh, &[key[0], key[1], text(by)])?
            }
            Transition::Complete { status, .. } => {
                COMPLETE.run(Visibility::Fresh, &[key[0], key[1], text(status.as_str())])?
            }
            Transition::Release => RELEASE.run(Visibility::Fresh, &key)?,
        };
        require_written(written.processed(), &item.item_id)?;
        if let Transition::Complete {
            note: Some(note), ..
        } = transition
        {
            self.write_note(&item.item_id, note)?;
        }
        let after = self.read(&LOCK_WAIT, Visibility::Fresh, &key)?.pop();
        Ok(after.unwrap_or_else(|| moved(item, transition)))
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
