"""A conversation with a server, held by a psql that is fed one statement at a time.

psql is there wherever the server is, reports the SQLSTATE of every statement, and leaves when its connection dies; so the
tests need no driver. Environment: PSQL (path of psql) and what libpq reads: PGHOST, PGPORT, PGUSER.
"""

import itertools
import os
import queue
import subprocess
import threading


# What the server says besides. A backend that sees its postmaster dead says so after an answer that still counts.
ASIDE = ("NOTICE:", "WARNING:", "FATAL:", "DETAIL:", "HINT:", "CONTEXT:")


class Lost(Exception):
    """The connection is gone; whether the last statement took effect is unknown."""


class SqlError(Exception):
    """The server refused a statement."""

    def __init__(self, sqlstate, message):
        super().__init__(f"{sqlstate}: {message}")
        self.sqlstate = sqlstate
        self.message = message


def literal(value):
    """A Python value as SQL: None, bool, number, list of text, or text."""
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return str(value)
    if isinstance(value, (list, tuple)):
        return f"ARRAY[{', '.join(map(literal, value))}]::text[]"
    return "'" + value.replace("'", "''") + "'"


class Session:
    """One psql. Statements give the rows as text, a column or several joined by `|`; no value may hold a line break."""

    _numbers = itertools.count(1)

    def __init__(self, database, user=None, host=None, port=None):
        command = [os.environ["PSQL"], "-X", "-q", "-A", "-t", "-d", database]
        for option, value in (("-U", user), ("-h", host), ("-p", port)):
            if value is not None:
                command += [option, str(value)]
        environment = dict(os.environ, PGCONNECT_TIMEOUT="5")
        # In one pipe, so that answers and marks come in their order.
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
        )
        self.lines = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()
        self.mark = None
        self.pid = int(self.one("SELECT pg_backend_pid()"))

    def _listen(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))
        self.lines.put(None)

    def send(self, statement):
        """Starts a statement without waiting for its answer."""
        self.mark = f"mark-{next(self._numbers)}"
        try:
            # \warn is the one that psql doesn't buffer; SQLSTATE and the message are those of the statement before.
            self.process.stdin.write(f"{statement}\n;\n\\warn {self.mark} :SQLSTATE :LAST_ERROR_MESSAGE\n")
            self.process.stdin.flush()
        except OSError as error:
            raise Lost(str(error)) from None

    def receive(self, timeout=120):
        """The rows of the statement that was sent."""
        rows = []
        while True:
            try:
                line = self.lines.get(timeout=timeout)
            except queue.Empty:
                raise AssertionError(f"no answer within {timeout} s") from None
            if line is None:
                raise Lost("\n".join(rows))
            if not line.startswith(self.mark):
                if not line.startswith(ASIDE):
                    rows.append(line)
                continue
            _, sqlstate, message = (line + "  ").split(" ", 2)
            if sqlstate == "00000":
                return rows
            if sqlstate.startswith("57P0") or sqlstate.startswith("08") or sqlstate == "":
                raise Lost(message)
            raise SqlError(sqlstate, message.strip())

    def run(self, statement, timeout=120):
        self.send(statement)
        return self.receive(timeout)

    def one(self, statement):
        """The single value of a statement."""
        rows = self.run(statement)
        if len(rows) != 1:
            shown = " / ".join(row[:100] for row in rows)
            raise AssertionError(f"{len(rows)} rows instead of one from {statement[:200]}: {shown}")
        return rows[0]

    def error_of(self, statement):
        """The SQLSTATE that a statement ends with, `00000` for none."""
        try:
            self.run(statement)
        except SqlError as error:
            return error.sqlstate
        return "00000"

    def kill(self):
        """As if the client's machine had lost power."""
        self.process.kill()
        self.process.wait()

    def close(self):
        try:
            self.process.stdin.close()
        except OSError:
            pass
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.kill()
