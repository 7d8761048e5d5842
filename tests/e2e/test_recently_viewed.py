"""'Recently viewed' on a product's page: stored only in the browser, with current prices."""

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.acts import OWNER, create_product, new_email, sign_in_as_adult, sign_in_by_request, wait_for_hydration
from tests.e2e.conftest import BOTH_SIZES, Api
from tests.e2e.test_accessibility import expect_accessible

pytestmark = pytest.mark.browser

STORED = "() => localStorage.recentlyViewed ?? null"


def section(page: Page) -> Locator:
    return page.get_by_role("region", name="Recently viewed")


def names(page: Page) -> Locator:
    return section(page).get_by_role("listitem").get_by_role("link")


IS_NEWEST = """(id) => {
  try {
    return JSON.parse(localStorage.recentlyViewed)[0].id === id;
  } catch {
    return false;
  }
}"""


def view(page: Page, number: int) -> None:
    page.goto(f"/product/{number}")
    page.wait_for_function(IS_NEWEST, arg=number)


def scroll_to_section(page: Page) -> None:
    page.locator("footer").scroll_into_view_if_needed()


@pytest.mark.parametrize("size", BOTH_SIZES)
def test_viewed_products_are_listed_newest_first_until_cleared(
    new_page: Callable[..., Page], size: tuple[int, int]
) -> None:
    page = new_page(size)
    sign_in_as_adult(page, new_email(), to=None)
    urls: list[str] = []
    page.on("request", lambda request: urls.append(request.url) if "/api/products/" in request.url else None)
    for number in (1, 2, 3):
        view(page, number)
    first, second = (page.request.get(f"/api/products/{number}").json()["name"] for number in (1, 2))
    scroll_to_section(page)
    expect(names(page)).to_have_text([second, first])
    assert sorted({url.rpartition("/")[2] for url in urls}) == ["1", "2"]
    expect_accessible(page, "recently viewed")
    names(page).first.click()
    page.wait_for_url("**/product/2")
    scroll_to_section(page)
    expect(names(page).nth(1)).to_have_text(first)
    page.get_by_role("button", name="Clear recently viewed").click()
    expect(section(page)).to_be_hidden()
    expect(page.locator("main")).to_be_focused()
    assert page.evaluate(STORED) is None


def test_an_archived_product_disappears(page: Page, api: Api) -> None:
    made = create_product(api)
    sign_in_as_adult(page, new_email(), to=None)
    view(page, 1)
    view(page, made["id"])
    assert api(OWNER).delete(f"/api/admin/products/{made['id']}").is_success
    view(page, 2)
    scroll_to_section(page)
    expect(names(page)).to_have_count(1)
    assert [stored["id"] for stored in json.loads(page.evaluate(STORED))] == [2, 1]


def test_signing_out_clears_viewed_products(page: Page) -> None:
    sign_in_as_adult(page, new_email(), to=None)
    view(page, 1)
    page.goto("/account")
    page.get_by_role("button", name="Logout").first.click()
    expect(page.locator("[data-sonner-toast]")).to_contain_text("Logged out successfully")
    assert page.evaluate(STORED) is None


def test_nothing_is_stored_before_the_age_gate_is_passed(page: Page) -> None:
    sign_in_by_request(page, new_email())
    page.goto("/product/1")
    wait_for_hydration(page)
    scroll_to_section(page)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(section(page)).to_be_hidden()
    assert page.evaluate(STORED) is None


TAG = "<img src=x onerror=alert(1)>"
FORGED = {"id": 2, "name": TAG, "price": "$1.00", "image": "//elsewhere.example/x.webp", "at": 0}


@pytest.mark.parametrize(
    "stored",
    ["{", "null", "7", json.dumps([None, TAG, FORGED, {"id": TAG}]), "[" * 15_000, "x" * 5_000_000],
    ids=["broken", "null", "number", "forged", "deep", "huge"],
)
def test_invalid_stored_data_is_ignored(page: Page, stored: str) -> None:
    sign_in_as_adult(page, new_email(), to="/faq")
    page.evaluate("(stored) => { localStorage.recentlyViewed = stored; }", stored)
    view(page, 1)
    scroll_to_section(page)
    expect(section(page)).to_be_hidden()
    assert [each["id"] for each in json.loads(page.evaluate(STORED))] == [1]


def test_a_product_name_is_never_interpreted_as_markup(page: Page) -> None:
    """When the store does not answer, the section shows what the browser stored."""
    sign_in_as_adult(page, new_email(), to="/faq")
    forged = json.dumps([FORGED | {"image": "/pictures/x.webp"}])
    page.evaluate(
        '(stored) => { localStorage.recentlyViewed = stored.replace(\'"at": 0\', `"at": ${Date.now()}`); }', forged
    )
    page.route("**/api/products/2", lambda route: route.fulfill(status=503, json={}))
    view(page, 1)
    scroll_to_section(page)
    expect(names(page)).to_have_text([TAG])
