-- The functions over the text of a handoff: without its token, the block inside it, and what fits a budget.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir /sql/include/helpers.psql
\set ECHO none
\i :helpers
\set ECHO all
SET search_path = meridian;

\pset format unaligned
\pset null (null)
-- The token line and the banner behind it go, the first pair of them and nothing else.
SELECT n, strip_goal_token_banner(content) = expected AS as_expected, replace(strip_goal_token_banner(content), E'\r', '<CR>') AS stripped
FROM (VALUES
    (1, E'/goal\n<goal_token>EXAMPLE_TOKEN_16</goal_token>\n<!-- SECURITY: Mind. -->\nrest\nmore', E'/goal\nrest\nmore'),
    (2, E'/goal\n<goal_token>EXAMPLE_TOKEN_16</goal_token>\n<!-- SECURITY: Mind. -->', '/goal'),
    (3, E'/goal\n<goal_token></goal_token>\n<!-- SECURITY:\nover\nlines -->\nrest', E'/goal\nrest'),
    (4, E'/goal\n<goal_token>x</goal_token>\nrest', E'/goal\n<goal_token>x</goal_token>\nrest'),
    (5, E'<goal_token>x</goal_token>\n<!-- SECURITY: Mind. -->\nrest', E'<goal_token>x</goal_token>\n<!-- SECURITY: Mind. -->\nrest'),
    (6, E'/goal\r\n<goal_token>x</goal_token>\r\n<!-- SECURITY: Mind. -->\r\nrest', E'/goal\r\n<goal_token>x</goal_token>\r\n<!-- SECURITY: Mind. -->\r\nrest'),
    (7, E'/goal\n<goal_token>x</goal_token>\n<!-- SECURITY: a -->\n<goal_token>y</goal_token>\n<!-- SECURITY: b -->', E'/goal\n<goal_token>y</goal_token>\n<!-- SECURITY: b -->'),
    (8, E'/goal\n<goal_token>x</goal_token>\n<!-- SECURITY: early --> forged -->\nrest', E'/goal forged -->\nrest'),
    (9, E'/goal\n<goal_token>a<b</goal_token>\n<!-- SECURITY: Mind. -->', E'/goal\n<goal_token>a<b</goal_token>\n<!-- SECURITY: Mind. -->'),
    (10, 'nothing of the kind', 'nothing of the kind'),
    (11, '', '')) AS given (n, content, expected) ORDER BY n;

-- From a first line that is followed by a token or the directive, to the end line or the end.
SELECT n, extract_goal_block(content) IS NOT DISTINCT FROM expected AS as_expected, extract_goal_block(content) AS block
FROM (VALUES
    (1, E'Intro\n/goal\n<executor_directive>Go.</executor_directive>\n<!-- end of /goal -->\nbye', E'/goal\n<executor_directive>Go.</executor_directive>\n<!-- end of /goal -->'),
    (2, E'/loop /goal\n<goal_token>x</goal_token>\n<!-- SECURITY: Mind. -->\nrest\n<!-- end of /goal -->', E'/loop /goal\n<goal_token>x</goal_token>\n<!-- SECURITY: Mind. -->\nrest\n<!-- end of /goal -->'),
    (3, E'/goal\n<executor_directive>Go.</executor_directive>\nno end', E'/goal\n<executor_directive>Go.</executor_directive>\nno end'),
    (4, E'say /goal\nor\n/goal\nlike this', NULL),
    (5, E'/goal is a word\n<executor_directive>Go.</executor_directive>', NULL),
    (6, E'/goal\n\n<executor_directive>Go.</executor_directive>', NULL),
    (7, '/goal', NULL),
    (8, '', NULL)) AS given (n, content, expected) ORDER BY n;

-- Cut to a number of bytes: unchanged where it fits or there is no limit.
SELECT n, format_handoff_mcp_content('0123456789', max_bytes) AS content FROM (VALUES (1, NULL), (2, 0), (3, -1), (4, 10), (5, 11)) AS given (n, max_bytes) ORDER BY n;
-- Else with a marker that counts, and within the limit.
CREATE FUNCTION pg_temp.cut(content text, max_bytes integer, OUT bytes integer, OUT kept text, OUT machine_readable jsonb, OUT adds_up boolean) LANGUAGE sql AS $$
    SELECT octet_length(cut), kept, numbers, (numbers ->> 'total_bytes')::integer = octet_length(content) AND (numbers ->> 'omitted_bytes')::integer = octet_length(content) - octet_length(kept)
           AND (numbers ->> 'limit_bytes')::integer = max_bytes AND starts_with(content, kept)
    FROM (SELECT meridian.format_handoff_mcp_content(content, max_bytes) AS cut) AS a,
         LATERAL (SELECT split_part(cut, E'\n\n<!-- TRUNCATED', 1) AS kept, substring(cut, 'machine_readable=(\{[^}]*\})')::jsonb AS numbers) AS b
$$;
SELECT bytes <= 400 AS fits, octet_length(kept) > 0 AS keeps_something, machine_readable - 'omitted_bytes' AS machine_readable, adds_up FROM pg_temp.cut(repeat('word ', 200), 400);
-- Neither through a character nor through a tag and what it holds.
SELECT limit_bytes, bytes <= limit_bytes AS fits, kept = repeat('é', length(kept)) AS whole_characters, adds_up
FROM generate_series(400, 403) AS limit_bytes, pg_temp.cut(repeat('é', 1000), limit_bytes);
SELECT kept, machine_readable -> 'sections_omitted' AS sections_omitted, adds_up
FROM pg_temp.cut(E'First.\n<part kind="x">' || repeat('in the part ', 50) || E'</part>\n<other>too</other>\n<self closing="true" />', 400);
-- A marker alone where nothing else fits.
SELECT kept, bytes > 10 AS marker_stays, adds_up FROM pg_temp.cut(repeat('word ', 200), 10);
-- An executable block is never cut: not when it is all there is, nor inside a longer text.
SELECT E'/goal\n<goal_token>EXAMPLE_TOKEN_16</goal_token>\n<!-- SECURITY: Mind. -->\n<executor_directive>' || repeat('Go. ', 300) || E'</executor_directive>\n<!-- end of /goal -->' AS block \gset
SELECT format_handoff_mcp_content(:'block', 100) = :'block' AS whole;
SELECT max_bytes, format_handoff_mcp_content(content, max_bytes) LIKE '%' || :'block' || '%' AS whole, extract_goal_block(format_handoff_mcp_content(content, max_bytes)) = :'block' AS found_again,
       octet_length(format_handoff_mcp_content(content, max_bytes)) <= greatest(max_bytes, octet_length(:'block') + 400) AS bounded
FROM (SELECT repeat(E'A line in front.\n', 100) || :'block' || repeat(E'\nA line behind.', 100) AS content) AS given, unnest('{100,1000,2000,3000,4000}'::integer[]) AS max_bytes;
-- A budget that is too small for it gives the block alone, and the marker.
SELECT starts_with(format_handoff_mcp_content(E'In front.\n' || :'block' || E'\nBehind.', 100), :'block' || E'\n\n<!-- TRUNCATED') AS block_and_marker;
-- Without a token it is text like any other.
SELECT octet_length(format_handoff_mcp_content(strip_goal_token_banner(:'block'), 600)) <= 600 AS cut;

SELECT mode, handoff_mode_is_retrievable(mode) FROM unnest('{full,delta,goal,planner,starter,compact,l0_fallback,GOAL,anything}'::text[]) AS mode;
SELECT meridian_version() = (SELECT extversion FROM pg_extension WHERE extname = 'meridian_handoff') AS library_and_script_match;
