-- The owner of a database who is no superuser installs the extension, uses all of it and hands it on; the guard makes nobody a superuser.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir /sql/include/helpers.psql
SELECT current_database() AS regress_database, current_user AS regress_user \gset
CREATE ROLE regress_meridian_owner LOGIN;
CREATE ROLE regress_meridian_worker LOGIN;
CREATE DATABASE regress_meridian_trusted OWNER regress_meridian_owner ENCODING 'UTF8' TEMPLATE template0;
\c regress_meridian_trusted regress_meridian_owner
CREATE EXTENSION meridian_handoff;
\set ECHO none
\i :helpers
\set ECHO all
SET search_path = meridian;
SELECT rolsuper FROM pg_roles WHERE rolname = current_user;
SELECT nspowner::regrole FROM pg_namespace WHERE nspname = 'meridian';
SELECT relkind, count(*) > 0 AS some, bool_and(relowner = current_user::regrole) AS mine FROM pg_class WHERE relnamespace = 'meridian'::regnamespace AND relkind IN ('r', 'S', 'v') GROUP BY relkind ORDER BY relkind;
SELECT count(*) > 30 AS some, bool_and(has_function_privilege(oid, 'EXECUTE WITH GRANT OPTION')) AS can_call_and_hand_on FROM extension_function;

-- Every function, with its effects undone.
INSERT INTO projects (project_id, name) VALUES ('sample', 'Sample');
INSERT INTO sessions (session_id, project_id) VALUES ('sample-session', 'sample');
INSERT INTO sprint_items (project_id, item_id, title) VALUES ('sample', 'a', 'A');
INSERT INTO hitl_gates (project_id, gate_id, question) VALUES ('sample', 'g', 'Which one?');
CREATE TABLE own_board (project_id text, item_id text, status text);
CREATE FUNCTION pg_temp.outcome(call text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE call;
    RAISE SQLSTATE 'ZZUND';
EXCEPTION
    WHEN SQLSTATE 'ZZUND' THEN RETURN 'ok';
    WHEN OTHERS THEN RETURN SQLSTATE || ' ' || SQLERRM;
END
$$;
SELECT outcome, string_agg(name, ' ' ORDER BY name) AS functions
FROM (SELECT name, pg_temp.outcome(pg_temp.call_of(oid, CASE WHEN name LIKE '%_access' THEN 'grantee' ELSE 'board' END, CASE WHEN name LIKE '%_access' THEN '''regress_meridian_worker''' ELSE '''meridian.own_board''' END)) FROM extension_function) AS called
GROUP BY outcome ORDER BY outcome;
-- Inside the guard it is the owner who writes, as a trigger of the owner's sees.
CREATE FUNCTION show_writer() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE NOTICE '% writes, superuser %', current_user, (SELECT rolsuper FROM pg_catalog.pg_roles WHERE rolname = current_user); RETURN NULL; END $$;
CREATE TRIGGER show_writer AFTER INSERT ON events FOR EACH STATEMENT EXECUTE FUNCTION show_writer();
SELECT grant_access('regress_meridian_worker', 'executor');
\c - regress_meridian_worker
SET search_path = meridian;
SELECT start_session('sample', 'work') ->> 'session_id' AS session \gset
SELECT claim_sprint_item('sample', 'a', :'session') -> 'claimed' AS claimed;
SELECT complete_sprint_item('sample', 'a', :'session', note => 'Done.') -> 'item' -> 'status' AS status;
SELECT changed_by, changed_columns FROM board_changes_since('sample', 0) WHERE operation = 'UPDATE';
SELECT mint_handoff_token('sample');
DROP EXTENSION meridian_handoff;
-- Monitoring takes a membership only.
\c - :regress_user
GRANT pg_monitor TO regress_meridian_worker;
\c - regress_meridian_owner
SELECT meridian.revoke_access('regress_meridian_worker');
\c - regress_meridian_worker
SELECT project_id, open_tokens, pending_goal, items_by_status, stuck_release_transactions, last_handoff FROM meridian.handoff_status;
SELECT name FROM meridian.projects;
SELECT title FROM meridian.sprint_items;
SELECT token_digest FROM meridian.handoff_tokens;
SELECT content FROM meridian.handoffs;
SELECT meridian.load_handoff('sample');

-- Gone without a trace. As pg_dump's scripts begin, it is installed all the same.
\c - regress_meridian_owner
DROP TABLE meridian.own_board;
DROP FUNCTION meridian.show_writer() CASCADE;
DROP EXTENSION meridian_handoff;
SET row_security = off;
SET check_function_bodies = off;
SELECT pg_catalog.set_config('search_path', '', false);
CREATE EXTENSION meridian_handoff;
SELECT count(*) > 20 AS policies FROM pg_policy;
DROP EXTENSION meridian_handoff;
SELECT count(*) AS left_behind FROM pg_class WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = 'meridian');
\c :regress_database :regress_user
DROP DATABASE regress_meridian_trusted;
DROP ROLE regress_meridian_owner, regress_meridian_worker;
