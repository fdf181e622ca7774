-- Numbers keep their digits, deep documents are read, and one that is too deep is told by where it stands.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir /sql/include/helpers.psql
\set ECHO none
\i :helpers
\set ECHO all
SET search_path = meridian;
INSERT INTO projects (project_id, name, settings) VALUES ('odd', 'Odd', '{"big": 1e400, "long": 123456789012345678901234567890}');
INSERT INTO sprint_items (project_id, item_id, title, added_at, tool_requirements) VALUES
    ('odd', 'a', 'A', '2024-01-01 00:00Z', '[{"name": "t", "version": 1.10, "size": 123456789012345678901234567890, "limit": 1e400}]'),
    ('odd', 'b', 'B', '2024-01-01 00:00Z', (repeat('[', 300) || repeat(']', 300))::jsonb);

SELECT claim_sprint_item('odd', 'a') #>> '{item,tool_requirements}' AS tool_requirements;
SELECT generate_handoff('odd', 'goal') #>> '{item_counts,selected}' AS selected;
SELECT count(*) FROM get_sprint_items('odd');

-- Ids that differ in their last digit differ.
SELECT compute_board_revision('[{"id": 123456789012345678901234567890}]') = compute_board_revision('[{"id": 123456789012345678901234567891}]') AS same;
SELECT compute_board_revision(format('[{"id": "x", "more": %s}]', repeat('[', 500) || repeat(']', 500))::jsonb) = compute_board_revision('[{"id": "x"}]') AS same;

UPDATE sprint_items SET tool_requirements = (repeat('[', 1500) || repeat(']', 1500))::jsonb WHERE item_id = 'b';
SELECT * FROM pg_temp.error_of('SELECT meridian.generate_handoff(''odd'', ''goal'')');
SELECT code, message FROM pg_temp.error_of(format('SELECT meridian.compute_board_revision(%L)', repeat('[', 1500) || repeat(']', 1500)));
SELECT code, message FROM pg_temp.error_of('SELECT meridian.generate_handoff(''odd'', ''goal'', pending_goal_receiver => ''{"role": 1e400}'')');
-- The others of the board go on.
UPDATE sprint_items SET tool_requirements = '[]' WHERE item_id = 'b';
SELECT claim_sprint_item('odd', 'b') ->> 'claimed' AS claimed;
