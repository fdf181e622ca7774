#!/usr/bin/env bash
# verify_handoff_token by four clients over prepared statements, each token presented once and each a commit of its own,
# with synchronous_commit on and off. Against
#   - a bare one-row UPDATE … RETURNING on an equal table: the least that spending a token can cost;
#   - an equivalent function in PL/pgSQL with pgcrypto, both with a body of 8 kB to hash.
#
# Environment: ROUNDS (5), TOKENS_PER_CLIENT (2500)

set -euo pipefail
HERE=$(dirname "${BASH_SOURCE[0]}")
CLIENTS=4
ROUNDS=${ROUNDS:-5}
TOKENS=${TOKENS_PER_CLIENT:-2500}
SCRIPTS=$(mktemp -d)
trap 'rm -rf "$SCRIPTS"' EXIT

SIDES=(bare verify verify_body plpgsql_body)

# One script a side. A client counts up from its own first token; the body is a literal, so it is parsed once.
write_scripts() {
    local body token="'bench-token-' || :token::text"
    body=$(sql -At -c 'SELECT quote_literal(bench.body())')
    local -A statements=(
        [bare]="UPDATE bench.tokens SET consumed_at = clock_timestamp() WHERE token_digest = sha256(convert_to($token, 'UTF8')) RETURNING project_id, expires_at"
        [verify]="SELECT meridian.verify_handoff_token('bench', $token)"
        [verify_body]="SELECT meridian.verify_handoff_token('bench', $token, $body)"
        [plpgsql_body]="SELECT bench.verify_token('bench', $token, $body)"
    )
    local side
    for side in "${SIDES[@]}"; do
        printf '\\set token :client_id * %d + :spent\n\\set spent :spent + 1\n%s;\n' \
            "$TOKENS" "${statements[$side]}" >"$SCRIPTS/$side.sql"
    done
}

# Hundredths of a second that the server's processes which have ended were on a processor.
spent_by_server() {
    local postmaster fields
    postmaster=$(sql -At -c "SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)")
    if read -r -a fields <"/proc/$postmaster/stat"; then printf '%s\n' $((fields[15] + fields[16])); fi 2>/dev/null
}

# run SYNCHRONOUS_COMMIT SIDE: prints the milliseconds that a transaction took on average, all clients together, and those
# that the server was on a processor for it.
run() {
    local before after tps
    sql -c "CALL bench.fill_tokens($((CLIENTS * TOKENS)))" -c 'VACUUM ANALYZE meridian.handoff_tokens' \
        -c 'VACUUM ANALYZE bench.tokens' -c CHECKPOINT
    before=$(spent_by_server)
    tps=$(PGOPTIONS="-c synchronous_commit=$1" "$PG_BIN/pgbench" -n -M prepared -c $CLIENTS -j 2 -t "$TOKENS" -D spent=0 \
        -f "$SCRIPTS/$2.sql" 2>&1 | sed -n 's/^tps = \([0-9.]*\) .*/\1/p')
    after=$(spent_by_server)
    printf '1000 / %s, %s\n' "$tps" "${after:+10.0 * ($after - $before) / $((CLIENTS * TOKENS))}"
}

# All of a run's tokens must be spent, or it measured something else.
check_spent() {
    local table=bench.tokens
    case $1 in verify*) table=meridian.handoff_tokens ;; esac
    local left
    left=$(sql -At -c "SELECT count(*) FROM $table WHERE consumed_at IS NULL")
    if ((left > 0)); then
        printf 'side %s left %d tokens unspent\n' "$1" "$left" >&2
        exit 1
    fi
}

race() {
    local commit=$1 round turn side times
    for ((round = 0; round <= ROUNDS; round++)); do
        for ((turn = 0; turn < ${#SIDES[@]}; turn++)); do
            side=${SIDES[(round + turn) % ${#SIDES[@]}]}
            times=$(run "$commit" "$side")
            check_spent "$side"
            # The first round warms up.
            if ((round > 0)); then
                sql -c "INSERT INTO bench.run (what, side, ms, cpu_ms) VALUES ('synchronous_commit $commit', '$side', $times)"
            fi
        done
    done
}

# judge SYNCHRONOUS_COMMIT SHARE-OF-BARE
judge() {
    local what="synchronous_commit $1"
    sql -c "CALL bench.at_least('verify, rate as a share of a bare UPDATE, $what', bench.ratio('$what', 'bare', 'verify'), $2)" \
        -c "CALL bench.at_least('verify with 8 kB, rate as a share of a bare UPDATE, $what', bench.ratio('$what', 'bare', 'verify_body'), $2)" \
        -c "CALL bench.at_least('verify with 8 kB, rate against PL/pgSQL and pgcrypto, $what', bench.ratio('$what', 'plpgsql_body', 'verify_body'), 1.1)"
}

sql -f "$HERE/verify/equivalent.sql"
write_scripts
race on
race off
judge on 0.80
judge off 0.70
