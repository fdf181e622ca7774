-- An id that a sibling finished is terminal; one that the project never had is suspicious.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir /sql/include/helpers.psql
\set ECHO none
\i :helpers
\set ECHO all
SET search_path = meridian;

INSERT INTO projects (project_id, name) VALUES ('cross', 'Cross'), ('cross-other', 'Another');
INSERT INTO sprint_items (project_id, item_id, title, status)
SELECT 'cross', 'is-' || status, status, status
FROM unnest('{pending,todo,in_progress,provisional_complete,indeterminate,done,failed,skipped,pushed}'::text[]) AS status;
INSERT INTO sprint_items (project_id, item_id, title) VALUES ('cross-other', 'theirs', 'Of another project');
SELECT * FROM cross_check_items('cross', '{is-pushed,is-skipped,is-failed,is-done,forged,is-indeterminate,is-provisional_complete,is-in_progress,is-todo,is-pending,theirs,is-todo}');
SELECT * FROM cross_check_items('cross', '{}');
SELECT * FROM cross_check_items('cross', '{IS-TODO,""," is-todo"}');
SELECT call, error.*
FROM (VALUES
    (1, $$SELECT cross_check_items('nowhere', '{is-todo}')$$)) AS refused (n, call), pg_temp.error_of(call) AS error
ORDER BY n \gx
