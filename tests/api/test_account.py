"""The caller's account, referrals and orders over REST."""

import pytest
from fastapi.testclient import TestClient
from sqlmodel import Session

from marketplace_app.models import Product
from tests.builders import draft, make_product
from tests.conftest import Cast, SignIn


@pytest.fixture
def fern(session: Session) -> Product:
    product = make_product(session, price_cents=120_00, stock=50)
    session.commit()
    return product


def test_a_code_is_shown_and_applied_and_not_yet_counted_as_completed(as_user: SignIn, cast: Cast) -> None:
    alice, bob = as_user(cast.alice), as_user(cast.bob)
    code = alice.get("/api/referrals/my-code").json()["referralCode"]
    applied = bob.post("/api/referrals/apply", json={"referralCode": code.lower()})
    assert (applied.status_code, applied.json()) == (200, {"referrerName": "Alice"})
    assert alice.get("/api/referrals/stats").json() == {"completedReferrals": 0, "availableCredit": "0.00"}
    assert bob.get("/api/auth/user").json()["referredBy"] == cast.alice.id


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"referralCode": "ZZZZZZZZ"}, 404, "unknown_referral_code"),
        ({"referralCode": " - "}, 422, "invalid_input"),
        ({"referralCode": "A" * 41}, 422, "invalid_input"),
        ({"referralCode": 12345678}, 422, "invalid_input"),
        ({"referralCode": None}, 422, "invalid_input"),
        ({}, 422, "invalid_input"),
        ({"referralCode": "ZZZZZZZZ", "userId": 1}, 422, "invalid_input"),
        ({"referralCode": "'; DROP TABLE users; --"}, 404, "unknown_referral_code"),
    ],
)
def test_an_invalid_referral_code_is_refused(as_user: SignIn, cast: Cast, body: object, status: int, code: str) -> None:
    answer = as_user(cast.bob).post("/api/referrals/apply", json=body)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_ones_own_code_is_refused_with_a_sentence(as_user: SignIn, cast: Cast) -> None:
    alice = as_user(cast.alice)
    answer = alice.post("/api/referrals/apply", json=alice.get("/api/referrals/my-code").json())
    assert (answer.status_code, answer.json()["code"]) == (409, "own_referral_code")
    assert answer.json()["message"] == "This is your own referral code. Share it with your friends."


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/api/referrals/my-code"),
        ("GET", "/api/referrals/stats"),
        ("POST", "/api/referrals/apply"),
        ("GET", "/api/account/export"),
        ("DELETE", "/api/auth/delete-account"),
        ("GET", "/api/orders/2f1b"),
    ],
)
def test_a_guest_is_asked_to_sign_in(client: TestClient, method: str, path: str) -> None:
    body = {"referralCode": "ZZZZZZZZ"} if method == "POST" else None
    answer = client.request(method, path, json=body)
    assert (answer.status_code, answer.json()["code"]) == (401, "not_signed_in")


def test_ones_own_order_is_found_and_anybody_elses_is_not(as_user: SignIn, cast: Cast, fern: Product) -> None:
    alice = as_user(cast.alice)
    placed = alice.post("/api/orders", json=draft((fern, 1))).json()
    assert alice.get(f"/api/orders/{placed['id']}").json() == placed
    for who in (cast.bob, cast.ada):
        refused = as_user(who).get(f"/api/orders/{placed['id']}")
        assert (refused.status_code, refused.json()["code"]) == (404, "not_found")


def test_orders_come_in_pages_with_their_count(as_user: SignIn, cast: Cast, fern: Product) -> None:
    alice = as_user(cast.alice)
    placed = [alice.post("/api/orders", json=draft((fern, 1))).json()["number"] for _ in range(3)]
    page = alice.get("/api/orders", params={"limit": 2, "offset": 1})
    assert [order["number"] for order in page.json()] == [placed[1], placed[0]]
    assert page.headers["X-Total-Count"] == "3"
    assert len(alice.get("/api/orders").json()) == 3
    assert alice.get("/api/orders", params={"limit": 0}).status_code == 422


def test_ones_data_is_a_file_to_download(as_user: SignIn, cast: Cast) -> None:
    answer = as_user(cast.alice).get("/api/account/export")
    assert answer.headers["content-disposition"] == 'attachment; filename="my-data.json"'
    assert answer.json()["account"]["email"] == "alice@example.org"


def test_deleting_the_account_signs_out_everywhere(as_user: SignIn, cast: Cast) -> None:
    here, there = as_user(cast.alice), as_user(cast.alice)
    answer = here.delete("/api/auth/delete-account")
    assert (answer.status_code, answer.json()) == (200, {"message": "Account deleted successfully"})
    assert [each.get("/api/auth/user").status_code for each in (here, there)] == [401, 401]


def test_signing_out_everywhere_ends_the_other_browsers_too(as_user: SignIn, cast: Cast) -> None:
    here, there, bob = as_user(cast.alice), as_user(cast.alice), as_user(cast.bob)
    here.post("/api/auth/logout?everywhere=true", json={})
    assert [each.get("/api/auth/user").status_code for each in (here, there, bob)] == [401, 401, 200]


def test_signing_out_here_leaves_the_other_browsers_in(as_user: SignIn, cast: Cast) -> None:
    here, there = as_user(cast.alice), as_user(cast.alice)
    here.post("/api/auth/logout", json={})
    assert [each.get("/api/auth/user").status_code for each in (here, there)] == [401, 200]
