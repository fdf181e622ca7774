-- What each level can call, read and write: the rights from the catalog, every function called for real, and the work of each level done.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir /sql/include/helpers.psql
\set ECHO none
\i :helpers
\set ECHO all
SET search_path = meridian;

CREATE ROLE regress_meridian_reader;
CREATE ROLE regress_meridian_executor;
CREATE ROLE regress_meridian_planner;
CREATE ROLE regress_meridian_admin;
CREATE TEMPORARY VIEW level AS
SELECT n, level, 'regress_meridian_' || level AS role FROM unnest('{reader,executor,planner,admin}'::text[]) WITH ORDINALITY AS l (level, n);
SELECT level, grant_access(role::regrole, level) FROM level ORDER BY n;
SELECT * FROM list_access();

-- The rights to call: one column a level.
SELECT f.name AS function, string_agg(CASE WHEN has_function_privilege(l.role, f.oid, 'EXECUTE') THEN l.level ELSE '-' END, ' ' ORDER BY l.n) AS levels
FROM extension_function f CROSS JOIN level l GROUP BY f.name ORDER BY min(l.n) FILTER (WHERE has_function_privilege(l.role, f.oid, 'EXECUTE')), f.name;
SELECT count(*) AS functions_that_nobody_can_call FROM extension_function f WHERE NOT has_function_privilege('regress_meridian_admin', f.oid, 'EXECUTE');
-- The rights on tables and views, whole or by column, where a level has more than the one before it.
CREATE TEMPORARY VIEW table_right AS
SELECT l.n, l.level, c.relname::text COLLATE "C" AS relation, p.privilege,
    CASE WHEN has_table_privilege(l.role, c.oid, p.privilege) THEN 'all'
         WHEN p.privilege = ANY ('{SELECT,INSERT,UPDATE}') THEN (SELECT string_agg(a.attname, ',' ORDER BY a.attnum) FROM pg_attribute a
             WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND has_column_privilege(l.role, c.oid, a.attnum, p.privilege)) END AS columns
FROM level l CROSS JOIN pg_class c CROSS JOIN unnest('{SELECT,INSERT,UPDATE,DELETE,TRUNCATE,REFERENCES,TRIGGER}'::text[]) AS p (privilege)
WHERE c.relnamespace = 'meridian'::regnamespace AND c.relkind IN ('r', 'v', 'p', 'm');
SELECT level, columns, privilege, string_agg(relation, ' ' ORDER BY relation) AS relations
FROM (SELECT *, lag(columns) OVER (PARTITION BY relation, privilege ORDER BY n) AS before FROM table_right) t
WHERE columns IS DISTINCT FROM before GROUP BY n, level, columns, privilege ORDER BY n, columns, privilege DESC;
SELECT role, has_schema_privilege(role, 'meridian', 'USAGE') AS usage, has_schema_privilege(role, 'meridian', 'CREATE') AS create FROM level ORDER BY n;

-- Every function, called by each level; its effects are undone.
INSERT INTO projects (project_id, name) VALUES ('sample', 'Sample');
INSERT INTO sessions (session_id, project_id) VALUES ('sample-session', 'sample');
INSERT INTO sprint_items (project_id, item_id, title) VALUES ('sample', 'a', 'A');
INSERT INTO hitl_gates (project_id, gate_id, question) VALUES ('sample', 'g', 'Which one?');
CREATE TABLE public.regress_meridian_board (project_id text, item_id text, status text);
ALTER TABLE public.regress_meridian_board OWNER TO regress_meridian_admin;
CREATE FUNCTION pg_temp.outcome(role text, call text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('role', role, true);
    EXECUTE call;
    RAISE SQLSTATE 'ZZUND';
EXCEPTION
    WHEN SQLSTATE 'ZZUND' THEN RETURN 'ok';
    WHEN insufficient_privilege THEN RETURN '-';
    WHEN OTHERS THEN RETURN SQLSTATE;
END
$$;
SELECT f.name AS function, string_agg(pg_temp.outcome(l.role, pg_temp.call_of(f.oid, 'board', '''public.regress_meridian_board''')), ' ' ORDER BY l.n) AS outcomes
FROM extension_function f CROSS JOIN level l GROUP BY f.name ORDER BY f.name;

-- A reader reads.
SET ROLE regress_meridian_reader;
SELECT item_id, status FROM get_sprint_items('sample');
SELECT name FROM projects WHERE project_id = 'sample';
SELECT project_id, pending_goal, items_by_status FROM handoff_status WHERE project_id = 'sample';
UPDATE sprint_items SET status = 'done' WHERE project_id = 'sample';
INSERT INTO notes (project_id, title) VALUES ('sample', 'N');
-- An executor works: it may move an item, not rewrite it; ask, not answer; hand off, not vouch for any text.
SET ROLE regress_meridian_executor;
SELECT start_session('sample', 'work') ->> 'session_id' AS session \gset
SELECT claim_sprint_item('sample', 'a', :'session') -> 'claimed' AS claimed;
SELECT complete_sprint_item('sample', 'a', :'session', note => 'As asked.') -> 'completed' AS completed;
SELECT request_hitl('sample', 'Ship it?', 'a') -> 'status' AS status;
SELECT generate_handoff('sample', 'goal') ->> 'content' AS content \gset
SELECT verify_handoff_token('sample', substring(:'content' FROM '<goal_token>(.*?)</goal_token>'), :'content') -> 'reason' AS reason;
SELECT status, completion_note FROM sprint_items WHERE project_id = 'sample';
UPDATE sprint_items SET completion_note = 'Better so.';
UPDATE sprint_items SET title = 'Other work';
UPDATE sprint_items SET status = 'todo', claimed_by = NULL, claimed_at = NULL, completed_at = NULL, updated_at = now() WHERE project_id = 'sample';
INSERT INTO sprint_items (project_id, item_id, title) VALUES ('sample', 'b', 'B');
DELETE FROM sprint_items;
INSERT INTO hitl_gates (project_id, question, status, answer, answered_at) VALUES ('sample', 'May I?', 'answered', 'Yes.', now());
UPDATE hitl_gates SET answer = 'Yes.';
SELECT answer_hitl('sample', 'g', 'Yes.');
SELECT mint_handoff_token('sample', 'Any text.');
SELECT content FROM handoffs;
SELECT token_digest FROM handoff_tokens;
RESET ROLE;
-- History names the executor throughout, also for the note.
SELECT changed_columns, changed_by, session_id = :'session' AS by_the_session FROM sprint_item_history WHERE project_id = 'sample' AND changed_by <> current_user ORDER BY history_id;
-- A planner writes what people write, and nothing that the functions keep.
SET ROLE regress_meridian_planner;
INSERT INTO projects (project_id, name, tenant_id) VALUES ('planned', 'Planned', 'access');
INSERT INTO sprint_items (project_id, item_id, title) VALUES ('planned', 'a', 'A');
INSERT INTO sprint_item_pointers (project_id, item_id, targets) VALUES ('planned', 'a', '[]');
INSERT INTO wave_gates (project_id, wave_start, actions) VALUES ('planned', '1', '{wait}');
INSERT INTO decisions (project_id, title) VALUES ('planned', 'D');
INSERT INTO notes (project_id, title) VALUES ('planned', 'N');
INSERT INTO tasks (project_id, description) VALUES ('planned', 'T');
INSERT INTO hitl_gates (project_id, question) VALUES ('planned', 'Q');
INSERT INTO sprint_versions (project_id, version) VALUES ('planned', '1');
INSERT INTO workspace_decisions (tenant_id, title) VALUES ('access', 'access');
INSERT INTO workspace_notes (tenant_id, title) VALUES ('access', 'access');
INSERT INTO workspace_settings (tenant_id) VALUES ('access');
INSERT INTO artifact_checks (project_id, path, check_name, status) VALUES ('planned', 'a.docx', 'opens', 'passed');
SELECT answer_hitl('sample', 'g', 'Yes.') -> 'status' AS status;
UPDATE sprint_items SET title = 'B' WHERE project_id = 'planned';
-- Not for a project that is not there.
INSERT INTO notes (project_id, title) VALUES ('nowhere', 'N');
INSERT INTO events (project_id, event_type) VALUES ('planned', 'made_up');
INSERT INTO access_grants VALUES ('regress_meridian_planner', 'admin');
TRUNCATE sprint_items;
SELECT grant_access('regress_meridian_planner', 'admin');
DELETE FROM workspace_decisions WHERE title = 'access';
DELETE FROM workspace_notes WHERE title = 'access';
DELETE FROM workspace_settings WHERE tenant_id = 'access';
DELETE FROM artifact_checks WHERE project_id = 'planned';
DELETE FROM sprint_versions WHERE project_id = 'planned';
DELETE FROM hitl_gates WHERE project_id = 'planned';
DELETE FROM tasks WHERE project_id = 'planned';
DELETE FROM notes WHERE project_id = 'planned';
DELETE FROM decisions WHERE project_id = 'planned';
DELETE FROM wave_gates WHERE project_id = 'planned';
DELETE FROM sprint_item_pointers WHERE project_id = 'planned';
DELETE FROM sprint_items WHERE project_id = 'planned';
DELETE FROM projects WHERE project_id = 'planned';
-- An admin gives levels. Another level takes the place of the one before.
SET ROLE regress_meridian_admin;
SELECT grant_access('regress_meridian_planner', 'reader');
SELECT * FROM list_access();
SET ROLE regress_meridian_planner;
SELECT name FROM projects WHERE project_id = 'sample';
INSERT INTO notes (project_id, title) VALUES ('sample', 'N');
SELECT claim_sprint_item('sample', 'a');
SET ROLE regress_meridian_admin;
SELECT revoke_access('regress_meridian_planner');
-- Also from one that has none.
SELECT revoke_access('regress_meridian_planner');
SELECT level FROM list_access() WHERE grantee = 'regress_meridian_planner';
SELECT content FROM handoffs;
RESET ROLE;
SELECT count(*) AS rights_left FROM table_right WHERE level = 'planner' AND columns IS NOT NULL;
SELECT has_schema_privilege('regress_meridian_planner', 'meridian', 'USAGE') AS usage;

-- Who and what it refuses.
SELECT call, error.*
FROM (VALUES
    (1, $$SELECT grant_access('regress_meridian_reader', 'root')$$), (2, $$SELECT grant_access('regress_meridian_reader', 'Reader')$$),
    (3, $$SELECT grant_access(current_user::regrole, 'reader')$$), (4, $$SELECT revoke_access(current_user::regrole)$$),
    (5, $$SELECT grant_access('pg_monitor', 'reader')$$), (6, $$SELECT grant_access(0, 'reader')$$), (7, $$SELECT grant_access('no_such_role_here', 'reader')$$)) AS refused (n, call),
    pg_temp.error_of(call) AS error
ORDER BY n \gx
-- A name that needs quotes; a role that is dropped, or dropped and made anew, has no level.
CREATE ROLE "Regress meridian ""O'Neil""";
SELECT grant_access('"Regress meridian ""O''Neil"""', 'executor');
SELECT * FROM list_access() WHERE grantee LIKE 'Regress%';
DROP OWNED BY "Regress meridian ""O'Neil""";
DROP ROLE "Regress meridian ""O'Neil""";
SELECT * FROM list_access() WHERE grantee LIKE 'Regress%';
CREATE ROLE "Regress meridian ""O'Neil""";
SELECT * FROM list_access() WHERE grantee LIKE 'Regress%';
DROP ROLE "Regress meridian ""O'Neil""";

DROP TABLE public.regress_meridian_board;
SELECT revoke_access(role::regrole) FROM level;
SELECT * FROM list_access();
DROP ROLE regress_meridian_reader, regress_meridian_executor, regress_meridian_planner, regress_meridian_admin;
DELETE FROM access_grants WHERE grantee LIKE 'Regress%';
DELETE FROM pending_goals WHERE project_id = 'sample';
DELETE FROM sessions WHERE project_id = 'sample';
DELETE FROM hitl_gates WHERE project_id = 'sample';
DELETE FROM sprint_items WHERE project_id = 'sample';
DELETE FROM projects WHERE project_id = 'sample';
