-- NULL for every argument that is required, of every function of the extension: an error that names it, or the one meaning that NULL has there.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir /sql/include/helpers.psql
\set ECHO none
\i :helpers
\set ECHO all
SET search_path = meridian;

INSERT INTO projects (project_id, name) VALUES ('sample', 'Sample');
INSERT INTO sessions (session_id, project_id) VALUES ('sample-session', 'sample');
INSERT INTO sprint_items (project_id, item_id, title) VALUES ('sample', 'a', 'A');
-- The calls are made from the catalog, so a new function shows up here by itself. Where NULL is no error it means: no token, no limit.
SELECT a.function, a.argument, error.code, error.message
FROM extension_argument AS a, pg_temp.error_of(pg_temp.call_of(a.oid, a.argument, 'NULL')) AS error
WHERE a.required ORDER BY a.function, a.position;
SELECT * FROM pg_temp.error_of('SELECT meridian.get_sprint_items(NULL)') \gx
SELECT verify_handoff_token('sample', NULL) ->> 'reason' AS reason, format_handoff_mcp_content('text', NULL) AS content;
-- Optional ones may be NULL.
SELECT a.argument, count(*) AS functions, string_agg(error.code, ', ') FILTER (WHERE error.code IN ('22004', 'XX000')) AS refused
FROM extension_argument AS a, pg_temp.error_of(pg_temp.call_of(a.oid, a.argument, 'NULL')) AS error
WHERE NOT a.required GROUP BY a.argument ORDER BY a.argument;
-- A NULL inside an array is no id and no status.
SELECT call, error.code
FROM (VALUES
    (1, $$SELECT get_sprint_items('sample', '{todo,NULL}')$$), (2, $$SELECT cross_check_items('sample', '{a,NULL}')$$),
    (3, $$SELECT generate_handoff('sample', 'goal', selected_item_ids => '{a,NULL}')$$), (4, $$SELECT generate_handoff('sample', 'goal', force_include_ids => '{NULL}')$$)) AS refused (n, call), pg_temp.error_of(call) AS error
ORDER BY n;
DELETE FROM projects WHERE project_id = 'sample';
DELETE FROM sessions WHERE session_id = 'sample-session';
DELETE FROM sprint_items WHERE project_id = 'sample';
