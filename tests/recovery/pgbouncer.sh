#!/usr/bin/env bash
# Behind pgbouncer in transaction mode, where the next transaction of a client may run in another backend.
#
# Built: a cluster; pgbouncer before it with three connections for eight clients (helpers/stream.py), each of which starts
# sessions, generates, verifies, claims and completes.
#
# Oracle: the clients' journal, as after a crash; the numbers of the backends that ran a client's transactions.
#
# Asserted:
#   - no statement fails, and all that the clients were told is in the rows; nothing is given twice
#   - the clients did share: three backends at most, and each client was served by more than one
#   - a function leaves no setting behind in the connection: the next client finds none of meridian.session_id and the
#     search path, the user and the timeouts as they were
#
# Environment: SECONDS_TO_RUN (default 8); PG_CONFIG, PG_MAJOR, KEEP_LOGS (lib.sh)

# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/lib.sh"
SECONDS_TO_RUN=${SECONDS_TO_RUN:-8}
HELPERS=$ROOT/tests/recovery/helpers

# pool SQL: as one more client of the pool.
pool() { sql -h "$CLUSTER" -p "$POOL_PORT" -d board -At -c "$1"; }

start_pool() {
    POOL_PORT=$(free_port)
    printf '"postgres" ""\n' | run_as_pg tee "$CLUSTER/users" >/dev/null
    run_as_pg tee "$CLUSTER/pgbouncer.ini" >/dev/null <<INI
[databases]
board = host=$CLUSTER port=$PGPORT dbname=board
[pgbouncer]
listen_port = $POOL_PORT
unix_socket_dir = $CLUSTER
auth_type = trust
auth_file = $CLUSTER/users
pool_mode = transaction
default_pool_size = 3
max_client_conn = 40
server_round_robin = 1
ignore_startup_parameters = extra_float_digits
logfile = $CLUSTER/pgbouncer.log
pidfile = $CLUSTER/pgbouncer.pid
INI
    STEP_LOG=$CLUSTER/pgbouncer.log
    run_as_pg pgbouncer -q -d "$CLUSTER/pgbouncer.ini"
    until pool 'SELECT 1' >/dev/null 2>&1; do sleep 0.1; done
}

at_finish() { if [[ -n ${POOLER:-} ]]; then kill "$POOLER" 2>/dev/null || true; fi; }

# settings: what a backend of the pool has in force, one line for each backend that answers.
settings() {
    local _
    for _ in {1..12}; do
        pool "SELECT pg_backend_pid(), current_user, current_setting('search_path'), coalesce(current_setting('meridian.session_id', true), ''),
                     current_setting('row_security'), current_setting('lock_timeout'), current_setting('statement_timeout')"
    done | sort -u
}

install_packages pgbouncer python3
find_postgres
command -v pgbouncer >/dev/null || PATH=$PATH:/usr/sbin
export PSQL=$PG_BIN/psql

step 'starting a server and pgbouncer'
CLUSTER=$(new_cluster_dir pool)
start_cluster "$CLUSTER" --no-fsync meridian.token_ttl=3600
sql -d postgres -c 'CREATE DATABASE board'
sql -d board -c 'CREATE EXTENSION meridian_handoff'
start_pool
POOLER=$(cat "$CLUSTER/pgbouncer.pid")

step "eight clients on three connections, for $SECONDS_TO_RUN s"
python3 "$HELPERS/stream.py" run --database board --port "$POOL_PORT" --journal "$WORK_DIR/journal" --seconds "$SECONDS_TO_RUN" \
    --backends "$WORK_DIR/backends"
python3 "$HELPERS/stream.py" check --database board --journal "$WORK_DIR/journal"

step 'were they shared, and is nothing left in them'
BACKENDS=$(cut -d ' ' -f 2 "$WORK_DIR/backends" | sort -u | wc -l)
FEWEST=$(sort -u "$WORK_DIR/backends" | cut -d ' ' -f 1 | uniq -c | awk '{print $1}' | sort -n | head -n 1)
((BACKENDS <= 3 && FEWEST > 1)) || die "$BACKENDS backends, and a client that saw $FEWEST only: nothing is proved"
settings >"$WORK_DIR/settings"
LEFT=$(cut -d '|' -f 2- "$WORK_DIR/settings" | sort -u)
# shellcheck disable=SC2016  # the path is called "$user"
[[ $LEFT == 'postgres|"$user", public||on|0|0' ]] || die "left in a backend: $LEFT"
say "$BACKENDS backends ($(wc -l <"$WORK_DIR/settings") looked into) for eight clients, each of which saw at least $FEWEST; nothing was left in them"
