-- The claimable batch in dependency waves, counted from 1, and the same as a chart.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir /sql/include/helpers.psql
\set ECHO none
\i :helpers
\set ECHO all
SET search_path = meridian;

INSERT INTO projects (project_id, name) VALUES ('waves', 'Waves'), ('waves-empty', 'Empty'), ('waves-ring', 'Ring');
INSERT INTO sprint_items (project_id, item_id, title, status, version, priority, depends_on, milestone_type, added_at) VALUES
    ('waves', 'top',     'Needs both sides',              'todo',        'v1', 'urgent', '{right,left}',  'task',  '2024-01-01 00:00Z'),
    ('waves', 'left',    'Left',                          'todo',        'v1', 'normal', '{root,done}',   'task',  '2024-01-02 00:00Z'),
    ('waves', 'right',   'Right "quoted" --> [x] <b>&',   'pending',     'v1', 'high',   '{root}',        'task',  '2024-01-03 00:00Z'),
    ('waves', 'root',    'Root',                          'todo',        'v1', 'low',    '{}',            'task',  '2024-01-04 00:00Z'),
    ('waves', 'long',    repeat('x', 60) || 'y',          'todo',        'v1', 'low',    '{failed}',      'task',  '2024-01-05 00:00Z'),
    ('waves', 'running', 'Somebody is at it',             'in_progress', 'v1', 'normal', '{}',            'task',  '2024-01-01 00:00Z'),
    ('waves', 'waiting', 'Waits for what is not in here', 'todo',        'v1', 'normal', '{running}',     'task',  '2024-01-01 00:00Z'),
    ('waves', 'human',   'For a human',                   'todo',        'v1', 'normal', '{}',            'human', '2024-01-01 00:00Z'),
    ('waves', 'behind',  'Behind the human',              'todo',        'v1', 'normal', '{human}',       'task',  '2024-01-01 00:00Z'),
    ('waves', 'done',    'Done',                          'done',        'v1', 'normal', '{}',            'task',  '2024-01-01 00:00Z'),
    ('waves', 'failed',  'Failed',                        'failed',      'v1', 'normal', '{}',            'task',  '2024-01-01 00:00Z'),
    ('waves', 'other',   'Of another version',            'todo',        'v2', 'normal', '{root}',        'task',  '2024-01-01 00:00Z'),
    -- A ring of two, something behind it, and one that waits for itself.
    ('waves-ring', 'a',  'A',                             'todo',        NULL, 'normal', '{b}',           'task',  '2024-01-01 00:00Z'),
    ('waves-ring', 'b',  'B',                             'todo',        NULL, 'normal', '{a}',           'task',  '2024-01-01 00:00Z'),
    ('waves-ring', 'c',  'C',                             'todo',        NULL, 'normal', '{b}',           'task',  '2024-01-01 00:00Z'),
    ('waves-ring', 's',  'S',                             'todo',        NULL, 'normal', '{s}',           'task',  '2024-01-01 00:00Z'),
    ('waves-ring', 'f',  'Free',                          'todo',        NULL, 'normal', '{}',            'task',  '2024-01-01 00:00Z');
SELECT * FROM plan_waves('waves');
SELECT * FROM plan_waves('waves', 'v1');
-- Its predecessor is pending, but in another version, so nothing in this batch will finish it.
SELECT * FROM plan_waves('waves', 'v2');
SELECT * FROM plan_waves('waves-ring');
SELECT * FROM plan_waves('waves-empty');
\pset format unaligned
\pset tuples_only on
SELECT plan_waves_mermaid('waves', 'v1');
SELECT plan_waves_mermaid('waves-ring');
SELECT plan_waves_mermaid('waves-empty');
\pset tuples_only off
\pset format aligned
SELECT claim_sprint_item('waves', 'root') ->> 'claimed' AS claimed, complete_sprint_item('waves', 'root') ->> 'completed' AS completed;
SELECT * FROM plan_waves('waves', 'v1');
SELECT call, error.*
FROM (VALUES (1, $$SELECT plan_waves('nowhere')$$), (2, $$SELECT plan_waves_mermaid('nowhere')$$)) AS refused (n, call), pg_temp.error_of(call) AS error
ORDER BY n \gx
