"""What the dispatch board shows of orders, runs and problems."""

from dataclasses import dataclass, replace

from marketplace_app import clock, money
from marketplace_app.config import get_settings
from marketplace_app.display.bidi import isolated
from marketplace_app.display.paging import counted
from marketplace_app.models import OrderStatus, StopOutcome
from marketplace_app.schemas.dispatch.runs import OrderCard, Problem, Readiness, RunView, StopView
from marketplace_app.services.buying.fulfilment import BEFORE_DISPATCH

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
    """`Fri, Nov 27, 5:00 PM to 7:00 PM`, or `By Fri, Nov 27, 5:12 PM`"""
    who: str
    """`97201 · Nora Whitfield`"""
    cash: str
    notes: str
    """`Not confirmed · Attempt 2 · No answer yet`"""
    is_ready: bool
    risk: str


@dataclass(frozen=True)
class StopRow:
    id: int
    run_id: int
    card: CardRow
    place: str
    """`2` if it is the second of its run's stops on the board."""
    outcome: str
    """Empty until it has ended."""
    is_delivered: bool
    is_first: bool
    """The first of the run's stops that have not ended."""
    is_last: bool
    """The last of them."""


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
    stop_id: int
    run_id: int
    card: CardRow
    message: str
    needs_release: bool
    can_plan: bool


def card_row(card: OrderCard) -> CardRow:
    timezone = get_settings().timezone
    if card.window_starts_at and card.window_ends_at:
        when = clock.show_span(card.window_starts_at, card.window_ends_at, timezone)
    else:
        when = f"By {clock.show_weekday_and_time(card.promised_by, timezone)}"
    notes = _joined(
        "Not confirmed" if card.status is OrderStatus.PENDING else "",
        f"Attempt {card.attempts + 1}" if card.attempts else "",
        "No answer yet" if card.readiness is Readiness.SILENT else "",
    )
    return CardRow(
        id=card.order_id,
        number=str(card.number),
        href=f"/admin/orders/{card.order_id}",
        when=when,
        who=_joined(card.zip_code, isolated(card.customer_name)),
        cash=money.show(card.cash_cents),
        notes=notes,
        is_ready=card.readiness is Readiness.READY,
        risk=card.at_risk,
    )


def run_row(run: RunView) -> RunRow:
    open_ids = [stop.id for stop in run.stops if stop.outcome is None]
    stops = counted(len(run.stops), "stop").replace(" ", "\N{NO-BREAK SPACE}")
    return RunRow(
        id=run.id,
        href=f"/admin/runs/{run.id}",
        title=f"Run {run.id} · {isolated(run.driver.name)}",
        facts=_joined(clock.show_weekday(run.day), isolated(run.vehicle), stops, money.show(run.cash_cents)),
        stops=[_stop_row(run.id, place, stop, open_ids) for place, stop in enumerate(run.stops, start=1)],
        can_close=not open_ids,
    )


def problem_row(problem: Problem) -> ProblemRow:
    """The card leaves out its risk if the problem's message says the same."""
    card = card_row(problem.card)
    return ProblemRow(
        stop_id=problem.stop_id,
        run_id=problem.run_id,
        card=replace(card, risk="") if card.risk == problem.message else card,
        message=problem.message,
        needs_release=problem.needs_release,
        can_plan=problem.card.status in BEFORE_DISPATCH and not problem.card.is_recalled,
    )


def _joined(*facts: str) -> str:
    """Those that are not empty. A line never begins with the dot between them."""
    return "\N{NO-BREAK SPACE}· ".join(filter(None, facts))


def _stop_row(run_id: int, place: int, stop: StopView, open_ids: list[int]) -> StopRow:
    return StopRow(
        id=stop.id,
        run_id=run_id,
        card=card_row(stop.card),
        place=str(place),
        outcome=OUTCOMES[stop.outcome] if stop.outcome else "",
        is_delivered=stop.outcome is StopOutcome.DELIVERED,
        is_first=bool(open_ids) and stop.id == open_ids[0],
        is_last=bool(open_ids) and stop.id == open_ids[-1],
    )
