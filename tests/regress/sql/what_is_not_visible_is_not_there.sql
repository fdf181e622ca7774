-- A project that does not exist and one that row security hides get the same answer from every function; so do the sessions of a hidden one.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir /sql/include/helpers.psql
\set ECHO none
\i :helpers
\set ECHO all
SET search_path = meridian;

-- Calls are made from the catalog, for every function that takes a project; the samples stand for one that is missing.
SELECT a.function, error.code, error.detail, error.message LIKE 'PROJECT_NOT_FOUND%' AS message, error.hint <> '' AS has_hint
FROM extension_argument AS a, pg_temp.error_of(pg_temp.call_of(a.oid, 'project_id', '''nowhere''')) AS error
WHERE a.argument = 'project_id' ORDER BY a.function;
SELECT * FROM pg_temp.error_of($$SELECT meridian.load_handoff('no"where')$$) \gx

INSERT INTO projects (project_id, name, tenant_id) VALUES ('sample', 'Hidden', 'them'), ('visible', 'Visible', 'us');
INSERT INTO sessions (session_id, project_id) VALUES ('sample-session', 'sample');
INSERT INTO sprint_items (project_id, item_id, title) VALUES ('sample', 'a', 'A'), ('visible', 'b', 'B');
SELECT mint_handoff_token('sample', 'The text') AS token \gset
CREATE ROLE regress_meridian_tenant;
GRANT USAGE ON SCHEMA meridian TO regress_meridian_tenant;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA meridian TO regress_meridian_tenant;
GRANT SELECT ON projects, sprint_items, sprint_item_pointers, wave_gates, hitl_gates, sprint_versions, workspace_settings, artifact_checks, decisions, notes, tasks, workspace_decisions, workspace_notes TO regress_meridian_tenant;
GRANT SELECT ON extension_function, extension_argument TO regress_meridian_tenant;
BEGIN;
ALTER TABLE projects ENABLE ROW LEVEL SECURITY;
CREATE POLICY regress_tenant ON projects USING (tenant_id = 'us');
SET LOCAL ROLE regress_meridian_tenant;
SELECT a.function, error.code, error.detail
FROM extension_argument AS a, pg_temp.error_of(pg_temp.call_of(a.oid)) AS error
WHERE a.argument = 'project_id' ORDER BY a.function;
SELECT call, error.code, error.message, error.detail
FROM (VALUES (1, $$SELECT end_session('sample-session')$$), (2, $$SELECT resolve_handoff_mode(session_id => 'sample-session')$$), (3, $$SELECT generate_handoff('visible', 'goal', session_id => 'sample-session')$$)) AS refused (n, call),
    pg_temp.error_of(call) AS error
ORDER BY n;
SELECT item_id FROM get_sprint_items('visible');
SELECT generate_handoff('visible', 'goal') ->> 'mode' AS mode;
-- An item of a project out of sight is not found, not foreign.
SELECT detail FROM pg_temp.error_of($$SELECT generate_handoff('visible', 'goal', selected_item_ids => '{a}')$$);
SELECT suspicious FROM cross_check_items('visible', '{a}');
ROLLBACK;
SELECT status FROM sessions WHERE session_id = 'sample-session';
SELECT consumed_at FROM handoff_tokens WHERE token_digest = sha256(convert_to(:'token', 'UTF8'));
DROP OWNED BY regress_meridian_tenant;
DROP ROLE regress_meridian_tenant;
DELETE FROM projects WHERE project_id = 'sample';
DELETE FROM sessions WHERE session_id = 'sample-session';
DELETE FROM sprint_items WHERE project_id = 'sample';
