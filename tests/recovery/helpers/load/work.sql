-- An executor: a session, three items claimed, two completed and one given back. A board that is used up starts anew.
\set project random(1, :projects)
SELECT s ->> 'session_id' AS session FROM meridian.start_session('p-' || :project, 'load', 'executor') AS s \gset
SELECT (c ->> 'claimed')::boolean::integer AS claimed, coalesce(c -> 'item' ->> 'item_id', '-') AS item
FROM meridian.claim_next_sprint_item('p-' || :project, :session) AS c \gset
\if :claimed = 1
SELECT 1 / (r ->> 'released')::boolean::integer AS fine FROM meridian.release_sprint_item('p-' || :project, :item, :session) AS r \gset
SELECT (c ->> 'claimed')::boolean::integer AS claimed, coalesce(c -> 'item' ->> 'item_id', '-') AS item
FROM meridian.claim_next_sprint_item('p-' || :project, :session) AS c \gset
\endif
\if :claimed = 1
SELECT 1 / (c ->> 'completed')::boolean::integer AS fine FROM meridian.complete_sprint_item('p-' || :project, :item, :session) AS c \gset
\else
UPDATE meridian.sprint_items SET status = 'todo', claimed_by = NULL, claimed_at = NULL, completed_at = NULL
WHERE project_id = 'p-' || :project AND status = 'done';
\endif
SELECT 1 / meridian.end_session(:session)::integer AS fine \gset
