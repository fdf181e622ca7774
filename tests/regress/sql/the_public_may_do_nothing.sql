-- Freshly installed, nobody but the installing role can call a function, read a table or see a schema.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir /sql/include/helpers.psql
\set ECHO none
\i :helpers
\set ECHO all
SET search_path = meridian;

INSERT INTO projects (project_id, name) VALUES ('sample', 'Sample');
CREATE ROLE regress_meridian_stranger;
SELECT has_schema_privilege('regress_meridian_stranger', 'meridian', 'USAGE') AS usage, has_schema_privilege('regress_meridian_stranger', 'meridian', 'CREATE') AS create;
-- Even in the schema.
GRANT USAGE ON SCHEMA meridian TO regress_meridian_stranger;
GRANT SELECT ON extension_function, extension_argument TO regress_meridian_stranger;
SET ROLE regress_meridian_stranger;
SELECT f.name AS function, error.code, error.message
FROM extension_function AS f, pg_temp.error_of(pg_temp.call_of(f.oid)) AS error
ORDER BY f.name;
SELECT guard_wave_gate();
SELECT record_item_history();
-- Nor with a trigger of one's own.
CREATE TEMPORARY TABLE own (project_id text, item_id text, status text, depends_on text[]);
CREATE TRIGGER record_insert AFTER INSERT ON own REFERENCING NEW TABLE AS new_items FOR EACH STATEMENT EXECUTE FUNCTION record_item_history();
RESET ROLE;
SELECT count(*) > 20 AS there_are_tables,
       string_agg(relname, ', ') FILTER (WHERE has_table_privilege('regress_meridian_stranger', oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER') OR has_any_column_privilege('regress_meridian_stranger', oid, 'SELECT, INSERT, UPDATE, REFERENCES')) AS open_to_all
FROM pg_class WHERE relnamespace = 'meridian'::regnamespace AND relkind IN ('r', 'v', 'p', 'm');
SELECT count(*) > 0 AS there_are_sequences, string_agg(relname, ', ') FILTER (WHERE has_sequence_privilege('regress_meridian_stranger', oid, 'USAGE, SELECT, UPDATE')) AS open_to_all
FROM pg_class WHERE relnamespace = 'meridian'::regnamespace AND relkind = 'S';
DROP OWNED BY regress_meridian_stranger;
DROP ROLE regress_meridian_stranger;
DELETE FROM projects WHERE project_id = 'sample';
