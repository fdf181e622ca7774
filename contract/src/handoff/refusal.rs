//! The refusals that come before anything is rendered: a bad selection, a predecessor that is gone, a selection of
//! which nothing is left. Each names everything that is wrong, not just the first thing.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{Request, Snapshot};
use crate::board::Exclusion;
use crate::board::selection::{self, Rejection, SelectedScope, Selection};
use crate::board::stale::StaleReference;
use crate::{ContractError, ErrorCode};

/// No ids, no selection.
///
/// Error: MH002 with `{selection_rejected}`.
pub fn select(
    snapshot: &Snapshot,
    request: &Request,
    version: Option<&str>,
    foreign_ids: &BTreeSet<String>,
) -> Result<Option<Selection>, ContractError> {
    if request.selected_item_ids.is_empty() {
        return Ok(None);
    }
    selection::select(&snapshot.board, &request.selected_item_ids, version, foreign_ids).map(Some).map_err(
        |rejections| {
            let rejected: Vec<Value> = rejections.iter().map(Rejection::to_json).collect();
            ContractError::new(
                ErrorCode::SelectionBlocked,
                format!("{} of the selected items cannot be handed out", rejected.len()),
                "Select pending items of this project and version only; the detail says what is wrong with which.",
            )
            .with_detail(json!({ "selection_rejected": rejected }))
        },
    )
}

/// Error: MH006 with `{version, stale_references}`.
pub fn stale_references(
    stale: &[StaleReference],
    version: Option<&str>,
) -> Result<(), ContractError> {
    if stale.is_empty() {
        return Ok(());
    }
    let references: Vec<Value> = stale.iter().map(StaleReference::to_json).collect();
    Err(ContractError::new(
        ErrorCode::StaleReference,
        format!("{} dependencies point to items that are missing or merged away", references.len()),
        "Repair depends_on of the items in the detail: drop the id, or name the item it was merged into.",
    )
    .with_detail(json!({ "version": version, "stale_references": references })))
}

/// One executable item of those asked for is enough to go on.
///
/// Error: MH003 with `{requested_ids, excluded_requested}`.
pub fn empty_selection(scope: Option<&SelectedScope>) -> Result<(), ContractError> {
    let Some(scope) = scope.filter(|scope| scope.all_excluded()) else {
        return Ok(());
    };
    let excluded: Vec<Value> = scope
        .excluded_requested
        .iter()
        .map(exclusion_json)
        .collect();
    Err(ContractError::new(
        ErrorCode::ScopeNonExecutable,
        "none of the selected items can be claimed now",
        "Clear the reasons in the detail, or select other items.",
    )
    .with_detail(json!({
        "requested_ids": scope.selection.selected_item_ids,
        "excluded_requested": excluded,
    })))
}

fn exclusion_json(exclusion: &Exclusion) -> Value {
    json!({"id": exclusion.item_id, "reason": exclusion.reason.as_str()})
}
