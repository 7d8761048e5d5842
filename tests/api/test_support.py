"""Support tickets over REST."""

from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlmodel import Session

from marketplace_app.models import Role
from tests.builders import make_user
from tests.conftest import ON_SQLITE, Cast, SignIn

LATE = {"subject": "Driver is late", "message": "My order should have been here by noon. Where is the driver?"}
GUEST = LATE | {"customerEmail": "guest@example.org", "customerName": "Gus Guest"}


def test_a_ticket_is_created_found_and_listed(as_user: SignIn, cast: Cast) -> None:
    alice = as_user(cast.alice)
    answer = alice.post("/api/support/tickets", json=LATE | {"userId": cast.bob.id, "customerEmail": "b@c.de"})
    ticket = answer.json()
    assert answer.status_code == 201
    analysis = ticket.pop("analysis")
    assert analysis.keys() == {"priority", "category", "estimatedResolution", "words", "tags"}
    assert analysis["category"] == "delivery"
    assert (ticket["userId"], ticket["customerEmail"]) == (cast.alice.id, "alice@example.org")
    assert ticket["aiAnalysis"]["estimatedResolution"] == analysis["estimatedResolution"]
    listed = alice.get("/api/support/tickets")
    assert (listed.json(), listed.headers["X-Total-Count"]) == ([ticket], "1")
    assert alice.get(f"/api/support/tickets/{ticket['id']}").json() == ticket | {"messages": []}


def test_a_guest_writes_but_has_no_list(client: TestClient) -> None:
    answer = client.post("/api/support/tickets", json=GUEST)
    assert (answer.status_code, answer.json()["userId"], answer.json()["customerName"]) == (201, None, "Gus Guest")
    missing = client.post("/api/support/tickets", json=LATE)
    assert (missing.status_code, missing.json()["fields"]) == (422, {"customerEmail": "Email is required"})
    for path in ("", f"/{answer.json()['id']}"):
        assert client.get(f"/api/support/tickets{path}").status_code == 401
    assert client.post(f"/api/support/tickets/{answer.json()['id']}/messages", json={"message": "x"}).status_code == 401


@ON_SQLITE
@pytest.mark.parametrize(
    ("changes", "fields"),
    [
        ({"subject": ""}, {"subject": "Subject and message are required"}),
        ({"message": "  "}, {"message": "Subject and message are required"}),
        ({"subject": None}, {"subject": "Subject and message are required"}),
        ({"message": 7}, {"message": "Subject and message are required"}),
        ({"subject": "x" * 201}, {"subject": "Please write at most 200 characters."}),
        ({"message": "x" * 5001}, {"message": "Please write at most 5,000 characters."}),
        ({"priority": "urgent"}, {"priority": "Unknown field. Please remove it."}),
        (
            {"category": "gossip"},
            {"category": "The category must be one of general, billing, technical, product, delivery, account."},
        ),
    ],
)
def test_an_invalid_ticket_is_refused_with_its_sentence(
    as_user: SignIn, cast: Cast, changes: dict[str, Any], fields: dict[str, str]
) -> None:
    answer = as_user(cast.alice).post("/api/support/tickets", json=LATE | changes)
    assert (answer.status_code, answer.json()["fields"]) == (422, fields)
    assert answer.json()["message"] == next(iter(fields.values()))


def test_an_oversized_body_is_refused(as_user: SignIn, cast: Cast) -> None:
    answer = as_user(cast.alice).post("/api/support/tickets", json=LATE | {"message": "x" * 100_000})
    assert answer.status_code == 413


@pytest.mark.parametrize(
    "body", [{}, {"message": ""}, {"message": "x" * 5001}, {"message": "x", "senderType": "admin"}]
)
def test_an_invalid_reply_is_refused(as_user: SignIn, cast: Cast, body: dict[str, str]) -> None:
    alice = as_user(cast.alice)
    ticket = alice.post("/api/support/tickets", json=LATE).json()
    assert alice.post(f"/api/support/tickets/{ticket['id']}/messages", json=body).status_code == 422


def test_a_viewer_may_read_a_ticket_and_not_answer_it(as_user: SignIn, cast: Cast, session: Session) -> None:
    viewer = make_user(session, "vera", role=Role.VIEWER)
    session.commit()
    ticket = as_user(cast.alice).post("/api/support/tickets", json=LATE).json()
    vera = as_user(viewer)
    assert vera.get(f"/api/support/tickets/{ticket['id']}").status_code == 200
    answer = vera.post(f"/api/support/tickets/{ticket['id']}/messages", json={"message": "It is on its way."})
    assert (answer.status_code, answer.json()["code"]) == (403, "not_allowed")


def test_a_foreign_ticket_is_not_found(as_user: SignIn, cast: Cast) -> None:
    ticket = as_user(cast.alice).post("/api/support/tickets", json=LATE).json()
    bob = as_user(cast.bob)
    for answer in (
        bob.get(f"/api/support/tickets/{ticket['id']}"),
        bob.post(f"/api/support/tickets/{ticket['id']}/messages", json={"message": "Mine now"}),
        bob.get("/api/support/tickets/not-an-id"),
    ):
        assert (answer.status_code, answer.json()["code"], answer.json()["message"]) == (
            404,
            "not_found",
            "Ticket not found.",
        )


def test_staff_list_answer_and_close(as_user: SignIn, cast: Cast, client: TestClient) -> None:
    alice, ada = as_user(cast.alice), as_user(cast.ada)
    ticket = alice.post("/api/support/tickets", json=LATE).json()
    client.post("/api/support/tickets", json=GUEST)
    everything = ada.get("/api/admin/tickets")
    assert (len(everything.json()), everything.headers["X-Total-Count"]) == (2, "2")
    assert ada.get("/api/support/tickets").json() == []
    answered = ada.post(f"/api/support/tickets/{ticket['id']}/messages", json={"message": "On his way."})
    assert (answered.status_code, answered.json()["status"]) == (201, "in_progress")
    assert [each["senderType"] for each in answered.json()["messages"]] == ["admin"]
    changed = ada.put(f"/api/admin/tickets/{ticket['id']}", json={"status": "closed", "priority": "low"})
    assert (changed.json()["status"], changed.json()["priority"]) == ("closed", "low")
    refused = alice.post(f"/api/support/tickets/{ticket['id']}/messages", json={"message": "But"})
    assert (refused.status_code, refused.json()["code"]) == (409, "ticket_closed")
    assert len(ada.get("/api/admin/tickets", params={"status": "open"}).json()) == 1
    assert ada.get("/api/admin/tickets", params={"status": "lost"}).status_code == 422
    assert ada.put(f"/api/admin/tickets/{ticket['id']}", json={"status": "lost"}).status_code == 422
    assert ada.put(f"/api/admin/tickets/{ticket['id']}", json={"subject": "x"}).status_code == 422
    assert ada.put("/api/admin/tickets/nothing", json={"status": "open"}).status_code == 404


def test_only_staff_reach_the_admin_calls(as_user: SignIn, cast: Cast, client: TestClient) -> None:
    for who, status in ((client, 401), (as_user(cast.alice), 403)):
        assert who.get("/api/admin/tickets").status_code == status
        assert who.put("/api/admin/tickets/x", json={"status": "open"}).status_code == status


def test_a_flood_of_tickets_is_429_whatever_its_cookies(
    client: TestClient, as_user: SignIn, cast: Cast, configure: Callable[..., None]
) -> None:
    configure(TICKET_RATE="2/hour")
    for number in range(2):
        headers = {"Cookie": f"session=made-up-{number}"}
        assert client.post("/api/support/tickets", json=GUEST, headers=headers).status_code == 201
    flooded = client.post("/api/support/tickets", json=GUEST, headers={"Cookie": "session=made-up-3"})
    assert (flooded.status_code, flooded.json()["code"]) == (429, "too_many_requests")
    assert int(flooded.headers["Retry-After"]) > 1
    alice = as_user(cast.alice)
    assert [alice.post("/api/support/tickets", json=LATE).status_code for _ in range(3)] == [201, 201, 429]


def test_tickets_come_in_pages(as_user: SignIn, cast: Cast) -> None:
    alice = as_user(cast.alice)
    ids = [alice.post("/api/support/tickets", json=LATE).json()["id"] for _ in range(3)]
    page = alice.get("/api/support/tickets", params={"limit": 2, "offset": 1})
    assert ([each["id"] for each in page.json()], page.headers["X-Total-Count"]) == ([ids[1], ids[0]], "3")
    assert alice.get("/api/support/tickets", params={"limit": 0}).status_code == 422
