"""`make screens` ends with the pages that no scene has shown; `make pictures` uses the newest screenshot of a scene."""

import base64
import os
from pathlib import Path

import pytest

from tools.screens import missing, readme


@pytest.mark.parametrize("is_reversed", [False, True], ids=["in order", "reversed"])
def test_a_page_is_shown_at_its_own_path_alone(monkeypatch: pytest.MonkeyPatch, is_reversed: bool) -> None:
    """`/admin/products/import` is no product, wherever the site map has either."""
    routes = dict(reversed(missing.ROUTES.items())) if is_reversed else missing.ROUTES
    monkeypatch.setattr(missing, "ROUTES", routes)
    shown = {"/", "/orders/9f3c21ab", "/admin/products/import"}
    assert routes.keys() - missing.routes_without(shown) == {"/", "/orders/[order_id]", "/admin/products/import"}


def test_any_other_path_shows_the_404_page() -> None:
    assert "404" in missing.routes_without({"/"})
    assert "404" not in missing.routes_without({"/no-such-page"})


def test_a_picture_is_made_of_the_newest_screenshot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its scene had another number when an earlier tour took it."""
    for number, age in ((14, 0), (15, 60)):
        screenshot = tmp_path / f"{number}-checkout-390-light.png"
        screenshot.write_text(f"from scene {number}")
        os.utime(screenshot, (1_000 - age, 1_000 - age))
    monkeypatch.setattr(readme, "FOLDER", tmp_path)
    encoded = readme._data("checkout-390-light").rpartition(",")[2]
    assert base64.b64decode(encoded) == b"from scene 14"
