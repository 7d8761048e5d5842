"""`make attack`: everything that the store is built to withstand, against stores that it starts on loopback.

    python -m tools.attack .venv-fuzz/bin/schemathesis   # docs/reliability.md gets the tables

An attack is a test with the mark `attack("what is tried")`. Attacks on a running store run twice: on SQLite with one
process, and on PostgreSQL with Redis and two processes. The fixtures of the other attacks run them on both databases.
Last come calls that schemathesis generates. The exit code is 1 if the store was harmed.
"""

import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from tools.attack import calls
from tools.bench.table import markdown
from tools.faults.__main__ import REPORT
from tools.written_pages import write_part

ROOT = Path(__file__).parents[2]
LONG = {"FUZZ_PACKETS": "5000", "FORGED_EVENTS": "9000", "LONG_ATTACKS": "1"}
BOTH_DATABASES = "attack and not browser and (postgresql or not postgresql)"
"""An expression for `-m`. It names `postgresql` because tests would run on SQLite alone otherwise."""
RUNS: tuple[tuple[str, str, dict[str, str]], ...] = (
    ("On a running store: SQLite, one process", "attack and browser", {}),
    ("On a running store: PostgreSQL, Redis, two processes", "attack and browser", {"STORE_SCALED": "1"}),
    ("Without a browser: both databases", BOTH_DATABASES, {}),
)
HEADS = ("tried", "result", "tests", "figures")


@dataclass(frozen=True)
class Attempt:
    """One test that ran."""

    attack: str
    test: str
    is_harmless: bool
    is_skipped: bool
    figures: str


def main(schemathesis: str) -> int:
    """The exit code."""
    parts, is_harmed = [], False
    for title, selection, settings in RUNS:
        attempts = list(_run(selection, LONG | settings))
        is_harmed |= not attempts or not all(each.is_harmless for each in attempts)
        parts.append(_show(title, markdown(HEADS, rows(attempts))))
    results = list(calls.on_both_databases(schemathesis))
    is_harmed |= any(each.is_harmed for each in results)
    parts.append(_show("Generated calls", calls.table(results)))
    write_part(REPORT, "attacks", "\n\n".join(parts))
    return int(is_harmed)


def _show(title: str, table: str) -> str:
    """The part of the report, which is also printed at once, since a run takes some time."""
    part = f"**{title}**\n\n{table}"
    print(f"\n{part}", flush=True)
    return part


def _run(selection: str, settings: dict[str, str]) -> Iterator[Attempt]:
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "pytest", "-q", "-n0", "-m", selection]
        command += [f"--junit-xml={report}", "-o", "junit_family=xunit1"]
        environment = {name: value for name, value in os.environ.items() if name != "STORE_SCALED"} | settings
        ended = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        if not report.is_file():
            raise SystemExit(ended.stdout + ended.stderr)
        if ended.returncode:
            print(ended.stdout, file=sys.stderr)
        yield from attempts_in(report)


def attempts_in(report: Path) -> Iterator[Attempt]:
    """The tests in a report that pytest has written with `--junit-xml`."""
    for case in ElementTree.parse(report).iter("testcase"):
        properties = {each.get("name", ""): each.get("value", "") for each in case.iter("property")}
        yield Attempt(
            attack=properties.get("attack", ""),
            test=case.get("name", ""),
            is_harmless=case.find("failure") is None and case.find("error") is None,
            is_skipped=case.find("skipped") is not None,
            figures=properties.get("figures", ""),
        )


def rows(attempts: Sequence[Attempt]) -> list[tuple[str, str, str, str]]:
    """A row for each attack. Harmful ones come first, with the names of the tests that failed."""
    by_attack: dict[str, list[Attempt]] = defaultdict(list)
    for each in attempts:
        by_attack[each.attack].append(each)
    harmful = {name: [each.test for each in made if not each.is_harmless] for name, made in by_attack.items()}
    return [
        (name, _verdict(by_attack[name], harmful[name]), str(_ran(by_attack[name])), _figures(by_attack[name]))
        for name in sorted(by_attack, key=lambda name: (not harmful[name], name))
    ]


def _verdict(attempts: Sequence[Attempt], harmful: Sequence[str]) -> str:
    if harmful:
        return f"HARMFUL: {', '.join(harmful)}"
    return "harmless" if _ran(attempts) else "skipped"


def _ran(attempts: Sequence[Attempt]) -> int:
    return sum(not each.is_skipped for each in attempts)


def _figures(attempts: Sequence[Attempt]) -> str:
    """Equal figures are shown once: a test may run on both databases."""
    return "; ".join(dict.fromkeys(each.figures for each in attempts if each.figures))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
