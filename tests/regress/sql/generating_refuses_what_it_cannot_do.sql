-- Arguments of generate_handoff that are refused and leave nothing behind, and those that change nothing for a goal.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir /sql/include/helpers.psql
\set ECHO none
\i :helpers
\set ECHO all
SET search_path = meridian;

INSERT INTO projects (project_id, name) VALUES ('refusing', 'Refusing'), ('refusing-other', 'Another');
INSERT INTO sessions (session_id, project_id, role) VALUES ('refusing-1', 'refusing', 'executor'), ('refusing-planner', 'refusing', 'planner'), ('refusing-2', 'refusing-other', NULL);
INSERT INTO sprint_items (project_id, item_id, title) SELECT 'refusing', 'i' || n, repeat('A long title. ', 20) FROM generate_series(10, 60) AS n;
SELECT call, error.*
FROM (VALUES
    (1, $$SELECT generate_handoff('refusing', 'everything')$$),
    (2, $$SELECT generate_handoff('refusing', 'Goal')$$),
    (3, $$SELECT generate_handoff('refusing', '')$$),
    (4, $$SELECT generate_handoff('refusing', 'l0_fallback')$$),
    (12, $$SELECT generate_handoff('refusing', 'goal', emit_manifest => true)$$),
    (13, $$SELECT generate_handoff('refusing', 'goal', research_evidence_envelope => '{}')$$),
    (15, $$SELECT generate_handoff('refusing', 'goal', max_content_bytes => 0)$$),
    (16, $$SELECT generate_handoff('refusing', 'goal', max_content_bytes => -2)$$),
    (17, $$SELECT generate_handoff('refusing', 'goal', session_id => 'no such session')$$),
    (18, $$SELECT generate_handoff('refusing', 'goal', session_id => 'refusing-2')$$),
    (19, $$SELECT generate_handoff('nowhere', 'goal')$$),
    (20, $$SELECT load_handoff('nowhere')$$)) AS refused (n, call), pg_temp.error_of(call) AS error
ORDER BY n \gx
SELECT (SELECT count(*) FROM handoff_tokens WHERE project_id = 'refusing') AS tokens, (SELECT count(*) FROM handoffs WHERE project_id = 'refusing') AS handoffs, (SELECT count(*) FROM events WHERE project_id = 'refusing') AS events;

-- A goal starts with its block, so no budget cuts it.
SELECT max_content_bytes, octet_length(content) > 1000 AS large, verify_handoff_token('refusing', substring(content, '<goal_token>([^<]*)<'), content) ->> 'reason' AS reason
FROM unnest('{-1,1,1000,2147483647,NULL}'::integer[]) AS max_content_bytes, LATERAL (SELECT generate_handoff('refusing', 'goal', max_content_bytes => max_content_bytes) ->> 'content' AS content) AS c;
-- Nothing failed, so asking for strictness refuses nothing; a summary stands outside any block, and a goal is nothing but its block.
SELECT plain = strict_evidence AS same_as_strict_evidence, plain = strict_continuation AS same_as_strict_continuation, plain = with_summary AS same_as_with_summary
FROM (SELECT strip_goal_token_banner(generate_handoff('refusing', 'goal') ->> 'content') AS plain,
             strip_goal_token_banner(generate_handoff('refusing', 'goal', strict_evidence => true) ->> 'content') AS strict_evidence,
             strip_goal_token_banner(generate_handoff('refusing', 'goal', strict_continuation => true) ->> 'content') AS strict_continuation,
             strip_goal_token_banner(generate_handoff('refusing', 'goal', ai_summary => 'In short') ->> 'content') AS with_summary) AS c;
-- Without a mode: a goal, also for an executor; who generated before goes on in delta.
SELECT generate_handoff('refusing') ->> 'mode' AS mode, generate_handoff('refusing', session_id => 'refusing-1') ->> 'mode' AS of_an_executor;
SELECT generate_handoff('refusing', session_id => 'refusing-1') ->> 'mode' AS of_one_who_goes_on, generate_handoff('refusing', session_id => 'refusing-planner') ->> 'mode' AS of_a_planner;
