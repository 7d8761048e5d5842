"""Names that are written from the right to the left do not reorder what stands beside them (RULE dates-and-ids)."""

from datetime import UTC, datetime

import pytest

from marketplace_app.display.bidi import isolated
from marketplace_app.models import OrderStatus
from marketplace_app.schemas.batches.recalls import RecalledOrder
from marketplace_app.schemas.delivery.windows import WindowView
from marketplace_app.schemas.dispatch.runs import OrderCard, PersonRef, Readiness, RunState, RunView
from marketplace_app.states.admin.batches import recalls
from marketplace_app.states.admin.delivery import windows
from marketplace_app.states.admin.dispatch import dispatch_rows

HEBREW = "\u05e0\u05d5\u05e8\u05d4"
ISOLATED = f"\u2068{HEBREW}\u2069"
NOON = datetime(2026, 11, 27, 20, tzinfo=UTC)
"""Noon at the store."""


@pytest.mark.parametrize("text", ["", "Nora", "Émile 🌿", "<b>Bob</b>", "503 555 0142"])
def test_any_other_text_stays_as_it_is(text: str) -> None:
    assert isolated(text) == text


@pytest.mark.parametrize("control", "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
def test_no_character_ends_the_isolation_or_turns_digits_around(control: str) -> None:
    assert isolated(f"{control}{HEBREW}{control}") == ISOLATED
    assert isolated(f"Nora{control}") == "Nora"


def test_the_phone_number_in_a_recall_stands_after_the_name() -> None:
    order = RecalledOrder(
        order_id="1",
        number=1042,
        status=OrderStatus.PENDING,
        customer_name=HEBREW,
        phone="503 555 0142",
        units=2,
        read_at=None,
    )
    assert recalls._order_row(order).facts.startswith(f"{ISOLATED} · 503")


def test_the_times_of_a_window_stand_after_its_zone() -> None:
    window = WindowView(id=1, zone_id=1, weekday=4, opens="17:00", closes="19:00", cutoff_minutes=0, capacity=1)
    assert windows._row(window, {1: HEBREW}).text.startswith(f"{ISOLATED}, 17:00 to 19:00")


def test_the_cash_of_a_run_stands_after_its_vehicle() -> None:
    card = OrderCard(
        order_id="1",
        number=1042,
        status=OrderStatus.CONFIRMED,
        customer_name=HEBREW,
        address="",
        zip_code="97201",
        window_starts_at=None,
        window_ends_at=None,
        promised_by=NOON,
        cash_cents=152_50,
        attempts=0,
        readiness=Readiness.NOT_ASKED,
        at_risk="",
        is_recalled=False,
    )
    run = RunView(
        id=8,
        day=NOON.date(),
        driver=PersonRef(id=1, name=HEBREW),
        vehicle=HEBREW,
        state=RunState.PLANNED,
        planned_at=NOON,
        departed_at=None,
        closed_at=None,
        stops=(),
        cash_cents=152_50,
    )
    row = dispatch_rows.run_row(run)
    assert ISOLATED in dispatch_rows.card_row(card).who
    assert row.title.endswith(ISOLATED)
    assert ISOLATED in row.facts
