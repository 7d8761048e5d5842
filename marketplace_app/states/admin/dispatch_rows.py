"""What the dispatch board shows of orders, runs and problems."""

from dataclasses import dataclass

from marketplace_app import clock, money
from marketplace_app.config import get_settings
from marketplace_app.display.paging import counted
from marketplace_app.models import OrderStatus, StopOutcome
from marketplace_app.schemas.runs import OrderCard, Problem, Readiness, RunView, StopView

READINESS = {Readiness.NOT_ASKED: "", Readiness.SILENT: "No answer yet", Readiness.READY: "Ready"}
OUTCOMES = {
    StopOutcome.DELIVERED: "Delivered",
    StopOutcome.FAILED: "Not delivered",
    StopOutcome.CANCELLED: "Cancelled",
    StopOutcome.REMOVED: "Taken off",
}


@dataclass(frozen=True)
class CardRow:
    id: str
    number: str
    href: str
    when: str
    """`Fri, Nov 27, 5:00 PM to 7:00 PM`, or `By Nov 27, 5:12 PM`"""
    who: str
    """`Nora Whitfield · 97201`"""
    cash: str
    notes: str
    """`Not confirmed · 2nd attempt · No answer yet`"""
    is_ready: bool
    risk: str


@dataclass(frozen=True)
class StopRow:
    id: int
    run: int
    card: CardRow
    outcome: str
    """Empty until it has ended."""
    is_first: bool
    is_last: bool


@dataclass(frozen=True)
class RunRow:
    id: int
    href: str
    title: str
    """`Run 8 · Dora`"""
    facts: str
    """`Fri, Nov 27 · White van · 5 stops · $612.00`"""
    stops: list[StopRow]
    can_close: bool


@dataclass(frozen=True)
class ProblemRow:
    stop: int
    run: int
    card: CardRow
    message: str
    needs_release: bool
    can_plan: bool


def card_row(card: OrderCard) -> CardRow:
    timezone = get_settings().timezone
    if card.window_starts_at and card.window_ends_at:
        when = clock.show_span(card.window_starts_at, card.window_ends_at, timezone)
    else:
        when = f"By {clock.show_time(card.promised_by, timezone)}"
    notes = (
        "Not confirmed" if card.status is OrderStatus.PENDING else "",
        f"Attempt {card.attempts + 1}" if card.attempts else "",
        READINESS[card.readiness] if card.readiness is Readiness.SILENT else "",
    )
    return CardRow(
        id=card.order_id,
        number=str(card.number),
        href=f"/admin/orders/{card.order_id}",
        when=when,
        who=" · ".join(filter(None, (card.customer_name, card.zip_code))),
        cash=money.show(card.cash_cents),
        notes=" · ".join(filter(None, notes)),
        is_ready=card.readiness is Readiness.READY,
        risk=card.at_risk,
    )


def run_row(run: RunView) -> RunRow:
    left = [stop.id for stop in run.stops if stop.outcome is None]
    facts = (clock.show_day(run.day), run.vehicle, counted(len(run.stops), "stop"), money.show(run.cash_cents))
    return RunRow(
        id=run.id,
        href=f"/admin/runs/{run.id}",
        title=f"Run {run.id} · {run.driver.name}",
        facts=" · ".join(filter(None, facts)),
        stops=[_stop_row(run.id, stop, left) for stop in run.stops],
        can_close=not left,
    )


def problem_row(problem: Problem) -> ProblemRow:
    return ProblemRow(
        stop=problem.stop_id,
        run=problem.run_id,
        card=card_row(problem.card),
        message=problem.message,
        needs_release=problem.needs_release,
        can_plan=problem.card.status in (OrderStatus.PENDING, OrderStatus.CONFIRMED),
    )


def _stop_row(run_id: int, stop: StopView, left: list[int]) -> StopRow:
    return StopRow(
        id=stop.id,
        run=run_id,
        card=card_row(stop.card),
        outcome=OUTCOMES[stop.outcome] if stop.outcome else "",
        is_first=left[:1] == [stop.id],
        is_last=left[-1:] == [stop.id],
    )
