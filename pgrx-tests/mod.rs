//! Tests that run inside a backend, one file a family. Each runs in a transaction of its own that is rolled back; what
//! takes a commit, a second session or a crash is tested from outside, under `tests/`.

use pgrx::prelude::*;
use serde_json::Value;

#[path = "errors.rs"]
mod errors;
#[path = "guard.rs"]
mod guard;
#[path = "levels.rs"]
mod levels;
#[path = "reading.rs"]
mod reading;

/// Runs a statement that must succeed.
fn run(sql: &str) {
    Spi::run(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
}

/// The one value of a query.
fn text(sql: &str) -> Option<String> {
    Spi::get_one::<String>(sql).unwrap_or_else(|error| panic!("{sql}: {error}"))
}

fn number(sql: &str) -> i64 {
    Spi::get_one::<i64>(sql)
        .unwrap_or_else(|error| panic!("{sql}: {error}"))
        .unwrap_or_else(|| panic!("{sql} gave NULL"))
}

fn json(sql: &str) -> Value {
    Spi::get_one::<pgrx::JsonB>(sql)
        .unwrap_or_else(|error| panic!("{sql}: {error}"))
        .unwrap_or_else(|| panic!("{sql} gave NULL"))
        .0
}

/// A project `p1` with nothing on its board.
fn project() {
    run("INSERT INTO meridian.projects (project_id, name) VALUES ('p1', 'One')");
}

/// How a statement fails, as a client sees it: SQLSTATE, message, DETAIL, HINT and the constraint's name.
fn failure(sql: &str) -> Failure {
    run(
        "CREATE TEMP TABLE IF NOT EXISTS failure (sqlstate text, message text, detail text, hint text, constraint_name text)",
    );
    run("DELETE FROM failure");
    run(&format!(
        "DO $outer$
         DECLARE state text; message text; detail text; hint text; name text;
         BEGIN
             EXECUTE $inner${sql}$inner$;
         EXCEPTION WHEN OTHERS THEN
             GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL,
                 hint = PG_EXCEPTION_HINT, name = CONSTRAINT_NAME;
             INSERT INTO failure VALUES (state, message, detail, hint, name);
         END $outer$"
    ));
    let field = |name: &str| text(&format!("SELECT {name} FROM failure")).unwrap_or_default();
    assert_eq!(
        number("SELECT count(*) FROM failure"),
        1,
        "did not fail: {sql}"
    );
    Failure {
        sqlstate: field("sqlstate"),
        message: field("message"),
        detail: field("detail"),
        hint: field("hint"),
        constraint: field("constraint_name"),
    }
}

struct Failure {
    sqlstate: String,
    message: String,
    detail: String,
    hint: String,
    constraint: String,
}
