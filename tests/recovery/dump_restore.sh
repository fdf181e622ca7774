#!/usr/bin/env bash
# A database with a row in every table of the extension, dumped and restored into another server, and taken along by
# pg_upgrade.
#
# Built: one cluster with two such databases, one of a superuser's and one whose owner is no superuser (helpers/board.sql
# and used.sql fill them); a second cluster that dumps are restored into, by the same kind of role; a third one that
# pg_upgrade makes of the first.
#
# Oracle: digests of all tables and positions of all sequences, taken before the dump (helpers/digests.sql).
#
# Asserted for plain, custom and directory format (-j4), and for pg_upgrade:
#   - the restore raises no error, and each row is there once: tables and sequences give the digests of the original;
#     history, which triggers write, is not written a second time by the load itself
#   - life goes on (helpers/restored.sql): tokens keep their states, claims their holders; sequences run on; boards, the
#     attached one included, have their revisions; a change is recorded once
#
# Environment: PG_CONFIG, PG_MAJOR, KEEP_LOGS (lib.sh)

# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/lib.sh"
HELPERS=$ROOT/tests/recovery/helpers

# make_original DATABASE: as the current PGUSER.
make_original() {
    logged sql -d "$1" -c 'CREATE EXTENSION meridian_handoff'
    logged sql -d "$1" -1 -f "$HELPERS/board.sql"
    logged sql -d "$1" -f "$HELPERS/used.sql"
}

# digests DATABASE: as text, to be compared.
digests() { sql -d "$1" -At -f "$HELPERS/digests.sql" -c 'SELECT * FROM pg_temp.digests()'; }

# same_as_before DATABASE ORIGINAL: nothing was lost, doubled or changed; and it can be worked with.
same_as_before() {
    digests "$1" >"$WORK_DIR/$1.restored"
    diff -u "$WORK_DIR/$2.digests" "$WORK_DIR/$1.restored"
    logged sql -d "$1" -f "$HELPERS/restored.sql"
}

# restore FORMAT FILE DATABASE
restore() {
    case $1 in
        plain) logged sql -d "$3" -f "$2" ;;
        custom) logged "$PG_BIN/pg_restore" --exit-on-error -d "$3" "$2" ;;
        directory) logged "$PG_BIN/pg_restore" --exit-on-error -j 4 -d "$3" "$2" ;;
    esac
}

find_postgres

step 'filling a database of a superuser and one of an owner who is none'
OLD=$(new_cluster_dir old)
start_cluster "$OLD" --no-fsync
OLD_PORT=$PGPORT
# A restored row must not depend on the new server having come as far as the old one in counting transactions.
sql -d postgres -c 'DO $$ BEGIN FOR i IN 1..20000 LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$'
sql -d postgres -c 'CREATE ROLE keeper LOGIN' -c 'CREATE DATABASE postgres_original' -c 'CREATE DATABASE keeper_original OWNER keeper'
for role in postgres keeper; do
    PGUSER=$role make_original "${role}_original"
    PGUSER=$role digests "${role}_original" >"$WORK_DIR/${role}_original.digests"
done

step 'dumping them in each format'
declare -A OPTIONS=([plain]=-Fp [custom]=-Fc [directory]='-Fd -j4')
for role in postgres keeper; do
    for format in "${!OPTIONS[@]}"; do
        read -ra options <<<"${OPTIONS[$format]}"
        PGUSER=$role logged "$PG_BIN/pg_dump" "${options[@]}" -f "$WORK_DIR/$role.$format" "${role}_original"
    done
done

NEW=$(new_cluster_dir new)
start_cluster "$NEW" --no-fsync
sql -d postgres -c 'CREATE ROLE keeper LOGIN'
for role in postgres keeper; do
    for format in "${!OPTIONS[@]}"; do
        step "restoring $format as $role"
        sql -d postgres -c "CREATE DATABASE ${role}_$format OWNER $role"
        PGUSER=$role restore "$format" "$WORK_DIR/$role.$format" "${role}_$format"
        PGUSER=$role same_as_before "${role}_$format" "${role}_original"
    done
done

step "pg_upgrade from $PG_MAJOR to $PG_MAJOR"
UPGRADED=$(new_cluster_dir upgraded)
CLUSTERS+=("$UPGRADED")
logged run_as_pg "$PG_BIN/initdb" -D "$UPGRADED/data" -U postgres --auth=trust --encoding=UTF8 --locale=C.UTF-8 --no-sync
logged run_as_pg "$PG_BIN/pg_ctl" -D "$OLD/data" -m fast -w stop
# From a directory where it may leave its files.
# shellcheck disable=SC2016  # expanded by the inner shell
logged run_as_pg bash -c 'cd "$0" && exec "$@"' "$UPGRADED" "$PG_BIN/pg_upgrade" -U postgres -b "$PG_BIN" -B "$PG_BIN" \
    -d "$OLD/data" -D "$UPGRADED/data" -s "$UPGRADED" -p "$OLD_PORT" -P "$(free_port)"
PGPORT=$(free_port) PGHOST=$UPGRADED
printf "port = %s\nlisten_addresses = ''\nunix_socket_directories = '%s'\n" "$PGPORT" "$UPGRADED" \
    | run_as_pg tee -a "$UPGRADED/data/postgresql.conf" >/dev/null
resume_cluster "$UPGRADED"
for role in postgres keeper; do PGUSER=$role same_as_before "${role}_original" "${role}_original"; done

say 'three formats by two roles, and pg_upgrade by both: every row once, and everything goes on'
