-- Who claimed an item completes it or gives it back; nobody else does, and doing it twice is the same as once.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir /sql/include/helpers.psql
\set ECHO none
\i :helpers
\set ECHO all
SET search_path = meridian;

INSERT INTO projects (project_id, name) VALUES ('holder', 'Holder'), ('holder-other', 'Another');
INSERT INTO sessions (session_id, project_id) VALUES ('holder-1', 'holder'), ('holder-2', 'holder'), ('holder-3', 'holder-other');
INSERT INTO sprint_items (project_id, item_id, title, priority, version, depends_on, item_group, wave, required_tool, notes, added_at) VALUES
    ('holder', 'a', 'First', 'high', 'v1', '{}', 'docs', 'W1', 'Some: tool', 'Mind the gap', '2024-01-01 00:00Z'),
    ('holder', 'b', 'Second', 'normal', NULL, '{a}', NULL, NULL, NULL, NULL, '2024-01-02 00:00Z');

-- The item as a claim shows it.
SELECT jsonb_pretty(answer #- '{item,claimed_at}') AS claimed, answer #>> '{item,claimed_at}' ~ '^\d{4}-\d\d-\d\dT[0-9:.]+Z$' AS claimed_at_is_utc
FROM claim_sprint_item('holder', 'a', 'holder-1') AS answer;

SELECT jsonb_pretty(claim_sprint_item('holder', 'a', 'holder-2') - 'reason') AS taken;
SELECT jsonb_pretty(complete_sprint_item('holder', 'a', 'holder-2') - 'reason') AS not_the_holder;
SELECT jsonb_pretty(release_sprint_item('holder', 'a', 'holder-2') - 'reason') AS not_the_holder;
SELECT complete_sprint_item('holder', 'a') ->> 'error' AS the_role_is_not_the_session;
SELECT jsonb_pretty(complete_sprint_item('holder', 'b', 'holder-1') - 'reason') AS nobody_holds_it;
SELECT jsonb_pretty(complete_sprint_item('holder', 'gone', 'holder-1') - 'reason') AS no_such_item;
SELECT jsonb_pretty(release_sprint_item('holder', 'gone', 'holder-1') - 'reason') AS no_such_item;
SELECT complete_sprint_item('holder-other', 'a', 'holder-3') ->> 'error' AS not_in_that_project;

SELECT answer ->> 'released' AS released, answer #>> '{item,status}' AS status, answer #>> '{item,claimed_by}' AS claimed_by, answer #>> '{item,claimed_at}' AS claimed_at
FROM release_sprint_item('holder', 'a', 'holder-1') AS answer;
SELECT answer ->> 'claimed' AS claimed, answer #>> '{item,claimed_by}' AS claimed_by FROM claim_sprint_item('holder', 'a', 'holder-2') AS answer;
SELECT answer ->> 'completed' AS completed, answer #>> '{item,status}' AS status, answer #>> '{item,claimed_by}' AS claimed_by
FROM complete_sprint_item('holder', 'a', 'holder-2', note => 'It works') AS answer;
SELECT status, completion_note, completed_at IS NOT NULL AS has_completed_at FROM sprint_items WHERE project_id = 'holder' AND item_id = 'a';

-- Again: the same answer, and nothing is written.
SELECT completed_at AS before, xmin AS row_before FROM sprint_items WHERE project_id = 'holder' AND item_id = 'a' \gset
SELECT answer ->> 'completed' AS completed, answer #>> '{item,status}' AS status FROM complete_sprint_item('holder', 'a', 'holder-2', note => 'Twice') AS answer;
SELECT completion_note, completed_at = :'before' AS same_time, xmin = :'row_before' AS same_row FROM sprint_items WHERE project_id = 'holder' AND item_id = 'a';
-- But it doesn't end a second time in another way, and finished work is not given back.
SELECT jsonb_pretty(complete_sprint_item('holder', 'a', 'holder-2', 'failed') - 'reason') AS ended_otherwise;
SELECT jsonb_pretty(release_sprint_item('holder', 'a', 'holder-2') - 'reason') AS finished;
SELECT jsonb_pretty(claim_sprint_item('holder', 'a', 'holder-2') - 'reason') AS finished;

-- The four ways to end.
INSERT INTO sprint_items (project_id, item_id, title) SELECT 'holder', 'end-' || status, status FROM unnest('{done,failed,skipped,pushed}'::text[]) AS status;
SELECT status, claim_sprint_item('holder', 'end-' || status, 'holder-1') ->> 'claimed' AS claimed FROM unnest('{done,failed,skipped,pushed}'::text[]) AS status;
SELECT status, answer ->> 'completed' AS completed, answer #>> '{item,status}' AS became
FROM unnest('{done,failed,skipped,pushed}'::text[]) AS status, complete_sprint_item('holder', 'end-' || status, 'holder-1', status) AS answer;

-- Without a session the role is the holder.
SELECT answer #>> '{item,claimed_by}' = current_user AS by_role FROM claim_sprint_item('holder', 'b') AS answer;
SELECT claim_sprint_item('holder', 'b', 'holder-1') ->> 'error' AS a_role_never_ends;
SELECT release_sprint_item('holder', 'b') ->> 'released' AS released;

-- The claim of a session that ended may be taken over, by another session as by a role; no other may.
SELECT claim_sprint_item('holder', 'b', 'holder-1') ->> 'claimed' AS claimed;
SELECT claim_sprint_item('holder', 'b', 'holder-2') ->> 'error' AS still_active;
SELECT end_session('holder-1');
SELECT complete_sprint_item('holder', 'b', 'holder-2') ->> 'error' AS claim_it_first;
SELECT answer ->> 'claimed' AS claimed, answer #>> '{item,claimed_by}' AS claimed_by FROM claim_sprint_item('holder', 'b', 'holder-2') AS answer;
SELECT answer ->> 'completed' AS completed FROM complete_sprint_item('holder', 'b', 'holder-2') AS answer;

-- What happened, as the events tell it.
SELECT event_type, item_id, outcome, coalesce(nullif(session_id, ''), '-') AS session_id, count(*)
FROM events WHERE project_id = 'holder' AND item_id IN ('a', 'b') GROUP BY event_type, item_id, outcome, session_id, actor
ORDER BY item_id, min(event_id);

SELECT call, error.*
FROM (VALUES
    (1, $$SELECT claim_sprint_item('holder', 'b', 'holder-3')$$),
    (2, $$SELECT claim_sprint_item('holder', 'b', 'no-such-session')$$),
    (3, $$SELECT claim_sprint_item('holder', 'b', 'holder-1')$$),
    (4, $$SELECT complete_sprint_item('holder', 'b', 'no-such-session')$$),
    (5, $$SELECT release_sprint_item('holder', 'b', 'holder-3')$$),
    (6, $$SELECT claim_next_sprint_item('holder', 'holder-3')$$),
    (7, $$SELECT complete_sprint_item('holder', 'b', 'holder-2', 'todo')$$),
    (8, $$SELECT complete_sprint_item('holder', 'b', 'holder-2', 'finished')$$),
    (9, $$SELECT claim_sprint_item('nowhere', 'b')$$)) AS refused (n, call), pg_temp.error_of(call) AS error
ORDER BY n \gx
