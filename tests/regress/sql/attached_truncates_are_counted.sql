-- TRUNCATE of an attached table: one row a project, with the number of its items; of a partitioned one, every item counted once.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir /sql/include/helpers.psql
\set ECHO none
\i :helpers
\set ECHO all
CREATE SCHEMA attached_truncated;
SET search_path = attached_truncated, meridian;
INSERT INTO projects (project_id, name) VALUES ('truncate-a', 'A'), ('truncate-b', 'B'), ('truncate-parts', 'Parts'), ('truncate-quiet', 'Keeps none');
UPDATE projects SET settings = '{"history": false}' WHERE project_id = 'truncate-quiet';
CREATE FUNCTION pg_temp.truncated() RETURNS TABLE (project_id text, item_id text, rows_counted bigint, by_me boolean, nothing_else boolean) LANGUAGE sql AS $$
    SELECT project_id, item_id, row_count, changed_by = current_user, num_nulls(old_status, new_status, old_depends_on, new_depends_on, changed_columns) = 5
    FROM meridian.sprint_item_history WHERE operation = 'TRUNCATE' AND project_id LIKE 'truncate-%' ORDER BY 1, history_id
$$;
CREATE TABLE tasks (tenant text, item_id int, status text DEFAULT 'todo');
SELECT attach_board(p, 'tasks', '{"project_id": "tenant"}') FROM unnest('{truncate-a,truncate-b,truncate-quiet}'::text[]) AS p;
INSERT INTO tasks VALUES ('truncate-a', 1), ('truncate-a', 2), ('truncate-b', 1), ('nobody', 1), ('truncate-quiet', 1);
BEGIN;
TRUNCATE tasks;
SELECT * FROM pg_temp.truncated();
ROLLBACK;
-- Of an empty table: nothing.
DELETE FROM tasks;
BEGIN;
TRUNCATE tasks;
SELECT * FROM pg_temp.truncated();
ROLLBACK;

CREATE TABLE parts (item_id int, status text DEFAULT 'todo') PARTITION BY RANGE (item_id);
CREATE TABLE parts_low PARTITION OF parts FOR VALUES FROM (0) TO (100);
CREATE TABLE parts_high PARTITION OF parts FOR VALUES FROM (100) TO (200) PARTITION BY RANGE (item_id);
CREATE TABLE parts_highest PARTITION OF parts_high FOR VALUES FROM (150) TO (200);
SELECT attach_board('truncate-parts', 'parts', '{"project_id": null}');
INSERT INTO parts VALUES (1), (2), (150);
BEGIN;
TRUNCATE parts;
SELECT sum(rows_counted) FROM pg_temp.truncated();
ROLLBACK;
BEGIN;
TRUNCATE parts_high;
SELECT sum(rows_counted) FROM pg_temp.truncated();
ROLLBACK;
BEGIN;
TRUNCATE parts_low;
SELECT sum(rows_counted) FROM pg_temp.truncated();
ROLLBACK;
SELECT count(detach_board(project_id)) FROM (SELECT project_id FROM meridian.board_sources ORDER BY 1) AS every;
SET client_min_messages = warning;
DROP SCHEMA attached_truncated CASCADE;
