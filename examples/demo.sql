-- A handoff from board to executor, and everything that can go wrong with it on the way. Run by scripts/demo, or by
-- hand in one session: psql -X -q -At -v ON_ERROR_STOP=1 -f examples/demo.sql, after demo_board.sql.
-- What psql remembers (:'content', :'token') goes into each statement as one quoted literal. An application binds
-- parameters instead, so that tokens stay out of the server's statement log.

-- Stops the script when GOT is not WANTED.
CREATE FUNCTION pg_temp.expect(what text, got text, wanted text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    IF got IS DISTINCT FROM wanted THEN
        RAISE EXCEPTION '%: expected %, got %', what, coalesce(wanted, 'NULL'), coalesce(got, 'NULL');
    END IF;
    RETURN format('ok   %s: %s', what, got);
END
$$;

\echo '==> the board: dependency waves of what an executor may take'
SELECT format('wave %s   %s', wave, string_agg(item_id, ', ' ORDER BY item_id COLLATE "C"))
FROM meridian.plan_waves('demo') GROUP BY wave ORDER BY wave;
SELECT pg_temp.expect('waves', max(wave)::text, '4') FROM meridian.plan_waves('demo');

\echo '==> the waves, as a diagram that any Markdown viewer draws'
SELECT meridian.plan_waves_mermaid('demo');

\echo '==> generating a goal'
SELECT handoff ->> 'content' AS content,
       handoff ->> 'board_revision' AS revision,
       substring(handoff ->> 'content' FROM '<goal_token>([A-Za-z0-9_-]{16})</goal_token>') AS token
FROM meridian.generate_handoff('demo', mode => 'goal') AS handoff \gset
\echo :content
SELECT pg_temp.expect('first line', split_part(:'content', E'\n', 1), '/goal');
SELECT pg_temp.expect('markup of a title stands in it as text', (position('&lt;b&gt;' IN :'content') > 0)::text, 'true');
SELECT pg_temp.expect('and never as markup', (position('<b>' IN :'content') > 0)::text, 'false');
SELECT pg_temp.expect('revision in the answer is the live board''s', meridian.verify_live_board('demo', :'revision')::text, 'true');

\echo '==> the receiver verifies it'
SELECT pg_temp.expect('first time', meridian.verify_handoff_token('demo', :'token', :'content') ->> 'reason', 'ok');

\echo '==> somebody presents the same text again'
SELECT verified ->> 'reason' AS reason, verified -> 'recovery' ->> 'signal' AS signal, verified -> 'recovery' ->> 'next_step' AS next_step
FROM meridian.verify_handoff_token('demo', :'token', :'content') AS verified \gset
SELECT pg_temp.expect('second time', :'reason', 'already_consumed');
SELECT pg_temp.expect('what that means', :'signal', 'sibling_likely_acted');
SELECT pg_temp.expect('what to do next', :'next_step', 'cross_check_live_board');

\echo '==> an executor starts and claims the first item'
SELECT started ->> 'session_id' AS session, started ->> 'pending_goal' AS pending_goal
FROM meridian.start_session('demo', 'demo run', role => 'executor') AS started \gset
SELECT pg_temp.expect('the pending goal comes with the session, once', (:'pending_goal' LIKE '/goal%')::text, 'true');
SELECT substring(:'content' FROM '<executor_item_ids count="[0-9]+">([^,<]+)') AS first_item \gset
SELECT pg_temp.expect(format('claim of %s', :'first_item'),
                      meridian.claim_sprint_item('demo', :'first_item', :'session') ->> 'claimed', 'true');
SELECT pg_temp.expect('a second claim of it', meridian.claim_sprint_item('demo', :'first_item', :'session') ->> 'claimed', 'false');

\echo '==> the board is no longer the one that was handed off'
SELECT pg_temp.expect('live board still at that revision', meridian.verify_live_board('demo', :'revision')::text, 'false');
SELECT format('history: %s %s from %s to %s', operation, item_id, old_status, new_status)
FROM meridian.board_changes_since('demo', 0) ORDER BY history_id DESC LIMIT 1;
SELECT pg_temp.expect('the item by name', status, 'in_progress') FROM meridian.cross_check_items('demo', ARRAY[:'first_item']);
SELECT pg_temp.expect('an id that nobody ever made is suspicious', suspicious::text, 'true') FROM meridian.cross_check_items('demo', ARRAY['SHOP-999']);

\echo '==> a new handoff of the board as it is now, and a copy of it with an item slipped in'
SELECT content, substring(content FROM '<goal_token>([A-Za-z0-9_-]{16})</goal_token>') AS token,
       regexp_replace(content, '(<executor_item_ids[^>]*>)', '\1SHOP-999,') AS edited
FROM (SELECT meridian.generate_handoff('demo', mode => 'goal', session_id => :'session') ->> 'content' AS content) AS generated \gset
SELECT pg_temp.expect('the copy differs', (:'edited' <> :'content')::text, 'true');
SELECT pg_temp.expect('the edited copy', meridian.verify_handoff_token('demo', :'token', :'edited') ->> 'reason', 'body_mismatch');

\echo '==> a verification that is rolled back gives the token back'
BEGIN;
SELECT pg_temp.expect('in the transaction', meridian.verify_handoff_token('demo', :'token', :'content') ->> 'reason', 'ok');
SELECT pg_temp.expect('again in it', meridian.verify_handoff_token('demo', :'token', :'content') ->> 'reason', 'already_consumed');
ROLLBACK;
SELECT pg_temp.expect('after the rollback', meridian.verify_handoff_token('demo', :'token', :'content') ->> 'reason', 'ok');
SELECT pg_temp.expect('and spent for good', meridian.verify_handoff_token('demo', :'token', :'content') ->> 'reason', 'already_consumed');

-- The beginning of an answer's text, its mode and its length.
CREATE FUNCTION pg_temp.glimpse(answer jsonb) RETURNS SETOF text LANGUAGE sql AS $$
    SELECT format('%s, %s bytes%s', upper(answer ->> 'mode'), octet_length(answer ->> 'content'),
                  CASE WHEN (answer -> 'retrievable_via_load_handoff')::boolean THEN ', stored' ELSE '' END)
    UNION ALL
    SELECT * FROM (SELECT '    ' || left(line, 110) FROM regexp_split_to_table(answer ->> 'content', E'\n') WITH ORDINALITY AS lines (line, n)
                   WHERE line <> '' ORDER BY n LIMIT 12) AS beginning
$$;
-- What verification says of the token in it, with the whole text presented.
CREATE FUNCTION pg_temp.verified(answer jsonb) RETURNS text LANGUAGE sql AS $$
    SELECT meridian.verify_handoff_token('demo', substring(answer ->> 'content' FROM '<goal_token>([A-Za-z0-9_-]{16})</goal_token>'), answer ->> 'content') ->> 'reason'
$$;

\echo '==> the session finishes its item, says what it found, and asks for a handoff without naming a mode'
SELECT pg_temp.expect(format('%s completed', :'first_item'), meridian.complete_sprint_item('demo', :'first_item', :'session') ->> 'completed', 'true');
INSERT INTO meridian.tasks (project_id, kind, description, session_id) VALUES ('demo', 'found', 'The old export rounds to whole euros.', :'session');
SELECT pg_temp.expect('chosen for a session that goes on', meridian.resolve_handoff_mode(NULL, :'session'), 'delta');
SELECT meridian.generate_handoff('demo', session_id => :'session') AS delta \gset
SELECT pg_temp.glimpse(:'delta');
SELECT pg_temp.expect('its block verifies when the whole text is presented', pg_temp.verified(:'delta'), 'ok');

\echo '==> everything, for a session that starts from nothing'
SELECT meridian.generate_handoff('demo', 'full', :'session') AS answer \gset
SELECT pg_temp.glimpse(:'answer');
SELECT pg_temp.expect('its block verifies', pg_temp.verified(:'answer'), 'ok');

\echo '==> a goal of two items and what they need, for one receiver alone'
SELECT meridian.generate_handoff('demo', 'goal', selected_item_ids => '{SHOP-22,SHOP-21}', pending_goal_receiver => '{"session_name": "day shift"}') AS goal \gset
SELECT pg_temp.expect('with what they need', :'goal'::jsonb #>> '{selected_scope,closure_item_ids}', '["SHOP-11", "SHOP-13", "SHOP-21", "SHOP-22"]');
SELECT pg_temp.expect('another session does not get it', meridian.start_session('demo', 'night shift') #>> '{pending_goal_withheld,reason}', 'addressed_to_other_receiver');

\echo '==> something to paste into a chat'
SELECT meridian.generate_handoff('demo', 'starter') AS answer \gset
SELECT pg_temp.glimpse(:'answer');
SELECT pg_temp.expect('its block verifies', pg_temp.verified(:'answer'), 'ok');
SELECT pg_temp.expect('compact is another name of it', (meridian.strip_goal_token_banner(meridian.generate_handoff('demo', 'compact') ->> 'content') = meridian.strip_goal_token_banner(:'answer'::jsonb ->> 'content'))::text, 'true');

\echo '==> planning with a human: nothing in it can be executed'
SELECT meridian.generate_handoff('demo', 'planner') AS answer \gset
SELECT pg_temp.glimpse(:'answer');
SELECT pg_temp.expect('a block in it', coalesce(meridian.extract_goal_block(:'answer'::jsonb ->> 'content'), 'none'), 'none');

\echo '==> a checkpoint, in 9000 bytes'
SELECT meridian.generate_handoff('demo', 'full', :'session', checkpoint => true, max_content_bytes => 9000) AS answer \gset
SELECT pg_temp.glimpse(:'answer');
SELECT pg_temp.expect('it is a report beside what is stored', :'answer'::jsonb ->> 'retrievable_via_load_handoff', 'false');
SELECT pg_temp.expect('cut around the block, never in it', pg_temp.verified(:'answer'), 'ok');
SELECT pg_temp.expect('what was left out is told', ((substring(:'answer'::jsonb ->> 'content' FROM 'machine_readable=(\{.*\}) -->')::jsonb -> 'omitted_bytes')::int > 0)::text, 'true');

\echo '==> a board that hangs: an answer all the same, within meridian.generation_timeout, and the transaction goes on'
BEGIN;
CREATE VIEW public.slow_board WITH (security_invoker) AS SELECT i.* FROM meridian.sprint_items AS i, pg_sleep(0);
SELECT NULL WHERE meridian.attach_board('demo', 'public.slow_board', track_history => false) IS NULL;
CREATE OR REPLACE VIEW public.slow_board WITH (security_invoker) AS SELECT i.* FROM meridian.sprint_items AS i, pg_sleep(60);
SET LOCAL meridian.generation_timeout = '200ms';
SELECT meridian.generate_handoff('demo', 'goal') AS answer \gset
SELECT pg_temp.glimpse(:'answer');
SELECT pg_temp.expect('degraded', :'answer'::jsonb ->> 'degraded', 'true');
SELECT pg_temp.expect('the transaction goes on', (SELECT name FROM meridian.projects WHERE project_id = 'demo'), 'Bean & Leaf web shop');
ROLLBACK;

\echo '==> after all of these, what is stored is still the goal'
SELECT pg_temp.expect('loaded', meridian.load_handoff('demo') #>> '{handoff,mode}', 'goal');
SELECT pg_temp.expect('it is the text that was generated', (meridian.load_handoff('demo') #>> '{handoff,content}' = meridian.strip_goal_token_banner(:'goal'::jsonb ->> 'content'))::text, 'true');
SELECT pg_temp.expect('and the one it is for gets it', (meridian.start_session('demo', 'day shift', 'executor') ->> 'pending_goal' = meridian.load_handoff('demo') #>> '{handoff,content}')::text, 'true');
