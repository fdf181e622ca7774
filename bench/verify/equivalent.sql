-- What verify_handoff_token is measured against.

CREATE EXTENSION IF NOT EXISTS pgcrypto SCHEMA public;

-- Equal tables: the same columns, checks, indexes and fill factor.
CREATE TABLE bench.tokens (LIKE meridian.handoff_tokens INCLUDING ALL);
CREATE TABLE bench.events (LIKE meridian.events INCLUDING ALL);

-- The function that somebody would write in PL/pgSQL: the same door, row lock, order of reasons, body check with and
-- without the token's lines, event row and answer. It leaves out what makes the text of a hint and what protects it from
-- its caller's search path, so it has less to do.
CREATE FUNCTION bench.verify_token(project text, token text, body text DEFAULT NULL) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
    digest bytea := public.digest(token, 'sha256');
    stored bench.tokens;
    body_matches boolean;
    reason text;
    signal text;
    message text;
    next_step text := 'cross_check_live_board';
BEGIN
    PERFORM FROM meridian.projects p WHERE p.project_id = project;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'there is no project "%"', project;
    END IF;
    SELECT * INTO stored FROM bench.tokens t WHERE t.token_digest = digest FOR UPDATE;
    IF stored.body_hash IS NOT NULL AND body IS NOT NULL THEN
        body_matches := public.digest(body, 'sha256') = stored.body_hash
            OR public.digest(regexp_replace(body, '\n<goal_token>[^<]*</goal_token>\n<!-- SECURITY:.*?-->', ''), 'sha256')
                = stored.body_hash;
    END IF;
    reason := CASE
        WHEN coalesce(token, '') = '' THEN 'no_token'
        WHEN stored.token_digest IS NULL THEN 'not_found'
        WHEN stored.project_id <> project THEN 'wrong_project'
        WHEN stored.consumed_at IS NOT NULL THEN 'already_consumed'
        WHEN stored.superseded_at IS NOT NULL OR clock_timestamp() > stored.expires_at THEN 'expired'
        WHEN NOT body_matches THEN 'body_mismatch'
        ELSE 'ok'
    END;
    IF reason = 'ok' THEN
        UPDATE bench.tokens t SET consumed_at = clock_timestamp() WHERE t.token_digest = digest;
    END IF;
    INSERT INTO bench.events (project_id, event_type, actor, outcome)
        VALUES (project, 'token_verified', current_user, reason);
    CASE reason
        WHEN 'ok' THEN
            signal := 'verified'; message := 'The token was good and is spent now.';
        WHEN 'already_consumed', 'expired' THEN
            signal := 'sibling_likely_acted'; message := 'The token was used before, or its time has passed.';
        WHEN 'body_mismatch' THEN
            signal := 'body_tampered'; message := 'The text has been changed.'; next_step := 'load_handoff';
        WHEN 'no_token' THEN
            signal := 'unverified'; message := 'Nothing vouches for the text.'; next_step := 'load_handoff';
        ELSE
            signal := 'spoofing_suspected'; message := 'No such token for this project.'; next_step := 'load_handoff';
    END CASE;
    RETURN jsonb_strip_nulls(jsonb_build_object(
        'valid', reason = 'ok',
        'reason', reason,
        'body_checked', body_matches IS NOT NULL,
        'body_matches', body_matches,
        'recovery', jsonb_build_object('signal', signal, 'message', message, 'next_step', next_step,
            'next_step_hint', format('SELECT * FROM meridian.%s(%L);', next_step, project))));
END
$$;

-- A block of 8 kB, as a receiver hands it in.
CREATE FUNCTION bench.body() RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT '/goal' || repeat(E'\nLet the import tell which line it could not read, and go on.', 134)
        || repeat('.', 8192 - 5 - 134 * 61 - 25) || E'\n<!-- end of /goal -->' || E'\n\n\n'
$$;

-- Fresh tokens 0 … in both tables, and the logs empty, so that every run starts from the same state.
CREATE PROCEDURE bench.fill_tokens(number integer) LANGUAGE plpgsql AS $$
BEGIN
    TRUNCATE meridian.handoff_tokens, bench.tokens, meridian.events, bench.events;
    INSERT INTO meridian.handoff_tokens (token_digest, project_id, body_hash, expires_at)
        SELECT sha256(convert_to('bench-token-' || token, 'UTF8')), 'bench', sha256(convert_to(bench.body(), 'UTF8')),
               clock_timestamp() + interval '1 hour'
        FROM generate_series(0, number - 1) token;
    INSERT INTO bench.tokens SELECT * FROM meridian.handoff_tokens;
END
$$;

INSERT INTO meridian.projects (project_id, name) VALUES ('bench', 'Measured');
