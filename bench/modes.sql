-- generate_handoff in every mode: how its time grows with the board, and how it compares with turning the same rows into
-- JSON in SQL. With every tenth item the project has a decision, a note and a task, so a narrative has something to tell.
--
-- As in generate.sql, every run is a whole generation that is committed without waiting for the disk. With a hundred items
-- what a generation costs at any size weighs most, so growth from there says less than growth from a thousand on.

SET synchronous_commit = off;

\ir lib/board.sql

CREATE PROCEDURE bench.fill_project(project text, items integer) LANGUAGE plpgsql AS $$
BEGIN
    CALL bench.fill_board(project, items);
    INSERT INTO meridian.decisions (project_id, title, body)
        SELECT project, 'Decision ' || number, repeat('Why it was taken, and what it rules out. ', 3) FROM generate_series(1, items / 10) number;
    INSERT INTO meridian.notes (project_id, title, body)
        SELECT project, 'Note ' || number, repeat('What was seen on the way. ', 3) FROM generate_series(1, items / 10) number;
    INSERT INTO meridian.tasks (project_id, description)
        SELECT project, 'Task ' || number FROM generate_series(1, items / 10) number;
END
$$;
CALL bench.fill_project('modes100', 100);
CALL bench.fill_project('modes1000', 1000);
CALL bench.fill_project('modes10000', 10000);
VACUUM ANALYZE;

INSERT INTO bench.contender (what, side, statement)
SELECT format('%s items', items), mode, format('SELECT meridian.generate_handoff(%L, %L)', 'modes' || items, mode)
FROM unnest(ARRAY[100, 1000, 10000]) items, unnest(ARRAY['goal', 'starter', 'compact', 'delta', 'full', 'planner']) mode;
INSERT INTO bench.contender (what, side, statement)
SELECT format('%s items', items), 'jsonb_agg', format('SELECT jsonb_agg(to_jsonb(i)) FROM meridian.sprint_items i WHERE project_id = %L', 'modes' || items)
FROM unnest(ARRAY[100, 1000, 10000]) items;
CALL bench.race(7);

-- Linear growth is ten times the time for ten times the items.
CREATE PROCEDURE bench.judge_mode(mode text) LANGUAGE plpgsql AS $$
BEGIN
    CALL bench.at_most(mode || ', 1,000 items against 100',
        bench.quotient(bench.median('1000 items', mode), bench.median('100 items', mode)), 10);
    CALL bench.at_most(mode || ', 10,000 items against 1,000',
        bench.quotient(bench.median('10000 items', mode), bench.median('1000 items', mode)), 10);
END
$$;
CALL bench.judge_mode('goal');
CALL bench.judge_mode('starter');
CALL bench.judge_mode('compact');
CALL bench.judge_mode('delta');
CALL bench.judge_mode('full');
CALL bench.judge_mode('planner');
CALL bench.at_most('goal of 10,000 items against jsonb_agg(to_jsonb(i))', bench.ratio('10000 items', 'goal', 'jsonb_agg'), 3);
CALL bench.at_most('full of 10,000 items against jsonb_agg(to_jsonb(i))', bench.ratio('10000 items', 'full', 'jsonb_agg'), 5);
CALL bench.at_most('delta of 10,000 items against jsonb_agg(to_jsonb(i))', bench.ratio('10000 items', 'delta', 'jsonb_agg'), 5);
CALL bench.note('starter of 10,000 items against jsonb_agg(to_jsonb(i))', bench.ratio('10000 items', 'starter', 'jsonb_agg'));
CALL bench.note('planner of 10,000 items against jsonb_agg(to_jsonb(i))', bench.ratio('10000 items', 'planner', 'jsonb_agg'));
