-- meridian.generation_timeout: past it the answer is what was read before the board, nothing is stored and the transaction goes on.
-- statement_timeout keeps its own meaning.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir /sql/include/helpers.psql
\set ECHO none
\i :helpers
\set ECHO all
SET search_path = meridian;

INSERT INTO projects (project_id, name, north_star) VALUES ('late', 'Late', 'Be on time');
INSERT INTO decisions (project_id, title, body) VALUES ('late', 'Clocks', 'One for all');
CREATE TABLE public.late_task (item_id text PRIMARY KEY, status text, title text);
INSERT INTO public.late_task VALUES ('a', 'todo', 'Never read');
-- Once it is attached, rows come after a minute.
CREATE VIEW public.late_view WITH (security_invoker) AS SELECT t.* FROM public.late_task AS t, pg_sleep(0);
SELECT attach_board('late', 'public.late_view', '{"project_id": null}', track_history => false);
CREATE OR REPLACE VIEW public.late_view WITH (security_invoker) AS SELECT t.* FROM public.late_task AS t, pg_sleep(60);
SET meridian.generation_timeout = '50ms';

-- In every mode the same answer, and every key.
SELECT mode, answer ->> 'mode' AS answered, answer -> 'degraded' AS degraded, answer -> 'amended' AS amended, answer -> 'retrievable_via_load_handoff' AS retrievable, answer #> '{capability_contract,executable}' AS executable,
       answer #> '{capability_contract,executable_reasons}' AS reasons, (SELECT count(*) FROM jsonb_object_keys(answer)) AS keys
FROM unnest('{planner,full,delta,starter,compact,goal}'::text[]) WITH ORDINALITY AS m (mode, n), LATERAL generate_handoff('late', mode) AS answer ORDER BY n;
SELECT key, value FROM jsonb_each(generate_handoff('late', 'full')) WHERE key IN ('board_revision', 'content_hash', 'continuation_status', 'docx_integrity', 'generated_at', 'item_counts', 'run_timeline', 'selected_scope') ORDER BY key COLLATE "C";
SELECT line FROM regexp_split_to_table(regexp_replace(generate_handoff('late') ->> 'content', 'Generated at [^ ]+', 'Generated at TIME'), E'\n') WITH ORDINALITY AS l (line, n) ORDER BY n;
SELECT (SELECT count(*) FROM handoffs WHERE project_id = 'late') AS handoffs, (SELECT count(*) FROM handoff_tokens WHERE project_id = 'late') AS tokens, (SELECT count(*) FROM events WHERE project_id = 'late' AND event_type = 'handoff_generated') AS events;

-- The caller's transaction goes on, in savepoints, too, with what it wrote and its own settings.
BEGIN;
SET LOCAL work_mem = '5MB';
INSERT INTO notes (project_id, title) VALUES ('late', 'Written before');
SELECT generate_handoff('late') ->> 'mode' AS mode;
SAVEPOINT s;
SELECT generate_handoff('late') ->> 'mode' AS mode;
INSERT INTO notes (project_id, title) VALUES ('late', 'Written after');
RELEASE s;
SELECT current_user = session_user AS same_user, current_setting('work_mem') AS work_mem, current_setting('search_path') AS search_path, (SELECT count(*) FROM notes WHERE project_id = 'late') AS notes;
COMMIT;
SELECT count(*) FROM notes WHERE project_id = 'late';
-- Inside a function, and after one whose errors are caught.
DO $$
DECLARE
    modes text[];
BEGIN
    FOR i IN 1..3 LOOP
        BEGIN
            modes := modes || (generate_handoff('late') ->> 'mode');
            IF i = 2 THEN
                PERFORM generate_handoff('late', 'everything');
            END IF;
        EXCEPTION WHEN invalid_parameter_value THEN
            modes := modes || SQLSTATE::text;
        END;
    END LOOP;
    RAISE NOTICE '%', modes;
END
$$;

-- Who wants sound evidence gets none of it.
SELECT error.code, error.message, jsonb_array_length(error.detail::jsonb -> 'evidence_errors') AS errors FROM pg_temp.error_of($$SELECT generate_handoff('late', strict_evidence => true)$$) AS error;
-- What is wrong with the call is said as ever.
SELECT call, error.code FROM unnest(ARRAY[$$SELECT generate_handoff('late', 'everything')$$, $$SELECT generate_handoff('late', max_content_bytes => 0)$$, $$SELECT generate_handoff('late', session_id => 'nobody')$$]) AS call, pg_temp.error_of(call) AS error;
-- A session begins all the same, with a contract that lets nothing start.
SELECT answer ->> 'session_id' <> '' AS begun, answer #> '{capability_contract,executable}' AS executable, answer #> '{capability_contract,executable_reasons}' AS reasons FROM start_session('late', 'early') AS answer;
SELECT name, status FROM sessions WHERE project_id = 'late';
-- A budget cuts it like any other.
SELECT octet_length(generate_handoff('late', max_content_bytes => 400) ->> 'content') <= 400 AS within;

-- The shorter one wins, with its own error.
SET statement_timeout = '50ms';
SET meridian.generation_timeout = '1min';
SELECT generate_handoff('late') ->> 'mode' AS mode;
SET meridian.generation_timeout = 0;
SELECT generate_handoff('late') ->> 'mode' AS mode;
RESET statement_timeout;
RESET meridian.generation_timeout;

-- In time: the whole answer.
CREATE OR REPLACE VIEW public.late_view WITH (security_invoker) AS SELECT t.* FROM public.late_task AS t, pg_sleep(0);
SELECT generate_handoff('late') ->> 'mode' AS mode;
SELECT detach_board('late');
DROP VIEW public.late_view;
DROP TABLE public.late_task;
