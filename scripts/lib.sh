# shellcheck shell=bash disable=SC2034  # its variables are read by the scripts that source it
# What install, demo, test and bench share: steps with their times, a failure that names its step, packages, and a
# private throwaway cluster. To be sourced; it starts nothing by itself.
#
# Environment:
#   PG_CONFIG   the pg_config of the PostgreSQL to build against; default: PostgreSQL $PG_MAJOR as Debian installs it,
#               else the pg_config on the PATH
#   PG_MAJOR    the major version whose packages are installed where PG_CONFIG is not given; default 15
#   KEEP_LOGS   set to anything: keep the directory of logs and clusters of a run that succeeded, too

set -euo pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
PG_MAJOR=${PG_MAJOR:-15}
PG_CONFIG_GIVEN=${PG_CONFIG:-}

# A backtrace in the server's environment ends up in the DETAIL of errors, and message texts must not depend on the
# language of whoever runs this.
unset RUST_BACKTRACE
export LC_ALL=C.UTF-8

# --- steps and failures -------------------------------------------------------------------------------------------

STEP='starting'
STEP_LOG=
CLUSTERS=()

# A script that calls another one shares its clock.
export STEPS_BEGAN=${STEPS_BEGAN:-$EPOCHSECONDS}
SECONDS=$((EPOCHSECONDS - STEPS_BEGAN))

# All that a run leaves behind lies here. Readable by all, because the server's user works below it.
WORK_DIR=$(mktemp -d "${TMPDIR:-/tmp}/meridian.XXXXXX")
chmod 755 "$WORK_DIR"

# say TEXT: one line of the story, with the seconds since the start.
say() { printf '==> [%4d s] %s\n' "$SECONDS" "$*"; }

# step TEXT: begins a step; until the next one a failure is reported under this name.
step() {
    STEP=$*
    STEP_LOG=
    say "$STEP"
}

die() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

# logged COMMAND…: runs it with its output in the step's log, which is shown only when the step fails.
logged() {
    STEP_LOG=${STEP_LOG:-$(mktemp "$WORK_DIR/step.XXXXXX")}
    "$@" >>"$STEP_LOG" 2>&1
}

# The one EXIT trap: reports the failed step, stops every cluster that is still up, removes what was left. A script that
# has told of its failures itself sets REPORTED; one that has a last word defines at_finish, which gets the exit status.
finish() {
    local status=$?
    trap - EXIT
    if ((status != 0)) && [[ -z ${REPORTED:-} ]]; then
        printf '\nFAILED after %d s in: %s (exit status %d)\n' "$SECONDS" "$STEP" "$status" >&2
        if [[ -s ${STEP_LOG:-} ]]; then
            printf -- '--- the end of its log, %s\n' "$STEP_LOG" >&2
            tail -n 40 "$STEP_LOG" >&2
        fi
    fi
    local directory
    for directory in "${CLUSTERS[@]}"; do stop_cluster "$directory" || true; done
    if ((status == 0)) && [[ -z ${KEEP_LOGS:-} ]]; then
        rm -rf "$WORK_DIR"
    else
        printf 'The logs are in %s\n' "$WORK_DIR" >&2
    fi
    if declare -F at_finish >/dev/null; then at_finish "$status"; fi
    exit "$status"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# --- who runs what ------------------------------------------------------------------------------------------------

is_root() { [[ $(id -u) -eq 0 ]]; }

# as_root COMMAND…: directly as root, by sudo where there is one.
as_root() {
    if is_root; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        die "'$*' needs root, and there is no sudo"
    fi
}

# put MODE TARGET FILE…: copies the files into directory TARGET, as root where one may not write there.
put() {
    local mode=$1 target=$2 become=()
    shift 2
    local above=$target
    while [[ ! -d $above ]]; do above=$(dirname "$above"); done
    [[ -w $above ]] || become=(as_root)
    "${become[@]}" install -d "$target"
    "${become[@]}" install -m "$mode" "$@" "$target/"
}

# run_as_pg COMMAND…: as the unprivileged user who owns the clusters: postgres when root runs this, else oneself.
# From /, since that user may not be allowed into the present directory.
run_as_pg() {
    if is_root; then
        (cd / && runuser -u postgres -- "$@")
    else
        "$@"
    fi
}

# --- packages -----------------------------------------------------------------------------------------------------

package_installed() { [[ $(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null) == installed ]]; }

# install_packages NAME…: those that are missing, on Debian and its kin. Elsewhere it says what would be needed and
# goes on: the build tells soon enough.
install_packages() {
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        say "no apt here, so nothing is installed; needed are the like of: $*"
        return
    fi
    local missing=() name
    for name in "$@"; do package_installed "$name" || missing+=("$name"); done
    ((${#missing[@]})) || return 0
    if ! is_root && ! command -v sudo >/dev/null; then
        say "not root and no sudo, so these packages stay missing: ${missing[*]}"
        return
    fi
    say "installing ${missing[*]}"
    logged as_root apt-get update
    logged as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"
}

# What a build needs; PostgreSQL itself only where no PG_CONFIG points at one.
install_build_packages() {
    local packages=(libclang-dev clang gcc libc6-dev pkg-config)
    if [[ -z $PG_CONFIG_GIVEN ]]; then
        packages+=("postgresql-$PG_MAJOR" "postgresql-server-dev-$PG_MAJOR")
    fi
    install_packages "${packages[@]}"
}

# --- PostgreSQL ---------------------------------------------------------------------------------------------------

# find_postgres: sets and exports PG_CONFIG, sets PG_MAJOR, PG_BIN and PG_TOOLS (pg_regress and its kin).
find_postgres() {
    local debian=/usr/lib/postgresql/$PG_MAJOR/bin/pg_config
    if [[ -z ${PG_CONFIG:-} ]]; then
        if [[ -x $debian ]]; then PG_CONFIG=$debian; else PG_CONFIG=$(command -v pg_config || true); fi
    fi
    [[ -n $PG_CONFIG && -x $PG_CONFIG ]] || die "no pg_config found; set PG_CONFIG to the one of your PostgreSQL"
    [[ -f $("$PG_CONFIG" --includedir-server)/postgres.h ]] \
        || die "the server headers of $PG_CONFIG are missing (Debian: postgresql-server-dev-$PG_MAJOR)"
    local version
    version=$("$PG_CONFIG" --version)
    version=${version#PostgreSQL }
    PG_MAJOR=${version%%[!0-9]*}
    PG_BIN=$("$PG_CONFIG" --bindir)
    PG_TOOLS=$(dirname "$("$PG_CONFIG" --pgxs)")/../test
    export PG_CONFIG
}

# The psql of that PostgreSQL, quiet, stopping at the first error, without the caller's psqlrc.
sql() { "$PG_BIN/psql" -X -q -v ON_ERROR_STOP=1 "$@"; }

# new_cluster_dir NAME: prints a fresh directory that belongs to the cluster's user and to nobody else. Short, since
# the path of a socket ends at 107 bytes.
new_cluster_dir() {
    local directory
    directory=$(mktemp -d "/tmp/mh-$1.XXXXXX")
    if is_root; then chown postgres "$directory"; fi
    printf '%s\n' "$directory"
}

free_port() {
    local port
    while :; do
        port=$((20000 + RANDOM % 30000))
        (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || break
    done
    printf '%s\n' "$port"
}

# start_cluster DIR [--no-fsync] [SETTING=VALUE…]: a private cluster in DIR, where the data, the sockets and the log
# are. Through the socket every role is let in without a password: only the cluster's user and root can enter DIR.
# Over TCP (127.0.0.1) a password is asked for; DIR/pgpass holds it. Points PGHOST, PGPORT and PGUSER at the cluster.
start_cluster() {
    local directory=$1 settings=() durable=on
    shift
    while (($#)); do
        case $1 in
            --no-fsync) durable=off ;;
            *) settings+=("$1") ;;
        esac
        shift
    done
    PGPORT=$(free_port) PGHOST=$directory PGUSER=postgres
    export PGHOST PGPORT PGUSER

    local password
    password=$(od -An -N18 -tx1 /dev/urandom | tr -d ' \n')
    printf '%s' "$password" | run_as_pg tee "$directory/password" >/dev/null
    printf '127.0.0.1:%s:*:postgres:%s' "$PGPORT" "$password" | run_as_pg tee "$directory/pgpass" >/dev/null
    run_as_pg chmod 600 "$directory/pgpass" "$directory/password"

    logged run_as_pg "$PG_BIN/initdb" -D "$directory/data" -U postgres --pwfile="$directory/password" \
        --auth-local=trust --auth-host=scram-sha-256 --encoding=UTF8 --locale=C.UTF-8 --no-sync
    run_as_pg rm "$directory/password"
    {
        printf "port = %s\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = '%s'\n" "$PGPORT" "$directory"
        printf "fsync = %s\nmax_connections = 60\n" "$durable"
        local setting
        for setting in "${settings[@]}"; do printf "%s = '%s'\n" "${setting%%=*}" "${setting#*=}"; done
    } | run_as_pg tee -a "$directory/data/postgresql.conf" >/dev/null
    CLUSTERS+=("$directory")
    resume_cluster "$directory"
}

# resume_cluster DIR: starts the server of a cluster that lies there already, after a stop or a crash.
resume_cluster() {
    logged run_as_pg "$PG_BIN/pg_ctl" -D "$1/data" -l "$1/server.log" -w -t 60 start || {
        STEP_LOG=$1/server.log
        return 1
    }
}

# stop_cluster DIR: stops it if it runs, and removes DIR.
stop_cluster() {
    local directory=$1
    [[ -d $directory ]] || return 0
    if run_as_pg "$PG_BIN/pg_ctl" -D "$directory/data" status >/dev/null 2>&1; then
        run_as_pg "$PG_BIN/pg_ctl" -D "$directory/data" -m fast -w stop >/dev/null 2>&1
    fi
    # A failed run keeps the server's log beside the others.
    if [[ -d $WORK_DIR && -f $directory/server.log ]]; then cp "$directory/server.log" "$WORK_DIR/${directory##*/}.log"; fi
    rm -rf "$directory"
}

# keep_cluster DIR: takes it out of the clean-up at the end.
keep_cluster() {
    local kept=() directory
    for directory in "${CLUSTERS[@]}"; do [[ $directory == "$1" ]] || kept+=("$directory"); done
    CLUSTERS=("${kept[@]}")
}
