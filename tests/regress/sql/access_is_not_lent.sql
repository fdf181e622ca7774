-- A view, a trigger or a function of one user gets no right of another's through the extension, and an error of a user's trigger arrives as it was raised.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir /sql/include/helpers.psql
\set ECHO none
\i :helpers
\set ECHO all
SET search_path = meridian;

CREATE ROLE regress_meridian_worker;
CREATE ROLE regress_meridian_mallory;
SELECT grant_access('regress_meridian_worker', 'executor');
CREATE TABLE public.regress_meridian_loot (seen_as name, what text);
GRANT INSERT ON public.regress_meridian_loot TO PUBLIC;
INSERT INTO projects (project_id, name) VALUES ('lent', 'Lent');
INSERT INTO sprint_items (project_id, item_id, title) VALUES ('lent', 'a', 'A'), ('lent', 'b', 'B'), ('lent', 'c', 'C');

-- A board of mallory's: its view and triggers run as whoever calls, never as the owner of the protected tables.
CREATE SCHEMA regress_meridian_mallory AUTHORIZATION regress_meridian_mallory;
SET ROLE regress_meridian_mallory;
CREATE TABLE regress_meridian_mallory.board (project_id text, item_id text, title text, status text, claimed_by text, completion_note text);
INSERT INTO regress_meridian_mallory.board VALUES ('trap', 'x', 'X', 'todo');
CREATE FUNCTION regress_meridian_mallory.loot(what text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO public.regress_meridian_loot VALUES (current_user, what);
    BEGIN
        PERFORM count(token_digest) FROM meridian.handoff_tokens;
        INSERT INTO public.regress_meridian_loot VALUES (current_user, what || ': read tokens');
    EXCEPTION WHEN insufficient_privilege THEN NULL;
    END;
    BEGIN
        INSERT INTO meridian.sprint_item_history (project_id, item_id, operation, changed_by) VALUES ('lent', 'a', 'INSERT', 'forged');
        INSERT INTO public.regress_meridian_loot VALUES (current_user, what || ': forged history');
    EXCEPTION WHEN insufficient_privilege THEN NULL;
    END;
    BEGIN
        PERFORM meridian.grant_access('regress_meridian_mallory', 'admin');
        INSERT INTO public.regress_meridian_loot VALUES (current_user, what || ': became admin');
    EXCEPTION WHEN insufficient_privilege THEN NULL;
    END;
    RETURN true;
END
$$;
CREATE FUNCTION regress_meridian_mallory.loot() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM regress_meridian_mallory.loot('trigger'); RETURN NEW; END $$;
CREATE TRIGGER loot BEFORE UPDATE ON regress_meridian_mallory.board FOR EACH ROW EXECUTE FUNCTION regress_meridian_mallory.loot();
CREATE VIEW regress_meridian_mallory.view AS SELECT *, regress_meridian_mallory.loot('view') AS looted FROM regress_meridian_mallory.board;
GRANT USAGE ON SCHEMA regress_meridian_mallory TO regress_meridian_worker;
GRANT SELECT, UPDATE ON regress_meridian_mallory.view, regress_meridian_mallory.board TO regress_meridian_worker;
RESET ROLE;
INSERT INTO projects (project_id, name) VALUES ('trap', 'Trap');
INSERT INTO board_sources (project_id, relation, columns, status_map, status_write, track_history)
VALUES ('trap', 'regress_meridian_mallory.view', '{}', '{}', '{}', false);
UPDATE board_sources SET columns = '{"project_id": "project_id", "item_id": "item_id", "title": "title", "status": "status", "claimed_by": "claimed_by"}' WHERE project_id = 'trap';
SET ROLE regress_meridian_worker;
SELECT item_id FROM get_sprint_items('trap');
SELECT claim_sprint_item('trap', 'x') -> 'claimed' AS claimed;
SELECT complete_sprint_item('trap', 'x', note => 'Done.') -> 'completed' AS completed;
SELECT length(board_revision('trap')), (SELECT count(*) FROM plan_waves('trap'));
RESET ROLE;
SELECT seen_as, what, count(*) > 0 AS seen FROM public.regress_meridian_loot GROUP BY seen_as, what ORDER BY what;
DELETE FROM board_sources WHERE project_id = 'trap';

-- History is written by its own triggers alone. Mallory cannot put them on a table, nor call what is behind them.
SET ROLE regress_meridian_mallory;
CREATE TRIGGER forge AFTER INSERT ON regress_meridian_mallory.board REFERENCING NEW TABLE AS new_items FOR EACH STATEMENT EXECUTE FUNCTION meridian.record_item_history();
CREATE TRIGGER spy BEFORE INSERT ON meridian.sprint_items FOR EACH ROW EXECUTE FUNCTION regress_meridian_mallory.loot();
RESET ROLE;
-- Nor can an admin forge with a trigger on a table that is no board.
SELECT grant_access('regress_meridian_mallory', 'admin');
SET ROLE regress_meridian_mallory;
CREATE TRIGGER forge AFTER INSERT ON regress_meridian_mallory.board REFERENCING NEW TABLE AS new_items FOR EACH STATEMENT EXECUTE FUNCTION meridian.record_item_history();
INSERT INTO regress_meridian_mallory.board VALUES ('lent', 'forged', 'X', 'done');
DROP TRIGGER forge ON regress_meridian_mallory.board;
RESET ROLE;
SELECT count(*) AS forged FROM sprint_item_history WHERE item_id = 'forged' OR changed_by = 'forged';

-- An error of a trigger of the user's keeps its SQLSTATE, message, detail and hint, with nothing added, wherever it comes up.
CREATE FUNCTION public.regress_meridian_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.item_id = 'a' THEN
        PERFORM count(*) FROM pg_class;
        RAISE EXCEPTION USING ERRCODE = 'AB123', MESSAGE = 'not this one', DETAIL = 'It is mine.', HINT = 'Take another.', CONSTRAINT = 'mine';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER regress_refuse BEFORE UPDATE ON sprint_items FOR EACH ROW EXECUTE FUNCTION public.regress_meridian_refuse();
SET ROLE regress_meridian_worker;
\set SHOW_CONTEXT never
SELECT claim_sprint_item('lent', 'a');
\echo :LAST_ERROR_SQLSTATE
-- The transaction goes on after a savepoint, and so does the session.
BEGIN;
SAVEPOINT s;
SELECT claim_sprint_item('lent', 'a');
ROLLBACK TO s;
SELECT claim_sprint_item('lent', 'b') -> 'claimed' AS claimed;
COMMIT;
DO $$
DECLARE
    name text;
BEGIN
    PERFORM meridian.claim_sprint_item('lent', 'a');
EXCEPTION WHEN SQLSTATE 'AB123' THEN
    GET STACKED DIAGNOSTICS name = CONSTRAINT_NAME;
    RAISE NOTICE 'caught: %, %; then claimed: %', SQLERRM, name, meridian.claim_sprint_item('lent', 'c') -> 'claimed';
END
$$;
RESET ROLE;
SELECT item_id, status FROM sprint_items WHERE project_id = 'lent' ORDER BY item_id;

DROP TRIGGER regress_refuse ON sprint_items;
DROP FUNCTION public.regress_meridian_refuse();
SELECT revoke_access('regress_meridian_mallory'), revoke_access('regress_meridian_worker');
DROP SCHEMA regress_meridian_mallory CASCADE;
DROP TABLE public.regress_meridian_loot;
DROP OWNED BY regress_meridian_worker, regress_meridian_mallory;
DROP ROLE regress_meridian_worker, regress_meridian_mallory;
DELETE FROM sprint_items WHERE project_id = 'lent';
DELETE FROM projects WHERE project_id IN ('lent', 'trap');
