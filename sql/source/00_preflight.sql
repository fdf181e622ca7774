-- Text is hashed and rendered as UTF-8 throughout, so a database in another encoding is refused before anything is made.
DO $preflight$
BEGIN
    IF pg_catalog.getdatabaseencoding() OPERATOR(pg_catalog.<>) 'UTF8' THEN
        RAISE EXCEPTION USING
            ERRCODE = 'feature_not_supported',
            MESSAGE = 'meridian_handoff needs a database in UTF8, this one is in ' OPERATOR(pg_catalog.||) pg_catalog.getdatabaseencoding(),
            HINT = 'Create the database with ENCODING ''UTF8'' TEMPLATE template0.';
    END IF;
END
$preflight$;
