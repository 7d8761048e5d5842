"""`make screens` ends with the pages that no scene has shown."""

import pytest

from tools.screens import missing


@pytest.mark.parametrize("is_reversed", [False, True], ids=["in order", "reversed"])
def test_a_page_is_shown_at_its_own_path_alone(monkeypatch: pytest.MonkeyPatch, is_reversed: bool) -> None:
    """`/admin/products/import` is no product, wherever the site map has either."""
    routes = dict(reversed(missing.ROUTES.items())) if is_reversed else missing.ROUTES
    monkeypatch.setattr(missing, "ROUTES", routes)
    shown = {"/", "/orders/9f3c21ab", "/admin/products/import"}
    assert routes.keys() - missing.routes_without(shown) == {"/", "/orders/[order_id]", "/admin/products/import"}


def test_any_other_path_is_the_page_that_is_not_found() -> None:
    assert "404" in missing.routes_without({"/"})
    assert "404" not in missing.routes_without({"/no-such-page"})
