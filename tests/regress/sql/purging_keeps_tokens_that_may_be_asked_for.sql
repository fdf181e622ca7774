-- A purge removes tokens that are past their retention, no more than the batch, and never a live one.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir /sql/include/helpers.psql
\set ECHO none
\i :helpers
\set ECHO all
SET search_path = meridian;

INSERT INTO projects (project_id, name) VALUES ('purge', 'Purge');
INSERT INTO handoff_tokens (token_digest, project_id, minted_at, expires_at, consumed_at)
SELECT sha256(convert_to(token, 'UTF8')), 'purge', clock_timestamp() - age - interval '5 minutes', clock_timestamp() - age, CASE WHEN spent THEN clock_timestamp() - age - interval '1 minute' END
FROM (VALUES ('live', interval '-5 minutes', false), ('live and spent', '-5 minutes', true), ('half an hour', '30 minutes', false), ('two hours', '2 hours', false), ('two hours, spent', '2 hours', true),
    ('23 hours', '23 hours', false), ('25 hours', '25 hours', false), ('25 hours, spent', '25 hours', true), ('a week', '7 days', false), ('a year', '365 days', true)) AS token (token, age, spent);
CREATE TEMPORARY VIEW kept AS
SELECT token FROM unnest('{live,live and spent,half an hour,two hours,"two hours, spent",23 hours,25 hours,"25 hours, spent",a week,a year}'::text[]) WITH ORDINALITY AS t (token, n)
WHERE EXISTS (SELECT FROM handoff_tokens WHERE token_digest = sha256(convert_to(token, 'UTF8'))) ORDER BY n;

-- A row that is still there answers by its state, however old.
SELECT token, verify_handoff_token('purge', token) ->> 'reason' AS reason FROM unnest('{live and spent,half an hour,"25 hours, spent",a week,a year}'::text[]) AS token;
SELECT purge_handoff_tokens(batch => 1);
SELECT string_agg(token, ' | ') AS kept FROM kept;
SELECT purge_handoff_tokens();
SELECT string_agg(token, ' | ') AS kept FROM kept;
SELECT purge_handoff_tokens();
SELECT verify_handoff_token('purge', 'a week') ->> 'reason' AS reason;
SET meridian.token_retention = '3h';
SELECT purge_handoff_tokens();
RESET meridian.token_retention;
SELECT string_agg(token, ' | ') AS kept FROM kept;
SELECT purge_handoff_tokens('1 hour');
SELECT string_agg(token, ' | ') AS kept FROM kept;
SELECT call, error.*
FROM (VALUES
    (1, $$SELECT purge_handoff_tokens('59 minutes')$$), (2, $$SELECT purge_handoff_tokens('0')$$), (3, $$SELECT purge_handoff_tokens('-1 day')$$),
    (4, $$SELECT purge_handoff_tokens(batch => 0)$$), (5, $$SELECT purge_handoff_tokens(batch => -1)$$)) AS refused (n, call), pg_temp.error_of(call) AS error
ORDER BY n \gx
-- Minting takes a few old ones along.
INSERT INTO handoff_tokens (token_digest, project_id, expires_at) SELECT sha256(convert_to('old ' || n, 'UTF8')), 'purge', clock_timestamp() - interval '8 days' FROM generate_series(1, 3) AS n;
SELECT length(mint_handoff_token('purge')) AS minted;
SELECT count(*) FROM handoff_tokens WHERE project_id = 'purge' AND expires_at < now() - interval '1 day';
