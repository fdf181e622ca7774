-- What a board may lie in: wide and partitioned tables, views that write themselves or through triggers, and relations that can only be read.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir /sql/include/helpers.psql
\set ECHO none
\i :helpers
\set ECHO all
CREATE SCHEMA attached_kinds;
SET search_path = attached_kinds, meridian;
INSERT INTO projects (project_id, name) SELECT 'kind-' || name, name FROM unnest('{wide,parts,join,lending,invoking,numeral,computed,snapshot,grouped,none}'::text[]) AS name;
CREATE FUNCTION pg_temp.changes(project text) RETURNS TABLE (item_id text, operation text, old_status text, new_status text, changed_columns text[]) LANGUAGE sql AS $$
    SELECT item_id, operation, old_status, new_status, changed_columns FROM meridian.board_changes_since(project, 0) ORDER BY history_id
$$;

-- A table of 200 columns, ours in the middle of it.
DO $$
BEGIN
    EXECUTE 'CREATE TABLE wide (' || (SELECT string_agg(CASE n WHEN 100 THEN 'ticket bigint PRIMARY KEY' WHEN 150 THEN 'state text' WHEN 200 THEN 'needs bigint[]' ELSE 'c' || n || ' text DEFAULT repeat(''x'', 20)' END, ', ' ORDER BY n) FROM generate_series(1, 200) AS n) || ')';
END
$$;
SELECT count(*) AS columns FROM pg_attribute WHERE attrelid = 'wide'::regclass AND attnum > 0;
INSERT INTO wide (ticket, state, needs) VALUES (1, 'todo', NULL), (2, 'todo', '{1}');
SELECT attach_board('kind-wide', 'wide', '{"project_id": null, "item_id": "ticket", "status": "state", "depends_on": "needs", "title": "c17"}');
SELECT item_id, title, depends_on FROM get_sprint_items('kind-wide');
SELECT wave, item_id FROM plan_waves('kind-wide');
SELECT claim_sprint_item('kind-wide', '1') #>> '{item,title}' AS claimed, complete_sprint_item('kind-wide', '1') ->> 'completed' AS completed;
UPDATE wide SET c1 = 'y', c199 = 'y';
SELECT * FROM pg_temp.changes('kind-wide');
SELECT count(*) AS untouched FROM wide WHERE c17 = repeat('x', 20) AND c198 = repeat('x', 20) AND c1 = 'y';

-- A partitioned table, in two levels.
CREATE TABLE parts (item_id int, status text, region text, title text, PRIMARY KEY (region, item_id)) PARTITION BY LIST (region);
CREATE TABLE parts_north PARTITION OF parts FOR VALUES IN ('north');
CREATE TABLE parts_south PARTITION OF parts FOR VALUES IN ('south') PARTITION BY RANGE (item_id);
CREATE TABLE parts_south_low PARTITION OF parts_south FOR VALUES FROM (0) TO (100);
-- Attached later, with another order of columns and one that was dropped.
CREATE TABLE parts_south_high (gone int, title text, region text NOT NULL, status text, item_id int NOT NULL);
ALTER TABLE parts_south_high DROP COLUMN gone;
ALTER TABLE parts_south ATTACH PARTITION parts_south_high FOR VALUES FROM (100) TO (200);
SELECT attach_board('kind-parts', 'parts', '{"project_id": null}');
SELECT tgrelid::regclass AS relation, string_agg(tgname, ' ' ORDER BY tgname COLLATE "C") AS triggers FROM pg_trigger WHERE tgname LIKE 'meridian\_%' AND tgrelid::regclass::text LIKE 'parts%' GROUP BY tgrelid ORDER BY 1;
-- Once a change, whichever relation the statement names.
INSERT INTO parts VALUES (1, 'todo', 'north', 'One'), (2, 'todo', 'south', 'Two'), (102, 'todo', 'south', 'High');
INSERT INTO parts_north VALUES (3, 'todo', 'north', 'Direct');
INSERT INTO parts_south_high VALUES ('Deep', 'south', 'todo', 103);
UPDATE parts SET title = upper(title) WHERE item_id IN (1, 2, 102);
UPDATE parts_south SET title = 'Middle' WHERE item_id = 103;
UPDATE parts_south_high SET status = 'skipped' WHERE item_id = 103;
-- To another partition: still the same item.
UPDATE parts SET region = 'south' WHERE item_id = 1;
UPDATE parts SET item_id = 104 WHERE item_id = 102;
DELETE FROM parts_south_low WHERE item_id = 2;
DELETE FROM parts WHERE item_id = 3;
SELECT * FROM pg_temp.changes('kind-parts');
SELECT claim_sprint_item('kind-parts', '104') #>> '{item,title}' AS claimed;
SELECT complete_sprint_item('kind-parts', '104', status => 'failed') ->> 'completed' AS completed;
SELECT item_id, operation, old_status, new_status FROM pg_temp.changes('kind-parts') OFFSET 13;
SELECT detach_board('kind-parts');
SELECT count(*) AS triggers_left FROM pg_trigger WHERE tgname LIKE 'meridian\_%' AND tgrelid::regclass::text LIKE 'parts%';

-- A view over a join, written through an INSTEAD OF trigger.
CREATE TABLE ticket (no int PRIMARY KEY, subject text, blocked_by int[]);
CREATE TABLE progress (no int PRIMARY KEY REFERENCES ticket, state text, owner text, since timestamptz);
INSERT INTO ticket VALUES (1, 'One', NULL), (2, 'Two', '{1}');
INSERT INTO progress VALUES (1, 'todo'), (2, 'todo');
CREATE VIEW joined WITH (security_invoker) AS SELECT t.no, t.subject, t.blocked_by, p.state, p.owner, p.since FROM ticket t JOIN progress p USING (no);
-- As it is, it can only be read.
BEGIN;
SELECT attach_board('kind-join', 'joined', '{"project_id": null, "item_id": "no", "title": "subject", "status": "state", "depends_on": "blocked_by", "claimed_by": "owner", "claimed_at": "since"}', track_history => false);
SELECT wave, item_id FROM plan_waves('kind-join');
SELECT code, message, detail, hint FROM pg_temp.error_of($$SELECT claim_sprint_item('kind-join', '1')$$) \gx
ROLLBACK;
CREATE FUNCTION write_joined() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE attached_kinds.progress SET state = NEW.state, owner = NEW.owner, since = NEW.since WHERE no = OLD.no;
    RETURN NEW;
END
$$;
CREATE TRIGGER write_joined INSTEAD OF UPDATE ON joined FOR EACH ROW EXECUTE FUNCTION write_joined();
SELECT code, message, hint FROM pg_temp.error_of($$SELECT attach_board('kind-join', 'joined', '{"project_id": null, "item_id": "no", "title": "subject", "status": "state"}')$$) \gx
SELECT attach_board('kind-join', 'joined', '{"project_id": null, "item_id": "no", "title": "subject", "status": "state", "depends_on": "blocked_by", "claimed_by": "owner", "claimed_at": "since"}', track_history => false);
SELECT item_id, title, status, depends_on FROM get_sprint_items('kind-join');
SELECT claim_sprint_item('kind-join', '2') ->> 'error' AS refused, claim_sprint_item('kind-join', '1') #>> '{item,title}' AS claimed;
SELECT no, state, owner = current_user AS by_me, since IS NOT NULL AS timed FROM progress ORDER BY no;
SELECT complete_sprint_item('kind-join', '1') ->> 'completed' AS completed;
SELECT claim_next_sprint_item('kind-join') #>> '{item,item_id}' AS next;
SELECT release_sprint_item('kind-join', '2') ->> 'released' AS released;
SELECT no, state, owner, since FROM progress WHERE no = 2;
-- Without triggers on it nothing is recorded but the events.
SELECT count(*) FROM board_changes_since('kind-join', 0);
SELECT event_type, item_id FROM events WHERE project_id = 'kind-join' ORDER BY event_id;

-- Views that PostgreSQL can write: whose rights they read with is told.
CREATE TABLE base (item_id int PRIMARY KEY, status text, title text, hidden boolean DEFAULT false);
INSERT INTO base VALUES (1, 'todo', 'One', false), (2, 'todo', 'Two', false), (3, 'todo', 'Hidden', true);
CREATE VIEW lending AS SELECT * FROM base WHERE NOT hidden;
CREATE VIEW invoking WITH (security_invoker = on) AS SELECT * FROM base WHERE NOT hidden;
CREATE VIEW numeral WITH (security_invoker = 1) AS SELECT * FROM base WHERE NOT hidden;
CREATE VIEW denying WITH (security_invoker = off) AS SELECT * FROM base WHERE NOT hidden;
SELECT attach_board('kind-lending', 'lending', '{"project_id": null}', track_history => false);
SELECT attach_board('kind-invoking', 'invoking', '{"project_id": null}', track_history => false);
SELECT attach_board('kind-numeral', 'numeral', '{"project_id": null}', track_history => false);
SELECT attach_board('kind-none', 'denying', '{"project_id": null}', track_history => false);
SELECT detach_board('kind-none');
SELECT p AS project, (SELECT string_agg(item_id, ' ') FROM get_sprint_items(p)) AS items, claim_sprint_item(p, '3') ->> 'error' AS hidden FROM unnest('{kind-lending,kind-invoking}'::text[]) AS p;
SELECT claim_sprint_item('kind-lending', '1') ->> 'claimed' AS claimed, claim_sprint_item('kind-invoking', '2') ->> 'claimed' AS claimed_too;
SELECT * FROM base ORDER BY item_id;
-- An item that its claim takes out of the view's sight is claimed all the same.
CREATE VIEW open_ones WITH (security_invoker) AS SELECT * FROM base WHERE status = 'todo';
SELECT attach_board('kind-none', 'open_ones', '{"project_id": null}', track_history => false);
SELECT claim_sprint_item('kind-none', '3') AS claimed;
SELECT detach_board('kind-none');
SELECT status FROM base WHERE item_id = 3;
-- With a check option the view refuses that, in its own words.
UPDATE base SET status = 'todo' WHERE item_id = 3;
CREATE VIEW checked WITH (security_invoker) AS SELECT * FROM base WHERE status = 'todo' WITH CHECK OPTION;
SELECT attach_board('kind-none', 'checked', '{"project_id": null}', track_history => false);
SELECT code, message FROM pg_temp.error_of($$SELECT claim_sprint_item('kind-none', '3')$$);
SELECT detach_board('kind-none');
-- A view may have a status that is computed: then no claim can write it.
CREATE VIEW computed WITH (security_invoker) AS SELECT item_id, CASE WHEN hidden THEN 'skipped' ELSE 'todo' END AS status FROM base;
SELECT attach_board('kind-computed', 'computed', '{"project_id": null}', track_history => false);
SELECT code FROM pg_temp.error_of($$SELECT claim_sprint_item('kind-computed', '1')$$);

-- A materialized view and a view over an aggregate are for reading.
CREATE MATERIALIZED VIEW snapshot AS SELECT item_id, 'todo' AS status, title, CASE item_id WHEN 2 THEN 1 END AS depends_on FROM base;
CREATE VIEW grouped WITH (security_invoker) AS SELECT item_id, min(status) AS status FROM (SELECT item_id, 'todo'::text AS status FROM base) AS b GROUP BY item_id;
SELECT code, message FROM pg_temp.error_of($$SELECT attach_board('kind-snapshot', 'snapshot', '{"project_id": null}')$$);
SELECT attach_board('kind-snapshot', 'snapshot', '{"project_id": null}', track_history => false);
SELECT attach_board('kind-grouped', 'grouped', '{"project_id": null}', track_history => false);
SELECT item_id, title FROM get_sprint_items('kind-snapshot');
SELECT wave, item_id FROM plan_waves('kind-snapshot');
SELECT generate_handoff('kind-snapshot', 'goal') AS response \gset
SELECT :'response'::jsonb #>> '{item_counts,selected}' AS selected, :'response'::jsonb ->> 'board_revision' = board_revision('kind-snapshot') AS same_revision,
       verify_handoff_token('kind-snapshot', substring(:'response'::jsonb ->> 'content', '<goal_token>([^<]*)'), :'response'::jsonb ->> 'content') ->> 'reason' AS verified;
SELECT call, error.code, error.message
FROM (VALUES (1, $$SELECT claim_sprint_item('kind-snapshot', '1')$$), (2, $$SELECT claim_next_sprint_item('kind-snapshot')$$), (3, $$SELECT complete_sprint_item('kind-snapshot', '1')$$), (4, $$SELECT release_sprint_item('kind-snapshot', '1')$$), (5, $$SELECT claim_sprint_item('kind-grouped', '1')$$)) AS refused (n, call), pg_temp.error_of(call) AS error
ORDER BY n;

-- What is no relation of rows is no board.
CREATE SEQUENCE numbers;
CREATE TYPE pair AS (item_id int, status text);
CREATE INDEX base_status ON base (item_id, status);
\x on
SELECT error.* FROM (VALUES (1, 'numbers', 'last_value', 'is_called'), (2, 'pair', 'item_id', 'status'), (3, 'base_status', 'item_id', 'status')) AS r (n, name, item_id, status),
    pg_temp.error_of(format($$SELECT attach_board('kind-none', (SELECT oid FROM pg_class WHERE relname = %L AND relnamespace = 'attached_kinds'::regnamespace), jsonb_build_object('project_id', NULL, 'item_id', %L, 'status', %L))$$, name, item_id, status)) AS error ORDER BY n;
SELECT * FROM pg_temp.error_of($$SELECT attach_board('kind-wide', 'base', '{"project_id": null}')$$);
\x off
SELECT code FROM pg_temp.error_of($$SELECT attach_board('kind-none', 'no_such_table')$$);

SELECT count(detach_board(project_id)) FROM (SELECT project_id FROM meridian.board_sources ORDER BY 1) AS every;
SET client_min_messages = warning;
DROP SCHEMA attached_kinds CASCADE;
