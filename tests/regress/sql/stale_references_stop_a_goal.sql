-- A dependency on an item that is not there, or was merged away, stops a goal in whose scope it lies.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir /sql/include/helpers.psql
\set ECHO none
\i :helpers
\set ECHO all
SET search_path = meridian;

INSERT INTO projects (project_id, name) VALUES ('stale', 'Stale'), ('stale-other', 'Another');
INSERT INTO sprint_items (project_id, item_id, title, status, version, depends_on, merged_into) VALUES
    ('stale', 'survivor', 'Survivor',          'todo',        'v1', '{}',                       NULL),
    ('stale', 'merged',   'Merged',            'skipped',     'v1', '{}',                       'survivor'),
    ('stale', 'z',        'Two wrong, one ok', 'todo',        'v1', '{gone,merged,survivor}',   NULL),
    ('stale', 'running',  'Running',           'in_progress', 'v1', '{theirs}',                 NULL),
    ('stale', 'finished', 'Finished',          'done',        'v1', '{gone}',                   NULL),
    ('stale', 'other',    'Of version 2',      'todo',        'v2', '{gone-too}',               NULL),
    ('stale', 'fine',     'Fine',              'todo',        'v3', '{survivor,running,finished}', NULL),
    ('stale-other', 'theirs', 'Theirs',        'done',        'v1', '{}',                       NULL);
SELECT call, error.code, error.message, jsonb_pretty(error.detail::jsonb) AS detail, error.hint
FROM (VALUES
    (1, $$SELECT generate_handoff('stale', 'goal')$$),
    (2, $$SELECT generate_handoff('stale', 'goal', version => 'v1')$$),
    (3, $$SELECT generate_handoff('stale', 'goal', selected_item_ids => '{other,survivor}')$$)) AS refused (n, call), pg_temp.error_of(call) AS error
ORDER BY n \gx
-- What lies outside the scope is no concern of it.
SELECT generate_handoff('stale', 'goal', version => 'v3') ->> 'mode' AS mode;
SELECT generate_handoff('stale', 'goal', selected_item_ids => '{survivor}') ->> 'mode' AS mode;
SELECT count(*) AS tokens FROM handoff_tokens WHERE project_id = 'stale';
UPDATE sprint_items SET depends_on = '{survivor}' WHERE project_id = 'stale' AND item_id IN ('z', 'running', 'other');
SELECT generate_handoff('stale', 'goal') ->> 'mode' AS mode;
