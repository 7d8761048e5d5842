"""Which report of a step is applied, and why another is refused (RULE door)."""

from typing import Any

import pytest

from marketplace_app.models import EventResult, StopEvent, StopEventKind, StopFlag
from marketplace_app.schemas.dispatch.door import RefusalCode
from marketplace_app.services.dispatch import steps
from marketplace_app.services.dispatch.steps import STEPS, Facts, judge

ID_ANSWERS = {"ofAge": True, "nameMatches": True, "notExpired": True}
FACTS = Facts(total_cents=152_50, needs_signature=True)
DATA: dict[StopEventKind, dict[str, Any]] = {
    StopEventKind.ARRIVED: {},
    StopEventKind.ID_CHECKED: ID_ANSWERS,
    StopEventKind.PIN_ENTERED: {"right": True, "offline": False},
    StopEventKind.CASH_COUNTED: {"cents": 152_50},
    StopEventKind.SIGNED: {"signature": "M1 1L2 2"},
    StopEventKind.BAG_PLACED: {},
}


@pytest.mark.parametrize("step", STEPS)
def test_a_step_is_applied_when_all_earlier_ones_are_done(step: StopEventKind) -> None:
    before = frozenset(STEPS[: STEPS.index(step)])
    assert judge(FACTS, before, step, DATA[step]) == steps.Judgement()


@pytest.mark.parametrize(
    ("missing", "step"), [(missing, step) for step in STEPS for missing in STEPS[: STEPS.index(step)]]
)
def test_a_step_is_refused_while_an_earlier_one_is_missing(missing: StopEventKind, step: StopEventKind) -> None:
    done = frozenset(STEPS) - {missing}
    judgement = judge(FACTS, done, step, DATA[step])
    assert judgement.code == RefusalCode.STEP_MISSING
    assert judgement.message.startswith("First ")


def test_an_order_without_pin_or_signature_needs_neither() -> None:
    facts = Facts(total_cents=0, needs_pin=False, needs_signature=False)
    done = frozenset({StopEventKind.ARRIVED, StopEventKind.ID_CHECKED, StopEventKind.CASH_COUNTED})
    assert judge(facts, done, StopEventKind.BAG_PLACED, {}).code is None
    for unneeded in (StopEventKind.PIN_ENTERED, StopEventKind.SIGNED):
        assert judge(facts, frozenset(), unneeded, {"right": None, "offline": False}) == steps.Judgement()


@pytest.mark.parametrize("answer", ID_ANSWERS)
def test_an_id_needs_all_three_answers(answer: str) -> None:
    verdict = judge(FACTS, frozenset({StopEventKind.ARRIVED}), StopEventKind.ID_CHECKED, ID_ANSWERS | {answer: False})
    assert verdict.code == RefusalCode.ID_NOT_ACCEPTED


@pytest.mark.parametrize(("cents", "code"), [(152_49, "cash_short"), (152_50, None), (160_00, None), (0, "cash_short")])
def test_the_cash_must_be_at_least_the_total(cents: int, code: str | None) -> None:
    done = frozenset({StopEventKind.ARRIVED, StopEventKind.ID_CHECKED, StopEventKind.PIN_ENTERED})
    assert judge(FACTS, done, StopEventKind.CASH_COUNTED, {"cents": cents}).code == code


def test_the_refusal_says_how_much_cash_is_missing() -> None:
    done = frozenset({StopEventKind.ARRIVED, StopEventKind.ID_CHECKED, StopEventKind.PIN_ENTERED})
    assert judge(FACTS, done, StopEventKind.CASH_COUNTED, {"cents": 150_00}).message.startswith("$2.50 is missing.")


def test_a_wrong_pin_is_refused_online_and_flagged_when_it_could_not_be_checked() -> None:
    done = frozenset({StopEventKind.ARRIVED, StopEventKind.ID_CHECKED})
    online = judge(FACTS, done, StopEventKind.PIN_ENTERED, {"right": False, "offline": False})
    assert (online.code, online.message) == (RefusalCode.PIN_WRONG, "Wrong PIN. Ask again: 4 tries left.")
    wrong_offline = judge(FACTS, done, StopEventKind.PIN_ENTERED, {"right": False, "offline": True})
    assert (wrong_offline.code, wrong_offline.flag) == (None, StopFlag.WRONG_PIN)
    no_pin_offline = judge(FACTS, done, StopEventKind.PIN_ENTERED, {"right": None, "offline": True})
    assert (no_pin_offline.code, no_pin_offline.flag) == (None, StopFlag.NO_PIN)


@pytest.mark.parametrize("kind", [*STEPS, StopEventKind.FAILED])
@pytest.mark.parametrize(
    ("facts", "code"),
    [
        (Facts(total_cents=0, wrong_pins=5), RefusalCode.STOP_LOCKED),
        (Facts(total_cents=0, wrong_pins=5, has_ended=True), RefusalCode.STOP_ENDED),
        (Facts(total_cents=0, has_ended=True, is_cancelled=True), RefusalCode.DO_NOT_HAND_OVER),
        (Facts(total_cents=0, is_cancelled=True), RefusalCode.DO_NOT_HAND_OVER),
    ],
)
def test_nothing_happens_at_a_stop_that_is_locked_ended_or_cancelled(
    kind: StopEventKind, facts: Facts, code: RefusalCode
) -> None:
    assert judge(facts, frozenset(STEPS), kind, DATA.get(kind, {})).code == code


def test_a_delivery_may_fail_before_any_step() -> None:
    assert judge(FACTS, frozenset(), StopEventKind.FAILED, {"reason": "unsafe"}) == steps.Judgement()


def event(number: int, kind: StopEventKind, code: str | None = None, sequence: int | None = None) -> StopEvent:
    result = EventResult.REFUSED if code else EventResult.APPLIED
    return StopEvent(id=number, kind=kind, result=result, code=code, sequence=sequence)


def test_the_last_answer_to_a_question_counts() -> None:
    accepted, refused = event(1, StopEventKind.ID_CHECKED), event(2, StopEventKind.ID_CHECKED, "id_not_accepted")
    assert steps.done_steps([accepted, refused]) == frozenset()
    assert steps.done_steps([refused, accepted]) == {StopEventKind.ID_CHECKED}


def test_a_refusal_for_another_reason_than_the_answer_undoes_nothing() -> None:
    refused = [event(2, StopEventKind.ID_CHECKED, code) for code in ("stop_locked", "step_missing")]
    assert steps.done_steps([event(1, StopEventKind.ID_CHECKED), *refused]) == {StopEventKind.ID_CHECKED}


def test_waiting_events_releases_and_failures_are_no_steps() -> None:
    waiting = StopEvent(id=1, kind=StopEventKind.ARRIVED, result=EventResult.WAITING)
    assert steps.done_steps([waiting, event(2, StopEventKind.RELEASED), event(3, StopEventKind.FAILED)]) == frozenset()


def test_a_phones_events_are_sorted_by_sequence_number_and_others_by_arrival() -> None:
    third, first, released, second = (
        event(1, StopEventKind.PIN_ENTERED, sequence=3),
        event(2, StopEventKind.ARRIVED, sequence=1),
        event(3, StopEventKind.RELEASED),
        event(4, StopEventKind.ID_CHECKED, sequence=2),
    )
    ordered = steps.sorted_as_judged([third, first, released, second])
    assert ordered == [first, released, second, third], "the third was judged when the second had arrived"
