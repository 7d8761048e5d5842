"""Alerts and the dashboard query only series and labels that the store exposes, and each alert can fire."""

import json
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import promql_parser
import pytest
import yaml
from prometheus_client import Counter as CountMetric
from prometheus_client import Histogram
from promql_parser import MatchOp, VectorSelector
from sqlalchemy import Engine

from marketplace_app.adapters import metrics
from marketplace_app.errors import StoreError
from marketplace_app.jobs.measuring import GaugeCollector
from marketplace_app.limits import BACKUP_OVERDUE_AFTER, MAIL_OVERDUE_AFTER
from tests.databases import ROOT
from tests.deploy.programs import DEPLOY
from tests.test_references import failures

WATCHING = DEPLOY / "watching"
ALERTS = [
    rule
    for group in yaml.safe_load((WATCHING / "alerts.yml").read_text())["groups"]
    for rule in group["rules"]
]  # fmt: skip
TESTS = [WATCHING / name for name in ("alerts.test.yml", "alerts.day.test.yml")]
DASHBOARD = json.loads((WATCHING / "dashboard.json").read_text())
PANELS = [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]
OF_PROMETHEUS = {"job", "instance"}
"""Labels that every scraped series has."""
GRAFANAS_INTERVAL = "$__rate_interval"


def exposed_series() -> dict[str, set[str]]:
    """The names of all series that a store exposes, with their labels."""
    names = {"up": set[str](), "process_cpu_seconds_total": set(), "process_resident_memory_bytes": set()}
    for metric in vars(metrics).values():
        if isinstance(metric, Histogram):
            labels = set(metric._labelnames)
            names |= {f"{metric._name}_count": labels, f"{metric._name}_sum": labels}
            names[f"{metric._name}_bucket"] = labels | {"le"}
        elif isinstance(metric, CountMetric):
            names[f"{metric._name}_total"] = set(metric._labelnames)
    return names | {sample.name: {*sample.labels} for each in GaugeCollector().collect() for sample in each.samples}


def expressions() -> list[str]:
    asked = [target["expr"] for panel in PANELS for target in panel["targets"]]
    return [rule["expr"] for rule in ALERTS] + [each.replace(GRAFANAS_INTERVAL, "5m") for each in asked]


def nodes(expression: str) -> Iterator[Any]:
    found: list[Any] = []

    def note(node: Any) -> bool:
        found.append(node)
        return True

    promql_parser.walk(promql_parser.parse(expression), note)
    return iter(found)


def selectors(expression: str) -> list[VectorSelector]:
    return [node for node in nodes(expression) if isinstance(node, VectorSelector)]


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_every_series_asked_for_exists_with_those_labels(engine: Engine) -> None:
    known = exposed_series()
    for expression in expressions():
        asked = selectors(expression)
        assert asked, expression
        for selector in asked:
            assert selector.name in known, expression
            labels = {matcher.name for matcher in selector.matchers.matchers}
            assert labels <= known[selector.name] | OF_PROMETHEUS, expression
        grouped = {label for group in re.findall(r"by \(([^)]*)\)", expression) for label in group.split(", ")}
        assert grouped <= set().union(*(known[each.name] for each in asked)) | OF_PROMETHEUS, expression


def test_every_value_asked_for_is_one_that_the_store_says() -> None:
    codes, buckets = {each.code for each in failures(StoreError)}, {str(each) for each in metrics._SECONDS}
    said: Mapping[str, set[str]] = {
        "code": codes,
        "le": buckets,
        "outcome": {"ok", "refused", "failed", "cancelled"},
        "job": {"stillroom"},
    }
    for expression in expressions():
        for selector in selectors(expression):
            for matcher in selector.matchers.matchers:
                if matcher.op == MatchOp.Equal:
                    assert matcher.value in said[matcher.name], expression


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_the_dashboard_shows_everything_that_the_store_measures(engine: Engine) -> None:
    def family(name: str) -> str:
        return re.sub(r"_(bucket|count|sum|total)$", "", name)

    shown = {family(str(each.name)) for panel in PANELS for target in panel["targets"] for each in
             selectors(target["expr"].replace(GRAFANAS_INTERVAL, "5m"))}  # fmt: skip
    assert {family(name) for name in exposed_series()} - shown == set()


def test_the_dashboard_is_one_that_grafana_imports() -> None:
    assert DASHBOARD["templating"]["list"][0]["type"] == "datasource"
    assert all(each["datasource"]["uid"] == "${source}" for panel in PANELS for each in [panel, *panel["targets"]])
    ids = Counter(panel["id"] for panel in DASHBOARD["panels"])
    assert max(ids.values()) == 1
    taken = Counter(
        (x, y)
        for box in (panel["gridPos"] for panel in DASHBOARD["panels"])
        for x in range(box["x"], box["x"] + box["w"])
        for y in range(box["y"], box["y"] + box["h"])
    )
    assert max(taken.values()) == 1, "panels lie on each other"
    assert max(x for x, _ in taken) <= 23


@pytest.mark.parametrize("alert", ALERTS, ids=lambda rule: rule["alert"])
def test_an_alert_says_what_is_wrong_what_to_do_and_where_the_guide_goes_on(alert: dict[str, Any]) -> None:
    assert alert["labels"] == {"severity": alert["labels"]["severity"]}
    assert alert["labels"]["severity"] in ("critical", "warning")
    said = alert["annotations"]
    assert said.keys() == {"summary", "description", "runbook_url"}
    assert said["summary"].endswith(".")
    assert said["description"].endswith(".")
    path, _, anchor = said["runbook_url"].partition("#")
    assert path == "docs/operations.md"
    assert re.fullmatch(r"when-[a-z-]+", anchor)
    assert anchor in anchors((ROOT / path).read_text()), f"{path} has no such heading"


def anchors(text: str) -> set[str]:
    """As they are made of headings: lower case, `-` for spaces, no punctuation."""
    headings = re.findall(r"^#+ (.+)$", text, re.M)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_alerts_wait_as_long_as_the_health_page() -> None:
    expr = {rule["alert"]: rule["expr"] for rule in ALERTS}
    assert expr["BackupOld"].endswith(f" > {BACKUP_OVERDUE_AFTER.total_seconds():.0f}")
    assert expr["MailStuck"].endswith(f" > {MAIL_OVERDUE_AFTER.total_seconds():.0f}")


def test_every_alert_is_shown_to_fire_and_a_store_in_order_to_be_quiet() -> None:
    cases = [case for file in TESTS for case in yaml.safe_load(file.read_text())["tests"]]
    fires = {
        name
        for case in cases
        for sample in case["promql_expr_test"][0]["exp_samples"]
        for name in re.findall(r'alertname="(\w+)"', sample["labels"])
    }
    assert fires == {rule["alert"] for rule in ALERTS}
    (quiet,) = [case for case in cases if case["name"] == "nothing is wrong"]
    assert quiet["promql_expr_test"][0]["exp_samples"] == []
    given = {re.split("[{ ]", each["series"])[0] for each in quiet["input_series"]}
    assert {each.name for rule in ALERTS for each in selectors(rule["expr"])} - given == set()


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool is not installed")
def test_prometheus_itself_accepts_and_evaluates_the_rules() -> None:
    for command in (
        ["check", "config", "prometheus.yml"],
        ["check", "rules", "--lint-fatal", "alerts.yml"],
        ["test", "rules", *(file.name for file in TESTS)],
    ):
        run = subprocess.run(["promtool", *command], cwd=WATCHING, capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stdout + run.stderr
