-- What holds for every object of the extension: it has a comment, a function says its volatility and parallel safety on
-- purpose, and PUBLIC may do nothing. Raises an exception that lists whatever breaks one of these; silent otherwise.
-- Run in a database where the extension has just been created.

CREATE TEMPORARY VIEW member AS
SELECT classid, objid, pg_describe_object(classid, objid, 0) AS name
FROM pg_depend
WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e'
  AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'meridian_handoff');

CREATE FUNCTION pg_temp.none(rule text, offenders text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF cardinality(offenders) > 0 THEN
        RAISE EXCEPTION '% (%): %', rule, cardinality(offenders), array_to_string(offenders, ', ');
    END IF;
END
$$;

-- Without members every rule below would hold.
SELECT pg_temp.none('kinds of object that the extension should have and has none of', array_agg(kind) FILTER (WHERE members = 0))
FROM (SELECT kind, (SELECT count(*) FROM member WHERE classid = kind::regclass) AS members
      FROM unnest(ARRAY['pg_proc', 'pg_class']) AS kind) AS counted;

-- Row and array types come with their table and can't be commented on by themselves to any use.
SELECT pg_temp.none('objects without a comment', array_agg(name ORDER BY name))
FROM member
WHERE coalesce(obj_description(objid, classid::regclass::name), '') = ''
  AND NOT (classid = 'pg_type'::regclass
           AND EXISTS (SELECT FROM pg_type WHERE oid = objid AND (typrelid <> 0 OR typelem <> 0)))
  -- The sequence of an identity column is the column's.
  AND NOT (classid = 'pg_class'::regclass
           AND EXISTS (SELECT FROM pg_depend WHERE pg_depend.classid = 'pg_class'::regclass
                       AND pg_depend.objid = member.objid AND deptype = 'i'));

SELECT pg_temp.none('columns without a comment', array_agg(format('%s.%I', attrelid::regclass, attname) ORDER BY attrelid::regclass::text, attnum))
FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid JOIN member ON member.classid = 'pg_class'::regclass AND member.objid = attrelid
WHERE attnum > 0 AND NOT attisdropped AND relkind IN ('r', 'p') AND coalesce(col_description(attrelid, attnum), '') = '';

-- The server can't tell a default from a decision, but some combinations are never one: a function that says that it
-- changes nothing has no reason to be kept out of parallel plans, and one that may change rows may not enter them.
SELECT pg_temp.none('functions whose volatility and parallel safety disagree', array_agg(oid::regprocedure::text ORDER BY oid::regprocedure::text))
FROM pg_proc JOIN member ON member.classid = 'pg_proc'::regclass AND member.objid = pg_proc.oid
WHERE prorettype <> 'trigger'::regtype AND (provolatile = 'i' AND proparallel <> 's' OR provolatile = 'v' AND proparallel = 's');

-- What the documentation promises, spelt out where it matters to planners and on a standby.
SELECT pg_temp.none('functions that are missing or have another volatility than they promise', array_agg(format('%s (%s)', promise.name, promise.volatility) ORDER BY promise.name))
FROM (VALUES
    ('compute_board_revision', 'i'), ('verify_board_revision', 'i'), ('strip_goal_token_banner', 'i'), ('extract_goal_block', 'i'),
    ('format_handoff_mcp_content', 'i'), ('handoff_mode_is_retrievable', 'i'),
    ('get_sprint_items', 's'), ('board_revision', 's'), ('verify_live_board', 's'), ('cross_check_items', 's'), ('board_changes_since', 's'),
    ('plan_waves', 's'), ('plan_waves_mermaid', 's'), ('resolve_handoff_mode', 's'), ('load_handoff', 's'),
    ('generate_handoff', 'v'), ('mint_handoff_token', 'v'), ('verify_handoff_token', 'v'), ('claim_sprint_item', 'v'),
    ('claim_next_sprint_item', 'v'), ('complete_sprint_item', 'v'), ('release_sprint_item', 'v'), ('start_session', 'v'), ('end_session', 'v')
) AS promise (name, volatility)
WHERE NOT EXISTS (SELECT FROM pg_proc JOIN member ON member.classid = 'pg_proc'::regclass AND member.objid = pg_proc.oid
                  WHERE proname = promise.name AND provolatile = promise.volatility);

SELECT pg_temp.none('functions with an argument that has no name', array_agg(oid::regprocedure::text ORDER BY oid::regprocedure::text))
FROM pg_proc JOIN member ON member.classid = 'pg_proc'::regclass AND member.objid = pg_proc.oid
WHERE pronargs > 0 AND (proargnames IS NULL OR '' = ANY (proargnames[1:pronargs]));

-- A NULL acl stands for the built-in default, which lets PUBLIC execute functions and use types.
SELECT pg_temp.none('objects on which PUBLIC has a right', array_agg(DISTINCT name))
FROM (
    SELECT name, coalesce(proacl, acldefault('f', proowner)) AS acl FROM pg_proc JOIN member ON classid = 'pg_proc'::regclass AND objid = pg_proc.oid
    UNION ALL
    SELECT name, coalesce(relacl, acldefault(CASE relkind WHEN 'S' THEN 's' ELSE 'r' END::"char", relowner))
    FROM pg_class JOIN member ON classid = 'pg_class'::regclass AND objid = pg_class.oid
    UNION ALL
    SELECT name, coalesce(nspacl, acldefault('n', nspowner)) FROM pg_namespace JOIN member ON classid = 'pg_namespace'::regclass AND objid = pg_namespace.oid
    UNION ALL
    SELECT 'schema meridian', coalesce(nspacl, acldefault('n', nspowner)) FROM pg_namespace WHERE nspname = 'meridian'
) AS granted, aclexplode(acl) AS entry
WHERE entry.grantee = 0;

SELECT pg_temp.none('SECURITY DEFINER functions without a pinned search_path', array_agg(oid::regprocedure::text))
FROM pg_proc JOIN member ON member.classid = 'pg_proc'::regclass AND member.objid = pg_proc.oid
WHERE prosecdef AND NOT EXISTS (SELECT FROM unnest(proconfig) AS setting WHERE setting LIKE 'search_path=pg_catalog, pg_temp');

-- What is not registered is lost by pg_dump, rows of tables and positions of sequences alike.
SELECT pg_temp.none('tables and sequences that a dump would leave out', array_agg(oid::regclass::text ORDER BY oid::regclass::text))
FROM pg_class JOIN member ON member.classid = 'pg_class'::regclass AND member.objid = pg_class.oid
WHERE relkind IN ('r', 'p', 'S')
  AND NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'meridian_handoff' AND pg_class.oid = ANY (extconfig));
