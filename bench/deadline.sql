-- meridian.generation_timeout: how late after its deadline a generation answers whose board hangs. What it is compared with
-- is a sleep of just that long, taken in turn; what comes on top is giving up the read and rendering the answer.

CREATE TABLE public.slow_task (item_id text PRIMARY KEY, status text, title text);
INSERT INTO public.slow_task VALUES ('a', 'pending', 'Never read');
CREATE VIEW public.slow_board WITH (security_invoker) AS SELECT t.* FROM public.slow_task t, pg_sleep(0);
INSERT INTO meridian.projects (project_id, name) VALUES ('slow', 'Slow');
SELECT meridian.attach_board('slow', 'public.slow_board', columns => '{"project_id": null}', track_history => false);
CREATE OR REPLACE VIEW public.slow_board WITH (security_invoker) AS SELECT t.* FROM public.slow_task t, pg_sleep(60);

-- A wrong answer would be a mistake here, not a figure.
CREATE FUNCTION bench.late(mode text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    answered text := meridian.generate_handoff('slow', mode) ->> 'mode';
BEGIN
    IF answered <> 'l0_fallback' THEN
        RAISE EXCEPTION 'the board was read: %', answered;
    END IF;
END
$$;

SET meridian.generation_timeout = '500ms';
INSERT INTO bench.contender (what, side, statement)
SELECT 'deadline of 500 ms', mode, format('SELECT bench.late(%L)', mode) FROM unnest(ARRAY['goal', 'full']) mode
UNION ALL
SELECT 'deadline of 500 ms', 'sleep', 'SELECT pg_sleep(0.5)';
CALL bench.race(7);
CALL bench.at_most('goal against the deadline', bench.ratio('deadline of 500 ms', 'goal', 'sleep'), 1.1);
CALL bench.at_most('full against the deadline', bench.ratio('deadline of 500 ms', 'full', 'sleep'), 1.1);
