//! Errors as a client sees them: the contract's own, and those of PostgreSQL and of a user's triggers, whole.

use pgrx::prelude::*;

#[pg_schema]
mod tests {
    use pgrx::prelude::*;

    use crate::backend_tests::*;

    #[pg_test]
    fn a_missing_project_has_its_own_sqlstate_and_detail() {
        let failure = failure("SELECT meridian.board_revision('nowhere')");
        assert_eq!(failure.sqlstate, "MH001");
        assert!(
            failure.message.starts_with("PROJECT_NOT_FOUND"),
            "{}",
            failure.message
        );
        let detail: Value = serde_json::from_str(&failure.detail).expect("DETAIL is JSON");
        assert_eq!(detail, serde_json::json!({ "project_id": "nowhere" }));
        assert!(!failure.hint.is_empty());
    }

    #[pg_test]
    fn a_required_null_names_its_argument() {
        let failure = failure("SELECT meridian.claim_sprint_item('p1', NULL)");
        assert_eq!(failure.sqlstate, "22004");
        assert!(
            failure.message.contains("\"item_id\""),
            "{}",
            failure.message
        );
    }

    #[pg_test]
    fn the_sqlstate_of_a_users_trigger_arrives_unchanged() {
        project();
        run(
            "INSERT INTO meridian.sprint_items (project_id, item_id, title) VALUES ('p1', 'a', 'A')",
        );
        run("CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
             BEGIN
                 RAISE EXCEPTION USING ERRCODE = 'AB123', MESSAGE = 'not today', DETAIL = 'closed', HINT = 'tomorrow',
                     CONSTRAINT = 'opening_hours';
             END $$");
        run(
            "CREATE TRIGGER refuse BEFORE UPDATE ON meridian.sprint_items FOR EACH ROW EXECUTE FUNCTION refuse()",
        );
        let failure = failure("SELECT meridian.claim_sprint_item('p1', 'a')");
        assert_eq!(failure.sqlstate, "AB123");
        assert_eq!(failure.message, "not today");
        assert_eq!(failure.detail, "closed");
        assert_eq!(failure.hint, "tomorrow");
        assert_eq!(failure.constraint, "opening_hours");
    }

    #[pg_test]
    fn a_check_keeps_its_name() {
        project();
        let failure = failure(
            "INSERT INTO meridian.sprint_items (project_id, item_id, title) VALUES ('p1', 'a,b', 'A')",
        );
        assert_eq!(failure.sqlstate, "23514");
        assert_eq!(failure.constraint, "sprint_items_item_id_check");
    }

    #[pg_test]
    fn no_error_carries_a_backtrace() {
        // The server of a test run may have RUST_BACKTRACE set; users never see one.
        for statement in [
            "SELECT meridian.board_revision('nowhere')",
            "SELECT meridian.resolve_handoff_mode('sideways')",
        ] {
            let failure = failure(statement);
            assert!(
                !failure.detail.contains("backtrace") && !failure.detail.contains(".rs:"),
                "{}",
                failure.detail
            );
        }
    }
}
