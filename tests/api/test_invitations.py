"""Accepting invitations over REST."""

from collections.abc import Callable

from fastapi.testclient import TestClient

from tests.conftest import Cast, SignIn
from tests.services.account.test_invitations import invite


def test_an_invitation_is_looked_up_by_anybody_and_accepted_when_signed_in(
    client: TestClient, as_user: SignIn, cast: Cast, configure: Callable[..., None]
) -> None:
    configure(ACCESS_MODE="invite_only")
    code = invite(cast.ada)
    found = client.get(f"/api/invite/{code}")
    assert (found.status_code, found.json()) == (
        200,
        {"valid": True, "email": "friend@example.org", "firstName": "Mary"},
    )
    assert client.post(f"/api/invite/{code}/accept").status_code == 401
    alice = as_user(cast.alice)
    assert alice.get("/api/cart").status_code == 403
    accepted = alice.post(f"/api/invite/{code}/accept")
    assert (accepted.status_code, accepted.json()) == (200, {"redirectTo": "/"})
    assert alice.get("/api/cart").json() == []


def test_unknown_and_invalid_codes_have_the_same_answer(client: TestClient, as_user: SignIn, cast: Cast) -> None:
    expected = {"message": "Invalid or expired invitation", "code": "invalid_invitation", "valid": False}
    bob = as_user(cast.bob)
    for code in ("unknown", "x" * 3_000):
        for answer in (client.get(f"/api/invite/{code}"), bob.post(f"/api/invite/{code}/accept")):
            assert (answer.status_code, answer.json()) == (404, expected)


def test_guessing_is_limited(client: TestClient, cast: Cast, configure: Callable[..., None]) -> None:
    configure(SIGN_IN_RATE="2/minute")
    answers = [client.get(f"/api/invite/guess{n}").status_code for n in range(3)]
    assert answers == [404, 404, 429]
