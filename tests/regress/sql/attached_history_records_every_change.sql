-- The history of an attached board: every change of a mapped column, by whoever made it, once, and nothing else.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir /sql/include/helpers.psql
\set ECHO none
\i :helpers
\set ECHO all
CREATE SCHEMA attached_history;
SET search_path = attached_history, meridian;
INSERT INTO projects (project_id, name) VALUES ('kept', 'Kept'), ('unkept', 'Keeps none');
UPDATE projects SET settings = '{"history": false}' WHERE project_id = 'unkept';
INSERT INTO sessions (session_id, project_id) VALUES ('kept-session', 'kept');

CREATE TEMPORARY TABLE mark (counter bigint);
INSERT INTO mark SELECT coalesce(max(history_id), 0) FROM sprint_item_history;
CREATE FUNCTION pg_temp.changes(project text DEFAULT 'kept', OUT item_id text, OUT operation text, OUT old_status text, OUT new_status text, OUT old_depends_on text[], OUT new_depends_on text[], OUT changed_columns text[], OUT changed_by text, OUT session_id text)
RETURNS SETOF record LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
        SELECT c.item_id, c.operation, c.old_status, c.new_status, c.old_depends_on, c.new_depends_on, c.changed_columns, CASE c.changed_by WHEN current_user THEN 'me' ELSE c.changed_by END, c.session_id
        FROM meridian.board_changes_since(project, (SELECT counter FROM mark)) AS c ORDER BY c.item_id COLLATE "C", c.history_id;
    UPDATE mark SET counter = (SELECT coalesce(max(history_id), counter) FROM meridian.sprint_item_history);
END
$$;
CREATE TABLE ticket (tenant text DEFAULT 'kept', no int PRIMARY KEY, state text DEFAULT 'open', needs int[], subject text, owner text, since timestamptz, internal text, edited timestamptz);
CREATE TABLE audit (said text);
SELECT attach_board(p, 'ticket', '{"project_id": "tenant", "item_id": "no", "status": "state", "depends_on": "needs", "title": "subject", "claimed_by": "owner", "claimed_at": "since", "updated_at": "edited"}', '{"open": "todo", "busy": "in_progress", "shut": "done"}') FROM unnest('{kept,unkept}'::text[]) AS p;

INSERT INTO ticket (no, needs) VALUES (1, NULL), (2, '{1}'), (3, '{2,1,2}');
SELECT * FROM pg_temp.changes();
UPDATE ticket SET state = 'shut', subject = 'One' WHERE no = 1;
UPDATE ticket SET needs = '{3,1}' WHERE no = 2;
SELECT * FROM pg_temp.changes();
-- One statement, a row an item; what stays as it was, and columns that are none of the board's, are no change.
UPDATE ticket SET subject = upper(subject), internal = 'x', edited = now();
SELECT * FROM pg_temp.changes();
UPDATE ticket SET internal = 'y', edited = now() + interval '1 day';
UPDATE ticket SET state = state, subject = subject;
UPDATE ticket SET state = 'failed' WHERE no = 99;
DELETE FROM ticket WHERE no = 99;
SELECT * FROM pg_temp.changes();
-- The same predecessors in another order are no change of status, but one of the column.
UPDATE ticket SET needs = '{1,3}' WHERE no = 2;
SELECT item_id, old_depends_on, new_depends_on, changed_columns FROM pg_temp.changes();
-- Another key is an item that went and one that came; two that swap are two changes.
UPDATE ticket SET no = 30 WHERE no = 3;
SELECT * FROM pg_temp.changes();
UPDATE ticket SET no = -no, needs = NULL;
SELECT item_id, operation FROM pg_temp.changes();
INSERT INTO ticket (no, subject) VALUES (-1, 'Upserted'), (4, 'New') ON CONFLICT (no) DO UPDATE SET subject = excluded.subject;
SELECT item_id, operation, changed_columns FROM pg_temp.changes();
MERGE INTO ticket t USING (VALUES (4, 'Merged'), (5, 'Fresh')) AS v (no, subject) ON t.no = v.no WHEN MATCHED THEN UPDATE SET subject = v.subject WHEN NOT MATCHED THEN INSERT (no, subject) VALUES (v.no, v.subject);
SELECT item_id, operation, changed_columns FROM pg_temp.changes();
COPY ticket (no, state) FROM STDIN;
6	open
7	shut
\.
SELECT item_id, operation, new_status FROM pg_temp.changes();
DELETE FROM ticket WHERE no IN (6, 7);
SELECT item_id, operation, old_status FROM pg_temp.changes();
-- A word that nothing explains is written down as it is; NULL is pending.
UPDATE ticket SET state = 'on hold' WHERE no = 4;
UPDATE ticket SET state = NULL WHERE no = 5;
SELECT item_id, old_status, new_status FROM pg_temp.changes();
-- Rolled back, nothing is left.
BEGIN;
DELETE FROM ticket;
ROLLBACK;
SELECT * FROM pg_temp.changes();
-- From a project to another, or to none.
UPDATE ticket SET tenant = 'nobody' WHERE no = 4;
SELECT item_id, operation FROM pg_temp.changes();
UPDATE ticket SET tenant = NULL WHERE no = 5;
SELECT item_id, operation FROM pg_temp.changes();

-- The session that a function acts for, or that the setting names; the role that writes.
SELECT claim_sprint_item('kept', '-2', 'kept-session') ->> 'claimed' AS claimed;
SELECT * FROM pg_temp.changes();
SELECT complete_sprint_item('kept', '-2', 'kept-session') ->> 'completed' AS completed;
SELECT item_id, old_status, new_status, changed_columns, session_id FROM pg_temp.changes();
UPDATE ticket SET subject = 'After' WHERE no = -2;
SELECT item_id, session_id FROM pg_temp.changes();
SET meridian.session_id = 'named-by-hand';
UPDATE ticket SET subject = 'By hand' WHERE no = -2;
RESET meridian.session_id;
SELECT item_id, session_id FROM pg_temp.changes();
-- Whoever may write the table needs no right to anything of the extension's, and an own search_path plays no part.
CREATE ROLE regress_attached_writer;
GRANT USAGE ON SCHEMA attached_history TO regress_attached_writer;
GRANT SELECT, INSERT, UPDATE, DELETE, TRUNCATE ON ticket TO regress_attached_writer;
CREATE FUNCTION write_down() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO attached_history.audit VALUES (current_user); RETURN NULL; END $$;
GRANT INSERT ON audit TO regress_attached_writer;
CREATE TRIGGER write_down AFTER UPDATE ON ticket FOR EACH STATEMENT EXECUTE FUNCTION write_down();
CREATE SCHEMA AUTHORIZATION regress_attached_writer;
SET ROLE regress_attached_writer;
SET search_path = regress_attached_writer;
CREATE FUNCTION array_remove(anyarray, text) RETURNS anyarray LANGUAGE sql AS $$ SELECT '{}'::text[] $$;
CREATE FUNCTION "coalesce"(text, text) RETURNS text LANGUAGE sql AS $$ SELECT 'planted' $$;
CREATE TABLE new_items (no int, state text);
CREATE TEMPORARY TABLE old_items (no int, state text);
UPDATE attached_history.ticket SET subject = 'By the writer' WHERE no = -2;
INSERT INTO attached_history.ticket (no) VALUES (8);
DELETE FROM attached_history.ticket WHERE no = 8;
SELECT * FROM meridian.sprint_item_history;
DROP TABLE old_items;
RESET ROLE;
SET search_path = attached_history, meridian;
SELECT item_id, operation, changed_columns, changed_by FROM pg_temp.changes();
-- In a function that lends its owner's rights it is the owner who writes.
CREATE FUNCTION lend() RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = attached_history AS $$ UPDATE ticket SET subject = 'Lent' WHERE no = -2 $$;
SET ROLE regress_attached_writer;
SELECT attached_history.lend();
RESET ROLE;
SELECT item_id, changed_by FROM pg_temp.changes();
DROP OWNED BY regress_attached_writer;
DROP ROLE regress_attached_writer;

-- A project that keeps no history, until it does.
INSERT INTO ticket (tenant, no) VALUES ('unkept', 100);
UPDATE ticket SET state = 'shut' WHERE no = 100;
SELECT claim_sprint_item('unkept', '100') ->> 'error' AS refused;
SELECT * FROM pg_temp.changes('unkept');
UPDATE projects SET settings = '{}' WHERE project_id = 'unkept';
UPDATE ticket SET state = 'open' WHERE no = 100;
SELECT item_id, old_status, new_status FROM pg_temp.changes('unkept');
-- While a dump is loaded nothing is recorded.
SET meridian.restoring = on;
UPDATE ticket SET state = 'busy' WHERE no = 100;
RESET meridian.restoring;
SELECT * FROM pg_temp.changes('unkept');

-- Two tables of the same columns in another order, in one session: each is read as it is laid out.
CREATE TABLE turned (subject text, owner text, no int, state text, tenant text);
INSERT INTO projects (project_id, name) VALUES ('turned', 'Turned'), ('straight', 'Straight');
CREATE TABLE straight (no int, state text, subject text, owner text, tenant text);
SELECT attach_board(p, p::regclass, '{"project_id": "tenant", "item_id": "no", "status": "state", "title": "subject", "claimed_by": "owner"}') FROM unnest('{turned,straight}'::text[]) AS p;
INSERT INTO straight VALUES (1, 'todo', 'done', 'failed', 'straight');
INSERT INTO turned VALUES ('done', 'failed', 1, 'todo', 'turned');
UPDATE straight SET state = 'pending';
UPDATE turned SET state = 'pending';
SELECT p, item_id, operation, old_status, new_status, changed_columns FROM unnest('{straight,turned}'::text[]) AS p, board_changes_since(p, 0) ORDER BY p, history_id;
-- And one whose columns move under a session that has written before.
ALTER TABLE straight DROP COLUMN subject, ADD COLUMN subject text DEFAULT 'Again';
UPDATE straight SET state = 'done', owner = 'o';
SELECT item_id, operation, old_status, new_status, changed_columns FROM pg_temp.changes('straight') WHERE new_status = 'done';

SELECT count(detach_board(project_id)) FROM (SELECT project_id FROM meridian.board_sources ORDER BY 1) AS every;
SET client_min_messages = warning;
DROP SCHEMA attached_history CASCADE;
