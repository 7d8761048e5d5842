"""Where a browser may be sent after signing in."""

import pytest

from marketplace_app.auth.paths import safe_path


@pytest.mark.parametrize("path", ["/", "/product/7", "/?category=THC%20Flower&type=Indica", "/account?tab=orders"])
def test_a_path_of_a_page_stays(path: str) -> None:
    assert safe_path(path) == path


@pytest.mark.parametrize(
    "path",
    [
        "",
        None,
        "evil",
        "//evil",
        "///evil",
        "/\\evil",
        "\\\\evil",
        "https://evil",
        "/a\nb",
        "/a b",
        "/\t/evil",
        "/api/login",
        "javascript:x",
    ],
)
def test_what_is_not_a_path_of_a_page_leads_home(path: str | None) -> None:
    assert safe_path(path) == "/"
