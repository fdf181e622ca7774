"""Clients that generate, verify, claim and complete, each keeping a journal of what it was told; and the comparison of
that journal with the rows.

    stream.py run    --database D --journal FILE [--clients 8] [--seconds 40] [--resume]
                     [--port P] [--backends FILE]
    stream.py check  --database D --journal FILE

`run` goes on through losses of the connection, reconnecting until its time is over. A transaction ends for its client as
    told     COMMIT was answered: it must be in the rows, whatever happens to the server afterwards
    nothing  the connection went before COMMIT was sent: it must not be there
    unknown  it went between COMMIT and its answer: it may be there or not, as a whole
Clients compete for the same tokens and items on purpose. `run --resume` goes on with the boards, handoffs and sessions of
an earlier run with the same journal, on whichever server that is now. `--backends` notes for each generation which client
had which backend. `check` prints one line of figures, or what is wrong, and exits 1.
"""

import argparse
import collections
import hashlib
import json
import random
import sys
import threading
import time

from calls import token_of
from session import Lost, Session, SqlError, literal

ITEMS = 150
KEPT = 60  # handoffs that clients still present
RETRY = {"40001", "40P01"}


class Shared:
    """What the clients of one process share: the open projects, the handoffs that they present, the journal."""

    def __init__(self, journal):
        self.lock = threading.Lock()
        self.projects, self.handoffs = [], []
        self.clock, self.failures = 0, []
        self.file = open(journal, "a", encoding="utf-8")
        self.backends = set()

    def save(self, clients, path):
        state = {"projects": self.projects, "handoffs": self.handoffs, "clock": self.clock, "clients": [client.place() for client in clients]}
        with open(path, "w", encoding="utf-8") as file:
            json.dump(state, file)

    def load(self, clients, path):
        with open(path, encoding="utf-8") as file:
            state = json.load(file)
        self.projects, self.handoffs, self.clock = state["projects"], state["handoffs"], state["clock"]
        for client, place in zip(clients, state["clients"]):
            client.agent, client.project, client.mine = place

    def tick(self):
        with self.lock:
            self.clock += 1
            return self.clock

    def write(self, **record):
        with self.lock:
            self.clock += 1
            self.file.write(json.dumps(dict(record, ended=self.clock)) + "\n")
            self.file.flush()

    def choice(self, of):
        with self.lock:
            return random.choice(of) if of else None


class Client(threading.Thread):
    def __init__(self, number, options, shared):
        super().__init__()
        self.number, self.options, self.shared = number, options, shared
        self.session, self.agent, self.project, self.mine = None, None, None, []

    def place(self):
        return self.agent, self.project, self.mine

    def run(self):
        try:
            deadline = time.monotonic() + self.options.seconds
            while time.monotonic() < deadline:
                if self.connect(deadline):
                    self.step()
        except Exception as error:  # whatever it is, the test has to fail with it
            self.shared.failures.append(f"client {self.number}: {type(error).__name__}: {error}")
        if self.session:
            self.session.close()

    def connect(self, deadline):
        if self.session:
            return True
        while time.monotonic() < deadline:
            try:
                self.session = Session(self.options.database, port=self.options.port)
                return True
            except (Lost, SqlError):
                time.sleep(0.1)
        return False

    def transaction(self, **record):
        """Runs `statement` between BEGIN and COMMIT, with a line in the journal. The value it gave, if it counts."""
        statement, value, sent = record.pop("statement"), None, False
        record["began"] = self.shared.tick()
        try:
            self.session.run("BEGIN")
            value = json.loads(self.session.one(statement))
            sent = True
            self.session.run("COMMIT")
            outcome = "told"
        except Lost:
            outcome = "unknown" if sent else "nothing"
            self.session.kill()
            self.session = None
        except SqlError as error:
            if error.sqlstate not in RETRY:
                raise
            self.session.run("ROLLBACK")
            outcome, value = "retry", None
        shown = {key: text for key, text in (value or {}).items() if key != "content"}
        if value and "content" in value:
            shown["token"] = digest(token_of(value["content"]))
        self.shared.write(outcome=outcome, value=shown, **record)
        return outcome, value

    def step(self):
        if self.agent is None or not self.shared.projects:
            return self.open_project()
        chance = random.random()
        if chance < 0.15:
            self.generate()
        elif chance < 0.55:
            self.verify()
        elif chance < 0.80 or not self.mine:
            self.claim()
        else:
            self.complete()

    def open_project(self):
        """A new board, and a session for it. Sessions stay with their project, so a client moves with its session."""
        project = f"p-{self.number}-{random.getrandbits(40):x}"
        if not self.shared.projects or random.random() < 0.5 or self.agent is not None:
            outcome, _ = self.transaction(
                kind="project", project=project,
                statement=f"""WITH project AS (INSERT INTO meridian.projects (project_id, name) VALUES ({literal(project)}, 'Crash') RETURNING 1),
                    item AS (INSERT INTO meridian.sprint_items (project_id, item_id, title)
                             SELECT {literal(project)}, 'I-' || n, 'Item ' || n FROM generate_series(1, {ITEMS}) n RETURNING 1)
                    SELECT json_build_object('items', count(*)) FROM item, project""",
            )  # fmt: skip
            if outcome != "told":
                return
            with self.shared.lock:
                self.shared.projects = self.shared.projects[-3:] + [project]
        else:
            project = self.shared.choice(self.shared.projects)
        outcome, value = self.transaction(
            kind="start", project=project, statement=f"SELECT meridian.start_session({literal(project)}, 'crash', 'executor')::jsonb - 'pending_goal'"
        )
        if outcome == "told":
            self.agent, self.project, self.mine = value["session_id"], project, []

    def generate(self):
        mine = random.choice([self.agent, None])
        outcome, value = self.transaction(
            kind="generate", project=self.project, session=mine,
            statement=f"""SELECT json_build_object('content', h ->> 'content', 'amended', h -> 'amended', 'backend', pg_backend_pid())
                FROM meridian.generate_handoff({literal(self.project)}, mode => 'goal', session_id => {literal(mine)}) h""",
        )  # fmt: skip
        if value and outcome in ("told", "unknown"):
            with self.shared.lock:
                self.shared.backends.add((self.number, value["backend"]))
                self.shared.handoffs = self.shared.handoffs[-KEPT:] + [(self.project, token_of(value["content"]), value["content"])]

    def verify(self):
        handoff = self.shared.choice(self.shared.handoffs)
        if handoff is None:
            return self.generate()
        project, token, content = handoff
        self.transaction(
            kind="verify", project=project, token=digest(token),
            statement=f"""SELECT json_build_object('reason', v ->> 'reason', 'superseded', v -> 'superseded')
                FROM meridian.verify_handoff_token({literal(project)}, {literal(token)}, {literal(content)}) v""",
        )  # fmt: skip

    def claim(self):
        item = random.choice([None, f"I-{random.randint(1, ITEMS)}"])
        call = (
            f"claim_next_sprint_item({literal(self.project)}, {literal(self.agent)})" if item is None
            else f"claim_sprint_item({literal(self.project)}, {literal(item)}, {literal(self.agent)})"
        )  # fmt: skip
        outcome, value = self.transaction(
            kind="claim", project=self.project, session=self.agent,
            statement=f"""SELECT json_build_object('claimed', c -> 'claimed', 'error', c -> 'error', 'item', c -> 'item' -> 'item_id')
                FROM meridian.{call} c""",
        )  # fmt: skip
        if outcome != "told":
            return
        if value["claimed"]:
            self.mine.append(value["item"])
        elif value["error"] == "NOTHING_CLAIMABLE":
            self.open_project()

    def complete(self):
        item = self.mine.pop()
        self.transaction(
            kind="complete", project=self.project, session=self.agent, item=item,
            statement=f"""SELECT json_build_object('completed', c -> 'completed', 'error', c -> 'error')
                FROM meridian.complete_sprint_item({literal(self.project)}, {literal(item)}, {literal(self.agent)}) c""",
        )  # fmt: skip


def digest(token):
    return hashlib.sha256(token.encode()).hexdigest()


def run(options):
    shared = Shared(options.journal)
    clients = [Client(number, options, shared) for number in range(options.clients)]
    if options.resume:
        shared.load(clients, f"{options.journal}.state")
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    shared.save(clients, f"{options.journal}.state")
    if options.backends:
        with open(options.backends, "w", encoding="utf-8") as file:
            file.writelines(f"{client} {backend}\n" for client, backend in sorted(shared.backends))
    for failure in shared.failures:
        print(failure, file=sys.stderr)
    return 1 if shared.failures else 0


# --- what was told against what is there ------------------------------------------------------------------------------

EVENTS = {
    "start": "session_started", "generate": "handoff_generated", "verify": "token_verified", "claim": "item_claimed", "complete": "item_completed",
}  # fmt: skip


def granted(record):
    """A claim or completion that was refused leaves no event behind; everything else does."""
    verb = {"claim": "claimed", "complete": "completed"}.get(record["kind"])
    return verb is None or record["value"][verb]


class Check:
    def __init__(self, options):
        with open(options.journal, encoding="utf-8") as file:
            self.journal = [json.loads(line) for line in file]
        self.session = Session(options.database)
        self.problems, self.unknown_effects = [], {}

    def rows(self, query):
        return [json.loads(row) for row in self.session.run(f"SELECT to_json(r) FROM ({query}) r")]

    def of(self, kind, *outcomes):
        return [record for record in self.journal if record["kind"] == kind and record["outcome"] in outcomes]

    def require(self, holds, what, record=None):
        if not holds:
            self.problems.append(f"{what}: {json.dumps(record)}" if record else what)

    def tokens(self):
        rows = {
            row["digest"]: row
            for row in self.rows(
                """SELECT encode(token_digest, 'hex') AS digest, project_id, consumed_at IS NOT NULL AS consumed,
                          superseded_at IS NOT NULL AS superseded FROM meridian.handoff_tokens"""
            )
        }
        for record in self.of("generate", "told"):
            row = rows.get(record["value"]["token"])
            self.require(row and row["project_id"] == record["project"], "a generated token is lost", record)
        for record in self.of("generate", "nothing"):
            self.require(record["value"].get("token") not in rows, "a generation that was never committed is there", record)

        unsure = {record["value"]["token"] for record in self.of("generate", "unknown")}
        spent, maybe = collections.defaultdict(list), set()
        for record in self.of("verify", "told", "unknown"):
            token, reason = record["token"], record["value"]["reason"]
            row = rows.get(token)
            if reason == "ok" and record["outcome"] == "told":
                spent[token].append(record)
                self.require(row and row["consumed"], "an acknowledged consumption is lost", record)
            elif reason == "ok":
                maybe.add(token)
            elif reason == "already_consumed":
                self.require(row and row["consumed"], "told already_consumed of a token that is not", record)
            elif reason == "expired":
                self.require(row and row["superseded"] and record["value"]["superseded"], "told expired of a token that is not", record)
            else:
                self.require(reason == "not_found" and token in unsure, "an answer that no client should get", record)
        for token, records in spent.items():
            self.require(len(records) == 1, "a token was given twice", records)
        for record in self.of("verify", "told"):
            first = spent.get(record["token"], [record])[0]
            late = record["value"]["reason"] == "already_consumed" and record["ended"] < first["began"]
            self.require(not late, "a token was spent, unspent and spent again", [record, first])
        for token, row in rows.items():
            self.require(not row["consumed"] or token in spent or token in maybe, f"nobody consumed it, but consumed it is: {token}")
        self.unknown_effects["verify"] = sum(rows.get(token, {}).get("consumed", False) and token not in spent for token in maybe)

    def items(self):
        rows = {
            (row["project_id"], row["item_id"]): row
            for row in self.rows("SELECT project_id, item_id, status, claimed_by FROM meridian.sprint_items WHERE project_id LIKE 'p-%'")
        }
        for record in self.of("project", "told"):
            present = sum((record["project"], f"I-{n}") in rows for n in range(1, ITEMS + 1))
            self.require(present == ITEMS, f"{present} items are there", record)
        claims, maybe, done = collections.defaultdict(list), collections.defaultdict(set), collections.defaultdict(set)
        for record in self.of("claim", "told", "unknown"):
            if record["value"]["claimed"]:
                key = (record["project"], record["value"]["item"])
                if record["outcome"] == "told":
                    claims[key].append(record)
                else:
                    maybe[key].add(record["session"])
        for record in self.of("complete", "told", "unknown"):
            done[record["project"], record["item"]].add(record["outcome"])
            self.require(record["value"]["completed"], "a holder could not complete its item", record)
        for key, records in claims.items():
            self.require(len(records) == 1, "an item was given twice", records)
            self.require(rows[key]["claimed_by"] == records[0]["session"], "an acknowledged claim is lost", records)
        for key, row in rows.items():
            status, told = row["status"], done.get(key, set())
            expected = {"done"} if "told" in told else {"in_progress", "done"} if told else {"in_progress"}
            if key not in claims:
                expected = {"todo", "in_progress"} if key in maybe else {"todo"}
                self.require(status == "todo" or row["claimed_by"] in maybe[key], "nobody claimed it, but claimed it is", row)
            self.require(status in expected, f"status is not one of {sorted(expected)}", row)
        self.unknown_effects["claim"] = sum(rows[key]["status"] != "todo" and key not in claims for key in maybe)

    def events_and_history(self):
        """Each transaction left its event with it, and history ends where the items are."""
        events = self.rows("SELECT event_type, count(*) AS n FROM meridian.events WHERE project_id LIKE 'p-%' GROUP BY 1")
        counted = {row["event_type"]: row["n"] for row in events}
        for kind, event in EVENTS.items():
            took = [record for record in self.of(kind, "told", "unknown") if granted(record)]
            told, found = sum(record["outcome"] == "told" for record in took), counted.get(event, 0)
            self.require(told <= found <= len(took), f"{found} events {event} for {told} to {len(took)} transactions")
        odd = self.rows(
            """SELECT i.project_id, i.item_id, i.status, h.new_status, h.changes FROM meridian.sprint_items i
               LEFT JOIN (SELECT project_id, item_id, count(*) AS changes, (array_agg(new_status ORDER BY history_id DESC))[1] AS new_status
                          FROM meridian.sprint_item_history GROUP BY 1, 2) h USING (project_id, item_id)
               WHERE i.project_id LIKE 'p-%' AND (h.new_status IS DISTINCT FROM i.status
                  OR h.changes <> CASE i.status WHEN 'todo' THEN 1 WHEN 'in_progress' THEN 2 WHEN 'done' THEN 3 END)"""
        )
        self.require(not odd, f"history and {len(odd)} items disagree, such as {odd[:1]}")

    def report(self):
        self.tokens()
        self.items()
        self.events_and_history()
        figures = []
        for kind in EVENTS:
            counts = collections.Counter(record["outcome"] for record in self.journal if record["kind"] == kind)
            self.require(counts["told"] > 0, f"no {kind} was ever acknowledged, so nothing is proved about it")
            figures.append(f"{kind} {counts['told']}+{counts['unknown']}?+{counts['nothing']}-")
        effects = ", ".join(f"{count} {kind}s" for kind, count in self.unknown_effects.items())
        for problem in self.problems[:20]:
            print(f"wrong: {problem}", file=sys.stderr)
        print(f"told+unknown?+nothing-: {'; '.join(figures)}; unknown ones that took effect: {effects}; {len(self.problems)} wrong")
        return 1 if self.problems else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("verb", choices=["run", "check"])
    parser.add_argument("--database", required=True)
    parser.add_argument("--journal", required=True)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=40)
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--port", type=int)
    parser.add_argument("--backends")
    options = parser.parse_args()
    return run(options) if options.verb == "run" else Check(options).report()


if __name__ == "__main__":
    sys.exit(main())
