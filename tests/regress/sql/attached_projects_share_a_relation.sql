-- Several projects in one relation: each has the rows that name it, and neither sees, claims or records what is the other's.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir /sql/include/helpers.psql
\set ECHO none
\i :helpers
\set ECHO all
CREATE SCHEMA attached_shared;
SET search_path = attached_shared, meridian;
INSERT INTO projects (project_id, name) SELECT id, 'Project ' || id
FROM unnest('{share-a,share-b,share-c,41,42,aaaaaaaa-0000-0000-0000-00000000000a,aaaaaaaa-0000-0000-0000-00000000000b,AAAAAAAA-0000-0000-0000-00000000000A}'::text[]) AS id;

-- What one project of a pair sees and does, with an id that both have and one that only the other has.
CREATE FUNCTION pg_temp.of(project text, OUT listed text, OUT waves text, OUT crossed text, OUT foreign_claim text, OUT foreign_selection text) LANGUAGE plpgsql AS $$
BEGIN
    SELECT string_agg(concat_ws(' ', item_id, title), ' | ') INTO listed FROM meridian.get_sprint_items(project);
    SELECT string_agg(concat_ws(' ', wave, item_id), ' | ') INTO waves FROM meridian.plan_waves(project);
    SELECT string_agg(concat_ws(' ', item_id, status, suspicious), ' | ') INTO crossed FROM meridian.cross_check_items(project, '{1,2,3}');
    foreign_claim := pg_temp.answer_undone(format('SELECT meridian.claim_sprint_item(%L, %L)', project, CASE WHEN project ~ '(a|A|41)$' THEN '3' ELSE '2' END)) ->> 'error';
    foreign_selection := (pg_temp.error_of(format('SELECT meridian.generate_handoff(%L, ''goal'', selected_item_ids => ''{%s}'')', project, CASE WHEN project ~ '(a|A|41)$' THEN '3' ELSE '2' END))).detail;
END
$$;
CREATE TABLE by_text (owner text, item_id int, status text DEFAULT 'todo', title text, depends_on int[], note text, PRIMARY KEY (owner, item_id));
CREATE TABLE by_int (owner int, item_id int, status text DEFAULT 'todo', title text, depends_on int[], note text, PRIMARY KEY (owner, item_id));
CREATE TABLE by_uuid (owner uuid, item_id int, status text DEFAULT 'todo', title text, depends_on int[], note text, PRIMARY KEY (owner, item_id));
INSERT INTO by_text (owner, item_id, title, depends_on) VALUES ('share-a', 1, 'A one', NULL), ('share-a', 2, 'A two', '{1}'), ('share-b', 1, 'B one', NULL), ('share-b', 3, 'B three', '{2}'), ('nobody', 9, 'Nobody''s', NULL);
INSERT INTO by_int (owner, item_id, title, depends_on) VALUES (41, 1, 'A one', NULL), (41, 2, 'A two', '{1}'), (42, 1, 'B one', NULL), (42, 3, 'B three', '{2}');
INSERT INTO by_uuid SELECT CASE owner WHEN 41 THEN 'aaaaaaaa-0000-0000-0000-00000000000a' ELSE 'aaaaaaaa-0000-0000-0000-00000000000b' END::uuid, item_id, status, title, depends_on FROM by_int;
SELECT attach_board(id, 'by_text', '{"project_id": "owner"}') FROM unnest('{share-a,share-b}'::text[]) AS id;
SELECT attach_board(id, 'by_int', '{"project_id": "owner"}') FROM unnest('{41,42,share-c}'::text[]) AS id;
SELECT attach_board(id, 'by_uuid', '{"project_id": "owner"}') FROM unnest('{aaaaaaaa-0000-0000-0000-00000000000a,aaaaaaaa-0000-0000-0000-00000000000b,AAAAAAAA-0000-0000-0000-00000000000A}'::text[]) AS id;
\x on
SELECT project_id, f.* FROM meridian.board_sources, pg_temp.of(project_id) AS f ORDER BY project_id COLLATE "C";
\x off
-- A dependency reaches no further than the project.
SELECT claim_sprint_item('share-b', '3') - 'reason' AS refused;

-- The same id in both: each claims its own.
SELECT claim_sprint_item('share-a', '1') #>> '{item,title}' AS text, claim_sprint_item('42', '1') #>> '{item,title}' AS int, claim_sprint_item('aaaaaaaa-0000-0000-0000-00000000000a', '1') #>> '{item,title}' AS uuid;
SELECT owner, title FROM by_text WHERE status <> 'todo' UNION ALL SELECT owner::text, title FROM by_int WHERE status <> 'todo' UNION ALL SELECT owner::text, title FROM by_uuid WHERE status <> 'todo';
SELECT complete_sprint_item('share-b', '1') ->> 'error' AS not_claimed_there, complete_sprint_item('share-a', '1') ->> 'completed' AS completed;
SELECT board_revision('share-a') = compute_board_revision('[{"id": "1", "status": "done"}, {"id": "2", "status": "todo", "depends_on": "1"}]') AS of_a,
       board_revision('share-b') = compute_board_revision('[{"id": "1", "status": "todo"}, {"id": "3", "status": "todo", "depends_on": "2"}]') AS of_b;

-- One statement over both, recorded for each; what is nobody's is recorded for nobody.
CREATE TEMPORARY TABLE mark AS SELECT max(history_id) AS counter FROM sprint_item_history;
UPDATE by_text SET title = title || '!';
UPDATE by_text SET owner = 'share-b', item_id = 7 WHERE owner = 'share-a' AND item_id = 2;
SELECT p, item_id, operation, old_status, new_status, changed_columns FROM unnest('{share-a,share-b}'::text[]) AS p, board_changes_since(p, (SELECT counter FROM mark)) ORDER BY p, item_id, history_id;
SELECT count(*) FROM sprint_item_history WHERE project_id = 'nobody';

-- Two projects that read it differently: each in its own words.
CREATE TABLE differently (owner text, item_id int, status text, mood text);
INSERT INTO projects (project_id, name) VALUES ('share-d', 'D'), ('share-e', 'E');
INSERT INTO differently VALUES ('share-d', 1, 'todo', 'glad'), ('share-e', 1, 'todo', 'glad');
SELECT attach_board('share-d', 'differently', '{"project_id": "owner"}'), attach_board('share-e', 'differently', '{"project_id": "owner", "status": "mood"}', '{"glad": "pending", "sad": "failed"}');
UPDATE differently SET mood = 'sad';
UPDATE differently SET status = 'done';
SELECT p, item_id, operation, old_status, new_status FROM unnest('{share-d,share-e}'::text[]) AS p, board_changes_since(p, 0) ORDER BY p;
-- One that keeps no history beside one that does.
SELECT detach_board('share-e');
SELECT attach_board('share-e', 'differently', '{"project_id": "owner"}', track_history => false);
UPDATE differently SET status = 'failed';
SELECT p, new_status FROM unnest('{share-d,share-e}'::text[]) AS p, board_changes_since(p, 0) ORDER BY p, history_id;

-- Without a column for the project, two projects may look at the same rows: both have all of its history.
CREATE TABLE whole (item_id int PRIMARY KEY, status text);
INSERT INTO projects (project_id, name) VALUES ('share-f', 'F'), ('share-g', 'G');
SELECT attach_board(id, 'whole', '{"project_id": null}') FROM unnest('{share-f,share-g}'::text[]) AS id;
INSERT INTO whole VALUES (1, 'todo');
DELETE FROM whole;
SELECT project_id, operation, item_id, row_count FROM sprint_item_history WHERE project_id IN ('share-f', 'share-g') ORDER BY project_id, history_id;

SELECT count(detach_board(project_id)) FROM (SELECT project_id FROM meridian.board_sources ORDER BY 1) AS every;
SET client_min_messages = warning;
DROP SCHEMA attached_shared CASCADE;
