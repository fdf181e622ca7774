-- claim_next gives the first item that a goal would list as ready, and says so when there is none.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir /sql/include/helpers.psql
\set ECHO none
\i :helpers
\set ECHO all
SET search_path = meridian;

INSERT INTO projects (project_id, name) VALUES ('next', 'Next');
INSERT INTO sessions (session_id, project_id) VALUES ('next-1', 'next');
INSERT INTO sprint_items (project_id, item_id, title, priority, version, depends_on, milestone_type, blocker_kind, deferred_until, track, added_at) VALUES
    ('next', 'human',      'For a human',  'urgent', 'v1', '{}',            'human', NULL,         NULL,                NULL,         '2024-01-01 00:00Z'),
    ('next', 'titled',     'Manual: this', 'urgent', 'v1', '{}',            'task',  NULL,         NULL,                NULL,         '2024-01-01 00:00Z'),
    ('next', 'by-hand',    'By hand',      'urgent', 'v1', '{}',            'task',  'manual',     NULL,                NULL,         '2024-01-01 00:00Z'),
    ('next', 'deferred',   'Deferred',     'urgent', 'v1', '{}',            'task',  NULL,         '2999-01-01 00:00Z', NULL,         '2024-01-01 00:00Z'),
    ('next', 'parked',     'Parked',       'urgent', 'v1', '{}',            'task',  NULL,         NULL,                'Backburner', '2024-01-01 00:00Z'),
    ('next', 'superseded', 'Superseded',   'urgent', 'v1', '{}',            'task',  'superseded', NULL,                NULL,         '2024-01-01 00:00Z'),
    ('next', 'follows',    'After both',   'urgent', 'v1', '{first,second}', 'task', NULL,         NULL,                NULL,         '2024-01-01 00:00Z'),
    ('next', 'second',     'Second',       'normal', 'v1', '{}',            'task',  NULL,         NULL,                NULL,         '2024-01-02 00:00Z'),
    ('next', 'first',      'First',        'high',   'v1', '{}',            'task',  NULL,         NULL,                NULL,         '2024-01-03 00:00Z'),
    ('next', 'other',      'Other',        'low',    'v2', '{}',            'task',  NULL,         NULL,                NULL,         '2024-01-01 00:00Z');

SELECT answer ->> 'claimed' AS claimed, answer #>> '{item,item_id}' AS item_id, answer #>> '{item,claimed_by}' AS claimed_by FROM claim_next_sprint_item('next', 'next-1') AS answer;
SELECT answer ->> 'claimed' AS claimed, answer #>> '{item,item_id}' AS item_id FROM claim_next_sprint_item('next', 'next-1', 'v2') AS answer;
SELECT answer ->> 'claimed' AS claimed, answer #>> '{item,item_id}' AS item_id, answer #>> '{item,claimed_by}' = current_user AS by_role FROM claim_next_sprint_item('next') AS answer;
-- What is left waits, or is for others.
SELECT claim_next_sprint_item('next', 'next-1') - 'reason' AS answer;
SELECT complete_sprint_item('next', 'first', 'next-1') ->> 'completed' AS completed;
SELECT claim_next_sprint_item('next', 'next-1') ->> 'error' AS one_is_not_enough;
SELECT complete_sprint_item('next', 'second') ->> 'completed' AS completed;
SELECT answer ->> 'claimed' AS claimed, answer #>> '{item,item_id}' AS item_id FROM claim_next_sprint_item('next', 'next-1') AS answer;
SELECT claim_next_sprint_item('next', 'next-1') ->> 'error' AS nothing_left;
SELECT claim_next_sprint_item('next', version => 'no such version') ->> 'error' AS nothing_there;
SELECT item_id, status FROM get_sprint_items('next') ORDER BY status, item_id COLLATE "C";
