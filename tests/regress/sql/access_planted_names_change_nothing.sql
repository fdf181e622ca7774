-- Operators, functions, types, casts and tables planted in public, in the schema itself and among temporary objects are never used, whatever the search path.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir /sql/include/helpers.psql
\set ECHO none
\i :helpers
\set ECHO all
SET search_path = pg_catalog;

INSERT INTO meridian.projects (project_id, name, tenant_id) VALUES ('sample', 'Sample', 'planted');
INSERT INTO meridian.workspace_settings (tenant_id) VALUES ('planted');
INSERT INTO meridian.sessions (session_id, project_id) VALUES ('sample-session', 'sample');
INSERT INTO meridian.sprint_items (project_id, item_id, title, wave, claimed_by) VALUES ('sample', 'a', 'A', '1', NULL), ('sample', 'b', 'B', NULL, 'sample-session');
INSERT INTO meridian.wave_gates (project_id, wave_start, actions) VALUES ('sample', '9', '{wait}');
INSERT INTO meridian.hitl_gates (project_id, gate_id, question) VALUES ('sample', 'g', 'Which one?');
CREATE TABLE public.regress_meridian_board (project_id text, id bigint, item_id text, status text, depends_on text[]);
INSERT INTO public.regress_meridian_board VALUES ('attached', 1, 'a', 'todo', '{}');
INSERT INTO meridian.projects (project_id, name) VALUES ('attached', 'Attached');
SELECT meridian.attach_board('attached', 'public.regress_meridian_board');
CREATE ROLE regress_meridian_victim;
SELECT meridian.grant_access('regress_meridian_victim', 'admin');
GRANT ALL ON public.regress_meridian_board TO regress_meridian_victim;
GRANT SELECT ON pg_temp.extension_function, pg_temp.extension_argument TO regress_meridian_victim;

BEGIN;
-- Every operator and function of pg_catalog that takes types we handle gets a double that gives itself away.
CREATE FUNCTION public.planted() RETURNS void LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'planted code ran' USING ERRCODE = 'ZZHIT'; END $$;
CREATE TEMPORARY TABLE handled AS SELECT t::regtype::oid AS type FROM unnest('{text,text[],boolean,integer,bigint,timestamptz,interval,jsonb,json,oid,regclass,name,bytea,"\"char\"",anyarray,anyelement,anynonarray,anycompatiblearray,anycompatible,"\"any\""}'::text[]) AS t;
DO $$
DECLARE
    schema text;
    double record;
    planted integer := 0;
BEGIN
    FOREACH schema IN ARRAY '{public,meridian}'::text[] LOOP
        FOR double IN SELECT DISTINCT ON (p.proname, p.proargtypes) p.proname, pg_get_function_identity_arguments(p.oid) AS arguments, p.prorettype::regtype AS result
            FROM pg_proc p WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.prokind IN ('f', 'a') AND p.provariadic = 0 AND NOT p.proretset AND p.proargmodes IS NULL
              AND p.prorettype IN (SELECT type FROM handled) AND p.proargtypes::oid[] <@ ARRAY(SELECT type FROM handled)
              AND NOT '"any"'::regtype = p.prorettype
              AND NOT EXISTS (SELECT FROM pg_proc own WHERE own.pronamespace = schema::regnamespace AND own.proname = p.proname)
        LOOP
            BEGIN
                EXECUTE format('CREATE FUNCTION %I.%I(%s) RETURNS %s LANGUAGE plpgsql AS ''BEGIN PERFORM public.planted(); RETURN NULL; END''', schema, double.proname, double.arguments, double.result);
                planted := planted + 1;
            EXCEPTION WHEN OTHERS THEN NULL; -- a polymorphic result that PL/pgSQL can't give
            END;
        END LOOP;
        FOR double IN SELECT o.oprname, o.oprleft::regtype AS left_type, o.oprright::regtype AS right_type, o.oprresult::regtype AS result
            FROM pg_operator o WHERE o.oprnamespace = 'pg_catalog'::regnamespace AND o.oprleft IN (SELECT type FROM handled) AND o.oprright IN (SELECT type FROM handled) AND o.oprname <> '=>'
            UNION SELECT o.oprname, l, r, 'boolean' FROM unnest('{=,<>,<,>,<=,>=,<@,@>,&&}'::text[]) AS o (oprname), unnest('{text,text[],bigint}'::regtype[]) AS l, unnest('{text,text[],bigint}'::regtype[]) AS r
        LOOP
            BEGIN
                EXECUTE format('CREATE FUNCTION %I.%I(%s, %s) RETURNS %s LANGUAGE plpgsql AS ''BEGIN PERFORM public.planted(); RETURN NULL; END''', schema, 'planted_' || planted, double.left_type, double.right_type, double.result);
                EXECUTE format('CREATE OPERATOR %I.%s (LEFTARG = %s, RIGHTARG = %s, FUNCTION = %I.%I)', schema, double.oprname, double.left_type, double.right_type, schema, 'planted_' || planted);
                planted := planted + 1;
            EXCEPTION WHEN OTHERS THEN NULL;
            END;
        END LOOP;
    END LOOP;
    RAISE NOTICE 'more than a thousand: %', planted > 1000;
END
$$;
CREATE DOMAIN public.text AS integer;
CREATE DOMAIN public.jsonb AS integer;
CREATE DOMAIN public.regclass AS integer;
CREATE DOMAIN public.timestamptz AS integer;
CREATE TYPE public.planted_type AS (planted integer);
CREATE FUNCTION public.planted_cast(pg_catalog.text) RETURNS public.planted_type LANGUAGE plpgsql AS $$ BEGIN PERFORM public.planted(); END $$;
CREATE CAST (pg_catalog.text AS public.planted_type) WITH FUNCTION public.planted_cast(pg_catalog.text) AS IMPLICIT;
-- Tables and views of our names, also where temporary ones come first.
DO $$
DECLARE
    relation name;
BEGIN
    FOR relation IN SELECT relname FROM pg_class WHERE relnamespace = 'meridian'::regnamespace AND relkind = 'r' LOOP
        EXECUTE format('CREATE TABLE public.%I (planted integer)', relation);
        EXECUTE format('CREATE TEMPORARY TABLE %I (planted integer)', relation);
    END LOOP;
    CREATE TEMPORARY TABLE new_items (planted integer);
    CREATE TEMPORARY TABLE old_items (planted integer);
    CREATE TEMPORARY TABLE pg_class (planted integer);
    CREATE TEMPORARY TABLE pg_proc (planted integer);
END
$$;
GRANT USAGE ON SCHEMA public TO regress_meridian_victim;

-- The calls run as a user who has all of this before pg_catalog on the path, and have to give what they give without.
CREATE FUNCTION pg_temp.outcome(path pg_catalog.text, call pg_catalog.text) RETURNS pg_catalog.text LANGUAGE plpgsql AS $$
DECLARE
    answer pg_catalog.text;
BEGIN
    PERFORM pg_catalog.set_config('role', 'regress_meridian_victim', true);
    PERFORM pg_catalog.set_config('search_path', path, true);
    EXECUTE call;
    RAISE SQLSTATE 'ZZUND';
EXCEPTION
    WHEN SQLSTATE 'ZZUND' THEN RETURN 'ok';
    WHEN OTHERS THEN RETURN SQLSTATE;
END
$$;
CREATE TEMPORARY VIEW called AS
SELECT f.name, calls.call
FROM pg_temp.extension_function f CROSS JOIN LATERAL (
    SELECT pg_temp.call_of(f.oid, 'board', '''public.regress_meridian_board''')
    UNION ALL SELECT pg_temp.call_of(f.oid, 'project_id', '''attached''')
    UNION ALL SELECT replace(pg_temp.call_of(f.oid, 'item_id', '''b'''), ')', ', session_id => ''sample-session'')') WHERE f.name LIKE '%_sprint_item'
    UNION ALL SELECT pg_temp.call_of(f.oid, 'grantee', '''pg_temp.none''') WHERE f.name LIKE '%_access') AS calls (call);
SELECT plain, planted, count(*) AS calls, CASE WHEN plain <> planted THEN string_agg(call, '; ') END AS differing
FROM called, LATERAL (SELECT pg_temp.outcome('pg_catalog', call) AS plain, pg_temp.outcome('pg_temp, public, meridian, pg_catalog', call) AS planted) AS outcome
GROUP BY plain, planted ORDER BY plain;
-- That the doubles work: without a schema they are what is found.
SELECT pg_temp.outcome('pg_temp, public, meridian, pg_catalog', $$SELECT 'a'::pg_catalog.text = 'a'::pg_catalog.text$$) AS operator, pg_temp.outcome('public, pg_catalog', 'SELECT clock_timestamp()') AS function;
-- Plain writes, whose triggers, defaults, checks and policies are ours.
SELECT pg_temp.outcome('pg_temp, public, meridian, pg_catalog', statement) AS outcome, statement
FROM (VALUES (1, $$INSERT INTO meridian.sprint_items (project_id, title, depends_on) VALUES ('sample', 'C', '{a}')$$), (2, $$UPDATE meridian.sprint_items SET title = 'C'$$), (3, $$DELETE FROM meridian.sprint_items$$),
    (4, $$INSERT INTO meridian.wave_gates (project_id, wave_start, actions) VALUES ('sample', '2', '{wait}')$$), (5, $$UPDATE meridian.wave_gates SET passed_at = pg_catalog.now()$$), (6, $$SELECT * FROM meridian.handoff_status$$),
    (7, $$INSERT INTO meridian.workspace_notes (tenant_id, title) VALUES ('planted', 'N')$$), (8, $$UPDATE public.regress_meridian_board SET status = 'done'$$)) AS statements (n, statement) ORDER BY n;
ROLLBACK;
SELECT meridian.detach_board('attached');
DROP TABLE public.regress_meridian_board;
SELECT meridian.revoke_access('regress_meridian_victim');
DROP OWNED BY regress_meridian_victim;
DROP ROLE regress_meridian_victim;
DELETE FROM meridian.projects WHERE project_id IN ('sample', 'attached');
DELETE FROM meridian.workspace_settings WHERE tenant_id = 'planted';
DELETE FROM meridian.sessions WHERE project_id = 'sample';
DELETE FROM meridian.sprint_items WHERE project_id = 'sample';
DELETE FROM meridian.wave_gates WHERE project_id = 'sample';
DELETE FROM meridian.hitl_gates WHERE project_id = 'sample';
