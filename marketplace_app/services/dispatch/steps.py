"""Judges what is reported from a door: pure functions of the stop, of what was done there, and of the report
(RULE door)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from marketplace_app import dispatch_messages
from marketplace_app.limits import MAX_CHANGE_KEPT_CENTS, MAX_WRONG_PINS
from marketplace_app.models import EventResult, StopEvent, StopEventKind, StopFlag
from marketplace_app.schemas.dispatch.door import RefusalCode

STEPS = (
    StopEventKind.ARRIVED,
    StopEventKind.ID_CHECKED,
    StopEventKind.PIN_ENTERED,
    StopEventKind.CASH_COUNTED,
    StopEventKind.SIGNED,
    StopEventKind.BAG_PLACED,
)
"""In this order; an order without a door PIN or a signature leaves out that step."""
UNDOES_A_STEP = (
    RefusalCode.ID_NOT_ACCEPTED,
    RefusalCode.PIN_WRONG,
    RefusalCode.CASH_SHORT,
    RefusalCode.CHANGE_NOT_KEPT,
)
"""Refusals of what the driver answered at a step, not of when. Such an answer replaces an earlier one at the same step,
so the step is no longer done."""


@dataclass(frozen=True)
class Facts:
    """What is known of a stop when a report is judged."""

    total_cents: int
    offers_change_as_credit: bool = False
    """Whether customers may get their change as store credit."""
    needs_pin: bool = True
    needs_signature: bool = False
    is_cancelled: bool = False
    is_recalled: bool = False
    """Units in it were recalled (RULE recalled-orders)."""
    has_ended: bool = False
    wrong_pins: int = 0

    @property
    def steps(self) -> tuple[StopEventKind, ...]:
        is_needed = {StopEventKind.PIN_ENTERED: self.needs_pin, StopEventKind.SIGNED: self.needs_signature}
        return tuple(step for step in STEPS if is_needed.get(step, True))


@dataclass(frozen=True)
class Judgement:
    """What is made of a report: without a code it is applied, with one it is refused."""

    code: RefusalCode | None = None
    message: str = ""
    flag: StopFlag | None = None
    """What a dispatcher has to look at, although the report was applied."""


def done_steps(events: Iterable[StopEvent]) -> frozenset[StopEventKind]:
    """The steps that are done, by events in the order in which they were judged: the last answer counts."""
    done: set[StopEventKind] = set()
    for event in events:
        if event.result is EventResult.APPLIED:
            done.add(event.kind)
        elif event.code in UNDOES_A_STEP:
            done.discard(event.kind)
    return frozenset(done.intersection(STEPS))


def sorted_as_judged(events: Iterable[StopEvent]) -> list[StopEvent]:
    """The events in the order in which they were judged: a phone's event as soon as it and all events that the phone
    numbered lower have arrived, any other event on arrival."""
    by_sequence = sorted(events, key=lambda event: (event.sequence or 0, event.id))
    order: list[tuple[int, int, StopEvent]] = []
    latest = 0
    for event in by_sequence:
        judged_with = event.id  # the id of the event whose arrival caused the judgement; ids are in order of arrival
        if event.sequence is not None:
            judged_with = latest = max(latest, event.id)
        order.append((judged_with, event.sequence or 0, event))
    return [event for _, _, event in sorted(order, key=lambda each: each[:2])]


def change_kept(events: Iterable[StopEvent], total_cents: int) -> int:
    """What the customer paid above the total and keeps as credit, by the last count that was applied."""
    counts = [
        event.data
        for event in sorted_as_judged(events)
        if event.kind is StopEventKind.CASH_COUNTED and event.result is EventResult.APPLIED
    ]
    if not counts or not counts[-1].get("keepChange"):
        return 0
    return int(counts[-1]["cents"]) - total_cents


def judge(facts: Facts, done: frozenset[StopEventKind], kind: StopEventKind, data: Mapping[str, Any]) -> Judgement:
    """`data` is what is stored of the report."""
    if facts.is_recalled and not facts.is_cancelled and not facts.has_ended and kind is not StopEventKind.FAILED:
        return Judgement(RefusalCode.DO_NOT_HAND_OVER, dispatch_messages.RECALLED)
    if code := _why_closed(facts):
        return Judgement(code, dispatch_messages.REFUSALS[code])
    if kind is StopEventKind.FAILED or kind not in facts.steps:
        return Judgement()
    before = facts.steps[: facts.steps.index(kind)]
    missing = next((step for step in before if step not in done), None)
    if missing is not None:
        return Judgement(RefusalCode.STEP_MISSING, dispatch_messages.MISSING_STEPS[missing])
    return _judge_answer(facts, kind, data)


def _why_closed(facts: Facts) -> RefusalCode | None:
    """Why nothing may happen at this stop."""
    if facts.is_cancelled:
        return RefusalCode.DO_NOT_HAND_OVER
    if facts.has_ended:
        return RefusalCode.STOP_ENDED
    return RefusalCode.STOP_LOCKED if facts.wrong_pins >= MAX_WRONG_PINS else None


def _judge_answer(facts: Facts, kind: StopEventKind, data: Mapping[str, Any]) -> Judgement:
    if kind is StopEventKind.ID_CHECKED and not all(data.values()):
        return Judgement(RefusalCode.ID_NOT_ACCEPTED, dispatch_messages.REFUSALS[RefusalCode.ID_NOT_ACCEPTED])
    if kind is StopEventKind.CASH_COUNTED and data["cents"] < facts.total_cents:
        return Judgement(RefusalCode.CASH_SHORT, dispatch_messages.cash_short(facts.total_cents - data["cents"]))
    if kind is StopEventKind.CASH_COUNTED and data.get("keepChange"):
        change = data["cents"] - facts.total_cents
        if not facts.offers_change_as_credit or change > MAX_CHANGE_KEPT_CENTS:
            return Judgement(RefusalCode.CHANGE_NOT_KEPT, dispatch_messages.REFUSALS[RefusalCode.CHANGE_NOT_KEPT])
    if kind is StopEventKind.PIN_ENTERED and not data["right"]:
        if not data["offline"]:
            return Judgement(RefusalCode.PIN_WRONG, dispatch_messages.pin_wrong(facts.wrong_pins + 1))
        return Judgement(flag=StopFlag.NO_PIN if data["right"] is None else StopFlag.WRONG_PIN)
    return Judgement()
