-- The board revision: its golden values, what it covers, and the live board under it.
\getenv abs_srcdir PG_ABS_SRCDIR
\set helpers :abs_srcdir /sql/include/helpers.psql
\set ECHO none
\i :helpers
\set ECHO all
SET search_path = meridian;

SELECT board, compute_board_revision(items) AS revision, compute_board_revision(items) = expected AS as_published
FROM (VALUES
    (1, 'none', '[]'::jsonb, '4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945'),
    (2, 'one', '[{"id": "i1", "status": "todo"}]', '4349f4a8875b9e8ae9988299ac44fa907a3965de251228ef3ef08a129a2653e6'),
    (3, 'two', '[{"id": "i1", "status": "todo"}, {"id": "i2", "status": "todo", "depends_on": "i1"}]', 'acd57c4297df9d992ab0ce74b80d1456e306725cfacdbc73d7a6f50f8219e72c'),
    (4, 'two, the other way', '[{"id": "i2", "status": "todo", "depends_on": "i1"}, {"id": "i1", "status": "todo"}]', 'acd57c4297df9d992ab0ce74b80d1456e306725cfacdbc73d7a6f50f8219e72c'),
    (5, 'one claimed', '[{"id": "i1", "status": "in_progress"}, {"id": "i2", "status": "todo", "depends_on": "i1"}]', '898105db034142c89c6a4a03b251b4ad21c8638ca5364bbc22b6128d45b57fc3'),
    (6, 'one twice', '[{"id": "i1", "status": "todo"}, {"id": "i1", "status": "todo"}]', '317b22f43784aed68a35d75cd6804f3d8118551a8369a4ae7ff52fec70c01723'),
    (7, 'not ASCII', '[{"id": "é", "status": "pending"}]', '8f83f9ce7ab0750823bd074f9363d054fb68e15e896282b6f99a7caf2bc51e15'),
    (8, 'a fan-in', '[{"id": "j", "status": "pending", "depends_on": ["a", "b"]}]', '268f4ae631cf76a9210c25babc3fd82989d101470849a270e863d1008891149e'),
    (9, 'a fan-in, unsorted and doubled', '[{"id": "j", "status": "pending", "depends_on": ["b", "a", "b"]}]', '268f4ae631cf76a9210c25babc3fd82989d101470849a270e863d1008891149e'),
    (10, 'a fan-in as text', '[{"id": "j", "status": "pending", "depends_on": "[\"b\", \"a\"]"}]', '268f4ae631cf76a9210c25babc3fd82989d101470849a270e863d1008891149e'),
    (11, 'item_id for id', '[{"item_id": "i1", "status": "todo"}]', '4349f4a8875b9e8ae9988299ac44fa907a3965de251228ef3ef08a129a2653e6'),
    (12, 'one dependency as an array', '[{"id": "i1", "status": "todo", "depends_on": []}, {"id": "i2", "status": "todo", "depends_on": ["i1"]}]', 'acd57c4297df9d992ab0ce74b80d1456e306725cfacdbc73d7a6f50f8219e72c'),
    (13, 'no dependency as empty text', '[{"id": "i1", "status": "todo", "depends_on": ""}, {"id": "i2", "status": "todo", "depends_on": "i1", "title": "x"}]', 'acd57c4297df9d992ab0ce74b80d1456e306725cfacdbc73d7a6f50f8219e72c'),
    (14, 'null', '[{"id": "i1", "status": "todo", "depends_on": null}]', '4349f4a8875b9e8ae9988299ac44fa907a3965de251228ef3ef08a129a2653e6')
) AS vector (n, board, items, expected) ORDER BY n;
-- The pre-image, spelled out.
SELECT encode(sha256('[["i1","in_progress",""],["i2","todo","i1"]]'), 'hex');
SELECT encode(sha256(convert_to('[["j","pending","[\"a\",\"b\"]"]]', 'UTF8')), 'hex');

SELECT verify_board_revision('[{"id": "i1", "status": "todo"}]', '4349f4a8875b9e8ae9988299ac44fa907a3965de251228ef3ef08a129a2653e6') AS same,
       verify_board_revision('[{"id": "i1", "status": "done"}]', '4349f4a8875b9e8ae9988299ac44fa907a3965de251228ef3ef08a129a2653e6') AS other_status,
       verify_board_revision('[]', 'no revision') AS no_revision;

-- The live board is every item of the project, whatever its status, or those of one version.
INSERT INTO projects (project_id, name) VALUES ('revision', 'Revision'), ('revision-empty', 'Empty');
SELECT board_revision('revision-empty');
INSERT INTO sprint_items (project_id, item_id, title, status, version, depends_on) VALUES
    ('revision', 'i2', 'Two', 'todo', 'v1', '{i1}'), ('revision', 'i1', 'One', 'todo', 'v1', '{}');
SELECT board_revision('revision') = 'acd57c4297df9d992ab0ce74b80d1456e306725cfacdbc73d7a6f50f8219e72c' AS two;
INSERT INTO sprint_items (project_id, item_id, title, status, version, depends_on) VALUES
    ('revision', 'Z', 'Done', 'done', NULL, '{}'), ('revision', 'é', 'Skipped', 'skipped', 'v2', '{i2,i1,i2}');
SELECT board_revision('revision') = compute_board_revision(jsonb_agg(to_jsonb(i))) AS as_computed,
       board_revision('revision') <> board_revision('revision', 'v1') AS wider_than_a_version
FROM sprint_items i WHERE project_id = 'revision';
SELECT board_revision('revision', 'v1') = 'acd57c4297df9d992ab0ce74b80d1456e306725cfacdbc73d7a6f50f8219e72c' AS two;
SELECT board_revision('revision', 'no such version');

SELECT board_revision('revision') AS before \gset
UPDATE sprint_items SET title = 'Renamed', notes = 'More', priority = 'urgent', wave = 'W1', touches_resources = '["file:a"]', prospect_bypass = true WHERE project_id = 'revision';
SELECT verify_live_board('revision', :'before') AS unchanged;
BEGIN;
UPDATE sprint_items SET depends_on = '{i1,i2}' WHERE project_id = 'revision' AND item_id = 'é';
SELECT verify_live_board('revision', :'before') AS same_dependencies;
UPDATE sprint_items SET depends_on = '{i1}' WHERE project_id = 'revision' AND item_id = 'é';
SELECT verify_live_board('revision', :'before') AS another_dependency;
ROLLBACK;
BEGIN;
DELETE FROM sprint_items WHERE project_id = 'revision' AND item_id = 'Z';
SELECT verify_live_board('revision', :'before') AS one_less;
ROLLBACK;
SELECT claim_sprint_item('revision', 'i1') ->> 'claimed' AS claimed;
SELECT verify_live_board('revision', :'before') AS after_a_claim,
       verify_live_board('revision', '898105db034142c89c6a4a03b251b4ad21c8638ca5364bbc22b6128d45b57fc3', 'v1') AS one_claimed;

SELECT call, error.*
FROM (VALUES
    (1, $$SELECT compute_board_revision('{}')$$),
    (2, $$SELECT compute_board_revision('[1]')$$),
    (3, $$SELECT compute_board_revision('[{"id": "a"}, {"id": {}, "status": "todo"}]')$$),
    (4, $$SELECT compute_board_revision('[{"id": "a", "depends_on": [true]}]')$$),
    (5, $$SELECT verify_board_revision('"text"', '')$$),
    (6, $$SELECT board_revision('nowhere')$$),
    (7, $$SELECT verify_live_board('nowhere', '')$$)) AS refused (n, call), pg_temp.error_of(call) AS error
ORDER BY n \gx
