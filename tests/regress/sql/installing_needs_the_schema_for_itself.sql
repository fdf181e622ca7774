-- A schema that somebody else has made or filled is refused: names in the install script would be found there.
\set SHOW_CONTEXT never
SELECT current_database() AS here \gset
CREATE ROLE regress_planter;
CREATE DATABASE regress_planted;
\c regress_planted
CREATE SCHEMA meridian;
CREATE FUNCTION meridian.cardinality(text[]) RETURNS integer LANGUAGE sql AS 'SELECT 1';
CREATE EXTENSION meridian_handoff;
DROP FUNCTION meridian.cardinality(text[]);
ALTER SCHEMA meridian OWNER TO regress_planter;
CREATE EXTENSION meridian_handoff;
ALTER SCHEMA meridian OWNER TO CURRENT_USER;
CREATE EXTENSION meridian_handoff;
-- Nothing that the extension calls lies in its own schema.
SELECT c.conrelid::regclass AS relation, c.conname, d.refobjid
FROM pg_depend d JOIN pg_constraint c ON d.classid = 'pg_constraint'::regclass AND d.objid = c.oid
WHERE d.refclassid IN ('pg_proc'::regclass, 'pg_operator'::regclass);
\c :here
DROP DATABASE regress_planted;
DROP ROLE regress_planter;
