-- A claim meets the gates one after the other; each refusal says which one, and what would open it.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir /sql/include/helpers.psql
\set ECHO none
\i :helpers
\set ECHO all
SET search_path = meridian;

INSERT INTO projects (project_id, name) VALUES ('gates', 'Gates'), ('gates-other', 'Another');
INSERT INTO wave_gates (project_id, gate_id, wave_start, wave_end, actions) VALUES ('gates', 'g1', 'W1', 'W1', '{deploy,wait}'), ('gates', 'g2', 'W1', 'W2', '{push_main}');
INSERT INTO sprint_items (project_id, item_id, title, status, depends_on) VALUES
    ('gates', 'running', 'Running', 'in_progress', '{}'),
    ('gates', 'finished', 'Finished', 'done', '{}');
INSERT INTO sprint_items (project_id, item_id, title, status) VALUES ('gates-other', 'elsewhere', 'Done in another project', 'done');
-- Everything is in the way of this one; what the gates see is taken away step by step.
INSERT INTO sprint_items (project_id, item_id, title, status, depends_on, blocker_kind, wave, track, deferred_until, touches_resources, required_tool)
VALUES ('gates', 'i', 'MANUAL: all at once', 'done', '{running,elsewhere,finished}', 'superseded', 'W3', 'backburner', '2999-01-01 00:00Z', '["file:a"]', 'Some: tool');

SELECT jsonb_pretty(claim_sprint_item('gates', 'nothing') - 'reason');
SELECT jsonb_pretty(claim_sprint_item('gates', 'elsewhere') - 'reason');
SELECT jsonb_pretty(claim_sprint_item('gates', 'i') - 'reason');
UPDATE sprint_items SET deferred_until = '2001-01-01 00:00Z' WHERE project_id = 'gates' AND item_id = 'i';
SELECT jsonb_pretty(claim_sprint_item('gates', 'i') - 'reason');
UPDATE sprint_items SET blocker_kind = 'systemic_invalidated_run' WHERE project_id = 'gates' AND item_id = 'i';
SELECT jsonb_pretty(claim_sprint_item('gates', 'i') - 'reason');
-- Not a gate: what is for a human can be claimed by id. The nearest of two wave gates is the one that is named.
UPDATE sprint_items SET blocker_kind = 'manual' WHERE project_id = 'gates' AND item_id = 'i';
SELECT jsonb_pretty(claim_sprint_item('gates', 'i') - 'reason');
UPDATE wave_gates SET passed_at = now() WHERE project_id = 'gates' AND gate_id = 'g1';
SELECT jsonb_pretty(claim_sprint_item('gates', 'i') - 'reason');
UPDATE wave_gates SET passed_at = now() WHERE project_id = 'gates' AND gate_id = 'g2';
SELECT jsonb_pretty(claim_sprint_item('gates', 'i') - 'reason');
UPDATE sprint_items SET status = 'skipped' WHERE project_id = 'gates' AND item_id = 'running';
UPDATE sprint_items SET depends_on = '{running,finished}' WHERE project_id = 'gates' AND item_id = 'i';
SELECT jsonb_pretty(claim_sprint_item('gates', 'i') - 'reason');
INSERT INTO sprint_item_pointers (project_id, item_id, targets) VALUES ('gates', 'i', '[{"uri": "a"}]');
SELECT jsonb_pretty(claim_sprint_item('gates', 'i') - 'reason');
UPDATE sprint_items SET status = 'todo' WHERE project_id = 'gates' AND item_id = 'i';
SELECT answer ->> 'claimed' AS claimed, answer #>> '{item,status}' AS status, answer #>> '{item,claimed_by}' = current_user AS by_role
FROM claim_sprint_item('gates', 'i') AS answer;
SELECT jsonb_pretty(claim_sprint_item('gates', 'i') - 'reason' || jsonb_build_object('claimed_by', 'the role')) AS claimed_again;

-- Every refusal gives its reason to people, too.
SELECT claim_sprint_item('gates', 'nothing') ->> 'reason';

-- Which statuses can be claimed.
INSERT INTO sprint_items (project_id, item_id, title, status)
SELECT 'gates', 'status-' || status, status, status
FROM unnest('{pending,todo,indeterminate,provisional_complete,in_progress,done,failed,skipped,pushed}'::text[]) AS status;
SELECT status, answer ->> 'claimed' AS claimed, answer ->> 'error' AS error, answer ->> 'status' AS as_it_is
FROM unnest('{pending,todo,indeterminate,provisional_complete,in_progress,done,failed,skipped,pushed}'::text[]) AS status,
    claim_sprint_item('gates', 'status-' || status) AS answer;

-- A failed predecessor satisfies a dependent that goes on after failures, and blocks one that stops.
INSERT INTO sprint_items (project_id, item_id, title, depends_on, failure_mode) VALUES
    ('gates', 'continues', 'Goes on', '{status-failed}', 'continue'),
    ('gates', 'stops', 'Stops', '{status-failed}', 'stop');
SELECT item_id, answer ->> 'claimed' AS claimed, answer ->> 'error' AS error, answer #>> '{blocking_predecessors,0,id}' AS blocker, answer #>> '{blocking_predecessors,0,status}' AS its_status
FROM unnest('{continues,stops}'::text[]) AS item_id, claim_sprint_item('gates', item_id) AS answer;

-- Waves: beyond the boundary only, of the same prefix, in the gate's version; a label that is none is never held back.
INSERT INTO wave_gates (project_id, gate_id, version, wave_start, actions) VALUES ('gates', 'v', 'v2', 'p1-2', '{wait}');
INSERT INTO sprint_items (project_id, item_id, title, wave, version) VALUES
    ('gates', 'at',        'At the boundary', 'p1-2',  'v2'),
    ('gates', 'beyond',    'Beyond',          'p1-3',  'v2'),
    ('gates', 'ten',       'By number',       'p1-10', 'v2'),
    ('gates', 'prefix',    'Another prefix',  'p2-3',  'v2'),
    ('gates', 'version',   'Another version', 'p1-3',  'v1'),
    ('gates', 'unlabeled', 'No wave',         NULL,    'v2'),
    ('gates', 'word',      'No number',       'later', 'v2');
SELECT item_id, answer ->> 'claimed' AS claimed, answer ->> 'error' AS error, answer ->> 'gate_wave_end' AS gate
FROM unnest('{at,beyond,ten,prefix,version,unlabeled,word}'::text[]) AS item_id, claim_sprint_item('gates', item_id) AS answer;

-- Resources: an empty list declares none, a bypass waives the evidence.
INSERT INTO sprint_items (project_id, item_id, title, touches_resources, prospect_bypass) VALUES
    ('gates', 'declares', 'Declares',  '["file:a"]', false),
    ('gates', 'bypassed', 'Bypassed',  '["file:a"]', true),
    ('gates', 'nothing-declared', 'Declares nothing', '[]', false);
SELECT item_id, answer ->> 'claimed' AS claimed, answer ->> 'error' AS error
FROM unnest('{declares,bypassed,nothing-declared}'::text[]) AS item_id, claim_sprint_item('gates', item_id) AS answer;

-- A refused claim leaves the item and its predecessors as they were, also where a session that ended holds one.
INSERT INTO sessions (session_id, project_id) VALUES ('gates-ended', 'gates');
SELECT claim_sprint_item('gates', 'declares') ->> 'error' AS error;
INSERT INTO sprint_items (project_id, item_id, title, depends_on) VALUES ('gates', 'held', 'Held', '{}'), ('gates', 'waiting', 'Waiting', '{held}');
SELECT claim_sprint_item('gates', 'held', 'gates-ended') ->> 'claimed' AS claimed;
SELECT end_session('gates-ended');
SELECT claim_sprint_item('gates', 'waiting') - 'reason' AS refused;
SELECT item_id, status, claimed_by FROM sprint_items WHERE project_id = 'gates' AND item_id IN ('held', 'waiting', 'declares') ORDER BY item_id;
