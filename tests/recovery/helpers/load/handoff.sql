-- A planner and a receiver. The token is good once; only a newer generation for the same project may come in between.
-- Whatever is not as it should be divides by zero, which ends the client and fails the run.
\set project random(1, :projects)
SELECT h ->> 'content' AS content, substring(h ->> 'content' FROM '<goal_token>([A-Za-z0-9_-]{16})</goal_token>') AS token
FROM meridian.generate_handoff('p-' || :project, mode => 'goal') AS h \gset
SELECT 1 / (v ->> 'reason' = 'ok' OR v ->> 'reason' = 'expired' AND (v ->> 'superseded')::boolean)::integer AS fine
FROM meridian.verify_handoff_token('p-' || :project, :token, :content) AS v \gset
SELECT 1 / (v ->> 'reason' IN ('already_consumed', 'expired'))::integer AS fine
FROM meridian.verify_handoff_token('p-' || :project, :token, :content) AS v \gset
