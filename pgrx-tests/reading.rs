//! Reading rows: what one generation sees, values of every size, and streams of more rows than one batch.

use pgrx::prelude::*;

#[pg_schema]
mod tests {
    use pgrx::prelude::*;

    use crate::backend_tests::*;

    #[pg_test]
    fn a_generation_sees_what_its_transaction_wrote_before() {
        project();
        run(
            "INSERT INTO meridian.sprint_items (project_id, item_id, title) VALUES ('p1', 'a', 'A')",
        );
        let answer = json("SELECT meridian.generate_handoff('p1', 'goal')");
        assert_eq!(answer["item_counts"]["selected"], 1);
        run("UPDATE meridian.sprint_items SET status = 'done'");
        let answer = json("SELECT meridian.generate_handoff('p1', 'goal')");
        assert_eq!(answer["item_counts"]["selected"], 0);
    }

    /// All reads of one call see the calling statement's snapshot, though the transaction has written before.
    #[pg_test]
    fn a_generation_reads_the_snapshot_of_its_statement() {
        project();
        run(
            "INSERT INTO meridian.sprint_items (project_id, item_id, title) VALUES ('p1', 'a', 'A')",
        );
        let answer = json(
            "WITH written AS (
                 INSERT INTO meridian.sprint_items (project_id, item_id, title) VALUES ('p1', 'b', 'B') RETURNING project_id)
             SELECT meridian.generate_handoff(project_id, 'goal') FROM written",
        );
        assert_eq!(
            answer["item_counts"]["selected"], 1,
            "the row of the same statement is not part of its snapshot"
        );
        assert_eq!(
            json("SELECT meridian.generate_handoff('p1', 'goal')")["item_counts"]["selected"],
            2
        );
    }

    #[pg_test]
    fn the_streamed_revision_is_that_of_the_rows() {
        project();
        run("INSERT INTO meridian.sprint_items (project_id, item_id, title, status, depends_on)
             SELECT 'p1', 'item-' || n, 'Title ' || n, CASE WHEN n % 3 = 0 THEN 'done' ELSE 'todo' END,
                    CASE WHEN n % 5 = 0 THEN ARRAY['item-1', 'item-2'] WHEN n % 7 = 0 THEN ARRAY['item-1'] ELSE '{}' END
             FROM generate_series(1, 12000) AS n");
        let streamed = text("SELECT meridian.board_revision('p1')");
        let computed = text(
            "SELECT meridian.compute_board_revision(jsonb_agg(to_jsonb(i))) FROM meridian.sprint_items AS i",
        );
        assert_eq!(streamed, computed);
        assert!(streamed.is_some_and(|revision| revision.len() == 64));
    }

    #[pg_test]
    fn a_title_of_a_megabyte_is_read_back() {
        project();
        run("INSERT INTO meridian.sprint_items (project_id, item_id, title, notes)
             VALUES ('p1', 'compressed', repeat('long ', 200000), NULL),
                    ('p1', 'outside', (SELECT string_agg(md5(n::text), '') FROM generate_series(1, 40000) AS n), NULL)");
        assert_eq!(
            number("SELECT sum(length(title)) FROM meridian.get_sprint_items('p1')"),
            number("SELECT sum(length(title)) FROM meridian.sprint_items")
        );
    }

    #[pg_test]
    fn characters_of_every_plane_survive() {
        project();
        run(
            "INSERT INTO meridian.sprint_items (project_id, item_id, title) VALUES ('p1', 'é-日-😀', 'Tä\"<&>\" 😀')",
        );
        assert_eq!(
            text("SELECT item_id || title FROM meridian.get_sprint_items('p1')").as_deref(),
            Some("é-日-😀Tä\"<&>\" 😀")
        );
    }

    #[pg_test]
    fn infinite_times_are_times() {
        project();
        run("INSERT INTO meridian.sprint_items (project_id, item_id, title, deferred_until, added_at)
             VALUES ('p1', 'never', 'A', 'infinity', '-infinity'), ('p1', 'past', 'B', '-infinity', 'infinity')");
        assert_eq!(
            text("SELECT string_agg(item_id || added_at, ',') FROM meridian.get_sprint_items('p1', include_deferred => false)")
                .as_deref(),
            Some("pastinfinity")
        );
    }

    #[pg_test]
    fn plans_survive_a_change_of_role_and_path() {
        project();
        run(
            "INSERT INTO meridian.sprint_items (project_id, item_id, title) VALUES ('p1', 'a', 'A')",
        );
        let revision = text("SELECT meridian.board_revision('p1')");
        run("CREATE ROLE handoff_reader");
        run("GRANT USAGE ON SCHEMA meridian TO handoff_reader");
        run("GRANT EXECUTE ON FUNCTION meridian.board_revision(text, text) TO handoff_reader");
        run("SET LOCAL ROLE handoff_reader");
        assert_eq!(
            failure_of_reader(),
            "42501",
            "the kept plan must not lend the first caller's rights"
        );
        run("RESET ROLE");
        run("SET LOCAL search_path = ''");
        assert_eq!(text("SELECT meridian.board_revision('p1')"), revision);
    }

    /// The role cannot make the temporary table that `failure` writes to.
    fn failure_of_reader() -> String {
        run("DO $$
             BEGIN
                 PERFORM meridian.board_revision('p1');
                 PERFORM set_config('test.sqlstate', 'none', true);
             EXCEPTION WHEN OTHERS THEN
                 PERFORM set_config('test.sqlstate', SQLSTATE, true);
             END $$");
        text("SELECT current_setting('test.sqlstate')").unwrap_or_default()
    }
}
