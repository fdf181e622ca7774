-- Sessions: what beginning one answers, ending it once, and the mode that a session resolves to.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir /sql/include/helpers.psql
\set ECHO none
\i :helpers
\set ECHO all
SET search_path = meridian;

INSERT INTO projects (project_id, name, execution_mode, settings) VALUES ('session', 'A project', 'autonomous', '{}'), ('session-slow', 'Slow', 'interactive', '{}'), ('session-turns', 'Turns', 'autonomous', '{"executor_config": {"max_planning_turns": 99}}');
SELECT start_session('session', 'fixing things', 'executor', 'ann', 'v1', '/w') AS answer \gset
SELECT jsonb_pretty(:'answer'::jsonb - 'session_id' #- '{execution_policy,genuine_blocker_escalation}' #- '{capability_contract}') AS answer;
-- What can be executed, before anything is claimed: the same that capability_contract() says.
SELECT (:'answer'::jsonb -> 'capability_contract') - 'generated_at' = capability_contract('session', 'v1') - 'generated_at' AS same,
       :'answer'::jsonb #> '{capability_contract,executable}' AS executable, :'answer'::jsonb #> '{capability_contract,executable_reasons}' AS reasons;
SELECT :'answer'::jsonb ->> 'session_id' AS session \gset
SELECT project_id, name, role, human_id, version, worktree, status, ended_at FROM sessions WHERE session_id = :'session';
-- The defaults; blank is none.
SELECT answer -> 'role' AS role, answer -> 'version' AS version FROM start_session('session', role => ' ', version => '') AS answer;
SELECT project, policy ->> 'execution_mode' AS execution_mode, policy ->> 'max_planning_turns' AS max_planning_turns, policy ->> 'required_first_action' AS required_first_action, policy ->> 'no_confirmation' AS no_confirmation,
       policy ->> 'permitted_parallel_wave' AS permitted_parallel_wave, policy ->> 'claim_before_edit' AS claim_before_edit, policy ->> 'genuine_blocker_escalation' <> '' AS escalates
FROM unnest('{session,session-slow,session-turns}'::text[]) AS project, LATERAL (SELECT start_session(project) -> 'execution_policy' AS policy) AS p;

SELECT end_session(:'session');
SELECT status, ended_at IS NOT NULL AS has_ended_at FROM sessions WHERE session_id = :'session';
SELECT end_session(:'session') AS again;
SELECT event_type, count(*) FROM events WHERE project_id = 'session' AND session_id = :'session' GROUP BY event_type ORDER BY event_type COLLATE "C";

INSERT INTO sessions (session_id, project_id, role) VALUES ('session-executor', 'session', 'executor'), ('session-planner', 'session', 'planner'), ('session-reviewer', 'session', 'reviewer'), ('session-none', 'session', NULL);
SELECT requested, session, resolve_handoff_mode(requested, session) AS mode
FROM (VALUES (1, NULL, NULL), (2, NULL, 'session-executor'), (3, NULL, 'session-planner'), (4, NULL, 'session-reviewer'), (5, NULL, 'session-none'), (6, 'full', NULL), (7, 'starter', 'session-planner'), (8, 'planner', 'session-executor')) AS given (n, requested, session)
ORDER BY n;
SELECT generate_handoff('session', 'goal', 'session-planner', checkpoint => true) ->> 'mode' AS mode;
SELECT resolve_handoff_mode(NULL, 'session-planner') AS resumed, resolve_handoff_mode('goal', 'session-planner') AS asked_for, resolve_handoff_mode(session_id => 'session-executor') AS not_resumed;
SELECT call, error.*
FROM (VALUES
    (1, $$SELECT start_session('nowhere')$$),
    (2, $$SELECT end_session('no such session')$$),
    (3, $$SELECT resolve_handoff_mode('everything')$$),
    (4, $$SELECT resolve_handoff_mode(NULL, 'no such session')$$)) AS refused (n, call), pg_temp.error_of(call) AS error
ORDER BY n \gx
