//! What a project needs of tools, and what was found out about them. Both tables are kept by the functions alone.

use handoff_contract::Timestamp;
use handoff_contract::capability::availability::Status;
use handoff_contract::capability::{Manifest, Reported, manifest};
use handoff_contract::handoff::fallback::Tools;

use super::guard;
use super::spi::{
    Statement, TEXT, TIMESTAMPTZ, Visibility, json_text, optional_text, text, timestamp,
};
use crate::error::{Error, Result};

static MANIFEST: Statement = Statement::new(
    "SELECT m.manifest::text FROM meridian.capability_manifests m WHERE m.project_id = $1",
    &[TEXT],
);

static REPORTED: Statement = Statement::new(
    "SELECT a.tool, a.status, a.detail, a.reported_at FROM meridian.capability_availability a
     WHERE a.project_id = $1 ORDER BY a.tool COLLATE \"C\"",
    &[TEXT],
);

static SET_MANIFEST: Statement = Statement::new(
    "INSERT INTO meridian.capability_manifests (project_id, manifest, manifest_hash, updated_at)
     VALUES ($1, $2::jsonb, $3, clock_timestamp())
     ON CONFLICT (project_id) DO UPDATE
     SET manifest = excluded.manifest, manifest_hash = excluded.manifest_hash, updated_at = excluded.updated_at",
    &[TEXT, TEXT, TEXT],
);

static REPORT: Statement = Statement::new(
    "INSERT INTO meridian.capability_availability (project_id, tool, status, detail, reported_at)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (project_id, tool) DO UPDATE
     SET status = excluded.status, detail = excluded.detail, reported_at = excluded.reported_at",
    &[TEXT, TEXT, TEXT, TEXT, TIMESTAMPTZ],
);

/// What the project needs of tools, and what was last found out about them.
pub fn tools(project_id: &str) -> Result<Tools> {
    Ok(Tools {
        manifest: manifest(project_id)?,
        reported: reported(project_id)?,
    })
}

/// `None` where the project never set one.
fn manifest(project_id: &str) -> Result<Option<Manifest>> {
    let stored = guard::as_owner(|| {
        match MANIFEST.row(Visibility::CallerSnapshot, &[text(project_id)])? {
            Some(row) => row.get().json(1),
            None => Ok(None),
        }
    })?;
    Ok(stored.as_ref().map(manifest::from_stored).transpose()?)
}

/// The last report about each tool, by tool.
fn reported(project_id: &str) -> Result<Vec<Reported>> {
    guard::as_owner(|| {
        let rows = REPORTED.run(Visibility::CallerSnapshot, &[text(project_id)])?;
        rows.iter()
            .map(|row| {
                let status = row.required_text(2)?;
                Ok(Reported {
                    tool: row.required_text(1)?,
                    status: Status::parse(&status)
                        .ok_or_else(|| Error::internal("unknown availability status"))?,
                    detail: row.text(3)?,
                    reported_at: row.timestamp(4).unwrap_or(Timestamp::NEG_INFINITY),
                })
            })
            .collect()
    })
}

/// Puts a manifest in the place of the one before. Runs inside a guard.
pub fn set_manifest_guarded(project_id: &str, manifest: &Manifest) -> Result<()> {
    SET_MANIFEST.run(
        Visibility::Fresh,
        &[
            text(project_id),
            json_text(&manifest.to_json()),
            text(&manifest.hash()),
        ],
    )?;
    Ok(())
}

/// Puts a report in the place of the one before about the same tool. Runs inside a guard.
pub fn report_guarded(project_id: &str, report: &Reported) -> Result<()> {
    REPORT.run(
        Visibility::Fresh,
        &[
            text(project_id),
            text(&report.tool),
            text(report.status.as_str()),
            optional_text(report.detail.as_deref()),
            timestamp(report.reported_at),
        ],
    )?;
    Ok(())
}
