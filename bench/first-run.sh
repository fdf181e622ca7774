#!/usr/bin/env bash
# From a checkout to a verified handoff: scripts/demo with an empty target directory, by step. What earlier runs have left
# in cargo's registry and among the system's packages stays, and is told by the steps being short.

set -euo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
TARGET=$(mktemp -d)
trap 'rm -rf "$TARGET"' EXIT

# The clock of the run that measures is not the demo's.
STORY=$(STEPS_BEGAN=$EPOCHSECONDS CARGO_TARGET_DIR=$TARGET "$ROOT/scripts/demo")
[[ -d $TARGET/release ]] || exit 1

# Steps read `==> [ SECONDS s] NAME`; each lasts until the next one begins.
began=0 name=
while IFS= read -r line; do
    [[ $line =~ ^'==> ['\ *([0-9]+)\ s\]\ (.*)$ ]] || continue
    at=${BASH_REMATCH[1]}
    if [[ -n $name ]] && ((at > began)); then
        sql -c "CALL bench.note('first run: ' || left(\$\$$name\$\$, 60), ROW($((at - began)), NULL), ' s')"
    fi
    began=$at name=${BASH_REMATCH[2]}
done <<<"$STORY"
sql -c "CALL bench.note('first run, all of it', ROW($began, NULL), ' s')"
