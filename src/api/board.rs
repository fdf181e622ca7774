//! Reading a board: listing, revision, cross-check, changes and waves.

use std::collections::{BTreeSet, HashMap, HashSet};

use handoff_contract::Timestamp;
use handoff_contract::board::{
    Batch, BatchRequest, BlockerKind, Board, Item, MilestoneType, Status, mermaid, revision,
};
use handoff_contract::receive::cross_check::CrossCheck;
use pgrx::name;
use pgrx::prelude::*;

use crate::access::{call, elements, invalid, required};
use crate::error::{Result, answer};
use crate::json;
use crate::store::history::Change;
use crate::store::spi::{self, Visibility};
use crate::store::{board, history, project, snapshot};

type Time = pgrx::datum::TimestampWithTimeZone;

#[allow(clippy::type_complexity)]
#[pg_extern(stable, parallel_restricted)]
fn get_sprint_items(
    project_id: Option<&str>,
    statuses: default!(Option<Vec<Option<String>>>, "NULL"),
    version: default!(Option<&str>, "NULL"),
    include_human: default!(Option<bool>, "true"),
    include_deferred: default!(Option<bool>, "true"),
) -> TableIterator<
    'static,
    (
        name!(item_id, String),
        name!(title, String),
        name!(status, String),
        name!(priority, String),
        name!(version, Option<String>),
        name!(depends_on, Vec<String>),
        name!(item_group, Option<String>),
        name!(wave, Option<String>),
        name!(blocker_kind, Option<String>),
        name!(claimed_by, Option<String>),
        name!(claimed_at, Option<Time>),
        name!(added_at, Option<Time>),
        name!(completed_at, Option<Time>),
    ),
> {
    call(move || {
        let project_id = required(project_id, "project_id")?;
        let include_human = *required(include_human.as_ref(), "include_human")?;
        let include_deferred = *required(include_deferred.as_ref(), "include_deferred")?;
        let statuses = wanted_statuses(statuses)?;
        project::enter(project_id)?;
        let mut items = board::source(project_id)?.items_in(statuses.as_deref(), version)?;
        let now = spi::clock();
        items.retain(|item| {
            (include_human || !is_for_a_human(item)) && (include_deferred || !item.is_deferred(now))
        });
        items.sort_by(Item::listing_order);
        Ok(TableIterator::new(items.into_iter().map(|item| {
            (
                item.item_id,
                item.title,
                item.status.to_string(),
                item.priority.as_str().to_owned(),
                item.version,
                item.depends_on,
                item.item_group,
                item.wave,
                item.blocker_kind.map(|kind| kind.as_str().to_owned()),
                item.claimed_by,
                item.claimed_at.map(time),
                Some(time(item.added_at)),
                item.completed_at.map(time),
            )
        })))
    })
}

/// NULL stands for whatever is not finished; a status that nobody knows is an error.
fn wanted_statuses(statuses: Option<Vec<Option<String>>>) -> Result<Option<Vec<Status>>> {
    if statuses.is_none() {
        return Ok(None);
    }
    elements(statuses, "statuses")?
        .iter()
        .map(|status| match Status::parse(Some(status)) {
            Status::Unknown(status) => Err(invalid(
                format!("unknown status \"{status}\""),
                format!(
                    "A status is one of {}.",
                    Status::KNOWN.map(|known| known.to_string()).join(", ")
                ),
            )),
            known => Ok(known),
        })
        .collect::<Result<_>>()
        .map(Some)
}

/// The listing goes by the columns alone; a title that says MANUAL is the batch's concern.
fn is_for_a_human(item: &Item) -> bool {
    item.milestone_type == MilestoneType::Human || item.blocker_kind == Some(BlockerKind::Manual)
}

#[pg_extern(immutable, parallel_safe)]
fn compute_board_revision(items: Option<json::Argument>) -> String {
    answer(move || Ok(revision::of_json(&json::read(items, "items")?)?))
}

#[pg_extern(immutable, parallel_safe)]
fn verify_board_revision(
    current_items: Option<json::Argument>,
    expected_revision: Option<&str>,
) -> bool {
    answer(move || {
        let current = revision::of_json(&json::read(current_items, "current_items")?)?;
        Ok(current == required(expected_revision, "expected_revision")?)
    })
}

#[pg_extern(stable, parallel_restricted)]
fn board_revision(project_id: Option<&str>, version: default!(Option<&str>, "NULL")) -> String {
    call(|| live_revision(project_id, version))
}

#[pg_extern(stable, parallel_restricted)]
fn verify_live_board(
    project_id: Option<&str>,
    expected_revision: Option<&str>,
    version: default!(Option<&str>, "NULL"),
) -> bool {
    call(|| {
        let expected = required(expected_revision, "expected_revision")?;
        Ok(live_revision(project_id, version)? == expected)
    })
}

fn live_revision(project_id: Option<&str>, version: Option<&str>) -> Result<String> {
    let project_id = required(project_id, "project_id")?;
    project::enter(project_id)?;
    board::source(project_id)?.revision(version)
}

#[allow(clippy::type_complexity)]
#[pg_extern(stable, parallel_restricted)]
fn cross_check_items(
    project_id: Option<&str>,
    item_ids: Option<Vec<Option<String>>>,
) -> TableIterator<
    'static,
    (
        name!(item_id, String),
        name!(status, Option<String>),
        name!(live, bool),
        name!(terminal, bool),
        name!(suspicious, bool),
    ),
> {
    call(move || {
        let project_id = required(project_id, "project_id")?;
        required(item_ids.as_ref(), "item_ids")?;
        let item_ids = elements(item_ids, "item_ids")?;
        project::enter(project_id)?;
        let items =
            board::source(project_id)?.items_by_id(&item_ids, Visibility::CallerSnapshot)?;
        let statuses: HashMap<String, Status> = items
            .into_iter()
            .map(|item| (item.item_id, item.status))
            .collect();
        Ok(TableIterator::new(item_ids.into_iter().map(
            move |item_id| {
                let check = CrossCheck::of(&item_id, statuses.get(&item_id).cloned());
                let status = check.status.map(|status| status.to_string());
                (
                    check.item_id,
                    status,
                    check.live,
                    check.terminal,
                    check.suspicious,
                )
            },
        )))
    })
}

#[allow(clippy::type_complexity)]
#[pg_extern(stable, parallel_restricted)]
fn board_changes_since(
    project_id: Option<&str>,
    revision_counter: Option<i64>,
    version: default!(Option<&str>, "NULL"),
) -> TableIterator<
    'static,
    (
        name!(history_id, i64),
        name!(item_id, Option<String>),
        name!(operation, String),
        name!(old_status, Option<String>),
        name!(new_status, Option<String>),
        name!(old_depends_on, Option<Vec<String>>),
        name!(new_depends_on, Option<Vec<String>>),
        name!(changed_columns, Option<Vec<String>>),
        name!(changed_by, String),
        name!(session_id, Option<String>),
        name!(changed_at, Option<Time>),
    ),
> {
    call(|| {
        let project_id = required(project_id, "project_id")?;
        let counter = *required(revision_counter.as_ref(), "revision_counter")?;
        project::enter(project_id)?;
        let mut changes = history::since(project_id, counter)?;
        if let Some(version) = version {
            let outside = outside_version(project_id, &changes, version)?;
            changes
                .retain(|change| !outside.contains(change.item_id.as_deref().unwrap_or_default()));
        }
        Ok(TableIterator::new(changes.into_iter().map(|change| {
            (
                change.history_id,
                change.item_id,
                change.operation,
                change.old_status,
                change.new_status,
                change.old_depends_on,
                change.new_depends_on,
                change.changed_columns,
                change.changed_by,
                change.session_id,
                change.changed_at.map(time),
            )
        })))
    })
}

/// Items of the changes that are and were of other versions. One that is gone may have been of any; one that moved
/// between versions concerns both.
fn outside_version(project_id: &str, changes: &[Change], version: &str) -> Result<HashSet<String>> {
    let ids: BTreeSet<String> = changes
        .iter()
        .filter_map(|change| change.item_id.clone())
        .collect();
    let ids: Vec<String> = ids.into_iter().collect();
    let items = board::source(project_id)?.items_by_id(&ids, Visibility::CallerSnapshot)?;
    let mut outside: HashSet<String> = items
        .into_iter()
        .filter(|item| !item.in_version(Some(version)))
        .map(|item| item.item_id)
        .collect();
    for change in changes.iter().filter(|change| change.moves_version()) {
        outside.remove(change.item_id.as_deref().unwrap_or_default());
    }
    Ok(outside)
}

#[pg_extern(stable, parallel_restricted)]
fn plan_waves(
    project_id: Option<&str>,
    version: default!(Option<&str>, "NULL"),
) -> TableIterator<
    'static,
    (
        name!(wave, i32),
        name!(item_id, String),
        name!(blocked_on, Vec<String>),
    ),
> {
    call(|| {
        let board = load_board(project_id)?;
        let batch = plan(&board, version);
        let mut rows = Vec::new();
        for (wave, items) in (1..).zip(&batch.waves) {
            for item in items {
                let blocked_on = batch
                    .blocked_on(item)
                    .into_iter()
                    .map(str::to_owned)
                    .collect();
                rows.push((wave, item.item_id.clone(), blocked_on));
            }
        }
        Ok(TableIterator::new(rows))
    })
}

#[pg_extern(stable, parallel_restricted)]
fn plan_waves_mermaid(project_id: Option<&str>, version: default!(Option<&str>, "NULL")) -> String {
    call(|| {
        let board = load_board(project_id)?;
        Ok(mermaid::flowchart(&plan(&board, version)))
    })
}

fn load_board(project_id: Option<&str>) -> Result<Board> {
    let project_id = required(project_id, "project_id")?;
    project::enter(project_id)?;
    snapshot::load_board(project_id, board::source(project_id)?.as_ref())
}

/// The claimable batch of a version, nothing selected and nothing forced.
pub fn plan<'a>(board: &'a Board, version: Option<&str>) -> Batch<'a> {
    let request = BatchRequest {
        version,
        closure: None,
        force_include: &BTreeSet::new(),
        now: spi::clock(),
        strict_pointer_evidence: false,
    };
    Batch::plan(board, &request)
}

fn time(value: Timestamp) -> Time {
    // SAFETY: a timestamptz is passed by value as these microseconds.
    unsafe { Time::from_datum(pg_sys::Datum::from(spi::to_postgres_time(value)), false) }
        .unwrap_or_else(Time::positive_infinity)
}
