-- Names of relations and columns, in any characters, in any schema, and after a renaming.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir /sql/include/helpers.psql
\set ECHO none
\i :helpers
\set ECHO all
SET client_min_messages = warning;
CREATE SCHEMA "Attached ""names""; DROP TABLE meridian.projects; --";
SET search_path = meridian;
INSERT INTO projects (project_id, name) VALUES ('names', 'Names'), ('na"m''e; DROP', 'A hostile one'), ('names-quoted', 'Quoted');
CREATE TYPE "Attached ""names""; DROP TABLE meridian.projects; --"."The State" AS ENUM ('to do', 'do"ing', 'it''s done');
CREATE DOMAIN "Attached ""names""; DROP TABLE meridian.projects; --"."Key; --" AS bigint;
CREATE TABLE "Attached ""names""; DROP TABLE meridian.projects; --"."Board $1 ""b"" %s" (
    "project_id" text, "PROJECT ""ID""" text, "item_id; DROP TABLE projects; --" "Attached ""names""; DROP TABLE meridian.projects; --"."Key; --" PRIMARY KEY, """; drop" "Attached ""names""; DROP TABLE meridian.projects; --"."The State", "select" text, " Depends On " bigint[],
    "claimed\by" text, "b.claimed_at" timestamptz, "änderung" timestamptz, "o" text, "n" text);
INSERT INTO "Attached ""names""; DROP TABLE meridian.projects; --"."Board $1 ""b"" %s" ("PROJECT ""ID""", "item_id; DROP TABLE projects; --", """; drop", "select", " Depends On ")
VALUES ('names', 1, 'to do', 'A "title"; --', NULL), ('names', 2, 'to do', '$1', '{1}'), ('na"m''e; DROP', 3, 'to do', 'Theirs', NULL), ('names', 4, 'it''s done', 'D', NULL);
CREATE FUNCTION pg_temp.attach(project text) RETURNS void LANGUAGE sql AS $$
    SELECT meridian.attach_board(project, '"Attached ""names""; DROP TABLE meridian.projects; --"."Board $1 ""b"" %s"',
        $j${"project_id": "PROJECT \"ID\"", "item_id": "item_id; DROP TABLE projects; --", "status": "\"; drop", "title": "select", "depends_on": " Depends On ", "claimed_by": "claimed\\by", "claimed_at": "b.claimed_at", "updated_at": "änderung", "notes": "o", "version": "n"}$j$,
        $j${"to do": "todo", "do\"ing": "in_progress", "it's done": "done"}$j$)
$$;
SELECT pg_temp.attach('names'), pg_temp.attach('na"m''e; DROP');
SELECT item_id, title, status, depends_on FROM get_sprint_items('names', '{todo,done}');
SELECT item_id, title FROM get_sprint_items('na"m''e; DROP');
SELECT item_id FROM get_sprint_items('names', version => 'v1');
SELECT wave, item_id, blocked_on FROM plan_waves('names');
SELECT claim_sprint_item('names', '1') #>> '{item,title}' AS claimed, complete_sprint_item('names', '1') ->> 'completed' AS completed;
SELECT claim_next_sprint_item('names') #>> '{item,item_id}' AS next;
SELECT release_sprint_item('names', '2') ->> 'released' AS released;
SELECT claim_sprint_item('names', '1''; DROP TABLE meridian.projects; --') ->> 'error' AS error;
SELECT board_revision('names') = compute_board_revision('[{"id": "1", "status": "done"}, {"id": "2", "status": "pending", "depends_on": "1"}, {"id": "4", "status": "done"}]') AS same_revision;
UPDATE "Attached ""names""; DROP TABLE meridian.projects; --"."Board $1 ""b"" %s" SET "o" = 'Noted', "n" = 'v1', "project_id" = 'no column of the board' WHERE "select" = '$1';
SELECT item_id, operation, new_status, changed_columns FROM board_changes_since('names', 0);
SELECT columns FROM board_sources WHERE project_id = 'names';
SELECT count(*) > 2 AS still_there FROM projects;

CREATE TEMPORARY TABLE mark AS SELECT max(history_id) AS counter FROM sprint_item_history;
-- A relation by another name, in another schema, is still the board, and so are its triggers.
ALTER TABLE "Attached ""names""; DROP TABLE meridian.projects; --"."Board $1 ""b"" %s" RENAME TO moved;
CREATE SCHEMA attached_elsewhere;
ALTER TABLE "Attached ""names""; DROP TABLE meridian.projects; --".moved SET SCHEMA attached_elsewhere;
SELECT claim_sprint_item('names', '2') ->> 'claimed' AS claimed;
UPDATE attached_elsewhere.moved SET "select" = 'Renamed' WHERE "select" = '$1';
SELECT item_id, operation, new_status, changed_columns FROM board_changes_since('names', (SELECT counter FROM mark));
-- What stands under the old name now has nothing to do with it.
CREATE TABLE "Attached ""names""; DROP TABLE meridian.projects; --"."Board $1 ""b"" %s" ("PROJECT ""ID""" text, "item_id; DROP TABLE projects; --" int);
SELECT item_id, title FROM get_sprint_items('names', '{in_progress}');
SELECT detach_board('names'), detach_board('na"m''e; DROP');
SELECT count(*) FROM pg_trigger WHERE tgrelid = 'attached_elsewhere.moved'::regclass;

-- A column is looked up as it is written, never folded.
CREATE TABLE attached_elsewhere.cased (item_id int PRIMARY KEY, "Status" text, status text);
INSERT INTO attached_elsewhere.cased VALUES (1, 'todo', 'done');
SELECT attach_board('names-quoted', 'attached_elsewhere.cased', '{"project_id": null, "status": "Status"}');
SELECT claim_sprint_item('names-quoted', '1') ->> 'claimed' AS claimed;
SELECT * FROM attached_elsewhere.cased;
SELECT detach_board('names-quoted');
SELECT code, message, detail FROM pg_temp.error_of($$SELECT attach_board('names-quoted', 'attached_elsewhere.cased', '{"project_id": null, "status": "\"Status\""}')$$) \gx
-- A system column is none of the relation's.
SELECT code, message FROM pg_temp.error_of($$SELECT attach_board('names-quoted', 'attached_elsewhere.cased', '{"project_id": null, "item_id": "ctid"}')$$);
DROP SCHEMA attached_elsewhere CASCADE;
DROP SCHEMA "Attached ""names""; DROP TABLE meridian.projects; --" CASCADE;
