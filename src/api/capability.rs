//! Declaring what a project needs, reporting what there is, and reading what follows from both.

use handoff_contract::capability::{Reported, manifest};
use handoff_contract::handoff::{Project, Snapshot, readiness};
use pgrx::prelude::*;
use serde_json::{Value, json};

use crate::access::{non_blank, required};
use crate::error::{Result, must_write};
use crate::store::event::{self, Event};
use crate::store::spi::clock;
use crate::store::{capability, deadline, guard, history, project, snapshot};
use crate::{gucs, json};

#[pg_extern(volatile, parallel_unsafe)]
fn set_capability_manifest(
    project_id: Option<&str>,
    manifest: Option<json::Argument>,
) -> json::Answer {
    json::call(|| {
        must_write(c"set_capability_manifest()")?;
        let project_id = required(project_id, "project_id")?;
        let document = json::read(manifest, "manifest")?;
        project::enter(project_id)?;
        let manifest = manifest::parse(&document)?;
        record(project_id, "capability_manifest_set", None, || {
            capability::set_manifest_guarded(project_id, &manifest)
        })?;
        let ids: Vec<&str> = manifest
            .capabilities
            .iter()
            .map(|capability| capability.id.as_str())
            .collect();
        Ok(json!({
            "project_id": project_id,
            "manifest_version": manifest.version,
            "manifest_hash": manifest.hash(),
            "capabilities": ids,
        }))
    })
}

#[pg_extern(volatile, parallel_unsafe)]
fn report_capability_availability(
    project_id: Option<&str>,
    tool: Option<&str>,
    status: Option<&str>,
    detail: default!(Option<&str>, "NULL"),
) -> json::Answer {
    json::call(|| {
        must_write(c"report_capability_availability()")?;
        let project_id = required(project_id, "project_id")?;
        let tool = required(tool, "tool")?;
        let status = required(status, "status")?;
        project::enter(project_id)?;
        let report = Reported::checked(tool, status, detail, clock())?;
        record(project_id, "capability_reported", Some(status), || {
            capability::report_guarded(project_id, &report)
        })?;
        Ok(json!({
            "project_id": project_id,
            "tool": report.tool,
            "status": report.status.as_str(),
            "detail": report.detail,
            "reported_at": report.reported_at,
        }))
    })
}

#[pg_extern(stable, parallel_restricted)]
fn capability_contract(
    project_id: Option<&str>,
    version: default!(Option<&str>, "NULL"),
) -> json::Answer {
    json::call(|| {
        let project = project::enter(required(project_id, "project_id")?)?;
        Ok(readiness::capability_contract(
            &readiness_of(project)?,
            non_blank(version),
        ))
    })
}

/// The same, for a caller who has more to answer than this: where the board cannot be read before the deadline of a
/// generation, the contract says that it is not known; `null` where not even the tools could be read.
pub fn contract_in_time(project: &Project, version: Option<&str>) -> Result<Value> {
    let mut tools = None;
    let read = deadline::bounded(gucs::generation_timeout(), || {
        let read = capability::tools(&project.project_id)?;
        tools = Some(read.clone());
        snapshot::load_readiness(project.clone(), read)
    })?;
    Ok(match (read, tools) {
        (Some(snapshot), _) => readiness::capability_contract(&snapshot, version),
        (None, Some(tools)) => readiness::without_the_board(&project.project_id, &tools, clock()),
        (None, None) => Value::Null,
    })
}

fn readiness_of(project: Project) -> Result<Snapshot> {
    let tools = capability::tools(&project.project_id)?;
    snapshot::load_readiness(project, tools)
}

#[pg_extern(stable, parallel_restricted)]
fn blocker_policy(project_id: Option<&str>) -> json::Answer {
    json::call(|| {
        let project = project::enter(required(project_id, "project_id")?)?;
        Ok(readiness::blocker_policy(&readiness_of(project)?)?)
    })
}

/// A write to the kept tables with its event, both as their owner.
fn record(
    project_id: &str,
    event_type: &'static str,
    outcome: Option<&str>,
    write: impl FnOnce() -> Result<()>,
) -> Result<()> {
    let actor = history::current_role()?;
    guard::as_owner(|| {
        write()?;
        let event = Event {
            event_type,
            actor: Some(&actor),
            outcome,
            ..Event::default()
        };
        event::record_guarded(project_id, event)
    })
}
