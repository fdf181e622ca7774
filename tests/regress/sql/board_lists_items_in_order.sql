-- The listing: urgent first, then by age, then by id; live items unless statuses are named; what each filter leaves out.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir /sql/include/helpers.psql
\set ECHO none
\i :helpers
\set ECHO all
SET search_path = meridian;

INSERT INTO projects (project_id, name) VALUES ('listing', 'Listing'), ('listing-other', 'Another');
INSERT INTO sprint_items (project_id, item_id, title, status, priority, version, added_at, milestone_type, blocker_kind, track, deferred_until) VALUES
    ('listing', 'low',       'Low',                'pending',              'low',    'v1', '2024-01-01 00:00Z', 'task',      NULL,         NULL,         NULL),
    ('listing', 'normal-b',  'Same age, b',        'todo',                 'normal', 'v1', '2024-01-02 00:00Z', 'task',      NULL,         NULL,         NULL),
    ('listing', 'normal-a',  'Same age, a',        'todo',                 'normal', NULL, '2024-01-02 00:00Z', 'task',      NULL,         NULL,         NULL),
    ('listing', 'Normal-c',  'Capitals go first',  'indeterminate',        'normal', 'v1', '2024-01-02 00:00Z', 'milestone', NULL,         NULL,         NULL),
    ('listing', 'older',     'Older',              'in_progress',          'normal', 'v2', '2024-01-01 00:00Z', 'task',      NULL,         NULL,         NULL),
    ('listing', 'high',      'High',               'provisional_complete', 'high',   'v1', '2024-01-09 00:00Z', 'task',      NULL,         NULL,         NULL),
    ('listing', 'urgent',    'Urgent',             'todo',                 'urgent', 'v1', '2024-01-09 00:00Z', 'task',      'superseded', NULL,         NULL),
    ('listing', 'human',     'For a human',        'todo',                 'low',    'v3', '2024-01-03 00:00Z', 'human',     NULL,         NULL,         NULL),
    ('listing', 'manual',    'Blocked by hand',    'todo',                 'low',    'v3', '2024-01-04 00:00Z', 'task',      'manual',     NULL,         NULL),
    ('listing', 'titled',    'MANUAL: by title',   'todo',                 'low',    'v3', '2024-01-05 00:00Z', 'task',      NULL,         NULL,         NULL),
    ('listing', 'deferred',  'Deferred',           'todo',                 'low',    'v3', '2024-01-06 00:00Z', 'task',      NULL,         NULL,         '2999-01-01 00:00Z'),
    ('listing', 'overdue',   'Deferred till then', 'todo',                 'low',    'v3', '2024-01-07 00:00Z', 'task',      NULL,         NULL,         '2001-01-01 00:00Z'),
    ('listing', 'parked',    'Parked',             'todo',                 'low',    'v3', '2024-01-08 00:00Z', 'task',      NULL,         'backburner', NULL),
    ('listing', 'done',      'Done',               'done',                 'normal', 'v1', '2024-01-01 00:00Z', 'task',      NULL,         NULL,         NULL),
    ('listing', 'failed',    'Failed',             'failed',               'normal', 'v1', '2024-01-01 00:00Z', 'task',      NULL,         NULL,         NULL),
    ('listing', 'skipped',   'Skipped',            'skipped',              'normal', 'v1', '2024-01-01 00:00Z', 'task',      NULL,         NULL,         NULL),
    ('listing', 'pushed',    'Pushed',             'pushed',               'normal', 'v1', '2024-01-01 00:00Z', 'task',      NULL,         NULL,         NULL),
    ('listing-other', 'x',   'Not ours',           'todo',                 'urgent', 'v1', '2024-01-01 00:00Z', 'task',      NULL,         NULL,         NULL);

SELECT item_id, status, priority, version FROM get_sprint_items('listing');
SELECT item_id, status FROM get_sprint_items('listing', '{done,failed,skipped,pushed}');
SELECT item_id, status FROM get_sprint_items('listing', '{in_progress,done}');
SELECT item_id FROM get_sprint_items('listing', '{}');
SELECT item_id FROM get_sprint_items('listing', version => 'v1');
SELECT item_id FROM get_sprint_items('listing', version => 'V1');
SELECT item_id FROM get_sprint_items('listing', version => 'v3');
-- A title alone makes nothing a human's here.
SELECT item_id FROM get_sprint_items('listing', version => 'v3', include_human => false);
-- Being parked is no deferral here.
SELECT item_id FROM get_sprint_items('listing', version => 'v3', include_deferred => false);
SELECT item_id FROM get_sprint_items('listing', version => 'v3', include_human => false, include_deferred => false);
SELECT item_id FROM get_sprint_items('listing-other');

-- Every column.
INSERT INTO sprint_items (project_id, item_id, title, status, priority, version, depends_on, item_group, wave, blocker_kind, claimed_by, claimed_at, added_at, completed_at)
VALUES ('listing-other', 'whole', 'All of it', 'done', 'high', 'v9', '{x,y}', 'docs', 'W1', 'manual', 'someone', '2024-02-01 00:00Z', '2024-01-31 00:00Z', '2024-02-02 00:00Z');
SET timezone = 'UTC';
SELECT * FROM get_sprint_items('listing-other', '{done}') \gx

SELECT call, error.*
FROM (VALUES
    (1, $$SELECT get_sprint_items('listing', '{todo,finished}')$$),
    (2, $$SELECT get_sprint_items('listing', '{TODO}')$$),
    (3, $$SELECT get_sprint_items('nowhere')$$)) AS refused (n, call), pg_temp.error_of(call) AS error
ORDER BY n \gx
