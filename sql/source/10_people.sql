-- Tables that people write with plain SQL. Every key starts with project_id; keys are COLLATE "C", so sorting and
-- hashing by them means the same in every database. No foreign keys: a parallel restore loads tables in any order.
-- Functions and operators are qualified, since the schema itself is on the path while this script runs, and whoever owns
-- it could put a better match for a polymorphic one there.

CREATE TABLE meridian.projects (
    project_id text COLLATE "C" PRIMARY KEY CHECK (project_id OPERATOR(pg_catalog.<>) ''),
    name text NOT NULL,
    tenant_id text,
    north_star text,
    version_goal text,
    sprint_focus text,
    sprint_focus_updated_at timestamptz,
    execution_mode text NOT NULL DEFAULT 'autonomous' CHECK (execution_mode OPERATOR(pg_catalog.=) ANY (ARRAY['autonomous', 'interactive'])),
    agent_instructions text,
    settings jsonb NOT NULL DEFAULT '{}' CHECK (pg_catalog.jsonb_typeof(settings) OPERATOR(pg_catalog.=) 'object'),
    created_at timestamptz NOT NULL DEFAULT pg_catalog.now()
);

CREATE TABLE meridian.sprint_items (
    project_id text COLLATE "C" NOT NULL,
    -- Ids stand comma-separated in a handoff and between attribute quotes: what would blur them is refused here.
    item_id text COLLATE "C" NOT NULL DEFAULT pg_catalog.gen_random_uuid()::pg_catalog.text
        CONSTRAINT sprint_items_item_id_check
        CHECK (item_id OPERATOR(pg_catalog.<>) '' AND item_id OPERATOR(pg_catalog.!~) '[,\u0001-\u001f\u007f-\u009f\u2028\u2029\ufffe\uffff]' AND item_id OPERATOR(pg_catalog.!~) '^[\s\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]|[\s\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]$'),
    title text NOT NULL,
    notes text,
    status text NOT NULL DEFAULT 'todo' CHECK (status OPERATOR(pg_catalog.=) ANY (ARRAY['pending', 'todo', 'in_progress', 'provisional_complete',
        'indeterminate', 'done', 'failed', 'skipped', 'pushed'])),
    priority text NOT NULL DEFAULT 'normal' CHECK (priority OPERATOR(pg_catalog.=) ANY (ARRAY['urgent', 'high', 'normal', 'low'])),
    version text,
    depends_on text[] NOT NULL DEFAULT '{}' CHECK (pg_catalog.array_position(depends_on, NULL) IS NULL),
    failure_mode text NOT NULL DEFAULT 'continue' CHECK (failure_mode OPERATOR(pg_catalog.=) ANY (ARRAY['continue', 'stop'])),
    item_group text,
    milestone_type text NOT NULL DEFAULT 'task' CHECK (milestone_type OPERATOR(pg_catalog.=) ANY (ARRAY['task', 'milestone', 'human'])),
    human_id text,
    blocker_kind text CHECK (blocker_kind OPERATOR(pg_catalog.=) ANY (ARRAY['manual', 'superseded', 'systemic_invalidated_run'])),
    wave text,
    track text,
    deferred_until timestamptz,
    touches_resources jsonb NOT NULL DEFAULT '[]' CHECK (pg_catalog.jsonb_typeof(touches_resources) OPERATOR(pg_catalog.=) 'array'),
    tool_requirements jsonb NOT NULL DEFAULT '[]' CHECK (pg_catalog.jsonb_typeof(tool_requirements) OPERATOR(pg_catalog.=) 'array'),
    required_tool text,
    prospect_bypass boolean NOT NULL DEFAULT false,
    artifact_policy jsonb,
    parent_id text,
    merged_into text,
    require_verification boolean NOT NULL DEFAULT false,
    claimed_by text,
    claimed_at timestamptz,
    added_at timestamptz NOT NULL DEFAULT pg_catalog.now(),
    completed_at timestamptz,
    completion_note text,
    updated_at timestamptz NOT NULL DEFAULT pg_catalog.now(),
    PRIMARY KEY (project_id, item_id)
);

CREATE TABLE meridian.sprint_item_pointers (
    project_id text COLLATE "C" NOT NULL,
    item_id text COLLATE "C" NOT NULL,
    pointer_id bigint GENERATED ALWAYS AS IDENTITY,
    source_type text NOT NULL DEFAULT 'code',
    targets jsonb NOT NULL CHECK (pg_catalog.jsonb_typeof(targets) OPERATOR(pg_catalog.=) 'array'),
    label text,
    target_resolved boolean,
    created_at timestamptz NOT NULL DEFAULT pg_catalog.now(),
    PRIMARY KEY (project_id, item_id, pointer_id)
);

CREATE TABLE meridian.wave_gates (
    project_id text COLLATE "C" NOT NULL,
    gate_id text COLLATE "C" NOT NULL DEFAULT pg_catalog.gen_random_uuid()::pg_catalog.text,
    version text,
    wave_start text NOT NULL CHECK (wave_start OPERATOR(pg_catalog.<>) ''),
    -- The trigger below fills it from wave_start.
    wave_end text NOT NULL CHECK (wave_end OPERATOR(pg_catalog.<>) ''),
    actions text[] NOT NULL CHECK (pg_catalog.cardinality(actions) OPERATOR(pg_catalog.>) 0
        AND actions OPERATOR(pg_catalog.<@) ARRAY['push_dev', 'push_main', 'deploy', 'wait', 'run_verification']),
    passed_at timestamptz,
    verification jsonb,
    PRIMARY KEY (project_id, gate_id)
);

CREATE TABLE meridian.decisions (
    project_id text COLLATE "C" NOT NULL,
    decision_id text COLLATE "C" NOT NULL DEFAULT pg_catalog.gen_random_uuid()::pg_catalog.text,
    title text NOT NULL,
    body text NOT NULL DEFAULT '',
    category text,
    priority text NOT NULL DEFAULT 'normal' CHECK (priority OPERATOR(pg_catalog.=) ANY (ARRAY['urgent', 'high', 'normal', 'low'])),
    status text NOT NULL DEFAULT 'active' CHECK (status OPERATOR(pg_catalog.=) ANY (ARRAY['active', 'superseded'])),
    pinned boolean NOT NULL DEFAULT true,
    created_at timestamptz NOT NULL DEFAULT pg_catalog.now(),
    PRIMARY KEY (project_id, decision_id)
);

CREATE TABLE meridian.notes (
    project_id text COLLATE "C" NOT NULL,
    note_id text COLLATE "C" NOT NULL DEFAULT pg_catalog.gen_random_uuid()::pg_catalog.text,
    title text NOT NULL,
    body text NOT NULL DEFAULT '',
    tags text[] NOT NULL DEFAULT '{}',
    kind text NOT NULL DEFAULT 'note',
    priority text NOT NULL DEFAULT 'normal' CHECK (priority OPERATOR(pg_catalog.=) ANY (ARRAY['urgent', 'high', 'normal', 'low'])),
    created_at timestamptz NOT NULL DEFAULT pg_catalog.now(),
    PRIMARY KEY (project_id, note_id)
);

CREATE TABLE meridian.tasks (
    project_id text COLLATE "C" NOT NULL,
    task_id bigint GENERATED ALWAYS AS IDENTITY,
    kind text NOT NULL DEFAULT 'progress' CHECK (kind OPERATOR(pg_catalog.=) ANY (ARRAY['progress', 'done', 'blocked', 'found'])),
    description text NOT NULL,
    session_id text,
    created_at timestamptz NOT NULL DEFAULT pg_catalog.now(),
    PRIMARY KEY (project_id, task_id)
);

CREATE TABLE meridian.hitl_gates (
    project_id text COLLATE "C" NOT NULL,
    gate_id text COLLATE "C" NOT NULL DEFAULT pg_catalog.gen_random_uuid()::pg_catalog.text,
    item_id text COLLATE "C",
    question text NOT NULL CHECK (question OPERATOR(pg_catalog.<>) ''),
    urgency text NOT NULL DEFAULT 'normal' CHECK (urgency OPERATOR(pg_catalog.=) ANY (ARRAY['urgent', 'high', 'normal', 'low'])),
    status text NOT NULL DEFAULT 'open' CHECK (status OPERATOR(pg_catalog.=) ANY (ARRAY['open', 'answered', 'withdrawn'])),
    answer text,
    session_id text,
    created_at timestamptz NOT NULL DEFAULT pg_catalog.now(),
    answered_at timestamptz,
    PRIMARY KEY (project_id, gate_id),
    CHECK (status OPERATOR(pg_catalog.<>) 'answered' OR (answer IS NOT NULL AND answered_at IS NOT NULL))
);

CREATE TABLE meridian.sprint_versions (
    project_id text COLLATE "C" NOT NULL,
    version text COLLATE "C" NOT NULL,
    description text,
    PRIMARY KEY (project_id, version)
);

-- A NULL tenant stands for the projects without one, so these keys cannot be primary keys over tenant_id.
CREATE TABLE meridian.workspace_decisions (
    tenant_id text,
    decision_id text COLLATE "C" PRIMARY KEY DEFAULT pg_catalog.gen_random_uuid()::pg_catalog.text,
    title text NOT NULL,
    body text NOT NULL DEFAULT '',
    priority text NOT NULL DEFAULT 'normal' CHECK (priority OPERATOR(pg_catalog.=) ANY (ARRAY['urgent', 'high', 'normal', 'low'])),
    status text NOT NULL DEFAULT 'active' CHECK (status OPERATOR(pg_catalog.=) ANY (ARRAY['active', 'superseded'])),
    created_at timestamptz NOT NULL DEFAULT pg_catalog.now()
);

CREATE TABLE meridian.workspace_notes (
    tenant_id text,
    note_id text COLLATE "C" PRIMARY KEY DEFAULT pg_catalog.gen_random_uuid()::pg_catalog.text,
    title text NOT NULL,
    body text NOT NULL DEFAULT '',
    tags text[] NOT NULL DEFAULT '{}',
    priority text NOT NULL DEFAULT 'normal' CHECK (priority OPERATOR(pg_catalog.=) ANY (ARRAY['urgent', 'high', 'normal', 'low'])),
    status text NOT NULL DEFAULT 'active' CHECK (status OPERATOR(pg_catalog.=) ANY (ARRAY['active', 'superseded'])),
    created_at timestamptz NOT NULL DEFAULT pg_catalog.now()
);

CREATE TABLE meridian.workspace_settings (
    tenant_id text,
    settings jsonb NOT NULL DEFAULT '{}' CHECK (pg_catalog.jsonb_typeof(settings) OPERATOR(pg_catalog.=) 'object')
);
CREATE UNIQUE INDEX workspace_settings_tenant ON meridian.workspace_settings ((coalesce(tenant_id, '')), (tenant_id IS NULL));

CREATE TABLE meridian.artifact_checks (
    project_id text COLLATE "C" NOT NULL,
    item_id text COLLATE "C",
    path text NOT NULL,
    check_name text NOT NULL,
    status text NOT NULL CHECK (status OPERATOR(pg_catalog.=) ANY (ARRAY['passed', 'failed', 'unavailable'])),
    detail jsonb,
    checked_at timestamptz NOT NULL DEFAULT pg_catalog.now()
);
CREATE INDEX artifact_checks_project ON meridian.artifact_checks (project_id, item_id);
