-- What a trigger or a constraint of the board raises reaches the client with its own SQLSTATE, detail, hint and names, through every function that writes items.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir /sql/include/helpers.psql
\set ECHO none
\i :helpers
\set ECHO all
SET search_path = meridian;

INSERT INTO projects (project_id, name) VALUES ('arriving', 'Arriving');
INSERT INTO sessions (session_id, project_id) VALUES ('arriving-1', 'arriving');
INSERT INTO sprint_items (project_id, item_id, title, status, claimed_by) VALUES ('arriving', 'a', 'A', 'todo', NULL), ('arriving', 'b', 'B', 'in_progress', 'arriving-1');
CREATE FUNCTION pg_temp.object() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION USING ERRCODE = 'AB123', MESSAGE = 'not on a Friday', DETAIL = 'It is Friday.', HINT = 'Wait.', TABLE = 'a_table', CONSTRAINT = 'a_constraint', COLUMN = 'a_column';
END
$$;
CREATE FUNCTION pg_temp.whole_error_of(statement text, OUT code text, OUT message text, OUT detail text, OUT hint text, OUT table_name text, OUT constraint_name text, OUT column_name text) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE statement;
    code := '00000';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS code = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT, table_name = TABLE_NAME, constraint_name = CONSTRAINT_NAME, column_name = COLUMN_NAME;
END
$$;
BEGIN;
CREATE TRIGGER regress_object BEFORE UPDATE ON sprint_items FOR EACH ROW WHEN (OLD.project_id = 'arriving') EXECUTE FUNCTION pg_temp.object();
SELECT call, error.*
FROM (VALUES (1, $$SELECT claim_sprint_item('arriving', 'a')$$), (2, $$SELECT claim_next_sprint_item('arriving')$$), (3, $$SELECT complete_sprint_item('arriving', 'b', 'arriving-1')$$), (4, $$SELECT release_sprint_item('arriving', 'b', 'arriving-1')$$)) AS refused (n, call), pg_temp.whole_error_of(call) AS error
ORDER BY n;
ROLLBACK;
BEGIN;
ALTER TABLE sprint_items ADD CONSTRAINT regress_nobody CHECK (project_id <> 'arriving' OR claimed_by IS NULL OR item_id <> 'a');
SELECT error.code, error.message, error.table_name, error.constraint_name FROM pg_temp.whole_error_of($$SELECT claim_sprint_item('arriving', 'a')$$) AS error;
-- The transaction goes on, and nothing of the refused call is left.
SELECT item_id, status, claimed_by FROM sprint_items WHERE project_id = 'arriving' ORDER BY item_id;
SELECT count(*) FROM events WHERE project_id = 'arriving';
ROLLBACK;
-- As psql shows it.
BEGIN;
CREATE TRIGGER regress_object BEFORE UPDATE ON sprint_items FOR EACH ROW WHEN (OLD.project_id = 'arriving') EXECUTE FUNCTION pg_temp.object();
\set VERBOSITY terse
SELECT claim_sprint_item('arriving', 'a');
\set VERBOSITY default
ROLLBACK;
SELECT claim_sprint_item('arriving', 'a', 'no such session');
