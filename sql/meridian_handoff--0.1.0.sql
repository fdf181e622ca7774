\echo Use "CREATE EXTENSION meridian_handoff" to load this file. \quit

-- bootstrap
-- Text is hashed and rendered as UTF-8 throughout, so a database in another encoding is refused before anything is made.
DO $preflight$
BEGIN
    IF pg_catalog.getdatabaseencoding() OPERATOR(pg_catalog.<>) 'UTF8' THEN
        RAISE EXCEPTION USING
            ERRCODE = 'feature_not_supported',
            MESSAGE = 'meridian_handoff needs a database in UTF8, this one is in ' OPERATOR(pg_catalog.||) pg_catalog.getdatabaseencoding(),
            HINT = 'Create the database with ENCODING ''UTF8'' TEMPLATE template0.';
    END IF;
    -- A dump brings the schema with the owner it had, whoever restores it; see the end of the script.
    IF NOT (pg_catalog.current_setting('row_security') OPERATOR(pg_catalog.=) 'off'
            AND pg_catalog.current_setting('check_function_bodies') OPERATOR(pg_catalog.=) 'off')
        AND (SELECT n.nspowner FROM pg_catalog.pg_namespace n WHERE n.nspname OPERATOR(pg_catalog.=) 'meridian')
        OPERATOR(pg_catalog.<>)
        (SELECT e.extowner FROM pg_catalog.pg_extension e WHERE e.extname OPERATOR(pg_catalog.=) 'meridian_handoff')
    THEN
        RAISE EXCEPTION USING
            ERRCODE = 'object_not_in_prerequisite_state',
            MESSAGE = 'schema meridian belongs to another role',
            HINT = 'Drop it or make it your own; the extension creates it when it is not there.';
    END IF;
    -- A name in this script that is found in a schema which somebody else has filled would be theirs, not PostgreSQL's.
    IF EXISTS (
        SELECT FROM pg_catalog.pg_depend d
        WHERE d.classid OPERATOR(pg_catalog.<>) 'pg_catalog.pg_extension'::pg_catalog.regclass
          AND d.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_namespace'::pg_catalog.regclass
          AND d.refobjid OPERATOR(pg_catalog.=) 'meridian'::pg_catalog.regnamespace::pg_catalog.oid)
    THEN
        RAISE EXCEPTION USING
            ERRCODE = 'object_not_in_prerequisite_state',
            MESSAGE = 'schema meridian holds objects already',
            HINT = 'The extension needs the schema for itself: drop or rename the present one.';
    END IF;
END
$preflight$;

-- requires:
--   preflight

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

-- requires:
--   people

-- Tables that only the functions write. What consumption changes in handoff_tokens is in no index, so it is a HOT update.

CREATE TABLE meridian.sessions (
    session_id text COLLATE "C" PRIMARY KEY DEFAULT pg_catalog.gen_random_uuid()::pg_catalog.text,
    project_id text COLLATE "C" NOT NULL,
    name text,
    role text,
    human_id text,
    version text,
    worktree text,
    status text NOT NULL DEFAULT 'active' CHECK (status OPERATOR(pg_catalog.=) ANY (ARRAY['active', 'ended'])),
    created_at timestamptz NOT NULL DEFAULT pg_catalog.now(),
    last_seen timestamptz NOT NULL DEFAULT pg_catalog.now(),
    ended_at timestamptz,
    CHECK ((status OPERATOR(pg_catalog.=) 'ended') OPERATOR(pg_catalog.=) (ended_at IS NOT NULL))
);
CREATE INDEX sessions_project ON meridian.sessions (project_id, session_id);

CREATE TABLE meridian.handoff_tokens (
    token_digest bytea PRIMARY KEY CHECK (pg_catalog.octet_length(token_digest) OPERATOR(pg_catalog.=) 32),
    project_id text COLLATE "C" NOT NULL,
    body_hash bytea CHECK (pg_catalog.octet_length(body_hash) OPERATOR(pg_catalog.=) 32),
    handoff_id bigint,
    minted_at timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
    expires_at timestamptz NOT NULL,
    consumed_at timestamptz,
    superseded_at timestamptz
) WITH (fillfactor = 80);
CREATE INDEX handoff_tokens_expiry ON meridian.handoff_tokens (expires_at);
CREATE INDEX handoff_tokens_handoff ON meridian.handoff_tokens (project_id, handoff_id) WHERE handoff_id IS NOT NULL;

CREATE TABLE meridian.handoffs (
    handoff_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    project_id text COLLATE "C" NOT NULL,
    session_id text COLLATE "C",
    mode text NOT NULL CHECK (mode OPERATOR(pg_catalog.=) ANY (ARRAY['planner', 'full', 'delta', 'starter', 'compact', 'goal'])),
    content text NOT NULL,
    content_hash text NOT NULL CHECK (content_hash OPERATOR(pg_catalog.~) '^[0-9a-f]{64}$'),
    board_revision text CHECK (board_revision OPERATOR(pg_catalog.~) '^[0-9a-f]{64}$'),
    selected_item_ids text[],
    receiver jsonb,
    checkpoint boolean NOT NULL DEFAULT false,
    amended_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp()
);
CREATE INDEX handoffs_project ON meridian.handoffs (project_id, handoff_id);

CREATE TABLE meridian.pending_goals (
    project_id text COLLATE "C" PRIMARY KEY,
    handoff_id bigint NOT NULL,
    content text NOT NULL,
    receiver jsonb,
    created_at timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp()
);

CREATE TABLE meridian.events (
    event_id bigint GENERATED ALWAYS AS IDENTITY,
    project_id text COLLATE "C" NOT NULL,
    event_type text NOT NULL CHECK (event_type OPERATOR(pg_catalog.<>) ''),
    session_id text COLLATE "C",
    actor text,
    item_id text,
    handoff_id bigint,
    outcome text,
    occurred_at timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
    PRIMARY KEY (project_id, event_id)
);
-- Rows lie by age, so this costs next to nothing on insert and finds the old end when it is purged.
CREATE INDEX events_age ON meridian.events USING brin (occurred_at);
CREATE INDEX events_session ON meridian.events (project_id, session_id, event_id) WHERE session_id IS NOT NULL;

-- For the rows of history alone: which transactions were there when one got its id (store/history.rs).
CREATE FUNCTION meridian.next_xid() RETURNS xid8
LANGUAGE c VOLATILE PARALLEL RESTRICTED AS 'MODULE_PATHNAME', 'next_xid';

CREATE TABLE meridian.sprint_item_history (
    history_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    project_id text COLLATE "C",
    item_id text COLLATE "C",
    operation text NOT NULL CHECK (operation OPERATOR(pg_catalog.=) ANY (ARRAY['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE'])),
    old_status text,
    new_status text,
    old_depends_on text[],
    new_depends_on text[],
    changed_columns text[],
    changed_by text NOT NULL,
    session_id text,
    transaction_id xid8 NOT NULL DEFAULT pg_catalog.pg_current_xact_id(),
    changed_at timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
    row_count bigint,
    -- After history_id, which is so given away before this is read.
    next_xid xid8 NOT NULL DEFAULT meridian.next_xid(),
    CHECK (CASE WHEN operation OPERATOR(pg_catalog.=) 'TRUNCATE' THEN row_count IS NOT NULL AND item_id IS NULL
        ELSE item_id IS NOT NULL AND row_count IS NULL END),
    CHECK (operation OPERATOR(pg_catalog.<>) 'INSERT' OR old_status IS NULL),
    CHECK (operation OPERATOR(pg_catalog.<>) 'DELETE' OR new_status IS NULL),
    CHECK (operation OPERATOR(pg_catalog.<>) 'UPDATE' OR pg_catalog.cardinality(changed_columns) OPERATOR(pg_catalog.>) 0)
);
CREATE INDEX sprint_item_history_project ON meridian.sprint_item_history (project_id, history_id);

CREATE TABLE meridian.board_sources (
    project_id text COLLATE "C" PRIMARY KEY,
    relation regclass NOT NULL,
    columns jsonb,
    status_map jsonb,
    status_write jsonb,
    track_history boolean NOT NULL DEFAULT true
);

CREATE TABLE meridian.capability_manifests (
    project_id text COLLATE "C" PRIMARY KEY,
    manifest jsonb,
    manifest_hash text,
    updated_at timestamptz NOT NULL DEFAULT pg_catalog.now()
);

CREATE TABLE meridian.capability_availability (
    project_id text COLLATE "C" NOT NULL,
    tool text COLLATE "C" NOT NULL,
    status text NOT NULL CHECK (status OPERATOR(pg_catalog.=) ANY (ARRAY['available', 'degraded', 'missing', 'unknown'])),
    detail text,
    reported_at timestamptz NOT NULL DEFAULT pg_catalog.now(),
    PRIMARY KEY (project_id, tool)
);

CREATE TABLE meridian.release_transactions (
    project_id text COLLATE "C" NOT NULL,
    transaction_id text COLLATE "C" NOT NULL DEFAULT pg_catalog.gen_random_uuid()::pg_catalog.text,
    change_set_id text COLLATE "C" NOT NULL CHECK (change_set_id OPERATOR(pg_catalog.<>) ''),
    file_path text COLLATE "C" NOT NULL CHECK (file_path OPERATOR(pg_catalog.<>) ''),
    session_id text COLLATE "C",
    state text NOT NULL CHECK (state OPERATOR(pg_catalog.=) ANY (ARRAY['PREPARED', 'STAGED', 'PROMOTED', 'VERIFIED', 'DB_COMMITTED', 'RELEASED', 'ABORTED', 'RECOVERY_REQUIRED'])),
    base_hash text,
    staged_path text,
    staged_hash text,
    post_hash text,
    provenance_registered boolean NOT NULL DEFAULT false,
    render_evidence jsonb,
    db_commit_ref text,
    error text,
    opened_at timestamptz NOT NULL DEFAULT pg_catalog.now(),
    updated_at timestamptz NOT NULL DEFAULT pg_catalog.now(),
    PRIMARY KEY (project_id, transaction_id)
);
CREATE UNIQUE INDEX release_transactions_open ON meridian.release_transactions (project_id, change_set_id, file_path)
    WHERE state OPERATOR(pg_catalog.<>) ALL (ARRAY['RELEASED', 'ABORTED']);

CREATE TABLE meridian.release_transaction_states (
    project_id text COLLATE "C" NOT NULL,
    transaction_id text COLLATE "C" NOT NULL,
    sequence bigint GENERATED ALWAYS AS IDENTITY,
    state text NOT NULL CHECK (state OPERATOR(pg_catalog.=) ANY (ARRAY['PREPARED', 'STAGED', 'PROMOTED', 'VERIFIED', 'DB_COMMITTED', 'RELEASED', 'ABORTED', 'RECOVERY_REQUIRED'])),
    error text,
    recorded_at timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
    PRIMARY KEY (project_id, transaction_id, sequence)
);

CREATE TABLE meridian.packets (
    packet_id text COLLATE "C" PRIMARY KEY CHECK (packet_id OPERATOR(pg_catalog.~) '^[0-9a-f]{64}$'),
    project_id text COLLATE "C",
    task text COLLATE "C" NOT NULL,
    parent_id text COLLATE "C",
    version bigint,
    packet json NOT NULL,
    created text,
    handed_off_by text,
    saved_at timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp(),
    saved_by text NOT NULL DEFAULT current_user
);
CREATE INDEX packets_task ON meridian.packets (project_id, task, saved_at);

CREATE TABLE meridian.access_grants (
    grantee name PRIMARY KEY,
    level text NOT NULL CHECK (level OPERATOR(pg_catalog.=) ANY (ARRAY['reader', 'executor', 'planner', 'admin']))
);

-- requires:
--   protocol

-- What each column holds: its shape, its values, and what NULL means where that is not plain.

COMMENT ON COLUMN meridian.projects.project_id IS 'Key of the project, not empty; chosen by whoever inserts the row.';
COMMENT ON COLUMN meridian.projects.name IS 'Name for people, printed in handoffs.';
COMMENT ON COLUMN meridian.projects.tenant_id IS 'Tenant whose workspace decisions, notes and settings apply; NULL: a project without a tenant.';
COMMENT ON COLUMN meridian.projects.north_star IS 'The lasting aim of the project; NULL: none set.';
COMMENT ON COLUMN meridian.projects.version_goal IS 'What the present version is to reach; NULL: none set.';
COMMENT ON COLUMN meridian.projects.sprint_focus IS 'What the present sprint is about; NULL: none set.';
COMMENT ON COLUMN meridian.projects.sprint_focus_updated_at IS 'When sprint_focus was last set, kept by whoever writes it; NULL: not recorded.';
COMMENT ON COLUMN meridian.projects.execution_mode IS 'autonomous: executors start at once; interactive: they plan and confirm first.';
COMMENT ON COLUMN meridian.projects.agent_instructions IS 'Standing instructions to every agent of the project; NULL: none.';
COMMENT ON COLUMN meridian.projects.settings IS 'JSON object; keys executor_config (object), blocker_policy, history (boolean, true if absent), handoff_template. An absent key takes its default.';
COMMENT ON COLUMN meridian.projects.created_at IS 'When the row was added.';

COMMENT ON COLUMN meridian.sprint_items.project_id IS 'Project whose board the item is on.';
COMMENT ON COLUMN meridian.sprint_items.item_id IS 'Id within the project; not empty, without commas, control characters and outer spaces. A random UUID if not given.';
COMMENT ON COLUMN meridian.sprint_items.title IS 'Title, untrusted text; one that starts with MANUAL in any case marks work for a human.';
COMMENT ON COLUMN meridian.sprint_items.notes IS 'Free text about the work, untrusted; NULL: none.';
COMMENT ON COLUMN meridian.sprint_items.status IS 'pending and todo (the same: open), in_progress (claimed), provisional_complete and indeterminate (open to a claim again), or ended as done, failed, skipped or pushed.';
COMMENT ON COLUMN meridian.sprint_items.priority IS 'urgent, high, normal or low: the first key of the listing order.';
COMMENT ON COLUMN meridian.sprint_items.version IS 'Sprint version, compared exactly; NULL: in none, so only listed where no version is asked for.';
COMMENT ON COLUMN meridian.sprint_items.depends_on IS 'Ids of items of the same project that must all have ended before this one can be claimed; empty: none. A missing one blocks.';
COMMENT ON COLUMN meridian.sprint_items.failure_mode IS 'What a failed predecessor does to this item: continue lets it go on, stop keeps it blocked.';
COMMENT ON COLUMN meridian.sprint_items.item_group IS 'Free label that clusters items; NULL: none.';
COMMENT ON COLUMN meridian.sprint_items.milestone_type IS 'task: ordinary work; milestone: a point to reach; human: for a person, never in a batch for executors.';
COMMENT ON COLUMN meridian.sprint_items.human_id IS 'Person it is assigned to; NULL: nobody. Alone it makes nothing manual.';
COMMENT ON COLUMN meridian.sprint_items.blocker_kind IS 'manual: left out of batches but claimable by id; superseded, systemic_invalidated_run: cannot be claimed at all; NULL: not blocked.';
COMMENT ON COLUMN meridian.sprint_items.wave IS 'Label that wave gates compare, a prefix and a number such as W2; NULL or another shape: no gate holds the item.';
COMMENT ON COLUMN meridian.sprint_items.track IS 'Free label; backburner, in any case, parks the item. NULL: none.';
COMMENT ON COLUMN meridian.sprint_items.deferred_until IS 'Until then the item is parked and cannot be claimed; NULL or past: not deferred.';
COMMENT ON COLUMN meridian.sprint_items.touches_resources IS 'JSON array of typed ids such as file:src/a.rs or symbol:src/a.rs::main that the work changes; empty: none declared.';
COMMENT ON COLUMN meridian.sprint_items.tool_requirements IS 'JSON array of {name, server_or_namespace, required_or_preferred, purpose, ...}: the tools that the work calls for; empty: none.';
COMMENT ON COLUMN meridian.sprint_items.required_tool IS 'A tool that the executor is advised to use, as text; gates no claim. NULL: any.';
COMMENT ON COLUMN meridian.sprint_items.prospect_bypass IS 'true: a human lets the item be claimed although no pointer backs up its resources.';
COMMENT ON COLUMN meridian.sprint_items.artifact_policy IS 'JSON; artifact_pointer_check is warn or strict, where strict makes findings on its artifacts count. NULL: no policy.';
COMMENT ON COLUMN meridian.sprint_items.parent_id IS 'Item of the project that this one is a part of; NULL: none.';
COMMENT ON COLUMN meridian.sprint_items.merged_into IS 'Item that has taken this one in; NULL: not merged.';
COMMENT ON COLUMN meridian.sprint_items.require_verification IS 'true: the planner wants the result verified; claiming and completing do not look at it.';
COMMENT ON COLUMN meridian.sprint_items.claimed_by IS 'Session that claimed it last, or the role that did so without one; it stays when the item ends. NULL: unclaimed.';
COMMENT ON COLUMN meridian.sprint_items.claimed_at IS 'When it was claimed; NULL: unclaimed.';
COMMENT ON COLUMN meridian.sprint_items.added_at IS 'When it came onto the board: the second key of the listing order.';
COMMENT ON COLUMN meridian.sprint_items.completed_at IS 'When it was completed with whatever ending; NULL: not by complete_sprint_item yet.';
COMMENT ON COLUMN meridian.sprint_items.completion_note IS 'What the one who completed it had to say; NULL: nothing.';
COMMENT ON COLUMN meridian.sprint_items.updated_at IS 'When the functions last changed the row; plain SQL sets it itself. Alone it makes no history.';

COMMENT ON COLUMN meridian.sprint_item_pointers.project_id IS 'Project of the item.';
COMMENT ON COLUMN meridian.sprint_item_pointers.item_id IS 'Item that the pointer belongs to.';
COMMENT ON COLUMN meridian.sprint_item_pointers.pointer_id IS 'Running number; pointers are read in its order.';
COMMENT ON COLUMN meridian.sprint_item_pointers.source_type IS 'What kind of source it leads to, free text; code unless said otherwise.';
COMMENT ON COLUMN meridian.sprint_item_pointers.targets IS 'JSON array of {uri, selector, subSelector?, target_kind}; target_kind is existing or planned_new.';
COMMENT ON COLUMN meridian.sprint_item_pointers.label IS 'Name for people; NULL: none.';
COMMENT ON COLUMN meridian.sprint_item_pointers.target_resolved IS 'Whether the target was found when somebody looked; NULL: nobody has looked.';
COMMENT ON COLUMN meridian.sprint_item_pointers.created_at IS 'When the pointer was added.';

COMMENT ON COLUMN meridian.wave_gates.project_id IS 'Project whose items the gate holds back.';
COMMENT ON COLUMN meridian.wave_gates.gate_id IS 'Id within the project; a random UUID if not given.';
COMMENT ON COLUMN meridian.wave_gates.version IS 'Holds back items of this sprint version only; NULL: of every version.';
COMMENT ON COLUMN meridian.wave_gates.wave_start IS 'Label of the first wave in front of the gate, such as W1.';
COMMENT ON COLUMN meridian.wave_gates.wave_end IS 'Label of the last one: later waves of the same prefix wait behind the gate. wave_start if not given.';
COMMENT ON COLUMN meridian.wave_gates.actions IS 'What passing takes, at least one of push_dev, push_main, deploy, wait, run_verification.';
COMMENT ON COLUMN meridian.wave_gates.passed_at IS 'When the gate was passed; setting it passes the gate and freezes the row. NULL: closed.';
COMMENT ON COLUMN meridian.wave_gates.verification IS 'Evidence for passing, as JSON of any shape; NULL: none given.';

COMMENT ON COLUMN meridian.decisions.project_id IS 'Project that decided.';
COMMENT ON COLUMN meridian.decisions.decision_id IS 'Id within the project; a random UUID if not given.';
COMMENT ON COLUMN meridian.decisions.title IS 'The decision in a line.';
COMMENT ON COLUMN meridian.decisions.body IS 'The decision at length; empty: the title says it all.';
COMMENT ON COLUMN meridian.decisions.category IS 'Free label; NULL: none.';
COMMENT ON COLUMN meridian.decisions.priority IS 'urgent, high, normal or low.';
COMMENT ON COLUMN meridian.decisions.status IS 'active: in force; superseded: a later decision has replaced it.';
COMMENT ON COLUMN meridian.decisions.pinned IS 'true: belongs to the core of narrative handoffs.';
COMMENT ON COLUMN meridian.decisions.created_at IS 'When the decision was recorded.';

COMMENT ON COLUMN meridian.notes.project_id IS 'Project that the note is about.';
COMMENT ON COLUMN meridian.notes.note_id IS 'Id within the project; a random UUID if not given.';
COMMENT ON COLUMN meridian.notes.title IS 'The note in a line.';
COMMENT ON COLUMN meridian.notes.body IS 'The note at length; empty: the title says it all.';
COMMENT ON COLUMN meridian.notes.tags IS 'Free labels; empty: none.';
COMMENT ON COLUMN meridian.notes.kind IS 'What sort of note it is, free text; note unless said otherwise.';
COMMENT ON COLUMN meridian.notes.priority IS 'urgent, high, normal or low.';
COMMENT ON COLUMN meridian.notes.created_at IS 'When the note was written.';

COMMENT ON COLUMN meridian.tasks.project_id IS 'Project that the entry is about.';
COMMENT ON COLUMN meridian.tasks.task_id IS 'Running number of the entry.';
COMMENT ON COLUMN meridian.tasks.kind IS 'progress: on the way; done: finished; blocked: stuck; found: noticed on the side.';
COMMENT ON COLUMN meridian.tasks.description IS 'What happened, untrusted text.';
COMMENT ON COLUMN meridian.tasks.session_id IS 'Session that reports it; NULL: written outside any session.';
COMMENT ON COLUMN meridian.tasks.created_at IS 'When the entry was written.';

COMMENT ON COLUMN meridian.hitl_gates.project_id IS 'Project that the question is about.';
COMMENT ON COLUMN meridian.hitl_gates.gate_id IS 'Id within the project; a random UUID if not given.';
COMMENT ON COLUMN meridian.hitl_gates.item_id IS 'Item that waits for the answer; NULL: the question is about the project.';
COMMENT ON COLUMN meridian.hitl_gates.question IS 'The question to a human, not empty.';
COMMENT ON COLUMN meridian.hitl_gates.urgency IS 'urgent, high, normal or low.';
COMMENT ON COLUMN meridian.hitl_gates.status IS 'open: waits for an answer; answered: has one; withdrawn: needs none any more.';
COMMENT ON COLUMN meridian.hitl_gates.answer IS 'The human''s answer; never NULL once answered.';
COMMENT ON COLUMN meridian.hitl_gates.session_id IS 'Session that asks; NULL: asked outside any session.';
COMMENT ON COLUMN meridian.hitl_gates.created_at IS 'When it was asked.';
COMMENT ON COLUMN meridian.hitl_gates.answered_at IS 'When it was answered; never NULL once answered.';

COMMENT ON COLUMN meridian.sprint_versions.project_id IS 'Project that the version belongs to.';
COMMENT ON COLUMN meridian.sprint_versions.version IS 'Name of the version as items carry it; empty: the row of the whole project.';
COMMENT ON COLUMN meridian.sprint_versions.description IS 'What the version is about, or, for the empty version, when the project counts as complete; NULL: not said.';

COMMENT ON COLUMN meridian.workspace_decisions.tenant_id IS 'Tenant whose projects it binds; NULL: the projects without a tenant.';
COMMENT ON COLUMN meridian.workspace_decisions.decision_id IS 'Id, unique over all tenants; a random UUID if not given.';
COMMENT ON COLUMN meridian.workspace_decisions.title IS 'The decision in a line.';
COMMENT ON COLUMN meridian.workspace_decisions.body IS 'The decision at length; empty: the title says it all.';
COMMENT ON COLUMN meridian.workspace_decisions.priority IS 'urgent, high, normal or low.';
COMMENT ON COLUMN meridian.workspace_decisions.status IS 'active: in force; superseded: a later decision has replaced it.';
COMMENT ON COLUMN meridian.workspace_decisions.created_at IS 'When the decision was recorded.';

COMMENT ON COLUMN meridian.workspace_notes.tenant_id IS 'Tenant whose projects it concerns; NULL: the projects without a tenant.';
COMMENT ON COLUMN meridian.workspace_notes.note_id IS 'Id, unique over all tenants; a random UUID if not given.';
COMMENT ON COLUMN meridian.workspace_notes.title IS 'The note in a line.';
COMMENT ON COLUMN meridian.workspace_notes.body IS 'The note at length; empty: the title says it all.';
COMMENT ON COLUMN meridian.workspace_notes.tags IS 'Free labels; empty: none.';
COMMENT ON COLUMN meridian.workspace_notes.priority IS 'urgent, high, normal or low.';
COMMENT ON COLUMN meridian.workspace_notes.status IS 'active: still holds; superseded: a later note has replaced it.';
COMMENT ON COLUMN meridian.workspace_notes.created_at IS 'When the note was written.';

COMMENT ON COLUMN meridian.workspace_settings.tenant_id IS 'Tenant, at most one row each; NULL: the projects without a tenant.';
COMMENT ON COLUMN meridian.workspace_settings.settings IS 'JSON object; keys loop_enabled_default and handoff_template. An absent key takes its default.';

COMMENT ON COLUMN meridian.artifact_checks.project_id IS 'Project that the artifact belongs to.';
COMMENT ON COLUMN meridian.artifact_checks.item_id IS 'Item that the artifact is of; NULL: of none in particular.';
COMMENT ON COLUMN meridian.artifact_checks.path IS 'Path of the artifact that was checked.';
COMMENT ON COLUMN meridian.artifact_checks.check_name IS 'Name of the check, chosen by whoever ran it.';
COMMENT ON COLUMN meridian.artifact_checks.status IS 'passed, failed, or unavailable: the check could not be run, which says nothing about the artifact.';
COMMENT ON COLUMN meridian.artifact_checks.detail IS 'Findings as JSON of any shape; NULL: none given.';
COMMENT ON COLUMN meridian.artifact_checks.checked_at IS 'When the check ran.';

COMMENT ON COLUMN meridian.sessions.session_id IS 'Id of the session, a random UUID, unique over all projects.';
COMMENT ON COLUMN meridian.sessions.project_id IS 'Project that it works on.';
COMMENT ON COLUMN meridian.sessions.name IS 'Name that it gave itself; NULL: none.';
COMMENT ON COLUMN meridian.sessions.role IS 'What it works as, such as executor or planner, free text and no database role; NULL: not said.';
COMMENT ON COLUMN meridian.sessions.human_id IS 'Person it works for; NULL: not said.';
COMMENT ON COLUMN meridian.sessions.version IS 'Sprint version that its handoffs cover unless they name one; NULL: all.';
COMMENT ON COLUMN meridian.sessions.worktree IS 'Directory that it works in; NULL: not said.';
COMMENT ON COLUMN meridian.sessions.status IS 'active: may claim; ended: over for good, and its claims may be retaken.';
COMMENT ON COLUMN meridian.sessions.created_at IS 'When it began.';
COMMENT ON COLUMN meridian.sessions.last_seen IS 'When the functions last recorded a sign of it.';
COMMENT ON COLUMN meridian.sessions.ended_at IS 'When it ended; NULL: still active.';

COMMENT ON COLUMN meridian.handoff_tokens.token_digest IS 'SHA-256 of the token, 32 bytes.';
COMMENT ON COLUMN meridian.handoff_tokens.project_id IS 'Project that the token was minted for; it is good for no other.';
COMMENT ON COLUMN meridian.handoff_tokens.body_hash IS 'SHA-256 of the text that the token vouches for, 32 bytes; NULL: minted without a text, so none can be checked.';
COMMENT ON COLUMN meridian.handoff_tokens.handoff_id IS 'Stored handoff that it goes with; NULL: none was stored.';
COMMENT ON COLUMN meridian.handoff_tokens.minted_at IS 'When it was minted.';
COMMENT ON COLUMN meridian.handoff_tokens.expires_at IS 'From then on it is refused.';
COMMENT ON COLUMN meridian.handoff_tokens.consumed_at IS 'When it was spent; NULL: unspent.';
COMMENT ON COLUMN meridian.handoff_tokens.superseded_at IS 'When a newer generation took the place of its handoff, which ends it early; NULL: not replaced.';

COMMENT ON COLUMN meridian.handoffs.handoff_id IS 'Running number, which is the order of handoffs.';
COMMENT ON COLUMN meridian.handoffs.project_id IS 'Project that is handed on.';
COMMENT ON COLUMN meridian.handoffs.session_id IS 'Session that generated it; NULL: generated outside any session.';
COMMENT ON COLUMN meridian.handoffs.mode IS 'Shape of the handoff: planner, full, delta, starter, compact or goal.';
COMMENT ON COLUMN meridian.handoffs.content IS 'The text as rendered, without its token and security banner.';
COMMENT ON COLUMN meridian.handoffs.content_hash IS 'SHA-256 of content as 64 lower-case hex characters.';
COMMENT ON COLUMN meridian.handoffs.board_revision IS 'Digest of the board that it was rendered from, 64 lower-case hex characters; NULL: none taken.';
COMMENT ON COLUMN meridian.handoffs.selected_item_ids IS 'Items that it was narrowed to; NULL: no selection.';
COMMENT ON COLUMN meridian.handoffs.receiver IS 'Who may pick it up, {session_name?, role?, worktree?}; NULL: any session of the project.';
COMMENT ON COLUMN meridian.handoffs.checkpoint IS 'true: a record on the side, never loaded as the latest handoff and never a pending goal.';
COMMENT ON COLUMN meridian.handoffs.amended_at IS 'When a newer generation for the same receiver last took the row over before anybody picked it up; NULL: as first stored.';
COMMENT ON COLUMN meridian.handoffs.created_at IS 'When it was first generated.';

COMMENT ON COLUMN meridian.pending_goals.project_id IS 'Project; it has one pending goal at most.';
COMMENT ON COLUMN meridian.pending_goals.handoff_id IS 'Handoff that the goal comes from.';
COMMENT ON COLUMN meridian.pending_goals.content IS 'The goal block alone, without its token and security banner.';
COMMENT ON COLUMN meridian.pending_goals.receiver IS 'Who may pick it up, {session_name?, role?, worktree?}; NULL: whoever starts a session first.';
COMMENT ON COLUMN meridian.pending_goals.created_at IS 'When it became pending, which tells whether it is stale.';

COMMENT ON COLUMN meridian.events.event_id IS 'Running number of the event.';
COMMENT ON COLUMN meridian.events.project_id IS 'Project that it happened in.';
COMMENT ON COLUMN meridian.events.event_type IS 'What happened, such as handoff_generated, token_verified or item_claimed.';
COMMENT ON COLUMN meridian.events.session_id IS 'Session that did it; NULL: done outside any session.';
COMMENT ON COLUMN meridian.events.actor IS 'Who did it: the session, else the role; NULL: not recorded.';
COMMENT ON COLUMN meridian.events.item_id IS 'Item concerned; NULL: none.';
COMMENT ON COLUMN meridian.events.handoff_id IS 'Stored handoff concerned; NULL: none.';
COMMENT ON COLUMN meridian.events.outcome IS 'How it came out, in a word of the event''s own: a reason code, a mode, a status; NULL: nothing to tell.';
COMMENT ON COLUMN meridian.events.occurred_at IS 'When it happened, by the wall clock, not the start of the transaction.';

COMMENT ON COLUMN meridian.sprint_item_history.history_id IS 'Running number; drawn before the commit, so a lower one can become visible later.';
COMMENT ON COLUMN meridian.sprint_item_history.project_id IS 'Project of the changed item; NULL: its row named none.';
COMMENT ON COLUMN meridian.sprint_item_history.item_id IS 'Changed item; NULL for TRUNCATE, which has one row a project.';
COMMENT ON COLUMN meridian.sprint_item_history.operation IS 'INSERT, UPDATE, DELETE or TRUNCATE; a change of key is a DELETE and an INSERT.';
COMMENT ON COLUMN meridian.sprint_item_history.old_status IS 'Status before; NULL where there was no item, and for TRUNCATE.';
COMMENT ON COLUMN meridian.sprint_item_history.new_status IS 'Status after; NULL where the item is gone, and for TRUNCATE.';
COMMENT ON COLUMN meridian.sprint_item_history.old_depends_on IS 'Dependencies before; NULL where there was no item, and for TRUNCATE.';
COMMENT ON COLUMN meridian.sprint_item_history.new_depends_on IS 'Dependencies after; NULL where the item is gone, and for TRUNCATE.';
COMMENT ON COLUMN meridian.sprint_item_history.changed_columns IS 'Names of the columns that an UPDATE gave another value, updated_at left aside; NULL for other operations.';
COMMENT ON COLUMN meridian.sprint_item_history.changed_by IS 'Role that wrote the change.';
COMMENT ON COLUMN meridian.sprint_item_history.session_id IS 'Session that the writer worked in, by its own word (meridian.session_id); NULL: none named.';
COMMENT ON COLUMN meridian.sprint_item_history.transaction_id IS 'Transaction that made the change.';
COMMENT ON COLUMN meridian.sprint_item_history.changed_at IS 'When it was written, by the wall clock; it takes effect with the commit.';
COMMENT ON COLUMN meridian.sprint_item_history.row_count IS 'For TRUNCATE the number of items that the project lost; NULL for other operations.';
COMMENT ON COLUMN meridian.sprint_item_history.next_xid IS 'First transaction id that nobody had when history_id was drawn: who began to write later has higher ids.';

COMMENT ON COLUMN meridian.board_sources.project_id IS 'Project whose board is not in sprint_items.';
COMMENT ON COLUMN meridian.board_sources.relation IS 'Table, view or foreign table that holds its items.';
COMMENT ON COLUMN meridian.board_sources.columns IS 'JSON object from column names of sprint_items to those of the relation; an absent one has the same name there, and project_id as null says that it holds one project only. NULL: all names are the same.';
COMMENT ON COLUMN meridian.board_sources.status_map IS 'JSON object from the relation''s status values to those of sprint_items; NULL: they are the same.';
COMMENT ON COLUMN meridian.board_sources.status_write IS 'JSON object from our status values to the ones to write, where status_map leaves a choice; NULL: nowhere.';
COMMENT ON COLUMN meridian.board_sources.track_history IS 'true: triggers on the relation record its changes in sprint_item_history.';

COMMENT ON COLUMN meridian.capability_manifests.project_id IS 'Project that the manifest is of.';
COMMENT ON COLUMN meridian.capability_manifests.manifest IS 'The capabilities that it needs, as JSON entries with id, purpose, required_tools and how binding each is; NULL: none declared.';
COMMENT ON COLUMN meridian.capability_manifests.manifest_hash IS 'SHA-256 of the manifest in canonical form, in hex; NULL: no manifest.';
COMMENT ON COLUMN meridian.capability_manifests.updated_at IS 'When the manifest was last set.';

COMMENT ON COLUMN meridian.capability_availability.project_id IS 'Project that the report is for.';
COMMENT ON COLUMN meridian.capability_availability.tool IS 'Tool, named as manifests name it.';
COMMENT ON COLUMN meridian.capability_availability.status IS 'available: works; degraded: works in part; missing: not there; unknown: could not be found out.';
COMMENT ON COLUMN meridian.capability_availability.detail IS 'Remark of the one who reported; NULL: none.';
COMMENT ON COLUMN meridian.capability_availability.reported_at IS 'When the tool was last reported on.';

COMMENT ON COLUMN meridian.release_transactions.project_id IS 'Project that releases.';
COMMENT ON COLUMN meridian.release_transactions.transaction_id IS 'Id within the project, a random UUID; no transaction of the database.';
COMMENT ON COLUMN meridian.release_transactions.change_set_id IS 'Set of changes that the file belongs to, named by the caller.';
COMMENT ON COLUMN meridian.release_transactions.file_path IS 'File that is replaced; at most one open release for it and its change set.';
COMMENT ON COLUMN meridian.release_transactions.session_id IS 'Session that last carried it on; NULL: none named.';
COMMENT ON COLUMN meridian.release_transactions.state IS 'Present state: PREPARED (opened), STAGED (new content lies aside), PROMOTED (in place), VERIFIED (checked there), DB_COMMITTED (the database followed), RELEASED (finished), ABORTED (given up), RECOVERY_REQUIRED (to be decided).';
COMMENT ON COLUMN meridian.release_transactions.base_hash IS 'Hash of the file before, fixed at opening; NULL: not known, so recovery cannot tell that nothing happened.';
COMMENT ON COLUMN meridian.release_transactions.staged_path IS 'Where the new content lies aside; NULL: not staged, or not said.';
COMMENT ON COLUMN meridian.release_transactions.staged_hash IS 'Hash of the new content that lies aside; NULL: not given.';
COMMENT ON COLUMN meridian.release_transactions.post_hash IS 'Hash of the file with the new content in place; NULL: not given, so recovery cannot tell that it is.';
COMMENT ON COLUMN meridian.release_transactions.provenance_registered IS 'true: the caller has recorded where the new content comes from.';
COMMENT ON COLUMN meridian.release_transactions.render_evidence IS 'What rendering the new file showed, as JSON of any shape; NULL: none given.';
COMMENT ON COLUMN meridian.release_transactions.db_commit_ref IS 'The caller''s reference to what the database committed for it; NULL: not given.';
COMMENT ON COLUMN meridian.release_transactions.error IS 'What went wrong, up to the next state that is reached without an error; NULL: nothing.';
COMMENT ON COLUMN meridian.release_transactions.opened_at IS 'When it was opened.';
COMMENT ON COLUMN meridian.release_transactions.updated_at IS 'When it was last carried on.';

COMMENT ON COLUMN meridian.release_transaction_states.project_id IS 'Project that releases.';
COMMENT ON COLUMN meridian.release_transaction_states.transaction_id IS 'Release that went through the state.';
COMMENT ON COLUMN meridian.release_transaction_states.sequence IS 'Running number: the order of the states.';
COMMENT ON COLUMN meridian.release_transaction_states.state IS 'State that it was in from here on; values as in release_transactions.';
COMMENT ON COLUMN meridian.release_transaction_states.error IS 'What went wrong on the way there; NULL: nothing.';
COMMENT ON COLUMN meridian.release_transaction_states.recorded_at IS 'When the state was recorded, by the wall clock.';

COMMENT ON COLUMN meridian.packets.packet_id IS 'Id computed from the packet''s content, 64 lower-case hex characters.';
COMMENT ON COLUMN meridian.packets.project_id IS 'Project that it was saved for; NULL: for none.';
COMMENT ON COLUMN meridian.packets.task IS 'Name that holds the packets of one line of work together; that of the parent, else the first packet''s id, if not given.';
COMMENT ON COLUMN meridian.packets.parent_id IS 'Packet that it carries on; NULL: the first of its line, or not said.';
COMMENT ON COLUMN meridian.packets.version IS 'Version that the packet itself states, from 1; NULL: none, or too large for this column.';
COMMENT ON COLUMN meridian.packets.packet IS 'The packet, character for character as it was saved.';
COMMENT ON COLUMN meridian.packets.created IS 'Time of creation that its provenance states, as text; NULL: none.';
COMMENT ON COLUMN meridian.packets.handed_off_by IS 'Agent that its provenance names; NULL: none.';
COMMENT ON COLUMN meridian.packets.saved_at IS 'When it was saved here.';
COMMENT ON COLUMN meridian.packets.saved_by IS 'Role that saved it.';

COMMENT ON COLUMN meridian.access_grants.grantee IS 'Role that the level was granted to; one level each.';
COMMENT ON COLUMN meridian.access_grants.level IS 'reader, executor, planner or admin; each includes the ones before it.';

-- requires:
--   protocol

-- Fills a gate's end from its start, and keeps a passed gate as it was. While a dump is loaded rows pass untouched.
CREATE FUNCTION meridian.guard_wave_gate() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $function$
BEGIN
    IF TG_OP = 'INSERT' THEN
        NEW.wave_end := coalesce(NEW.wave_end, NEW.wave_start);
        RETURN NEW;
    END IF;
    IF OLD.passed_at IS NOT NULL THEN
        RAISE EXCEPTION USING
            ERRCODE = 'check_violation',
            MESSAGE = format('wave gate %L of project %L was passed at %s and can no longer change', OLD.gate_id, OLD.project_id,
                to_char(OLD.passed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')),
            HINT = 'Configure a new gate instead.';
    END IF;
    RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END
$function$;

CREATE TRIGGER guard_wave_gate BEFORE INSERT OR UPDATE OR DELETE ON meridian.wave_gates
    FOR EACH ROW EXECUTE FUNCTION meridian.guard_wave_gate();

-- Written in Rust (store/history.rs): it runs as a trigger only, and records only what happens to this table or to one
-- that is attached as a board, so a row of history cannot be forged by calling it.
CREATE FUNCTION meridian.record_item_history() RETURNS trigger
LANGUAGE c AS 'MODULE_PATHNAME', 'record_item_history';

CREATE TRIGGER record_insert AFTER INSERT ON meridian.sprint_items
    REFERENCING NEW TABLE AS new_items
    FOR EACH STATEMENT EXECUTE FUNCTION meridian.record_item_history();
CREATE TRIGGER record_update AFTER UPDATE ON meridian.sprint_items
    REFERENCING OLD TABLE AS old_items NEW TABLE AS new_items
    FOR EACH STATEMENT EXECUTE FUNCTION meridian.record_item_history();
CREATE TRIGGER record_delete AFTER DELETE ON meridian.sprint_items
    REFERENCING OLD TABLE AS old_items
    FOR EACH STATEMENT EXECUTE FUNCTION meridian.record_item_history();
-- Before, because afterwards there is nothing left to count.
CREATE TRIGGER record_truncate BEFORE TRUNCATE ON meridian.sprint_items
    FOR EACH STATEMENT EXECUTE FUNCTION meridian.record_item_history();

-- requires:
--   triggers

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

-- requires:
--   row_security

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

CREATE FUNCTION "answer_hitl"(
	"project_id" TEXT,
	"gate_id" TEXT,
	"answer" TEXT
) RETURNS jsonb
VOLATILE PARALLEL UNSAFE
LANGUAGE c
AS 'MODULE_PATHNAME', 'answer_hitl_wrapper';

CREATE FUNCTION "attach_board"(
	"project_id" TEXT,
	"board" regclass,
	"columns" jsonb DEFAULT '{}',
	"status_map" jsonb DEFAULT '{}',
	"track_history" bool DEFAULT true,
	"status_write" jsonb DEFAULT '{}'
) RETURNS void
VOLATILE PARALLEL UNSAFE
LANGUAGE c
AS 'MODULE_PATHNAME', 'attach_board_wrapper';

CREATE FUNCTION "blocker_policy"(
	"project_id" TEXT
) RETURNS jsonb
STABLE PARALLEL RESTRICTED
LANGUAGE c
AS 'MODULE_PATHNAME', 'blocker_policy_wrapper';

CREATE FUNCTION "board_changes_since"(
	"project_id" TEXT,
	"revision_counter" bigint,
	"version" TEXT DEFAULT NULL
) RETURNS TABLE (
	"history_id" bigint, 
	"item_id" TEXT, 
	"operation" TEXT, 
	"old_status" TEXT, 
	"new_status" TEXT, 
	"old_depends_on" TEXT[], 
	"new_depends_on" TEXT[], 
	"changed_columns" TEXT[], 
	"changed_by" TEXT, 
	"session_id" TEXT, 
	"changed_at" timestamp with time zone 
)
STABLE PARALLEL RESTRICTED
LANGUAGE c
AS 'MODULE_PATHNAME', 'board_changes_since_wrapper';

CREATE FUNCTION "board_revision"(
	"project_id" TEXT,
	"version" TEXT DEFAULT NULL
) RETURNS TEXT
STABLE PARALLEL RESTRICTED
LANGUAGE c
AS 'MODULE_PATHNAME', 'board_revision_wrapper';

CREATE FUNCTION "capability_contract"(
	"project_id" TEXT,
	"version" TEXT DEFAULT NULL
) RETURNS jsonb
STABLE PARALLEL RESTRICTED
LANGUAGE c
AS 'MODULE_PATHNAME', 'capability_contract_wrapper';

CREATE FUNCTION "claim_next_sprint_item"(
	"project_id" TEXT,
	"session_id" TEXT DEFAULT NULL,
	"version" TEXT DEFAULT NULL
) RETURNS jsonb
VOLATILE PARALLEL UNSAFE
LANGUAGE c
AS 'MODULE_PATHNAME', 'claim_next_sprint_item_wrapper';

CREATE FUNCTION "claim_sprint_item"(
	"project_id" TEXT,
	"item_id" TEXT,
	"session_id" TEXT DEFAULT NULL
) RETURNS jsonb
VOLATILE PARALLEL UNSAFE
LANGUAGE c
AS 'MODULE_PATHNAME', 'claim_sprint_item_wrapper';

CREATE FUNCTION "complete_sprint_item"(
	"project_id" TEXT,
	"item_id" TEXT,
	"session_id" TEXT DEFAULT NULL,
	"status" TEXT DEFAULT 'done',
	"note" TEXT DEFAULT NULL
) RETURNS jsonb
VOLATILE PARALLEL UNSAFE
LANGUAGE c
AS 'MODULE_PATHNAME', 'complete_sprint_item_wrapper';

CREATE FUNCTION "compute_board_revision"(
	"items" jsonb
) RETURNS TEXT
IMMUTABLE PARALLEL SAFE
LANGUAGE c
AS 'MODULE_PATHNAME', 'compute_board_revision_wrapper';

CREATE FUNCTION "cross_check_items"(
	"project_id" TEXT,
	"item_ids" TEXT[]
) RETURNS TABLE (
	"item_id" TEXT, 
	"status" TEXT, 
	"live" bool, 
	"terminal" bool, 
	"suspicious" bool 
)
STABLE PARALLEL RESTRICTED
LANGUAGE c
AS 'MODULE_PATHNAME', 'cross_check_items_wrapper';

CREATE FUNCTION "detach_board"(
	"project_id" TEXT
) RETURNS void
VOLATILE PARALLEL UNSAFE
LANGUAGE c
AS 'MODULE_PATHNAME', 'detach_board_wrapper';

CREATE FUNCTION "end_session"(
	"session_id" TEXT
) RETURNS bool
VOLATILE PARALLEL UNSAFE
LANGUAGE c
AS 'MODULE_PATHNAME', 'end_session_wrapper';

CREATE FUNCTION "extract_goal_block"(
	"content" TEXT
) RETURNS TEXT
IMMUTABLE PARALLEL SAFE
LANGUAGE c
AS 'MODULE_PATHNAME', 'extract_goal_block_wrapper';

CREATE FUNCTION "format_handoff_mcp_content"(
	"content" TEXT,
	"max_bytes" INT
) RETURNS TEXT
IMMUTABLE PARALLEL SAFE
LANGUAGE c
AS 'MODULE_PATHNAME', 'format_handoff_mcp_content_wrapper';

CREATE FUNCTION "generate_handoff"(
	"project_id" TEXT,
	"mode" TEXT DEFAULT NULL,
	"session_id" TEXT DEFAULT NULL,
	"version" TEXT DEFAULT NULL,
	"selected_item_ids" TEXT[] DEFAULT NULL,
	"force_include_ids" TEXT[] DEFAULT NULL,
	"checkpoint" bool DEFAULT false,
	"strict_continuation" bool DEFAULT false,
	"strict_evidence" bool DEFAULT false,
	"strict_pointer_evidence" bool DEFAULT false,
	"emit_manifest" bool DEFAULT false,
	"research_evidence_envelope" jsonb DEFAULT NULL,
	"max_content_bytes" INT DEFAULT -1,
	"pending_goal_receiver" jsonb DEFAULT NULL,
	"ai_summary" TEXT DEFAULT NULL
) RETURNS jsonb
VOLATILE PARALLEL UNSAFE
LANGUAGE c
AS 'MODULE_PATHNAME', 'generate_handoff_wrapper';

CREATE FUNCTION "get_sprint_items"(
	"project_id" TEXT,
	"statuses" TEXT[] DEFAULT NULL,
	"version" TEXT DEFAULT NULL,
	"include_human" bool DEFAULT true,
	"include_deferred" bool DEFAULT true
) RETURNS TABLE (
	"item_id" TEXT, 
	"title" TEXT, 
	"status" TEXT, 
	"priority" TEXT, 
	"version" TEXT, 
	"depends_on" TEXT[], 
	"item_group" TEXT, 
	"wave" TEXT, 
	"blocker_kind" TEXT, 
	"claimed_by" TEXT, 
	"claimed_at" timestamp with time zone, 
	"added_at" timestamp with time zone, 
	"completed_at" timestamp with time zone 
)
STABLE PARALLEL RESTRICTED
LANGUAGE c
AS 'MODULE_PATHNAME', 'get_sprint_items_wrapper';

CREATE FUNCTION "grant_access"(
	"grantee" regrole,
	"level" TEXT
) RETURNS void
VOLATILE PARALLEL UNSAFE
LANGUAGE c
AS 'MODULE_PATHNAME', 'grant_access_wrapper';

CREATE FUNCTION "handoff_mode_is_retrievable"(
	"mode" TEXT
) RETURNS bool
IMMUTABLE PARALLEL SAFE
LANGUAGE c
AS 'MODULE_PATHNAME', 'handoff_mode_is_retrievable_wrapper';

CREATE FUNCTION "list_access"() RETURNS TABLE (
	"grantee" name, 
	"level" TEXT 
)
STRICT STABLE PARALLEL RESTRICTED
LANGUAGE c
AS 'MODULE_PATHNAME', 'list_access_wrapper';

CREATE FUNCTION "load_handoff"(
	"project_id" TEXT
) RETURNS jsonb
STABLE PARALLEL RESTRICTED
LANGUAGE c
AS 'MODULE_PATHNAME', 'load_handoff_wrapper';

CREATE FUNCTION "meridian_version"() RETURNS TEXT
IMMUTABLE STRICT PARALLEL SAFE
LANGUAGE c
AS 'MODULE_PATHNAME', 'meridian_version_wrapper';

CREATE FUNCTION "mint_handoff_token"(
	"project_id" TEXT,
	"body" TEXT DEFAULT NULL,
	"ttl" interval DEFAULT NULL
) RETURNS TEXT
VOLATILE PARALLEL UNSAFE
LANGUAGE c
AS 'MODULE_PATHNAME', 'mint_handoff_token_wrapper';

CREATE FUNCTION "plan_waves"(
	"project_id" TEXT,
	"version" TEXT DEFAULT NULL
) RETURNS TABLE (
	"wave" INT, 
	"item_id" TEXT, 
	"blocked_on" TEXT[] 
)
STABLE PARALLEL RESTRICTED
LANGUAGE c
AS 'MODULE_PATHNAME', 'plan_waves_wrapper';

CREATE FUNCTION "plan_waves_mermaid"(
	"project_id" TEXT,
	"version" TEXT DEFAULT NULL
) RETURNS TEXT
STABLE PARALLEL RESTRICTED
LANGUAGE c
AS 'MODULE_PATHNAME', 'plan_waves_mermaid_wrapper';

CREATE FUNCTION "purge_handoff_tokens"(
	"retention" interval DEFAULT NULL,
	"batch" INT DEFAULT 10000
) RETURNS bigint
VOLATILE PARALLEL UNSAFE
LANGUAGE c
AS 'MODULE_PATHNAME', 'purge_handoff_tokens_wrapper';

CREATE FUNCTION "purge_history"(
	"retention" interval DEFAULT '90 days',
	"batch" INT DEFAULT 10000
) RETURNS bigint
VOLATILE PARALLEL UNSAFE
LANGUAGE c
AS 'MODULE_PATHNAME', 'purge_history_wrapper';

CREATE FUNCTION "release_sprint_item"(
	"project_id" TEXT,
	"item_id" TEXT,
	"session_id" TEXT DEFAULT NULL
) RETURNS jsonb
VOLATILE PARALLEL UNSAFE
LANGUAGE c
AS 'MODULE_PATHNAME', 'release_sprint_item_wrapper';

CREATE FUNCTION "report_capability_availability"(
	"project_id" TEXT,
	"tool" TEXT,
	"status" TEXT,
	"detail" TEXT DEFAULT NULL
) RETURNS jsonb
VOLATILE PARALLEL UNSAFE
LANGUAGE c
AS 'MODULE_PATHNAME', 'report_capability_availability_wrapper';

CREATE FUNCTION "request_hitl"(
	"project_id" TEXT,
	"question" TEXT,
	"item_id" TEXT DEFAULT NULL,
	"urgency" TEXT DEFAULT 'normal',
	"session_id" TEXT DEFAULT NULL
) RETURNS jsonb
VOLATILE PARALLEL UNSAFE
LANGUAGE c
AS 'MODULE_PATHNAME', 'request_hitl_wrapper';

CREATE FUNCTION "resolve_handoff_mode"(
	"requested_mode" TEXT DEFAULT NULL,
	"session_id" TEXT DEFAULT NULL
) RETURNS TEXT
STABLE PARALLEL RESTRICTED
LANGUAGE c
AS 'MODULE_PATHNAME', 'resolve_handoff_mode_wrapper';

CREATE FUNCTION "revoke_access"(
	"grantee" regrole
) RETURNS void
VOLATILE PARALLEL UNSAFE
LANGUAGE c
AS 'MODULE_PATHNAME', 'revoke_access_wrapper';

CREATE FUNCTION "set_capability_manifest"(
	"project_id" TEXT,
	"manifest" jsonb
) RETURNS jsonb
VOLATILE PARALLEL UNSAFE
LANGUAGE c
AS 'MODULE_PATHNAME', 'set_capability_manifest_wrapper';

CREATE FUNCTION "start_session"(
	"project_id" TEXT,
	"session_name" TEXT DEFAULT NULL,
	"role" TEXT DEFAULT NULL,
	"human_id" TEXT DEFAULT NULL,
	"version" TEXT DEFAULT NULL,
	"worktree" TEXT DEFAULT NULL
) RETURNS jsonb
VOLATILE PARALLEL UNSAFE
LANGUAGE c
AS 'MODULE_PATHNAME', 'start_session_wrapper';

CREATE FUNCTION "strip_goal_token_banner"(
	"content" TEXT
) RETURNS TEXT
IMMUTABLE PARALLEL SAFE
LANGUAGE c
AS 'MODULE_PATHNAME', 'strip_goal_token_banner_wrapper';

CREATE FUNCTION "verify_board_revision"(
	"current_items" jsonb,
	"expected_revision" TEXT
) RETURNS bool
IMMUTABLE PARALLEL SAFE
LANGUAGE c
AS 'MODULE_PATHNAME', 'verify_board_revision_wrapper';

CREATE FUNCTION "verify_handoff_token"(
	"project_id" TEXT,
	"token" TEXT,
	"body" TEXT DEFAULT NULL
) RETURNS jsonb
VOLATILE PARALLEL UNSAFE
LANGUAGE c
AS 'MODULE_PATHNAME', 'verify_handoff_token_wrapper';

CREATE FUNCTION "verify_live_board"(
	"project_id" TEXT,
	"expected_revision" TEXT,
	"version" TEXT DEFAULT NULL
) RETURNS bool
STABLE PARALLEL RESTRICTED
LANGUAGE c
AS 'MODULE_PATHNAME', 'verify_live_board_wrapper';

-- finalize
-- Last: who owns what, what a dump carries, who may call, and what each object is for.

-- In a trusted install this script runs as the bootstrap superuser; the tables belong to whoever installs.
ALTER TABLE meridian.projects OWNER TO @extowner@;
ALTER TABLE meridian.sprint_items OWNER TO @extowner@;
ALTER TABLE meridian.sprint_item_pointers OWNER TO @extowner@;
ALTER TABLE meridian.wave_gates OWNER TO @extowner@;
ALTER TABLE meridian.decisions OWNER TO @extowner@;
ALTER TABLE meridian.notes OWNER TO @extowner@;
ALTER TABLE meridian.tasks OWNER TO @extowner@;
ALTER TABLE meridian.hitl_gates OWNER TO @extowner@;
ALTER TABLE meridian.sprint_versions OWNER TO @extowner@;
ALTER TABLE meridian.workspace_decisions OWNER TO @extowner@;
ALTER TABLE meridian.workspace_notes OWNER TO @extowner@;
ALTER TABLE meridian.workspace_settings OWNER TO @extowner@;
ALTER TABLE meridian.artifact_checks OWNER TO @extowner@;
ALTER TABLE meridian.sessions OWNER TO @extowner@;
ALTER TABLE meridian.handoff_tokens OWNER TO @extowner@;
ALTER TABLE meridian.handoffs OWNER TO @extowner@;
ALTER TABLE meridian.pending_goals OWNER TO @extowner@;
ALTER TABLE meridian.events OWNER TO @extowner@;
ALTER TABLE meridian.sprint_item_history OWNER TO @extowner@;
ALTER TABLE meridian.board_sources OWNER TO @extowner@;
ALTER TABLE meridian.capability_manifests OWNER TO @extowner@;
ALTER TABLE meridian.capability_availability OWNER TO @extowner@;
ALTER TABLE meridian.release_transactions OWNER TO @extowner@;
ALTER TABLE meridian.release_transaction_states OWNER TO @extowner@;
ALTER TABLE meridian.packets OWNER TO @extowner@;
ALTER TABLE meridian.access_grants OWNER TO @extowner@;
ALTER VIEW meridian.handoff_status OWNER TO @extowner@;

-- Without these a dump would lose the rows, and a restored identity column would start again at 1.
SELECT pg_catalog.pg_extension_config_dump('meridian.projects', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.sprint_items', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.sprint_item_pointers', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.wave_gates', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.decisions', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.notes', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.tasks', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.hitl_gates', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.sprint_versions', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.workspace_decisions', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.workspace_notes', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.workspace_settings', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.artifact_checks', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.sessions', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.handoff_tokens', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.handoffs', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.pending_goals', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.events', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.sprint_item_history', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.board_sources', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.capability_manifests', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.capability_availability', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.release_transactions', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.release_transaction_states', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.packets', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.access_grants', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.events_event_id_seq', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.handoffs_handoff_id_seq', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.release_transaction_states_sequence_seq', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.sprint_item_history_history_id_seq', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.sprint_item_pointers_pointer_id_seq', '');
SELECT pg_catalog.pg_extension_config_dump('meridian.tasks_task_id_seq', '');

-- Freshly installed, only the installing role can call anything, and let others call it: grant_access hands on, as that
-- role, what it has with grant option. A trigger needs no grant to fire; whoever attaches a board puts record_item_history
-- on it, and it records for attached relations alone.
REVOKE ALL ON FUNCTION meridian.get_sprint_items(text, text[], text, boolean, boolean) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.compute_board_revision(jsonb) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.verify_board_revision(jsonb, text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.board_revision(text, text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.verify_live_board(text, text, text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.cross_check_items(text, text[]) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.board_changes_since(text, bigint, text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.plan_waves(text, text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.plan_waves_mermaid(text, text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.claim_sprint_item(text, text, text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.claim_next_sprint_item(text, text, text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.complete_sprint_item(text, text, text, text, text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.release_sprint_item(text, text, text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.request_hitl(text, text, text, text, text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.answer_hitl(text, text, text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.set_capability_manifest(text, jsonb) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.report_capability_availability(text, text, text, text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.capability_contract(text, text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.blocker_policy(text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.start_session(text, text, text, text, text, text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.end_session(text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.generate_handoff(text, text, text, text, text[], text[], boolean, boolean, boolean, boolean, boolean, jsonb, integer, jsonb, text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.resolve_handoff_mode(text, text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.handoff_mode_is_retrievable(text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.load_handoff(text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.mint_handoff_token(text, text, interval) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.verify_handoff_token(text, text, text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.strip_goal_token_banner(text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.extract_goal_block(text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.format_handoff_mcp_content(text, integer) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.purge_handoff_tokens(interval, integer) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.purge_history(interval, integer) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.grant_access(regrole, text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.revoke_access(regrole) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.list_access() FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.meridian_version() FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.attach_board(text, regclass, jsonb, jsonb, boolean, jsonb) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.detach_board(text) FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.guard_wave_gate() FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.record_item_history() FROM PUBLIC;
REVOKE ALL ON FUNCTION meridian.next_xid() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION meridian.get_sprint_items(text, text[], text, boolean, boolean) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.compute_board_revision(jsonb) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.verify_board_revision(jsonb, text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.board_revision(text, text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.verify_live_board(text, text, text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.cross_check_items(text, text[]) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.board_changes_since(text, bigint, text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.plan_waves(text, text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.plan_waves_mermaid(text, text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.claim_sprint_item(text, text, text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.claim_next_sprint_item(text, text, text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.complete_sprint_item(text, text, text, text, text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.release_sprint_item(text, text, text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.request_hitl(text, text, text, text, text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.answer_hitl(text, text, text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.set_capability_manifest(text, jsonb) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.report_capability_availability(text, text, text, text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.capability_contract(text, text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.blocker_policy(text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.start_session(text, text, text, text, text, text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.end_session(text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.generate_handoff(text, text, text, text, text[], text[], boolean, boolean, boolean, boolean, boolean, jsonb, integer, jsonb, text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.resolve_handoff_mode(text, text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.handoff_mode_is_retrievable(text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.load_handoff(text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.mint_handoff_token(text, text, interval) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.verify_handoff_token(text, text, text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.strip_goal_token_banner(text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.extract_goal_block(text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.format_handoff_mcp_content(text, integer) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.purge_handoff_tokens(interval, integer) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.purge_history(interval, integer) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.grant_access(regrole, text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.revoke_access(regrole) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.list_access() TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.detach_board(text) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.record_item_history() TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.next_xid() TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.attach_board(text, regclass, jsonb, jsonb, boolean, jsonb) TO @extowner@ WITH GRANT OPTION;
GRANT EXECUTE ON FUNCTION meridian.meridian_version() TO @extowner@ WITH GRANT OPTION;

-- Monitoring sees the status view and what it counts, and nothing else.
GRANT USAGE ON SCHEMA meridian TO pg_monitor;
GRANT SELECT ON meridian.handoff_status TO pg_monitor;
GRANT SELECT (project_id) ON meridian.projects TO pg_monitor;
GRANT SELECT (project_id, status) ON meridian.sprint_items TO pg_monitor;
GRANT SELECT (project_id, expires_at, consumed_at, superseded_at) ON meridian.handoff_tokens TO pg_monitor;
GRANT SELECT (project_id, handoff_id, created_at) ON meridian.pending_goals TO pg_monitor;
GRANT SELECT (project_id, handoff_id, mode, checkpoint, created_at, amended_at) ON meridian.handoffs TO pg_monitor;
GRANT SELECT (project_id, state, updated_at) ON meridian.release_transactions TO pg_monitor;
GRANT SELECT (project_id) ON meridian.board_sources TO pg_monitor;

COMMENT ON SCHEMA meridian IS 'Agent handoffs: boards, goals, tokens, packets and the functions over them.';
COMMENT ON TABLE meridian.projects IS 'The projects; visibility of a row here is visibility of everything the project has.';
COMMENT ON TABLE meridian.sprint_items IS 'The board: one row an item of work.';
COMMENT ON TABLE meridian.sprint_item_pointers IS 'Where the code or artifact of an item lies: targets is [{uri, selector, subSelector?, target_kind}].';
COMMENT ON TABLE meridian.wave_gates IS 'Gates between the waves of a board; setting passed_at passes one.';
COMMENT ON TABLE meridian.decisions IS 'Decisions of a project; pinned ones stand in narrative handoffs.';
COMMENT ON TABLE meridian.notes IS 'Notes of a project: untrusted text for its planners.';
COMMENT ON TABLE meridian.tasks IS 'The log of what was done, found or blocked.';
COMMENT ON TABLE meridian.hitl_gates IS 'Questions to a human; an open one on an item is shown in every handoff that lists the item.';
COMMENT ON TABLE meridian.sprint_versions IS 'Descriptions of sprint versions; the row with version '''' holds the project''s completion criteria.';
COMMENT ON TABLE meridian.workspace_decisions IS 'Decisions of a whole tenant; a NULL tenant stands for the projects without one.';
COMMENT ON TABLE meridian.workspace_notes IS 'Notes of a whole tenant; a NULL tenant stands for the projects without one.';
COMMENT ON TABLE meridian.workspace_settings IS 'Settings of a whole tenant; a NULL tenant stands for the projects without one.';
COMMENT ON TABLE meridian.artifact_checks IS 'What checks found on the artifacts that items point to.';
COMMENT ON TABLE meridian.sessions IS 'Who works on a project. Kept by start_session and end_session.';
COMMENT ON TABLE meridian.handoff_tokens IS 'Digests of minted tokens and whether they are spent; the token itself is stored nowhere.';
COMMENT ON TABLE meridian.handoffs IS 'Every generation that can be loaded again, without its token.';
COMMENT ON TABLE meridian.pending_goals IS 'The goal of a project that nobody has picked up yet.';
COMMENT ON TABLE meridian.events IS 'What the protocol did, by name: never a token, a body, a question or an answer.';
COMMENT ON TABLE meridian.sprint_item_history IS 'What changed on the board: one row a changed item, written by trigger.';
COMMENT ON TABLE meridian.board_sources IS 'Boards that live in a relation of the user''s.';
COMMENT ON TABLE meridian.capability_manifests IS 'What a project needs of its executors'' tools.';
COMMENT ON TABLE meridian.capability_availability IS 'What callers reported of the tools they reach.';
COMMENT ON TABLE meridian.release_transactions IS 'Releases of files in progress, by their present state.';
COMMENT ON TABLE meridian.release_transaction_states IS 'Every state that a release went through; append-only.';
COMMENT ON TABLE meridian.packets IS 'Saved handover packets, by content id.';
COMMENT ON TABLE meridian.access_grants IS 'Which role was granted which level of access.';
COMMENT ON VIEW meridian.handoff_status IS 'One row a project: tokens that can still be spent, the goal that waits, items by status, releases that are stuck, the last handoff. No texts.';
COMMENT ON FUNCTION meridian.get_sprint_items(text, text[], text, boolean, boolean) IS 'Items of a project in listing order; NULL statuses stand for every non-done one.';
COMMENT ON FUNCTION meridian.compute_board_revision(jsonb) IS 'The digest over id, status and depends_on of the given items: 64 hex characters.';
COMMENT ON FUNCTION meridian.verify_board_revision(jsonb, text) IS 'Whether the given items still have this revision.';
COMMENT ON FUNCTION meridian.board_revision(text, text) IS 'The revision of the live board, of one version or of all.';
COMMENT ON FUNCTION meridian.verify_live_board(text, text, text) IS 'Whether the live board still has this revision.';
COMMENT ON FUNCTION meridian.cross_check_items(text, text[]) IS 'Each id against the live board: live, terminal, or suspicious because the project has no such item.';
COMMENT ON FUNCTION meridian.board_changes_since(text, bigint, text) IS 'What happened to the board after a row of its history, oldest first.';
COMMENT ON FUNCTION meridian.plan_waves(text, text) IS 'The claimable batch by dependency wave, with what each item waits for inside it.';
COMMENT ON FUNCTION meridian.plan_waves_mermaid(text, text) IS 'The same as a Mermaid flowchart.';
COMMENT ON FUNCTION meridian.claim_sprint_item(text, text, text) IS 'Claims an item if every gate lets it through; a refusal is an answer with its reason.';
COMMENT ON FUNCTION meridian.claim_next_sprint_item(text, text, text) IS 'Claims the first claimable item that nobody else is claiming.';
COMMENT ON FUNCTION meridian.complete_sprint_item(text, text, text, text, text) IS 'Finishes a claimed item as done, failed, skipped or pushed.';
COMMENT ON FUNCTION meridian.release_sprint_item(text, text, text) IS 'Gives a claimed item back to the board.';
COMMENT ON FUNCTION meridian.request_hitl(text, text, text, text, text) IS 'Puts a question to a human, about an item or the project.';
COMMENT ON FUNCTION meridian.answer_hitl(text, text, text) IS 'Answers an open question.';
COMMENT ON FUNCTION meridian.set_capability_manifest(text, jsonb) IS 'Declares which tools a project needs and what it means when one is missing, in the place of an earlier manifest.';
COMMENT ON FUNCTION meridian.report_capability_availability(text, text, text, text) IS 'Says how it stands with one tool; the newest report counts.';
COMMENT ON FUNCTION meridian.capability_contract(text, text) IS 'What a project needs of tools, what of it there is, and whether work can start, for one version or all.';
COMMENT ON FUNCTION meridian.blocker_policy(text) IS 'Which pending items something keeps from being done, what waits for them, and whether the run goes on.';
COMMENT ON FUNCTION meridian.start_session(text, text, text, text, text, text) IS 'Begins a session and picks up the pending goal, if there is one for it.';
COMMENT ON FUNCTION meridian.end_session(text) IS 'Ends a session; false if it had ended before.';
COMMENT ON FUNCTION meridian.generate_handoff(text, text, text, text, text[], text[], boolean, boolean, boolean, boolean, boolean, jsonb, integer, jsonb, text) IS 'Renders a handoff from the board, stores it, mints its token and answers with the response envelope.';
COMMENT ON FUNCTION meridian.resolve_handoff_mode(text, text) IS 'The mode that an omitted one resolves to; never full.';
COMMENT ON FUNCTION meridian.handoff_mode_is_retrievable(text) IS 'Whether load_handoff can give a handoff of this mode again.';
COMMENT ON FUNCTION meridian.load_handoff(text) IS 'The newest stored handoff over the trusted channel; reads only.';
COMMENT ON FUNCTION meridian.mint_handoff_token(text, text, interval) IS 'Mints a single-use token, bound to the body if one is given. Whoever may call it can vouch for any text.';
COMMENT ON FUNCTION meridian.verify_handoff_token(text, text, text) IS 'Presents a token, with the text it came with, and spends it if it is genuine: one reason and its recovery.';
COMMENT ON FUNCTION meridian.strip_goal_token_banner(text) IS 'The text without its token line and banner: what the token was bound to.';
COMMENT ON FUNCTION meridian.extract_goal_block(text) IS 'The /goal block inside a text of any mode, with its token; NULL if there is none.';
COMMENT ON FUNCTION meridian.format_handoff_mcp_content(text, integer) IS 'Cuts content to a number of bytes without cutting a tag, a character or an executable block, and counts what it left out.';
COMMENT ON FUNCTION meridian.purge_handoff_tokens(interval, integer) IS 'Removes tokens that expired longer ago than the retention; gives the number of rows.';
COMMENT ON FUNCTION meridian.purge_history(interval, integer) IS 'Removes old handoffs, events and item history; the newest handoff of each project and pending goals stay. Gives the number of rows.';
COMMENT ON FUNCTION meridian.grant_access(regrole, text) IS 'Gives a role level reader, executor, planner or admin, in the place of one it had.';
COMMENT ON FUNCTION meridian.revoke_access(regrole) IS 'Takes the level of a role and every right that came with it.';
COMMENT ON FUNCTION meridian.list_access() IS 'Which roles have which level.';
COMMENT ON FUNCTION meridian.meridian_version() IS 'The version of the extension''s library.';
COMMENT ON FUNCTION meridian.attach_board(text, regclass, jsonb, jsonb, boolean, jsonb) IS 'Makes a table or view of the user''s the board of a project; nothing of it is copied.';
COMMENT ON FUNCTION meridian.detach_board(text) IS 'Ends that; the relation stays as it is.';
COMMENT ON FUNCTION meridian.guard_wave_gate() IS 'Trigger: fills wave_end from wave_start and keeps a passed gate as it was.';
COMMENT ON FUNCTION meridian.record_item_history() IS 'Trigger: writes sprint_item_history from the statement''s transition tables.';
COMMENT ON FUNCTION meridian.next_xid() IS 'Default of sprint_item_history.next_xid: the transaction id that is given away next.';
COMMENT ON TRIGGER guard_wave_gate ON meridian.wave_gates IS 'Keeps a passed gate as it was.';
COMMENT ON TRIGGER record_insert ON meridian.sprint_items IS 'Records inserted items.';
COMMENT ON TRIGGER record_update ON meridian.sprint_items IS 'Records changed items.';
COMMENT ON TRIGGER record_delete ON meridian.sprint_items IS 'Records deleted items.';
COMMENT ON TRIGGER record_truncate ON meridian.sprint_items IS 'Records how many items of each project a TRUNCATE removed.';
COMMENT ON INDEX meridian.workspace_settings_tenant IS 'One row a tenant, the NULL one included.';
COMMENT ON INDEX meridian.artifact_checks_project IS 'Checks by project and item.';
COMMENT ON INDEX meridian.sessions_project IS 'Sessions by project.';
COMMENT ON INDEX meridian.handoff_tokens_expiry IS 'For purging; consumption changes no column of it.';
COMMENT ON INDEX meridian.handoff_tokens_handoff IS 'The tokens of a handoff, for retiring them.';
COMMENT ON INDEX meridian.handoffs_project IS 'The newest handoff of a project.';
COMMENT ON INDEX meridian.events_age IS 'For purging.';
COMMENT ON INDEX meridian.events_session IS 'What a session did, the newest last.';
COMMENT ON INDEX meridian.sprint_item_history_project IS 'Changes of a project since a row.';
COMMENT ON INDEX meridian.release_transactions_open IS 'At most one open release a project, change set and path.';
COMMENT ON INDEX meridian.packets_task IS 'The packets of a task by age.';

-- Restored by another role, everything belongs to the owner of the schema again, as it did where the dump was taken.
DO $restored_owner$
DECLARE
    former name;
    member record;
BEGIN
    SELECT pg_catalog.pg_get_userbyid(n.nspowner) INTO former
    FROM pg_catalog.pg_namespace n, pg_catalog.pg_extension e
    WHERE n.nspname OPERATOR(pg_catalog.=) 'meridian' AND e.extname OPERATOR(pg_catalog.=) 'meridian_handoff'
      AND n.nspowner OPERATOR(pg_catalog.<>) e.extowner;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    FOR member IN
        SELECT d.classid, d.objid, c.relkind
        FROM pg_catalog.pg_depend d
        JOIN pg_catalog.pg_extension e ON e.oid OPERATOR(pg_catalog.=) d.refobjid
        LEFT JOIN pg_catalog.pg_class c
          ON d.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_class'::pg_catalog.regclass AND c.oid OPERATOR(pg_catalog.=) d.objid
        WHERE d.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_extension'::pg_catalog.regclass
          AND d.deptype OPERATOR(pg_catalog.=) 'e' AND e.extname OPERATOR(pg_catalog.=) 'meridian_handoff'
    LOOP
        IF member.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_proc'::pg_catalog.regclass::pg_catalog.oid THEN
            EXECUTE pg_catalog.format('GRANT EXECUTE ON FUNCTION %s TO %I WITH GRANT OPTION',
                member.objid::pg_catalog.regprocedure, former);
        ELSIF member.relkind OPERATOR(pg_catalog.=) 'r' THEN
            EXECUTE pg_catalog.format('ALTER TABLE %s OWNER TO %I', member.objid::pg_catalog.regclass, former);
        ELSIF member.relkind OPERATOR(pg_catalog.=) 'v' THEN
            EXECUTE pg_catalog.format('ALTER VIEW %s OWNER TO %I', member.objid::pg_catalog.regclass, former);
        END IF;
    END LOOP;
END
$restored_owner$;

