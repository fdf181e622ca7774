-- Delta: since when, what was finished since, the continuation manifest, the gate of strict_continuation, and the counter from which
-- board_changes_since goes on.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir /sql/include/helpers.psql
\set ECHO none
\i :helpers
\set ECHO all
SET search_path = meridian;

INSERT INTO projects (project_id, name) VALUES ('delta', 'Delta'), ('delta-other', 'Another');
INSERT INTO sprint_items (project_id, item_id, title, status, completed_at) VALUES ('delta', 'old', 'Finished long ago', 'done', '2024-01-01 00:00Z');
INSERT INTO sprint_items (project_id, item_id, title) SELECT 'delta', 'i' || n, 'Item ' || n FROM generate_series(1, 4) AS n;
CREATE FUNCTION pg_temp.section(content text, heading text) RETURNS text LANGUAGE sql AS $$
    SELECT regexp_replace(regexp_replace(substring(content || E'\n' FROM E'(?n)^(' || heading || E'[^\n]*\n(?:(?:-|  )[^\n]*\n)+)'),
        '\d{4}-\d\d-\d\dT[0-9:.]+Z', 'TIME', 'g'), '[0-9a-f]{8}-[0-9a-f-]{27}', 'ID', 'g')
$$;
CREATE FUNCTION pg_temp.manifest(content text) RETURNS jsonb LANGUAGE sql AS $$
    SELECT substring(content FROM E'<continuation_manifest>\n([^\n]*)\n')::jsonb
$$;

-- Without a session there is no before.
SELECT pg_temp.section(generate_handoff('delta', 'delta') ->> 'content', 'Completed') AS completed;
-- A session's first counts from its start, the next from the one before.
SELECT start_session('delta', 'worker', role => 'executor') ->> 'session_id' AS session \gset
SELECT pg_temp.section(generate_handoff('delta', 'delta', :'session') ->> 'content', 'Completed') AS first;
SELECT count(claim_sprint_item('delta', id, :'session')) FROM unnest('{i1,i2}'::text[]) AS id;
SELECT complete_sprint_item('delta', 'i1', :'session') ->> 'completed' AS completed;
SELECT generate_handoff('delta', session_id => :'session') AS second \gset
SELECT :'second'::jsonb ->> 'mode' AS mode, pg_temp.section(:'second'::jsonb ->> 'content', 'Completed') AS second;
SELECT pg_temp.section(:'second'::jsonb ->> 'content', 'Currently running') AS running;
SELECT pg_temp.section(generate_handoff('delta', 'delta', :'session') ->> 'content', 'Completed') AS third;
-- The lines that another session wrote do not count for this one's span.
SELECT pg_temp.section(:'second'::jsonb ->> 'content', '## Session span') AS span;

-- The manifest stands before the goal, and is of the whole board.
SELECT strpos(content, '<continuation_manifest>') < strpos(content, E'\n/goal\n') AS before_the_goal, jsonb_pretty(pg_temp.manifest(content) - '{revision_hash,revision_counter,session_id}'::text[]) AS manifest,
       pg_temp.manifest(content) ->> 'revision_hash' = board_revision('delta') AS live
FROM (SELECT :'second'::jsonb ->> 'content' AS content) AS c;
-- Its counter: nothing that is committed by then comes again, all that follows does.
SELECT item_id, operation, new_status FROM board_changes_since('delta', (pg_temp.manifest(:'second'::jsonb ->> 'content') ->> 'revision_counter')::bigint);
SELECT claim_sprint_item('delta', 'i3', :'session') ->> 'claimed' AS claimed;
SELECT item_id, operation, new_status FROM board_changes_since('delta', (pg_temp.manifest(:'second'::jsonb ->> 'content') ->> 'revision_counter')::bigint);
-- A transaction's own changes may come again: others cannot tell yet whether they will be.
BEGIN;
SELECT release_sprint_item('delta', 'i3', :'session') ->> 'released' AS released;
SELECT pg_temp.manifest(generate_handoff('delta', 'delta') ->> 'content') ->> 'revision_counter' AS inside \gset
SELECT item_id, operation, new_status FROM board_changes_since('delta', :inside);
ROLLBACK;
-- No history, no counter.
SELECT pg_temp.manifest(generate_handoff('delta-other', 'delta') ->> 'content') -> 'revision_counter' AS nothing_happened;
UPDATE projects SET settings = '{"history": false}' WHERE project_id = 'delta-other';
SELECT pg_temp.manifest(generate_handoff('delta-other', 'delta') ->> 'content') -> 'revision_counter' AS history_off;

-- Unclaimed work holds a strict caller back in full and delta alone, and no checkpoint.
SELECT mode, checkpoint, error.code, error.detail::jsonb #> '{continuation_status,actionable_item_ids}' AS ids
FROM unnest('{planner,full,delta,starter,compact,goal}'::text[]) WITH ORDINALITY AS m (mode, n), unnest('{false,true}'::boolean[]) AS checkpoint,
     pg_temp.error_of(format($$SELECT generate_handoff('delta', %L, checkpoint => %L, strict_continuation => true)$$, mode, checkpoint)) AS error ORDER BY n, checkpoint;
SELECT jsonb_pretty(response -> 'continuation_status') FROM generate_handoff('delta', 'delta', checkpoint => true, strict_continuation => true) AS response;
UPDATE sprint_items SET status = 'done', completed_at = now() WHERE project_id = 'delta' AND status IN ('todo', 'in_progress');
SELECT generate_handoff('delta', 'full', strict_continuation => true) #>> '{continuation_status,terminal_ready}' AS ready;
