-- The SQL of examples/attach_csv, which see for the file's columns. Variables: project, tag ('' = all), table, view,
-- keep_dangling.
BEGIN;

-- As a cast to regclass reads it.
SELECT quote_ident(:'view') AS view_name \gset

CREATE TEMPORARY TABLE csv_row (
    line bigint GENERATED ALWAYS AS IDENTITY,
    tag text, id text, parent text, title text, description text, details text, status text, priority text, dependencies text
) ON COMMIT DROP;

\copy csv_row (tag, id, parent, title, description, details, status, priority, dependencies) FROM pstdin WITH (FORMAT csv, HEADER true, ENCODING 'UTF8')

-- The tracker's table: a line of the file is a row, and a column of the file is a column. The last four are what working
-- on a board writes and the file has no place for.
CREATE TABLE :"table" (
    line bigint PRIMARY KEY,
    tag text NOT NULL, id text, parent text, title text, description text, details text, status text, priority text, dependencies text,
    owner text, taken_at timestamptz, finished_at timestamptz, remark text
);
INSERT INTO :"table" (line, tag, id, parent, title, description, details, status, priority, dependencies)
SELECT line, coalesce(tag, ''), btrim(id), parent, title, description, details, status, priority, dependencies
FROM csv_row
WHERE :'tag' = '' OR tag = :'tag';
CREATE INDEX ON :"table" (tag, id);
ANALYZE :"table";

-- The same rows under the names that a board has. One table and no grouping, so PostgreSQL writes through it by itself;
-- the columns that a claim sets are bare ones.
CREATE VIEW :"view" WITH (security_invoker) AS
SELECT CASE WHEN :'tag' <> '' OR item.tag = '' THEN :'project' ELSE :'project' || '/' || item.tag END AS project_id,
       item.id || coalesce('#' || nullif(1 + (
           SELECT count(*) FROM :"table" AS earlier WHERE earlier.tag = item.tag AND earlier.id = item.id AND earlier.line < item.line
       ), 1), '') AS item_id,
       coalesce(nullif(btrim(item.title), ''), '(untitled)') AS title,
       nullif(concat_ws(E'\n\n', nullif(btrim(item.description), ''), nullif(btrim(item.details), '')), '') AS notes,
       item.status,
       CASE lower(btrim(item.priority)) WHEN 'critical' THEN 'urgent' WHEN 'medium' THEN 'normal' ELSE lower(btrim(item.priority)) END AS priority,
       nullif(item.tag, '') AS version,
       ARRAY(
           SELECT named.id
           FROM regexp_split_to_table(item.dependencies, '\s+') WITH ORDINALITY AS named (id, place)
           WHERE named.id <> ''
             AND (:keep_dangling OR EXISTS (SELECT FROM :"table" AS other WHERE other.tag = item.tag AND other.id = named.id))
           ORDER BY named.place
       ) AS depends_on,
       CASE lower(btrim(item.status)) WHEN 'deferred' THEN 'backburner' END AS track,
       nullif(btrim(item.parent), '') AS parent_id,
       -- The order of the file is the order of the board.
       timestamptz 'epoch' + item.line * interval '1 second' AS added_at,
       item.owner AS claimed_by, item.taken_at AS claimed_at, item.finished_at AS completed_at, item.remark AS completion_note
FROM :"table" AS item;

-- How the tracker's words are read, in whichever letters the file has them, and which one is written for each status.
-- A word that is not here stops the attaching below.
CREATE TEMPORARY TABLE status_word (theirs text PRIMARY KEY, ours text NOT NULL, written boolean NOT NULL) ON COMMIT DROP;
INSERT INTO status_word VALUES
    ('', 'pending', false), ('pending', 'pending', true), ('blocked', 'pending', false), ('deferred', 'pending', false), ('todo', 'todo', true),
    ('in-progress', 'in_progress', true), ('in_progress', 'in_progress', false),
    ('review', 'provisional_complete', true),
    ('done', 'done', true), ('completed', 'done', false), ('cancelled', 'skipped', true), ('failed', 'failed', true);

INSERT INTO meridian.projects (project_id, name)
SELECT DISTINCT board.project_id, board.project_id
FROM :"view" AS board
WHERE NOT EXISTS (SELECT FROM meridian.projects AS known WHERE known.project_id = board.project_id);

-- Reading every row once, so an id that no handoff could carry stops here, too. A view can have no history triggers.
CREATE TEMPORARY TABLE attached ON COMMIT DROP AS SELECT DISTINCT project_id FROM :"view";
SELECT count(meridian.attach_board(project_id, :'view_name'::regclass,
           status_map => (SELECT jsonb_object_agg(stored, ours)
                          FROM (SELECT status AS stored FROM :"table" WHERE status IS NOT NULL UNION SELECT theirs FROM status_word) AS words
                          JOIN status_word ON theirs = lower(btrim(stored))),
           status_write => (SELECT jsonb_object_agg(ours, theirs) FROM status_word WHERE written),
           track_history => false)) AS boards
FROM attached \gset

CREATE TEMPORARY TABLE listed ON COMMIT DROP AS
SELECT attached.project_id, item.*
FROM attached, meridian.get_sprint_items(attached.project_id, '{pending,todo,in_progress,provisional_complete,done,failed,skipped}') AS item;

SELECT format('%s: %s items (%s)', project_id, sum(items), string_agg(format('%s %s', items, status), ', ' ORDER BY status))
FROM (SELECT project_id, status, count(*) AS items FROM listed GROUP BY 1, 2) AS counted
GROUP BY project_id ORDER BY project_id;

-- What came out odd, only where there is something to say.
SELECT 'nothing was attached: the file has no row' || CASE WHEN :'tag' <> '' THEN ' of tag ' || :'tag' ELSE '' END
WHERE NOT EXISTS (SELECT FROM attached);

SELECT format('odd: %s item(s) repeat an id of their tag and go by one of their own: %s', count(*), string_agg(format('%s %s', project_id, item_id), ', ' ORDER BY project_id, item_id))
FROM listed WHERE item_id LIKE '%#%' HAVING count(*) > 0;

CREATE TEMPORARY TABLE named ON COMMIT DROP AS
SELECT item.line, item.tag, item.id, item.status, names.id AS depends_on, count(*) - 1 AS repeated,
       NOT EXISTS (SELECT FROM :"table" AS other WHERE other.tag = item.tag AND other.id = names.id) AS dangling
FROM :"table" AS item, regexp_split_to_table(item.dependencies, '\s+') AS names (id)
WHERE names.id <> ''
GROUP BY item.line, names.id;

SELECT format('odd: %s dependency(ies) on ids that the file lacks, %s: %s', count(*),
              CASE WHEN :keep_dangling THEN 'shown' ELSE 'left out by the view' END,
              string_agg(format('%s %s -> %s', tag, id, depends_on), ', ' ORDER BY line, depends_on))
FROM named WHERE dangling HAVING count(*) > 0;

SELECT format('odd: %s dependency(ies) named twice, counted once', sum(repeated)) FROM named HAVING sum(repeated) > 0;

SELECT format('odd: %s item(s) depend on themselves: %s', count(*), string_agg(format('%s %s', tag, id), ', ' ORDER BY line))
FROM named WHERE depends_on = id HAVING count(*) > 0;

SELECT format('odd: %s item(s) without a title', count(*)) FROM listed WHERE title = '(untitled)' HAVING count(*) > 0;

SELECT format('odd: %s item(s) name a parent that the file lacks', count(*))
FROM :"table" AS item
WHERE btrim(item.parent) <> '' AND NOT EXISTS (SELECT FROM :"table" AS parent WHERE parent.tag = item.tag AND parent.id = btrim(item.parent))
HAVING count(*) > 0;

COMMIT;
