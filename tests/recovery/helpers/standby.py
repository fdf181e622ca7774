"""On a standby: what reads works and gives what the primary gives, what writes answers 25006. Exits 1 if anything doesn't.

    standby.py PRIMARY_HOST PRIMARY_PORT STANDBY_HOST STANDBY_PORT DATABASE
"""

import sys
import time

from calls import Calls
from session import Session, SqlError

ANSWERS = {
    "get_sprint_items": "SELECT string_agg(i::text, E'\\t') FROM meridian.get_sprint_items('demo') i",
    "board_revision": "SELECT meridian.board_revision('demo') || meridian.board_revision('attached')",
    "cross_check_items": "SELECT string_agg(i::text, ' ') FROM meridian.cross_check_items('demo', ARRAY['T-1', 'T-3', 'never']) i",
    "plan_waves": "SELECT string_agg(w::text, ' ') FROM meridian.plan_waves('demo') w",
    "load_handoff": "SELECT meridian.load_handoff('demo')::text",
    "resolve_handoff_mode": "SELECT meridian.resolve_handoff_mode(NULL, (SELECT min(session_id) FROM meridian.sessions))",
    "board_changes_since": "SELECT string_agg(c::text, ' ') FROM meridian.board_changes_since('demo', 0) c",
}


def caught_up(primary, standby):
    target = primary.one("SELECT pg_current_wal_lsn()")
    for _ in range(300):
        if standby.one(f"SELECT pg_last_wal_replay_lsn() >= '{target}'") == "t":
            return
        time.sleep(0.1)
    raise AssertionError("the standby does not catch up")


def main(primary_host, primary_port, standby_host, standby_port, database):
    primary = Session(database, host=primary_host, port=primary_port)
    standby = Session(database, host=standby_host, port=standby_port)
    calls = Calls(primary)
    calls.prepare(primary)
    caught_up(primary, standby)

    wrong, reading, writing = [], 0, 0
    for function in calls.functions:
        statement = calls.sql(function)
        if function.writes:
            expected, writing = "25006", writing + 1
            # Whatever it would have answered: a project that isn't there is no reason to answer anything else.
            for variant in (statement, calls.sql(function, project_id="nowhere")):
                got = standby.error_of(variant)
                if got != expected:
                    wrong.append(f"{got} instead of {expected} from {variant[:200]}")
            primary.run("BEGIN")
            got = primary.error_of(statement)
            primary.run("ROLLBACK")
            if got != "00000":
                wrong.append(f"the sample for {function.name} fails on the primary, too: {got}")
        else:
            reading += 1
            try:
                standby.run(statement)
            except SqlError as error:
                wrong.append(f"{function.name}: {error}")
    for name, query in ANSWERS.items():
        there, here = primary.one(query), standby.one(query)
        if there != here or not there:
            wrong.append(f"{name} differs: {there[:200]} on the primary, {here[:200]} on the standby")
    if not writing or not reading:
        wrong.append("no function was tried")
    for line in wrong:
        print(f"wrong: {line}", file=sys.stderr)
    print(f"{reading} reading functions work on the standby, {writing} writing ones are tried, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
