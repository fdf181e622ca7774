-- What every measurement shares: contenders that run in turn, the time of every run, and verdicts over the medians.
--
-- A time on a shared machine says little; two times taken in turn on it, several times over, say how they compare.
-- So nothing here is judged by milliseconds, only by the ratio of two medians of the same race. Beside the time that passed
-- stands the time that the backend was on a processor, which says more where other work disturbs the machine, and less where
-- a disk or a second process has its part.

CREATE SCHEMA bench;

-- Statements of one race; those of the same `what` are compared with each other.
CREATE TABLE bench.contender (
    position integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    what text NOT NULL,
    side text NOT NULL,
    statement text NOT NULL,
    UNIQUE (what, side)
);

CREATE TABLE bench.run (
    position integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    what text NOT NULL,
    side text NOT NULL,
    ms double precision NOT NULL,
    -- Of the backend alone; NULL where the system does not tell.
    cpu_ms double precision
);

CREATE TABLE bench.verdict (
    position integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    what text NOT NULL,
    measured numeric,
    unit text NOT NULL,
    by_cpu numeric,
    target text NOT NULL,
    met boolean
);

-- Milliseconds that this backend has been on a processor. Linux adds them up when a process leaves it, hence the nap.
CREATE FUNCTION bench.cpu_ms() RETURNS double precision LANGUAGE sql VOLATILE AS $$
    SELECT pg_sleep(0.0002);
    SELECT split_part(pg_read_file('/proc/self/schedstat', 0, 1000, true), ' ', 1)::double precision / 1e6
$$;

-- Runs a statement in a transaction of its own; its commit counts.
CREATE PROCEDURE bench.timed(what text, side text, statement text) LANGUAGE plpgsql AS $$
DECLARE
    cpu double precision := bench.cpu_ms();
    began timestamptz := clock_timestamp();
    ended timestamptz;
BEGIN
    EXECUTE statement;
    COMMIT;
    ended := clock_timestamp();
    INSERT INTO bench.run (what, side, ms, cpu_ms)
        VALUES (what, side, extract(epoch FROM ended - began) * 1000, bench.cpu_ms() - cpu);
    COMMIT;
END
$$;

-- All contenders, `rounds` times, each round in an order of its own, since whoever comes after a long run finds the
-- processor's caches empty. A round before them warms up and is forgotten.
CREATE PROCEDURE bench.race(rounds integer DEFAULT 7) LANGUAGE plpgsql AS $$
DECLARE
    contender bench.contender;
BEGIN
    FOR round IN 0..rounds LOOP
        FOR contender IN SELECT * FROM bench.contender c ORDER BY md5(round || '/' || c.position) LOOP
            CALL bench.timed(contender.what, contender.side, contender.statement);
        END LOOP;
        IF round = 0 THEN
            DELETE FROM bench.run r USING bench.contender c WHERE r.what = c.what AND r.side = c.side;
        END IF;
    END LOOP;
    -- Raced once; the next race has its own.
    DELETE FROM bench.contender;
END
$$;

CREATE TYPE bench.time AS (ms double precision, cpu_ms double precision);

-- The medians of a side's runs.
CREATE FUNCTION bench.median(what text, side text) RETURNS bench.time LANGUAGE sql AS $$
    SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY r.ms), percentile_cont(0.5) WITHIN GROUP (ORDER BY r.cpu_ms)
    FROM bench.run r WHERE r.what = median.what AND r.side = median.side
$$;

-- How many times `under` goes into `over`.
CREATE FUNCTION bench.quotient(over bench.time, under bench.time) RETURNS bench.time LANGUAGE sql AS $$
    SELECT over.ms / under.ms, over.cpu_ms / under.cpu_ms
$$;
CREATE FUNCTION bench.ratio(what text, over text, under text) RETURNS bench.time LANGUAGE sql AS $$
    SELECT bench.quotient(bench.median(what, over), bench.median(what, under))
$$;

CREATE PROCEDURE bench.at_most(what text, measured bench.time, bound numeric, unit text DEFAULT 'x')
LANGUAGE sql AS $$
    INSERT INTO bench.verdict (what, measured, by_cpu, unit, target, met)
    VALUES (what, round(measured.ms::numeric, 2), round(measured.cpu_ms::numeric, 2), unit,
            'at most ' || bound || unit, round(measured.ms::numeric, 2) <= bound)
$$;

CREATE PROCEDURE bench.at_least(what text, measured bench.time, bound numeric, unit text DEFAULT 'x')
LANGUAGE sql AS $$
    INSERT INTO bench.verdict (what, measured, by_cpu, unit, target, met)
    VALUES (what, round(measured.ms::numeric, 2), round(measured.cpu_ms::numeric, 2), unit,
            'at least ' || bound || unit, round(measured.ms::numeric, 2) >= bound)
$$;

-- A figure that nothing is asked of.
CREATE PROCEDURE bench.note(what text, measured bench.time, unit text DEFAULT 'x') LANGUAGE sql AS $$
    INSERT INTO bench.verdict (what, measured, by_cpu, unit, target)
    VALUES (what, round(measured.ms::numeric, 2), round(measured.cpu_ms::numeric, 2), unit, '')
$$;

CREATE VIEW bench.runs AS
    SELECT what, side,
           round(percentile_cont(0.5) WITHIN GROUP (ORDER BY ms)::numeric, 3) AS median_ms,
           round(percentile_cont(0.5) WITHIN GROUP (ORDER BY cpu_ms)::numeric, 3) AS median_cpu_ms,
           string_agg(round(ms::numeric, 3)::text, ' ' ORDER BY position) AS all_runs_ms
    FROM bench.run GROUP BY what, side ORDER BY min(position);

CREATE VIEW bench.verdicts AS
    SELECT what, measured || unit AS measured, by_cpu || unit AS by_cpu, target,
           CASE WHEN met THEN 'met' WHEN NOT met THEN 'NOT MET' ELSE '' END AS verdict
    FROM bench.verdict ORDER BY position;
