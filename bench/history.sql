-- A bulk update of 100,000 items with its history, against the same update without the trigger.
--
-- One table is updated by all of them in turn. Between two runs, outside the time, it is vacuumed, so that each run finds
-- the room that the one before had found.

\ir lib/board.sql

CALL bench.fill_board('bulk', 100000);
VACUUM ANALYZE;

-- Every row changes each time.
CREATE PROCEDURE bench.update_all() LANGUAGE sql AS $$
    UPDATE meridian.sprint_items
    SET priority = CASE priority WHEN 'low' THEN 'high' ELSE 'low' END, updated_at = clock_timestamp()
    WHERE project_id = 'bulk'
$$;

-- The first round warms up and is forgotten.
SELECT 'TRUNCATE meridian.sprint_item_history',
       'VACUUM meridian.sprint_items',
       'CHECKPOINT',
       format('ALTER TABLE meridian.sprint_items %s TRIGGER USER', trigger),
       format('UPDATE meridian.projects SET settings = %L WHERE project_id = ''bulk''', settings),
       format('CALL bench.timed(''update of 100,000 items'', %L, ''CALL bench.update_all()'')', side),
       CASE WHEN round = 0 THEN 'TRUNCATE bench.run' END
FROM generate_series(0, 7) round,
     (VALUES (0, 'DISABLE', '{}', 'no trigger'),
             (1, 'ENABLE', '{}', 'history'),
             (2, 'ENABLE', '{"history": false}', 'history off')) sides (turn, trigger, settings, side)
ORDER BY round, (round + turn) % 3
\gexec

CALL bench.at_most('update of 100,000 items, with history against without trigger',
    bench.ratio('update of 100,000 items', 'history', 'no trigger'), 3.5);
CALL bench.note('update of 100,000 items, history off in the project''s settings against without trigger',
    bench.ratio('update of 100,000 items', 'history off', 'no trigger'));
