//! The history of items: a statement-level trigger that writes one insert a statement from the transition tables, and
//! the reading of what it wrote.
//!
//! The trigger is a function of PostgreSQL's own trigger interface rather than PL/pgSQL over a helper: it learns the
//! writer's role from the backend and inserts inside the guard, so nobody can write history by calling something.

use std::ffi::{CStr, c_int};

use handoff_contract::{ContractError, ErrorCode, Timestamp};
use pgrx::pg_sys::{self, Datum, Oid};
use pgrx::{IntoDatum, pg_guard};

use super::attached_history::{self, Operation};
use super::guard;
use super::spi::{
    Connection, INT8, Parameter, Statement, TEXT, TIMESTAMPTZ, Visibility, optional_text, text,
    timestamp,
};
use crate::error::{Error, Result, answer, trap};
use crate::gucs;

mod raw {
    use super::*;

    unsafe extern "C-unwind" {
        pub fn SPI_register_trigger_data(data: *mut pg_sys::TriggerData) -> c_int;
        pub fn GetUserNameFromId(role: Oid, no_error: bool) -> *mut std::ffi::c_char;
        pub fn GetConfigOption(
            name: *const std::ffi::c_char,
            missing_ok: bool,
            restrict_privileged: bool,
        ) -> *const std::ffi::c_char;
        pub fn get_namespace_oid(name: *const std::ffi::c_char, missing_ok: bool) -> Oid;
        pub fn get_relname_relid(name: *const std::ffi::c_char, namespace: Oid) -> Oid;
        pub fn GetTopFullTransactionId() -> pg_sys::FullTransactionId;
        pub fn ReadNextFullTransactionId() -> pg_sys::FullTransactionId;
        pub fn has_privs_of_role(member: Oid, role: Oid) -> bool;
    }
}

/// One change, as `board_changes_since` gives it.
pub struct Change {
    pub history_id: i64,
    pub item_id: Option<String>,
    pub operation: String,
    pub old_status: Option<String>,
    pub new_status: Option<String>,
    pub old_depends_on: Option<Vec<String>>,
    pub new_depends_on: Option<Vec<String>>,
    pub changed_columns: Option<Vec<String>>,
    pub changed_by: String,
    pub session_id: Option<String>,
    pub changed_at: Option<Timestamp>,
}

impl Change {
    /// Whether it put the item into another version.
    pub fn moves_version(&self) -> bool {
        self.changed_columns
            .as_ref()
            .is_some_and(|columns| columns.iter().any(|column| column == "version"))
    }
}

/// Whether the project of a row keeps history: yes, unless its settings say `"history": false`.
macro_rules! keeps_history {
    ($project:literal) => {
        concat!(
            "NOT EXISTS (SELECT FROM meridian.projects p
                         WHERE p.project_id = ",
            $project,
            " AND p.settings -> 'history' = 'false'::jsonb)"
        )
    };
}

/// Names the columns that differ between the rows `o` and `n`.
macro_rules! changed_columns {
    ($($column:literal),+) => {
        concat!(
            "array_remove(ARRAY[",
            $("CASE WHEN o.", $column, " IS DISTINCT FROM n.", $column, " THEN '", $column, "' END, ",)+
            "NULL], NULL)"
        )
    };
}

static ON_INSERT: Statement = Statement::new(
    concat!(
        "INSERT INTO meridian.sprint_item_history
             (project_id, item_id, operation, new_status, new_depends_on, changed_by, session_id)
         SELECT n.project_id, n.item_id, 'INSERT', n.status, n.depends_on, $1, $2
         FROM new_items n WHERE ",
        keeps_history!("n.project_id")
    ),
    &[TEXT, TEXT],
);

static ON_DELETE: Statement = Statement::new(
    concat!(
        "INSERT INTO meridian.sprint_item_history
             (project_id, item_id, operation, old_status, old_depends_on, changed_by, session_id)
         SELECT o.project_id, o.item_id, 'DELETE', o.status, o.depends_on, $1, $2
         FROM old_items o WHERE ",
        keeps_history!("o.project_id")
    ),
    &[TEXT, TEXT],
);

/// A changed key is a row that went and one that came. `updated_at` alone is no change.
static ON_UPDATE: Statement = Statement::new(
    concat!(
        "INSERT INTO meridian.sprint_item_history
             (project_id, item_id, operation, old_status, new_status, old_depends_on, new_depends_on,
              changed_columns, changed_by, session_id)
         SELECT coalesce(n.project_id, o.project_id), coalesce(n.item_id, o.item_id),
                CASE WHEN o.item_id IS NULL THEN 'INSERT' WHEN n.item_id IS NULL THEN 'DELETE' ELSE 'UPDATE' END,
                o.status, n.status, o.depends_on, n.depends_on,
                CASE WHEN o.item_id IS NOT NULL AND n.item_id IS NOT NULL THEN c.names END, $1, $2
         FROM old_items o FULL JOIN new_items n ON o.project_id = n.project_id AND o.item_id = n.item_id
         CROSS JOIN LATERAL (SELECT ",
        changed_columns!(
            "title", "notes", "status", "priority", "version", "depends_on", "failure_mode", "item_group",
            "milestone_type", "human_id", "blocker_kind", "wave", "track", "deferred_until", "touches_resources",
            "tool_requirements", "required_tool", "prospect_bypass", "artifact_policy", "parent_id", "merged_into",
            "require_verification", "claimed_by", "claimed_at", "added_at", "completed_at", "completion_note"
        ),
        " AS names) c
         WHERE (o.item_id IS NULL OR n.item_id IS NULL OR cardinality(c.names) > 0) AND ",
        keeps_history!("coalesce(n.project_id, o.project_id)")
    ),
    &[TEXT, TEXT],
);

static ON_TRUNCATE: Statement = Statement::new(
    concat!(
        "INSERT INTO meridian.sprint_item_history (project_id, operation, row_count, changed_by, session_id)
         SELECT i.project_id, 'TRUNCATE', count(*), $1, $2 FROM meridian.sprint_items i WHERE ",
        keeps_history!("i.project_id"),
        " GROUP BY i.project_id ORDER BY i.project_id"
    ),
    &[TEXT, TEXT],
);

static SINCE: Statement = Statement::new(
    "SELECT history_id, item_id, operation, old_status, new_status, old_depends_on, new_depends_on,
            changed_columns, changed_by, session_id, changed_at
     FROM meridian.sprint_item_history WHERE project_id = $1 AND history_id > $2 ORDER BY history_id",
    &[TEXT, INT8],
);

/// An id is settled when every transaction that is still running began to write after it was given: its ids are higher.
/// `next_xid` is the first transaction id that was not given away when the row got its id, so it bounds from above those
/// who may hold a lower one. One from the future was restored from another cluster, whose transactions have all ended.
static COUNTER: Statement = Statement::new(
    concat!(
        "SELECT coalesce((
             SELECT h.history_id FROM meridian.sprint_item_history h
             WHERE h.project_id = $1 AND (h.next_xid <= running.oldest OR h.next_xid > meridian.next_xid())
             ORDER BY h.history_id DESC LIMIT 1), 0)
         FROM (SELECT coalesce(min(xid), pg_snapshot_xmax(pg_current_snapshot())) AS oldest
               FROM pg_snapshot_xip(pg_current_snapshot()) AS xid) running
         WHERE NOT EXISTS (SELECT FROM meridian.board_sources b WHERE b.project_id = $1 AND NOT b.track_history)
           AND ",
        keeps_history!("$1")
    ),
    &[TEXT],
);

/// Ids follow time, so the oldest rows by id are the oldest: no more than `$2` of them are looked at, however many there
/// are that must stay.
static PURGE: Statement = Statement::new(
    "WITH oldest AS (
         SELECT h.ctid, h.changed_at FROM meridian.sprint_item_history h
         ORDER BY h.history_id LIMIT $2 FOR UPDATE SKIP LOCKED)
     DELETE FROM meridian.sprint_item_history h USING oldest
     WHERE h.ctid = oldest.ctid AND oldest.changed_at < $1 RETURNING 1",
    &[TIMESTAMPTZ, INT8],
);

/// What happened to the board after the row `history_id`, oldest first.
pub fn since(project_id: &str, history_id: i64) -> Result<Vec<Change>> {
    let parameters = [text(project_id), history_id.into_datum()];
    let rows = guard::as_owner(|| SINCE.run(Visibility::CallerSnapshot, &parameters))?;
    rows.iter()
        .map(|row| {
            Ok(Change {
                history_id: row.int8(1).unwrap_or_default(),
                item_id: row.text(2)?,
                operation: row.required_text(3)?,
                old_status: row.text(4)?,
                new_status: row.text(5)?,
                old_depends_on: row.texts(6),
                new_depends_on: row.texts(7),
                changed_columns: row.texts(8),
                changed_by: row.required_text(9)?,
                session_id: row.text(10)?,
                changed_at: row.timestamp(11),
            })
        })
        .collect()
}

/// The highest id of the project's history below which nothing can still turn up, 0 without any; `None` where no history
/// is kept. Changes since then may have been seen, but none that was not is left out.
pub fn counter(project_id: &str) -> Result<Option<i64>> {
    let row = guard::as_owner(|| COUNTER.row(Visibility::CallerSnapshot, &[text(project_id)]))?;
    Ok(row.and_then(|row| row.get().int8(1)))
}

/// Removes up to `limit` rows from before `cutoff`, passing over locked ones. Runs inside a guard.
pub fn purge_guarded(cutoff: Timestamp, limit: i64) -> Result<usize> {
    Ok(PURGE
        .run(Visibility::Fresh, &[timestamp(cutoff), limit.into_datum()])?
        .len())
}

/// PostgreSQL looks this up to learn the calling convention of [`record_item_history`].
#[unsafe(no_mangle)]
pub extern "C-unwind" fn pg_finfo_record_item_history() -> *const pg_sys::Pg_finfo_record {
    static VERSION_1: pg_sys::Pg_finfo_record = pg_sys::Pg_finfo_record { api_version: 1 };
    &VERSION_1
}

/// The trigger function of `meridian.sprint_items`, declared in `sql/`.
///
/// # Safety
/// Called by PostgreSQL's function manager alone.
#[pg_guard]
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn record_item_history(fcinfo: pg_sys::FunctionCallInfo) -> Datum {
    answer(|| {
        // SAFETY: fcinfo is the function manager's.
        let trigger = unsafe { trigger_data(fcinfo) }?;
        if !is_restoring(trigger)? {
            record(trigger)?;
        }
        Ok(Datum::null())
    })
}

/// PostgreSQL looks this up to learn the calling convention of [`next_xid`].
#[unsafe(no_mangle)]
pub extern "C-unwind" fn pg_finfo_next_xid() -> *const pg_sys::Pg_finfo_record {
    static VERSION_1: pg_sys::Pg_finfo_record = pg_sys::Pg_finfo_record { api_version: 1 };
    &VERSION_1
}

/// The transaction id that will be given away next, as `xid8`. Declared in `sql/`.
#[pg_guard]
#[unsafe(no_mangle)]
pub extern "C-unwind" fn next_xid(_fcinfo: pg_sys::FunctionCallInfo) -> Datum {
    answer(|| {
        let next = trap(|| unsafe { raw::ReadNextFullTransactionId() })?;
        Ok(Datum::from(next.value))
    })
}

/// What fired the trigger.
///
/// # Safety
/// `fcinfo` is valid.
unsafe fn trigger_data(fcinfo: pg_sys::FunctionCallInfo) -> Result<*mut pg_sys::TriggerData> {
    // SAFETY: context is null or a node.
    unsafe {
        let context = (*fcinfo).context;
        if context.is_null() || (*context).type_ != pg_sys::NodeTag::T_TriggerData {
            return Err(ContractError::new(
                ErrorCode::NotSupported,
                "record_item_history runs as a trigger only",
                "It is put on meridian.sprint_items by the extension itself.",
            )
            .into());
        }
        Ok(context.cast())
    }
}

fn record(trigger: *mut pg_sys::TriggerData) -> Result<()> {
    // SAFETY: event and relation of a running trigger.
    let (event, relation) = unsafe { ((*trigger).tg_event, &*(*trigger).tg_relation) };
    let operation = Operation::of_event(event);
    let _connection = Connection::open()?;
    if operation == Operation::Truncate {
        // Ids of history belong to transactions that have one of their own. Whoever changed rows has.
        trap(|| unsafe { raw::GetTopFullTransactionId() })?;
    } else {
        let code = trap(|| unsafe { raw::SPI_register_trigger_data(trigger) })?;
        if code < 0 {
            return Err(Error::internal(format!(
                "SPI_register_trigger_data failed with {code}"
            )));
        }
    }
    let (writer, session_id) = (current_role()?, gucs::session_id());
    if !is_own_table(relation)? {
        return attached_history::record(relation.rd_id, operation, &writer, session_id.as_deref());
    }
    let statement = match operation {
        Operation::Insert => &ON_INSERT,
        Operation::Update => &ON_UPDATE,
        Operation::Delete => &ON_DELETE,
        Operation::Truncate => &ON_TRUNCATE,
    };
    let parameters: [Parameter; 2] = [text(&writer), optional_text(session_id.as_deref())];
    guard::as_owner(|| statement.run(Visibility::Fresh, &parameters))?;
    Ok(())
}

/// Whether the trigger is on `meridian.sprint_items`.
fn is_own_table(relation: &pg_sys::RelationData) -> Result<bool> {
    let own = trap(|| unsafe {
        let namespace = raw::get_namespace_oid(c"meridian".as_ptr(), false);
        raw::get_relname_relid(c"sprint_items".as_ptr(), namespace)
    })?;
    Ok(relation.rd_id == own)
}

/// The name of the role that acts: the caller, also for what is written inside the guard.
pub fn current_role() -> Result<String> {
    let name = trap(|| unsafe { raw::GetUserNameFromId(guard::acting_user(), false) })?;
    // SAFETY: a palloc'd C string.
    Ok(unsafe { CStr::from_ptr(name) }
        .to_string_lossy()
        .into_owned())
}

/// A dump is being loaded: `meridian.restoring` is on, or the owner of the table runs under the settings that pg_dump
/// begins its scripts with. Only the owner's, or anyone could write without leaving a trace.
fn is_restoring(trigger: *mut pg_sys::TriggerData) -> Result<bool> {
    if gucs::restoring() {
        return Ok(true);
    }
    // SAFETY: the relation of a running trigger.
    let owner = unsafe { (*(*(*trigger).tg_relation).rd_rel).relowner };
    Ok(setting_is(c"row_security", c"off")?
        && setting_is(c"check_function_bodies", c"off")?
        && (setting_is(c"search_path", c"")? || setting_is(c"search_path", c"\"\"")?)
        && trap(|| unsafe { raw::has_privs_of_role(guard::current_user(), owner) })?)
}

fn setting_is(name: &CStr, value: &CStr) -> Result<bool> {
    let setting = trap(|| unsafe { raw::GetConfigOption(name.as_ptr(), true, false) })?;
    // SAFETY: null or a C string of the settings' own.
    Ok(!setting.is_null() && unsafe { CStr::from_ptr(setting) } == value)
}
