"""Claims of an identity provider are validated like any other input."""

from typing import Any

import pytest

from marketplace_app.auth.oidc import SignInFailed, _identity
from marketplace_app.config import get_settings
from marketplace_app.limits import MAX_NAME

pytestmark = pytest.mark.attack("hostile addresses and values")


def claims(**changes: Any) -> dict[str, Any]:
    return {"iss": get_settings().oidc_issuer, "sub": "nora", "email": "nora@example.org"} | changes


@pytest.mark.parametrize("name", ["sub", "email"])
@pytest.mark.parametrize("value", [None, "", 7, ["nora"], "no\x00ra", "no\nra", "\ud800", "x" * 5_000])
def test_an_invalid_subject_or_email_is_refused(name: str, value: object) -> None:
    with pytest.raises(SignInFailed):
        _identity(claims(**{name: value}))


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ("Nora", "Nora"),
        ("x" * 5_000, "x" * MAX_NAME),
        ("No\x00ra", "No ra"),
        ("Nora\r\nBcc: all@example.org", "Nora Bcc: all@example.org"),
        ("\ud800", ""),
        (["Nora"], ""),
        (None, ""),
    ],
)
def test_a_name_is_one_short_line_or_none(given: object, stored: str) -> None:
    assert _identity(claims(given_name=given)).first_name == stored


def test_only_the_provider_of_this_store_counts() -> None:
    with pytest.raises(SignInFailed):
        _identity(claims(iss="https://elsewhere.example"))
