-- The tables that people write: a short row is enough, a value outside an enumeration is refused, and what a key may hold.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir /sql/include/helpers.psql
\set ECHO none
\i :helpers
\set ECHO all
SET search_path = meridian;

-- The columns without a default are enough; everything else comes from the defaults. Times are now, ids are made.
CREATE FUNCTION pg_temp.inserted(relation text, columns text, expressions text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
    answer jsonb;
BEGIN
    EXECUTE format('INSERT INTO meridian.%I AS t (%s) VALUES (%s) RETURNING to_jsonb(t)', relation, columns, expressions) INTO answer;
    RETURN (SELECT jsonb_object_agg(key, CASE WHEN value <> 'null' AND key ~ '_at$' THEN CASE WHEN (value #>> '{}')::timestamptz = now() THEN '"now"' ELSE value END
        WHEN value #>> '{}' ~ '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' THEN '"made"' WHEN key IN ('pointer_id', 'task_id') THEN '"made"' ELSE value END) FROM jsonb_each(answer));
END
$$;
SELECT relation, jsonb_pretty(pg_temp.inserted(relation, columns, expressions)) AS row
FROM (VALUES
    (1, 'projects', 'project_id, name', '''tables'', ''Tables'''),
    (2, 'sprint_items', 'project_id, title', '''tables'', ''An item'''),
    (3, 'sprint_item_pointers', 'project_id, item_id, targets', '''tables'', ''i'', ''[{"uri": "src/a.c"}]'''),
    (4, 'wave_gates', 'project_id, wave_start, actions', '''tables'', ''W1'', ''{deploy}'''),
    (5, 'decisions', 'project_id, title', '''tables'', ''A decision'''),
    (6, 'notes', 'project_id, title', '''tables'', ''A note'''),
    (7, 'tasks', 'project_id, description', '''tables'', ''A task'''),
    (8, 'hitl_gates', 'project_id, question', '''tables'', ''What?'''),
    (9, 'sprint_versions', 'project_id, version', '''tables'', ''v1'''),
    (10, 'workspace_decisions', 'title', '''A decision'''),
    (11, 'workspace_notes', 'title', '''A note'''),
    (12, 'workspace_settings', 'tenant_id', '''tables'''),
    (13, 'artifact_checks', 'project_id, path, check_name, status', '''tables'', ''a.docx'', ''opens'', ''passed''')) AS given (n, relation, columns, expressions)
ORDER BY n;
DELETE FROM workspace_decisions; DELETE FROM workspace_notes; DELETE FROM workspace_settings WHERE tenant_id = 'tables';

-- Every enumeration refuses what it doesn't hold, and takes what it does.
INSERT INTO sprint_items (project_id, item_id, title) VALUES ('tables', 'e', 'E');
INSERT INTO decisions (project_id, decision_id, title) VALUES ('tables', 'e', 'E');
INSERT INTO notes (project_id, note_id, title) VALUES ('tables', 'e', 'E');
INSERT INTO tasks (project_id, description) VALUES ('tables', 'e');
INSERT INTO hitl_gates (project_id, gate_id, question, answer, answered_at) VALUES ('tables', 'e', 'E', 'yes', now());
INSERT INTO workspace_decisions (decision_id, title) VALUES ('tables', 'E');
INSERT INTO workspace_notes (note_id, title) VALUES ('tables', 'E');
CREATE FUNCTION pg_temp.outcomes(relation text, "column" text, condition text, "values" text[]) RETURNS text LANGUAGE sql AS $$
    SELECT string_agg(format('%s: %s', value, error.code), ', ' ORDER BY n)
    FROM unnest("values") WITH ORDINALITY AS v (value, n), pg_temp.error_of(format('UPDATE meridian.%I SET %I = %L WHERE %s', relation, "column", value, condition)) AS error
$$;
SELECT relation, "column", pg_temp.outcomes(relation, "column", condition, "values" || '{other,""}') AS outcomes
FROM (VALUES
    (1, 'projects', 'execution_mode', $$project_id = 'tables'$$, '{interactive,autonomous}'::text[]),
    (2, 'sprint_items', 'status', $$project_id = 'tables' AND item_id = 'e'$$, '{pending,todo,in_progress,provisional_complete,indeterminate,done,failed,skipped,pushed}'),
    (3, 'sprint_items', 'priority', $$project_id = 'tables' AND item_id = 'e'$$, '{urgent,high,normal,low}'),
    (4, 'sprint_items', 'failure_mode', $$project_id = 'tables' AND item_id = 'e'$$, '{continue,stop}'),
    (5, 'sprint_items', 'milestone_type', $$project_id = 'tables' AND item_id = 'e'$$, '{task,milestone,human}'),
    (6, 'sprint_items', 'blocker_kind', $$project_id = 'tables' AND item_id = 'e'$$, '{manual,superseded,systemic_invalidated_run,NULL}'),
    (7, 'decisions', 'priority', $$project_id = 'tables'$$, '{urgent,low}'),
    (8, 'decisions', 'status', $$project_id = 'tables'$$, '{active,superseded}'),
    (18, 'notes', 'priority', $$project_id = 'tables'$$, '{urgent,low}'),
    (19, 'workspace_notes', 'status', $$note_id = 'tables'$$, '{active,superseded}'),
    (9, 'tasks', 'kind', $$project_id = 'tables'$$, '{progress,done,blocked,found}'),
    (10, 'hitl_gates', 'status', $$project_id = 'tables' AND gate_id = 'e'$$, '{open,answered,withdrawn}'),
    (11, 'hitl_gates', 'urgency', $$project_id = 'tables' AND gate_id = 'e'$$, '{urgent,normal}'),
    (12, 'workspace_decisions', 'status', $$decision_id = 'tables'$$, '{active,superseded}'),
    (13, 'artifact_checks', 'status', $$project_id = 'tables'$$, '{passed,failed,unavailable}'),
    (14, 'sprint_items', 'title', $$project_id = 'tables' AND item_id = 'e'$$, '{NULL}'),
    (15, 'projects', 'settings', $$project_id = 'tables'$$, '{"{}","[]"}'),
    (16, 'sprint_items', 'touches_resources', $$project_id = 'tables' AND item_id = 'e'$$, '{"[]","{}"}'),
    (17, 'sprint_items', 'depends_on', $$project_id = 'tables' AND item_id = 'e'$$, '{"{a,b}","{NULL}"}')) AS given (n, relation, "column", condition, "values")
ORDER BY n;

-- Ids of items: whatever would blur a list of them is refused.
SELECT shown, error.code, error.message LIKE '%sprint_items_item_id_check%' AS by_the_check
FROM (VALUES
    (1, 'i 1', 'i 1'), (2, 'ünï/č:#[]', 'ünï/č:#[]'), (3, '"<&>''-->', '"<&>''-->'), (4, '', '(empty)'), (5, ' ', '(space)'), (6, ' a', '(space) a'), (7, 'a ', 'a (space)'), (8, 'a,b', 'a,b'),
    (9, E'a\nb', 'a (line feed) b'), (10, E'a\tb', 'a (tab) b'), (11, E'a\u0001b', 'a (1) b'), (12, E'a\u007fb', 'a (delete) b'), (13, E'a\u0085b', 'a (next line) b'), (14, E'a\n', 'a (line feed)')) AS given (n, item_id, shown),
    pg_temp.error_of(format('INSERT INTO meridian.sprint_items (project_id, item_id, title) VALUES (%L, %L, %L)', 'tables', item_id, 'An id')) AS error
ORDER BY n;
-- Ids sort by code point, whatever the database does.
SELECT DISTINCT item_id FROM sprint_items WHERE project_id = 'tables' AND item_id ~ '^[iü"]' ORDER BY item_id;
SELECT code FROM pg_temp.error_of($$INSERT INTO sprint_items (project_id, item_id, title) VALUES ('tables', 'e', 'Twice')$$);

-- A wave gate: its end is its start unless given, its actions are known ones, and once passed it stays as it is.
INSERT INTO wave_gates (project_id, gate_id, wave_start, actions) VALUES ('tables', 'one', 'W1', '{push_dev,push_main,deploy,wait,run_verification}');
INSERT INTO wave_gates (project_id, gate_id, wave_start, wave_end, actions) VALUES ('tables', 'two', 'W1', 'W3', '{wait}');
SELECT gate_id, wave_start, wave_end, passed_at FROM wave_gates WHERE project_id = 'tables' AND gate_id IN ('one', 'two') ORDER BY gate_id;
UPDATE wave_gates SET actions = '{wait}', wave_end = 'W2' WHERE project_id = 'tables' AND gate_id = 'one';
SELECT error.code, statement
FROM (VALUES
    (1, $$INSERT INTO wave_gates (project_id, wave_start, actions) VALUES ('tables', 'W1', '{}')$$),
    (2, $$INSERT INTO wave_gates (project_id, wave_start, actions) VALUES ('tables', 'W1', '{deploy,dance}')$$),
    (3, $$INSERT INTO wave_gates (project_id, wave_start, wave_end, actions) VALUES ('tables', 'W1', '', '{wait}')$$),
    (4, $$INSERT INTO wave_gates (project_id, wave_start, actions) VALUES ('tables', '', '{wait}')$$),
    (5, $$INSERT INTO wave_gates (project_id, wave_start) VALUES ('tables', 'W1')$$),
    (6, $$INSERT INTO wave_gates (project_id, wave_start, actions) VALUES ('tables', 'W1', '{wait,NULL}')$$),
    (7, $$UPDATE wave_gates SET wave_end = NULL WHERE project_id = 'tables' AND gate_id = 'one'$$)) AS refused (n, statement), pg_temp.error_of(statement) AS error
ORDER BY n;
UPDATE wave_gates SET passed_at = '2024-01-01 00:00Z' WHERE project_id = 'tables' AND gate_id = 'one';
SELECT statement, error.*
FROM (VALUES
    (1, $$UPDATE wave_gates SET wave_end = 'W9' WHERE project_id = 'tables' AND gate_id = 'one'$$),
    (2, $$UPDATE wave_gates SET passed_at = NULL WHERE project_id = 'tables' AND gate_id = 'one'$$),
    (3, $$DELETE FROM wave_gates WHERE project_id = 'tables' AND gate_id = 'one'$$)) AS refused (n, statement), pg_temp.error_of(statement) AS error
ORDER BY n \gx
DELETE FROM wave_gates WHERE project_id = 'tables' AND gate_id = 'two';
SELECT gate_id, wave_end FROM wave_gates WHERE project_id = 'tables' AND gate_id IN ('one', 'two');

-- One row of workspace settings a tenant, and one for those without.
SELECT tenant, error.code FROM unnest('{x,x,NULL,NULL,""}'::text[]) AS tenant, pg_temp.error_of(format('INSERT INTO meridian.workspace_settings (tenant_id) VALUES (%L)', tenant)) AS error;
DELETE FROM workspace_settings; DELETE FROM workspace_decisions; DELETE FROM workspace_notes;
