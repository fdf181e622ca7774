-- After board.sql: what functions leave behind, and a row in each table that nothing has filled yet. Table public.presented
-- holds tokens as a receiver would have them, with the answer that each gets; public.before what the boards were.

SELECT meridian.attach_board('attached', 'public.tracker',
    columns => '{"project_id": null, "item_id": "key", "title": "name", "status": "state", "depends_on": "needs", "claimed_by": "holder"}',
    status_map => '{"open": "todo", "doing": "in_progress", "closed": "done"}') \g /dev/null

SELECT meridian.start_session('demo', 'before', 'executor') ->> 'session_id' AS session \gset
SELECT meridian.start_session('attached', 'before', 'executor') ->> 'session_id' AS tracker_session \gset
SELECT meridian.claim_sprint_item('demo', 'C-1', :'session'), meridian.claim_sprint_item('attached', '1', :'tracker_session') \g /dev/null
SELECT meridian.request_hitl('demo', 'And now?', 'T-6') \g /dev/null

CREATE TABLE public.presented (state text PRIMARY KEY, project_id text, token text, body text, reason text);
CREATE FUNCTION pg_temp.present(state text, project_id text, body text, reason text) RETURNS void LANGUAGE sql AS $$
    INSERT INTO public.presented VALUES (state, project_id, substring(body FROM '<goal_token>([A-Za-z0-9_-]{16})</goal_token>'), body, reason)
$$;
-- The second of two generations for the same address takes the place of the first.
SELECT pg_temp.present('superseded', 'demo', meridian.generate_handoff('demo', mode => 'goal') ->> 'content', 'expired') \g /dev/null
SELECT pg_temp.present('live', 'demo', meridian.generate_handoff('demo', mode => 'goal') ->> 'content', 'ok') \g /dev/null
SELECT pg_temp.present('spent', 'attached', meridian.generate_handoff('attached', mode => 'goal') ->> 'content', 'already_consumed') \g /dev/null
INSERT INTO public.presented VALUES ('expired', 'demo', meridian.mint_handoff_token('demo', 'text', '1 millisecond'), 'text', 'expired');
SELECT meridian.verify_handoff_token(project_id, token, body) FROM public.presented WHERE state = 'spent' \g /dev/null

CREATE TABLE public.before AS
SELECT project_id, meridian.board_revision(project_id) AS revision, meridian.load_handoff(project_id) AS loaded,
       (SELECT count(*) FROM meridian.sprint_item_history h WHERE h.project_id = p.project_id) AS history
FROM meridian.projects p;

INSERT INTO meridian.access_grants SELECT 'pg_monitor', 'reader' WHERE NOT EXISTS (SELECT FROM meridian.access_grants);
INSERT INTO meridian.capability_availability (project_id, tool, status)
    SELECT 'demo', 'git', 'available' WHERE NOT EXISTS (SELECT FROM meridian.capability_availability);
INSERT INTO meridian.capability_manifests (project_id, manifest) SELECT 'demo', '{}' WHERE NOT EXISTS (SELECT FROM meridian.capability_manifests);
INSERT INTO meridian.release_transactions (project_id, change_set_id, file_path, state)
    SELECT 'demo', 'c', 'f', 'PREPARED' WHERE NOT EXISTS (SELECT FROM meridian.release_transactions);
INSERT INTO meridian.release_transaction_states (project_id, transaction_id, state)
    SELECT 'demo', 't', 'PREPARED' WHERE NOT EXISTS (SELECT FROM meridian.release_transaction_states);
INSERT INTO meridian.packets (packet_id, task, packet) SELECT repeat('0', 64), 'task', '{"b": 1,  "a": 1.0}' WHERE NOT EXISTS (SELECT FROM meridian.packets);

\ir digests.sql
DO $$
DECLARE empty text;
BEGIN
    SELECT string_agg(relation, ', ') INTO empty FROM pg_temp.digests() WHERE rows = 0;
    IF empty IS NOT NULL THEN RAISE EXCEPTION 'used.sql leaves these without a row, so restoring them would prove nothing: %', empty; END IF;
END
$$;
