"""Limits count users and network addresses, never values that a caller can forge."""

from collections.abc import Callable

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Engine
from sqlmodel import Session

from tests.builders import make_user
from tests.conftest import Cast, SignIn
from tests.counting import count_statements

Configure = Callable[..., None]


@pytest.mark.attack("rate limits bypassed")
def test_a_forged_cookie_per_request_does_not_evade_the_limit(client: TestClient, configure: Configure) -> None:
    configure(WRITE_RATE="3/minute")
    statuses = [
        client.post("/api/auth/logout", headers={"Cookie": f"session=made-up-{number}"}).status_code
        for number in range(5)
    ]
    assert statuses == [200, 200, 200, 429, 429]


@pytest.mark.attack("rate limits bypassed")
def test_a_person_has_one_limit_however_many_browsers(as_user: SignIn, cast: Cast, configure: Configure) -> None:
    configure(ORDER_RATE="3/minute")
    statuses = [as_user(cast.alice).post("/api/orders/quote", json={"items": []}).status_code for _ in range(5)]
    assert statuses == [200, 200, 200, 429, 429]
    assert as_user(cast.bob).post("/api/orders/quote", json={"items": []}).status_code == 200


def test_writes_of_users_behind_one_address_are_counted_separately(
    as_user: SignIn, session: Session, configure: Configure
) -> None:
    made = [make_user(session, f"neighbour-{number}") for number in range(3)]
    session.commit()
    people = [as_user(user) for user in made]
    for person in people:
        assert person.get("/api/cart").status_code == 200
    configure(WRITE_RATE="2/minute")
    statuses = [[person.post("/api/cart", json={}).status_code for _ in range(3)] for person in people]
    assert statuses == [[422, 422, 429]] * 3


def test_a_flood_is_refused_without_a_database_query(engine: Engine, client: TestClient, configure: Configure) -> None:
    configure(WRITE_RATE="1/minute")
    client.post("/api/auth/logout")
    with count_statements(engine) as statements:
        answers = [client.post("/api/cart", json={}, headers={"Cookie": f"session={n}"}) for n in range(3)]
    assert [answer.status_code for answer in answers] == [429, 429, 429]
    assert statements == []


def test_a_limit_does_not_look_the_session_up_again(engine: Engine, as_user: SignIn, cast: Cast) -> None:
    alice = as_user(cast.alice)
    alice.get("/api/cart")
    with count_statements(engine) as statements:
        alice.post("/api/orders/quote", json={"items": []})
    assert len([each for each in statements if "sessions" in each.lower()]) == 1
