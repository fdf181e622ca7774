-- Keys and predecessors of an attached board in every type that a board keeps them in: the same items, the same waves, the same revision.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir /sql/include/helpers.psql
\set ECHO none
\i :helpers
\set ECHO all
SET client_min_messages = warning;
CREATE SCHEMA attached_types;
SET search_path = attached_types, meridian;

-- Attaches a table of one project; `columns` beside those that every table here has.
CREATE FUNCTION pg_temp.attach(project text, relation regclass, columns jsonb DEFAULT '{}') RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO meridian.projects (project_id, name) VALUES (project, project);
    PERFORM meridian.attach_board(project, relation, '{"project_id": null}' || columns);
END
$$;
-- Everything that reads an item by its id or names it, over one board whose items are given in order; the first is
-- free, the second waits for it. The claim is undone.
CREATE FUNCTION pg_temp.walk(project text, first text, second text, OUT listed text, OUT waves text, OUT crossed text, OUT claimed text, OUT refused text, OUT malformed text)
LANGUAGE plpgsql AS $$
BEGIN
    SELECT string_agg(concat_ws(' ', item_id, depends_on::text), ' | ') INTO listed FROM meridian.get_sprint_items(project);
    SELECT string_agg(concat_ws(' ', wave, item_id, blocked_on::text), ' | ') INTO waves FROM meridian.plan_waves(project);
    SELECT string_agg(concat_ws(' ', status, live, suspicious), ' | ') INTO crossed FROM meridian.cross_check_items(project, ARRAY[first, second, 'no such, id', '99999999999999999999', '']);
    claimed := pg_temp.answer_undone(format('SELECT meridian.claim_sprint_item(%L, %L)', project, first)) #>> '{item,item_id}';
    refused := pg_temp.answer_undone(format('SELECT meridian.claim_sprint_item(%L, %L)', project, second)) ->> 'error';
    malformed := concat_ws(' ', pg_temp.answer_undone(format('SELECT meridian.claim_sprint_item(%L, %L)', project, 'no such, id')) ->> 'error',
                                pg_temp.answer_undone(format('SELECT meridian.claim_sprint_item(%L, %L)', project, ' ' || first)) ->> 'error');
END
$$;

CREATE DOMAIN number AS bigint CHECK (VALUE > 0);
CREATE DOMAIN small_number AS number CHECK (VALUE < 1000);
CREATE DOMAIN code AS varchar(20);
CREATE DOMAIN code_list AS code[];
CREATE DOMAIN short_list AS code_list CHECK (cardinality(VALUE) < 10);
CREATE TYPE colour AS ENUM ('red', 'green');
CREATE TABLE by_smallint (item_id smallint PRIMARY KEY, status text, depends_on smallint[]);
CREATE TABLE by_int (item_id int PRIMARY KEY, status text, depends_on int[]);
CREATE TABLE by_bigint (item_id bigint PRIMARY KEY, status text, depends_on bigint[]);
CREATE TABLE by_numeric (item_id numeric PRIMARY KEY, status text, depends_on numeric[]);
CREATE TABLE by_domain (item_id number PRIMARY KEY, status text, depends_on number[]);
CREATE TABLE by_nested_domain (item_id small_number PRIMARY KEY, status text, depends_on small_number[]);
CREATE TABLE by_text (item_id text PRIMARY KEY, status text, depends_on text[]);
CREATE TABLE by_varchar (item_id varchar(20) PRIMARY KEY, status text, depends_on varchar(20)[]);
CREATE TABLE by_char (item_id char(20) PRIMARY KEY, status text, depends_on char(20)[]);
CREATE TABLE by_name (item_id name PRIMARY KEY, status text, depends_on name[]);
CREATE TABLE by_code (item_id code PRIMARY KEY, status text, depends_on code_list);
CREATE TABLE by_nested_code (item_id code PRIMARY KEY, status text, depends_on short_list);
CREATE TABLE by_uuid (item_id uuid PRIMARY KEY, status text, depends_on uuid[]);
CREATE TABLE by_enum (item_id colour PRIMARY KEY, status text, depends_on colour[]);
DO $$
DECLARE
    tried record;
BEGIN
    FOR tried IN
        SELECT relname, CASE WHEN relname ~ 'uuid' THEN 'aaaaaaaa-0000-0000-0000-000000000001' WHEN relname ~ 'enum' THEN 'red' ELSE '7' END AS first,
                        CASE WHEN relname ~ 'uuid' THEN 'aaaaaaaa-0000-0000-0000-000000000002' WHEN relname ~ 'enum' THEN 'green' ELSE '8' END AS second
        FROM pg_class WHERE relnamespace = 'attached_types'::regnamespace AND relkind = 'r'
    LOOP
        EXECUTE format('INSERT INTO %I VALUES (%L, ''todo'', NULL), (%L, ''todo'', %L)', tried.relname, tried.first, tried.second, ARRAY[tried.first]);
        PERFORM pg_temp.attach(tried.relname, tried.relname::regclass);
    END LOOP;
END
$$;
\x on
SELECT project_id, w.*
FROM meridian.board_sources, LATERAL (SELECT CASE project_id WHEN 'by_uuid' THEN '{aaaaaaaa-0000-0000-0000-000000000001,aaaaaaaa-0000-0000-0000-000000000002}' WHEN 'by_enum' THEN '{red,green}' ELSE '{7,8}' END::text[] AS ids) AS i,
    pg_temp.walk(project_id, ids[1], ids[2]) AS w
WHERE project_id LIKE 'by\_%' ORDER BY project_id COLLATE "C";
\x off
SELECT project_id, board_revision(project_id) = compute_board_revision('[{"id": "7", "status": "todo"}, {"id": "8", "status": "todo", "depends_on": "7"}]') AS same_revision
FROM meridian.board_sources WHERE project_id LIKE 'by\_%' AND project_id NOT IN ('by_uuid', 'by_enum') ORDER BY project_id COLLATE "C";
-- A number goes by the one form that it prints in.
SELECT id, pg_temp.answer_undone(format('SELECT meridian.claim_sprint_item(%L, %L)', 'by_int', id)) ->> 'error' AS error, suspicious
FROM unnest('{7,007,+7,7.0,2147483648}'::text[]) AS id, cross_check_items('by_int', ARRAY[id]) ORDER BY id COLLATE "C";
SELECT suspicious FROM cross_check_items('by_uuid', '{AAAAAAAA-0000-0000-0000-000000000001,aaaaaaaa000000000000000000000001}');

-- Predecessors in one column of any form: none in three ways, one, several, one twice.
CREATE FUNCTION pg_temp.predecessors(project text) RETURNS SETOF text LANGUAGE sql AS $$
    SELECT concat_ws(' ', item_id, depends_on::text) FROM meridian.get_sprint_items(project) ORDER BY item_id COLLATE "C"
$$;
CREATE TABLE in_text_array (item_id int PRIMARY KEY, status text DEFAULT 'todo', depends_on text[]);
INSERT INTO in_text_array VALUES (1, 'todo', NULL), (2, 'todo', '{}'), (3, 'todo', '{1}'), (4, 'todo', '{2,1,2}'), (5, 'todo', '{NULL,1,""}'), (6, 'todo', '[3:4]={1,2}');
CREATE TABLE in_int_array (item_id int PRIMARY KEY, status text DEFAULT 'todo', depends_on int[]);
INSERT INTO in_int_array VALUES (1, 'todo', NULL), (2, 'todo', '{}'), (3, 'todo', '{1}'), (4, 'todo', '{2,1,2}'), (5, 'todo', '{NULL,1,NULL}'), (6, 'todo', '[3:4]={1,2}');
CREATE TABLE in_json (item_id int PRIMARY KEY, status text DEFAULT 'todo', depends_on json);
INSERT INTO in_json VALUES (1, 'todo', NULL), (2, 'todo', '[]'), (3, 'todo', '[1]'), (4, 'todo', '["2", 1, 2]'), (5, 'todo', '[null, "1", ""]'), (6, 'todo', '["1", "2"]');
CREATE TABLE in_jsonb (item_id int PRIMARY KEY, status text DEFAULT 'todo', depends_on jsonb);
INSERT INTO in_jsonb SELECT item_id, status, depends_on::jsonb FROM in_json;
CREATE TABLE in_text (item_id int PRIMARY KEY, status text DEFAULT 'todo', depends_on text);
INSERT INTO in_text VALUES (1, 'todo', NULL), (2, 'todo', ''), (3, 'todo', '1'), (4, 'todo', '["2", 1, "2"]'), (5, 'todo', '["1", null]'), (6, 'todo', '[ "1" , "2" ]');
SELECT pg_temp.attach(relation, relation::regclass) FROM unnest('{in_text_array,in_int_array,in_json,in_jsonb,in_text}'::text[]) AS relation;
SELECT pg_temp.predecessors('in_text_array') AS text_array, pg_temp.predecessors('in_int_array') AS int_array, pg_temp.predecessors('in_json') AS json,
       pg_temp.predecessors('in_jsonb') AS jsonb, pg_temp.predecessors('in_text') AS text;
SELECT relation, board_revision(relation) = compute_board_revision('[{"id": "1", "status": "todo"}, {"id": "2", "status": "todo"}, {"id": "3", "status": "todo", "depends_on": "1"},
    {"id": "4", "status": "todo", "depends_on": ["1", "2"]}, {"id": "5", "status": "todo", "depends_on": ["1"]}, {"id": "6", "status": "todo", "depends_on": "[\"2\", \"1\"]"}]') AS same_revision
FROM unnest('{in_text_array,in_int_array,in_json,in_jsonb,in_text}'::text[]) AS relation;
-- A single number is one id.
CREATE TABLE in_int (item_id int PRIMARY KEY, status text DEFAULT 'todo', depends_on int);
INSERT INTO in_int VALUES (1, 'todo', NULL), (2, 'todo', 1);
CREATE TABLE in_uuid (item_id uuid PRIMARY KEY, status text DEFAULT 'todo', depends_on uuid);
INSERT INTO in_uuid VALUES ('00000000-0000-0000-0000-000000000001', 'todo', NULL), ('00000000-0000-0000-0000-000000000002', 'todo', '00000000-0000-0000-0000-000000000001');
-- A jsonb column that holds one id rather than an array.
CREATE TABLE in_scalar_json (item_id int PRIMARY KEY, status text DEFAULT 'todo', depends_on jsonb);
INSERT INTO in_scalar_json VALUES (1, 'todo', 'null'), (2, 'todo', '1'), (3, 'todo', '"1"'), (4, 'todo', '"[1, 2]"');
SELECT pg_temp.attach(relation, relation::regclass) FROM unnest('{in_int,in_uuid,in_scalar_json}'::text[]) AS relation;
SELECT wave, item_id, blocked_on FROM plan_waves('in_int');
SELECT wave, right(item_id, 1) AS item, cardinality(blocked_on) AS blocked_on FROM plan_waves('in_uuid');
SELECT pg_temp.predecessors('in_scalar_json');

-- The other columns, in other types than ours.
CREATE TABLE other_forms (item_id int PRIMARY KEY, status text, title varchar(40), priority text, version int, wave int, added_at date, deferred_until timestamp, prospect_bypass boolean,
    touches_resources text[], tool_requirements json, human_id uuid, claimed_by varchar(30), claimed_at timestamp, completed_at date, completion_note varchar(10), updated_at timestamp);
INSERT INTO other_forms (item_id, status, title, priority, version, wave, added_at, touches_resources, prospect_bypass, human_id) VALUES
    (1, 'todo', 'One', 'urgent', 3, 1, '2024-01-02', '{file:a}', true, 'aaaaaaaa-0000-0000-0000-000000000001'), (2, 'todo', NULL, 'P1', 4, 2, '2024-01-01', NULL, NULL, NULL);
SELECT pg_temp.attach('other_forms', 'other_forms');
SET timezone = 'UTC';
SELECT item_id, title, priority, version, wave, added_at FROM get_sprint_items('other_forms');
SELECT item_id FROM get_sprint_items('other_forms', version => '4');
SELECT claim_sprint_item('other_forms', '1') ->> 'claimed' AS claimed, complete_sprint_item('other_forms', '1', note => 'Short') ->> 'completed' AS completed;
SELECT item_id, status, claimed_by = current_user AS by_me, claimed_at BETWEEN localtimestamp - interval '1 minute' AND clock_timestamp() AS claimed_now, completed_at - current_date AS days, completion_note, updated_at >= claimed_at AS updated
FROM other_forms WHERE item_id = 1;
-- What does not fit the column is the column's error, and nothing is written.
SELECT claim_sprint_item('other_forms', '2') ->> 'claimed' AS claimed;
SELECT * FROM pg_temp.error_of($$SELECT complete_sprint_item('other_forms', '2', note => 'Much longer than that')$$);
SELECT status, completion_note FROM other_forms WHERE item_id = 2;

SELECT count(detach_board(project_id)) > 0 AS detached FROM (SELECT project_id FROM meridian.board_sources ORDER BY 1) AS every;
DROP SCHEMA attached_types CASCADE;
