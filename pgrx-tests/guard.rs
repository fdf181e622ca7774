//! The guard around the protected tables: what it changes is put back, also when what runs inside it fails.

use pgrx::prelude::*;

#[pg_schema]
mod tests {
    use pgrx::prelude::*;

    use crate::backend_tests::*;

    #[pg_test]
    fn user_and_search_path_are_the_callers_again() {
        project();
        run("SET LOCAL search_path = meridian, public");
        let (user, path) = (text("SELECT current_user::text"), text("SHOW search_path"));
        run("SELECT verify_handoff_token('p1', 'EXAMPLE_TOKEN_16')");
        run("SELECT load_handoff('p1')");
        assert_eq!(text("SELECT current_user::text"), user);
        assert_eq!(text("SHOW search_path"), path);
    }

    #[pg_test]
    fn they_are_so_after_a_failure_inside() {
        project();
        // The owner's insert into events fails, inside the guard.
        run("ALTER TABLE meridian.events ADD CONSTRAINT none CHECK (false) NOT VALID");
        run("SET LOCAL search_path = meridian, public");
        let (user, path) = (text("SELECT current_user::text"), text("SHOW search_path"));
        let failure = failure("SELECT meridian.verify_handoff_token('p1', 'EXAMPLE_TOKEN_16')");
        assert_eq!(failure.sqlstate, "23514");
        assert_eq!(text("SELECT current_user::text"), user);
        assert_eq!(text("SHOW search_path"), path);
    }

    #[pg_test]
    fn the_session_of_a_write_ends_with_it() {
        project();
        run(
            "INSERT INTO meridian.sprint_items (project_id, item_id, title) VALUES ('p1', 'a', 'A')",
        );
        let session = json("SELECT meridian.start_session('p1')")["session_id"]
            .as_str()
            .map(str::to_owned);
        let session = session.expect("a session id");
        run(&format!(
            "SELECT meridian.claim_sprint_item('p1', 'a', '{session}')"
        ));
        assert_eq!(
            text("SELECT session_id FROM meridian.sprint_item_history WHERE operation = 'UPDATE'"),
            Some(session)
        );
        run("UPDATE meridian.sprint_items SET title = 'B'");
        assert_eq!(
            number(
                "SELECT count(*) FROM meridian.sprint_item_history WHERE operation = 'UPDATE' AND session_id IS NULL"
            ),
            1
        );
    }

    #[pg_test]
    fn history_names_the_writer_not_the_owner() {
        project();
        run("CREATE ROLE handoff_writer");
        run("GRANT USAGE ON SCHEMA meridian TO handoff_writer");
        run("GRANT SELECT, INSERT ON meridian.projects, meridian.sprint_items TO handoff_writer");
        run("SET LOCAL ROLE handoff_writer");
        run(
            "INSERT INTO meridian.sprint_items (project_id, item_id, title) VALUES ('p1', 'a', 'A')",
        );
        run("RESET ROLE");
        assert_eq!(
            text("SELECT changed_by FROM meridian.sprint_item_history").as_deref(),
            Some("handoff_writer")
        );
    }

    #[pg_test]
    fn only_the_owner_can_silence_history_with_a_dumps_prologue() {
        project();
        // Anybody else fails under row_security = off.
        run("CREATE ROLE handoff_writer BYPASSRLS");
        run("GRANT USAGE ON SCHEMA meridian TO handoff_writer");
        run("GRANT SELECT, INSERT ON meridian.projects, meridian.sprint_items TO handoff_writer");
        run("SET LOCAL row_security = off");
        run("SET LOCAL check_function_bodies = off");
        run("SELECT pg_catalog.set_config('search_path', '', true)");
        run(
            "INSERT INTO meridian.sprint_items (project_id, item_id, title) VALUES ('p1', 'restored', 'A')",
        );
        run("SET LOCAL ROLE handoff_writer");
        run(
            "INSERT INTO meridian.sprint_items (project_id, item_id, title) VALUES ('p1', 'written', 'A')",
        );
        run("RESET ROLE");
        assert_eq!(
            text("SELECT pg_catalog.string_agg(item_id, ',') FROM meridian.sprint_item_history")
                .as_deref(),
            Some("written")
        );
    }
}
