-- Ids of an attached board: two rows of one id, and ids that no handoff could carry.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir /sql/include/helpers.psql
\set ECHO none
\i :helpers
\set ECHO all
CREATE SCHEMA attached_ids;
SET search_path = attached_ids, meridian;
INSERT INTO projects (project_id, name) SELECT 'ids-' || name, name FROM unnest('{twice,bad,folded}'::text[]) AS name;

CREATE TABLE twice (tenant text, item_id text, status text, title text, depends_on text[]);
INSERT INTO twice VALUES ('ids-twice', 'a', 'todo', 'Alone', NULL), ('ids-twice', 'b', 'todo', 'First', NULL), ('ids-twice', 'c', 'todo', 'After b', '{b}'), ('another', 'a', 'todo', 'Another project''s', NULL);
SELECT attach_board('ids-twice', 'twice', '{"project_id": "tenant"}');
-- A second row of an id that comes later.
INSERT INTO twice VALUES ('ids-twice', 'b', 'todo', 'Second', NULL);
SELECT item_id, title FROM get_sprint_items('ids-twice') ORDER BY item_id, title;
SELECT claim_sprint_item('ids-twice', 'b') - 'reason' AS refused;
SELECT complete_sprint_item('ids-twice', 'b') - 'reason' AS refused, release_sprint_item('ids-twice', 'b') - 'reason' AS refused_too;
-- The others can still be claimed by their ids; what waits for an id of two rows waits for both.
SELECT claim_sprint_item('ids-twice', 'a') ->> 'claimed' AS claimed;
SELECT claim_sprint_item('ids-twice', 'c') ->> 'error' AS refused;
SELECT item_id, status, suspicious FROM cross_check_items('ids-twice', '{a,b}');
\x on
SELECT error.* FROM unnest(ARRAY[$$SELECT generate_handoff('ids-twice', 'goal')$$, $$SELECT * FROM plan_waves('ids-twice')$$, $$SELECT board_revision('ids-twice')$$, $$SELECT claim_next_sprint_item('ids-twice')$$]) WITH ORDINALITY AS c (call, n), pg_temp.error_of(call) AS error ORDER BY n;
\x off
SELECT status, count(*) FROM twice WHERE item_id = 'b' GROUP BY status;
UPDATE twice SET status = 'done' WHERE title = 'Second';
SELECT claim_sprint_item('ids-twice', 'c') ->> 'error' AS refused;
DELETE FROM twice WHERE title = 'Second';
SELECT generate_handoff('ids-twice', 'goal') ->> 'mode' AS mode;
SELECT detach_board('ids-twice');
-- A board that has one already is not attached.
INSERT INTO twice VALUES ('ids-twice', 'b', 'todo', 'Second', NULL);
SELECT code, detail FROM pg_temp.error_of($$SELECT attach_board('ids-twice', 'twice', '{"project_id": "tenant"}')$$);
SELECT count(*) FROM pg_trigger WHERE tgrelid = 'twice'::regclass;

-- Ids that cannot be written in a list or a tag.
CREATE TABLE bad (item_id text, status text DEFAULT 'todo');
CREATE FUNCTION pg_temp.attach_with(id text, OUT code text, OUT message text, OUT detail text) LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM attached_ids.bad;
    INSERT INTO attached_ids.bad VALUES (id), ('good');
    SELECT e.code, e.message, e.detail INTO code, message, detail FROM pg_temp.error_of($c$SELECT meridian.attach_board('ids-bad', 'attached_ids.bad', '{"project_id": null}')$c$) AS e;
    IF code = '00000' THEN
        PERFORM meridian.detach_board('ids-bad');
    END IF;
END
$$;
\x on
SELECT error.* FROM unnest(ARRAY['a,b', E'a\nb', E'a\tb', E'\u0085', ' a', 'a ', '', NULL, 'a b', '<a>', '"a"', 'ä', '5']) WITH ORDINALITY AS i (id, n), pg_temp.attach_with(id) AS error ORDER BY n;
\x off
-- One that comes later.
DELETE FROM bad;
INSERT INTO bad VALUES ('good');
SELECT attach_board('ids-bad', 'bad', '{"project_id": null}');
INSERT INTO bad VALUES ('a,b');
SELECT item_id FROM get_sprint_items('ids-bad');
SELECT claim_sprint_item('ids-bad', 'good') ->> 'claimed' AS claimed;
SELECT call, error.code, error.detail FROM unnest(ARRAY[$$SELECT generate_handoff('ids-bad', 'goal')$$, $$SELECT * FROM plan_waves('ids-bad')$$, $$SELECT claim_next_sprint_item('ids-bad')$$]) WITH ORDINALITY AS c (call, n), pg_temp.error_of(call) AS error ORDER BY n;
SELECT detach_board('ids-bad');

-- A column that folds letters takes two spellings for one id; the claim goes by the spelling that is stored.
CREATE COLLATION folding (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TABLE folded (item_id text COLLATE folding PRIMARY KEY, status text);
INSERT INTO folded VALUES ('Item-A', 'todo');
SELECT attach_board('ids-folded', 'folded', '{"project_id": null}');
SELECT item_id, suspicious FROM cross_check_items('ids-folded', '{Item-A,item-a}');
SELECT claim_sprint_item('ids-folded', 'item-a') ->> 'error' AS other_spelling, claim_sprint_item('ids-folded', 'Item-A') #>> '{item,item_id}' AS claimed;
SELECT detach_board('ids-folded');
SET client_min_messages = warning;
DROP SCHEMA attached_ids CASCADE;
