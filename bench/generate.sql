-- generate_handoff in mode goal: how its time grows with the board, how it compares with turning the same rows into
-- JSON in SQL, and what a board costs that lies in a table of the user's.
--
-- Every run is a whole generation: read, rendered, hashed, stored, a token minted, committed. The commit does not wait for
-- the disk, whose answer would hide how a small board compares with a long one.

SET synchronous_commit = off;

\ir lib/board.sql

CALL bench.fill_board('goal100', 100);
CALL bench.fill_board('goal1000', 1000);
CALL bench.fill_board('goal10000', 10000);

-- The same boards, each in a table of its own with other column names and words.
CREATE PROCEDURE bench.attach_copy(source text, target text) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format(
        'CREATE TABLE public.%I AS
         SELECT item_id AS key, title AS summary, notes, CASE status WHEN ''pending'' THEN ''open'' ELSE status END AS state,
                priority, version, depends_on, failure_mode, item_group, milestone_type, human_id, blocker_kind, wave, track,
                deferred_until, touches_resources, tool_requirements, required_tool, prospect_bypass, artifact_policy,
                parent_id, merged_into, claimed_by, claimed_at, added_at, completed_at
         FROM meridian.sprint_items WHERE project_id = %L', target, source);
    EXECUTE format('ALTER TABLE public.%I ADD PRIMARY KEY (key)', target);
    INSERT INTO meridian.projects (project_id, name) VALUES (target, target);
    PERFORM meridian.attach_board(target, target::regclass,
        columns => '{"project_id": null, "item_id": "key", "title": "summary", "status": "state"}', status_map => '{"open": "pending"}');
END
$$;
CALL bench.attach_copy('goal100', 'attached100');
CALL bench.attach_copy('goal1000', 'attached1000');
CALL bench.attach_copy('goal10000', 'attached10000');
VACUUM ANALYZE;

INSERT INTO bench.contender (what, side, statement)
SELECT format('goal of %s items', items), side, format(statement, items)
FROM unnest(ARRAY[100, 1000, 10000]) items,
     (VALUES ('own table', $$SELECT meridian.generate_handoff('goal%s', mode => 'goal')$$),
             ('attached', $$SELECT meridian.generate_handoff('attached%s', mode => 'goal')$$),
             ('jsonb_agg', $$SELECT jsonb_agg(to_jsonb(i)) FROM meridian.sprint_items i WHERE project_id = 'goal%s'$$)
     ) statements (side, statement);
CALL bench.race(9);

-- Linear growth is ten times the time for ten times the items.
CALL bench.at_most('goal, 1,000 items against 100',
    bench.quotient(bench.median('goal of 1000 items', 'own table'), bench.median('goal of 100 items', 'own table')), 10);
CALL bench.at_most('goal, 10,000 items against 1,000',
    bench.quotient(bench.median('goal of 10000 items', 'own table'), bench.median('goal of 1000 items', 'own table')), 10);
CALL bench.at_most('goal of 1,000 items against jsonb_agg(to_jsonb(i))',
    bench.ratio('goal of 1000 items', 'own table', 'jsonb_agg'), 3);
CALL bench.note('goal of 10,000 items against jsonb_agg(to_jsonb(i))',
    bench.ratio('goal of 10000 items', 'own table', 'jsonb_agg'));
CALL bench.at_most('goal of 100 items, attached table against own',
    bench.ratio('goal of 100 items', 'attached', 'own table'), 1.2);
CALL bench.at_most('goal of 1,000 items, attached table against own',
    bench.ratio('goal of 1000 items', 'attached', 'own table'), 1.2);
CALL bench.at_most('goal of 10,000 items, attached table against own',
    bench.ratio('goal of 10000 items', 'attached', 'own table'), 1.2);
