//! The project row, which is the door: it is read first, with the caller's own rights and row policies, and a project
//! that the caller cannot see is the same as none.

use handoff_contract::handoff::Project;
use handoff_contract::{ContractError, ErrorCode};
use serde_json::{Value, json};

use super::spi::{Statement, TEXT, TEXT_ARRAY, Visibility, optional_text, text, texts};
use crate::error::Result;

static LOAD: Statement = Statement::new(
    "SELECT p.project_id, p.name, p.tenant_id, p.execution_mode, p.settings::pg_catalog.text,
            p.north_star, p.version_goal, p.sprint_focus, p.sprint_focus_updated_at, p.agent_instructions
     FROM meridian.projects p
     WHERE p.project_id OPERATOR(pg_catalog.=) $1",
    &[TEXT],
);

static WORKSPACE_SETTINGS: Statement = Statement::new(
    "SELECT w.settings::pg_catalog.text FROM meridian.workspace_settings w
     WHERE w.tenant_id OPERATOR(pg_catalog.=) $1 OR (w.tenant_id IS NULL AND $1 IS NULL)",
    &[TEXT],
);

static CRITERIA: Statement = Statement::new(
    "SELECT v.description FROM meridian.sprint_versions v
     WHERE v.project_id OPERATOR(pg_catalog.=) $1 AND v.version OPERATOR(pg_catalog.=) ''",
    &[TEXT],
);

static FOREIGN_ITEMS: Statement = Statement::new(
    "SELECT DISTINCT i.item_id FROM meridian.sprint_items i
     JOIN meridian.projects p ON p.project_id OPERATOR(pg_catalog.=) i.project_id
     WHERE i.project_id OPERATOR(pg_catalog.<>) $1 AND i.item_id OPERATOR(pg_catalog.=) ANY ($2)",
    &[TEXT, TEXT_ARRAY],
);

/// Opens the door, or fails with PROJECT_NOT_FOUND.
pub fn enter(project_id: &str) -> Result<Project> {
    let row = LOAD
        .row(Visibility::CallerSnapshot, &[text(project_id)])?
        .ok_or_else(|| not_found(project_id))?;
    let row = row.get();
    Ok(Project {
        project_id: row.required_text(1)?,
        name: row.required_text(2)?,
        tenant_id: row.text(3)?,
        execution_mode: row.text(4)?,
        settings: row.json(5)?.unwrap_or(Value::Null),
        north_star: row.text(6)?,
        version_goal: row.text(7)?,
        sprint_focus: row.text(8)?,
        sprint_focus_updated_at: row.timestamp(9),
        agent_instructions: row.text(10)?,
    })
}

/// The settings of the tenant's workspace, if it has any.
pub fn workspace_settings(tenant_id: Option<&str>) -> Result<Option<Value>> {
    match WORKSPACE_SETTINGS.row(Visibility::CallerSnapshot, &[optional_text(tenant_id)])? {
        Some(row) => row.get().json(1),
        None => Ok(None),
    }
}

/// The project's own completion criteria: the description of the version `''`.
pub fn completion_criteria(project_id: &str) -> Result<Option<String>> {
    match CRITERIA.row(Visibility::CallerSnapshot, &[text(project_id)])? {
        Some(row) => row.get().text(1),
        None => Ok(None),
    }
}

/// Which of the ids name an item of another project that the caller can see.
pub fn foreign_items(project_id: &str, item_ids: &[String]) -> Result<Vec<String>> {
    if item_ids.is_empty() {
        return Ok(Vec::new());
    }
    let rows = FOREIGN_ITEMS.run(
        Visibility::CallerSnapshot,
        &[text(project_id), texts(item_ids)],
    )?;
    rows.iter().map(|row| row.required_text(1)).collect()
}

fn not_found(project_id: &str) -> ContractError {
    ContractError::new(
        ErrorCode::ProjectNotFound,
        format!("there is no project \"{project_id}\" that this role can see"),
        "Check the id in meridian.projects, or insert the project there.",
    )
    .with_detail(json!({ "project_id": project_id }))
}
