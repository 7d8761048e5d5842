"""The store's cookies: their names, how long each is valid, and how they are read from a header."""

from datetime import timedelta

from itsdangerous import BadSignature, TimestampSigner
from starlette.middleware.sessions import SessionMiddleware
from starlette.requests import cookie_parser
from starlette.responses import Response
from starlette.types import ASGIApp

from marketplace_app.config import get_settings
from marketplace_app.limits import AGE_PASS_LIFETIME, REFERRAL_LINK_LIFETIME, SESSION_LIFETIME

SIGNED_IN_HINT = "signed_in"
FLASH = "flash"


def session_name() -> str:
    return "__Host-session" if get_settings().is_https else "session"


def age_pass_name() -> str:
    return "__Host-age" if get_settings().is_https else "age"


def referral_name() -> str:
    return "__Host-referral" if get_settings().is_https else "referral"


def sign_in_name() -> str:
    """The name of the cookie for a sign-in under way. Its path, `/api`, rules out the prefix `__Host-`."""
    return "__Secure-sign_in" if get_settings().is_https else "sign_in"


class SignInCookie(SessionMiddleware):
    """Keeps what a sign-in under way needs, such as its state, PKCE verifier and nonce, and the path to return to."""

    def __init__(self, app: ASGIApp) -> None:
        super().__init__(
            app,
            secret_key="",  # it takes only one key: the signer is replaced below
            session_cookie=sign_in_name(),
            max_age=600,
            path="/api",
            same_site="lax",
            https_only=get_settings().is_https,
        )
        self.signer = TimestampSigner(_keys())


def read(header: str | None, name: str) -> str | None:
    """A cookie from a raw `Cookie` header, such as that of the socket's handshake."""
    return cookie_parser(header or "").get(name)


def session_token(header: str | None) -> str | None:
    return read(header, session_name())


def remember_session(response: Response, token: str) -> None:
    _set(response, session_name(), token, SESSION_LIFETIME)
    # Neither secret nor trusted: it only lets the page choose what to paint first.
    _set(response, SIGNED_IN_HINT, "1", SESSION_LIFETIME, http_only=False)


def forget_session(response: Response) -> None:
    for name in (session_name(), SIGNED_IN_HINT):
        _delete(response, name)


def remember_age(response: Response) -> None:
    _set(response, age_pass_name(), _signer("age").sign("21").decode(), AGE_PASS_LIFETIME)


def has_age_pass(header: str | None) -> bool:
    return _verified_value(read(header, age_pass_name()), "age", AGE_PASS_LIFETIME) == "21"


def remember_referral(response: Response, code: str) -> None:
    """The code of a referral link. Signed so that codes can be tried only through the link, which is rate-limited."""
    _set(response, referral_name(), _signer("referral").sign(code).decode(), REFERRAL_LINK_LIFETIME)


def referral_code(header: str | None) -> str:
    """The code of the referral link that was opened last in this browser, or nothing."""
    return _verified_value(read(header, referral_name()), "referral", REFERRAL_LINK_LIFETIME)


def forget_referral(response: Response) -> None:
    _delete(response, referral_name())


def _verified_value(signed: str | None, purpose: str, lifetime: timedelta) -> str:
    """What was signed; empty if the signature does not match or is too old."""
    try:
        return _signer(purpose).unsign(signed or "", max_age=int(lifetime.total_seconds())).decode()
    except BadSignature:
        return ""


def _signer(purpose: str) -> TimestampSigner:
    return TimestampSigner(_keys(), salt=purpose)


def _keys() -> list[str]:
    """The last one signs; the signatures of all are accepted (RULE secret-rotation)."""
    settings = get_settings()
    keys = (settings.accepted_session_secret.get_secret_value(), settings.session_secret.get_secret_value())
    return [key for key in keys if key]


def _set(response: Response, name: str, value: str, lifetime: timedelta, *, http_only: bool = True) -> None:
    response.set_cookie(
        name,
        value,
        max_age=int(lifetime.total_seconds()),
        path="/",
        secure=get_settings().is_https,
        httponly=http_only,
        samesite="lax",
    )


def _delete(response: Response, name: str) -> None:
    response.delete_cookie(name, path="/", secure=get_settings().is_https, samesite="lax")
