-- A board with rows in every table that people write, for whoever may write them: project `demo` on the extension's own
-- table, project `attached` on a table of the user's, project `unattached` with a table that could become its board.

INSERT INTO meridian.projects (project_id, name, tenant_id, north_star, version_goal, agent_instructions, settings) VALUES
    ('demo', 'Web shop', 'acme', E'Sell "things" <quickly>,\nwith care \\ taste', 'Checkout', 'Ask first.', '{"executor_config": {"branch": "main"}}'),
    ('attached', 'Tracker', NULL, NULL, NULL, NULL, '{}'),
    ('unattached', 'Another tracker', NULL, NULL, NULL, NULL, '{}'),
    ('silent', 'Without history', NULL, NULL, NULL, NULL, '{"history": false}');

INSERT INTO meridian.sprint_items (project_id, item_id, title, priority, depends_on, version)
SELECT 'demo', 'T-' || n, format(E'Item %s & its <friends>\t– läuft', n), (ARRAY['urgent', 'high', 'normal', 'low'])[1 + n % 4],
       CASE WHEN n % 5 = 0 THEN ARRAY['T-' || n - 1] ELSE '{}' END, CASE WHEN n % 3 = 0 THEN 'v2' END
FROM generate_series(1, 40) AS n;
INSERT INTO meridian.sprint_items (project_id, item_id, title) VALUES ('demo', 'C-1', 'Claimed'), ('demo', 'gone', 'Deleted'), ('silent', 'S-1', 'Unseen');
UPDATE meridian.sprint_items SET status = 'done', completed_at = now() WHERE item_id IN ('T-1', 'T-2');
DELETE FROM meridian.sprint_items WHERE item_id = 'gone';

INSERT INTO meridian.sprint_item_pointers (project_id, item_id, targets) VALUES ('demo', 'T-3', '[{"uri": "src/a.rs", "target_kind": "file"}]');
-- The second gate is passed: a row that may not change any more and must still be restored.
INSERT INTO meridian.wave_gates (project_id, gate_id, wave_start, actions, passed_at) VALUES
    ('demo', 'g-1', 'w9', '{deploy}', NULL), ('demo', 'g-2', 'w1', '{push_dev}', now());
INSERT INTO meridian.decisions (project_id, title, body) VALUES ('demo', 'Rust', 'Because.');
INSERT INTO meridian.notes (project_id, title, body) VALUES ('demo', 'A note', E'two\nlines');
INSERT INTO meridian.tasks (project_id, description) VALUES ('demo', 'Looked around'), ('demo', 'Looked again');
INSERT INTO meridian.hitl_gates (project_id, gate_id, item_id, question) VALUES ('demo', 'q-1', 'T-4', 'Which day?');
INSERT INTO meridian.sprint_versions (project_id, version, description) VALUES ('demo', '', 'All green'), ('demo', 'v2', 'The second');
INSERT INTO meridian.workspace_decisions (tenant_id, title) VALUES ('acme', 'One'), (NULL, 'Nobody''s');
INSERT INTO meridian.workspace_notes (tenant_id, title) VALUES ('acme', 'One'), (NULL, 'Nobody''s');
INSERT INTO meridian.workspace_settings (tenant_id, settings) VALUES ('acme', '{"a": 1}'), (NULL, '{}');
INSERT INTO meridian.artifact_checks (project_id, item_id, path, check_name, status) VALUES ('demo', 'T-5', 'a.docx', 'opens', 'passed');

CREATE TABLE public.tracker (
    key integer PRIMARY KEY,
    state text NOT NULL DEFAULT 'open',
    name text NOT NULL,
    needs integer[] NOT NULL DEFAULT '{}',
    holder text
);
INSERT INTO public.tracker (key, name, needs)
SELECT n, 'Ticket ' || n, CASE WHEN n % 4 = 0 THEN ARRAY[n - 1] ELSE '{}' END FROM generate_series(1, 12) AS n;
CREATE TABLE public.other_tracker (LIKE public.tracker INCLUDING ALL);
INSERT INTO public.other_tracker SELECT * FROM public.tracker;
