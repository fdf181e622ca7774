-- The history of items: one row a changed item and statement, with what changed, by whom and under which session.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir /sql/include/helpers.psql
\set ECHO none
\i :helpers
\set ECHO all
SET search_path = meridian;

INSERT INTO projects (project_id, name) VALUES ('history', 'History'), ('history-quiet', 'Keeps none'), ('history-other', 'Another');
UPDATE projects SET settings = '{"history": false}' WHERE project_id = 'history-quiet';

-- Where the history stood when it was last looked at.
CREATE TEMPORARY TABLE mark (counter bigint);
INSERT INTO mark SELECT coalesce(max(history_id), 0) FROM sprint_item_history;
CREATE FUNCTION pg_temp.changes(project text DEFAULT 'history', version text DEFAULT NULL,
    OUT item_id text, OUT operation text, OUT old_status text, OUT new_status text, OUT old_depends_on text[], OUT new_depends_on text[],
    OUT changed_columns text[], OUT by_me boolean, OUT session_id text, OUT timely boolean)
RETURNS SETOF record LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
        SELECT c.item_id, c.operation, c.old_status, c.new_status, c.old_depends_on, c.new_depends_on, c.changed_columns,
               c.changed_by = current_user, c.session_id, c.changed_at BETWEEN now() - interval '1 minute' AND clock_timestamp()
        FROM meridian.board_changes_since(project, (SELECT counter FROM mark), version) AS c
        ORDER BY c.item_id COLLATE "C", c.history_id;
    UPDATE mark SET counter = (SELECT coalesce(max(history_id), counter) FROM meridian.sprint_item_history);
END
$$;

INSERT INTO sprint_items (project_id, item_id, title, version, depends_on) VALUES ('history', 'a', 'A', 'v1', '{}'), ('history', 'b', 'B', 'v2', '{a}'), ('history-other', 'a', 'Not ours', 'v1', '{}');
SELECT * FROM pg_temp.changes();
UPDATE sprint_items SET status = 'done', title = 'A done' WHERE project_id = 'history' AND item_id = 'a';
SELECT * FROM pg_temp.changes();
-- One statement, a row an item.
UPDATE sprint_items SET priority = 'high', depends_on = depends_on || 'x'::text WHERE project_id = 'history';
SELECT * FROM pg_temp.changes();
-- What stays as it was is no change, nor is the time of an update alone.
UPDATE sprint_items SET status = status, title = title WHERE project_id = 'history';
UPDATE sprint_items SET updated_at = now() + interval '1 day' WHERE project_id = 'history';
UPDATE sprint_items SET status = 'failed' WHERE project_id = 'history' AND item_id = 'no such item';
SELECT * FROM pg_temp.changes();
UPDATE sprint_items SET priority = CASE item_id WHEN 'a' THEN 'low' ELSE priority END WHERE project_id = 'history';
SELECT * FROM pg_temp.changes();
-- Every column but the key and updated_at is watched.
INSERT INTO sprint_items (project_id, item_id, title) VALUES ('history', 'all', 'All columns');
SELECT operation FROM pg_temp.changes();
UPDATE sprint_items SET title = 'All', notes = 'n', status = 'failed', priority = 'low', version = 'v1', depends_on = '{a}', failure_mode = 'stop', item_group = 'g', milestone_type = 'human',
    human_id = 'h', blocker_kind = 'manual', wave = 'w', track = 't', deferred_until = now(), touches_resources = '["file:a"]', tool_requirements = '[{"name": "t"}]',
    required_tool = 't', prospect_bypass = true, artifact_policy = '{}', parent_id = 'p', merged_into = 'm', require_verification = true, claimed_by = 'c', claimed_at = now(),
    added_at = now() - interval '1 hour', completed_at = now(), completion_note = 'n', updated_at = now() + interval '1 hour'
WHERE project_id = 'history' AND item_id = 'all';
SELECT operation, cardinality(changed_columns) AS columns, (SELECT string_agg(attname, ', ' ORDER BY attnum) FROM pg_attribute
    WHERE attrelid = 'sprint_items'::regclass AND attnum > 0 AND NOT attisdropped AND attname <> ALL (changed_columns)) AS not_among_them
FROM pg_temp.changes();
-- Another key is an item that went and one that came.
UPDATE sprint_items SET item_id = 'c' WHERE project_id = 'history' AND item_id = 'all';
SELECT * FROM pg_temp.changes();
UPDATE sprint_items SET project_id = 'history-other' WHERE project_id = 'history' AND item_id = 'c';
SELECT item_id, operation, old_status, new_status FROM pg_temp.changes();
INSERT INTO sprint_items (project_id, item_id, title) VALUES ('history', 'a', 'Upserted'), ('history', 'd', 'New')
ON CONFLICT (project_id, item_id) DO UPDATE SET title = excluded.title;
SELECT item_id, operation, changed_columns FROM pg_temp.changes();
DELETE FROM sprint_items WHERE project_id = 'history' AND item_id = 'd';
SELECT * FROM pg_temp.changes();
-- A statement that is rolled back leaves nothing.
BEGIN;
DELETE FROM sprint_items WHERE project_id = 'history';
ROLLBACK;
SELECT * FROM pg_temp.changes();

-- One version: the items that have it now.
UPDATE sprint_items SET notes = 'Both' WHERE project_id = 'history';
SELECT item_id, operation, changed_columns FROM pg_temp.changes(version => 'v2');

-- The session that the functions act for, or that the setting names; the role whose rights are in force.
INSERT INTO sessions (session_id, project_id) VALUES ('history-session', 'history');
UPDATE sprint_items SET status = 'todo', depends_on = '{}' WHERE project_id = 'history';
SELECT count(*) FROM pg_temp.changes();
SELECT claim_sprint_item('history', 'b', 'history-session') ->> 'claimed' AS claimed;
SELECT * FROM pg_temp.changes();
SELECT complete_sprint_item('history', 'b', 'history-session', note => 'Done') ->> 'completed' AS completed;
SELECT item_id, changed_columns, session_id FROM pg_temp.changes();
-- It doesn't stick.
UPDATE sprint_items SET notes = 'After' WHERE project_id = 'history' AND item_id = 'a';
SELECT item_id, changed_columns, session_id FROM pg_temp.changes();
SET meridian.session_id = 'named-by-hand';
UPDATE sprint_items SET notes = 'By hand' WHERE project_id = 'history' AND item_id = 'a';
SELECT item_id, changed_columns, session_id FROM pg_temp.changes();
-- A claim without a session has none, whatever the setting says.
SELECT claim_sprint_item('history', 'a') ->> 'claimed' AS claimed;
SELECT item_id, changed_columns, session_id FROM pg_temp.changes();
RESET meridian.session_id;
CREATE ROLE regress_meridian_writer;
GRANT USAGE ON SCHEMA meridian TO regress_meridian_writer;
GRANT SELECT, INSERT, UPDATE, DELETE ON sprint_items TO regress_meridian_writer;
GRANT SELECT ON projects TO regress_meridian_writer;
SET ROLE regress_meridian_writer;
UPDATE sprint_items SET notes = 'By the writer' WHERE project_id = 'history' AND item_id = 'a';
SELECT record_item_history();
INSERT INTO sprint_item_history (project_id, item_id, operation, changed_by) VALUES ('history', 'a', 'INSERT', 'somebody else');
RESET ROLE;
SELECT changed_by, operation, changed_columns FROM sprint_item_history WHERE project_id = 'history' AND changed_by = 'regress_meridian_writer';
SELECT item_id, changed_columns, by_me FROM pg_temp.changes();
DROP OWNED BY regress_meridian_writer;
DROP ROLE regress_meridian_writer;

-- TRUNCATE: a row for each project, with the number of its items.
BEGIN;
TRUNCATE sprint_items;
SELECT item_id, operation, old_status, new_status, changed_columns, by_me FROM pg_temp.changes();
SELECT operation, item_id, row_count FROM sprint_item_history WHERE project_id IN ('history', 'history-other', 'history-quiet') AND operation = 'TRUNCATE' ORDER BY project_id;
ROLLBACK;

-- A project that keeps no history, until it does.
INSERT INTO sprint_items (project_id, item_id, title) VALUES ('history-quiet', 'q', 'Q');
UPDATE sprint_items SET status = 'done' WHERE project_id = 'history-quiet';
UPDATE sprint_items SET item_id = 'r' WHERE project_id = 'history-quiet';
DELETE FROM sprint_items WHERE project_id = 'history-quiet';
SELECT * FROM pg_temp.changes('history-quiet');
UPDATE projects SET settings = '{"history": true}' WHERE project_id = 'history-quiet';
INSERT INTO sprint_items (project_id, item_id, title) VALUES ('history-quiet', 'q', 'Q');
SELECT item_id, operation FROM pg_temp.changes('history-quiet');

-- While a dump is loaded nothing is recorded.
SET meridian.restoring = on;
UPDATE sprint_items SET status = 'done' WHERE project_id = 'history-quiet';
DELETE FROM sprint_items WHERE project_id = 'history-quiet';
INSERT INTO sprint_items (project_id, item_id, title) VALUES ('history-quiet', 'q', 'Q');
RESET meridian.restoring;
SELECT * FROM pg_temp.changes('history-quiet');

-- In the order in which it happened, from the row after the counter on.
SELECT array_agg(history_id) = array_agg(history_id ORDER BY history_id) AS in_order, min(history_id) > 0 AS after_the_counter,
       count(*) = (SELECT count(*) FROM sprint_item_history WHERE project_id = 'history') AS all_of_it
FROM board_changes_since('history', 0);
SELECT count(*) FROM board_changes_since('history', (SELECT max(history_id) FROM sprint_item_history WHERE project_id = 'history'));
SELECT * FROM pg_temp.error_of($$SELECT board_changes_since('nowhere', 0)$$) \gx
