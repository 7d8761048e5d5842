"""What the dispatch board shows of orders, runs and problems (RULE board-screen)."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from marketplace_app.dispatch_messages import ORDER_RECALLED, STOP_LOCKED
from marketplace_app.models import OrderStatus, StopOutcome
from marketplace_app.schemas.dispatch.runs import (
    OrderCard,
    PersonRef,
    Problem,
    Readiness,
    RunState,
    RunView,
    StopView,
)
from marketplace_app.states.admin.dispatch.dispatch_rows import card_row, problem_row, run_row

NOON = datetime(2026, 11, 27, 20, tzinfo=UTC)
"""Noon at the store."""
DOT = "\N{NO-BREAK SPACE}· "


def card(**changes: Any) -> OrderCard:
    facts: dict[str, Any] = {
        "order_id": "0b0dbb7a",
        "number": 1042,
        "status": OrderStatus.CONFIRMED,
        "customer_name": "Nora Whitfield",
        "address": "214 Larch Street, Portland, OR 97201",
        "zip_code": "97201",
        "window_starts_at": None,
        "window_ends_at": None,
        "promised_by": NOON,
        "cash_cents": 152_50,
        "attempts": 0,
        "readiness": Readiness.NOT_ASKED,
        "at_risk": "",
        "is_recalled": False,
    }
    return OrderCard(**facts | changes)


def stop(stop_id: int, outcome: StopOutcome | None = None, **changes: Any) -> StopView:
    facts: dict[str, Any] = {
        "id": stop_id,
        "position": stop_id,
        "card": card(),
        "outcome": outcome,
        "failure": None,
        "ended_at": None,
        "is_locked": False,
        "flag": None,
    }
    return StopView(**facts | changes)


def run(*stops: StopView, **changes: Any) -> RunView:
    facts: dict[str, Any] = {
        "id": 8,
        "day": NOON.date(),
        "driver": PersonRef(id=3, name="Dora"),
        "vehicle": "White van",
        "state": RunState.PLANNED,
        "planned_at": NOON,
        "departed_at": None,
        "closed_at": None,
        "stops": stops,
        "cash_cents": 612_00,
    }
    return RunView(**facts | changes)


def problem(message: str, **changes: Any) -> Problem:
    return Problem(card=card(**changes), stop_id=31, run_id=8, message=message, needs_release=False)


def test_a_card_shows_its_window_or_the_end_of_its_promise() -> None:
    assert card_row(card()).when == "By Fri, Nov 27, 12:00 PM"
    window = card(window_starts_at=NOON, window_ends_at=NOON + timedelta(hours=2))
    assert card_row(window).when == "Fri, Nov 27, 12:00 PM to 2:00 PM"


@pytest.mark.parametrize(
    ("changes", "notes"),
    [
        ({}, ""),
        ({"status": OrderStatus.PENDING}, "Not confirmed"),
        ({"attempts": 1}, "Attempt 2"),
        ({"readiness": Readiness.SILENT}, "No answer yet"),
        ({"readiness": Readiness.READY}, ""),
        ({"status": OrderStatus.PENDING, "attempts": 2}, f"Not confirmed{DOT}Attempt 3"),
    ],
)
def test_a_card_notes_what_is_unusual(changes: dict[str, Any], notes: str) -> None:
    row = card_row(card(**changes))
    assert (row.notes, row.is_ready) == (notes, changes.get("readiness") is Readiness.READY)


def test_a_card_without_a_zip_code_does_not_begin_with_a_dot() -> None:
    assert card_row(card()).who == f"97201{DOT}Nora Whitfield"
    assert card_row(card(zip_code="")).who == "Nora Whitfield"


def test_a_run_says_what_is_known_of_it() -> None:
    two = run_row(run(stop(1), stop(2)))
    assert (two.title, two.facts) == (
        "Run 8 · Dora",
        DOT.join(("Fri, Nov 27", "White van", "2\N{NO-BREAK SPACE}stops", "$612.00")),
    )
    assert run_row(run(vehicle="")).facts == DOT.join(("Fri, Nov 27", "0\N{NO-BREAK SPACE}stops", "$612.00"))


def test_only_stops_that_have_not_ended_are_first_or_last() -> None:
    """The buttons that move a stop: none goes past the end, and none before a stop that has ended."""
    rows = run_row(run(stop(1, StopOutcome.DELIVERED), stop(2), stop(3), stop(4, StopOutcome.FAILED))).stops
    assert [(row.place, row.is_first, row.is_last) for row in rows] == [
        ("1", False, False),
        ("2", True, False),
        ("3", False, True),
        ("4", False, False),
    ]
    assert [row.outcome for row in rows] == ["Delivered", "", "", "Not delivered"]


def test_a_run_can_be_closed_when_all_its_stops_have_ended() -> None:
    assert not run_row(run(stop(1, StopOutcome.DELIVERED), stop(2))).can_close
    assert run_row(run(stop(1, StopOutcome.DELIVERED), stop(2, StopOutcome.CANCELLED))).can_close


def test_a_risk_that_says_the_same_as_the_problem_is_not_shown_twice() -> None:
    late = "Late: it was promised by 12:00 PM."
    assert problem_row(problem(late, at_risk=late)).card.risk == ""
    assert problem_row(problem(STOP_LOCKED, at_risk=late)).card.risk == late


@pytest.mark.parametrize(
    ("changes", "can_plan"),
    [
        ({"status": OrderStatus.PENDING}, True),
        ({"status": OrderStatus.CONFIRMED}, True),
        ({"status": OrderStatus.OUT_FOR_DELIVERY}, False),
        ({"status": OrderStatus.CANCELLED}, False),
        ({"status": OrderStatus.CONFIRMED, "is_recalled": True}, False),
    ],
)
def test_a_problem_can_be_planned_again_unless_its_order_is_out_over_or_recalled(
    changes: dict[str, Any], can_plan: bool
) -> None:
    assert problem_row(problem(ORDER_RECALLED, **changes)).can_plan is can_plan
