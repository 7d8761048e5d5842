"""What reports from a door say, for staff. What was erased with an account is not in a report any more."""

from collections.abc import Mapping
from typing import Any

from marketplace_app import money
from marketplace_app.models import EventResult, EventSource, FailureReason, StopEvent, StopEventKind
from marketplace_app.schemas.dispatch.door import RefusalCode
from marketplace_app.services.dispatch import failures

_REFUSED: Mapping[RefusalCode, str] = {
    RefusalCode.STEP_MISSING: "refused: a step before it was missing",
    RefusalCode.ID_NOT_ACCEPTED: "refused",
    RefusalCode.PIN_WRONG: "refused",
    RefusalCode.CASH_SHORT: "refused: not enough",
    RefusalCode.CHANGE_NOT_KEPT: "refused: the change cannot be credit",
    RefusalCode.STOP_LOCKED: "refused: the stop was locked",
    RefusalCode.STOP_ENDED: "refused: the stop had ended",
    RefusalCode.DO_NOT_HAND_OVER: "refused: the order was cancelled or recalled",
    RefusalCode.SEQUENCE_TAKEN: "refused: another phone had reported this step",
}
_WAITING = "waits for the report before it"
_WITHOUT_DATA = {
    StopEventKind.ARRIVED: "Arrived",
    StopEventKind.BAG_PLACED: "Bag placed",
    StopEventKind.RETURNED: "Back in the shop",
}
_OBJECTIONS = {"ofAge": "under 21", "nameMatches": "another name", "notExpired": "expired"}
"""For each question about the ID, what the answer 'no' means."""


def describe(event: StopEvent) -> str:
    """`Cash counted: $10.00 (refused: not enough)`"""
    said = _WITHOUT_DATA.get(event.kind) or _describe_data(event)
    if event.result is EventResult.WAITING:
        return f"{said} ({_WAITING})"
    return f"{said} ({_REFUSED[RefusalCode(event.code)]})" if event.code else said


def _describe_data(event: StopEvent) -> str:
    data = event.data
    if event.kind is StopEventKind.ID_CHECKED:
        objections = [text for name, text in _OBJECTIONS.items() if data.get(name) is False]
        return f"ID not accepted: {', '.join(objections)}" if objections else "ID accepted"
    if event.kind is StopEventKind.PIN_ENTERED:
        return _pin(data)
    if event.kind is StopEventKind.CASH_COUNTED:
        kept = ", change kept as credit" if data.get("keepChange") else ""
        return f"Cash counted: {money.show(data.get('cents', 0))}{kept}"
    if event.kind is StopEventKind.SIGNED:
        return "Signed on paper" if event.source is EventSource.PAPER else "Signed"
    if event.kind is StopEventKind.RELEASED:
        return _joined("Released", data.get("reason"))
    reason = data.get("reason")
    why = _joined("Couldn't deliver", failures.RULES[FailureReason(reason)].label if reason else "")
    return f"{why}. {data['note']}" if data.get("note") else why


def _pin(data: Mapping[str, Any]) -> str:
    right = data.get("right")
    if right is None:
        return "No PIN"
    return f"{'Right' if right else 'Wrong'} PIN{', checked afterwards' if data.get('offline') else ''}"


def _joined(what: str, detail: str | None) -> str:
    return f"{what}: {detail}" if detail else what
