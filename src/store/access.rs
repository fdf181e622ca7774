//! Levels of access as PostgreSQL's own grants, and the table that remembers them for upgrades and restored dumps.
//!
//! Everything runs as the tables' owner, who grants what the install script gave with grant option: so the grants of a
//! level are the same whoever asked for them, and asking is guarded by the right to call the function.

use handoff_contract::{ContractError, ErrorCode};
use pgrx::IntoDatum;
use pgrx::pg_sys::Oid;

use super::guard;
use super::spi::{self, OID, Statement, TEXT, TEXT_ARRAY, Visibility, text, texts};
use crate::access::invalid;
use crate::error::{Error, Result};
use crate::levels::{FUNCTIONS, Level};

/// A row of `list_access`.
pub struct Grant {
    pub grantee: String,
    pub level: String,
}

/// A role that can be given a level.
struct Grantee {
    name: String,
    /// As it stands in a statement.
    quoted: String,
}

static ROLE: Statement = Statement::new(
    "SELECT rolname::text, quote_ident(rolname), rolname = current_user FROM pg_roles WHERE oid = $1",
    &[OID],
);

/// Two grants at once would both write the rows of the catalog that hold the rights.
static LOCK: Statement = Statement::new(
    "LOCK TABLE meridian.access_grants IN SHARE ROW EXCLUSIVE MODE",
    &[],
);

/// The signatures of the extension's functions that have one of these names. A name without a function is passed over:
/// in a chain of upgrades the library is ahead of the catalog.
static SIGNATURES: Statement = Statement::new(
    "SELECT string_agg(p.oid::regprocedure::text, ', ')
     FROM pg_proc p
     JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid
     JOIN pg_extension e ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid
     WHERE e.extname = 'meridian_handoff' AND d.deptype = 'e' AND p.proname = ANY ($1)",
    &[TEXT_ARRAY],
);

static RELATIONS: Statement = Statement::new(
    "SELECT string_agg(c.oid::regclass::text, ', ')
     FROM pg_class c
     JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = c.oid
     JOIN pg_extension e ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid
     WHERE e.extname = 'meridian_handoff' AND d.deptype = 'e' AND c.relkind IN ('r', 'p', 'v')",
    &[],
);

static REMEMBER: Statement = Statement::new(
    "INSERT INTO meridian.access_grants (grantee, level) VALUES ($1::name, $2)
     ON CONFLICT (grantee) DO UPDATE SET level = excluded.level",
    &[TEXT, TEXT],
);

static FORGET: Statement = Statement::new(
    "DELETE FROM meridian.access_grants WHERE grantee = $1::name",
    &[TEXT],
);

/// Only roles that still hold their level: one that was dropped has no rights left, nor has another that took its name.
static LIST: Statement = Statement::new(
    "SELECT g.grantee::text, g.level
     FROM meridian.access_grants g
     JOIN pg_roles r ON r.rolname = g.grantee
     WHERE EXISTS (SELECT FROM pg_namespace n, aclexplode(n.nspacl) a
                   WHERE n.nspname = 'meridian' AND a.grantee = r.oid AND a.privilege_type = 'USAGE')
     ORDER BY g.grantee",
    &[],
);

/// Gives the role this level, in the place of one it may have.
pub fn grant(grantee: Oid, level: Level) -> Result<()> {
    guard::as_owner(|| {
        let grantee = grantee_guarded(grantee)?;
        revoke_guarded(&grantee)?;
        let to = &grantee.quoted;
        spi::run_once(&format!("GRANT USAGE ON SCHEMA meridian TO {to}"))?;
        let functions: Vec<&str> = level.functions().collect();
        let functions = list_guarded(SIGNATURES.row(Visibility::Fresh, &[texts(&functions)])?)?;
        spi::run_once(&format!("GRANT EXECUTE ON FUNCTION {functions} TO {to}"))?;
        for right in level.tables() {
            let tables = qualified(right.tables);
            spi::run_once(&format!("GRANT {} ON {tables} TO {to}", right.privileges))?;
        }
        REMEMBER.run(
            Visibility::Fresh,
            &[text(&grantee.name), text(level.as_str())],
        )?;
        Ok(())
    })
}

/// Takes every right of a level from the role. One that has none keeps having none.
pub fn revoke(grantee: Oid) -> Result<()> {
    guard::as_owner(|| {
        let grantee = grantee_guarded(grantee)?;
        revoke_guarded(&grantee)?;
        FORGET.run(Visibility::Fresh, &[text(&grantee.name)])?;
        Ok(())
    })
}

pub fn list() -> Result<Vec<Grant>> {
    guard::as_owner(|| {
        LIST.run(Visibility::CallerSnapshot, &[])?
            .iter()
            .map(|row| {
                Ok(Grant {
                    grantee: row.required_text(1)?,
                    level: row.required_text(2)?,
                })
            })
            .collect()
    })
}

fn revoke_guarded(grantee: &Grantee) -> Result<()> {
    LOCK.run(Visibility::Fresh, &[])?;
    let from = &grantee.quoted;
    let names: Vec<&str> = FUNCTIONS.iter().map(|(name, _)| *name).collect();
    let functions = list_guarded(SIGNATURES.row(Visibility::Fresh, &[texts(&names)])?)?;
    let relations = list_guarded(RELATIONS.row(Visibility::Fresh, &[])?)?;
    spi::run_once(&format!("REVOKE ALL ON FUNCTION {functions} FROM {from}"))?;
    spi::run_once(&format!("REVOKE ALL ON TABLE {relations} FROM {from}"))?;
    spi::run_once(&format!("REVOKE ALL ON SCHEMA meridian FROM {from}"))
}

/// The role behind an object id, if it is one that a level can be given to.
fn grantee_guarded(grantee: Oid) -> Result<Grantee> {
    let row = ROLE
        .row(Visibility::Fresh, &[grantee.into_datum()])?
        .ok_or_else(|| {
            ContractError::new(
                ErrorCode::InvalidValue,
                format!("there is no role with the id {}", grantee.to_u32()),
                "Name a role that exists in this cluster.",
            )
        })?;
    let row = row.get();
    let name = row.required_text(1)?;
    if row.bool(3).unwrap_or_default() {
        return Err(invalid(
            format!("role \"{name}\" owns the extension's tables and has every right already"),
            "Levels are for other roles.",
        ));
    }
    if name.starts_with("pg_") {
        return Err(invalid(
            format!("role \"{name}\" is one of PostgreSQL's own"),
            "Give the level to a role of yours and make that a member where it is needed.",
        ));
    }
    Ok(Grantee {
        quoted: row.required_text(2)?,
        name,
    })
}

/// The one text of an aggregate over the extension's objects.
fn list_guarded(row: Option<spi::OwnedRow>) -> Result<String> {
    row.map(|row| row.get().text(1))
        .transpose()?
        .flatten()
        .ok_or_else(|| Error::internal("the extension has no objects in the catalog"))
}

fn qualified(tables: &[&str]) -> String {
    tables
        .iter()
        .map(|table| format!("meridian.{table}"))
        .collect::<Vec<_>>()
        .join(", ")
}
