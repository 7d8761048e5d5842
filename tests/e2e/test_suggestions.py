"""Suggestions of the header's search box: a combobox for keyboard, mouse, touch and screen readers."""

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.e2e.acts import new_email, pass_age_gate, sign_in_as_adult, wait_for_hydration
from tests.e2e.conftest import BOTH_SIZES, PHONE
from tests.e2e.test_accessibility import expect_accessible

pytestmark = pytest.mark.browser

ASKED = "**/api/products/suggestions?*"
FERN = {"id": 1, "name": "Fern Hollow", "price": "48.00", "imageUrl": "/pictures/fern-hollow-640.webp"}
LONG = {"id": 2, "name": "Midnight Orchard " * 4, "price": "1234.50", "imageUrl": "/pictures/midnight-orchard-640.webp"}
FOUND = {"corrected": None, "products": [FERN, LONG], "categories": ["Edibles"], "brands": ["Hollis & Fern"]}
IS_ON_TOP = """(option) => {
  const { left, right, top, bottom } = option.getBoundingClientRect();
  return option.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
}"""
NONE: dict[str, Any] = {"corrected": None, "products": [], "categories": [], "brands": []}


@pytest.fixture
def queries(page: Page) -> list[str]:
    """What the store was asked for on `page`; it answers FOUND to all but 'zz'."""
    return answer(page)


def answer(page: Page) -> list[str]:
    queries: list[str] = []

    def fulfil(route: Route) -> None:
        queries.append(parse_qs(urlsplit(route.request.url).query)["q"][0])
        route.fulfill(json=NONE if "zz" in queries[-1] else FOUND)

    page.route(ASKED, fulfil)
    return queries


def box_of(page: Page) -> Locator:
    return page.get_by_role("combobox", name="Search products").locator("visible=true")


def options(page: Page) -> Locator:
    return page.get_by_role("listbox", name="Suggestions").get_by_role("option")


def start(page: Page, path: str = "/faq") -> Locator:
    sign_in_as_adult(page, new_email(), to=path)
    wait_for_hydration(page)
    return box_of(page)


def suggest(page: Page, path: str = "/faq", words: str = "fe") -> Locator:
    box = start(page, path)
    box.fill(words)
    expect(options(page)).to_have_count(4)
    return box


def until(page: Page, holds: Callable[[], object]) -> None:
    """Waits frame by frame, so that Playwright handles requests meanwhile."""
    for _ in range(1200):
        if holds():
            return
        page.evaluate("() => new Promise(requestAnimationFrame)")
    raise AssertionError("it never came to that")


def expect_active(page: Page, box: Locator, index: int) -> None:
    option = options(page).nth(index)
    expect(option).to_have_attribute("aria-selected", "true")
    expect(box).to_have_attribute("aria-activedescendant", option.get_attribute("id") or "")
    expect(page.locator("[aria-selected=true][role=option]")).to_have_count(1)
    expect(box).to_be_focused()


def expect_closed(page: Page, box: Locator) -> None:
    expect(options(page)).to_have_count(0)
    expect(box).to_have_attribute("aria-expanded", "false")
    assert box.get_attribute("aria-activedescendant") is None


def test_its_script_is_fetched_at_the_first_focus_and_once(page: Page, queries: list[str]) -> None:
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(request.url) if "suggest" in request.url else None)
    box = start(page)
    assert fetched == []
    expect(box).to_have_attribute("aria-expanded", "false")
    with page.expect_response("**/suggest.js"):
        box.focus()
    box.blur()
    box.focus()
    box.press_sequentially("fe")
    expect(options(page)).to_have_count(4)
    assert [url.rpartition("/")[2] for url in fetched if url.endswith(".js")] == ["suggest.js"]


def test_text_typed_before_the_script_has_loaded_is_answered(page: Page, queries: list[str]) -> None:
    held: list[Route] = []
    page.route("**/suggest.js", lambda route: held.append(route))
    box = start(page)
    with page.expect_request("**/suggest.js"):
        box.fill("fern")
    until(page, lambda: held)
    held[0].continue_()
    expect(options(page)).to_have_count(4)
    assert queries == ["fern"]


def test_the_combobox_has_the_right_roles(page: Page, queries: list[str]) -> None:
    box = suggest(page)
    expect(box).to_have_attribute("aria-expanded", "true")
    expect(box).to_have_attribute("aria-autocomplete", "list")
    listbox = page.get_by_role("listbox", name="Suggestions")
    assert box.get_attribute("aria-controls") == listbox.get_attribute("id")
    expect(page.get_by_role("status").filter(has_text="4 suggestions")).to_be_attached()
    for group, name in (("Products", "Fern Hollow $48.00"), ("Categories", "Edibles"), ("Brands", "Hollis & Fern")):
        expect(listbox.get_by_role("group", name=group).get_by_role("option", name=name).first).to_be_visible()
    box.fill("zz")
    expect_closed(page, box)
    expect(page.get_by_role("status").filter(has_text="No suggestions")).to_be_attached()


def test_arrow_keys_move_through_options_and_the_focus_stays(page: Page, queries: list[str]) -> None:
    box = suggest(page)
    page.keyboard.press("ArrowDown")
    expect_active(page, box, 0)
    page.keyboard.press("ArrowDown")
    expect_active(page, box, 1)
    page.keyboard.press("End")
    expect_active(page, box, 3)
    page.keyboard.press("Home")
    expect_active(page, box, 0)
    page.keyboard.press("ArrowUp")
    assert box.get_attribute("aria-activedescendant") is None
    page.keyboard.press("ArrowUp")
    expect_active(page, box, 3)
    page.keyboard.press("Escape")
    expect_closed(page, box)
    expect(box).to_have_value("fe")
    page.keyboard.press("ArrowDown")
    expect(options(page)).to_have_count(4)
    page.keyboard.press("Tab")
    expect_closed(page, box)


def test_enter_on_a_choice_opens_it(page: Page, queries: list[str]) -> None:
    suggest(page)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/product/1")
    expect(page.get_by_role("heading", name="Fern Hollow", level=1)).to_be_visible()


def test_enter_without_a_choice_searches_as_before(page: Page, queries: list[str]) -> None:
    box = suggest(page)
    box.press("Enter")
    page.wait_for_url("**/?search=fe")
    expect(options(page)).to_have_count(0)


def test_a_click_opens_a_category(page: Page, queries: list[str]) -> None:
    suggest(page, "/")
    options(page).filter(has_text="Edibles").click()
    page.wait_for_url("**/?category=Edibles")
    expect(page.get_by_role("heading", name="Edibles Products", level=1)).to_be_visible()


def test_a_brand_leads_to_its_filter(page: Page, queries: list[str]) -> None:
    suggest(page, "/")
    options(page).filter(has_text="Hollis & Fern").click()
    page.wait_for_url("**/?brand=Hollis+%26+Fern")


def test_a_click_elsewhere_closes_it(page: Page, queries: list[str]) -> None:
    box = suggest(page)
    page.mouse.click(1270, 880)
    expect_closed(page, box)


def test_clearing_the_box_closes_it(page: Page, queries: list[str]) -> None:
    box = suggest(page, "/")
    page.get_by_role("button", name="Clear search").locator("visible=true").click()
    expect_closed(page, box)


def test_a_late_answer_to_earlier_text_is_ignored(page: Page) -> None:
    held: dict[str, Route] = {}
    page.route(ASKED, lambda route: held.__setitem__(parse_qs(urlsplit(route.request.url).query)["q"][0], route))
    box = start(page)
    for words in ("fe", "fern"):
        box.fill(words)
        until(page, lambda words=words: words in held)
    held["fern"].fulfill(json=FOUND | {"products": [FERN]})
    expect(options(page)).to_have_count(3)
    held["fe"].fulfill(json=FOUND)
    page.evaluate("async () => { await fetch('/healthz'); await new Promise(requestAnimationFrame); }")
    expect(options(page)).to_have_count(3)


def test_fast_typing_sends_few_requests(page: Page, queries: list[str]) -> None:
    box = start(page)
    box.press_sequentially("fern hollow")
    expect(options(page)).to_have_count(4)
    assert queries[-1] == "fern hollow"
    assert len(queries) <= 3
    assert "f" not in queries  # one letter is too short to search for


def test_without_a_connection_nothing_is_suggested_and_the_search_still_works(page: Page) -> None:
    page.route(ASKED, lambda route: route.abort())
    box = start(page)
    with page.expect_request(ASKED):
        box.fill("fern")
    expect_closed(page, box)
    box.press("Enter")
    page.wait_for_url("**/?search=fern")


def test_a_correction_is_shown(page: Page) -> None:
    page.route(ASKED, lambda route: route.fulfill(json=FOUND | {"corrected": "fern"}))
    box = start(page)
    box.fill("fren")
    expect(page.get_by_role("group", name="Products for “fern”")).to_be_visible()


def test_answers_are_shown_as_text(page: Page) -> None:
    evil = {"id": 1, "name": "<img src=x onerror=alert(1)>", "price": "1.00", "imageUrl": ""}
    page.route(ASKED, lambda route: route.fulfill(json=FOUND | {"products": [evil]}))
    box = start(page)
    box.fill("fern")
    expect(options(page).first).to_have_text("<img src=x onerror=alert(1)>$1.00")
    expect(options(page).first.locator("img")).to_have_count(0)


def test_guests_sign_in_first(page: Page, queries: list[str]) -> None:
    pass_age_gate(page)
    page.goto("/faq")
    box = box_of(page)
    box.fill("fern")
    options(page).first.click()
    page.wait_for_url(lambda url: "return_to" in url or "authorize" in url or "interaction" in url)


def test_a_tap_chooses_on_a_phone(new_page: Callable[..., Page]) -> None:
    page = new_page(PHONE)
    answer(page)
    sign_in_as_adult(page, new_email(), to="/faq")
    wait_for_hydration(page)
    page.get_by_role("button", name="Search", exact=True).click()
    box = box_of(page)
    box.fill("fern")
    expect(options(page)).to_have_count(4)
    options(page).first.click()
    page.wait_for_url("**/product/1")


@pytest.mark.parametrize("size", [*BOTH_SIZES, pytest.param((768, 1024), id="768", marks=pytest.mark.sizes)])
def test_every_state_is_accessible_and_fits(new_page: Callable[..., Page], size: tuple[int, int]) -> None:
    page = new_page(size)
    answer(page)
    sign_in_as_adult(page, new_email(), to="/faq")
    wait_for_hydration(page)
    if size[0] < 768:
        page.get_by_role("button", name="Search", exact=True).click()
    box = box_of(page)
    box.fill("fern")
    expect(options(page)).to_have_count(4)
    for place in (0, 1):
        assert options(page).nth(place).evaluate(IS_ON_TOP), "it is cut off, or something lies over it"
    page.keyboard.press("ArrowDown")
    expect_accessible(page, "suggestions")


def test_a_correction_is_offered_while_one_types(page: Page) -> None:
    start(page).fill("ferm holow")
    group = page.get_by_role("group", name="Products for “fern hollow”")
    expect(group.get_by_role("option", name="Fern Hollow $48.00")).to_be_visible()
