"""The order and the summary of the parts of the store (RULE store-health)."""

from typing import Any

import pytest

from marketplace_app.errors import Unavailable
from marketplace_app.schemas.admin.health import CheckView
from marketplace_app.services.admin import health, infrastructure
from marketplace_app.states.admin.health import AdminHealthState
from tests.conftest import ON_SQLITE
from tests.states.admin.conftest import Tab


def check(label: str, *, is_ok: bool) -> CheckView:
    return CheckView(part="mail", label=label, is_ok=is_ok, says=f"{label}.", advice="" if is_ok else "Do this.")


def report(monkeypatch: pytest.MonkeyPatch, database: dict[str, bool], outside: dict[str, bool]) -> None:
    for module, name, parts in (
        (health, "check_database", database),
        (infrastructure, "check_infrastructure", outside),
    ):
        checks = [check(label, is_ok=is_ok) for label, is_ok in parts.items()]
        monkeypatch.setattr(module, name, lambda *_, checks=checks: list(checks))


@ON_SQLITE
@pytest.mark.parametrize(
    ("database", "outside", "labels", "summary"),
    [
        ({"Mail": True, "Backup": True}, {"Disk": True}, ["Mail", "Backup", "Disk"], "Everything is working."),
        ({"Mail": True, "Backup": False}, {"Disk": True}, ["Backup", "Mail", "Disk"], "1 part needs attention."),
        ({"Mail": True, "Backup": False}, {"Disk": False}, ["Backup", "Disk", "Mail"], "2 parts need attention."),
    ],
)
def test_what_needs_attention_comes_first_and_is_counted(
    database: dict[str, bool],
    outside: dict[str, bool],
    labels: list[str],
    summary: str,
    tab: Tab,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    report(monkeypatch, database, outside)
    state = tab.state(AdminHealthState)
    tab.send(state, "load")
    assert ([row.label for row in state.checks], state.summary) == (labels, summary)


@ON_SQLITE
def test_a_check_that_fails_can_be_asked_for_again(tab: Tab, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> Any:
        raise Unavailable()

    report(monkeypatch, {"Mail": True}, {})
    state = tab.state(AdminHealthState)
    tab.send(state, "load")
    monkeypatch.setattr(health, "check_database", fail)
    tab.send(state, "check_again")
    assert (state.is_checking, [row.label for row in state.checks]) == (False, ["Mail"])
    assert tab.toast[0] == Unavailable.message
