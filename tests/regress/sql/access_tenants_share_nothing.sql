-- Two tenants in one database, kept apart by one policy on projects: neither reaches anything of the other's, by function or by table.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir /sql/include/helpers.psql
\set ECHO none
\i :helpers
\set ECHO all
SET search_path = meridian;

CREATE ROLE regress_meridian_us;
CREATE ROLE regress_meridian_them;
SELECT grant_access('regress_meridian_us', 'admin'), grant_access('regress_meridian_them', 'admin');
ALTER TABLE projects ENABLE ROW LEVEL SECURITY;
CREATE POLICY regress_tenant ON projects USING ('regress_meridian_' || tenant_id = current_user);
-- Each tenant fills its own project with a row in every table.
CREATE PROCEDURE pg_temp.fill(project text, tenant text) LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO projects (project_id, name, tenant_id) VALUES (project, 'Project', tenant);
    INSERT INTO sprint_items (project_id, item_id, title, wave) VALUES (project, 'a', 'A', '1'), (project, project || '-only', 'B', NULL);
    INSERT INTO sprint_item_pointers (project_id, item_id, targets) VALUES (project, 'a', '[]');
    INSERT INTO wave_gates (project_id, wave_start, actions) VALUES (project, '9', '{wait}');
    INSERT INTO decisions (project_id, title) VALUES (project, 'D');
    INSERT INTO notes (project_id, title) VALUES (project, 'N');
    INSERT INTO tasks (project_id, description) VALUES (project, 'T');
    INSERT INTO hitl_gates (project_id, gate_id, question) VALUES (project, 'g', 'Q');
    INSERT INTO sprint_versions (project_id, version) VALUES (project, '1');
    INSERT INTO workspace_decisions (tenant_id, title) VALUES (tenant, 'D');
    INSERT INTO workspace_notes (tenant_id, title) VALUES (tenant, 'N');
    INSERT INTO workspace_settings (tenant_id) VALUES (tenant);
    INSERT INTO artifact_checks (project_id, path, check_name, status) VALUES (project, 'p', 'c', 'passed');
    PERFORM start_session(project, 'work');
    PERFORM generate_handoff(project, 'goal');
END
$$;
GRANT SELECT ON extension_function, extension_argument TO regress_meridian_us, regress_meridian_them;
SET ROLE regress_meridian_us;
CALL pg_temp.fill('ours', 'us');
SELECT mint_handoff_token('ours', 'Our text') AS our_token \gset
RESET ROLE;
SET ROLE regress_meridian_them;
CALL pg_temp.fill('sample', 'them');
SELECT mint_handoff_token('sample', 'Their text') AS their_token \gset
RESET ROLE;
INSERT INTO board_sources (project_id, relation) SELECT p, 'notes'::regclass FROM unnest('{ours,sample}'::text[]) AS p;
INSERT INTO capability_manifests (project_id) VALUES ('ours'), ('sample');
INSERT INTO capability_availability (project_id, tool, status) VALUES ('ours', 't', 'missing'), ('sample', 't', 'missing');
INSERT INTO release_transactions (project_id, transaction_id, change_set_id, file_path, state) VALUES ('ours', 'ours', 'c', 'f', 'PREPARED'), ('sample', 'sample', 'c', 'f', 'PREPARED');
INSERT INTO release_transaction_states (project_id, transaction_id, state) VALUES ('ours', 'ours', 'PREPARED'), ('sample', 'sample', 'PREPARED');
INSERT INTO packets (packet_id, project_id, task, packet) VALUES (repeat('0', 64), 'ours', 't', '{}'), (repeat('1', 64), 'sample', 't', '{}');
DELETE FROM sessions WHERE project_id = 'sample';
INSERT INTO sessions (session_id, project_id) VALUES ('sample-session', 'sample');

-- Every table that belongs to a project or a tenant has rows of both, and shows one tenant's, even to a role that was given SELECT on all.
GRANT SELECT ON ALL TABLES IN SCHEMA meridian TO regress_meridian_us;
CREATE FUNCTION pg_temp.rows_of(relation text, key text, VARIADIC keys text[]) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    found bigint;
BEGIN
    EXECUTE format('SELECT count(*) FROM meridian.%I WHERE %I = ANY ($1)', relation, key) USING keys INTO found;
    RETURN found;
END
$$;
CREATE TEMPORARY VIEW keyed AS
SELECT c.relname::text COLLATE "C" AS relation, a.attname::text AS key, CASE a.attname WHEN 'project_id' THEN 'ours' ELSE 'us' END AS ours, CASE a.attname WHEN 'project_id' THEN 'sample' ELSE 'them' END AS theirs
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND (a.attname = 'project_id' OR a.attname = 'tenant_id' AND c.relname LIKE 'workspace%')
WHERE c.relnamespace = 'meridian'::regnamespace AND c.relkind IN ('r', 'v');
GRANT SELECT ON keyed TO regress_meridian_us;
SELECT count(*) AS tables, string_agg(relation, ' ') FILTER (WHERE pg_temp.rows_of(relation, key, theirs) = 0 OR pg_temp.rows_of(relation, key, ours) = 0) AS without_rows FROM keyed;
SET ROLE regress_meridian_us;
SELECT string_agg(relation, ' ') FILTER (WHERE pg_temp.rows_of(relation, key, theirs) > 0) AS showing_theirs, string_agg(relation, ' ') FILTER (WHERE pg_temp.rows_of(relation, key, ours) = 0) AS hiding_ours FROM keyed;
SELECT project_id FROM handoff_status;

-- Every function that takes a project says that there is none; the samples name theirs.
SELECT string_agg(DISTINCT error.code || ' ' || error.detail, ', ') AS errors, count(DISTINCT a.function) >= 20 AS functions
FROM extension_argument AS a, pg_temp.error_of(pg_temp.call_of(a.oid)) AS error
WHERE a.argument = 'project_id';
-- And every one that takes a session that it is nobody's: alone or with a project of ours.
RESET ROLE;
DELETE FROM board_sources WHERE project_id IN ('ours', 'sample');
SET ROLE regress_meridian_us;
SELECT a.function, error.code, error.detail
FROM extension_argument AS a,
    LATERAL (SELECT pg_temp.call_of(a.oid, 'session_id', '''sample-session''') AS call) AS alone,
    LATERAL (SELECT replace(CASE WHEN alone.call LIKE '%session_id => %' THEN alone.call ELSE replace(alone.call, ')', ', session_id => ''sample-session'')') END, '''sample''', '''ours''') AS call) AS called,
    pg_temp.error_of(called.call) AS error
WHERE a.argument = 'session_id' ORDER BY a.function;
-- Their ids mean nothing to us, nor do their tokens.
SELECT item_id, status, suspicious FROM cross_check_items('ours', '{sample-only,ours-only}');
SELECT detail FROM pg_temp.error_of($$SELECT generate_handoff('ours', 'goal', selected_item_ids => '{sample-only}')$$);
SELECT claim_sprint_item('ours', 'sample-only') ->> 'error' AS error;
SELECT verify_handoff_token('ours', :'their_token', 'Their text') ->> 'reason' AS reason;
SELECT load_handoff('ours') -> 'handoff' ->> 'content' LIKE '%project%ours%' AS ours, load_handoff('ours') -> 'handoff' ->> 'content' LIKE '%sample%' AS theirs;
SELECT string_agg(DISTINCT item_id, ' ' ORDER BY item_id) AS changed FROM board_changes_since('ours', 0);
-- Writing past the boundary.
INSERT INTO notes (project_id, title) VALUES ('sample', 'From us');
INSERT INTO workspace_notes (tenant_id, title) VALUES ('them', 'From us');
INSERT INTO projects (project_id, name, tenant_id) VALUES ('stolen', 'Stolen', 'them');
WITH moved AS (UPDATE sprint_items SET title = 'Ours' WHERE project_id = 'sample' RETURNING 1) SELECT count(*) FROM moved;
WITH gone AS (DELETE FROM sprint_items WHERE project_id = 'sample' RETURNING 1) SELECT count(*) FROM gone;
UPDATE sprint_items SET project_id = 'sample' WHERE project_id = 'ours' AND item_id = 'ours-only';
RESET ROLE;

-- Nothing of theirs was touched, and they go on.
SET ROLE regress_meridian_them;
SELECT item_id, status FROM get_sprint_items('sample');
SELECT verify_handoff_token('sample', :'their_token', 'Their text') ->> 'reason' AS reason;
SELECT start_session('sample') ->> 'pending_goal' LIKE '/goal%' AS has_goal;
SELECT verify_handoff_token('sample', :'our_token', 'Our text') ->> 'reason' AS reason;
SELECT end_session('sample-session');
RESET ROLE;

-- The policy asks for one row of projects, and the board is still read by its key.
CREATE FUNCTION pg_temp.plan_of(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    line text;
BEGIN
    FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
        IF line ~ 'Scan|Index Cond' THEN
            RETURN NEXT regexp_replace(line, '^[ >-]*', '');
        END IF;
    END LOOP;
END
$$;
BEGIN;
INSERT INTO projects (project_id, name, tenant_id) SELECT 'many-' || n, 'Many', 'us' FROM generate_series(1, 1000) AS n;
INSERT INTO sprint_items (project_id, item_id, title) SELECT 'many-' || n % 1000 + 1, 'item-' || n, 'Item' FROM generate_series(1, 20000) AS n;
ANALYZE projects, sprint_items;
SET LOCAL ROLE regress_meridian_us;
SELECT pg_temp.plan_of($$SELECT * FROM meridian.sprint_items WHERE project_id = 'many-7' AND item_id = 'item-6'$$);
SELECT pg_temp.plan_of($$SELECT * FROM meridian.sprint_items WHERE project_id = 'many-7' AND item_id = ANY ('{item-6,item-1006}')$$);
SELECT pg_temp.plan_of($$SELECT * FROM meridian.sprint_items WHERE project_id = 'many-7'$$);
ROLLBACK;
ANALYZE projects, sprint_items;

DROP POLICY regress_tenant ON projects;
ALTER TABLE projects DISABLE ROW LEVEL SECURITY;
DROP OWNED BY regress_meridian_us, regress_meridian_them;
DROP ROLE regress_meridian_us, regress_meridian_them;
DELETE FROM access_grants WHERE grantee IN ('regress_meridian_us', 'regress_meridian_them');
DO $$
DECLARE
    relation text;
BEGIN
    FOR relation IN SELECT k.relation FROM keyed k JOIN pg_class c ON c.oid = ('meridian.' || k.relation)::regclass WHERE k.key = 'project_id' AND c.relkind = 'r' LOOP
        EXECUTE format('DELETE FROM meridian.%I WHERE project_id IN (''ours'', ''sample'')', relation);
    END LOOP;
    DELETE FROM workspace_decisions WHERE tenant_id IN ('us', 'them');
    DELETE FROM workspace_notes WHERE tenant_id IN ('us', 'them');
    DELETE FROM workspace_settings WHERE tenant_id IN ('us', 'them');
END
$$;
