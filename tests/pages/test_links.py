"""Links to files."""

from collections.abc import Iterator
from typing import Any

import reflex as rx
from reflex_components_core.el.elements import forms

from marketplace_app.components.controls.icons import PATHS
from marketplace_app.pages import site_map

NAVIGATIONS = ("/api/login", "/api/docs")


def links_to_files() -> Iterator[tuple[str, Any]]:
    """Of every page: plain anchors that show the arrow of a download, or whose address is the API's."""
    for page in site_map(is_development=True):
        for found in forms._iter_form_components(page.view()):
            if isinstance(found, rx.el.A) and (_shows_the_arrow(found) or _is_of_the_api(found)):
                yield page.route, found


def _shows_the_arrow(link: Any) -> bool:
    parts = forms._iter_form_components(link)
    return any(forms._get_static_string_prop(part, "d") == PATHS["download"] for part in parts)


def _is_of_the_api(link: Any) -> bool:
    href = str(forms._get_static_string_prop(link, "href") or "")
    return href.startswith("/api/") and not href.startswith(NAVIGATIONS)


def test_every_link_to_a_file_is_marked_as_a_download() -> None:
    found = list(links_to_files())
    assert len(found) >= 8
    unmarked = [(route, str(link.href)) for route, link in found if link.download is None]
    assert unmarked == [], "As a navigation, the click would end the page's live updates: use `download_link`."
