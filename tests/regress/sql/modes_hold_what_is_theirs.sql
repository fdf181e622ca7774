-- Every mode over one rich board: the keys of its answer, what it may hold, what is stored of it, and that its block verifies.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir /sql/include/helpers.psql
\set ECHO none
\i :helpers
\set ECHO all
SET search_path = meridian;

INSERT INTO projects (project_id, tenant_id, name, north_star, version_goal, sprint_focus, agent_instructions, settings)
VALUES ('modes', 'modes-tenant', 'Modes', 'NORTH-STAR', 'VERSION-GOAL', 'SPRINT-FOCUS', 'INSTRUCTIONS', '{"executor_config": {"test_cmd": "make MODES-TEST"}}');
INSERT INTO sprint_items (project_id, item_id, title, status, version) VALUES
    ('modes', 'todo', 'TITLE-TODO', 'todo', 'v1'), ('modes', 'running', 'TITLE-RUNNING', 'in_progress', 'v1'), ('modes', 'later', 'TITLE-LATER', 'todo', 'v2');
INSERT INTO sprint_items (project_id, item_id, title, status, version, completed_at) VALUES ('modes', 'done', 'TITLE-DONE', 'done', 'v1', '2024-01-01 00:00Z');
INSERT INTO decisions (project_id, title, body) VALUES ('modes', 'DECISION', 'DECISION-BODY');
INSERT INTO decisions (project_id, title, status, pinned) VALUES ('modes', 'DECISION-SUPERSEDED', 'superseded', true), ('modes', 'DECISION-UNPINNED', 'active', false);
INSERT INTO notes (project_id, title, body, tags) VALUES ('modes', 'NOTE', 'NOTE-BODY', '{TAG}');
INSERT INTO tasks (project_id, kind, description) VALUES ('modes', 'found', 'TASK-FOUND'), ('modes', 'progress', 'TASK-PROGRESS');
INSERT INTO hitl_gates (project_id, item_id, question) VALUES ('modes', 'todo', 'QUESTION');
INSERT INTO sessions (session_id, project_id, name, role) VALUES ('modes-session', 'modes', 'SESSION-NAME', 'executor');
INSERT INTO workspace_decisions (tenant_id, title) VALUES ('modes-tenant', 'WORKSPACE-DECISION'), ('another-tenant', 'FOREIGN-DECISION'), (NULL, 'NO-TENANT-DECISION');
INSERT INTO workspace_notes (tenant_id, title) VALUES ('modes-tenant', 'WORKSPACE-NOTE'), ('another-tenant', 'FOREIGN-NOTE'), (NULL, 'NO-TENANT-NOTE');

CREATE FUNCTION pg_temp.stored(hash text, content text) RETURNS bigint LANGUAGE sql AS $$
    SELECT count(*) FROM meridian.handoffs h WHERE h.project_id = 'modes' AND h.content_hash = hash AND h.content = meridian.strip_goal_token_banner(content)
$$;
CREATE TEMPORARY TABLE mode (n serial, mode text PRIMARY KEY);
INSERT INTO mode (mode) VALUES ('planner'), ('full'), ('delta'), ('starter'), ('compact'), ('goal');
CREATE TEMPORARY TABLE answer AS SELECT n, mode, generate_handoff('modes', mode, version => 'v1', ai_summary => 'AI-SUMMARY') AS response FROM mode ORDER BY n;

-- Every key in every mode.
SELECT string_agg(key, ' ' ORDER BY key COLLATE "C") AS keys, modes FROM (
    SELECT key, string_agg(mode, ' ' ORDER BY n) AS modes FROM answer, jsonb_object_keys(response) AS key GROUP BY key) AS k
GROUP BY modes;
SELECT mode, response ->> 'mode' AS answered, response -> 'degraded' AS degraded, response -> 'retrievable_via_load_handoff' AS retrievable, handoff_mode_is_retrievable(mode) AS same,
       jsonb_typeof(response -> 'continuation_status') AS continuation, response -> 'item_counts' AS counts, response -> 'scope' AS scope
FROM answer ORDER BY n;

-- What each of them holds.
SELECT word, string_agg(CASE WHEN strpos(response ->> 'content', word) > 0 THEN mode ELSE repeat('-', length(mode)) END, ' ' ORDER BY n) AS modes
FROM answer, unnest(ARRAY['NORTH-STAR', 'VERSION-GOAL', 'SPRINT-FOCUS', 'INSTRUCTIONS', 'TITLE-TODO', 'TITLE-RUNNING', 'TITLE-DONE', 'TITLE-LATER', 'DECISION-BODY', 'DECISION-SUPERSEDED', 'DECISION-UNPINNED',
    'NOTE-BODY', 'TASK-FOUND', 'TASK-PROGRESS', 'QUESTION', 'SESSION-NAME', 'AI-SUMMARY', 'WORKSPACE-DECISION', 'WORKSPACE-NOTE', 'FOREIGN-DECISION', 'FOREIGN-NOTE', 'NO-TENANT-DECISION', 'NO-TENANT-NOTE',
    'MODES-TEST', 'start_session', '<goal_token>', '<project_start_config', '<proposal_scope', '<continuation_manifest>', '<run_timeline>', '=== HANDOFF READINESS ===', '## L0 · Core', '## L1 · Current state', '## L2 · History',
    '## Session span', '<!-- end of /goal -->']) WITH ORDINALITY AS words (word, at)
GROUP BY word, at ORDER BY at;

-- The block of each verifies when the whole content is presented, and once. content_hash is that of the content without its
-- token, which is what is stored. (A generation for the same receiver retires the one before it, so they go one by one.)
SELECT n, mode, verified.*, of_the_text, stored FROM mode
CROSS JOIN LATERAL (SELECT response, response ->> 'content' AS content, response -> 'content_hash' AS hash FROM (SELECT generate_handoff('modes', mode, version => 'v1') AS response OFFSET 0) AS g) AS g
CROSS JOIN LATERAL (SELECT verify_handoff_token('modes', token, content) ->> 'reason' AS first, verify_handoff_token('modes', token, content) ->> 'reason' AS second
                    FROM substring(content FROM '<goal_token>([^<]*)<') AS token) AS verified
CROSS JOIN LATERAL (SELECT hash #>> '{}' = encode(sha256(convert_to(strip_goal_token_banner(content), 'UTF8')), 'hex') AS of_the_text, pg_temp.stored(hash #>> '{}', content) AS stored) AS compared
ORDER BY n;

-- A template of the workspace's takes the place of full's layers; its placeholders are text, and nothing else is touched.
INSERT INTO workspace_settings (tenant_id, settings) VALUES ('modes-tenant', jsonb_build_object('handoff_template', E'Star: {{north_star}}\nOpen: {{pending_items}}\nUnknown: {{nothing}}'));
SELECT line FROM regexp_split_to_table(generate_handoff('modes', 'full', version => 'v1') ->> 'content', E'\n') AS line WHERE line ~ '^(Star|Open|Unknown)' OR line ~ '## L0';
SELECT strpos(generate_handoff('modes', mode) ->> 'content', 'Star: ') > 0 AS templated FROM mode WHERE mode <> 'full';

-- A selection narrows the lists of every mode, the planner's included.
SELECT mode, response #> '{selected_scope,selected_item_ids}' AS selected, strpos(response ->> 'content', 'TITLE-LATER') > 0 AS later
FROM mode, LATERAL (SELECT generate_handoff('modes', mode, selected_item_ids => '{todo}') AS response) AS g ORDER BY n;
SELECT mode, error.code, error.detail FROM mode, pg_temp.error_of(format($$SELECT generate_handoff('modes', %L, selected_item_ids => '{nobody}')$$, mode)) AS error ORDER BY n;

DELETE FROM workspace_settings; DELETE FROM workspace_decisions; DELETE FROM workspace_notes;
