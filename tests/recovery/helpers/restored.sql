-- In a database restored from one that used.sql made: everything goes on from where it was. Stops at the first thing that
-- isn't so.

CREATE FUNCTION pg_temp.expect(what text, got text, wanted text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF got IS DISTINCT FROM wanted THEN
        RAISE EXCEPTION '%: expected %, got %', what, coalesce(wanted, 'NULL'), coalesce(got, 'NULL');
    END IF;
END
$$;
CREATE FUNCTION pg_temp.history_rows(text) RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM meridian.sprint_item_history WHERE project_id = $1';
\o /dev/null

-- Boards, the attached one included, and what load_handoff gives.
SELECT pg_temp.expect('revision of ' || project_id, meridian.board_revision(project_id), revision),
       pg_temp.expect('stored handoff of ' || project_id, meridian.load_handoff(project_id)::text, loaded::text),
       pg_temp.expect('history of ' || project_id, pg_temp.history_rows(project_id)::text, history::text)
FROM public.before;

-- Every token answers as it would have, and the live one once.
SELECT pg_temp.expect('token ' || state, meridian.verify_handoff_token(project_id, token, body) ->> 'reason', reason) FROM public.presented ORDER BY state;
SELECT pg_temp.expect('live token again', meridian.verify_handoff_token(project_id, token, body) ->> 'reason', 'already_consumed')
FROM public.presented WHERE state = 'live';

-- Claims are held by who held them.
SELECT claimed_by AS session FROM meridian.sprint_items WHERE project_id = 'demo' AND item_id = 'C-1' \gset
SELECT holder AS tracker_session FROM public.tracker WHERE key = 1 \gset
SELECT pg_temp.expect('a second claim', meridian.claim_sprint_item('demo', 'C-1', :'session') ->> 'error', 'NOT_CLAIMABLE');
SELECT pg_temp.expect('a second claim in the attached table', meridian.claim_sprint_item('attached', '1', :'tracker_session') ->> 'error', 'NOT_CLAIMABLE');
SELECT pg_temp.expect('completion by the holder', meridian.complete_sprint_item('demo', 'C-1', :'session') ->> 'completed', 'true');
SELECT pg_temp.expect('a claim in the attached table', meridian.claim_sprint_item('attached', '5', :'tracker_session') ->> 'claimed', 'true');
SELECT pg_temp.expect('which is written through', state || ' ' || (holder = :'tracker_session')::text, 'doing true') FROM public.tracker WHERE key = 5;

-- A change is recorded once: no trigger is there twice, and none is missing.
SELECT pg_temp.history_rows('demo') AS demo, pg_temp.history_rows('attached') AS attached, pg_temp.history_rows('silent') AS silent \gset
UPDATE meridian.sprint_items SET status = 'skipped' WHERE item_id IN ('T-7', 'T-8', 'S-1');
UPDATE public.tracker SET state = 'closed' WHERE key = 6;
SELECT pg_temp.expect('history of two changes', (pg_temp.history_rows('demo') - :demo)::text, '2');
SELECT pg_temp.expect('history of one in the attached table', (pg_temp.history_rows('attached') - :attached)::text, '1');
SELECT pg_temp.expect('history where it is off', (pg_temp.history_rows('silent') - :silent)::text, '0');

-- Sequences go on: nothing collides with what was there, and what is new is the newest.
SELECT max(handoff_id) AS handoff FROM meridian.handoffs \gset
SELECT meridian.generate_handoff('silent', mode => 'goal', checkpoint => true);
INSERT INTO meridian.tasks (project_id, description) VALUES ('demo', 'After');
INSERT INTO meridian.sprint_item_pointers (project_id, item_id, targets) VALUES ('demo', 'T-9', '[]');
INSERT INTO meridian.release_transaction_states (project_id, transaction_id, state) VALUES ('demo', 't', 'STAGED');
SELECT pg_temp.expect('the newest handoff', (max(handoff_id) > :handoff)::text, 'true') FROM meridian.handoffs;
SELECT pg_temp.expect('the newest ' || name, last::text, 'true') FROM (
    SELECT 'task' AS name, (SELECT description FROM meridian.tasks ORDER BY task_id DESC LIMIT 1) = 'After' AS last
    UNION ALL SELECT 'pointer', (SELECT item_id FROM meridian.sprint_item_pointers ORDER BY pointer_id DESC LIMIT 1) = 'T-9'
    UNION ALL SELECT 'release state', (SELECT state FROM meridian.release_transaction_states ORDER BY sequence DESC LIMIT 1) = 'STAGED'
    UNION ALL SELECT 'event', (SELECT event_type FROM meridian.events ORDER BY event_id DESC LIMIT 1) = 'handoff_generated'
    UNION ALL SELECT 'change', (SELECT item_id FROM meridian.sprint_item_history ORDER BY history_id DESC LIMIT 1) = '6'
) AS newest;

-- A passed gate is still fixed.
DO $$
BEGIN
    UPDATE meridian.wave_gates SET actions = '{wait}' WHERE gate_id = 'g-2';
    RAISE EXCEPTION 'a passed gate could be changed';
EXCEPTION WHEN check_violation THEN
    NULL;
END
$$;
