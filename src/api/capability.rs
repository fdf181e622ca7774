//! Declaring what a project needs, reporting what there is, and reading what follows from both.

use handoff_contract::capability::{Reported, manifest};
use handoff_contract::handoff::readiness;
use pgrx::prelude::*;
use serde_json::json;

use crate::access::{non_blank, required};
use crate::error::{Result, must_write};
use crate::json;
use crate::store::event::{self, Event};
use crate::store::spi::clock;
use crate::store::{capability, guard, history, project, snapshot};

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
        let snapshot = snapshot::load_readiness(project)?;
        Ok(readiness::capability_contract(
            &snapshot,
            non_blank(version),
        ))
    })
}

#[pg_extern(stable, parallel_restricted)]
fn blocker_policy(project_id: Option<&str>) -> json::Answer {
    json::call(|| {
        let project = project::enter(required(project_id, "project_id")?)?;
        let snapshot = snapshot::load_readiness(project)?;
        Ok(readiness::blocker_policy(&snapshot)?)
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
