-- Finding an item by its id in a large relation goes through the relation's own index, whatever type the key has.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir /sql/include/helpers.psql
\set ECHO none
\i :helpers
\set ECHO all
CREATE SCHEMA attached_index;
SET search_path = attached_index, meridian;
CREATE DOMAIN number AS bigint;
CREATE DOMAIN inner_number AS number;
CREATE TABLE by_int (key int PRIMARY KEY, status text DEFAULT 'todo', needs int[], padding text DEFAULT repeat('x', 100));
CREATE TABLE by_bigint (key bigint PRIMARY KEY, status text DEFAULT 'todo', needs bigint[], padding text DEFAULT repeat('x', 100));
CREATE TABLE by_smallint (key smallint PRIMARY KEY, status text DEFAULT 'todo', needs smallint[], padding text DEFAULT repeat('x', 100));
CREATE TABLE by_domain (key inner_number PRIMARY KEY, status text DEFAULT 'todo', needs inner_number[], padding text DEFAULT repeat('x', 100));
CREATE TABLE by_text (key text PRIMARY KEY, status text DEFAULT 'todo', needs text[], padding text DEFAULT repeat('x', 100));
CREATE TABLE by_varchar (key varchar(40) PRIMARY KEY, status text DEFAULT 'todo', needs varchar(40)[], padding text DEFAULT repeat('x', 100));
CREATE TABLE by_name (key name PRIMARY KEY, status text DEFAULT 'todo', needs name[], padding text DEFAULT repeat('x', 100));
CREATE TABLE by_uuid (key uuid PRIMARY KEY, status text DEFAULT 'todo', needs uuid[], padding text DEFAULT repeat('x', 100));
-- The predecessor of each item is the one before it.
INSERT INTO by_int (key, needs) SELECT n, CASE WHEN n > 1 THEN ARRAY[n - 1] END FROM generate_series(1, 50000) AS n;
INSERT INTO by_bigint (key, needs) SELECT n, ARRAY[n - 1] FROM generate_series(1, 50000) AS n;
INSERT INTO by_smallint (key, needs) SELECT n, ARRAY[n - 1] FROM generate_series(1, 10000) AS n;
INSERT INTO by_domain (key, needs) SELECT n, ARRAY[n - 1] FROM generate_series(1, 10000) AS n;
INSERT INTO by_text (key, needs) SELECT n, ARRAY[n - 1] FROM generate_series(1, 10000) AS n;
INSERT INTO by_varchar (key, needs) SELECT n, ARRAY[n - 1] FROM generate_series(1, 10000) AS n;
INSERT INTO by_name (key, needs) SELECT n::text::name, ARRAY[(n - 1)::text::name] FROM generate_series(1, 10000) AS n;
INSERT INTO by_uuid (key, needs) SELECT lpad(n::text, 32, '0')::uuid, ARRAY[lpad((n - 1)::text, 32, '0')::uuid] FROM generate_series(1, 10000) AS n;
CREATE TABLE by_project (tenant text, key int, status text DEFAULT 'todo', needs int[], padding text DEFAULT repeat('x', 100), PRIMARY KEY (tenant, key));
INSERT INTO by_project (tenant, key, needs) SELECT 'index-' || n % 10, n, ARRAY[n - 10] FROM generate_series(1, 10000) AS n;
CREATE TABLE by_part (key int PRIMARY KEY, status text DEFAULT 'todo', needs int[], padding text DEFAULT repeat('x', 100)) PARTITION BY RANGE (key);
CREATE TABLE by_part_low PARTITION OF by_part FOR VALUES FROM (0) TO (5001);
CREATE TABLE by_part_high PARTITION OF by_part FOR VALUES FROM (5001) TO (10001);
INSERT INTO by_part (key, needs) SELECT n, ARRAY[n - 1] FROM generate_series(1, 10000) AS n;
CREATE TABLE behind_view (key int PRIMARY KEY, status text DEFAULT 'todo', needs int[], padding text DEFAULT repeat('x', 100));
INSERT INTO behind_view SELECT key, status, needs, padding FROM by_int;
CREATE VIEW by_view WITH (security_invoker) AS SELECT key, status, needs FROM behind_view;
ANALYZE by_int, by_bigint, by_smallint, by_domain, by_text, by_varchar, by_name, by_uuid, by_project, by_part, behind_view;
INSERT INTO projects (project_id, name) SELECT r, r FROM unnest('{by_int,by_bigint,by_smallint,by_domain,by_text,by_varchar,by_name,by_uuid,by_part,by_view,index-7}'::text[]) AS r;
SELECT count(attach_board(r, r::regclass, '{"project_id": null, "item_id": "key", "depends_on": "needs"}', track_history => r <> 'by_view')) FROM unnest('{by_int,by_bigint,by_smallint,by_domain,by_text,by_varchar,by_name,by_uuid,by_part,by_view}'::text[]) AS r;
SELECT attach_board('index-7', 'by_project', '{"project_id": "tenant", "item_id": "key", "depends_on": "needs"}');

-- A claim that is refused looks for the item and for its predecessor; one that is not writes it besides. How often did
-- that go through a whole relation, and how often through an index?
CREATE TEMPORARY TABLE scans (relation text, whole bigint, by_index bigint);
SELECT pg_stat_force_next_flush();
INSERT INTO scans SELECT relname, seq_scan, idx_scan FROM pg_stat_user_tables WHERE schemaname = 'attached_index';
CREATE FUNCTION pg_temp.key(project text, number int) RETURNS text LANGUAGE sql AS $$ SELECT CASE project WHEN 'by_uuid' THEN lpad(number::text, 32, '0')::uuid::text ELSE number::text END $$;
-- Often enough for a plan to be kept.
SELECT project_id, array_agg(DISTINCT claim_sprint_item(project_id, pg_temp.key(project_id, 5000 + 10 * n + 7)) ->> 'error') AS refused
FROM projects, generate_series(1, 8) AS n WHERE project_id LIKE 'by\_%' OR project_id = 'index-7' GROUP BY project_id ORDER BY project_id COLLATE "C";
UPDATE by_int SET needs = NULL WHERE key = 30000;
SELECT claim_sprint_item('by_int', '30000') ->> 'claimed' AS claimed;
SELECT complete_sprint_item('by_int', '30000') ->> 'completed' AS completed;
SELECT count(*) AS crossed FROM cross_check_items('by_int', ARRAY(SELECT n::text FROM generate_series(1, 100) AS n));
SELECT pg_stat_force_next_flush();
SELECT s.relname, s.seq_scan - b.whole AS whole, s.idx_scan - b.by_index >= 16 AS by_index
FROM pg_stat_user_tables AS s JOIN scans AS b ON b.relation = s.relname
WHERE schemaname = 'attached_index' AND s.relid NOT IN (SELECT oid FROM pg_class WHERE relkind = 'p' OR relname = 'by_part_low')
ORDER BY s.relname COLLATE "C";

SELECT count(detach_board(project_id)) FROM (SELECT project_id FROM meridian.board_sources ORDER BY 1) AS every;
SET client_min_messages = warning;
DROP SCHEMA attached_index CASCADE;
