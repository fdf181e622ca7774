#!/usr/bin/env bash
# A physical standby: reading there, refusing to write there, and taking over in the middle of the work.
#
# Built: a primary and a synchronous standby of it by pg_basebackup; a board with rows in it (helpers/board.sql); then
# eight clients at work on the primary (helpers/stream.py), which is killed while they are.
#
# Oracle: the primary's answers; then the clients' journal of what COMMIT acknowledged.
#
# Asserted:
#   - every function that the catalog calls stable or immutable runs on the standby, and listing, revision, cross-check,
#     waves, history, mode and load_handoff answer as on the primary; every volatile one answers 25006 (helpers/standby.py)
#   - after promotion what was acknowledged is there: a spent token stays spent, a claim stays with its holder, as in
#     helpers/stream.py; and clients go on at the new primary with the same tokens and items, where nothing is given twice
#
# Environment: SECONDS_TO_RUN (default 6 before and 4 after the promotion); PG_CONFIG, PG_MAJOR, KEEP_LOGS (lib.sh)

# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/lib.sh"
SECONDS_TO_RUN=${SECONDS_TO_RUN:-6}
HELPERS=$ROOT/tests/recovery/helpers

# start_standby DIR: of the cluster that PGHOST and PGPORT point at.
start_standby() {
    STANDBY_PORT=$(free_port)
    logged run_as_pg env PGAPPNAME=standby "$PG_BIN/pg_basebackup" -h "$PGHOST" -p "$PGPORT" -U postgres -D "$1/data" \
        -R -X stream --checkpoint=fast --no-sync
    printf "port = %s\nunix_socket_directories = '%s'\nsynchronous_standby_names = ''\n" "$STANDBY_PORT" "$1" \
        | run_as_pg tee -a "$1/data/postgresql.conf" >/dev/null
    resume_cluster "$1"
}

# check_primary: the whole journal against the server that PGHOST and PGPORT point at.
check_primary() { python3 "$HELPERS/stream.py" check --database board --journal "$WORK_DIR/journal"; }

at_finish() { if [[ -n ${STREAMS:-} ]]; then kill "$STREAMS" 2>/dev/null || true; fi; }

install_packages python3
find_postgres
export PSQL=$PG_BIN/psql

step 'starting a primary and its standby'
PRIMARY=$(new_cluster_dir primary)
STANDBY=$(new_cluster_dir standby)
CLUSTERS+=("$STANDBY")
start_cluster "$PRIMARY" meridian.token_ttl=3600
sql -d postgres -c 'CREATE DATABASE board'
sql -d board -c 'CREATE EXTENSION meridian_handoff' -f "$HELPERS/board.sql"
start_standby "$STANDBY"

step 'every function on the standby'
python3 "$HELPERS/standby.py" "$PGHOST" "$PGPORT" "$STANDBY" "$STANDBY_PORT" board

step 'promoting it in the middle of the work'
# What is acknowledged from here on is on the standby's disk.
sql -d postgres -c "ALTER SYSTEM SET synchronous_standby_names = '*'" -c 'SELECT pg_reload_conf()' -o /dev/null
until [[ $(sql -d postgres -At -c "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'") == 1 ]]; do sleep 0.1; done
python3 "$HELPERS/stream.py" run --database board --journal "$WORK_DIR/journal" --seconds "$SECONDS_TO_RUN" &
STREAMS=$!
sleep "$((SECONDS_TO_RUN - 2))"
logged run_as_pg "$PG_BIN/pg_ctl" -D "$PRIMARY/data" -m immediate -w stop
logged run_as_pg "$PG_BIN/pg_ctl" -D "$STANDBY/data" -w promote
PGHOST=$STANDBY PGPORT=$STANDBY_PORT
wait "$STREAMS"
STREAMS=
[[ $(sql -d board -At -c 'SELECT pg_is_in_recovery()') == f ]]
check_primary

step 'going on at the new primary'
python3 "$HELPERS/stream.py" run --database board --journal "$WORK_DIR/journal" --seconds "$((SECONDS_TO_RUN - 2))" --resume
check_primary
say 'the standby reads, refuses to write, and knows after its promotion all that was acknowledged before'
