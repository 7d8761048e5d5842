"""Runs and the dispatch board, by REST."""

from typing import Any

import pytest
from sqlmodel import Session

from marketplace_app import clock
from marketplace_app.config import get_settings
from marketplace_app.limits import MAX_RUN_STOPS
from marketplace_app.models import Order, Role, User
from tests import pdfs
from tests.builders import make_order, make_run, make_user
from tests.conftest import Cast, SignIn

RUNS, DISPATCH = "/api/admin/runs", "/api/admin/dispatch"


@pytest.fixture
def dora(session: Session) -> User:
    driver = make_user(session, "dora", role=Role.DRIVER)
    session.commit()
    return driver


@pytest.fixture
def placed(session: Session, cast: Cast) -> list[Order]:
    orders = [make_order(session, cast.alice, cents) for cents in (50_00, 60_00, 70_00)]
    session.commit()
    return orders


def body(driver: User, *orders: Order, **changes: Any) -> dict[str, Any]:
    day = clock.today(get_settings().timezone).isoformat()
    ids = {"orderIds": [order.id for order in orders]} if orders else {}
    return {"day": day, "driverId": driver.id, "vehicle": "White van"} | ids | changes


def order_ids(run: dict[str, Any]) -> list[str]:
    return [stop["order"]["orderId"] for stop in run["stops"]]


def test_a_run_is_planned_changed_driven_and_closed(
    cast: Cast, as_user: SignIn, dora: User, placed: list[Order]
) -> None:
    ada, (one, two, three) = as_user(cast.ada), placed
    made = ada.post(RUNS, json=body(dora, one, two))
    run, path = made.json(), f"{RUNS}/{made.json()['id']}"
    assert (made.status_code, run["state"], run["driver"]) == (201, "planned", {"id": dora.id, "name": "Dora"})
    assert (order_ids(run), run["cash"], run["vehicle"]) == ([one.id, two.id], "110.00", "White van")
    assert ada.get(path).json() == run
    assert ada.get(RUNS).json() == [run]
    assert ada.get(f"{RUNS}?day=2026-01-01").json() == []
    assert ada.get("/api/admin/drivers").json() == [{"id": cast.ada.id, "name": "Ada"}, run["driver"]]
    assert ada.put(path, json=body(dora)).json() == run  # the same again changes nothing, and leaves no entry
    assert ada.put(path, json=body(dora, vehicle=" Bicycle ")).json()["vehicle"] == "Bicycle"
    added = ada.post(f"{path}/stops", json={"orderId": three.id, "position": 1}).json()
    assert order_ids(added) == [three.id, one.id, two.id]
    suggested = ada.get(f"{path}/suggestion").json()
    assert sorted(suggested["stopIds"]) == sorted(stop["id"] for stop in added["stops"])
    backwards = [stop["id"] for stop in reversed(added["stops"])]
    assert order_ids(ada.put(f"{path}/order", json={"stopIds": backwards}).json()) == [two.id, one.id, three.id]
    assert order_ids(ada.delete(f"{path}/stops/{backwards[2]}").json()) == [two.id, one.id]
    assert ada.post(f"{path}/depart").json()["state"] == "out"
    board = ada.get(DISPATCH).json()
    assert [card["orderId"] for card in board["unplanned"]] == [three.id]
    assert [order_ids(each) for each in board["out"]] == [[two.id, one.id]]
    refused = ada.post(f"{path}/close")
    assert (refused.status_code, refused.json()["code"]) == (409, "stops_open")
    for order in (one, two):
        ada.put(f"/api/admin/orders/{order.id}", json={"status": "delivered"}).raise_for_status()
    assert ada.post(f"{path}/close").json()["state"] == "closed"
    assert ada.get(DISPATCH).json()["out"] == []
    trail = [entry["words"] for entry in ada.get("/api/admin/audit").json() if "run " in entry["words"]]
    assert [words.removeprefix("Ada (ada@example.org) ") for words in reversed(trail)] == [
        f"planned run {run['id']}: driver Dora, orders {one.number}, {two.number}",
        f"changed run {run['id']}: driver Dora, day {run['day']}, vehicle Bicycle",
        f"put an order on run {run['id']}: order {three.number}",
        f"changed the order of the stops of run {run['id']}",
        f"took an order off run {run['id']}: order {three.number}",
        f"let run {run['id']} leave with 2 orders",
        f"closed run {run['id']}",
    ]


def test_a_planned_run_is_removed_and_its_orders_are_free(
    cast: Cast, as_user: SignIn, dora: User, placed: list[Order]
) -> None:
    ada = as_user(cast.ada)
    path = f"{RUNS}/{ada.post(RUNS, json=body(dora, *placed)).json()['id']}"
    assert ada.delete(path).status_code == 204
    assert ada.delete(path).status_code == ada.get(path).status_code == 404
    assert len(ada.get(DISPATCH).json()["unplanned"]) == 3


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"day": "tomorrow"}, "day"),
        ({"day": "9999-12-31"}, "day"),
        ({"day": 20261127}, "day"),
        ({"driverId": 987654}, "driverId"),
        ({"driverId": 2**31}, "driverId"),
        ({"driverId": "1"}, "driverId"),
        ({"driverId": True}, "driverId"),
        ({"vehicle": "x" * 61}, "vehicle"),
        ({"orderIds": "all"}, "orderIds"),
        ({"orderIds": [""]}, "orderIds.0"),
        ({"orderIds": [1]}, "orderIds.0"),
        ({"orderIds": [f"order {number}" for number in range(MAX_RUN_STOPS + 1)]}, "orderIds"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_a_wrong_run_is_refused_by_field(
    cast: Cast, as_user: SignIn, dora: User, wrong: dict[str, Any], field: str
) -> None:
    ada = as_user(cast.ada)
    refused = ada.post(RUNS, json=body(dora) | wrong)
    assert (refused.status_code, list(refused.json()["fields"])) == (422, [field])
    assert ada.get(RUNS).json() == []


@pytest.mark.attack("orders and stops of others, or of nobody, on a run")
@pytest.mark.parametrize("order_id", ["unknown", "\x00", "%", "' OR 1=1 --"])
def test_an_unknown_order_is_put_on_no_run(
    cast: Cast, as_user: SignIn, dora: User, placed: list[Order], order_id: str
) -> None:
    ada = as_user(cast.ada)
    assert ada.post(RUNS, json=body(dora) | {"orderIds": [placed[0].id, order_id]}).status_code in (404, 422)
    assert ada.get(RUNS).json() == []
    path = f"{RUNS}/{ada.post(RUNS, json=body(dora)).json()['id']}"
    assert ada.post(f"{path}/stops", json={"orderId": order_id}).status_code in (404, 422)
    assert ada.get(path).json()["stops"] == []


def test_a_stop_is_changed_through_its_own_run_alone(
    cast: Cast, as_user: SignIn, dora: User, placed: list[Order]
) -> None:
    ada, (one, two, _) = as_user(cast.ada), placed
    here, there = (ada.post(RUNS, json=body(dora, order)).json() for order in (one, two))
    other = there["stops"][0]["id"]
    assert ada.delete(f"{RUNS}/{here['id']}/stops/{other}").status_code == 404
    for ids in ([other], [here["stops"][0]["id"], other], [here["stops"][0]["id"]] * 2):
        refused = ada.put(f"{RUNS}/{here['id']}/order", json={"stopIds": ids})
        assert (refused.status_code, refused.json()["code"]) == (409, "run_changed")
    assert ada.get(f"{RUNS}/{there['id']}").json() == there


@pytest.mark.parametrize("status", ["delivered", "cancelled"])
def test_an_order_that_is_over_is_refused_with_its_number(
    session: Session, cast: Cast, as_user: SignIn, dora: User, status: str
) -> None:
    order = make_order(session, cast.alice, 50_00, status=status)
    session.commit()
    refused = as_user(cast.ada).post(RUNS, json=body(dora, order))
    assert (refused.status_code, refused.json()["code"]) == (409, "order_ended")
    assert str(order.number) in refused.json()["message"]


def test_a_deleted_order_is_taken_off_its_run(cast: Cast, as_user: SignIn, dora: User, placed: list[Order]) -> None:
    ada = as_user(cast.ada)
    path = f"{RUNS}/{ada.post(RUNS, json=body(dora, *placed[:2])).json()['id']}"
    ada.delete(f"/api/admin/orders/{placed[0].id}").raise_for_status()
    assert order_ids(ada.get(path).json()) == [placed[1].id]
    assert ada.post(f"{path}/depart").status_code == 200


def test_a_full_run_takes_no_more(session: Session, cast: Cast, as_user: SignIn, dora: User) -> None:
    orders = [make_order(session, cast.alice, 50_00) for _ in range(MAX_RUN_STOPS + 1)]
    run = make_run(session, dora, *orders[:-1])
    session.commit()
    ada = as_user(cast.ada)
    refused = ada.post(f"{RUNS}/{run.id}/stops", json={"orderId": orders[-1].id})
    assert (refused.status_code, refused.json()["code"]) == (409, "run_full")
    moved = ada.post(f"{RUNS}/{run.id}/stops", json={"orderId": orders[0].id, "position": MAX_RUN_STOPS})
    assert order_ids(moved.json())[-1] == orders[0].id


def test_drivers_see_no_board_and_plan_nothing(as_user: SignIn, dora: User) -> None:
    driver = as_user(dora)
    for path in (RUNS, DISPATCH, "/api/admin/drivers"):
        assert driver.get(path).status_code == 403
    assert driver.post(RUNS, json=body(dora)).status_code == 403


def test_labels_are_pdfs_that_nobody_keeps(cast: Cast, as_user: SignIn, dora: User, placed: list[Order]) -> None:
    ada = as_user(cast.ada)
    run_id = ada.post(RUNS, json=body(dora, *placed)).json()["id"]
    paths = {
        f"{RUNS}/{run_id}/labels.pdf": (f"run-{run_id}-labels.pdf", len(placed)),
        f"/api/admin/orders/{placed[0].id}/label.pdf": (f"order-{placed[0].number}-label.pdf", 1),
    }
    for path, (name, pages) in paths.items():
        answer = ada.get(path)
        assert (answer.status_code, answer.headers["Content-Type"]) == (200, "application/pdf")
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["Content-Disposition"] == f'inline; filename="{name}"'
        assert len(pdfs.read(answer.content)) == pages
        assert as_user(dora).get(path).status_code == 403
    for order in placed:
        ada.put(f"/api/admin/orders/{order.id}", json={"status": "cancelled"}).raise_for_status()
    codes = [ada.get(path).json()["code"] for path in paths]
    assert codes == ["nothing_to_label", "order_ended"]
