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
