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
