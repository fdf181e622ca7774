-- Statuses of an attached board: read in its own words, written in them, and what happens to a word that nothing explains.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir /sql/include/helpers.psql
\set ECHO none
\i :helpers
\set ECHO all
CREATE SCHEMA attached_words;
SET search_path = attached_words, meridian;
INSERT INTO projects (project_id, name) SELECT 'words-' || name, name FROM unnest('{enum,text,varchar,domain,int,bool,refused,several}'::text[]) AS name;

-- Claims the item, finishes another, gives the first back; shows what the relation holds after each.
CREATE FUNCTION pg_temp.stored(relation regclass) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    held text;
BEGIN
    EXECUTE format('SELECT string_agg(concat_ws('' '', item_id, coalesce(status::text, ''(null)'')), '' | '' ORDER BY item_id) FROM %s', relation) INTO held;
    RETURN held;
END
$$;
CREATE TYPE state AS ENUM ('Open', 'In work', 'Closed', 'Not "needed"');
CREATE DOMAIN word AS varchar(12) CHECK (VALUE IN ('open', 'busy', 'shut'));
CREATE TABLE in_enum (item_id int PRIMARY KEY, status state);
CREATE TABLE in_text (item_id int PRIMARY KEY, status text);
CREATE TABLE in_varchar (item_id int PRIMARY KEY, status varchar(11));
CREATE TABLE in_domain (item_id int PRIMARY KEY, status word);
CREATE TABLE in_int (item_id int PRIMARY KEY, status int);
CREATE TABLE in_bool (item_id int PRIMARY KEY, status boolean);
INSERT INTO in_enum VALUES (1, 'Open'), (2, 'Closed'), (3, 'Not "needed"'), (4, NULL);
INSERT INTO in_text VALUES (1, 'todo'), (2, 'done'), (3, 'skipped'), (4, NULL);
INSERT INTO in_varchar VALUES (1, 'todo'), (2, 'done'), (3, 'skipped'), (4, NULL);
INSERT INTO in_domain VALUES (1, 'open'), (2, 'shut'), (4, NULL);
INSERT INTO in_int VALUES (1, 10), (2, 30), (3, -1), (4, NULL);
INSERT INTO in_bool VALUES (1, false), (2, true), (4, NULL);
SELECT attach_board('words-enum', 'in_enum', '{"project_id": null}', '{"Open": "pending", "In work": "in_progress", "Closed": "done", "Not \"needed\"": "skipped"}');
SELECT attach_board('words-text', 'in_text', '{"project_id": null}');
SELECT attach_board('words-varchar', 'in_varchar', '{"project_id": null}');
SELECT attach_board('words-domain', 'in_domain', '{"project_id": null}', '{"open": "pending", "busy": "in_progress", "shut": "done"}');
SELECT attach_board('words-int', 'in_int', '{"project_id": null}', '{"10": "pending", "20": "in_progress", "30": "done", "-1": "skipped"}');
SELECT attach_board('words-bool', 'in_bool', '{"project_id": null}', '{"false": "pending", "true": "done"}');
-- NULL is pending.
SELECT 'words-' || w AS project, (SELECT string_agg(concat_ws(' ', item_id, status), ' | ' ORDER BY item_id) FROM get_sprint_items('words-' || w, '{pending,todo,in_progress,done,skipped}')) AS items
FROM unnest('{enum,text,varchar,domain,int,bool}'::text[]) AS w;
SELECT w AS project, (SELECT string_agg(item_id, ' ' ORDER BY item_id) FROM get_sprint_items('words-' || w, '{pending}')) AS pending, (SELECT string_agg(item_id, ' ' ORDER BY item_id) FROM get_sprint_items('words-' || w, '{done}')) AS done
FROM unnest('{enum,int}'::text[]) AS w;
SELECT w AS project, claim_sprint_item('words-' || w, '1') #>> '{item,status}' AS claimed, claim_sprint_item('words-' || w, '4') #>> '{item,status}' AS null_claimed, complete_sprint_item('words-' || w, '1') #>> '{item,status}' AS completed,
       release_sprint_item('words-' || w, '4') #>> '{item,status}' AS released
FROM unnest('{enum,text,varchar,domain,int}'::text[]) AS w;
SELECT relation, pg_temp.stored(relation) FROM unnest('{in_enum,in_text,in_varchar,in_domain,in_int}'::regclass[]) AS relation;
SELECT claim_sprint_item('words-enum', '2') - 'reason' AS finished;
-- A status that the column cannot hold is the column's own error.
SELECT * FROM pg_temp.error_of($$SELECT claim_sprint_item('words-bool', '1')$$);
SELECT code, message FROM pg_temp.error_of($$SELECT claim_sprint_item('words-enum', '4'), complete_sprint_item('words-enum', '4', status => 'pushed')$$);
SELECT code, message FROM pg_temp.error_of($$SELECT claim_sprint_item('words-domain', '4'), complete_sprint_item('words-domain', '4', status => 'failed')$$);
SELECT pg_temp.stored('in_domain');
-- History and revision are in our words.
SELECT item_id, operation, old_status, new_status FROM board_changes_since('words-enum', 0);
SELECT board_revision('words-enum') = compute_board_revision('[{"id": "1", "status": "done"}, {"id": "2", "status": "done"}, {"id": "3", "status": "skipped"}, {"id": "4", "status": "pending"}]') AS same_revision;

-- Several words for one status.
CREATE TABLE several (item_id text PRIMARY KEY, status text);
INSERT INTO several VALUES ('a', 'new'), ('b', 'reopened'), ('c', 'closed'), ('d', 'shipped');
\x on
SELECT * FROM pg_temp.error_of($$SELECT attach_board('words-several', 'several', '{"project_id": null}', '{"new": "todo", "reopened": "todo", "closed": "done", "shipped": "done"}')$$);
SELECT * FROM pg_temp.error_of($$SELECT attach_board('words-several', 'several', '{"project_id": null}', '{"new": "todo", "reopened": "todo", "closed": "done", "shipped": "done"}', status_write => '{"todo": "reopened"}')$$);
\x off
SELECT attach_board('words-several', 'several', '{"project_id": null}', '{"new": "pending", "reopened": "pending", "closed": "done", "shipped": "done", "wip": "in_progress"}', status_write => '{"pending": "reopened", "done": "shipped"}');
SELECT claim_sprint_item('words-several', 'a') ->> 'claimed' AS claimed, claim_sprint_item('words-several', 'b') ->> 'claimed' AS claimed_too;
SELECT pg_temp.stored('several');
SELECT complete_sprint_item('words-several', 'a') ->> 'completed' AS completed, release_sprint_item('words-several', 'b') ->> 'released' AS released;
SELECT pg_temp.stored('several');

-- What is there when the board is attached must be explained.
CREATE TABLE unexplained (item_id text PRIMARY KEY, status text, tenant text);
INSERT INTO unexplained VALUES ('a', 'todo', 'words-refused'), ('b', 'Todo', 'words-refused'), ('c', 'later', 'words-refused'), ('d', 'later', 'words-refused'), ('e', 'somebody else''s', 'another');
\x on
SELECT * FROM pg_temp.error_of($$SELECT attach_board('words-refused', 'unexplained', '{"project_id": "tenant"}')$$);
SELECT * FROM pg_temp.error_of($$SELECT attach_board('words-refused', 'unexplained', '{"project_id": "tenant"}', '{"Todo": "todo", "later": "someday"}')$$);
SELECT * FROM pg_temp.error_of($$SELECT attach_board('words-refused', 'unexplained', '{"project_id": "tenant"}', '{"Todo": "todo", "later": "todo"}', status_write => '{"someday": "later"}')$$);
SELECT * FROM pg_temp.error_of($$SELECT attach_board('words-refused', 'unexplained', '{"project_id": "tenant"}', '["later"]')$$);
\x off
SELECT count(*) FROM board_sources WHERE project_id = 'words-refused';
-- What would be written must be read as what it was written for.
SELECT map, write, code <> '00000' AS refused
FROM (VALUES (1, '{"shut": "done", "later": "todo", "Todo": "todo", "todo": "todo"}', '{"todo": "todo", "done": "later"}'), (2, '{"done": "failed", "later": "todo", "Todo": "todo", "todo": "todo"}', '{"todo": "todo"}'),
             (3, '{"Todo": "todo", "todo": "todo", "later": "pending"}', '{"todo": "todo", "in_progress": "wip"}')) AS w (n, map, write),
    pg_temp.error_of(format($$SELECT attach_board('words-refused', 'unexplained', '{"project_id": "tenant"}', %L, status_write => %L)$$, map, write)) ORDER BY n;
-- Our own word may stand for another status.
SELECT attach_board('words-refused', 'unexplained', '{"project_id": "tenant"}', '{"Todo": "todo", "todo": "todo", "later": "pending", "done": "failed", "finished": "done"}', status_write => '{"todo": "todo"}');
SELECT claim_sprint_item('words-refused', 'a') ->> 'claimed' AS claimed, complete_sprint_item('words-refused', 'a') #>> '{item,status}' AS completed;
SELECT pg_temp.stored('unexplained');

-- One that turns up later keeps its item out, says so, and is still to be seen.
INSERT INTO unexplained VALUES ('f', 'on hold', 'words-refused'), ('g', 'todo', 'words-refused');
SELECT item_id, status FROM get_sprint_items('words-refused') ORDER BY item_id;
SELECT * FROM plan_waves('words-refused');
SELECT content LIKE '%unknown_status%' AS reason_told, content ~ '<executor_item_ids[^\n]*\mf\M' AS among_the_items FROM (SELECT generate_handoff('words-refused', 'goal') ->> 'content' AS content) AS c;
SELECT detail FROM pg_temp.error_of($$SELECT generate_handoff('words-refused', 'goal', selected_item_ids => '{f}')$$);
SELECT * FROM cross_check_items('words-refused', '{f}');
SELECT claim_sprint_item('words-refused', 'f') - 'reason' AS refused;
SELECT claim_next_sprint_item('words-refused') #>> '{item,item_id}' AS next;
SELECT complete_sprint_item('words-refused', 'f') - 'reason' AS refused, release_sprint_item('words-refused', 'f') - 'reason' AS refused_too;
SELECT board_revision('words-refused') = compute_board_revision((SELECT jsonb_agg(jsonb_build_object('id', item_id, 'status', CASE status WHEN 'Todo' THEN 'todo' WHEN 'later' THEN 'pending' WHEN 'finished' THEN 'done' ELSE status END)) FROM unexplained WHERE tenant = 'words-refused')) AS same_revision;

SELECT count(detach_board(project_id)) FROM (SELECT project_id FROM meridian.board_sources ORDER BY 1) AS every;
SET client_min_messages = warning;
DROP SCHEMA attached_words CASCADE;
