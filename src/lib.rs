//! The extension `meridian_handoff`: SQL functions over the handoff contract, and the tables they stand on.

use pgrx::prelude::*;

mod access;
mod api;
mod error;
mod gucs;
mod json;
mod levels;
mod store;

::pgrx::pg_module_magic!(name, version);

extension_sql_file!(
    "../sql/source/00_preflight.sql",
    name = "preflight",
    bootstrap
);
extension_sql_file!(
    "../sql/source/10_people.sql",
    name = "people",
    requires = ["preflight"]
);
extension_sql_file!(
    "../sql/source/20_protocol.sql",
    name = "protocol",
    requires = ["people"]
);
extension_sql_file!(
    "../sql/source/30_triggers.sql",
    name = "triggers",
    requires = ["protocol"]
);
extension_sql_file!(
    "../sql/source/40_column_comments.sql",
    name = "column_comments",
    requires = ["protocol"]
);
extension_sql_file!(
    "../sql/source/50_row_security.sql",
    name = "row_security",
    requires = ["triggers"]
);
extension_sql_file!(
    "../sql/source/60_status.sql",
    name = "status",
    requires = ["row_security"]
);
extension_sql_file!("../sql/source/90_finalize.sql", name = "finalize", finalize);

#[pg_guard]
pub extern "C-unwind" fn _PG_init() {
    gucs::register();
}

#[cfg(any(test, feature = "pg_test"))]
#[path = "../pgrx-tests/mod.rs"]
mod backend_tests;

/// What the test framework asks of a crate.
#[cfg(test)]
pub mod pg_test {
    pub fn setup(_options: Vec<&str>) {}

    pub fn postgresql_conf_options() -> Vec<&'static str> {
        Vec::new()
    }
}
