-- What a project needs and what was reported of it decide whether a goal can be executed; blocked items and documents are told beside it.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir /sql/include/helpers.psql
\set ECHO none
\i :helpers
\set ECHO all
SET search_path = meridian;

INSERT INTO projects (project_id, name) VALUES ('able', 'Able');
INSERT INTO sprint_items (project_id, item_id, title, notes, version) VALUES ('able', 'a', 'A', 'As discussed.', 'v1'), ('able', 'b', 'B', 'As discussed.', 'v2');
INSERT INTO sprint_items (project_id, item_id, title, notes, version, tool_requirements) VALUES ('able', 'c', 'C', 'Draw it.', 'v2', '["plotter"]');
-- What a goal says of it: in the envelope, and in the block that its token covers.
CREATE FUNCTION pg_temp.goal(project text, OUT executable jsonb, OUT reasons jsonb, OUT tag_executable text, OUT tag_reasons text) LANGUAGE sql AS $$
    SELECT g -> 'capability_contract' -> 'executable', g -> 'capability_contract' -> 'executable_reasons',
           substring(g ->> 'content' FROM '<proposal_scope [^>]* executable="(\w+)"'), substring(g ->> 'content' FROM ' executable_reasons="([^"]*)"')
    FROM meridian.generate_handoff(project, 'goal') AS g
$$;

-- Nothing declared, nothing in the way.
SELECT * FROM pg_temp.goal('able');
SELECT set_capability_manifest('able', '{"version": 3, "capabilities": [
    {"id": "search", "purpose": "Find papers", "required_tools": ["finder__query"], "fallback_chain": ["grep"]},
    {"id": "draw", "purpose": "Draw figures", "required_tools": ["plotter"], "availability_policy": "optional"},
    {"id": "build", "purpose": "Compile", "required_tools": ["make"]}]}') - 'manifest_hash' AS answer;
SELECT m.manifest_hash = c -> 'requested' ->> 'manifest_hash' AS same_hash, c -> 'requested' -> 'manifest_version' AS version, jsonb_path_query_array(m.manifest, '$.capabilities[*].id') AS ids
FROM capability_manifests m, capability_contract('able') AS c WHERE project_id = 'able';
-- Nobody has looked.
SELECT * FROM pg_temp.goal('able');
-- The report about a plugin is about its tools; the later one counts; what is optional keeps nothing back.
SELECT report_capability_availability('able', 'finder', 'missing', 'no such server') - 'reported_at' AS answer;
SELECT report_capability_availability('able', 'make', 'missing') -> 'status' AS status;
SELECT report_capability_availability('able', 'plotter', 'missing') -> 'status' AS status;
SELECT report_capability_availability('able', 'make', 'available') -> 'status' AS status;
SELECT tool, status, detail, reported_at > now() - interval '1 hour' AS recent FROM capability_availability WHERE project_id = 'able' ORDER BY tool COLLATE "C";
SELECT * FROM pg_temp.goal('able');
SELECT jsonb_pretty(capability_contract('able') -> 'availability') AS availability;
-- A fallback that works rescues a capability, which is degraded then.
SELECT report_capability_availability('able', 'grep', 'available') -> 'status' AS status;
SELECT * FROM pg_temp.goal('able');
SELECT c -> 'availability' -> 'degraded' AS degraded, c #- '{availability,fallback_used,0,recorded_at}' #> '{availability,fallback_used}' AS fallback_used FROM capability_contract('able') AS c;
-- The contract speaks of the items of a version; the rest of it, and the one in the envelope, are the same.
SELECT version, jsonb_path_query_array(capability_contract('able', version), '$.item_executor_contracts[*].item_id') AS items
FROM unnest('{v1,v2,NULL}'::text[]) AS version;
SELECT generate_handoff('able', 'goal') #- '{capability_contract,generated_at}' -> 'capability_contract' = capability_contract('able') - 'generated_at' AS same;
SELECT string_agg(key, ' ' ORDER BY key COLLATE "C") AS keys FROM jsonb_object_keys(capability_contract('able')) AS key WHERE key NOT LIKE '%\_truncated';

-- An item whose tool is missing is blocked, and what waits for it paused.
INSERT INTO sprint_items (project_id, item_id, title, notes, depends_on) VALUES ('able', 'd', 'D', 'After C.', '{c}');
INSERT INTO sprint_items (project_id, item_id, title, milestone_type) VALUES ('able', 'h', 'Sign', 'human');
SELECT jsonb_pretty(blocker_policy('able') - '{evidence_status,continuation_rationale}'::text[]) AS policy;
SELECT generate_handoff('able', 'goal') -> 'blocker_policy' = blocker_policy('able') AS same;
UPDATE projects SET settings = '{"blocker_policy": "Run_Stop"}' WHERE project_id = 'able';
SELECT p -> 'policy' AS policy, p -> 'run_stop' AS run_stop, p -> 'run_stop_reason' AS reason, p -> 'eligible_item_ids' AS eligible FROM blocker_policy('able') AS p;
-- A policy that does not exist is an error of the one function, and no reason to give no goal.
UPDATE projects SET settings = '{"blocker_policy": "shrug"}' WHERE project_id = 'able';
SELECT * FROM pg_temp.error_of($$SELECT meridian.blocker_policy('able')$$) \gx
SELECT jsonb_typeof(generate_handoff('able', 'goal') -> 'blocker_policy') AS blocker_policy;
UPDATE projects SET settings = '{}' WHERE project_id = 'able';

-- Documents: null until one is in scope.
SELECT jsonb_typeof(generate_handoff('able', 'goal') -> 'docx_integrity') AS docx_integrity;
INSERT INTO artifact_checks (project_id, item_id, path, check_name, status, detail, checked_at) VALUES
    ('able', 'a', 'paper.docx', 'render', 'passed', NULL, '2024-01-01 00:00Z'), ('able', 'a', 'paper.docx', 'render', 'failed', '{"reason": "torn"}', '2024-01-02 00:00Z');
SELECT d -> 'executable' AS executable, d -> 'checked_artifacts' -> 0 -> 'unresolved_reasons' AS unresolved FROM generate_handoff('able', 'goal') AS g, LATERAL (SELECT g -> 'docx_integrity' AS d) AS docx;
UPDATE sprint_items SET artifact_policy = '{"artifact_pointer_check": "strict"}' WHERE project_id = 'able' AND item_id = 'a';
SELECT d -> 'executable' AS executable, d -> 'executable_reasons' AS reasons FROM generate_handoff('able', 'goal') AS g, LATERAL (SELECT g -> 'docx_integrity' AS d) AS docx;

-- A cut clause degrades and does not stop, a missing capability beside it does.
INSERT INTO projects (project_id, name) VALUES ('able-long', 'Long');
INSERT INTO sprint_items (project_id, item_id, title, required_tool) SELECT 'able-long', 'i' || n, 'I', 'make' FROM generate_series(10, 26) AS n;
SELECT * FROM pg_temp.goal('able-long');
SELECT set_capability_manifest('able-long', '[{"id": "build", "purpose": "Compile", "required_tools": ["make"]}]') -> 'capabilities' AS capabilities;
SELECT report_capability_availability('able-long', 'make', 'unknown') -> 'status' AS status;
SELECT * FROM pg_temp.goal('able-long');
-- Taken back.
SELECT set_capability_manifest('able-long', '[]') -> 'capabilities' AS capabilities;
SELECT * FROM pg_temp.goal('able-long');

-- Refused with every problem named, and nothing of it stored or repeated.
SELECT code, message, jsonb_pretty(detail::jsonb) AS detail, hint
FROM pg_temp.error_of($$SELECT meridian.set_capability_manifest('able', '[{"id": "a", "purpose": " ", "required_tools": [], "wish": 1}, {"id": "a", "purpose": "See /home/me/tool", "required_tools": ["t"]}]')$$) \gx
SELECT call, error.code, error.message, error.hint
FROM (VALUES
    (1, $$SELECT set_capability_manifest('able', '"none"')$$),
    (2, $$SELECT set_capability_manifest('nowhere', '[]')$$),
    (3, $$SELECT report_capability_availability('able', ' make', 'available')$$),
    (4, $$SELECT report_capability_availability('able', 'make', 'fine')$$),
    (5, $$SELECT report_capability_availability('able', 'make', 'missing', 'not in C:\Users\me\bin')$$),
    (6, $$SELECT report_capability_availability('nowhere', 'make', 'missing')$$),
    (7, $$SELECT capability_contract('nowhere')$$),
    (8, $$SELECT blocker_policy('nowhere')$$)) AS refused (n, call), pg_temp.error_of(call) AS error
ORDER BY n \gx
SELECT jsonb_array_length(manifest -> 'capabilities') AS capabilities, (SELECT count(*) FROM capability_availability WHERE project_id = 'able') AS reports FROM capability_manifests WHERE project_id = 'able';
-- One event for each call that stored something, naming no tool.
SELECT event_type, outcome, count(*), bool_and(actor = current_user) AS by_role FROM events WHERE project_id = 'able' AND event_type LIKE 'capability%' GROUP BY event_type, outcome ORDER BY event_type, outcome;
