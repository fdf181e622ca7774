-- An attached board from its first listing to its last item: listing, waves, handoff, claims, completion, release, changes and revision are those of the same items in meridian.sprint_items.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir /sql/include/helpers.psql
\set ECHO none
\i :helpers
\set ECHO all
CREATE SCHEMA attached_whole;
SET search_path = attached_whole, meridian;
SET timezone = 'UTC';
INSERT INTO projects (project_id, name) VALUES ('way-own', 'The same'), ('way', 'The same'), ('way-plain', 'No column for holder or note');
INSERT INTO sprint_versions (project_id, version, description) VALUES ('way', 'v1', 'The first'), ('way-own', 'v1', 'The first');
INSERT INTO wave_gates (project_id, gate_id, wave_start, actions) VALUES ('way', 'g-way', 'W2', '{deploy}'), ('way-own', 'g-own', 'W2', '{deploy}');
CREATE TYPE state AS ENUM ('open', 'busy', 'maybe', 'shut', 'broken', 'dropped');
CREATE TABLE ticket (key varchar(10) PRIMARY KEY, headline text, body text, state state DEFAULT 'open', weight text, release text, needs jsonb, gang text, stage text, lane text, kind text, hold text, until timestamptz,
    owner text, since timestamptz, born timestamptz, finished timestamptz, remark text, touched timestamptz, files jsonb, folded_into varchar(10));
INSERT INTO ticket (key, headline, state, weight, release, needs, born, gang, stage, lane, kind, hold, until, body, files) VALUES
    ('a', 'First',                'open', 'high',   'v1', NULL,         '2024-01-03 00:00Z', 'docs', 'W1', NULL,         NULL,    NULL,     NULL,                'With a note', NULL),
    ('b', 'Second',               'open', 'normal', 'v1', '["a"]',      '2024-01-02 00:00Z', 'docs', 'W1', NULL,         NULL,    NULL,     NULL,                NULL,          NULL),
    ('c', 'Third <&> "x"',        'open', 'urgent', 'v1', '["b", "a"]', '2024-01-01 00:00Z', NULL,   NULL, NULL,         NULL,    NULL,     NULL,                NULL,          NULL),
    ('d', 'Done before',          'shut', 'normal', 'v1', NULL,         '2024-01-01 00:00Z', NULL,   NULL, NULL,         NULL,    NULL,     NULL,                NULL,          NULL),
    ('e', 'After what is done',   'open', 'low',    'v2', '"d"',        '2024-01-01 00:00Z', NULL,   NULL, NULL,         NULL,    NULL,     NULL,                NULL,          NULL),
    ('f', 'For a human',          'open', 'normal', 'v1', NULL,         '2024-01-05 00:00Z', NULL,   NULL, NULL,         'human', NULL,     NULL,                NULL,          NULL),
    ('g', 'Superseded',           'open', 'normal', 'v1', NULL,         '2024-01-05 00:00Z', NULL,   NULL, NULL,         NULL,    'superseded', NULL,            NULL,          NULL),
    ('h', 'Parked',               'open', 'normal', 'v1', NULL,         '2024-01-05 00:00Z', NULL,   NULL, 'backburner', NULL,    NULL,     NULL,                NULL,          NULL),
    ('i', 'Deferred',             'open', 'normal', 'v1', NULL,         '2024-01-05 00:00Z', NULL,   NULL, NULL,         NULL,    NULL,     '2999-01-01 00:00Z', NULL,          NULL),
    ('j', 'Behind a gate',        'open', 'normal', 'v1', NULL,         '2024-01-05 00:00Z', NULL,   'W3', NULL,         NULL,    NULL,     NULL,                NULL,          NULL),
    ('k', 'Unprospected',         'open', 'normal', 'v1', NULL,         '2024-01-05 00:00Z', NULL,   NULL, NULL,         NULL,    NULL,     NULL,                NULL,          '["file:k"]'),
    ('l', 'In a circle',          'open', 'normal', 'v1', '["m"]',      '2024-01-05 00:00Z', NULL,   NULL, NULL,         NULL,    NULL,     NULL,                NULL,          NULL),
    ('m', 'In the same circle',   'open', 'normal', 'v1', '["l"]',      '2024-01-05 00:00Z', NULL,   NULL, NULL,         NULL,    NULL,     NULL,                NULL,          NULL);
INSERT INTO sprint_items (project_id, item_id, title, status, priority, version, depends_on, added_at, item_group, wave, track, milestone_type, blocker_kind, deferred_until, notes, touches_resources)
SELECT 'way-own', key, headline, CASE state WHEN 'shut' THEN 'done' ELSE 'pending' END, weight, release, ARRAY(SELECT jsonb_array_elements_text(CASE jsonb_typeof(needs) WHEN 'array' THEN needs WHEN 'string' THEN jsonb_build_array(needs) ELSE '[]' END)), born, gang, stage, lane, coalesce(kind, 'task'), hold, until, body, coalesce(files, '[]')
FROM ticket;
SELECT attach_board('way', 'ticket', '{"project_id": null, "item_id": "key", "title": "headline", "notes": "body", "status": "state", "priority": "weight", "version": "release", "depends_on": "needs", "item_group": "gang", "wave": "stage", "track": "lane", "milestone_type": "kind", "blocker_kind": "hold",
    "deferred_until": "until", "claimed_by": "owner", "claimed_at": "since", "added_at": "born", "completed_at": "finished", "completion_note": "remark", "updated_at": "touched", "touches_resources": "files", "merged_into": "folded_into"}',
    '{"open": "pending", "busy": "in_progress", "maybe": "provisional_complete", "shut": "done", "broken": "failed", "dropped": "skipped"}');

-- Whatever is asked of both boards: the answers, and whether they are the same.
CREATE FUNCTION pg_temp.both(query text, OUT answer jsonb, OUT same boolean) LANGUAGE plpgsql AS $$
DECLARE
    own jsonb;
BEGIN
    EXECUTE replace(query, '$project', quote_literal('way')) INTO answer;
    EXECUTE replace(query, '$project', quote_literal('way-own')) INTO own;
    same := answer IS NOT DISTINCT FROM own;
END
$$;
SELECT item_id, title, status, priority, version, depends_on, item_group, wave FROM get_sprint_items('way', '{pending,done}');
SELECT same FROM pg_temp.both($$SELECT jsonb_agg(i) FROM meridian.get_sprint_items($project) AS i$$);
SELECT call, same FROM unnest('{"version => ''v2''","statuses => ''{done}''","include_human => false","include_deferred => false"}'::text[]) AS call, pg_temp.both(format('SELECT jsonb_agg(i) FROM meridian.get_sprint_items($project, %s) AS i', call));
SELECT * FROM plan_waves('way');
SELECT same FROM pg_temp.both($$SELECT jsonb_agg(w) FROM meridian.plan_waves($project, 'v1') AS w$$);
\pset format unaligned
SELECT plan_waves_mermaid('way');
\pset format aligned
SELECT same FROM pg_temp.both($$SELECT to_jsonb(meridian.plan_waves_mermaid($project))$$);
SELECT same, answer ->> 0 = compute_board_revision((SELECT jsonb_agg(jsonb_build_object('id', key, 'status', CASE state WHEN 'shut' THEN 'done' ELSE 'pending' END, 'depends_on', needs)) FROM ticket)) AS of_the_rows FROM pg_temp.both($$SELECT jsonb_build_array(meridian.board_revision($project))$$);
SELECT same FROM pg_temp.both($$SELECT to_jsonb(meridian.board_revision($project, 'v2'))$$);
SELECT verify_live_board('way', board_revision('way-own')) AS same;
-- A goal: the same text but for the project, its gate, its token and what is hashed over them.
SELECT same FROM pg_temp.both($$SELECT to_jsonb(regexp_replace(replace(replace(meridian.strip_goal_token_banner(meridian.generate_handoff($project, 'goal') ->> 'content'), 'way-own', 'way'), 'g-own', 'g-way'), '(proposal_id|content_hash)="[0-9a-f]*"', '', 'g'))$$);
SELECT same FROM pg_temp.both($$SELECT meridian.generate_handoff($project, 'goal', version => 'v1') -> 'item_counts'$$);

-- Generate, verify, cross-check, claim.
SELECT generate_handoff('way', 'goal') AS response \gset
SELECT :'response'::jsonb ->> 'board_revision' = board_revision('way') AS of_the_live_board;
SELECT verify_handoff_token('way', substring(:'response'::jsonb ->> 'content', '<goal_token>([^<]*)'), :'response'::jsonb ->> 'content') - 'recovery' AS verified;
SELECT * FROM cross_check_items('way', '{a,b,d,l,forged}');
SELECT start_session('way', 'way-session') ->> 'session_id' AS session \gset
SELECT claim_sprint_item('way', 'b', :'session') - 'reason' AS refused;
SELECT jsonb_pretty(claim_sprint_item('way', 'a', :'session') #- '{item,claimed_at}') = jsonb_pretty(jsonb_set(answer, '{item,claimed_by}', to_jsonb(:'session'::text))) AS same_answer
FROM (SELECT claim_sprint_item('way-own', 'a') #- '{item,claimed_at}' AS answer) AS own;
SELECT key, state, owner = :'session' AS held, since = touched AS timed, since BETWEEN now() - interval '1 minute' AND clock_timestamp() AS now, finished, remark FROM ticket WHERE key = 'a';
SELECT claim_sprint_item('way', 'a') ->> 'error' AS taken, complete_sprint_item('way', 'a') ->> 'error' AS not_mine, release_sprint_item('way', 'a') ->> 'error' AS nor_to_give_back;
SELECT release_sprint_item('way', 'a', :'session') #>> '{item,status}' AS released;
SELECT key, state, owner, since FROM ticket WHERE key = 'a';
SELECT claim_next_sprint_item('way', :'session') #>> '{item,item_id}' AS next;
SELECT claim_next_sprint_item('way', :'session') #>> '{item,item_id}' AS next;
SELECT claim_next_sprint_item('way', :'session') - 'reason' AS none_left;
SELECT claim_next_sprint_item('way', :'session', 'v1') - 'reason' AS nor_here;
SELECT complete_sprint_item('way', 'a', :'session', note => 'Went well') #>> '{item,status}' AS completed;
SELECT key, state, owner = :'session' AS held, finished BETWEEN since AND clock_timestamp() AS timed, remark, touched >= finished AS touched FROM ticket WHERE key = 'a';
SELECT code, message FROM pg_temp.error_of(format($$SELECT complete_sprint_item('way', 'e', %L, status => 'pushed')$$, :'session'));
SELECT complete_sprint_item('way', 'e', :'session', status => 'skipped') #>> '{item,status}' AS completed;
SELECT claim_sprint_item('way', 'b') #>> '{item,item_id}' AS claimed, complete_sprint_item('way', 'b', status => 'failed') #>> '{item,status}' AS completed;
SELECT claim_sprint_item('way', 'c') #>> '{item,title}' AS claimed;
-- A predecessor that failed lets go only those that go on after a failure, which the relation does not say: it is our default.
SELECT item_id, status FROM get_sprint_items('way', '{in_progress,done,failed,skipped}');
-- The claim of a session that has ended may be taken.
SELECT release_sprint_item('way', 'c') ->> 'released' AS released, claim_sprint_item('way', 'c', :'session') ->> 'claimed' AS claimed;
SELECT end_session(:'session');
SELECT claim_sprint_item('way', 'c') ->> 'claimed' AS retaken;
SELECT code FROM pg_temp.error_of(format($$SELECT claim_sprint_item('way', 'j', %L)$$, 'no such session'));
-- The gates of the project hold here, too.
SELECT id, claim_sprint_item('way', id) ->> 'error' AS error FROM unnest('{f,g,h,i,j,k,l}'::text[]) AS id;
SELECT item_id, status, claimed_by = current_user AS mine FROM get_sprint_items('way', '{in_progress}');
INSERT INTO sprint_item_pointers (project_id, item_id, targets) VALUES ('way', 'k', '[{"uri": "k", "target_kind": "file"}]');
SELECT claim_sprint_item('way', 'k') ->> 'claimed' AS claimed;
SELECT item_id, operation, old_status, new_status, changed_columns, session_id = :'session' AS in_session FROM board_changes_since('way', 0) ORDER BY history_id;
SELECT event_type, item_id, outcome FROM events WHERE project_id = 'way' AND item_id IS NOT NULL ORDER BY event_id;

-- Stale references, here as there.
UPDATE ticket SET needs = '["gone"]' WHERE key = 'h';
SELECT code, detail FROM pg_temp.error_of($$SELECT generate_handoff('way', 'goal')$$);
UPDATE ticket SET needs = NULL, state = 'maybe' WHERE key = 'h';
SELECT status FROM get_sprint_items('way', '{provisional_complete}');

-- Neither a column for the holder nor one for the note: whoever acts holds it, and the note is not kept.
CREATE TABLE plain (item_id int PRIMARY KEY, status text);
INSERT INTO plain VALUES (1, 'todo'), (2, 'todo');
SELECT attach_board('way-plain', 'plain', '{"project_id": null}');
SELECT claim_sprint_item('way-plain', '1') #> '{item,claimed_by}' AS holder;
SELECT claim_sprint_item('way-plain', '1') - 'reason' AS taken;
SELECT complete_sprint_item('way-plain', '2') ->> 'error' AS not_begun;
SELECT complete_sprint_item('way-plain', '1', note => 'Kept nowhere') #>> '{item,status}' AS completed;
SELECT * FROM plain ORDER BY item_id;

SELECT count(detach_board(project_id)) FROM (SELECT project_id FROM meridian.board_sources ORDER BY 1) AS every;
DELETE FROM sprint_items WHERE project_id = 'way-own';
SET client_min_messages = warning;
DROP SCHEMA attached_whole CASCADE;
