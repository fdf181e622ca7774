-- A board in a foreign table: of another server, read and written; of a program, read only.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir /sql/include/helpers.psql
\set ECHO none
\i :helpers
\set ECHO all
SET client_min_messages = warning;
CREATE SCHEMA attached_foreign;
SET search_path = attached_foreign, meridian, public;
CREATE EXTENSION file_fdw;
CREATE EXTENSION postgres_fdw;
RESET client_min_messages;
INSERT INTO projects (project_id, name) VALUES ('foreign-here', 'Another server'), ('foreign-file', 'A file');

-- This database, over a connection of its own.
DO $$
BEGIN
    EXECUTE format('CREATE SERVER attached_elsewhere FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host %L, port %L, dbname %L)', split_part(current_setting('unix_socket_directories'), ',', 1), current_setting('port'), current_database());
    EXECUTE format('CREATE USER MAPPING FOR CURRENT_USER SERVER attached_elsewhere OPTIONS (user %L)', current_user);
END
$$;
CREATE TABLE behind (no int PRIMARY KEY, state text, needs int[], owner text, since timestamptz);
INSERT INTO behind VALUES (1, 'open', NULL), (2, 'open', '{1}'), (3, 'shut', NULL);
CREATE FOREIGN TABLE far (item_id int OPTIONS (column_name 'no'), status text OPTIONS (column_name 'state'), depends_on int[] OPTIONS (column_name 'needs'), claimed_by text OPTIONS (column_name 'owner'), claimed_at timestamptz OPTIONS (column_name 'since'))
    SERVER attached_elsewhere OPTIONS (schema_name 'attached_foreign', table_name 'behind');
SELECT code, message, hint FROM pg_temp.error_of($$SELECT attach_board('foreign-here', 'far', '{"project_id": null}', '{"open": "todo", "busy": "in_progress", "shut": "done"}')$$) \gx
SELECT attach_board('foreign-here', 'far', '{"project_id": null}', '{"open": "todo", "busy": "in_progress", "shut": "done"}', track_history => false);
SELECT item_id, status, depends_on FROM get_sprint_items('foreign-here', '{todo,done}');
SELECT wave, item_id, blocked_on FROM plan_waves('foreign-here');
SELECT claim_sprint_item('foreign-here', '2') ->> 'error' AS refused, claim_sprint_item('foreign-here', '4') ->> 'error' AS unknown, claim_sprint_item('foreign-here', '1') ->> 'claimed' AS claimed;
SELECT no, state, owner = current_user AS by_me, since IS NOT NULL AS timed FROM behind ORDER BY no;
SELECT complete_sprint_item('foreign-here', '1') ->> 'completed' AS completed;
SELECT claim_next_sprint_item('foreign-here') #>> '{item,item_id}' AS next;
SELECT board_revision('foreign-here') = compute_board_revision('[{"id": "1", "status": "done"}, {"id": "2", "status": "in_progress", "depends_on": "1"}, {"id": "3", "status": "done"}]') AS same_revision;
SELECT no, state FROM behind ORDER BY no;

CREATE SERVER attached_program FOREIGN DATA WRAPPER file_fdw;
CREATE FOREIGN TABLE printed (item_id text, status text, depends_on text) SERVER attached_program OPTIONS (program 'printf "a,todo,\nb,todo,a\nc,done,\n"', format 'csv');
SELECT attach_board('foreign-file', 'printed', '{"project_id": null}', track_history => false);
SELECT item_id, status, depends_on FROM get_sprint_items('foreign-file', '{todo,done}');
SELECT wave, item_id FROM plan_waves('foreign-file');
SELECT generate_handoff('foreign-file', 'goal') #>> '{item_counts,selected}' AS selected;
SELECT code, message FROM pg_temp.error_of($$SELECT claim_sprint_item('foreign-file', 'a')$$);

SELECT detach_board('foreign-here'), detach_board('foreign-file');
SET client_min_messages = warning;
DROP EXTENSION file_fdw CASCADE;
DROP EXTENSION postgres_fdw CASCADE;
DROP SCHEMA attached_foreign CASCADE;
