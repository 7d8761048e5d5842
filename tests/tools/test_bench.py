"""What the bench's report says of goals, and which requests it sends."""

import itertools
import json
import random
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest

from tools.bench import comparisons, report, rest, wrk
from tools.bench.peers import __main__ as peers
from tools.bench.peers import checkouts
from tools.bench.plots import LABEL, WIDTH, Bar, bars
from tools.bench.report import Report
from tools.bench.rest import Comparison, Pace, wrk_turn
from tools.bench.scenarios import COLD_LIST, COLD_SEARCH, FACETS, LIST, Scenario, Shop
from tools.bench.servers import Server
from tools.bench.table import Goal, Row, at_least
from tools.bench.wrk import Load, Request


def load(per_second: float, *, p50: float = 2, p99: float = 4, failures: int = 0) -> Load:
    return Load(per_second, p50, p99, p99, p99, failures)


def test_a_run_lists_exactly_the_goals_that_it_missed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "performance.md"
    page.write_text("<!-- figures -->\n<!-- end of figures -->\n")
    monkeypatch.setattr(report, "PAGE", page)
    measured = Report()
    measured.add_rows(
        "Memory",
        [
            Row("a tab", 150, "kB", goal=Goal(150)),
            Row("a wide tab", 150.4, "kB", goal=Goal(150)),
            Row("score", 94, goal=at_least(95)),
            Row("film", None, "kB", goal=Goal(400)),
            Row("process", 900, "MB"),
        ],
    )
    measured.close(is_whole=True)
    missed = page.read_text().partition("Goals that the figures miss")[2].partition("###")[0]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in missed.splitlines() if "| " in line][1:]
    assert "2 of 3." in missed
    assert rows == [["Memory", "a wide tab", "150 kB", "<= 150 kB"], ["Memory", "score", "94.0", ">= 95"]]


def test_a_part_of_a_run_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "PAGE", tmp_path / "performance.md")
    Report().close(is_whole=False)
    assert not report.PAGE.exists()


@pytest.mark.parametrize(("words", "asked"), [((), {"vendure", "oscar"}), (("oscar",), {"oscar"})])
def test_both_shops_are_measured_unless_one_is_asked_for(words: tuple[str, ...], asked: set[str]) -> None:
    assert peers.asked_for(words) == asked


def test_an_unknown_shop_is_refused() -> None:
    with pytest.raises(SystemExit, match=r"Unknown: vendur\. There are vendure, oscar\."):
        peers.asked_for(["vendur", "oscar"])


def test_each_scenario_is_judged_by_its_share_of_the_limit_its_slowest_answers_and_failures() -> None:
    slow = Comparison(LIST, (load(50, p99=9),), (load(100),))
    assert [check.what for check in comparisons.checks([slow]) if not check.is_met] == [
        "list of 24: share of the limit",
        "list of 24: p99 / p50",
    ]
    failing = Comparison(FACETS, (load(50, failures=1),), ())
    assert [check.what for check in comparisons.checks([failing]) if not check.is_met] == ["facets: failed"]


def test_growth_and_more_connections_are_judged_too() -> None:
    before, after = ([Comparison(LIST, (load(rate),), ())] for rate in (100, 70))
    _, [growth] = comparisons.growth({500: before, 5_000: before, 50_000: after}, 5_000)
    _, [many] = comparisons.many_beside_few(before, after)
    assert (growth.figure, growth.is_met) == (0.7, False)
    assert (many.figure, many.is_met) == (0.7, False)


@pytest.mark.parametrize("scenario", [COLD_LIST, COLD_SEARCH], ids=lambda scenario: scenario.name)
def test_no_cold_request_is_sent_twice_to_a_server(scenario: Scenario, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[str] = []

    def send(_url: str, requests: list[Request], **_pace: int) -> Load:
        sent.extend(request.path for request in requests)
        return load(1)

    monkeypatch.setattr(wrk, "run", send)
    shop = Shop((), "", 5_000)
    for part, connections in enumerate((16, 64)):
        turn = wrk_turn(Server("", 0, 0), scenario, shop, Pace(connections, part=part, parts=2))
        for number in range(rest.ROUNDS):
            turn(number)
    assert len(sent) == len(set(sent)) > 40_000


def test_a_logarithmic_plot_has_equal_steps_for_equal_factors() -> None:
    drawn = bars("Latency", [Bar("p50", 10, "10 ms"), Bar("p99", 100, "100 ms"), Bar("max", 1_000, "1 s")], is_log=True)
    assert [f'width="{WIDTH * part:.1f}"' in drawn for part in (0.5, 1)] == [True, True]
    assert f"M{LABEL + WIDTH / 2:.1f} 36V" in drawn


@pytest.mark.parametrize("nonsense", ["<html>", "[]"], ids=["no JSON", "no shipping method"])
def test_an_answer_that_makes_no_sense_is_a_failed_order_and_the_next_one_is_placed(
    nonsense: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter([nonsense])
    ticks = itertools.count()

    def check_out(_client: httpx.Client, _rng: random.Random) -> None:
        json.loads(next(answers, '["standard"]'))[0]

    monkeypatch.setattr(checkouts, "time", SimpleNamespace(perf_counter=lambda: next(ticks)))
    measured = checkouts.run("http://localhost", check_out, connections=1, seconds=5)
    assert (measured.failures, measured.per_second) == (1, 1 / 8)
