#!/usr/bin/env bash
# board_revision of 1,000,000 items, against a bare pass over the ids (the least that any digest of a board must read) and
# against the digest that one would write in SQL; and the memory that the backend takes for it.
#
# Twice: with ids that rise in the order of the rows, and with random ones as the table gives them by default, whose order
# has nothing to do with where the rows lie.

set -euo pipefail
HERE=$(dirname "${BASH_SOURCE[0]}")

# private_memory PID: kilobytes that the process shares with nobody, so without PostgreSQL's shared buffers.
private_memory() {
    local field value rest
    while read -r field value rest; do
        if [[ $field == RssAnon: ]]; then printf '%s\n' "$value"; fi
    done 2>/dev/null <"/proc/$1/status" || true
}

# The growth of a new backend over one call, in MiB: its highest private memory, looked at some hundred times a second,
# less what it had before. Loading the library counts.
memory_growth() {
    local pid before now highest=0
    PGAPPNAME='bench memory' sql -o /dev/null -c 'SELECT pg_sleep(1)' -c "SELECT meridian.board_revision('board')" &
    sleep 0.5
    pid=$(sql -Atc "SELECT pid FROM pg_stat_activity WHERE application_name = 'bench memory'")
    before=$(private_memory "$pid")
    while now=$(private_memory "$pid") && [[ -n $now ]]; do
        if ((now > highest)); then highest=$now; fi
        sleep 0.005
    done
    wait $!
    printf '%s\n' "$(((highest - before) * 100 / 1024))e-2"
}

sql -f "$HERE/revision/race.sql"
if [[ -r /proc/self/status ]]; then
    sql -c "CALL bench.at_most('memory that a revision of 1,000,000 items takes', ROW($(memory_growth), NULL), 32, ' MiB')"
fi
