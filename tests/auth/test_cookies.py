"""Cookies cannot be read by scripts, sent by other sites' forms, or set by other hosts (RULE sessions)."""

from collections.abc import Callable

import pytest
from starlette.responses import Response

from marketplace_app.auth import cookies
from marketplace_app.codes import new_token

pytestmark = pytest.mark.attack("stolen and planted cookies")


def attributes_of_cookies() -> dict[str, str]:
    """The attributes of the cookies of session, age pass and referral, in lower case, by name."""
    response = Response()
    cookies.remember_session(response, new_token())
    cookies.remember_age(response)
    cookies.remember_referral(response, "K7MTR4WQ")
    lines = [value.decode() for name, value in response.raw_headers if name == b"set-cookie"]
    return {line.partition("=")[0]: line.lower() for line in lines}


def test_over_https_cookies_are_bound_to_this_host(configure: Callable[..., None]) -> None:
    configure(PUBLIC_URL="https://localhost:8000")
    for name, attributes in attributes_of_cookies().items():
        assert "; secure" in attributes
        assert "; samesite=lax" in attributes
        assert "domain=" not in attributes
        is_secret = name != cookies.SIGNED_IN_HINT
        assert ("; httponly" in attributes) == is_secret
        assert name.startswith("__Host-") == is_secret
    assert cookies.sign_in_name() == "__Secure-sign_in"


def test_a_session_has_256_random_bits() -> None:
    assert len({new_token() for _ in range(100)}) == 100
    assert len(new_token()) == 43  # of 6 bits each
