-- pg_temp.digests(): every table of the extension with its number of rows and a digest over all their columns, and every
-- sequence with its position. Two databases that hold the same give the same text. Tables are found in the catalog.
CREATE FUNCTION pg_temp.digests() RETURNS TABLE (relation text, rows bigint, digest text) LANGUAGE plpgsql
SET search_path = pg_catalog SET TimeZone = 'UTC' SET DateStyle = 'ISO' SET bytea_output = 'hex' AS $$
DECLARE
    member record;
BEGIN
    FOR member IN
        SELECT format('%I.%I', nspname, relname) AS name, relkind
        FROM pg_depend
        JOIN pg_class ON pg_class.oid = objid
        JOIN pg_namespace ON pg_namespace.oid = relnamespace
        WHERE classid = 'pg_class'::regclass AND refclassid = 'pg_extension'::regclass AND deptype = 'e' AND relkind IN ('r', 'p', 'S')
          AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'meridian_handoff')
        ORDER BY 1
    LOOP
        relation := member.name;
        IF member.relkind = 'S' THEN
            EXECUTE format('SELECT last_value, is_called::text FROM %s', member.name) INTO rows, digest;
        ELSE
            EXECUTE format('SELECT count(*), md5(coalesce(string_agg(t::text, E''\n'' ORDER BY t::text COLLATE "C"), '''')) FROM %s t', member.name)
                INTO rows, digest;
        END IF;
        RETURN NEXT;
    END LOOP;
END
$$;
