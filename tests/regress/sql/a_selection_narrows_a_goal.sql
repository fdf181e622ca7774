-- Selected items and what they depend on; what is rejected, what is left out, and forced ids.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir /sql/include/helpers.psql
\set ECHO none
\i :helpers
\set ECHO all
SET search_path = meridian;

INSERT INTO projects (project_id, name) VALUES ('selection', 'Selection'), ('selection-other', 'Another');
INSERT INTO sprint_items (project_id, item_id, title, status, version, depends_on, claimed_by, milestone_type, track, added_at) VALUES
    ('selection', 'a',       'A',          'todo',        'v1', '{}',           NULL,      'task',  NULL,         '2024-01-01 00:00Z'),
    ('selection', 'b',       'B',          'pending',     'v1', '{a,finished}', NULL,      'task',  NULL,         '2024-01-02 00:00Z'),
    ('selection', 'c',       'C',          'todo',        'v1', '{b}',          NULL,      'task',  NULL,         '2024-01-03 00:00Z'),
    ('selection', 'd',       'D',          'todo',        'v1', '{c}',          NULL,      'task',  NULL,         '2024-01-04 00:00Z'),
    ('selection', 'free',    'Free',       'todo',        'v1', '{}',           NULL,      'task',  NULL,         '2024-01-05 00:00Z'),
    ('selection', 'human',   'Human',      'todo',        'v1', '{a}',          NULL,      'human', NULL,         '2024-01-06 00:00Z'),
    ('selection', 'parked',  'Parked',     'todo',        'v1', '{}',           NULL,      'task',  'backburner', '2024-01-07 00:00Z'),
    ('selection', 'v2',      'Version 2',  'todo',        'v2', '{}',           NULL,      'task',  NULL,         '2024-01-08 00:00Z'),
    ('selection', 'no-v',    'No version', 'todo',        NULL, '{}',           NULL,      'task',  NULL,         '2024-01-09 00:00Z'),
    ('selection', 'running', 'Running',    'in_progress', 'v1', '{}',           'someone', 'task',  NULL,         '2024-01-01 00:00Z'),
    ('selection', 'finished', 'Finished',  'done',        'v1', '{}',           NULL,      'task',  NULL,         '2024-01-01 00:00Z'),
    ('selection', 'maybe',   'Maybe',      'indeterminate', 'v1', '{}',         NULL,      'task',  NULL,         '2024-01-01 00:00Z'),
    ('selection-other', 'theirs', 'Theirs', 'todo',       'v1', '{}',           NULL,      'task',  NULL,         '2024-01-01 00:00Z');
CREATE FUNCTION pg_temp.stored(OUT tokens bigint, OUT handoffs bigint, OUT events bigint) LANGUAGE sql AS $$
    SELECT (SELECT count(*) FROM meridian.handoff_tokens WHERE project_id = 'selection'), (SELECT count(*) FROM meridian.handoffs WHERE project_id = 'selection'), (SELECT count(*) FROM meridian.events WHERE project_id = 'selection')
$$;

-- The closure is what the selected items need, as far as it is pending; the batch is that and no more.
SELECT generate_handoff('selection', 'goal', selected_item_ids => '{c,c}') AS response \gset
SELECT jsonb_pretty(:'response'::jsonb -> 'selected_scope') AS selected_scope, :'response'::jsonb -> 'item_counts' AS counts;
SELECT substring(:'response'::jsonb ->> 'content', '<executor_item_ids[^\n]*') AS ids, substring(:'response'::jsonb ->> 'content', '<selected_item_scope [^>]*>\n') AS scope_tag;
SELECT selected, scope ->> 'closure_hash' AS closure_hash, encode(sha256(convert_to(replace((scope -> 'closure_item_ids')::text, ', ', ','), 'UTF8')), 'hex') = scope ->> 'closure_hash' AS hash_of_the_sorted_ids
FROM (VALUES (1, '{a}'::text[]), (2, '{b}'), (3, '{b,a}')) AS given (n, selected), LATERAL (SELECT generate_handoff('selection', 'goal', selected_item_ids => selected) -> 'selected_scope' AS scope) AS s
ORDER BY n;
-- No ids are no selection.
SELECT selected, response -> 'selected_scope' AS selected_scope, response ->> 'content' LIKE '%<selected_item_scope%' AS tag
FROM (VALUES (1, '{}'::text[]), (2, NULL)) AS given (n, selected), LATERAL (SELECT generate_handoff('selection', 'goal', selected_item_ids => selected) AS response) AS r;
-- One that can be handed out is enough; the others say why not.
SELECT jsonb_pretty((generate_handoff('selection', 'goal', selected_item_ids => '{human,parked,free}') -> 'selected_scope') - 'closure_hash') AS selected_scope;

-- Forced ids: parked ones come along, the rest is rejected, which is no error.
SELECT response -> 'force_include_rejected' AS rejected, substring(response ->> 'content', '<executor_item_ids[^\n]*') AS ids
FROM (SELECT generate_handoff('selection', 'goal', version => 'v1', force_include_ids => '{parked,a,nowhere,theirs,v2,no-v,running,finished,human}') AS response) AS r \gx
SELECT response -> 'force_include_rejected' AS rejected, substring(response ->> 'content', '<executor_item_ids[^\n]*') AS ids
FROM (SELECT generate_handoff('selection', 'goal', version => 'v1') AS response) AS r \gx

-- A refusal writes nothing.
SELECT * FROM pg_temp.stored() \gset before_
SELECT call, error.code, error.message, jsonb_pretty(error.detail::jsonb) AS detail, error.hint
FROM (VALUES
    (1, $$SELECT generate_handoff('selection', 'goal', version => 'v1', selected_item_ids => '{finished,a,nowhere,theirs,v2,no-v,running,maybe,a}')$$),
    (2, $$SELECT generate_handoff('selection', 'goal', selected_item_ids => '{theirs}')$$),
    (3, $$SELECT generate_handoff('selection', 'goal', selected_item_ids => '{human,parked}')$$),
    (4, $$SELECT generate_handoff('selection', 'goal', selected_item_ids => '{""}')$$)) AS refused (n, call), pg_temp.error_of(call) AS error
ORDER BY n \gx
SELECT tokens - :before_tokens AS tokens, handoffs - :before_handoffs AS handoffs, events - :before_events AS events FROM pg_temp.stored();
