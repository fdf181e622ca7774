#!/usr/bin/env bash
# Calls that are stopped in the middle: by locks, cancels, timeouts, dying clients, and by a server that runs out of locks,
# of room for temporary files, and of room for its write-ahead log.
#
# Built: a board with rows in it (helpers/board.sql), one of them large; a new database for each kind of fault; a cluster
# with a small table of locks; a cluster whose write-ahead log lies on a file system of 80 MB, under helpers/stream.py.
#
# Oracle: the rows before the call, by digest over every table; for the log, the clients' journal.
#
# Asserted for each function that reads a table, found in the catalog and called with arguments that succeed
# (helpers/interrupt.py, helpers/calls.py):
#   - behind a lock on each of the extension's tables: 55P03 if it needs the table, else success
#   - cancelled or out of time, while it waits or computes: 57014, soon; with no lock to be had: 53200; with no room for
#     temporary files: 53400. Never an answer, never an error of its own instead
#   - then no row has changed, user and settings are as before, the connection works and so does the same call
#   - a client's death before COMMIT leaves nothing, after COMMIT everything
#   - with no room for the log the server says so, and when there is room again all that was acknowledged is there
#
# Mounting a file system takes root: for anybody else the last one is skipped, and the output says so.
#
# Environment: PG_CONFIG, PG_MAJOR, KEEP_LOGS (lib.sh)

# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/lib.sh"
HELPERS=$ROOT/tests/recovery/helpers
MOUNTED=
WRONG=()

at_finish() {
    if [[ -n ${STREAMS:-} ]]; then kill "$STREAMS" 2>/dev/null || true; fi
    if [[ -n $MOUNTED ]]; then
        ! mountpoint -q "$MOUNTED" || umount "$MOUNTED"
        rmdir "$MOUNTED"
    fi
}

# make_board SETTING…: a cluster and in it the database that others are copied from.
make_board() {
    local directory
    directory=$(new_cluster_dir loss)
    start_cluster "$directory" --no-fsync "$@"
    sql -d postgres -c 'CREATE DATABASE board'
    sql -d board -c 'CREATE EXTENSION meridian_handoff' -f "$HELPERS/board.sql"
}

# interrupt KIND [TEMPLATE]: one kind of fault, in a database of its own. The others are still tried if it goes wrong.
interrupt() {
    step "$1"
    sql -d postgres -c "CREATE DATABASE $1 TEMPLATE ${2:-board}"
    python3 "$HELPERS/interrupt.py" "$1" "$1" || WRONG+=("$1")
}

# move_log DIR: the write-ahead log of a stopped cluster to a small file system.
move_log() {
    MOUNTED=$(mktemp -d /tmp/mh-wal.XXXXXX)
    mount -t tmpfs -o size=80m,mode=700,uid="$(id -u postgres)" tmpfs "$MOUNTED"
    run_as_pg mv "$1/data/pg_wal" "$MOUNTED/pg_wal"
    run_as_pg ln -s "$MOUNTED/pg_wal" "$1/data/pg_wal"
}

full_log() {
    local directory
    directory=$(new_cluster_dir full)
    start_cluster "$directory" meridian.token_ttl=3600 min_wal_size=32MB max_wal_size=48MB wal_recycle=off
    sql -d postgres -c 'CREATE DATABASE full_log'
    sql -d full_log -c 'CREATE EXTENSION meridian_handoff'
    logged run_as_pg "$PG_BIN/pg_ctl" -D "$directory/data" -m fast -w stop
    move_log "$directory"
    resume_cluster "$directory"

    python3 "$HELPERS/stream.py" run --database full_log --journal "$WORK_DIR/journal" --seconds 10 &
    STREAMS=$!
    sleep 2
    # All that is left, so that the next segment of the log finds no room.
    dd if=/dev/zero of="$MOUNTED/ballast" bs=64k 2>/dev/null || true
    until grep -q 'No space left on device' "$directory/server.log"; do
        kill -0 "$STREAMS"
        sleep 0.2
    done
    sleep 1
    rm "$MOUNTED/ballast"
    local freed
    freed=$(date --iso-8601=seconds)
    # The server may have given up or be up again by itself.
    run_as_pg "$PG_BIN/pg_ctl" -D "$directory/data" status >/dev/null || resume_cluster "$directory"
    wait "$STREAMS"
    STREAMS=
    # Some of the clients' work has to be from after that.
    [[ $(sql -d full_log -At -c "SELECT count(*) > 0 FROM meridian.events WHERE occurred_at > '$freed'") == t ]]
    python3 "$HELPERS/stream.py" check --database full_log --journal "$WORK_DIR/journal"
    # Before the file system goes.
    stop_cluster "$directory"
}

install_packages python3
find_postgres
export PSQL=$PG_BIN/psql

step 'making boards'
make_board
sql -d postgres -c 'CREATE DATABASE large TEMPLATE board'
sql -d large -c "INSERT INTO meridian.sprint_items (project_id, item_id, title) SELECT 'demo', 'L-' || n, 'Large ' || n FROM generate_series(1, 20000) n"
interrupt locks
interrupt cancel
interrupt clients
interrupt computing large
interrupt temp_files large
make_board max_locks_per_transaction=10 max_connections=12 autovacuum=off
interrupt lock_table

step 'a full file system under the write-ahead log'
if is_root; then full_log; else say 'SKIPPED: only root can mount a file system to fill'; fi

step 'summing up'
if ((${#WRONG[@]})); then die "wrong: ${WRONG[*]}"; fi
say 'whatever stopped a call, it left nothing half done'
