"""`make attack`: every attack that the store is built to withstand, against stores that this starts on loopback.

An attack is a test with the mark `attack("what is tried")`. Those on a running store run twice: on SQLite with one
process, and on PostgreSQL with Redis and two. The others run on both databases by the tests' own fixtures. A line for
each says whether the store was harmed, with figures; the exit code is 1 if it was.
"""

import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).parents[1]
LONG = {"FUZZ_PACKETS": "5000", "FORGED_EVENTS": "9000", "LONG_ATTACKS": "1"}
RUNS: tuple[tuple[str, str, Mapping[str, str]], ...] = (
    ("SQLite, one process", "attack and browser", {}),
    ("PostgreSQL, Redis, two processes", "attack and browser", {"STORE_SCALED": "1"}),
    ("both databases", "attack and not browser", {}),
)


@dataclass(frozen=True)
class Attempt:
    """One test that ran."""

    attack: str
    test: str
    is_harmless: bool
    is_skipped: bool
    figures: str


def main() -> int:
    is_harmed = False
    for set_up, selection, settings in RUNS:
        print(f"\n{set_up}", flush=True)
        attempts = list(_run(selection, LONG | settings))
        is_harmed |= not attempts or not all(each.is_harmless for each in attempts)
        for line in _lines(attempts):
            print(line, flush=True)
    return int(is_harmed)


def _run(selection: str, settings: Mapping[str, str]) -> Iterator[Attempt]:
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
        for case in ElementTree.parse(report).iter("testcase"):
            properties = {each.get("name", ""): each.get("value", "") for each in case.iter("property")}
            yield Attempt(
                attack=properties.get("attack", ""),
                test=case.get("name", ""),
                is_harmless=case.find("failure") is None and case.find("error") is None,
                is_skipped=case.find("skipped") is not None,
                figures=properties.get("figures", ""),
            )


def _lines(attempts: list[Attempt]) -> Iterator[str]:
    """The harmful first; how many tests, and what they measured."""
    by_attack: dict[str, list[Attempt]] = defaultdict(list)
    for each in attempts:
        by_attack[each.attack].append(each)
    for attack, those in sorted(by_attack.items(), key=lambda item: (all(t.is_harmless for t in item[1]), item[0])):
        harmful = [each.test for each in those if not each.is_harmless]
        skipped = sum(each.is_skipped for each in those)
        verdict = "HARMFUL" if harmful else "skipped" if skipped == len(those) else "harmless"
        ran = len(those) - skipped
        summary = [f"{ran} test{'s' * (ran != 1)}", *(each.figures for each in those if each.figures), *harmful]
        yield f"  {verdict:9} {attack:42} {'; '.join(summary)}"


if __name__ == "__main__":
    sys.exit(main())
