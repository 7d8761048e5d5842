"""Drivers' phones over REST (RULE driver-run, RULE driver-events)."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlmodel import Session

from marketplace_app.limits import MAX_DRIVER_EVENTS
from marketplace_app.models import Order, OrderStatus, Role, User
from marketplace_app.web.request_filter import MAX_DRIVER_EVENTS_BYTES
from tests import injections
from tests.builders import make_run, make_user
from tests.conftest import ON_SQLITE, Cast, SignIn
from tests.doors import PIN, Phone, make_order_out

RUN, EVENTS = "/api/driver/run", "/api/driver/events"
AS_JSON = {"content-type": "application/json"}


@pytest.fixture
def dora(session: Session) -> User:
    driver = make_user(session, "dora", role=Role.DRIVER)
    session.commit()
    return driver


def test_a_driver_sees_the_run_that_they_are_out_on(session: Session, as_user: SignIn, cast: Cast, dora: User) -> None:
    phone = as_user(dora)
    assert phone.get(RUN).json() is None
    make_run(session, dora, make_order_out(session, cast.alice), is_out=True)
    session.commit()
    answer = phone.get(RUN)
    assert (answer.json()["keepsChange"], answer.json()["timeZone"]) == (False, "America/Los_Angeles")
    [stop] = answer.json()["stops"]
    assert (stop["cash"], stop["needsPin"], stop["needsSignature"], stop["done"]) == ("152.50", True, False, [])
    assert "doorPin" not in answer.text
    assert "alice@example.org" not in answer.text
    assert as_user(cast.ada).get(RUN).json() is None


def test_steps_sent_shuffled_and_twice_deliver_once(session: Session, as_user: SignIn, cast: Cast, dora: User) -> None:
    orders = [make_order_out(session, who) for who in (cast.alice, cast.bob)]
    stops = make_run(session, dora, *orders, is_out=True).stops
    session.commit()
    phone, client = Phone(), as_user(dora)
    events = [each for stop in stops for each in phone.steps(stop)]
    random.Random(7).shuffle(events)
    first = client.post(EVENTS, json=events[:6]).json()
    again = client.post(EVENTS, json=events).json()
    assert [answer["key"] for answer in again] == [event["key"] for event in events]
    assert {answer["result"] for answer in first} <= {"applied", "waiting"}
    assert {answer["result"] for answer in again[:6]} == {"known"}
    assert {answer["result"] for answer in again[6:]} == {"applied"}
    assert [stop["outcome"] for stop in client.get(RUN).json()["stops"]] == ["delivered", "delivered"]
    session.rollback()
    for order in orders:
        assert session.get_one(Order, order.id, populate_existing=True).status is OrderStatus.DELIVERED


def test_a_stop_of_somebody_else_is_not_there_and_nothing_is_stored(
    session: Session, as_user: SignIn, cast: Cast, dora: User
) -> None:
    dirk = make_user(session, "dirk", role=Role.DRIVER)
    mine = make_run(session, dora, make_order_out(session, cast.alice), is_out=True).stops[0]
    theirs = make_run(session, dirk, make_order_out(session, cast.bob), is_out=True).stops[0]
    session.commit()
    phone = Phone()
    answer = as_user(dora).post(EVENTS, json=[phone.event(mine, "arrived"), phone.event(theirs, "arrived")])
    assert answer.status_code == 404
    assert as_user(dora).get(RUN).json()["stops"][0]["done"] == []


@ON_SQLITE
@pytest.mark.parametrize(
    "changes",
    [
        {"key": "short"},
        {"seq": 0},
        {"kind": "delivered"},
        {"kind": "released"},
        {"at": "yesterday"},
        {"data": {"pin": "40712"}},
        {"data": {"pin": PIN, "more": 1}},
        {"kind": "signed", "data": {"signature": "<script>"}},
        {"kind": "failed", "data": {"reason": "late"}},
        {"stopId": 2**31},
    ],
)
def test_an_invalid_report_is_refused_by_field(
    session: Session, as_user: SignIn, cast: Cast, dora: User, changes: dict[str, Any]
) -> None:
    stop = make_run(session, dora, make_order_out(session, cast.alice), is_out=True).stops[0]
    session.commit()
    event = Phone().event(stop, "pin_entered", pin=PIN) | changes
    answer = as_user(dora).post(EVENTS, json=[event])
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_input")
    assert answer.json()["fields"]


def test_only_drivers_report(as_user: SignIn, client: TestClient, cast: Cast) -> None:
    assert client.get(RUN).status_code == 401
    assert as_user(cast.alice).get(RUN).status_code == 403
    assert as_user(cast.alice).post(EVENTS, json="nonsense").status_code == 403


def test_a_driver_who_was_not_invited_drives_and_does_not_shop(
    as_user: SignIn, dora: User, configure: Callable[..., None]
) -> None:
    configure(ACCESS_MODE="invite_only")
    client = as_user(dora)
    assert (client.get(RUN).status_code, client.post(EVENTS, json=[]).json()) == (200, [])
    assert client.get("/api/cart").json()["code"] == "invitation_required"


def test_a_report_from_another_site_is_refused(as_user: SignIn, dora: User) -> None:
    foreign = as_user(dora).post(EVENTS, json=[], headers={"origin": "https://evil.example"})
    assert (foreign.status_code, foreign.json()["code"]) == (403, "foreign_origin")


def test_two_hundred_events_with_signatures_are_taken_and_one_more_is_refused(
    session: Session, as_user: SignIn, cast: Cast, dora: User
) -> None:
    stop = make_run(session, dora, make_order_out(session, cast.alice), is_out=True).stops[0]
    session.commit()
    phone, drawn, client = Phone(), "M" + "10 20L" * 666 + "1 2", as_user(dora)
    events = [phone.event(stop, "signed", signature=drawn) for _ in range(MAX_DRIVER_EVENTS + 1)]
    assert [answer["code"] for answer in client.post(EVENTS, json=events[:-1]).json()] == [None] * MAX_DRIVER_EVENTS
    refused = client.post(EVENTS, json=events)
    assert (refused.status_code, refused.json()["fields"]) == (422, {"body": "At most 200 entries are expected"})
    assert client.post(EVENTS, content=b" " * (MAX_DRIVER_EVENTS_BYTES + 1), headers=AS_JSON).status_code == 413


@pytest.mark.attack("hostile values in reports from a door")
@pytest.mark.parametrize("field", ["key", "kind", "at", "pin", "counted", "signature", "reason", "note"])
def test_hostile_values_are_refused_or_only_stored(
    session: Session, as_user: SignIn, cast: Cast, dora: User, field: str
) -> None:
    stop = make_run(session, dora, make_order_out(session, cast.alice), is_out=True).stops[0]
    session.commit()
    client, kinds = as_user(dora), {"pin": "pin_entered", "counted": "cash_counted", "signature": "signed"}
    for value in (*injections.ALL, None, 1, -1, 2**70, True, [], {}, [[]]):
        event = Phone().event(stop, kinds.get(field, "failed"), **({"reason": "other"} if field == "note" else {}))
        part = event if field in event else event["data"]
        part[field] = value
        answer = client.post(EVENTS, json=[event])
        assert answer.status_code in (200, 422), (value, answer.text)
        assert answer.status_code == 422 or field in ("note", "counted")


def test_a_driver_sees_nothing_of_the_admin_pages(as_user: SignIn, dora: User) -> None:
    client = as_user(dora)
    assert client.get("/api/auth/user").json()["isAdmin"] is False
    for path in ("stats", "orders", "users", "dispatch", "runs", "drivers"):
        assert client.get(f"/api/admin/{path}").status_code == 403
