//! The history triggers on a relation of the user's: putting them on, taking them off.
//!
//! They are made as the caller, who needs the relation's TRIGGER privilege, and named so that they are recognised.

use pgrx::IntoDatum;
use pgrx::pg_sys::{self, Oid};

use super::board::{qualified_name, sources};
use super::spi::{Statement, Visibility, run_once};
use crate::error::Result;

/// The name, and what comes before and after the relation in CREATE TRIGGER.
const TRIGGERS: [(&str, &str, &str); 4] = [
    (
        "meridian_record_insert",
        "AFTER INSERT",
        "REFERENCING NEW TABLE AS new_items",
    ),
    (
        "meridian_record_update",
        "AFTER UPDATE",
        "REFERENCING OLD TABLE AS old_items NEW TABLE AS new_items",
    ),
    (
        "meridian_record_delete",
        "AFTER DELETE",
        "REFERENCING OLD TABLE AS old_items",
    ),
    // Before, because afterwards there is nothing left to count.
    ("meridian_record_truncate", "BEFORE TRUNCATE", ""),
];

/// A statement fires the triggers of the relation it names, so partitions need their own.
static PARTITIONS: Statement = Statement::new(
    "SELECT t.relid::pg_catalog.oid FROM pg_catalog.pg_partition_tree($1::pg_catalog.regclass) t",
    &[pg_sys::OIDOID],
);

static EXISTING: Statement = Statement::new(
    "SELECT g.tgname::pg_catalog.text FROM pg_catalog.pg_trigger g
     WHERE g.tgrelid OPERATOR(pg_catalog.=) $1 AND NOT g.tgisinternal",
    &[pg_sys::OIDOID],
);

/// Puts the triggers on a table and its partitions, where they are not yet.
pub fn create(relation: Oid) -> Result<()> {
    each(relation, |_, name, existing| {
        for (trigger, event, tables) in TRIGGERS {
            if !existing.contains(&trigger.to_owned()) {
                run_once(&format!(
                    "CREATE TRIGGER {trigger} {event} ON {name} {tables}
                     FOR EACH STATEMENT EXECUTE FUNCTION meridian.record_item_history()"
                ))?;
            }
        }
        Ok(())
    })
}

/// Takes them off again, wherever no board needs them any more: a partition may be one of its own, or of another's.
pub fn drop(relation: Oid) -> Result<()> {
    each(relation, |part, name, existing| {
        if !sources::recording(part)?.is_empty() {
            return Ok(());
        }
        for (trigger, ..) in TRIGGERS {
            if existing.contains(&trigger.to_owned()) {
                run_once(&format!("DROP TRIGGER {trigger} ON {name}"))?;
            }
        }
        Ok(())
    })
}

/// The relation and its partitions, each with its triggers. A relation that is gone has none.
fn each(relation: Oid, mut act: impl FnMut(Oid, &str, &[String]) -> Result<()>) -> Result<()> {
    let Some(_) = qualified_name(relation)? else {
        return Ok(());
    };
    let rows = PARTITIONS.run(Visibility::Fresh, &[relation.into_datum()])?;
    let mut relations: Vec<Oid> = rows
        .iter()
        .filter_map(|row| row.datum(1))
        .map(|oid| Oid::from(oid.value() as u32))
        .collect();
    if relations.is_empty() {
        relations.push(relation);
    }
    for relation in relations {
        let rows = EXISTING.run(Visibility::Fresh, &[relation.into_datum()])?;
        let existing = rows
            .iter()
            .map(|row| row.required_text(1))
            .collect::<Result<Vec<String>>>()?;
        if let Some(name) = qualified_name(relation)? {
            act(relation, &name, &existing)?;
        }
    }
    Ok(())
}
