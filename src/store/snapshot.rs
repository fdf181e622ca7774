//! The one read of a generation: every table it needs, as of the caller's own snapshot.

use handoff_contract::board::Board;
use handoff_contract::handoff::context::{Decision, Rows};
use handoff_contract::handoff::fallback::Tools;
use handoff_contract::handoff::{ArtifactCheck, Needs, Project, Session, Snapshot};
use serde_json::Value;

use super::board::{self, BoardSource};
use super::spi::{Statement, TEXT, Visibility, clock, text};
use super::{context, hitl, project};
use crate::error::Result;

static ARTIFACT_CHECKS: Statement = Statement::new(
    "SELECT a.item_id, a.path, a.check_name, a.status, a.detail::pg_catalog.text FROM meridian.artifact_checks a
     WHERE a.project_id OPERATOR(pg_catalog.=) $1
     ORDER BY a.item_id COLLATE pg_catalog.\"C\", a.path COLLATE pg_catalog.\"C\", a.check_name COLLATE pg_catalog.\"C\",
              a.checked_at, a.status COLLATE pg_catalog.\"C\"",
    &[TEXT],
);

/// The board alone: items, pointers and gates.
pub fn load_board(project_id: &str, source: &dyn BoardSource) -> Result<Board> {
    let visibility = Visibility::CallerSnapshot;
    Ok(Board::new(
        source.items()?,
        board::pointers(project_id, None, visibility)?,
        board::gates(project_id, visibility)?,
    ))
}

/// Everything a generation reads beside the board that `tools` and `decisions`, read before, do not hold; `project`
/// came through the door. `needs` says what of it.
pub fn load(
    project: Project,
    session: Option<Session>,
    tools: Tools,
    decisions: Rows<Decision>,
    needs: Needs,
) -> Result<Snapshot> {
    let source = board::source(&project.project_id)?;
    let board = load_board(&project.project_id, source.as_ref())?;
    drop(source);
    let settings = project::workspace_settings(project.tenant_id.as_deref())?;
    let context = context::load(
        &project,
        session.as_ref(),
        needs,
        decisions,
        settings.as_ref(),
    )?;
    Ok(Snapshot {
        now: clock(),
        loop_enabled_default: settings
            .as_ref()
            .and_then(|settings| settings.get("loop_enabled_default")?.as_bool()),
        session,
        context,
        completion_criteria: project::completion_criteria(&project.project_id)?,
        hitl_gates: hitl::open(&project.project_id)?,
        artifact_checks: artifact_checks(&project.project_id)?,
        capability_manifest: tools.manifest,
        reported_tools: tools.reported,
        board,
        project,
    })
}

/// What decides whether work can start, without a session and without what a narrative tells.
pub fn load_readiness(project: Project, tools: Tools) -> Result<Snapshot> {
    load(project, None, tools, Rows::default(), Needs::NOTHING)
}

fn artifact_checks(project_id: &str) -> Result<Vec<ArtifactCheck>> {
    let rows = ARTIFACT_CHECKS.run(Visibility::CallerSnapshot, &[text(project_id)])?;
    rows.iter()
        .map(|row| {
            Ok(ArtifactCheck {
                item_id: row.text(1)?,
                path: row.required_text(2)?,
                check_name: row.required_text(3)?,
                status: row.required_text(4)?,
                detail: row.json(5)?.filter(|detail| *detail != Value::Null),
            })
        })
        .collect()
}
