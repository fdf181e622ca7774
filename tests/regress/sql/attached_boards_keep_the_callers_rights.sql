-- Everything on an attached board happens with the rights of whoever calls: privileges, row policies, triggers and constraints of the relation.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir /sql/include/helpers.psql
\set ECHO none
\i :helpers
\set ECHO all
CREATE SCHEMA attached_rights;
SET search_path = attached_rights, meridian;
INSERT INTO projects (project_id, name) SELECT 'rights-' || name, name FROM unnest('{table,policies,view,lending,triggers}'::text[]) AS name;
CREATE ROLE regress_attached_executor;
CREATE ROLE regress_attached_other;
GRANT USAGE ON SCHEMA meridian, attached_rights TO regress_attached_executor, regress_attached_other;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA meridian TO regress_attached_executor, regress_attached_other;
GRANT SELECT ON projects, sprint_items, sprint_item_pointers, wave_gates, hitl_gates, sprint_versions, workspace_settings, artifact_checks, decisions, notes, tasks, workspace_decisions, workspace_notes TO regress_attached_executor, regress_attached_other;

-- What a role gets to do with the items of a project; nothing of it stays.
CREATE FUNCTION pg_temp.answer_or_error(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer text;
BEGIN
    EXECUTE query INTO answer;
    RETURN answer;
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE || ' ' || SQLERRM;
END
$$;
CREATE FUNCTION pg_temp.may(who name, project text, item text, OUT listed text, OUT crossed text, OUT claimed text, OUT next text) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SET LOCAL ROLE %I', who);
    listed := pg_temp.answer_or_error(format('SELECT string_agg(item_id, '' '') FROM meridian.get_sprint_items(%L)', project));
    crossed := pg_temp.answer_or_error(format('SELECT string_agg(concat_ws('' '', item_id, suspicious), '' | '') FROM meridian.cross_check_items(%L, ''{1,99}'')', project));
    claimed := pg_temp.answer_or_error(format('SELECT concat_ws('' '', a ->> ''claimed'', a ->> ''error'', a #>> ''{item,item_id}'') FROM meridian.claim_sprint_item(%L, %L) AS a', project, item));
    next := pg_temp.answer_or_error(format('SELECT concat_ws('' '', a ->> ''claimed'', a ->> ''error'', a #>> ''{item,item_id}'') FROM meridian.claim_next_sprint_item(%L) AS a', project));
    RAISE EXCEPTION USING ERRCODE = 'ZZUND';
EXCEPTION WHEN SQLSTATE 'ZZUND' THEN
    RETURN;
END
$$;

CREATE TABLE task (item_id int PRIMARY KEY, status text DEFAULT 'todo', claimed_by text, team text, secret text);
INSERT INTO task (item_id, team) VALUES (1, 'red'), (2, 'blue'), (3, 'red');
SELECT attach_board('rights-table', 'task', '{"project_id": null}');
\x on
SELECT * FROM pg_temp.may('regress_attached_executor', 'rights-table', '1');
GRANT SELECT (item_id, status, claimed_by) ON task TO regress_attached_executor;
SELECT * FROM pg_temp.may('regress_attached_executor', 'rights-table', '1');
GRANT UPDATE (claimed_by) ON task TO regress_attached_executor;
SELECT * FROM pg_temp.may('regress_attached_executor', 'rights-table', '1');
GRANT UPDATE (status) ON task TO regress_attached_executor;
SELECT * FROM pg_temp.may('regress_attached_executor', 'rights-table', '1');
\x off
-- The history has the role; the column that it may not see took no part.
SET ROLE regress_attached_executor;
SELECT claim_sprint_item('rights-table', '1') #>> '{item,claimed_by}' AS claimed_by;
RESET ROLE;
SELECT item_id, changed_columns, changed_by FROM board_changes_since('rights-table', 0);
-- Attaching takes what the table's triggers take.
SELECT detach_board('rights-table');
SET ROLE regress_attached_executor;
SELECT code, message FROM pg_temp.error_of($$SELECT meridian.attach_board('rights-table', 'attached_rights.task', '{"project_id": null}')$$);
SELECT count(*) FROM pg_temp.error_of($$SELECT * FROM meridian.board_sources$$) AS e WHERE e.code = '42501';
RESET ROLE;

-- Row policies: a row that a role does not see is not there; one that it sees and may not write is not there to claim.
CREATE TABLE guarded (item_id int PRIMARY KEY, status text DEFAULT 'todo', claimed_by text, team text, depends_on int[]);
INSERT INTO guarded (item_id, team, depends_on) VALUES (1, 'red', NULL), (2, 'blue', NULL), (3, 'red', '{2}'), (4, 'shown', NULL), (5, 'checked', NULL);
ALTER TABLE guarded ENABLE ROW LEVEL SECURITY;
CREATE POLICY seen ON guarded FOR SELECT USING (team IN ('red', 'shown', 'checked') OR current_user = 'regress_attached_other');
CREATE POLICY written ON guarded FOR UPDATE USING (team IN ('red', 'checked')) WITH CHECK (team <> 'checked' OR status = 'todo');
GRANT SELECT, UPDATE ON guarded TO regress_attached_executor, regress_attached_other;
SELECT attach_board('rights-policies', 'guarded', '{"project_id": null}');
SET ROLE regress_attached_executor;
SELECT item_id FROM get_sprint_items('rights-policies');
SELECT item_id, suspicious FROM cross_check_items('rights-policies', '{1,2,4}');
SELECT id, claim_sprint_item('rights-policies', id) ->> 'error' AS error FROM unnest('{2,4}'::text[]) AS id;
-- A predecessor out of sight is missing, and so in the way.
SELECT claim_sprint_item('rights-policies', '3') - 'reason' AS refused;
SELECT code, message FROM pg_temp.error_of($$SELECT meridian.claim_sprint_item('rights-policies', '5')$$);
SELECT claim_sprint_item('rights-policies', '1') ->> 'claimed' AS claimed;
SELECT board_revision('rights-policies') = compute_board_revision('[{"id": "1", "status": "in_progress"}, {"id": "3", "status": "todo", "depends_on": "2"}, {"id": "4", "status": "todo"}, {"id": "5", "status": "todo"}]') AS of_what_is_seen;
SELECT code, message, detail FROM pg_temp.error_of($$SELECT meridian.generate_handoff('rights-policies', 'goal')$$);
RESET ROLE;
SET ROLE regress_attached_other;
SELECT item_id, claimed_by FROM get_sprint_items('rights-policies');
SELECT complete_sprint_item('rights-policies', '1') - 'reason' AS refused;
RESET ROLE;
SELECT item_id, status, claimed_by FROM guarded WHERE status <> 'todo';

-- Through a view with security_invoker it is the caller whose policies hold, through one without its owner's.
CREATE VIEW invoking WITH (security_invoker) AS SELECT * FROM guarded;
CREATE VIEW lending AS SELECT * FROM guarded;
SELECT attach_board('rights-view', 'invoking', '{"project_id": null}', track_history => false);
SELECT attach_board('rights-lending', 'lending', '{"project_id": null}', track_history => false);
GRANT SELECT, UPDATE ON invoking, lending TO regress_attached_executor;
SET ROLE regress_attached_executor;
SELECT p, (SELECT string_agg(item_id, ' ') FROM get_sprint_items(p)) AS listed, claim_sprint_item(p, '2') ->> 'error' AS error, claim_sprint_item(p, '4') ->> 'error' AS error_too FROM unnest('{rights-view,rights-lending}'::text[]) AS p;
RESET ROLE;

-- Triggers and constraints of the relation: what they raise arrives as it is, what they undo is told.
CREATE TABLE watched (item_id int PRIMARY KEY, status text DEFAULT 'todo', claimed_by text, note text);
INSERT INTO watched VALUES (1), (2), (3);
INSERT INTO watched VALUES (4, 'in_progress', 'regress_attached_executor');
CREATE FUNCTION watch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.item_id = 1 THEN
        RAISE EXCEPTION USING ERRCODE = 'AB123', MESSAGE = 'not on a Friday', DETAIL = 'It is Friday.', HINT = 'Wait.', TABLE = 'a_table', CONSTRAINT = 'a_constraint', COLUMN = 'a_column', SCHEMA = 'a_schema', DATATYPE = 'a_type';
    ELSIF OLD.item_id = 2 THEN
        RETURN NULL;
    END IF;
    NEW.claimed_by := upper(NEW.claimed_by);
    NEW.note := current_user || ' ' || session_user;
    RETURN NEW;
END
$$;
CREATE TRIGGER watch BEFORE UPDATE ON watched FOR EACH ROW EXECUTE FUNCTION watch();
ALTER TABLE watched ADD CONSTRAINT not_three CHECK (item_id <> 3 OR status = 'todo');
SELECT attach_board('rights-triggers', 'watched', '{"project_id": null}');
GRANT SELECT, UPDATE ON watched TO regress_attached_executor;
CREATE FUNCTION pg_temp.whole_error_of(statement text, OUT code text, OUT message text, OUT detail text, OUT hint text, OUT schema_name text, OUT table_name text, OUT column_name text, OUT constraint_name text, OUT type_name text) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE statement;
    code := '00000';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS code = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT, schema_name = SCHEMA_NAME, table_name = TABLE_NAME, column_name = COLUMN_NAME, constraint_name = CONSTRAINT_NAME, type_name = PG_DATATYPE_NAME;
END
$$;
SET ROLE regress_attached_executor;
\x on
SELECT * FROM pg_temp.whole_error_of($$SELECT meridian.claim_sprint_item('rights-triggers', '1')$$);
SELECT * FROM pg_temp.whole_error_of($$SELECT meridian.claim_next_sprint_item('rights-triggers')$$);
SELECT * FROM pg_temp.whole_error_of($$SELECT meridian.claim_sprint_item('rights-triggers', '2')$$);
SELECT * FROM pg_temp.whole_error_of($$SELECT meridian.claim_sprint_item('rights-triggers', '3')$$);
\x off
SELECT status FROM get_sprint_items('rights-triggers') WHERE item_id IN ('1', '2', '3');
-- A trigger acts as the caller, and what it makes of the row is what the answer shows.
SELECT release_sprint_item('rights-triggers', '4') #>> '{item,status}' AS released;
SELECT claim_sprint_item('rights-triggers', '4') #>> '{item,claimed_by}' AS claimed_by;
RESET ROLE;
SELECT item_id, status, claimed_by, split_part(note, ' ', 1) AS acted_as, split_part(note, ' ', 2) = session_user AS session FROM watched WHERE note IS NOT NULL;
SELECT item_id, operation, new_status, changed_by FROM board_changes_since('rights-triggers', 0) ORDER BY history_id;
SELECT event_type, item_id, actor FROM events WHERE project_id = 'rights-triggers' ORDER BY event_id;
-- A rule that sends the write elsewhere.
DROP TRIGGER watch ON watched;
CREATE RULE nothing AS ON UPDATE TO watched DO INSTEAD NOTHING;
SELECT code, message FROM pg_temp.error_of($$SELECT claim_sprint_item('rights-triggers', '1')$$);

SELECT count(detach_board(project_id)) FROM (SELECT project_id FROM meridian.board_sources ORDER BY 1) AS every;
DROP OWNED BY regress_attached_executor, regress_attached_other;
DROP ROLE regress_attached_executor, regress_attached_other;
SET client_min_messages = warning;
DROP SCHEMA attached_rights CASCADE;
