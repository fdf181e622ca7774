-- Start of the work in one transaction at the highest level, on few projects: it succeeds or ends in 40001, to be retried.
\set project random(1, 20)
BEGIN ISOLATION LEVEL SERIALIZABLE;
SELECT h ->> 'content' AS content, substring(h ->> 'content' FROM '<goal_token>([A-Za-z0-9_-]{16})</goal_token>') AS token
FROM meridian.generate_handoff('p-' || :project, mode => 'goal') AS h \gset
SELECT 1 / (v ->> 'reason' = 'ok')::integer AS fine FROM meridian.verify_handoff_token('p-' || :project, :token, :content) AS v \gset
SELECT 1 / (c ->> 'claimed' = 'true' OR c ->> 'error' = 'NOTHING_CLAIMABLE')::integer AS fine FROM meridian.claim_next_sprint_item('p-' || :project) AS c \gset
COMMIT;
