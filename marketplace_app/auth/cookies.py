"""The store's cookies: what each is called, how long it lives, and how it is read from a header."""

from datetime import timedelta
from typing import Literal

from itsdangerous import BadSignature, TimestampSigner
from starlette.requests import cookie_parser
from starlette.responses import Response

from marketplace_app.config import get_settings
from marketplace_app.limits import AGE_PASS_LIFETIME, SESSION_LIFETIME

SIGNED_IN_HINT = "signed_in"
FLASH = "flash"


def session_name() -> str:
    return "__Host-session" if get_settings().is_https else "session"


def age_pass_name() -> str:
    return "__Host-age" if get_settings().is_https else "age"


def read(header: str | None, name: str) -> str | None:
    """A cookie from a raw `Cookie` header, as the socket's handshake keeps it."""
    return cookie_parser(header or "").get(name)


def session_token(header: str | None) -> str | None:
    return read(header, session_name())


def remember_session(response: Response, token: str) -> None:
    _set(response, session_name(), token, SESSION_LIFETIME)
    # Not a secret and not believed: only lets the page choose what to paint first.
    _set(response, SIGNED_IN_HINT, "1", SESSION_LIFETIME, http_only=False)


def forget_session(response: Response) -> None:
    for name in (session_name(), SIGNED_IN_HINT):
        response.delete_cookie(name, path="/", secure=get_settings().is_https, samesite="lax")


def remember_age(response: Response) -> None:
    _set(response, age_pass_name(), _signer().sign("21").decode(), AGE_PASS_LIFETIME)


def has_age_pass(header: str | None) -> bool:
    value = read(header, age_pass_name())
    if not value:
        return False
    try:
        return _signer().unsign(value, max_age=int(AGE_PASS_LIFETIME.total_seconds())) == b"21"
    except BadSignature:
        return False


def _signer() -> TimestampSigner:
    return TimestampSigner(get_settings().session_secret.get_secret_value(), salt="age")


def _set(response: Response, name: str, value: str, lifetime: timedelta, *, http_only: bool = True) -> None:
    same_site: Literal["lax"] = "lax"
    response.set_cookie(
        name,
        value,
        max_age=int(lifetime.total_seconds()),
        path="/",
        secure=get_settings().is_https,
        httponly=http_only,
        samesite=same_site,
    )
