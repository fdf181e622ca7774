-- In a read-only transaction every function that writes answers 25006, whatever its answer would have been, and every other one works.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir /sql/include/helpers.psql
\set ECHO none
\i :helpers
\set ECHO all
SET search_path = meridian;

INSERT INTO projects (project_id, name) VALUES ('sample', 'Sample'), ('reading', 'Reading');
INSERT INTO sessions (session_id, project_id) VALUES ('sample-session', 'sample');
INSERT INTO sprint_items (project_id, item_id, title) VALUES ('sample', 'a', 'A'), ('reading', 'a', 'A');
-- Whatever is there to load was stored before.
SELECT generate_handoff('reading', 'goal') ->> 'mode' AS mode;
SELECT mint_handoff_token('reading', ttl => '1 millisecond') AS expired \gset
BEGIN READ ONLY;
SELECT f.name AS function, CASE f.provolatile WHEN 'v' THEN 'writes' ELSE 'reads' END AS it, error.code, error.message
FROM extension_function AS f, pg_temp.error_of(pg_temp.call_of(f.oid)) AS error
ORDER BY it DESC, f.name;
-- Also where nothing would have been written, or the call is wrong.
SELECT call, error.code
FROM (VALUES
    (1, $$SELECT verify_handoff_token('reading', NULL)$$),
    (2, $$SELECT verify_handoff_token('nowhere', 'x')$$),
    (3, $$SELECT verify_handoff_token(NULL, NULL)$$),
    (4, $$SELECT claim_sprint_item('reading', 'no such item')$$),
    (5, $$SELECT generate_handoff('nowhere', 'no such mode')$$),
    (6, $$SELECT end_session('no such session')$$),
    (7, $$SELECT purge_handoff_tokens(batch => 0)$$)) AS refused (n, call), pg_temp.error_of(call) AS error
ORDER BY n;
SELECT verify_handoff_token('reading', :'expired');
ROLLBACK;
BEGIN READ ONLY;
SELECT load_handoff('reading') ->> 'has_handoff' AS has_handoff, load_handoff('reading') ->> 'pending_goal' LIKE '/goal%' AS has_goal, (SELECT count(*) FROM get_sprint_items('reading')) AS items;
COMMIT;
DELETE FROM projects WHERE project_id = 'sample';
DELETE FROM sessions WHERE session_id = 'sample-session';
DELETE FROM sprint_items WHERE project_id = 'sample';
