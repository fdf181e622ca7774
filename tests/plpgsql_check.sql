-- plpgsql_check over every PL/pgSQL function of the extension, trigger functions with each table they are on. Raises an exception that
-- lists what it found; silent otherwise. Run in a database where the extension has just been created.

CREATE EXTENSION plpgsql_check;

CREATE FUNCTION pg_temp.findings(function regprocedure, relation regclass) RETURNS SETOF text LANGUAGE sql AS $$
    SELECT format('%s: line %s: %s: %s', function, f.lineno, f.level, f.message)
    FROM plpgsql_check_function_tb(function, relation, fatal_errors => false, other_warnings => true, performance_warnings => true,
        extra_warnings => true, security_warnings => true) AS f
$$;

-- A check that finds nothing anywhere would be silent, too.
CREATE FUNCTION pg_temp.broken() RETURNS void LANGUAGE plpgsql AS $$ BEGIN PERFORM no_such_column FROM pg_class; END $$;

DO $$
DECLARE
    checked integer;
    found text[];
BEGIN
    IF NOT EXISTS (SELECT FROM pg_temp.findings('pg_temp.broken()', 0)) THEN
        RAISE EXCEPTION 'plpgsql_check finds nothing in a function that cannot work';
    END IF;
    SELECT count(DISTINCT p.oid), array_agg(finding) FILTER (WHERE finding IS NOT NULL) INTO checked, found
    FROM pg_proc p
    JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
    JOIN pg_extension e ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid
    JOIN pg_language l ON l.oid = p.prolang
    LEFT JOIN pg_trigger t ON t.tgfoid = p.oid
    LEFT JOIN LATERAL pg_temp.findings(p.oid, coalesce(t.tgrelid, 0)) AS finding ON true
    WHERE e.extname = 'meridian_handoff' AND l.lanname = 'plpgsql';
    IF checked = 0 THEN
        RAISE EXCEPTION 'the extension has no PL/pgSQL function to check; take this file out';
    END IF;
    IF found IS NOT NULL THEN
        RAISE EXCEPTION '%', array_to_string(found, E'\n');
    END IF;
END
$$;
