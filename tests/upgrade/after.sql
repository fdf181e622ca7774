-- What an upgrade must not have changed, and that levels reach the functions it brought. Raises an exception otherwise.
DO $$
DECLARE
    closed text;
BEGIN
    ASSERT (SELECT count(*) = 3 FROM meridian.sprint_items), 'items';
    ASSERT (SELECT status = 'in_progress' FROM meridian.sprint_items WHERE item_id = 'a'), 'a claim';
    ASSERT (SELECT count(*) = 1 FROM meridian.sessions WHERE status = 'active'), 'a session';
    ASSERT (meridian.load_handoff('kept') ->> 'pending_goal') LIKE '/goal%', 'the pending goal';
    ASSERT (SELECT count(*) = 3 FROM meridian.board_changes_since('kept', 0)), 'history';
    ASSERT (SELECT level = 'reader' FROM meridian.list_access() WHERE grantee = 'upgrade_reader'), 'a level';
    -- Levels are applied anew, as docs/access.md says to.
    PERFORM meridian.grant_access(quote_ident(grantee)::regrole, level) FROM meridian.access_grants;
    SET LOCAL ROLE upgrade_reader;
    ASSERT (SELECT string_agg(item_id, ' ' ORDER BY item_id) = 'a b' FROM meridian.sprint_items), 'row policies';
    ASSERT (SELECT count(*) = 2 FROM meridian.get_sprint_items('kept')), 'a call of the level';
    SELECT string_agg(p.proname, ' ') INTO closed FROM pg_proc p
    WHERE p.pronamespace = 'meridian'::regnamespace AND p.provolatile <> 'v' AND p.proname <> 'list_access' AND NOT has_function_privilege(p.oid, 'EXECUTE');
    ASSERT closed IS NULL, 'functions closed to a reader: ' || closed;
    RESET ROLE;
END
$$;
DROP POLICY tenant ON meridian.projects;
ALTER TABLE meridian.projects DISABLE ROW LEVEL SECURITY;
SELECT meridian.revoke_access('upgrade_reader');
DROP ROLE upgrade_reader;
