-- The statements of revision.sh; see there.

\ir ../lib/board.sql

CALL bench.fill_board('board', 1000000);
VACUUM ANALYZE;

CREATE PROCEDURE bench.race_revisions(ids text) LANGUAGE plpgsql AS $body$
BEGIN
    INSERT INTO bench.contender (what, side, statement) VALUES
        (ids, 'board_revision', $$SELECT meridian.board_revision('board')$$),
        (ids, 'bare pass', $$SELECT count(*), sum(length(item_id)) FROM meridian.sprint_items$$),
        (ids, 'digest in SQL', $$
            SELECT encode(sha256(convert_to(
                string_agg(item_id || ' ' || status || ' ' || array_to_string(depends_on, ','), E'\n' ORDER BY item_id),
                'UTF8')), 'hex')
            FROM meridian.sprint_items $$);
    CALL bench.race(5);
    CALL bench.at_most('revision of 1,000,000 items against a bare pass, ' || ids,
        bench.ratio(ids, 'board_revision', 'bare pass'), 2.5);
    CALL bench.at_least('digest in SQL against revision of 1,000,000 items, ' || ids,
        bench.ratio(ids, 'digest in SQL', 'board_revision'), 2);
END
$body$;

CALL bench.race_revisions('ids in row order');

-- Ids as random as those that the table gives by default, and the same in every run.
ALTER TABLE meridian.sprint_items DISABLE TRIGGER USER;
CREATE TABLE bench.items AS TABLE meridian.sprint_items;
TRUNCATE meridian.sprint_items;
UPDATE bench.items SET
    item_id = md5(item_id)::uuid::text,
    depends_on = ARRAY(SELECT md5(predecessor)::uuid::text FROM unnest(depends_on) predecessor);
INSERT INTO meridian.sprint_items TABLE bench.items;
DROP TABLE bench.items;
ALTER TABLE meridian.sprint_items ENABLE TRIGGER USER;
VACUUM ANALYZE;

CALL bench.race_revisions('random ids');

-- One worker process or two beside the backend are more than a fair share of a machine; alone, the pass takes this long.
SET max_parallel_workers_per_gather = 0;
INSERT INTO bench.contender (what, side, statement) VALUES
    ('one process', 'board_revision', $$SELECT meridian.board_revision('board')$$),
    ('one process', 'bare pass', $$SELECT count(*), sum(length(item_id)) FROM meridian.sprint_items$$);
CALL bench.race(5);
CALL bench.note('the same against a bare pass without parallel workers',
    bench.ratio('one process', 'board_revision', 'bare pass'));
