-- Text is hashed and rendered as UTF-8 throughout, so a database in another encoding is refused before anything is made.
DO $preflight$
BEGIN
    IF pg_catalog.getdatabaseencoding() OPERATOR(pg_catalog.<>) 'UTF8' THEN
        RAISE EXCEPTION USING
            ERRCODE = 'feature_not_supported',
            MESSAGE = 'meridian_handoff needs a database in UTF8, this one is in ' OPERATOR(pg_catalog.||) pg_catalog.getdatabaseencoding(),
            HINT = 'Create the database with ENCODING ''UTF8'' TEMPLATE template0.';
    END IF;
    -- A dump brings the schema with the owner it had, whoever restores it; see the end of the script.
    IF NOT (pg_catalog.current_setting('row_security') OPERATOR(pg_catalog.=) 'off'
            AND pg_catalog.current_setting('check_function_bodies') OPERATOR(pg_catalog.=) 'off')
        AND (SELECT n.nspowner FROM pg_catalog.pg_namespace n WHERE n.nspname OPERATOR(pg_catalog.=) 'meridian')
        OPERATOR(pg_catalog.<>)
        (SELECT e.extowner FROM pg_catalog.pg_extension e WHERE e.extname OPERATOR(pg_catalog.=) 'meridian_handoff')
    THEN
        RAISE EXCEPTION USING
            ERRCODE = 'object_not_in_prerequisite_state',
            MESSAGE = 'schema meridian belongs to another role',
            HINT = 'Drop it or make it your own; the extension creates it when it is not there.';
    END IF;
    -- A name in this script that is found in a schema which somebody else has filled would be theirs, not PostgreSQL's.
    IF EXISTS (
        SELECT FROM pg_catalog.pg_depend d
        WHERE d.classid OPERATOR(pg_catalog.<>) 'pg_catalog.pg_extension'::pg_catalog.regclass
          AND d.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_namespace'::pg_catalog.regclass
          AND d.refobjid OPERATOR(pg_catalog.=) 'meridian'::pg_catalog.regnamespace::pg_catalog.oid)
    THEN
        RAISE EXCEPTION USING
            ERRCODE = 'object_not_in_prerequisite_state',
            MESSAGE = 'schema meridian holds objects already',
            HINT = 'The extension needs the schema for itself: drop or rename the present one.';
    END IF;
END
$preflight$;
