-- A question to a human is an open gate, stands in the handoffs that list its item, and is answered once.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir /sql/include/helpers.psql
\set ECHO none
\i :helpers
\set ECHO all
SET search_path = meridian;

INSERT INTO projects (project_id, name) VALUES ('hitl', 'Questions'), ('hitl-other', 'Another');
INSERT INTO sessions (session_id, project_id) VALUES ('hitl-1', 'hitl'), ('hitl-2', 'hitl-other');
INSERT INTO sprint_items (project_id, item_id, title, version) VALUES ('hitl', 'a', 'A', 'v1'), ('hitl', 'b', 'B', 'v2');

SELECT answer - 'gate_id' AS answer, answer ->> 'gate_id' AS gate FROM request_hitl('hitl', 'Which colour?', 'a', 'high', 'hitl-1') AS answer \gset asked_
SELECT :'asked_answer' AS answer;
SELECT item_id, question, urgency, status, answer, session_id, answered_at FROM hitl_gates WHERE project_id = 'hitl' AND gate_id = :'asked_gate';
-- About the project as a whole, with the defaults.
SELECT answer ->> 'gate_id' AS gate FROM request_hitl('hitl', 'Who pays?') AS answer \gset project_
SELECT item_id, question, urgency, status, session_id FROM hitl_gates WHERE project_id = 'hitl' AND gate_id = :'project_gate';

-- Shown where the item is listed, and counted in the scope.
SELECT version, content LIKE '%Which colour?%' AS asks_about_a, content LIKE '%Who pays?%' AS asks_about_the_project
FROM unnest('{v1,v2}'::text[]) AS version, LATERAL (SELECT generate_handoff('hitl', 'goal', version => version) ->> 'content' AS content) AS handoff;

SELECT answer_hitl('hitl', :'asked_gate', 'Blue') - 'gate_id' AS answer;
SELECT status, answer, answered_at IS NOT NULL AS has_answered_at FROM hitl_gates WHERE project_id = 'hitl' AND gate_id = :'asked_gate';
SELECT generate_handoff('hitl', 'goal', version => 'v1') ->> 'content' LIKE '%Which colour?%' AS still_asked;

-- The events name neither the question nor the answer.
SELECT event_type, session_id, actor = coalesce(session_id, current_user) AS by_session_or_role, item_id, outcome
FROM events WHERE project_id = 'hitl' AND event_type LIKE 'hitl%' ORDER BY event_id;
SELECT count(*) FROM events WHERE project_id = 'hitl' AND (events::text LIKE '%colour%' OR events::text LIKE '%Blue%' OR events::text LIKE '%pays%');

UPDATE hitl_gates SET gate_id = 'answered' WHERE project_id = 'hitl' AND gate_id = :'asked_gate';
INSERT INTO hitl_gates (project_id, gate_id, question, status) VALUES ('hitl', 'withdrawn', 'Never mind?', 'withdrawn'), ('hitl-other', 'theirs', 'What?', 'open');
SELECT call, error.*
FROM (VALUES
    (1, $$SELECT answer_hitl('hitl', 'answered', 'Red')$$),
    (2, $$SELECT answer_hitl('hitl', 'withdrawn', 'Red')$$),
    (3, $$SELECT answer_hitl('hitl', 'theirs', 'Red')$$),
    (4, $$SELECT answer_hitl('hitl', 'no such gate', 'Red')$$),
    (5, $$SELECT answer_hitl('nowhere', 'answered', 'Red')$$),
    (6, $$SELECT request_hitl('hitl', '   ')$$),
    (7, $$SELECT request_hitl('hitl', 'What?', 'no such item')$$),
    (8, $$SELECT request_hitl('hitl', 'What?', urgency => 'now')$$),
    (9, $$SELECT request_hitl('hitl', 'What?', session_id => 'hitl-2')$$),
    (10, $$SELECT request_hitl('nowhere', 'What?')$$)) AS refused (n, call), pg_temp.error_of(call) AS error
ORDER BY n \gx
SELECT answer FROM hitl_gates WHERE project_id = 'hitl' AND gate_id = 'answered';
