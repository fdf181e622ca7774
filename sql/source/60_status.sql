-- For dashboards: what waits where, without a text. The view reads as whoever asks, so the row policies hold; readers and
-- pg_monitor have the columns that it counts and no other of the tables kept by the functions.
CREATE VIEW meridian.handoff_status WITH (security_invoker = true) AS
SELECT p.project_id,
       (SELECT pg_catalog.count(*) FROM meridian.handoff_tokens t
        WHERE t.project_id OPERATOR(pg_catalog.=) p.project_id AND t.consumed_at IS NULL AND t.superseded_at IS NULL
          AND t.expires_at OPERATOR(pg_catalog.>) pg_catalog.now()) AS open_tokens,
       g.handoff_id IS NOT NULL AS pending_goal,
       pg_catalog.now() OPERATOR(pg_catalog.-) g.created_at AS pending_goal_age,
       -- The items of an attached board lie elsewhere, under rights that readers of this view need not have.
       CASE WHEN NOT EXISTS (SELECT FROM meridian.board_sources b WHERE b.project_id OPERATOR(pg_catalog.=) p.project_id)
            THEN (SELECT coalesce(pg_catalog.jsonb_object_agg(s.status, s.items), '{}')
                  FROM (SELECT i.status, pg_catalog.count(*) AS items FROM meridian.sprint_items i
                        WHERE i.project_id OPERATOR(pg_catalog.=) p.project_id GROUP BY i.status) s)
       END AS items_by_status,
       (SELECT pg_catalog.count(*) FROM meridian.release_transactions r
        WHERE r.project_id OPERATOR(pg_catalog.=) p.project_id
          AND (r.state OPERATOR(pg_catalog.=) 'RECOVERY_REQUIRED'
               OR (r.state OPERATOR(pg_catalog.<>) ALL (ARRAY['RELEASED', 'ABORTED'])
                   AND r.updated_at OPERATOR(pg_catalog.<) (pg_catalog.now() OPERATOR(pg_catalog.-) '1 day'::pg_catalog.interval))))
           AS stuck_release_transactions,
       l.handed_off_at AS last_handoff,
       l.mode AS last_handoff_mode
FROM meridian.projects p
LEFT JOIN meridian.pending_goals g ON g.project_id OPERATOR(pg_catalog.=) p.project_id
LEFT JOIN LATERAL (
    SELECT h.mode, coalesce(h.amended_at, h.created_at) AS handed_off_at FROM meridian.handoffs h
    WHERE h.project_id OPERATOR(pg_catalog.=) p.project_id AND NOT h.checkpoint
    ORDER BY h.handoff_id DESC LIMIT 1) l ON true;
