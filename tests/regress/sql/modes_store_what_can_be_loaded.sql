-- What is stored of each mode: a goal stays what load_handoff gives until another mode that is stored takes its place, and a
-- session gets the block alone. A checkpoint is a row of its own that replaces nothing.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir /sql/include/helpers.psql
\set ECHO none
\i :helpers
\set ECHO all
SET search_path = meridian;

INSERT INTO projects (project_id, name, north_star) VALUES ('stored', 'Stored', 'Be found');
INSERT INTO sprint_items (project_id, item_id, title) VALUES ('stored', 'a', 'First'), ('stored', 'b', 'Second');
CREATE FUNCTION pg_temp.loaded() RETURNS TABLE (mode text, stored bigint, checkpoints bigint, pending text) LANGUAGE sql AS $$
    SELECT load_handoff('stored') #>> '{handoff,mode}', (SELECT count(*) FROM handoffs WHERE project_id = 'stored' AND NOT checkpoint), (SELECT count(*) FROM handoffs WHERE project_id = 'stored' AND checkpoint),
           split_part(load_handoff('stored') ->> 'pending_goal', E'\n', 1)
$$;
SELECT generate_handoff('stored', 'goal') AS goal \gset

-- None of these touches it.
SELECT n, called, pg_temp.answer_undone('SELECT to_jsonb(l) FROM pg_temp.loaded() AS l') AS loaded FROM (VALUES (1, 'starter', false), (2, 'compact', false), (3, 'planner', false), (4, 'full', true), (5, 'delta', true), (6, 'goal', true), (7, 'planner', true), (8, 'starter', true)) AS modes (n, mode, checkpoint),
LATERAL (SELECT answer ->> 'mode' || CASE WHEN (answer ->> 'checkpoint')::boolean THEN ' checkpoint' ELSE '' END || ' ' || (answer ->> 'amended') AS called FROM generate_handoff('stored', mode, checkpoint => checkpoint) AS answer) AS c ORDER BY n;
SET meridian.generation_timeout = '1ms';
CREATE VIEW public.stored_hanging WITH (security_invoker) AS SELECT 'a'::text AS item_id, 'todo'::text AS status FROM pg_sleep(0);
INSERT INTO projects (project_id, name) VALUES ('stored-hanging', 'Hanging');
SELECT attach_board('stored-hanging', 'public.stored_hanging', '{"project_id": null}', track_history => false);
CREATE OR REPLACE VIEW public.stored_hanging WITH (security_invoker) AS SELECT 'a'::text AS item_id, 'todo'::text AS status FROM pg_sleep(60);
SELECT generate_handoff('stored-hanging', 'goal') ->> 'mode' AS mode, load_handoff('stored-hanging') ->> 'has_handoff' AS has_handoff;
RESET meridian.generation_timeout;
SELECT load_handoff('stored') #>> '{handoff,content}' = strip_goal_token_banner(:'goal'::jsonb ->> 'content') AS still_the_goal, load_handoff('stored') ->> 'pending_goal' = load_handoff('stored') #>> '{handoff,content}' AS pending_too;
SELECT count(*) AS pending_after_checkpoints, count(DISTINCT checkpoint) AS kinds FROM handoffs WHERE project_id = 'stored';

-- The next one that is stored takes its place, whatever its mode, and its token goes with it. The pending goal is the block.
SELECT generate_handoff('stored', 'full') AS full_handoff \gset
SELECT :'full_handoff'::jsonb ->> 'amended' AS amended, l.* FROM pg_temp.loaded() AS l;
SELECT load_handoff('stored') #>> '{handoff,content}' = strip_goal_token_banner(:'full_handoff'::jsonb ->> 'content') AS whole,
       load_handoff('stored') ->> 'pending_goal' = strip_goal_token_banner(extract_goal_block(:'full_handoff'::jsonb ->> 'content')) AS block;
SELECT verify_handoff_token('stored', substring(content, '<goal_token>([^<]*)<'), content) - 'recovery' AS of_the_goal FROM (SELECT :'goal'::jsonb ->> 'content' AS content) AS c;
SELECT start_session('stored', 'taker') ->> 'pending_goal' = strip_goal_token_banner(extract_goal_block(:'full_handoff'::jsonb ->> 'content')) AS delivered;
-- The goal was taken, so the next is a row of its own.
SELECT answer ->> 'amended' AS amended, l.* FROM generate_handoff('stored', 'delta') AS answer, LATERAL (SELECT * FROM pg_temp.loaded() WHERE answer IS NOT NULL) AS l;
-- What is stored is never cut, whatever goes over the wire.
SELECT generate_handoff('stored', 'full', max_content_bytes => 500) AS short \gset
SELECT octet_length(:'short'::jsonb ->> 'content') < 9000 AS cut, load_handoff('stored') #>> '{handoff,content}' LIKE '%' || E'\n## Session span\n' || '%' AS whole,
       :'short'::jsonb ->> 'content_hash' = (SELECT content_hash FROM handoffs WHERE project_id = 'stored' ORDER BY handoff_id DESC LIMIT 1) AS hash_of_the_whole;
CREATE OR REPLACE VIEW public.stored_hanging WITH (security_invoker) AS SELECT 'a'::text AS item_id, 'todo'::text AS status FROM pg_sleep(0);
SELECT detach_board('stored-hanging');
DROP VIEW public.stored_hanging;
