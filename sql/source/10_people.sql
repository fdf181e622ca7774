-- Tables that people write with plain SQL. Every key starts with project_id; keys are COLLATE "C", so sorting and
-- hashing by them means the same in every database. No foreign keys: a parallel restore loads tables in any order.

CREATE TABLE meridian.projects (
    project_id text COLLATE "C" PRIMARY KEY CHECK (project_id <> ''),
    name text NOT NULL,
    tenant_id text,
    north_star text,
    version_goal text,
    sprint_focus text,
    sprint_focus_updated_at timestamptz,
    execution_mode text NOT NULL DEFAULT 'autonomous' CHECK (execution_mode IN ('autonomous', 'interactive')),
    agent_instructions text,
    settings jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(settings) = 'object'),
    created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE meridian.sprint_items (
    project_id text COLLATE "C" NOT NULL,
    -- Ids stand comma-separated in a handoff and between attribute quotes: what would blur them is refused here.
    item_id text COLLATE "C" NOT NULL DEFAULT gen_random_uuid()::text
        CONSTRAINT sprint_items_item_id_check
        CHECK (item_id <> '' AND item_id !~ '[,\u0001-\u001f\u007f-\u009f\u2028\u2029\ufffe\uffff]' AND item_id !~ '^[\s\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]|[\s\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]$'),
    title text NOT NULL,
    notes text,
    status text NOT NULL DEFAULT 'todo' CHECK (status IN ('pending', 'todo', 'in_progress', 'provisional_complete',
        'indeterminate', 'done', 'failed', 'skipped', 'pushed')),
    priority text NOT NULL DEFAULT 'normal' CHECK (priority IN ('urgent', 'high', 'normal', 'low')),
    version text,
    depends_on text[] NOT NULL DEFAULT '{}' CHECK (array_position(depends_on, NULL) IS NULL),
    failure_mode text NOT NULL DEFAULT 'continue' CHECK (failure_mode IN ('continue', 'stop')),
    item_group text,
    milestone_type text NOT NULL DEFAULT 'task' CHECK (milestone_type IN ('task', 'milestone', 'human')),
    human_id text,
    blocker_kind text CHECK (blocker_kind IN ('manual', 'superseded', 'systemic_invalidated_run')),
    wave text,
    track text,
    deferred_until timestamptz,
    touches_resources jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(touches_resources) = 'array'),
    tool_requirements jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(tool_requirements) = 'array'),
    required_tool text,
    prospect_bypass boolean NOT NULL DEFAULT false,
    artifact_policy jsonb,
    parent_id text,
    merged_into text,
    require_verification boolean NOT NULL DEFAULT false,
    claimed_by text,
    claimed_at timestamptz,
    added_at timestamptz NOT NULL DEFAULT now(),
    completed_at timestamptz,
    completion_note text,
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (project_id, item_id)
);

CREATE TABLE meridian.sprint_item_pointers (
    project_id text COLLATE "C" NOT NULL,
    item_id text COLLATE "C" NOT NULL,
    pointer_id bigint GENERATED ALWAYS AS IDENTITY,
    source_type text NOT NULL DEFAULT 'code',
    targets jsonb NOT NULL CHECK (jsonb_typeof(targets) = 'array'),
    label text,
    target_resolved boolean,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (project_id, item_id, pointer_id)
);

CREATE TABLE meridian.wave_gates (
    project_id text COLLATE "C" NOT NULL,
    gate_id text COLLATE "C" NOT NULL DEFAULT gen_random_uuid()::text,
    version text,
    wave_start text NOT NULL CHECK (wave_start <> ''),
    -- The trigger below fills it from wave_start.
    wave_end text NOT NULL CHECK (wave_end <> ''),
    actions text[] NOT NULL CHECK (cardinality(actions) > 0
        AND actions <@ ARRAY['push_dev', 'push_main', 'deploy', 'wait', 'run_verification']),
    passed_at timestamptz,
    verification jsonb,
    PRIMARY KEY (project_id, gate_id)
);

CREATE TABLE meridian.decisions (
    project_id text COLLATE "C" NOT NULL,
    decision_id text COLLATE "C" NOT NULL DEFAULT gen_random_uuid()::text,
    title text NOT NULL,
    body text NOT NULL DEFAULT '',
    category text,
    priority text NOT NULL DEFAULT 'normal' CHECK (priority IN ('urgent', 'high', 'normal', 'low')),
    status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'superseded')),
    pinned boolean NOT NULL DEFAULT true,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (project_id, decision_id)
);

CREATE TABLE meridian.notes (
    project_id text COLLATE "C" NOT NULL,
    note_id text COLLATE "C" NOT NULL DEFAULT gen_random_uuid()::text,
    title text NOT NULL,
    body text NOT NULL DEFAULT '',
    tags text[] NOT NULL DEFAULT '{}',
    kind text NOT NULL DEFAULT 'note',
    priority text NOT NULL DEFAULT 'normal' CHECK (priority IN ('urgent', 'high', 'normal', 'low')),
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (project_id, note_id)
);

CREATE TABLE meridian.tasks (
    project_id text COLLATE "C" NOT NULL,
    task_id bigint GENERATED ALWAYS AS IDENTITY,
    kind text NOT NULL DEFAULT 'progress' CHECK (kind IN ('progress', 'done', 'blocked', 'found')),
    description text NOT NULL,
    session_id text,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (project_id, task_id)
);

CREATE TABLE meridian.hitl_gates (
    project_id text COLLATE "C" NOT NULL,
    gate_id text COLLATE "C" NOT NULL DEFAULT gen_random_uuid()::text,
    item_id text COLLATE "C",
    question text NOT NULL CHECK (question <> ''),
    urgency text NOT NULL DEFAULT 'normal' CHECK (urgency IN ('urgent', 'high', 'normal', 'low')),
    status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'answered', 'withdrawn')),
    answer text,
    session_id text,
    created_at timestamptz NOT NULL DEFAULT now(),
    answered_at timestamptz,
    PRIMARY KEY (project_id, gate_id),
    CHECK (status <> 'answered' OR (answer IS NOT NULL AND answered_at IS NOT NULL))
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
    decision_id text COLLATE "C" PRIMARY KEY DEFAULT gen_random_uuid()::text,
    title text NOT NULL,
    body text NOT NULL DEFAULT '',
    priority text NOT NULL DEFAULT 'normal' CHECK (priority IN ('urgent', 'high', 'normal', 'low')),
    status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'superseded')),
    created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE meridian.workspace_notes (
    tenant_id text,
    note_id text COLLATE "C" PRIMARY KEY DEFAULT gen_random_uuid()::text,
    title text NOT NULL,
    body text NOT NULL DEFAULT '',
    tags text[] NOT NULL DEFAULT '{}',
    priority text NOT NULL DEFAULT 'normal' CHECK (priority IN ('urgent', 'high', 'normal', 'low')),
    status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'superseded')),
    created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE meridian.workspace_settings (
    tenant_id text,
    settings jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(settings) = 'object')
);
CREATE UNIQUE INDEX workspace_settings_tenant ON meridian.workspace_settings ((coalesce(tenant_id, '')), (tenant_id IS NULL));

CREATE TABLE meridian.artifact_checks (
    project_id text COLLATE "C" NOT NULL,
    item_id text COLLATE "C",
    path text NOT NULL,
    check_name text NOT NULL,
    status text NOT NULL CHECK (status IN ('passed', 'failed', 'unavailable')),
    detail jsonb,
    checked_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX artifact_checks_project ON meridian.artifact_checks (project_id, item_id);
