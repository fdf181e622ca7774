-- purge_history removes old handoffs, events and item history, no more than the batch; the newest handoff of each project and goals that wait stay.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir /sql/include/helpers.psql
\set ECHO none
\i :helpers
\set ECHO all
SET search_path = meridian;

-- What other tests left is out of the way until the end.
BEGIN;
DELETE FROM handoffs;
DELETE FROM events;
DELETE FROM sprint_item_history;
DELETE FROM pending_goals;
CREATE FUNCTION pg_temp.handoff(project text, age interval, checkpoint boolean DEFAULT false) RETURNS bigint LANGUAGE sql AS $$
    INSERT INTO meridian.handoffs (project_id, mode, content, content_hash, checkpoint, created_at)
    VALUES (project, 'goal', age::text || CASE WHEN checkpoint THEN ' checkpoint' ELSE '' END, repeat('0', 64), checkpoint, now() - age) RETURNING handoff_id $$;
CREATE TEMPORARY VIEW kept AS
SELECT h.project_id, string_agg(h.content, ', ' ORDER BY h.handoff_id) AS handoffs FROM handoffs h GROUP BY h.project_id ORDER BY h.project_id;
-- The newest is old; a goal that nobody picked up is old; of checkpoints none outlives what came after.
SELECT pg_temp.handoff('dormant', age) > 0 AS made FROM unnest('{300 days,200 days}'::interval[]) AS age;
SELECT pg_temp.handoff('waiting', '250 days') AS waiting \gset
INSERT INTO pending_goals (project_id, handoff_id, content) VALUES ('waiting', :waiting, 'goal');
SELECT pg_temp.handoff('waiting', '1 day') > 0 AS made;
SELECT pg_temp.handoff('checked', '300 days') > 0 AS made;
SELECT pg_temp.handoff('checked', age, true) > 0 AS made FROM unnest('{200 days,100 days}'::interval[]) AS age;
-- A change of an old one makes it young.
SELECT pg_temp.handoff('amended', '300 days') AS amended \gset
UPDATE handoffs SET amended_at = now() WHERE handoff_id = :amended;
SELECT pg_temp.handoff('amended', '10 days') > 0 AS made;
INSERT INTO events (project_id, event_type, occurred_at) SELECT 'dormant', 'old', now() - interval '100 days' FROM generate_series(1, 3);
INSERT INTO events (project_id, event_type) VALUES ('dormant', 'young');
INSERT INTO sprint_item_history (project_id, item_id, operation, changed_by, changed_at) SELECT 'dormant', 'old', 'INSERT', 'x', now() - interval '100 days' FROM generate_series(1, 4);
INSERT INTO sprint_item_history (project_id, item_id, operation, changed_by) VALUES ('dormant', 'young', 'INSERT', 'x');
-- Two handoffs, three events, four changes: in batches of four.
SELECT purge_history(batch => 4) AS first, purge_history(batch => 4) AS second, purge_history(batch => 4) AS third, purge_history(batch => 4) AS fourth;
SELECT * FROM kept;
SELECT (SELECT string_agg(event_type, ' ') FROM events) AS events, (SELECT string_agg(item_id, ' ') FROM sprint_item_history) AS history;
-- With no retention at all, what may not go still stays.
SELECT purge_history('0 days');
SELECT * FROM kept;
SELECT (SELECT count(*) FROM events) AS events, (SELECT count(*) FROM sprint_item_history) AS history;
SELECT call, error.*
FROM (VALUES (1, $$SELECT purge_history('-1 day')$$), (2, $$SELECT purge_history(batch => 0)$$), (3, $$SELECT purge_history(batch => -1)$$)) AS refused (n, call), pg_temp.error_of(call) AS error
ORDER BY n \gx
ROLLBACK;
