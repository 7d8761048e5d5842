"""The size of a first visit: on a slow connection every kilobyte counts. Times are measured by `make bench`."""

import base64
import re
from collections.abc import Callable, Mapping
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page

from marketplace_app.theme.font_faces import FAMILIES, url
from tests.e2e.acts import OWNER, add_to_cart_by_request
from tests.e2e.conftest import PHONE, Store
from tools.bench.weights import (
    BUDGETS,
    CHECKOUT_FORM,
    LATER_PAGE_BUDGETS,
    OVERVIEW_FIGURES,
    Visit,
    first_visit,
    set_session_cookies,
)

pytestmark = pytest.mark.browser
ROOT = Path(__file__).parents[2]


def assert_within_budgets(visit: Visit, budgets: Mapping[str, float] = BUDGETS) -> None:
    assert visit.kilobytes["script"] > 0  # otherwise nothing was measured
    over = {kind: size for kind, size in visit.kilobytes.items() if size > budgets[kind]}
    assert over == {}


def test_a_first_visit_of_the_landing_page_is_light(new_page: Callable[..., Page], store: Store) -> None:
    assert_within_budgets(first_visit(new_page(PHONE), store.url, "main h1"))


def test_a_first_visit_of_the_catalogue_is_light(new_page: Callable[..., Page], store: Store) -> None:
    page = new_page(PHONE)
    set_session_cookies(page, store.url, "light@example.org")
    assert_within_budgets(first_visit(page, store.url, "main li h2"))


@pytest.mark.parametrize("path", ["/product/1", "/account", "/account?tab=orders", "/preferences", "/support", "/faq"])
def test_a_first_visit_of_a_members_page_is_light(new_page: Callable[..., Page], store: Store, path: str) -> None:
    page = new_page(PHONE)
    set_session_cookies(page, store.url, "light@example.org")
    assert_within_budgets(first_visit(page, store.url + path, "main h1"))


def test_a_first_visit_of_the_checkout_is_light(new_page: Callable[..., Page], store: Store) -> None:
    page = new_page(PHONE)
    set_session_cookies(page, store.url, "light@example.org")
    add_to_cart_by_request(page, "Fern Hollow")
    assert_within_budgets(first_visit(page, f"{store.url}/checkout", CHECKOUT_FORM), LATER_PAGE_BUDGETS)


def test_a_first_visit_of_the_overview_of_the_admin_pages_is_light(new_page: Callable[..., Page], store: Store) -> None:
    page = new_page(PHONE)
    set_session_cookies(page, store.url, OWNER)
    assert_within_budgets(first_visit(page, f"{store.url}/admin", OVERVIEW_FIGURES), LATER_PAGE_BUDGETS)


def test_the_film_is_fetched_after_the_first_paint(new_page: Callable[..., Page], store: Store) -> None:
    visit = first_visit(new_page(), store.url, "main h1")
    assert visit.film_requested_at is not None
    assert visit.film_requested_at > visit.painted_at


def test_no_style_has_the_browser_look_through_a_page_whenever_it_changes(store: Store) -> None:
    """`:has` on an element whose descendants it styles: with two such rules, adding to the cart took twice as long."""
    [name, *_] = re.findall(r'"/assets/(__reflex[^"]+\.css)"', httpx.get(store.url).text)
    styles = httpx.get(f"{store.url}/assets/{name}").text
    assert ":has(" in styles
    assert re.findall(r"[^{}]*:has\([^{}]*\) \*[^{}]*\{", styles) == []


@pytest.mark.parametrize("kind", ["js", "css"])
def test_files_are_smaller_still_for_a_browser_that_knows_brotli(store: Store, kind: str) -> None:
    [name, *_] = re.findall(rf'"/assets/((?:entry|__reflex)[^"]+\.{kind})"', httpx.get(store.url).text)
    sizes = {}
    for encoding in ("br", "gzip"):
        answer = httpx.get(f"{store.url}/assets/{name}", headers={"Accept-Encoding": encoding})
        assert answer.headers["content-encoding"] == encoding
        sizes[encoding] = int(answer.headers["content-length"])
    assert sizes["br"] < 0.9 * sizes["gzip"]


def test_other_letters_are_fetched_only_where_one_is_shown(new_page: Callable[..., Page], store: Store) -> None:
    page = new_page(PHONE)
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(request.url) if "/fonts/" in request.url else None)
    page.goto(f"{store.url}/faq")
    page.wait_for_load_state("networkidle")
    assert {url.rsplit("-", 1)[-1] for url in fetched} == {"common.woff2"}
    with page.expect_request("**/fonts/*-others.woff2"):
        page.locator("h1").evaluate("heading => { heading.textContent = 'Œuvre' }")


WIDTHS = """async (fonts) => {
  for (const [name, data] of Object.entries(fonts)) {
    const face = new FontFace(name, `url(data:font/woff2;base64,${data})`, { weight: "400 700" });
    document.fonts.add(await face.load());
  }
  const measure = (name, weight) => {
    const span = document.body.appendChild(document.createElement("span"));
    span.style = `font: ${weight} 14px ${name}; position: absolute; white-space: nowrap`;
    span.textContent = "Featherstonehaugh, 12345 North AVA To: fi fl, $1,234.50";
    return span.getBoundingClientRect().width;
  };
  return [400, 650].map((weight) => Object.keys(fonts).map((name) => measure(name, weight)));
}"""


@pytest.mark.parametrize("name", FAMILIES.values())
def test_text_is_as_wide_as_with_the_complete_font(page: Page, name: str) -> None:
    complete = ROOT / "tools" / "artwork" / "fonts" / f"{name}-latin-wght-normal.woff2"
    files = {"complete": complete, "common": ROOT / "assets" / url(name, "common").lstrip("/")}
    fonts = {key: base64.b64encode(file.read_bytes()).decode() for key, file in files.items()}
    for as_complete, as_common in page.evaluate(WIDTHS, fonts):
        assert as_common == as_complete
