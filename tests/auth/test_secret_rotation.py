"""SESSION_SECRET can be replaced while people shop (RULE secret-rotation)."""

from collections.abc import Callable

import pytest
from fastapi import FastAPI, Request
from fastapi.testclient import TestClient
from starlette.responses import Response

from marketplace_app.auth import cookies

OLD, NEW = "o" * 32, "n" * 32


def signed_cookie(sign: Callable[[Response], None]) -> str:
    response = Response()
    sign(response)
    return response.headers["set-cookie"].partition(";")[0]


@pytest.mark.parametrize(("secret", "accepted"), [(NEW, OLD), (OLD, NEW), (OLD, "")])
def test_what_an_accepted_secret_signed_is_trusted(configure: Callable[..., None], secret: str, accepted: str) -> None:
    """In both steps of a rotation, and before it."""
    configure(SESSION_SECRET=OLD)
    age = signed_cookie(cookies.remember_age)
    referral = signed_cookie(lambda response: cookies.remember_referral(response, "K7MTR4WQ"))
    configure(SESSION_SECRET=secret, ACCEPTED_SESSION_SECRET=accepted)
    assert cookies.has_age_pass(age)
    assert cookies.referral_code(referral) == "K7MTR4WQ"


def test_what_no_secret_of_the_settings_signed_is_not_trusted(configure: Callable[..., None]) -> None:
    configure(SESSION_SECRET=OLD)
    age = signed_cookie(cookies.remember_age)
    configure(SESSION_SECRET=NEW, ACCEPTED_SESSION_SECRET="a" * 32)
    assert not cookies.has_age_pass(age)


def test_new_cookies_are_signed_by_the_session_secret_alone(configure: Callable[..., None]) -> None:
    """Otherwise a rotation would never end."""
    configure(SESSION_SECRET=NEW, ACCEPTED_SESSION_SECRET=OLD)
    age = signed_cookie(cookies.remember_age)
    configure(SESSION_SECRET=NEW, ACCEPTED_SESSION_SECRET="")
    assert cookies.has_age_pass(age)


@pytest.mark.parametrize(("accepted", "kept"), [(OLD, "7"), ("", None)])
def test_a_sign_in_under_way_survives_a_rotation(
    configure: Callable[..., None], accepted: str, kept: str | None
) -> None:
    def make_app() -> FastAPI:
        app = FastAPI()
        app.add_middleware(cookies.SignInCookie)

        @app.get("/api/begin")
        def begin(request: Request) -> None:
            request.session["state"] = "7"

        @app.get("/api/finish")
        def finish(request: Request) -> str | None:
            return request.session.get("state")

        return app

    configure(SESSION_SECRET=OLD)
    begun = TestClient(make_app()).get("/api/begin")
    configure(SESSION_SECRET=NEW, ACCEPTED_SESSION_SECRET=accepted)
    assert TestClient(make_app(), cookies=dict(begun.cookies)).get("/api/finish").json() == kept
