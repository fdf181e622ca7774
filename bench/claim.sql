-- Claiming one item by its id in a board of 1,000,000 and in one of 1,000: it must not matter how long the board is.
--
-- Each run claims a hundred items that nobody has claimed yet, spread over the board, in one transaction; so what is
-- measured are the claims and not the disk's answer to a commit.

\ir lib/board.sql

CALL bench.fill_board('claim1000', 1000);
CALL bench.fill_board('claim1000000', 1000000);
VACUUM ANALYZE;

CREATE SEQUENCE bench.claimed_of_1000;
CREATE SEQUENCE bench.claimed_of_1000000;

CREATE FUNCTION bench.claim_hundred(items integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    project text := 'claim' || items;
    claims regclass := 'bench.claimed_of_' || items;
    answer jsonb;
BEGIN
    FOR claim IN 1..100 LOOP
        answer := meridian.claim_sprint_item(project, 'item-' || nextval(claims) * (items / 1000));
        -- A third of the items waits for a predecessor; that is an answer as well. Anything else would be a mistake here.
        IF NOT (answer ->> 'claimed')::boolean AND answer ->> 'error' IS DISTINCT FROM 'DEPENDENCY_NOT_SATISFIED' THEN
            RAISE EXCEPTION 'claim answered %', answer;
        END IF;
    END LOOP;
END
$$;

INSERT INTO bench.contender (what, side, statement)
SELECT 'a hundred claims', 'board of ' || items, format('SELECT bench.claim_hundred(%s)', items)
FROM unnest(ARRAY[1000, 1000000]) items;
CALL bench.race(9);

CALL bench.at_most('claim in a board of 1,000,000 against 1,000',
    bench.ratio('a hundred claims', 'board of 1000000', 'board of 1000'), 1.5);
