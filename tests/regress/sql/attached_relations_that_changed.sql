-- A board whose relation is no longer what was attached: an error that says so, from every function, and never another board.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir /sql/include/helpers.psql
\set ECHO none
\i :helpers
\set ECHO all
CREATE SCHEMA attached_changed;
SET search_path = attached_changed, meridian;
INSERT INTO projects (project_id, name) VALUES ('changed', 'Changed'), ('changed-other', 'Another'), ('changed-other2', 'A third');

CREATE FUNCTION pg_temp.fresh() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM meridian.board_sources WHERE project_id = 'changed') THEN
        PERFORM meridian.detach_board('changed');
    END IF;
    DROP TABLE IF EXISTS attached_changed.board CASCADE;
    CREATE TABLE attached_changed.board (no int PRIMARY KEY, state text DEFAULT 'todo', needs int[], subject text, owner text, since timestamptz, due timestamp, files text[], loose boolean);
    INSERT INTO attached_changed.board (no, subject, needs) VALUES (1, 'One', NULL), (2, 'Two', '{1}'), (3, 'Three', '{1,2}');
    PERFORM meridian.attach_board('changed', 'attached_changed.board', '{"project_id": null, "item_id": "no", "status": "state", "depends_on": "needs", "title": "subject", "claimed_by": "owner", "claimed_at": "since", "deferred_until": "due", "touches_resources": "files", "prospect_bypass": "loose"}');
END
$$;
-- What each way of reading it says after a change; `fresh` before the next.
CREATE FUNCTION pg_temp.after(change text, OUT code text, OUT message text, OUT detail text, OUT all_the_same boolean) LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_temp.fresh();
    EXECUTE change;
    SELECT min(e.code), min(e.message), min(e.detail), count(DISTINCT e) = 1 INTO code, message, detail, all_the_same
    FROM unnest(ARRAY[$c$SELECT count(*) FROM meridian.get_sprint_items('changed')$c$, $c$SELECT meridian.board_revision('changed')$c$, $c$SELECT count(*) FROM meridian.plan_waves('changed')$c$,
        $c$SELECT meridian.claim_sprint_item('changed', '1')$c$, $c$SELECT meridian.claim_next_sprint_item('changed')$c$, $c$SELECT meridian.complete_sprint_item('changed', '1')$c$, $c$SELECT meridian.release_sprint_item('changed', '1')$c$,
        $c$SELECT count(*) FROM meridian.cross_check_items('changed', '{1}')$c$, $c$SELECT meridian.generate_handoff('changed', 'goal')$c$, $c$SELECT meridian.verify_live_board('changed', 'x')$c$]) AS call, pg_temp.error_of(call) AS e;
END
$$;
SET client_min_messages = warning;
\x on
SELECT c.change, a.* FROM unnest(ARRAY[
    'ALTER TABLE board DROP COLUMN needs', 'ALTER TABLE board RENAME COLUMN state TO status', 'ALTER TABLE board DROP COLUMN no', 'ALTER TABLE board DROP COLUMN owner', 'ALTER TABLE board DROP COLUMN due',
    'ALTER TABLE board ALTER COLUMN due TYPE text', 'ALTER TABLE board ALTER COLUMN files TYPE text', 'ALTER TABLE board ALTER COLUMN loose TYPE int USING 1', 'ALTER TABLE board ALTER COLUMN state DROP DEFAULT, ALTER COLUMN state TYPE text[] USING ARRAY[state]'
]) WITH ORDINALITY AS c (change, n), pg_temp.after(c.change) AS a ORDER BY n;
-- Predecessors that would now be read in another form: {1,2} is no id.
SELECT c.change, a.code, a.detail::jsonb ->> 'problem' AS problem, a.all_the_same FROM unnest(ARRAY[
    'ALTER TABLE board ALTER COLUMN needs TYPE text USING needs::text', 'ALTER TABLE board ALTER COLUMN needs TYPE jsonb USING to_jsonb(needs::text)'
]) WITH ORDINALITY AS c (change, n), pg_temp.after(c.change) AS a ORDER BY n;
-- Changes that leave the board as it is.
SELECT c.change, a.* FROM unnest(ARRAY[
    'ALTER TABLE board ADD COLUMN title text DEFAULT ''Not picked up'', ADD COLUMN depends_on int[] DEFAULT ''{7}''', 'ALTER TABLE board ALTER COLUMN subject TYPE varchar(100)', 'ALTER TABLE board ALTER COLUMN no TYPE bigint, ALTER COLUMN needs TYPE bigint[]',
    'ALTER TABLE board DROP CONSTRAINT board_pkey', 'ALTER TABLE board RENAME TO renamed'
]) WITH ORDINALITY AS c (change, n), pg_temp.after(c.change) AS a ORDER BY n;
DROP TABLE renamed;
-- A relation that is gone, and one of the same name in its place.
SELECT code, message, detail::jsonb - 'relation' AS detail, all_the_same FROM pg_temp.after('DROP TABLE board');
SELECT code, detail::jsonb - 'relation' AS detail, all_the_same FROM pg_temp.after('DROP TABLE board; CREATE TABLE board (no int, state text, needs int[], subject text, owner text, since timestamptz, due timestamp, files text[], loose boolean)');
\x off
SELECT detach_board('changed');
SELECT count(*) FROM get_sprint_items('changed');

-- Its own changes are refused, too, as long as what they would be recorded as cannot be read; detaching ends that.
SELECT pg_temp.fresh();
ALTER TABLE board DROP COLUMN needs;
SELECT code, message, detail FROM pg_temp.error_of($$UPDATE board SET subject = 'Changed'$$) \gx
SELECT detach_board('changed');
UPDATE board SET subject = 'Changed';
SELECT pg_temp.fresh();
-- Added back, it is the board again.
ALTER TABLE board RENAME COLUMN subject TO other;
SELECT code FROM pg_temp.error_of($$SELECT * FROM get_sprint_items('changed')$$);
ALTER TABLE board RENAME COLUMN other TO subject;
SELECT item_id, title FROM get_sprint_items('changed');

-- A view that is replaced keeps its columns.
CREATE VIEW seen WITH (security_invoker) AS SELECT no AS item_id, state AS status FROM board WHERE no < 3;
SELECT attach_board('changed-other', 'seen', '{"project_id": null}', track_history => false);
CREATE OR REPLACE VIEW seen WITH (security_invoker) AS SELECT no AS item_id, state AS status, subject AS title FROM board;
SELECT item_id, title FROM get_sprint_items('changed-other');
DROP VIEW seen;
SELECT code, detail::jsonb ->> 'problem' AS problem FROM pg_temp.error_of($$SELECT * FROM get_sprint_items('changed-other')$$);
-- An error of the view's own arrives as it is.
SELECT detach_board('changed-other');
CREATE VIEW seen WITH (security_invoker) AS SELECT no AS item_id, CASE WHEN no / (no - 2) > -9 THEN state END AS status FROM board WHERE no <> 2;
SELECT attach_board('changed-other', 'seen', '{"project_id": null}', track_history => false);
CREATE OR REPLACE VIEW seen WITH (security_invoker) AS SELECT no AS item_id, CASE WHEN no / (no - 2) > -9 THEN state END AS status FROM board;
SELECT code, message FROM pg_temp.error_of($$SELECT * FROM get_sprint_items('changed-other')$$);

-- What attaching refuses.
\x on
SELECT error.* FROM unnest(ARRAY[
    $$SELECT attach_board('changed-third', 'board')$$, $$SELECT attach_board('changed-new', 'board')$$, $$SELECT attach_board('changed-new', 'board', '{"item_id": "no"}')$$, $$SELECT attach_board('changed-new', 'board', '{"item_id": "no", "status": "state"}')$$,
    $$SELECT attach_board('changed-new', 'board', '{"item_id": "no", "status": "state", "project_id": "tenant"}')$$, $$SELECT attach_board('changed-new', 'board', '{"item_id": "no", "status": null, "project_id": null}')$$, $$SELECT attach_board('changed-new', 'board', '{"item_id": "no", "status": "state", "project_id": null, "title": "headline"}')$$,
    $$SELECT attach_board('changed-new', 'board', '{"item_id": "no", "status": "state", "project_id": null, "headline": "subject"}')$$, $$SELECT attach_board('changed-new', 'board', '{"item_id": 1}')$$, $$SELECT attach_board('changed-new', 'board', '["no"]')$$,
    $$SELECT attach_board('changed-new', 'board', '{"item_id": "no", "status": "state", "project_id": null, "claimed_at": "subject"}')$$, $$SELECT attach_board('changed-new', 'board', '{"item_id": "needs", "status": "state", "project_id": null}')$$,
    $$SELECT detach_board('changed-new')$$]) WITH ORDINALITY AS c (call, n), pg_temp.error_of(replace(call, 'changed-new', 'changed-other2')) AS error ORDER BY n;
\x off
SELECT count(detach_board(project_id)) FROM (SELECT project_id FROM meridian.board_sources ORDER BY 1) AS every;
DROP SCHEMA attached_changed CASCADE;
