#!/usr/bin/env bash
# Sixteen clients over a thousand projects of a hundred items: what grows, and what fails.
#
# Built: a cluster with autovacuum, PROJECTS boards, and pgbench with three kinds of clients (helpers/load): planner and
# receiver, executor, and one at SERIALIZABLE on few projects, so that clients do meet.
#
# Oracle: each script checks the answers it gets; sizes of the tables right after a VACUUM FULL of the same rows.
#
# Asserted:
#   - no statement ends in another error than 40001 or 40P01, and no answer is a wrong one
#   - memory: the backends' own memory at the end is at most 1.25 times that after a quarter of the time
#   - a consumption is a HOT update: more than nine of ten updates of handoff_tokens are
#   - bloat: no table, with its indexes and TOAST, is more than three times as large as its rows need, counting from 1 MB
#
# Environment: SECONDS_TO_RUN (default 20; 300 for the long form), CLIENTS (16), PROJECTS (1000); PG_CONFIG, PG_MAJOR,
#   KEEP_LOGS (lib.sh)

# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/lib.sh"
SECONDS_TO_RUN=${SECONDS_TO_RUN:-20}
CLIENTS=${CLIENTS:-16}
PROJECTS=${PROJECTS:-1000}
LOAD=$ROOT/tests/recovery/helpers/load

# memory: of pgbench's backends together, in kB, without the shared buffers that they have mapped.
memory() {
    local pid total=0 part
    for pid in $(sql -d load -At -c "SELECT pid FROM pg_stat_activity WHERE application_name = 'pgbench'"); do
        part=$(awk '$1 == "RssAnon:" {print $2}' "/proc/$pid/status")
        total=$((total + part))
    done
    printf '%s\n' "$total"
}

# sizes: of the tables that have some, in bytes, with all that belongs to them.
sizes() {
    sql -d load -At -F ' ' -c "SELECT oid::regclass, pg_total_relation_size(oid) FROM pg_class
        WHERE relnamespace = 'meridian'::regnamespace AND relkind = 'r' ORDER BY 1"
}

at_finish() { if [[ -n ${BENCH:-} ]]; then kill "$BENCH" 2>/dev/null || true; fi; }

find_postgres

step "making $PROJECTS projects"
CLUSTER=$(new_cluster_dir load)
start_cluster "$CLUSTER" autovacuum_naptime=2s shared_buffers=256MB max_wal_size=4GB log_autovacuum_min_duration=0
sql -d postgres -c 'CREATE DATABASE load'
sql -d load -c 'CREATE EXTENSION meridian_handoff' \
    -c "INSERT INTO meridian.projects (project_id, name) SELECT 'p-' || n, 'Load ' || n FROM generate_series(1, $PROJECTS) n" \
    -c "INSERT INTO meridian.sprint_items (project_id, item_id, title, depends_on)
        SELECT 'p-' || p, 'I-' || n, 'Item ' || n, CASE WHEN n % 10 = 0 THEN ARRAY['I-' || n - 1] ELSE '{}' END
        FROM generate_series(1, $PROJECTS) p, generate_series(1, 100) n" \
    -c 'VACUUM ANALYZE'

step "$CLIENTS clients for $SECONDS_TO_RUN s"
"$PG_BIN/pgbench" -n -M prepared -c "$CLIENTS" -j 2 -T "$SECONDS_TO_RUN" -D "projects=$PROJECTS" --max-tries=100 --failures-detailed \
    -f "$LOAD/handoff.sql@6" -f "$LOAD/work.sql@6" -f "$LOAD/serializable.sql@1" load >"$WORK_DIR/pgbench" 2>"$WORK_DIR/pgbench.errors" &
BENCH=$!
SAMPLES=()
for _ in 1 2 3; do
    sleep "$((SECONDS_TO_RUN / 4))"
    SAMPLES+=("$(memory)")
done
sleep "$((SECONDS_TO_RUN / 4 - 2))"
SAMPLES+=("$(memory)")
STEP_LOG=$WORK_DIR/pgbench.errors
# pgbench fails when a client met an error that can't be retried.
wait "$BENCH"
BENCH=
grep -E '^(tps|number of (transactions actually|serialization|deadlock)|total number of retries|latency average)' "$WORK_DIR/pgbench" \
    | sed 's/^/             /'
# An empty run would pass everything else.
(($(awk '/^number of transactions actually/ {print $NF + 0}' "$WORK_DIR/pgbench") > 10 * SECONDS_TO_RUN)) || die 'there was no load to speak of'
if grep -E 'ERROR|FATAL|PANIC' "$CLUSTER/server.log" | grep -vE 'could not serialize access|deadlock detected' >"$WORK_DIR/errors"; then
    die "in the server's log: $(head -n 3 "$WORK_DIR/errors")"
fi

step 'memory'
say "of $CLIENTS backends at each quarter, in kB: ${SAMPLES[*]}"
((SAMPLES[0] > 1000 * CLIENTS)) || die 'the backends were not found'
((SAMPLES[3] * 100 <= SAMPLES[0] * 125)) || die 'the memory of the backends grows'

step 'HOT updates'
HOT=$(sql -d load -At -c "SELECT round(n_tup_hot_upd::numeric / nullif(n_tup_upd, 0), 3)
    FROM pg_stat_user_tables WHERE relid = 'meridian.handoff_tokens'::regclass")
say "of handoff_tokens: $HOT"
[[ $(sql -d load -At -c "SELECT $HOT > 0.9") == t ]] || die 'consumption is not HOT'

step 'bloat'
sizes >"$WORK_DIR/sizes"
sql -d load -c 'VACUUM FULL'
sizes >"$WORK_DIR/sizes.full"
# Nothing that autovacuum has not been to would show what it does.
VACUUMED=$(sql -d load -At -c "SELECT count(*) FROM pg_stat_user_tables WHERE schemaname = 'meridian' AND autovacuum_count > 0")
((VACUUMED > 0)) || die 'autovacuum was never there'
BLOAT=$(paste -d ' ' "$WORK_DIR/sizes" "$WORK_DIR/sizes.full" | awk '$2 > 1048576 {printf "%.2f %s %.1f MB\n", $2 / $4, $1, $2 / 1048576}' | sort -rn)
printf '             %s\n' "${BLOAT//$'\n'/$'\n             '}"
awk '$1 > 3 {found = 1} END {exit found}' <<<"$BLOAT" || die 'autovacuum does not keep the tables small'
say 'no error but those to be retried, and nothing that grows without need'
