"""Runs the SQL of the documentation and compares what comes out with what the pages show.

A page takes part by a line of its own

    <!-- executed over: examples/demo_board.sql -->

which names the SQL files, none or several, that are loaded first. Each page gets a new database with the extension, and
one session in which its blocks run from top to bottom. A block is a fence `sql`, or a comment that opens with a line
`<!-- sql` and readers don't see. A fence that follows it is what comes out: `text` or `mermaid` as plain values, `table` as
psql draws it. A block without one has to run without an error.

What differs from run to run is the same in every page: see MASKS.

usage: pages.py [--write] PAGE...
  --write   puts what comes out into the pages, instead of comparing

Connects as PGHOST, PGPORT and PGUSER say, with the psql of PSQL. The exit status is 1 when a page differs or fails.
"""

import difflib
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PSQL = [os.environ.get("PSQL", "psql"), "-X", "-q", "-v", "ON_ERROR_STOP=1"]
DATABASE = "docs_page"

EXECUTED = re.compile(r"^<!-- executed over:(.*)-->$", re.M)
BLOCK = re.compile(
    r"^(?:(?P<fence>`{3,})sql\n(?P<shown>.*?)^(?P=fence)|<!-- sql\n(?P<hidden>.*?)^-->)$"
    r"(?:\n+^(?P<open>`{3,})(?P<form>text|table|mermaid)\n(?P<output>.*?)^(?P=open)$)?",
    re.M | re.S,
)
PLAIN = r"\pset format unaligned" "\n" r"\pset tuples_only on"
FORMS = {
    "text": PLAIN,
    "mermaid": PLAIN,
    "table": r"\pset format aligned" "\n" r"\pset tuples_only off",
}

# One instant, one uuid and one token stand for all of them, and one digest for those of what holds an instant.
MASKS = [
    (re.compile(r"(<goal_token>)[\w-]{16}(</goal_token>)"), r"\1EXAMPLE_TOKEN_16\2"),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z"), "2026-01-31T12:00:00Z"),
    (re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"), "00000000-0000-4000-8000-000000000000"),
    (re.compile(r'("(?:content|contract|event)_hash": ?)"[0-9a-f]{64}"'), rf'\1"{"0" * 64}"'),
    (re.compile(r'(<plan_generation value=)"[0-9a-f]{16}"'), rf'\1"{"0" * 16}"'),
]


class Failed(Exception):
    """A page that psql could not run to its end."""


def psql(database, script):
    done = subprocess.run(
        [*PSQL, "-d", database, "-f", "-"], input=script, capture_output=True, text=True, cwd=ROOT, encoding="utf-8"
    )
    if done.returncode:
        raise Failed(done.stderr.strip())
    return done.stdout


def statements(block):
    return block["shown"] if block["shown"] is not None else block["hidden"]


def outputs(blocks, loaded):
    """What each block prints, masked."""
    mark = "-- the next block begins here --"
    script = ["CREATE EXTENSION meridian_handoff;", *(rf"\i {file}" for file in loaded)]
    for block in blocks:
        script += [rf"\echo '{mark}'", FORMS[block["form"] or "text"], statements(block)]
    psql("postgres", f"DROP DATABASE IF EXISTS {DATABASE};\nCREATE DATABASE {DATABASE};")
    printed = psql(DATABASE, "\n".join(script) + "\n")
    psql("postgres", f"DROP DATABASE {DATABASE};")
    for pattern, mask in MASKS:
        printed = pattern.sub(mask, printed)
    return [tidy(output) for output in printed.split(mark + "\n")[1:]]


def tidy(output):
    """Without the blanks that psql pads its columns with, and the empty line that it closes a table with."""
    lines = [line.rstrip() for line in output.splitlines()]
    while lines and not lines[-1]:
        lines.pop()
    return "".join(f"{line}\n" for line in lines)


def as_executed(text):
    """The page with what comes out in the place of what it shows."""
    loaded = EXECUTED.search(text)[1].replace(",", " ").split()
    blocks = list(BLOCK.finditer(text))
    if not blocks:
        raise Failed("no block of SQL in it")
    found = outputs(blocks, loaded)
    for block, output in reversed(list(zip(blocks, found, strict=True))):
        if block["form"]:
            if re.search(rf"^{block['open']}", output, re.M):
                raise Failed(f"the output holds a fence of its own; lengthen that of\n{statements(block)}")
            text = text[: block.start("output")] + output + text[block.end("output") :]
    return text


def check(page, write):
    shown = page.read_text(encoding="utf-8")
    if not EXECUTED.search(shown):
        return True
    name = str(page.resolve().relative_to(ROOT))
    try:
        executed = as_executed(shown)
    except Failed as failure:
        print(f"{name}: {failure}", file=sys.stderr)
        return False
    if write:
        page.write_text(executed, encoding="utf-8")
        print(f"{name}: written")
        return True
    diff = difflib.unified_diff(shown.splitlines(), executed.splitlines(), f"{name} as it is", f"{name} as executed", lineterm="")
    lines = list(diff)
    print("\n".join(lines) if lines else f"{name}: as executed")
    return not lines


def main(arguments):
    write = "--write" in arguments
    pages = [Path(argument) for argument in arguments if argument != "--write"]
    if not any(EXECUTED.search(page.read_text(encoding="utf-8")) for page in pages):
        print("no page takes part", file=sys.stderr)
        return 1
    return 0 if all([check(page, write) for page in pages]) else 1


sys.exit(main(sys.argv[1:]))
