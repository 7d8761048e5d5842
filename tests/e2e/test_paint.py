"""The largest part of a screen is painted before scripts and socket, and nothing moves when they come."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.acts import OWNER
from tests.e2e.conftest import PHONE, Store
from tools.bench.weights import set_session_cookies

pytestmark = pytest.mark.browser

MAX_SHIFT = 0.02
OBSERVE = """
  window.painted = [];
  window.shifts = [];
  const observe = (type, take) => new PerformanceObserver((list) => list.getEntries().forEach(take))
    .observe({ type, buffered: true });
  observe("largest-contentful-paint", (entry) => window.painted.push(entry.url));
  observe("layout-shift", (entry) => entry.hadRecentInput || window.shifts.push(entry.value));
"""


def open_as(page: Page, store: Store, path: str, email: str = "paint@example.org") -> None:
    page.add_init_script(OBSERVE)
    set_session_cookies(page, store.url, email)
    page.goto(store.url + path)


@pytest.mark.parametrize(("path", "pictures"), [("/", 4), ("/product/1", 1)])
def test_pictures_come_without_scripts(new_page: Callable[..., Page], store: Store, path: str, pictures: int) -> None:
    page = new_page(PHONE, allowed_error="Failed to fetch dynamically imported module")
    page.route("**/assets/*.js", lambda route: route.abort())
    open_as(page, store, path)
    shown = page.locator("[data-first-picture] img")
    expect(shown).to_have_count(pictures)
    assert shown.first.evaluate("async (img) => { await img.decode(); return img.naturalWidth > 0 }")


@pytest.mark.parametrize("width", [390, 412, 1280])
@pytest.mark.parametrize(("path", "ready"), [("/", "main li h2"), ("/product/1", "main h1#product-name")])
def test_the_same_picture_is_not_painted_larger_later(
    new_page: Callable[..., Page], store: Store, path: str, ready: str, width: int
) -> None:
    page = new_page((width, 823))
    open_as(page, store, path)
    page.locator(ready).first.wait_for()
    page.wait_for_load_state("networkidle")
    painted = [url for url in page.evaluate("window.painted") if url]
    assert len(painted) == len(set(painted)) > 0


def test_the_overview_of_the_admin_pages_does_not_move(new_page: Callable[..., Page], store: Store) -> None:
    page = new_page(PHONE)
    open_as(page, store, "/admin", OWNER)
    expect(page.get_by_text("Total orders", exact=True)).to_be_visible()
    assert sum(page.evaluate("window.shifts")) < MAX_SHIFT
