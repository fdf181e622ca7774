#!/usr/bin/env bash
# kill -9 of the server while eight clients generate, verify, claim and complete; after every restart it goes on.
#
# Built: a cluster with fsync on; clients that each keep a journal of what COMMIT acknowledged (helpers/stream.py).
# Every other kill takes the postmaster alone, so that its backends notice by themselves, the others all processes at once.
#
# Oracle: the journal.
#
# Asserted at the end (helpers/stream.py, check):
#   - a generation, consumption, claim or completion that was acknowledged is in the rows, with its event and history
#   - one whose COMMIT was never sent is not
#   - no token and no item was given twice, and none is taken that nobody took
#   - a transaction whose connection died during COMMIT is there as a whole or not at all; these are counted
#   - each kill was one: the server had to recover as often as it was killed
#
# Environment: SECONDS_TO_RUN (default 40; 3600 for an hour), CLIENTS (default 8); PG_CONFIG, PG_MAJOR, KEEP_LOGS (lib.sh)

# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/lib.sh"
SECONDS_TO_RUN=${SECONDS_TO_RUN:-40}
STREAM=$ROOT/tests/recovery/helpers/stream.py

# kill_server all|postmaster: returns when none of its processes is left, since a new server waits for that.
kill_server() {
    local postmaster children process
    postmaster=$(head -n 1 "$CLUSTER/data/postmaster.pid")
    children=$(ps -o pid= --ppid "$postmaster")
    kill -STOP "$postmaster"
    # shellcheck disable=SC2086  # a list of numbers
    if [[ $1 == all ]]; then kill -KILL $children; fi
    kill -KILL "$postmaster"
    for process in $postmaster $children; do
        while runs "$process"; do sleep 0.05; done
    done
    # In a container whose first process collects nobody, the dead postmaster would count as running for ever.
    sleep 0.5
    if [[ -d /proc/$postmaster ]]; then rm -f "$CLUSTER/data/postmaster.pid" "$CLUSTER"/.s.PGSQL.*; fi
}

# runs PROCESS: it is neither gone nor a zombie.
runs() { [[ $(ps -o stat= -p "$1" || true) == [!Z]* ]]; }

at_finish() { if [[ -n ${STREAMS:-} ]]; then kill "$STREAMS" 2>/dev/null || true; fi; }

install_packages python3 procps
find_postgres
export PSQL=$PG_BIN/psql

step 'starting a server with fsync on'
CLUSTER=$(new_cluster_dir crash)
start_cluster "$CLUSTER" meridian.token_ttl=3600 checkpoint_timeout=30s
sql -d postgres -c 'CREATE DATABASE crash'
sql -d crash -c 'CREATE EXTENSION meridian_handoff'
[[ $(sql -d crash -At -c 'SHOW fsync') == on ]]

step "killing it while ${CLIENTS:-8} clients work, for $SECONDS_TO_RUN s"
python3 "$STREAM" run --database crash --journal "$WORK_DIR/journal" --clients "${CLIENTS:-8}" --seconds "$SECONDS_TO_RUN" &
STREAMS=$!
END=$((SECONDS + SECONDS_TO_RUN))
KILLS=0
# The last seconds belong to the clients, so that what a restart brought back is also used.
while ((SECONDS < END - 5)); do
    sleep "$((1 + RANDOM % 3)).$((RANDOM % 10))"
    if ((KILLS++ % 2)); then kill_server postmaster; else kill_server all; fi
    resume_cluster "$CLUSTER"
done
wait "$STREAMS"
STREAMS=

step 'comparing what the clients were told with the rows'
RECOVERIES=$(grep -c 'database system was not properly shut down' "$CLUSTER/server.log")
((RECOVERIES == KILLS && KILLS > 0)) || die "$KILLS kills, but the server recovered $RECOVERIES times"
python3 "$STREAM" check --database crash --journal "$WORK_DIR/journal"
say "$KILLS kills, and every client was told the truth"
