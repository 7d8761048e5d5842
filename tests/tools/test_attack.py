"""What `make attack` makes of the tests' report."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from tools.attack import calls
from tools.attack.__main__ import attempts_in, rows

REPORT = """<testsuites><testsuite>
<testcase name="test_a[x]"><properties><property name="attack" value="cross-site writes"/>
<property name="figures" value="40 requests"/></properties></testcase>
<testcase name="test_a[y]"><properties><property name="attack" value="cross-site writes"/>
<property name="figures" value="40 requests"/></properties></testcase>
<testcase name="test_b"><properties><property name="attack" value="sockets"/></properties><failure/></testcase>
<testcase name="test_c"><properties><property name="attack" value="sockets"/></properties><error/></testcase>
<testcase name="test_d"><properties><property name="attack" value="a full disk"/></properties><skipped/></testcase>
</testsuite></testsuites>"""


def test_harm_comes_first_and_equal_figures_stand_once(tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    report.write_text(REPORT)
    assert rows(list(attempts_in(report))) == [
        ("sockets", "HARMFUL: test_b, test_c", "2", ""),
        ("a full disk", "skipped", "0", ""),
        ("cross-site writes", "harmless", "2", "40 requests"),
    ]


def test_the_last_row_of_generated_calls_is_their_sum() -> None:
    results = [calls.Result("sqlite", "guest", 4_000, False), calls.Result("postgresql", "owner", 5_000, True)]
    assert calls.table(results).splitlines()[-1].split("|")[1:5] == [
        " both       ",
        " all    ",
        " 9,000 ",
        " HARMFUL  ",
    ]


@pytest.mark.parametrize(
    ("output", "exit_code", "expected"),
    [
        ("9 generated, 9 passed\n31 generated, 31 passed\n", 0, (40, False)),
        ("9 generated, 1 failed\n", 1, (9, True)),
        ("No operations were selected\n", 0, (0, True)),
    ],
)
def test_a_run_without_calls_is_not_called_harmless(
    output: str, exit_code: int, expected: tuple[int, bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    def ended(command: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(command, exit_code, output, "")

    monkeypatch.setattr("tools.attack.calls.subprocess.run", ended)
    assert calls.run("schemathesis", "nobody", ()) == expected
