-- The SQL of examples/load_csv, which see for the file's columns. Variables: project, tag ('' = all), keep_dangling.
BEGIN;

CREATE TEMPORARY TABLE csv_row (
    line bigint GENERATED ALWAYS AS IDENTITY,
    tag text, id text, parent text, title text, description text, details text, status text, priority text, dependencies text
) ON COMMIT DROP;

\copy csv_row (tag, id, parent, title, description, details, status, priority, dependencies) FROM pstdin WITH (FORMAT csv, HEADER true, ENCODING 'UTF8')

-- How the file's words are read. A word that is in neither list stops the load below.
CREATE TEMPORARY TABLE status_word (theirs text PRIMARY KEY, ours text NOT NULL, track text) ON COMMIT DROP;
INSERT INTO status_word VALUES
    ('', 'todo', NULL), ('todo', 'todo', NULL), ('pending', 'pending', NULL), ('blocked', 'pending', NULL),
    ('deferred', 'pending', 'backburner'),
    ('in-progress', 'in_progress', NULL), ('in_progress', 'in_progress', NULL),
    ('review', 'provisional_complete', NULL),
    ('done', 'done', NULL), ('completed', 'done', NULL), ('cancelled', 'skipped', NULL), ('failed', 'failed', NULL);

CREATE TEMPORARY TABLE priority_word (theirs text PRIMARY KEY, ours text NOT NULL) ON COMMIT DROP;
INSERT INTO priority_word VALUES
    ('', 'normal'), ('critical', 'urgent'), ('urgent', 'urgent'), ('high', 'high'), ('medium', 'normal'), ('normal', 'normal'), ('low', 'low');

-- One row an item, trimmed, in its project. Trackers repeat ids: the second item of an id becomes ID#2, and so on, so
-- that none is lost; a dependency on that id means the first.
CREATE TEMPORARY TABLE loaded ON COMMIT DROP AS
SELECT *, CASE WHEN turn = 1 THEN given_id ELSE given_id || '#' || turn END AS item_id
FROM (
    SELECT *, row_number() OVER (PARTITION BY project_id, given_id ORDER BY line) AS turn
    FROM (
        SELECT line,
               CASE WHEN :'tag' <> '' OR coalesce(tag, '') = '' THEN :'project' ELSE :'project' || '/' || tag END AS project_id,
               btrim(id) AS given_id,
               nullif(tag, '') AS version,
               nullif(btrim(parent), '') AS parent_id,
               coalesce(nullif(btrim(title), ''), '(untitled)') AS title,
               nullif(concat_ws(E'\n\n', nullif(btrim(description), ''), nullif(btrim(details), '')), '') AS notes,
               lower(btrim(coalesce(status, ''))) AS status_word,
               lower(btrim(coalesce(priority, ''))) AS priority_word,
               array_remove(regexp_split_to_array(btrim(coalesce(dependencies, '')), '\s+'), '') AS dependencies
        FROM csv_row
        WHERE :'tag' = '' OR tag = :'tag'
    ) AS trimmed
) AS numbered;

-- A dependency: its place in the list, whether it was named before, and whether the item that it names exists.
CREATE TEMPORARY TABLE dependency ON COMMIT DROP AS
SELECT project_id, item_id, names.id AS depends_on, min(names.place) AS place,
       count(*) - 1 AS repeated,
       names.id = item_id AS on_itself,
       NOT EXISTS (SELECT FROM loaded AS target WHERE target.project_id = loaded.project_id AND target.item_id = names.id) AS dangling
FROM loaded, unnest(dependencies) WITH ORDINALITY AS names (id, place)
GROUP BY project_id, item_id, names.id;

INSERT INTO meridian.projects (project_id, name)
SELECT DISTINCT loaded.project_id, loaded.project_id
FROM loaded
WHERE NOT EXISTS (SELECT FROM meridian.projects AS known WHERE known.project_id = loaded.project_id);

-- The order of the file is the order of the board: added_at grows by a microsecond a line.
INSERT INTO meridian.sprint_items
    (project_id, item_id, title, notes, status, priority, version, depends_on, track, parent_id, added_at, completed_at)
SELECT loaded.project_id, loaded.item_id, loaded.title, loaded.notes,
       coalesce(status_word.ours, loaded.status_word), coalesce(priority_word.ours, loaded.priority_word),
       loaded.version, coalesce(kept.ids, '{}'), status_word.track, loaded.parent_id,
       now() + loaded.line * interval '1 microsecond',
       CASE WHEN status_word.ours IN ('done', 'skipped', 'failed') THEN now() END
FROM loaded
LEFT JOIN status_word ON status_word.theirs = loaded.status_word
LEFT JOIN priority_word ON priority_word.theirs = loaded.priority_word
LEFT JOIN LATERAL (
    SELECT array_agg(depends_on ORDER BY place) AS ids
    FROM dependency
    WHERE dependency.project_id = loaded.project_id AND dependency.item_id = loaded.item_id
      AND (:keep_dangling OR NOT dangling)
) AS kept ON true;

SELECT format('%s: %s items (%s)', project_id, sum(items), string_agg(format('%s %s', items, status), ', ' ORDER BY status))
FROM (SELECT item.project_id, item.status, count(*) AS items
      FROM meridian.sprint_items AS item JOIN loaded USING (project_id, item_id) GROUP BY 1, 2) AS counted
GROUP BY project_id ORDER BY project_id;

-- What came out odd, only where there is something to say.
SELECT 'nothing was loaded: the file has no row' || CASE WHEN :'tag' <> '' THEN ' of tag ' || :'tag' ELSE '' END
WHERE NOT EXISTS (SELECT FROM loaded);

SELECT format('odd: %s item(s) repeat an id of their tag and got one of their own: %s', count(*), string_agg(item_id, ', ' ORDER BY line))
FROM loaded WHERE turn > 1 HAVING count(*) > 0;

SELECT format('odd: %s dependency(ies) on ids that the file lacks, %s: %s', count(*),
              CASE WHEN :keep_dangling THEN 'kept' ELSE 'dropped' END,
              string_agg(format('%s %s -> %s', project_id, item_id, depends_on), ', ' ORDER BY project_id, item_id, place))
FROM dependency WHERE dangling HAVING count(*) > 0;

SELECT format('odd: %s dependency(ies) named twice, kept once', sum(repeated)) FROM dependency HAVING sum(repeated) > 0;

SELECT format('odd: %s item(s) depend on themselves: %s', count(*), string_agg(format('%s %s', project_id, item_id), ', '))
FROM dependency WHERE on_itself HAVING count(*) > 0;

SELECT format('odd: %s item(s) without a title', count(*)) FROM loaded WHERE title = '(untitled)' HAVING count(*) > 0;

SELECT format('odd: %s item(s) name a parent that the file lacks', count(*))
FROM loaded WHERE parent_id IS NOT NULL
  AND NOT EXISTS (SELECT FROM loaded AS parent WHERE parent.project_id = loaded.project_id AND parent.item_id = loaded.parent_id)
HAVING count(*) > 0;

COMMIT;
