-- Detaching: the triggers go with the last project that needs them, the table stays as it is, the board is meridian.sprint_items again.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir /sql/include/helpers.psql
\set ECHO none
\i :helpers
\set ECHO all
CREATE SCHEMA attached_detached;
SET search_path = attached_detached, meridian;
INSERT INTO projects (project_id, name) SELECT 'detach-' || name, name FROM unnest('{a,b,c,whole,part}'::text[]) AS name;
CREATE FUNCTION pg_temp.triggers(pattern text) RETURNS TABLE (relation regclass, triggers bigint) LANGUAGE sql AS $$
    SELECT c.oid::regclass, count(t.oid) FROM pg_class c LEFT JOIN pg_trigger t ON t.tgrelid = c.oid AND t.tgname LIKE 'meridian\_%' WHERE c.relnamespace = 'attached_detached'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname LIKE pattern GROUP BY c.oid ORDER BY 1
$$;

CREATE TABLE shared (tenant text, item_id int, status text DEFAULT 'todo', note text);
CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
CREATE TRIGGER their_own BEFORE UPDATE ON shared FOR EACH ROW EXECUTE FUNCTION keep();
INSERT INTO shared VALUES ('detach-a', 1), ('detach-b', 1), ('detach-c', 1);
INSERT INTO sprint_items (project_id, item_id, title) VALUES ('detach-a', 'own', 'In the own table');
SELECT attach_board('detach-a', 'shared', '{"project_id": "tenant"}'), attach_board('detach-b', 'shared', '{"project_id": "tenant"}'), attach_board('detach-c', 'shared', '{"project_id": "tenant"}', track_history => false);
SELECT item_id FROM get_sprint_items('detach-a');
SELECT * FROM pg_temp.triggers('shared');
SELECT claim_sprint_item('detach-a', 'own') ->> 'error' AS hidden, claim_sprint_item('detach-a', '1') ->> 'claimed' AS claimed;
SELECT detach_board('detach-a');
SELECT * FROM pg_temp.triggers('shared');
SELECT item_id FROM get_sprint_items('detach-a');
SELECT claim_sprint_item('detach-a', 'own') ->> 'claimed' AS claimed;
UPDATE shared SET note = 'Changed', status = 'failed';
SELECT p, item_id, operation, old_status, new_status FROM unnest('{detach-a,detach-b,detach-c}'::text[]) AS p, board_changes_since(p, 0) WHERE item_id = '1' ORDER BY p, history_id;
-- The last one that records takes them along, though another board still lies there.
SELECT detach_board('detach-b');
SELECT * FROM pg_temp.triggers('shared');
SELECT tgname FROM pg_trigger WHERE tgrelid = 'shared'::regclass;
SELECT item_id, status FROM get_sprint_items('detach-c', '{failed}');
SELECT detach_board('detach-c');
SELECT * FROM shared ORDER BY tenant;
SELECT * FROM pg_temp.error_of($$SELECT detach_board('detach-c')$$) \gx
-- Attached anew: from now on.
SELECT attach_board('detach-a', 'shared', '{"project_id": "tenant"}');
UPDATE shared SET status = 'done';
SELECT item_id, new_status FROM board_changes_since('detach-a', 0) ORDER BY history_id;
-- Rolled back, nothing of it is left.
BEGIN;
SELECT detach_board('detach-a');
ROLLBACK;
SELECT * FROM pg_temp.triggers('shared');
SELECT item_id FROM get_sprint_items('detach-a', '{done}');
SELECT detach_board('detach-a');

-- A partition that is a board of its own keeps its triggers, and so does the whole.
CREATE TABLE whole (item_id int, status text DEFAULT 'todo') PARTITION BY RANGE (item_id);
CREATE TABLE whole_low PARTITION OF whole FOR VALUES FROM (0) TO (100);
CREATE TABLE whole_high PARTITION OF whole FOR VALUES FROM (100) TO (200);
SELECT attach_board('detach-whole', 'whole', '{"project_id": null}'), attach_board('detach-part', 'whole_low', '{"project_id": null}');
SELECT detach_board('detach-whole');
SELECT * FROM pg_temp.triggers('whole%');
INSERT INTO whole_low VALUES (1);
SELECT item_id, operation FROM board_changes_since('detach-part', 0);
SELECT attach_board('detach-whole', 'whole', '{"project_id": null}');
SELECT detach_board('detach-part');
SELECT * FROM pg_temp.triggers('whole%');
INSERT INTO whole_low VALUES (2);
INSERT INTO whole VALUES (3);
SELECT item_id, operation FROM board_changes_since('detach-whole', 0);
SELECT detach_board('detach-whole');
SELECT * FROM pg_temp.triggers('whole%');

-- The extension is not dropped from under a table that has its triggers; the refusal names the table.
CREATE TABLE last (item_id int PRIMARY KEY, status text);
INSERT INTO last VALUES (1, 'todo');
SELECT attach_board('detach-a', 'last', '{"project_id": null}');
\set VERBOSITY verbose
SELECT code, detail ~ 'trigger meridian_record_update on table last depends on function (meridian\.)?record_item_history\(\)' AS names_it FROM pg_temp.error_of('DROP EXTENSION meridian_handoff');
\set VERBOSITY default
SELECT detach_board('detach-a');
BEGIN;
SELECT code, message FROM pg_temp.error_of('DROP EXTENSION meridian_handoff');
SELECT count(*) FROM pg_extension WHERE extname = 'meridian_handoff';
SELECT * FROM last;
ROLLBACK;
-- With CASCADE the triggers go, and the table works on.
SELECT attach_board('detach-a', 'last', '{"project_id": null}');
BEGIN;
SET LOCAL client_min_messages = warning;
DROP EXTENSION meridian_handoff CASCADE;
UPDATE last SET status = 'done';
SELECT * FROM last;
ROLLBACK;
SELECT detach_board('detach-a');
SET client_min_messages = warning;
DROP SCHEMA attached_detached CASCADE;
DELETE FROM sprint_items WHERE project_id LIKE 'detach-%';
