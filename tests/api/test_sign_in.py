"""Signing in through the development provider, signing out, and identity (RULE sign-in, RULE sign-out)."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select
from sqlmodel import Session, col

from marketplace_app import clock, db
from marketplace_app.auth import cookies
from marketplace_app.codes import fingerprint
from marketplace_app.config import Settings, get_settings
from marketplace_app.jobs.identity import start_development_provider
from marketplace_app.limits import SESSION_IDLE_LIFETIME, SESSION_LIFETIME
from marketplace_app.models import SignInSession, User
from tests.conftest import ON_SQLITE, Cast, SignIn, free_port

SignInByEmail = Callable[..., httpx.Response]


@pytest.fixture(scope="module")
def issuer() -> Iterator[str]:
    issuer = f"http://localhost:{free_port()}"
    server = start_development_provider(Settings(oidc_issuer=issuer))
    yield issuer
    server.shutdown()
    server.server_close()


@pytest.fixture
def sign_in(client: TestClient, issuer: str, configure: Callable[..., None]) -> SignInByEmail:
    """Signs in as a scripted client does: follows the redirect to the provider, posts the email, and follows the
    redirect back. Returns the callback's response."""
    configure(OIDC_ISSUER=issuer)

    def sign_in_as(email: str = "new@example.org", return_to: str | None = None, accept: str = "*/*") -> httpx.Response:
        started = client.get("/api/login", params={"return_to": return_to} if return_to else {}, follow_redirects=False)
        assert started.status_code == 302
        back = httpx.post(started.headers["location"], data={"sub": email})
        assert back.status_code == 302
        return client.get(back.headers["location"], follow_redirects=False, headers={"Accept": accept})

    return sign_in_as


def test_anybody_signs_in_by_email_and_is_remembered(client: TestClient, sign_in: SignInByEmail) -> None:
    assert client.get("/api/auth/user").status_code == 401
    response = sign_in("new@example.org", return_to="/product/7?x=1")
    assert (response.status_code, response.headers["location"]) == (302, "/product/7?x=1")
    user = client.get("/api/auth/user").json()
    assert (user["email"], user["isAdmin"], user["ageVerified"]) == ("new@example.org", False, False)
    assert "HttpOnly" in response.headers["set-cookie"]


def test_the_same_person_is_the_same_account(client: TestClient, sign_in: SignInByEmail) -> None:
    sign_in("new@example.org")
    first = client.get("/api/auth/user").json()["id"]
    sign_in("new@example.org")
    assert client.get("/api/auth/user").json()["id"] == first


def test_a_person_named_in_admin_emails_is_an_admin(client: TestClient, sign_in: SignInByEmail) -> None:
    sign_in("owner@example.com")
    assert client.get("/api/auth/user").json()["isAdmin"] is True


def test_the_cookie_is_new_at_each_sign_in_and_the_old_one_dead(client: TestClient, sign_in: SignInByEmail) -> None:
    sign_in("new@example.org")
    old = client.cookies["session"]
    sign_in("new@example.org")
    assert client.cookies["session"] != old
    with TestClient(client.app, base_url="http://localhost:8000", cookies={"session": old}) as thief:
        assert thief.get("/api/auth/user").status_code == 401


def test_signing_out_ends_the_session_on_the_server(client: TestClient, sign_in: SignInByEmail) -> None:
    sign_in("new@example.org")
    token = client.cookies["session"]
    assert client.post("/api/auth/logout").json() == {"message": "Logged out successfully"}
    with TestClient(client.app, base_url="http://localhost:8000", cookies={"session": token}) as again:
        assert again.get("/api/auth/user").status_code == 401


def test_only_the_hash_of_a_cookie_is_stored(client: TestClient, sign_in: SignInByEmail, session: Session) -> None:
    sign_in("new@example.org")
    stored = session.execute(select(col(SignInSession.token_hash))).scalars().all()
    assert stored == [fingerprint(client.cookies["session"])]


@pytest.mark.parametrize(
    "evil",
    [
        "//evil.example",
        "https://evil.example/",
        "/\\evil",
        "/%0d%0aX: y\r\n",
        "javascript:alert(1)",
        "/api/auth/logout",
    ],
)
def test_a_forbidden_return_url_leads_home(sign_in: SignInByEmail, evil: str) -> None:
    assert sign_in("new@example.org", return_to=evil).headers["location"] == "/"


def test_a_banned_user_sees_the_reason_and_gets_no_session(
    client: TestClient, sign_in: SignInByEmail, session: Session
) -> None:
    sign_in("charlie@example.org")
    charlie = session.execute(select(User).where(col(User.email) == "charlie@example.org")).scalar_one()
    charlie.banned_at, charlie.ban_reason = clock.now(), "Resold products"
    session.commit()
    assert client.get("/api/auth/user").status_code == 401
    client.cookies.clear()
    refused = sign_in("charlie@example.org")
    assert (refused.status_code, refused.json()["code"]) == (403, "banned")
    assert "Resold products" in refused.json()["message"]
    assert "support@example.com" in refused.json()["message"]
    shown = sign_in("charlie@example.org", accept="text/html")
    assert (shown.status_code, shown.headers["location"]) == (302, "/")
    assert "flash=" in shown.headers["set-cookie"]
    assert "session" not in client.cookies


def test_a_forged_or_stale_answer_is_refused(client: TestClient, sign_in: SignInByEmail) -> None:
    started = client.get("/api/login", follow_redirects=False)
    back = httpx.post(started.headers["location"], data={"sub": "new@example.org"}).headers["location"]
    state = parse_qs(urlsplit(back).query)["state"][0]
    for path in (
        "/api/callback",
        "/api/callback?code=made-up&state=made-up",
        f"/api/callback?error=access_denied&state={state}",
    ):
        refused = client.get(path, follow_redirects=False)
        assert (refused.status_code, refused.json()["code"]) == (403, "sign_in_failed"), path
    assert client.get(back, follow_redirects=False).status_code == 403  # its state was spent above
    assert client.get("/api/auth/user").status_code == 401


def test_a_code_works_once_and_only_in_the_browser_that_asked(client: TestClient, sign_in: SignInByEmail) -> None:
    started = client.get("/api/login", follow_redirects=False)
    back = httpx.post(started.headers["location"], data={"sub": "new@example.org"}).headers["location"]
    with TestClient(client.app, base_url="http://localhost:8000") as other:
        assert other.get(back, follow_redirects=False).status_code == 403
    assert client.get(back, follow_redirects=False).status_code == 302
    assert client.get(back, follow_redirects=False).status_code == 403


def test_an_unreachable_provider_is_a_clear_error(client: TestClient, configure: Callable[..., None]) -> None:
    configure(OIDC_ISSUER=f"http://localhost:{free_port()}")
    refused = client.get("/api/login", follow_redirects=False)
    assert (refused.status_code, refused.json()["code"]) == (503, "sign_in_unavailable")


def test_an_age_pass_from_before_signing_in_is_written_to_the_account(
    client: TestClient, sign_in: SignInByEmail
) -> None:
    assert client.post("/api/verify-age", json={"dateOfBirth": "1990-04-17"}).json() == {
        "isValid": True,
        "message": "Age Verified ✓",
    }
    sign_in("new@example.org")
    assert client.get("/api/auth/user").json()["ageVerified"] is True


def test_a_forged_age_pass_is_ignored(client: TestClient, sign_in: SignInByEmail) -> None:
    client.cookies.set("age", "21.AAAA.forged")
    sign_in("new@example.org")
    assert client.get("/api/auth/user").json()["ageVerified"] is False


def test_under_21_is_refused_with_a_sentence_and_no_pass(client: TestClient) -> None:
    today = clock.now().astimezone(get_settings().timezone).date()
    almost = today - timedelta(days=21 * 365)  # leap days short of 21 years
    answer = client.post("/api/verify-age", json={"dateOfBirth": almost.isoformat()})
    assert answer.json() == {"isValid": False, "message": "You must be 21 or older to enter this store."}
    assert "age" not in client.cookies


@ON_SQLITE
@pytest.mark.parametrize("born", ["", "yesterday", "2000-13-01", "17.04.1990", 19900417, None, True, "1990-04-17x"])
def test_an_invalid_date_is_refused(client: TestClient, born: object) -> None:
    response = client.post("/api/verify-age", json={"dateOfBirth": born})
    assert (response.status_code, list(response.json()["fields"])) == (422, ["dateOfBirth"])


@pytest.mark.parametrize(
    ("idle", "age"), [(SESSION_IDLE_LIFETIME, timedelta()), (timedelta(), SESSION_LIFETIME)], ids=["idle", "absolute"]
)
def test_a_session_ends_by_itself(as_user: SignIn, cast: Cast, idle: timedelta, age: timedelta) -> None:
    alice = as_user(cast.alice)
    assert alice.get("/api/auth/user").status_code == 200

    def grow_old(session: Session) -> None:
        row = session.execute(select(SignInSession)).scalar_one()
        row.last_seen_at -= idle
        row.expires_at -= age

    db.write(grow_old)
    assert alice.get("/api/auth/user").status_code == 401


def test_a_request_keeps_a_session_alive_and_records_that_at_most_once_a_minute(
    as_user: SignIn, cast: Cast, session: Session
) -> None:
    alice = as_user(cast.alice)
    row = session.execute(select(SignInSession)).scalar_one()
    row.last_seen_at -= timedelta(hours=1)
    session.commit()
    alice.get("/api/auth/user")
    session.refresh(row)
    seen = row.last_seen_at
    assert clock.now() - seen < timedelta(minutes=1)
    alice.get("/api/auth/user")
    session.refresh(row)
    assert row.last_seen_at == seen


@pytest.mark.parametrize("cookie", ["", "x", "%00", "é" * 10, "a" * 4000, '"quoted"'])
def test_a_mangled_cookie_signs_nobody_in(client: TestClient, cookie: str) -> None:
    response = client.get("/api/auth/user", headers={"Cookie": f"session={cookie}".encode()})
    assert response.status_code == 401


def test_a_ban_signs_a_user_out_at_once(as_user: SignIn, cast: Cast, session: Session) -> None:
    bob = as_user(cast.bob)
    assert bob.get("/api/cart").status_code == 200
    cast.bob.banned_at, cast.bob.ban_reason = clock.now(), "Test"
    session.add(cast.bob)
    session.commit()
    assert bob.get("/api/cart").status_code == 401


def referral_code(as_user: SignIn, who: User) -> str:
    return str(as_user(who).get("/api/referrals/my-code").json()["referralCode"])


def test_a_referral_link_is_applied_at_the_next_sign_in_and_then_forgotten(
    client: TestClient, as_user: SignIn, cast: Cast, sign_in: SignInByEmail
) -> None:
    code = referral_code(as_user, cast.alice)
    followed = client.get(f"/r/{code.lower()}", follow_redirects=False)
    assert (followed.status_code, followed.headers["location"]) == (302, "/welcome")
    assert "HttpOnly" in followed.headers["set-cookie"]
    response = sign_in("friend@example.org")
    assert "Referral%20Applied%21" in response.headers["set-cookie"]
    assert client.get("/api/auth/user").json()["referredBy"] == cast.alice.id
    assert "referral" not in client.cookies
    assert "flash" not in sign_in("friend@example.org").headers["set-cookie"]


def test_a_referral_link_answers_the_same_whether_or_not_its_code_exists(
    client: TestClient, as_user: SignIn, cast: Cast
) -> None:
    known, unknown = referral_code(as_user, cast.alice), "ZZZZZZZZ"
    answers = [client.get(f"/r/{code}", follow_redirects=False) for code in (known, unknown)]
    assert len({(each.status_code, each.headers["location"], each.content) for each in answers}) == 1
    assert all("referral=" in each.headers["set-cookie"] for each in answers)


@pytest.mark.parametrize("code", ["short", "K7MTR4WO", "a" * 41])  # no code has the letter O
def test_an_invalid_code_is_not_remembered(client: TestClient, code: str) -> None:
    answer = client.get(f"/r/{code}", follow_redirects=False)
    assert answer.status_code == 302
    assert "set-cookie" not in answer.headers


def test_an_unsigned_referral_cookie_is_ignored(client: TestClient, cast: Cast, sign_in: SignInByEmail) -> None:
    client.cookies["referral"] = "K7MTR4WQ"
    assert "flash" not in sign_in("friend@example.org").headers["set-cookie"]
    assert cookies.referral_code("referral=K7MTR4WQ") == ""


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", "/api/login"), ("GET", "/api/callback"), ("POST", "/api/verify-age"), ("GET", "/r/ZZZZZZZZ")],
)
def test_sign_ins_age_checks_and_referral_links_are_rate_limited(
    client: TestClient, issuer: str, configure: Callable[..., None], method: str, path: str
) -> None:
    configure(OIDC_ISSUER=issuer, SIGN_IN_RATE="2/minute")
    answers = [client.request(method, path, json={}, follow_redirects=False).status_code for _ in range(3)]
    assert 429 not in answers[:2]
    assert answers[2] == 429
