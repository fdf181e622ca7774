"""A call that succeeds for every function of the extension, built from the catalog.

Arguments are found by name: each required one, and those optional ones that make a call mean more, has a sample below. A
function with a required argument that has none raises an error, so a new function can't stay untested silently. The
samples are of the database that board.sql and `Calls.prepare` have filled.
"""

import json
import re

from session import literal

FUNCTIONS = """
SELECT json_build_object('name', proname, 'arguments', coalesce(proargnames[1:pronargs], '{}'), 'required', pronargs - pronargdefaults,
                         'volatility', provolatile)
FROM pg_proc JOIN pg_depend ON classid = 'pg_proc'::regclass AND objid = pg_proc.oid AND deptype = 'e'
WHERE refobjid = (SELECT oid FROM pg_extension WHERE extname = 'meridian_handoff') AND prorettype <> 'trigger'::regtype
ORDER BY proname
"""

TABLES = """
SELECT pg_class.oid::regclass FROM pg_class JOIN pg_depend ON classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e'
WHERE refobjid = (SELECT oid FROM pg_extension WHERE extname = 'meridian_handoff') AND relkind IN ('r', 'p') ORDER BY 1
"""

# What touches no table, so that no lock can stop it and a standby can run it, also where its answer is never the same.
WITHOUT_TABLES = {"meridian_version", "next_xid"}


class Function:
    def __init__(self, name, arguments, required, volatility):
        self.name, self.arguments, self.required = name, arguments, required
        self.immutable = volatility == "i"
        self.reads_tables = not self.immutable and name not in WITHOUT_TABLES
        self.writes = volatility == "v" and self.reads_tables


class Calls:
    def __init__(self, session):
        self.functions = [Function(**json.loads(row)) for row in session.run(FUNCTIONS)]
        self.tables = session.run(TABLES)
        assert self.functions and self.tables
        self.samples = {}

    def prepare(self, session):
        """Makes, for good, what the calls need: a session, a claim, a handoff with a live token, a question."""
        started = json.loads(session.one("SELECT meridian.start_session('demo', 'calls', 'executor')"))["session_id"]
        claim = f"SELECT meridian.claim_sprint_item('demo', 'C-1', {literal(started)}) ->> 'claimed'"
        assert session.one(claim) == "true"
        if not session.run("SELECT 1 FROM meridian.board_sources"):
            session.run(attach("attached", "public.tracker"))
        if not session.run(f"SELECT 1 FROM pg_roles WHERE rolname = '{GRANTEE}'"):
            session.run(f"CREATE ROLE {GRANTEE}")
        content = json.loads(session.one("SELECT meridian.generate_handoff('demo', mode => 'goal') -> 'content'"))
        items = '[{"id": "a", "status": "todo", "depends_on": []}]'
        self.samples = {
            "project_id": "demo", "session_id": started, "item_id": "T-3", "item_ids": ["T-3", "T-4"], "mode": "goal",
            "complete_sprint_item.item_id": "C-1", "release_sprint_item.item_id": "C-1",
            "gate_id": "q-1", "answer": "Monday", "question": "Which one?", "revision_counter": 0,
            "items": items, "current_items": items, "expected_revision": "0" * 64,
            "token": token_of(content), "goal_token": token_of(content), "presented_body": content,
            "content": content, "body": content, "max_bytes": 4000, "max_rows": 10, "retention": "1 day",
            "attach_board.project_id": "unattached", "attach_board.board": "public.other_tracker",
            "attach_board.columns": COLUMNS, "attach_board.status_map": STATUS_MAP,
            "detach_board.project_id": "attached",
            "grantee": GRANTEE, "level": "reader",
            "tool": "uvx", "status": "available", "manifest": MANIFEST,
        }  # fmt: skip
        # Optional arguments that are passed all the same: with them more tables are touched.
        self.optional = {"session_id", "columns", "status_map", "body", "goal_token", "presented_body", "retention"}

    def sql(self, function, **overrides):
        """`SELECT … FROM meridian.function(…)`, as one statement."""
        arguments = []
        for position, name in enumerate(function.arguments):
            if position >= function.required and name not in self.optional:
                continue
            value = overrides.get(name, self.samples.get(f"{function.name}.{name}", self.samples.get(name, MISSING)))
            if value is MISSING:
                if position >= function.required:
                    continue
                raise AssertionError(f"argument {name} of {function.name} needs a sample in {__file__}")
            arguments.append(f"{name} => {literal(value)}")
        # A count, so that no value with line breaks comes back; the function is called all the same.
        return f"SELECT count(*) FROM meridian.{function.name}({', '.join(arguments)}) AS result WHERE result IS NOT NULL OR true"


MISSING = object()
GRANTEE = "handoff_grantee"
MANIFEST = json.dumps([{"id": "run", "purpose": "run the tests", "required_tools": ["uvx"]}])
COLUMNS = json.dumps(
    {"project_id": None, "item_id": "key", "title": "name", "status": "state", "depends_on": "needs", "claimed_by": "holder"}
)
STATUS_MAP = json.dumps({"open": "todo", "doing": "in_progress", "closed": "done"})


def attach(project, relation):
    return (
        f"SELECT meridian.attach_board({literal(project)}, {literal(relation)}, "
        f"columns => {literal(COLUMNS)}, status_map => {literal(STATUS_MAP)})"
    )


def token_of(content):
    """The token that stands in a generated block."""
    return re.search(r"<goal_token>([A-Za-z0-9_-]{16})</goal_token>", content).group(1)
