"""Every function, stopped in the middle: by a lock on each table, by a cancel, by statement_timeout, by a client that dies,
and by a server that has run out of locks or of room for temporary files.

    interrupt.py locks | cancel | computing | clients | lock_table | temp_files   DATABASE

Whatever stopped it, the error is the server's own, no row of any table has changed, the connection has its user and
settings back, and the same call works as soon as nothing is in its way. Exits 1 if anything doesn't hold.
"""

import os
import sys
import time

from calls import Calls
from session import Session, SqlError, literal

DIGESTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "digests.sql")
# Sequences are left out: a number that was drawn is never given back.
STATE = "SELECT md5(string_agg(d::text, ' ' ORDER BY relation)) FROM pg_temp.digests() d WHERE relation NOT LIKE '%\\_seq'"
SETTINGS = """SELECT concat_ws(' ', current_user, session_user, current_setting('search_path'), current_setting('meridian.session_id', true),
    current_setting('row_security'), current_setting('statement_timeout'), current_setting('lock_timeout'))"""


class Bench:
    """A board that is ready for every call, and the connections around it: who calls, who is in the way, who watches."""

    def __init__(self, database):
        self.database = database
        self.caller, self.blocker, self.watcher = (Session(database) for _ in range(3))
        self.calls = Calls(self.caller)
        self.calls.prepare(self.caller)
        for session in (self.caller, self.watcher):
            with open(DIGESTS, encoding="utf-8") as file:
                session.run(file.read().rstrip().rstrip(";"))
        self.state, self.wrong = self.watcher.one(STATE), []

    def functions(self):
        return [function for function in self.calls.functions if function.reads_tables]

    def require(self, holds, what):
        if not holds:
            self.wrong.append(what)

    def begin(self, *settings):
        """Up to where the call begins; what follows must leave the savepoint as it is."""
        self.caller.run("BEGIN")
        for setting in settings:
            self.caller.run(f"SET LOCAL {setting}")
        self.settings = self.caller.one(SETTINGS)
        self.caller.run("SAVEPOINT before")

    def nothing_done(self, what, statement):
        """After the error and with nothing in the way any more."""
        self.caller.run("ROLLBACK TO before")
        settings = self.caller.one(SETTINGS)
        self.require(settings == self.settings, f"{what}: settings {settings} instead of {self.settings}")
        self.caller.run("SET LOCAL statement_timeout = 0")
        self.caller.run("SET LOCAL lock_timeout = 0")
        self.require(self.caller.one(STATE) == self.state, f"{what}: rows have changed")
        error = self.caller.error_of(statement)
        self.require(error == "00000", f"{what}: afterwards the same call ends in {error}")

    def outcome(self):
        """How the statement ends that the caller has sent: (SQLSTATE, message)."""
        try:
            self.caller.receive()
        except SqlError as error:
            return error.sqlstate, error.message
        return "00000", ""

    def stuck(self, pid):
        """Waits until that backend waits for a lock; False if it never does."""
        for _ in range(500):
            if self.watcher.one(f"SELECT count(*) FROM pg_stat_activity WHERE pid = {pid} AND wait_event_type = 'Lock'") == "1":
                return True
            time.sleep(0.01)
        return False

    def gone(self, pid):
        """Waits until a backend has noticed that its client is dead."""
        for _ in range(1000):
            if self.watcher.one(f"SELECT count(*) FROM pg_stat_activity WHERE pid = {pid}") == "0":
                return
            time.sleep(0.01)
        raise AssertionError(f"backend {pid} stays")

    def block(self, table):
        self.blocker.run("BEGIN")
        self.blocker.run(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE")

    def unblock(self):
        self.blocker.run("ROLLBACK")

    def blocking_tables(self, function, statement, proving=False):
        """The tables whose lock stops it, in the order of their names. Proves on the way that nothing is half done then."""
        found = []
        for table in self.calls.tables:
            self.block(table)
            self.begin("lock_timeout = '30ms'")
            self.caller.send(statement)
            sqlstate, message = self.outcome()
            self.unblock()
            if sqlstate == "00000":
                self.caller.run("ROLLBACK")
                continue
            found.append(table)
            if not proving:
                self.caller.run("ROLLBACK")
                continue
            what = f"{function.name} with {table} locked"
            self.require((sqlstate, message) == ("55P03", "canceling statement due to lock timeout"), f"{what}: {sqlstate} {message}")
            self.nothing_done(what, statement)
            self.caller.run("ROLLBACK")
        return found


def locks(bench):
    """lock_timeout, for every function and every table."""
    waits = 0
    for function in bench.functions():
        found = bench.blocking_tables(function, bench.calls.sql(function), proving=True)
        waits += len(found)
        bench.require(found, f"{function.name} is stopped by no table's lock, so nothing is proved about it")
    return f"{len(bench.functions())} functions x {len(bench.calls.tables)} tables, {waits} of them stopped by lock_timeout"


def cancel(bench):
    """pg_cancel_backend and statement_timeout, at the first table and at the last one that a function reaches."""
    stopped = 0
    for function in bench.functions():
        statement = bench.calls.sql(function)
        tables = bench.blocking_tables(function, statement)
        for table in {*tables[:1], *tables[-1:]}:
            what = f"{function.name}, cancelled at {table}"
            bench.block(table)
            bench.begin()
            bench.caller.send(statement)
            bench.require(bench.stuck(bench.caller.pid), f"{what}: it never waited")
            bench.watcher.run(f"SELECT pg_cancel_backend({bench.caller.pid})")
            got = bench.outcome()
            bench.require(got == ("57014", "canceling statement due to user request"), f"{what}: {got}")
            bench.unblock()
            bench.nothing_done(what, statement)
            bench.caller.run("ROLLBACK")

            what = f"{function.name}, out of time at {table}"
            bench.block(table)
            bench.begin("statement_timeout = '50ms'")
            bench.caller.send(statement)
            got = bench.outcome()
            bench.require(got == ("57014", "canceling statement due to statement timeout"), f"{what}: {got}")
            bench.unblock()
            bench.nothing_done(what, statement)
            bench.caller.run("ROLLBACK")
            stopped += 2
    return f"{stopped} calls of {len(bench.functions())} functions stopped by cancel or statement_timeout"


def computing(bench):
    """statement_timeout while a function is busy with a large board and waits for nothing."""
    stopped, slowest = 0, 0.0
    for function in bench.functions():
        statement = bench.calls.sql(function)
        bench.begin("statement_timeout = '20ms'")
        began = time.monotonic()
        bench.caller.send(statement)
        sqlstate, message = bench.outcome()
        seconds = time.monotonic() - began
        if sqlstate != "00000":
            stopped, slowest = stopped + 1, max(slowest, seconds)
            what = f"{function.name} on a large board"
            bench.require((sqlstate, message) == ("57014", "canceling statement due to statement timeout"), f"{what}: {sqlstate} {message}")
            bench.nothing_done(what, statement)
        bench.require(seconds < 2, f"{function.name} heard of its timeout after {seconds:.1f} s")
        bench.caller.run("ROLLBACK")
    bench.require(stopped > 0, "every function was done in time, so nothing is proved")
    return f"{stopped} functions stopped while they computed, the slowest to hear after {slowest * 1000:.0f} ms"


def clients(bench):
    """A client that dies: while its call waits, before COMMIT, after COMMIT."""
    writing = [function for function in bench.functions() if function.writes]
    for function in writing:
        name, statement = function.name, bench.calls.sql(function)
        last = bench.blocking_tables(function, statement)[-1]
        victim = Session(bench.database)
        victim.run("BEGIN")
        victim.run(statement)
        victim.kill()
        bench.gone(victim.pid)
        bench.require(bench.watcher.one(STATE) == bench.state, f"{name}: the client died before COMMIT, and rows have changed")

        victim = Session(bench.database)
        victim.run("BEGIN")
        bench.block(last)
        victim.send(statement)
        bench.require(bench.stuck(victim.pid), f"{name}: it never waited")
        victim.kill()
        bench.unblock()
        bench.gone(victim.pid)
        bench.require(bench.watcher.one(STATE) == bench.state, f"{name}: the client died while it waited, and rows have changed")

    # After COMMIT: for good. Each of these has an answer that tells.
    session, token, content = (literal(bench.calls.samples[name]) for name in ("session_id", "token", "content"))
    claim_again = f"claim_sprint_item('demo', 'C-1', {session}) ->> 'error'"
    for act, ask, wanted in (
        (f"verify_handoff_token('demo', {token}, {content}) ->> 'reason'", None, "already_consumed"),
        (f"claim_sprint_item('demo', 'T-3', {session}) ->> 'claimed'", None, "false"),
        (f"complete_sprint_item('demo', 'C-1', {session}) ->> 'completed'", claim_again, "NOT_CLAIMABLE"),
        ("start_session('demo', 'later') ->> 'pending_goal' LIKE '/goal%'", "start_session('demo') ->> 'pending_goal' IS NULL", "t"),
    ):
        victim = Session(bench.database)
        victim.run("BEGIN")
        told = victim.one(f"SELECT meridian.{act}")
        victim.run("COMMIT")
        victim.kill()
        bench.gone(victim.pid)
        got = bench.caller.one(f"SELECT meridian.{ask or act}")
        bench.require(told in ("ok", "true", "t") and got == wanted, f"{act}: {told}, and after the client's death {got}")
    return f"{len(writing)} writing functions survive the death of their client"


def lock_table(bench):
    """A server whose table of locks is full: an error that says so, and no call half done."""
    # The first sixteen weak locks of a backend need no room in the shared table; from there on each does.
    own = bench.watcher.run("SELECT oid::regclass FROM pg_class WHERE relkind = 'r' AND relnamespace = 'pg_catalog'::regnamespace LIMIT 20")
    hog = Session(bench.database)
    hog.run("DO $$ BEGIN FOR i IN 1..6000 LOOP EXECUTE format('CREATE TABLE public.t%s ()', i); IF i % 100 = 0 THEN COMMIT; END IF; END LOOP; END $$")
    full = refused = 0
    for function in bench.functions():
        statement = bench.calls.sql(function)
        bench.begin()
        hog.run("BEGIN")
        hog.run(
            """DO $$ DECLARE i integer := 0; BEGIN
                   LOOP i := i + 1;
                       BEGIN EXECUTE format('LOCK TABLE public.t%s IN ACCESS EXCLUSIVE MODE', i); EXCEPTION WHEN out_of_memory THEN EXIT; END;
                   END LOOP;
               END $$"""
        )
        full += 1
        for table in own:
            if bench.caller.error_of(f"LOCK TABLE {table} IN ACCESS SHARE MODE") != "00000":
                bench.caller.run("ROLLBACK TO before")
                break
        bench.caller.send(statement)
        sqlstate, message = bench.outcome()
        hog.run("ROLLBACK")
        bench.require(sqlstate in ("00000", "53200"), f"{function.name} without a lock to be had: {sqlstate} {message}")
        if sqlstate == "53200":
            refused += 1
            bench.require(message == "out of shared memory", f"{function.name}: {message}")
            bench.nothing_done(f"{function.name} without a lock to be had", statement)
        bench.caller.run("ROLLBACK")
    bench.require(refused > full / 2, f"only {refused} of {full} functions noticed that there was no lock to be had")
    return f"{refused} of {full} functions refused while the table of locks was full"


def temp_files(bench):
    """No room for temporary files, which sorting a board larger than work_mem needs."""
    refused = 0
    for function in bench.functions():
        statement = bench.calls.sql(function)
        bench.begin("temp_file_limit = '64kB'", "work_mem = '64kB'", "enable_indexscan = off", "enable_bitmapscan = off")
        bench.caller.send(statement)
        sqlstate, message = bench.outcome()
        bench.require(sqlstate in ("00000", "53400"), f"{function.name} without room: {sqlstate} {message}")
        if sqlstate == "53400":
            refused += 1
            bench.caller.run("ROLLBACK TO before")
            bench.caller.run("SET LOCAL temp_file_limit = -1")
            bench.caller.run("SAVEPOINT before")
            bench.nothing_done(f"{function.name} without room", statement)
        bench.caller.run("ROLLBACK")
    bench.require(refused > 0, "no function needed a temporary file, so nothing is proved")
    return f"{refused} of {len(bench.functions())} functions refused without room for temporary files"


def main(verb, database):
    bench = Bench(database)
    started = bench.watcher.one("SELECT pg_postmaster_start_time()")
    verbs = (locks, cancel, computing, clients, lock_table, temp_files)
    figures = {function.__name__: function for function in verbs}[verb](bench)
    bench.require(bench.watcher.one("SELECT pg_postmaster_start_time()") == started, "the server was started anew meanwhile")
    for line in bench.wrong[:30]:
        print(f"wrong: {line}", file=sys.stderr)
    print(f"{figures}; {len(bench.wrong)} wrong")
    return 1 if bench.wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
