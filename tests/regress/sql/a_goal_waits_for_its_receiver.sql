-- Stored handoffs: what a trusted channel gives, what a newer one replaces, checkpoints, and who picks a goal up.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir /sql/include/helpers.psql
\set ECHO none
\i :helpers
\set ECHO all
SET search_path = meridian;

INSERT INTO projects (project_id, name, execution_mode) VALUES ('waiting', 'Waiting', 'autonomous'), ('waiting-address', 'Addressed', 'interactive');
INSERT INTO sprint_items (project_id, item_id, title, added_at) VALUES ('waiting', 'a', 'A', '2024-01-01 00:00Z'), ('waiting', 'b', 'B', '2024-01-02 00:00Z'), ('waiting-address', 'a', 'A', '2024-01-01 00:00Z');
INSERT INTO sessions (session_id, project_id) VALUES ('waiting-1', 'waiting'), ('waiting-2', 'waiting');

SELECT jsonb_pretty(load_handoff('waiting')) AS nothing_yet;
SELECT generate_handoff('waiting', 'goal') AS response \gset
SELECT load_handoff('waiting') AS loaded \gset
SELECT jsonb_pretty(:'loaded'::jsonb - 'pending_goal' #- '{handoff,content}' #- '{handoff,created_at}') AS loaded;
-- No token at rest; what is stored is the text that the token was for.
SELECT loaded #>> '{handoff,content}' = strip_goal_token_banner(response ->> 'content') AS stored_without_token, loaded ->> 'pending_goal' = loaded #>> '{handoff,content}' AS goal_is_pending,
       encode(sha256(convert_to(loaded #>> '{handoff,content}', 'UTF8')), 'hex') = response ->> 'content_hash' AS as_generated, loaded #>> '{handoff,created_at}' ~ '^\d{4}-\d\d-\d\dT[0-9:.]+Z$' AS utc
FROM (SELECT :'response'::jsonb AS response, :'loaded'::jsonb AS loaded) AS r;
SELECT count(*) FROM handoffs WHERE project_id = 'waiting' AND handoffs::text LIKE '%' || substring(:'response'::jsonb ->> 'content', '<goal_token>([^<]*)<') || '%';
SELECT count(*) FROM pending_goals WHERE project_id = 'waiting' AND (content LIKE '%<goal_token>%' OR content LIKE '%SECURITY:%');
-- Loading takes nothing away.
SELECT load_handoff('waiting') = :'loaded'::jsonb AS same_again;

-- Which generation replaces the one that waits: the same session, receiver and selection, in that order of the columns.
CREATE FUNCTION pg_temp.generated(arguments text, OUT amended text, OUT rows bigint, OUT pending_is_newest boolean, OUT live_tokens bigint, OUT superseded_tokens bigint) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SELECT meridian.generate_handoff(''waiting'', ''goal''%s) ->> ''amended''', arguments) INTO amended;
    SELECT count(*) INTO rows FROM meridian.handoffs WHERE project_id = 'waiting';
    SELECT handoff_id = (SELECT max(handoff_id) FROM meridian.handoffs WHERE project_id = 'waiting') INTO pending_is_newest FROM meridian.pending_goals WHERE project_id = 'waiting';
    SELECT count(*) FILTER (WHERE superseded_at IS NULL), count(superseded_at) INTO live_tokens, superseded_tokens FROM meridian.handoff_tokens WHERE project_id = 'waiting';
END
$$;
SELECT arguments, generated.*
FROM (VALUES
    (1, ''), (2, ''), (3, ', selected_item_ids => ''{a}'''), (4, ', selected_item_ids => ''{a}'''), (5, ', selected_item_ids => ''{b}'''),
    (6, ', session_id => ''waiting-1'''), (7, ', session_id => ''waiting-1'''), (8, ', session_id => ''waiting-2'''),
    (9, ', pending_goal_receiver => ''{"role": "executor"}'''), (10, ', pending_goal_receiver => ''{"role": " executor ", "worktree": ""}'''), (11, ', pending_goal_receiver => ''{"role": "planner"}'''), (12, '')) AS given (n, arguments),
    pg_temp.generated(arguments) AS generated
ORDER BY n;
-- An earlier token of another selection still lives; that of a replaced goal doesn't.
SELECT generate_handoff('waiting', 'goal', selected_item_ids => '{a}') ->> 'content' AS for_a \gset
SELECT generate_handoff('waiting', 'goal', selected_item_ids => '{b}') ->> 'content' AS for_b \gset
SELECT verify_handoff_token('waiting', substring(:'for_a', '<goal_token>([^<]*)<'), :'for_a') ->> 'reason' AS for_a, verify_handoff_token('waiting', substring(:'for_b', '<goal_token>([^<]*)<'), :'for_b') ->> 'reason' AS for_b;
-- After it was picked up nothing is replaced.
SELECT start_session('waiting') -> 'pending_goal' IS DISTINCT FROM 'null' AS picked_up;
SELECT amended FROM pg_temp.generated(', selected_item_ids => ''{b}''');

-- A checkpoint is a row of its own and touches nothing else.
SELECT load_handoff('waiting') AS before, (SELECT count(*) FROM handoffs WHERE project_id = 'waiting') AS rows \gset
UPDATE sprint_items SET title = 'B, renamed', status = 'in_progress' WHERE project_id = 'waiting' AND item_id = 'b';
SELECT generate_handoff('waiting', 'goal', checkpoint => true) AS response \gset
SELECT response ->> 'checkpoint' AS checkpoint, response ->> 'amended' AS amended, verify_handoff_token('waiting', substring(response ->> 'content', '<goal_token>([^<]*)<'), response ->> 'content') ->> 'reason' AS reason
FROM (SELECT :'response'::jsonb AS response) AS r;
SELECT load_handoff('waiting') = :'before'::jsonb AS loads_the_same, (SELECT count(*) - :rows FROM handoffs WHERE project_id = 'waiting') AS more_rows, (SELECT count(*) FROM handoffs WHERE project_id = 'waiting' AND checkpoint) AS checkpoints;
SELECT start_session('waiting') ->> 'pending_goal' = :'before'::jsonb ->> 'pending_goal' AS goal_as_before;
SELECT load_handoff('waiting') -> 'pending_goal' AS pending_goal, load_handoff('waiting') ->> 'has_handoff' AS has_handoff;

-- Addressed: every field that is given must match, whatever the case; the goal stays until it does.
SELECT generate_handoff('waiting-address', 'goal', pending_goal_receiver => '{"session_name": "Build", "role": "executor", "worktree": "/w/app"}') ->> 'mode' AS mode;
SELECT n, answer -> 'pending_goal' <> 'null' AS got_it, answer ->> 'pending_goal_trusted' AS trusted, answer -> 'pending_goal_withheld' AS withheld
FROM (VALUES (1, NULL, NULL, NULL), (2, 'build', 'planner', '/w/app'), (3, 'builder', 'executor', '/w/app'), (4, 'build', 'executor', '/w/app2'), (5, 'build', 'executor', '/w')) AS given (n, name, role, worktree),
    LATERAL start_session('waiting-address', name, role, worktree => worktree) AS answer
ORDER BY n \gx
SELECT answer -> 'pending_goal' <> 'null' AS got_it, answer ->> 'pending_goal_trusted' AS trusted, answer -> 'pending_goal_withheld' AS withheld
FROM start_session('waiting-address', 'BUILD', 'Executor', worktree => E'\\W\\App\\src') AS answer;
SELECT answer -> 'pending_goal' AS pending_goal, answer ->> 'pending_goal_trusted' AS trusted, answer -> 'pending_goal_withheld' AS withheld
FROM start_session('waiting-address', 'build', 'executor', worktree => '/w/app') AS answer;
SELECT outcome, count(*) FROM events WHERE project_id = 'waiting-address' AND event_type = 'session_started' GROUP BY outcome ORDER BY count(*) DESC;

-- What waited for more than a day is handed over all the same, and flagged.
SELECT generate_handoff('waiting-address', 'goal') ->> 'amended' AS amended;
UPDATE pending_goals SET created_at = now() - interval '25 hours' WHERE project_id = 'waiting-address';
SELECT answer -> 'pending_goal' <> 'null' AS got_it, answer ->> 'pending_goal_stale' AS stale FROM start_session('waiting-address') AS answer;

-- No address; nothing is written for one.
SELECT call, error.*
FROM (VALUES
    (1, $$SELECT generate_handoff('waiting', 'goal', pending_goal_receiver => '"executor"')$$),
    (2, $$SELECT generate_handoff('waiting', 'goal', pending_goal_receiver => '{"role": "executor", "host": "x"}')$$),
    (3, $$SELECT generate_handoff('waiting', 'goal', pending_goal_receiver => '{"role": 1}')$$),
    (4, $$SELECT generate_handoff('waiting', 'goal', pending_goal_receiver => jsonb_build_object('role', repeat('x', 513)))$$)) AS refused (n, call), pg_temp.error_of(call) AS error
ORDER BY n \gx
SELECT load_handoff('waiting') -> 'pending_goal' AS pending_goal;
