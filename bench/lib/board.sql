-- Boards to measure on: the same ones in every run.

-- A project of items `item-1` … as planners write them: a sentence of title, a paragraph of notes, for every third one a
-- predecessor, for every fifth one a resource and where it is. Written without history, which is measured on its own.
CREATE PROCEDURE bench.fill_board(project text, items integer) LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO meridian.projects (project_id, name) VALUES (project, project);
    ALTER TABLE meridian.sprint_items DISABLE TRIGGER USER;
    INSERT INTO meridian.sprint_items
        (project_id, item_id, title, notes, status, priority, depends_on, item_group, touches_resources, added_at)
    SELECT project,
           'item-' || number,
           'Let step ' || number || ' of the import tell which line it could not read',
           repeat('The operator sees the file and the line, and what was expected there. ', 3),
           'pending',
           (ARRAY['urgent', 'high', 'normal', 'low'])[1 + number % 4],
           CASE WHEN number % 3 = 0 THEN ARRAY['item-' || number - 1] ELSE '{}' END,
           (ARRAY['feature', 'bugfix', 'test'])[1 + number % 3],
           CASE WHEN number % 5 = 0 THEN '["file:src/import.rs"]'::jsonb ELSE '[]' END,
           timestamptz '2025-01-01 00:00Z' + number * interval '1 minute'
    FROM generate_series(1, items) number;
    ALTER TABLE meridian.sprint_items ENABLE TRIGGER USER;
    INSERT INTO meridian.sprint_item_pointers (project_id, item_id, targets, label, target_resolved)
    SELECT project, 'item-' || number,
           '[{"uri": "src/import.rs", "selector": "fn read_line", "target_kind": "symbol"}]', 'the reader', true
    FROM generate_series(5, items, 5) number;
END
$$;
