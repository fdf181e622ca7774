-- Whoever sees a project's row sees what belongs to it, and nobody else does. The policies ask meridian.projects with the
-- reader's own rights, so a policy that somebody puts there is the boundary between tenants; without one every project is
-- visible to whoever may read the table. The owner is exempt, and with it what the functions do inside their guard.
--
-- meridian.projects has no policy of ours: a permissive one would let through what a policy of the user's keeps back.

ALTER TABLE meridian.sprint_items ENABLE ROW LEVEL SECURITY;
ALTER TABLE meridian.sprint_item_pointers ENABLE ROW LEVEL SECURITY;
ALTER TABLE meridian.wave_gates ENABLE ROW LEVEL SECURITY;
ALTER TABLE meridian.decisions ENABLE ROW LEVEL SECURITY;
ALTER TABLE meridian.notes ENABLE ROW LEVEL SECURITY;
ALTER TABLE meridian.tasks ENABLE ROW LEVEL SECURITY;
ALTER TABLE meridian.hitl_gates ENABLE ROW LEVEL SECURITY;
ALTER TABLE meridian.sprint_versions ENABLE ROW LEVEL SECURITY;
ALTER TABLE meridian.workspace_decisions ENABLE ROW LEVEL SECURITY;
ALTER TABLE meridian.workspace_notes ENABLE ROW LEVEL SECURITY;
ALTER TABLE meridian.workspace_settings ENABLE ROW LEVEL SECURITY;
ALTER TABLE meridian.artifact_checks ENABLE ROW LEVEL SECURITY;
ALTER TABLE meridian.sessions ENABLE ROW LEVEL SECURITY;
ALTER TABLE meridian.handoff_tokens ENABLE ROW LEVEL SECURITY;
ALTER TABLE meridian.handoffs ENABLE ROW LEVEL SECURITY;
ALTER TABLE meridian.pending_goals ENABLE ROW LEVEL SECURITY;
ALTER TABLE meridian.events ENABLE ROW LEVEL SECURITY;
ALTER TABLE meridian.sprint_item_history ENABLE ROW LEVEL SECURITY;
ALTER TABLE meridian.board_sources ENABLE ROW LEVEL SECURITY;
ALTER TABLE meridian.capability_manifests ENABLE ROW LEVEL SECURITY;
ALTER TABLE meridian.capability_availability ENABLE ROW LEVEL SECURITY;
ALTER TABLE meridian.release_transactions ENABLE ROW LEVEL SECURITY;
ALTER TABLE meridian.release_transaction_states ENABLE ROW LEVEL SECURITY;
ALTER TABLE meridian.packets ENABLE ROW LEVEL SECURITY;

-- pg_dump leaves policies on the tables of an extension to its script, these as well as a user's on meridian.projects.
DO $policies$
DECLARE
    relation pg_catalog.name;
BEGIN
    FOREACH relation IN ARRAY ARRAY['sprint_items', 'sprint_item_pointers', 'wave_gates', 'decisions', 'notes', 'tasks',
        'hitl_gates', 'sprint_versions', 'artifact_checks', 'sessions', 'handoff_tokens', 'handoffs', 'pending_goals',
        'events', 'sprint_item_history', 'board_sources', 'capability_manifests', 'capability_availability',
        'release_transactions', 'release_transaction_states']
    LOOP
        EXECUTE pg_catalog.format('CREATE POLICY visible_project ON meridian.%1$I USING (EXISTS (
            SELECT FROM meridian.projects p WHERE p.project_id OPERATOR(pg_catalog.=) %1$I.project_id))', relation);
    END LOOP;
    -- A packet may belong to no project.
    CREATE POLICY visible_project ON meridian.packets USING (project_id IS NULL OR EXISTS (
        SELECT FROM meridian.projects p WHERE p.project_id OPERATOR(pg_catalog.=) packets.project_id));
    FOREACH relation IN ARRAY ARRAY['workspace_decisions', 'workspace_notes', 'workspace_settings']
    LOOP
        EXECUTE pg_catalog.format('CREATE POLICY visible_tenant ON meridian.%1$I USING (EXISTS (
            SELECT FROM meridian.projects p
            WHERE p.tenant_id OPERATOR(pg_catalog.=) %1$I.tenant_id OR (p.tenant_id IS NULL AND %1$I.tenant_id IS NULL)))', relation);
    END LOOP;
END
$policies$;
