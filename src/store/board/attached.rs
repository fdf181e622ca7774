//! A board in a relation of the user's, read and written through it with the caller's own rights and row policies.

use std::collections::HashSet;

use handoff_contract::board::revision::RevisionHasher;
use handoff_contract::board::{Item, Status, StatusMap, dependency, item::item_id_problem};
use handoff_contract::{ContractError, ErrorCode};
use pgrx::IntoDatum;
use serde_json::json;

use super::mapping::{Mapping, board_invalid};
use super::row::ItemReader;
use super::sources::Attachment;
use super::{BoardSource, Found, Lock, Transition, moved, require_written};
use crate::error::{Error, Result};
use crate::store::spi::{
    BOOL, Parameter, Rows, Statement, TEXT, TEXT_ARRAY, TIMESTAMPTZ, Visibility, clock,
    optional_text, text, texts, timestamp,
};

pub struct Attached<'a> {
    project_id: &'a str,
    mapping: Mapping,
    statuses: StatusMap,
}

impl<'a> Attached<'a> {
    /// MH012 where the relation is no longer what was attached.
    pub fn open(project_id: &'a str, attachment: &Attachment) -> Result<Self> {
        Ok(Self {
            project_id,
            mapping: Mapping::restore(attachment.relation, &attachment.columns)?,
            statuses: StatusMap::parse(&attachment.status_map, &attachment.status_write)?,
        })
    }

    /// `SELECT` of whole items of the project, and of what `rest` asks besides.
    fn select(&self, rest: &str) -> String {
        let mapping = &self.mapping;
        format!(
            "SELECT {} FROM {} b WHERE {} {rest}",
            mapping.select_list(),
            mapping.name,
            mapping.in_project()
        )
    }

    fn read(&self, rows: &Rows) -> Result<Vec<Item>> {
        ItemReader {
            depends_on: self.mapping.depends_on(),
            statuses: &self.statuses,
        }
        .all(rows)
    }

    /// A project whose id the relation's column cannot hold has no rows in it.
    fn project(&self) -> Option<Parameter> {
        self.mapping
            .can_hold_project(self.project_id)
            .then(|| text(self.project_id))
    }

    fn written(&self, status: &Status) -> Result<&str> {
        self.statuses.written(status).map_err(|candidates| {
            board_invalid(
                &self.mapping.name,
                "ambiguous_status",
                format!(
                    "{status} could be written as any of {}",
                    candidates.join(", ")
                ),
                "Name one in status_write when attaching the board.",
            )
        })
    }

    fn require_updatable(&self) -> Result<()> {
        if self.mapping.updatable {
            return Ok(());
        }
        Err(ContractError::new(
            ErrorCode::BoardReadOnly,
            format!("the board of project \"{}\" lies in {}, which cannot be updated", self.project_id, self.mapping.name),
            "It was attached for reading; attach the base table, or give the view INSTEAD OF triggers.",
        )
        .with_detail(json!({ "relation": self.mapping.name }))
        .into())
    }

    /// What a handoff or a wave plan stands on must be told apart by its ids.
    fn require_sound_ids(&self, items: &[Item]) -> Result<()> {
        let mut seen = HashSet::new();
        for item in items {
            let problem = match item_id_problem(&item.item_id) {
                Some(problem) => problem,
                None if seen.insert(item.item_id.as_str()) => continue,
                None => "several rows have it",
            };
            return Err(self.bad_id(&item.item_id, problem));
        }
        Ok(())
    }

    fn bad_id(&self, item_id: &str, problem: &str) -> Error {
        let message = format!(
            "{} holds the item id {}: {problem}",
            self.mapping.name,
            json!(item_id)
        );
        ContractError::new(
            ErrorCode::BoardInvalid,
            message,
            "Give each item an id of its own without commas, control characters or spaces at its ends.",
        )
        .with_detail(json!({ "relation": self.mapping.name, "problem": "bad_item_id", "item_id": item_id }))
        .into()
    }

    /// The row with what a transition sets, as far as the relation has columns for it.
    fn assignments(&self, transition: Transition<'_>) -> Vec<String> {
        // A parameter, so that every column gets the same instant.
        const NOW: &str = "$6";
        let own: &[(&str, &str)] = match transition {
            Transition::Claim { .. } => &[("claimed_by", "$4"), ("claimed_at", NOW)],
            Transition::Complete { note: None, .. } => &[("completed_at", NOW)],
            Transition::Complete { note: Some(_), .. } => {
                &[("completed_at", NOW), ("completion_note", "$5")]
            }
            Transition::Release => &[("claimed_by", "NULL"), ("claimed_at", "NULL")],
        };
        [("status", "$3"), ("updated_at", NOW)]
            .iter()
            .chain(own)
            .filter_map(|(ours, value)| self.mapping.assignment(ours, value))
            .collect()
    }
}

impl BoardSource for Attached<'_> {
    fn items(&self) -> Result<Vec<Item>> {
        let Some(project) = self.project() else {
            return Ok(Vec::new());
        };
        let statement = Statement::new(self.select(""), &[TEXT]);
        let items = self.read(&statement.run(Visibility::CallerSnapshot, &[project])?)?;
        self.require_sound_ids(&items)?;
        Ok(items)
    }

    fn items_in(&self, statuses: Option<&[Status]>, version: Option<&str>) -> Result<Vec<Item>> {
        let Some(project) = self.project() else {
            return Ok(Vec::new());
        };
        // Either among the wanted ones, or not among those that end an item. NULL is pending.
        let listed = statuses.unwrap_or(&Status::TERMINAL);
        let status = self.mapping.expression("status");
        let statement = Statement::new(
            self.select(&format!(
                "AND COALESCE({status} OPERATOR(pg_catalog.=) ANY ($2), $4) OPERATOR(pg_catalog.=) $5
                 AND ($3 IS NULL OR {} OPERATOR(pg_catalog.=) $3)",
                self.mapping.expression("version")
            )),
            &[TEXT, TEXT_ARRAY, TEXT, BOOL, BOOL],
        );
        let parameters = [
            project,
            texts(&self.statuses.stored_values(listed)),
            optional_text(version),
            listed.contains(&Status::Pending).into_datum(),
            statuses.is_some().into_datum(),
        ];
        self.read(&statement.run(Visibility::CallerSnapshot, &parameters)?)
    }

    fn items_by_id(&self, item_ids: &[String], visibility: Visibility) -> Result<Vec<Item>> {
        let Some(project) = self.project() else {
            return Ok(Vec::new());
        };
        let possible: Vec<&str> = item_ids
            .iter()
            .map(String::as_str)
            .filter(|id| self.mapping.can_hold_item(id))
            .collect();
        let statement = Statement::new(
            self.select(&format!("AND {}", self.mapping.is_any_item("$2"))),
            &[TEXT, TEXT_ARRAY],
        );
        self.read(&statement.run(visibility, &[project, texts(&possible)])?)
    }

    fn lock_item(&self, item_id: &str, lock: Lock) -> Result<Found> {
        self.require_updatable()?;
        let Some(project) = self
            .project()
            .filter(|_| self.mapping.can_hold_item(item_id))
        else {
            return Ok(Found::Nothing);
        };
        let wait = match lock {
            Lock::Wait => "",
            Lock::SkipLocked => " SKIP LOCKED",
        };
        let rest = format!(
            "AND {} FOR NO KEY UPDATE OF b{wait}",
            self.mapping.is_item("$2")
        );
        let statement = Statement::new(self.select(&rest), &[TEXT, TEXT]);
        let mut found = self.read(&statement.run(Visibility::Fresh, &[project, text(item_id)])?)?;
        Ok(match (found.pop(), found.is_empty()) {
            (None, _) => Found::Nothing,
            (Some(item), true) => Found::Item(Box::new(item)),
            (Some(_), false) => Found::Several,
        })
    }

    fn transition(&self, item: &Item, transition: Transition<'_>) -> Result<Item> {
        let (status, by, note) = match transition {
            Transition::Claim { by } => (&Status::InProgress, Some(by), None),
            Transition::Complete { status, note } => (status, None, note),
            Transition::Release => (&Status::Pending, None, None),
        };
        let mapping = &self.mapping;
        let statement = Statement::new(
            format!(
                "UPDATE {} b SET {} WHERE {} AND {}",
                mapping.name,
                self.assignments(transition).join(", "),
                mapping.in_project(),
                mapping.is_item("$2")
            ),
            &[TEXT, TEXT, TEXT, TEXT, TEXT, TIMESTAMPTZ],
        );
        let parameters = [
            text(self.project_id),
            text(&item.item_id),
            text(self.written(status)?),
            optional_text(by),
            optional_text(note),
            timestamp(clock()),
        ];
        let written = statement.run(Visibility::Fresh, &parameters)?;
        require_written(written.processed(), &item.item_id)?;
        let after = self
            .items_by_id(std::slice::from_ref(&item.item_id), Visibility::Fresh)?
            .pop();
        Ok(after.unwrap_or_else(|| moved(item, transition)))
    }

    fn revision(&self, version: Option<&str>) -> Result<String> {
        let mut hasher = RevisionHasher::new();
        let Some(project) = self.project() else {
            return Ok(hasher.finish());
        };
        let mapping = &self.mapping;
        let item_id = mapping.expression("item_id");
        let statement = Statement::new(
            format!(
                "SELECT {item_id}, {}, {} FROM {} b WHERE {} AND ($2 IS NULL OR {} OPERATOR(pg_catalog.=) $2)
                 ORDER BY {item_id} COLLATE pg_catalog.\"C\"",
                mapping.expression("status"),
                mapping.expression("depends_on"),
                mapping.name,
                mapping.in_project(),
                mapping.expression("version")
            ),
            &[TEXT, TEXT],
        );
        let depends_on = mapping.depends_on();
        let mut previous: Option<String> = None;
        statement.stream(&[project, optional_text(version)], |row| {
            let item_id = row.str(1)?.unwrap_or_default();
            if previous.as_deref() == Some(item_id) {
                return Err(self.bad_id(item_id, "several rows have it"));
            }
            let status = self.statuses.read(row.str(2)?);
            hasher.push(
                item_id,
                status.as_str(),
                &dependency::normalized(&depends_on.read(row, 3)?),
            );
            previous = Some(item_id.to_owned());
            Ok(())
        })?;
        Ok(hasher.finish())
    }

    fn keeps_holder(&self) -> bool {
        self.mapping.has("claimed_by")
    }
}
