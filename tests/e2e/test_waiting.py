"""What the screen shows while an answer is pending; fast actions keep their order."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.acts import (
    SocketProxy,
    card,
    expect_found,
    fill_checkout,
    new_email,
    open_checkout,
    place_button,
    sign_in_as_adult,
    toast,
    wait_for_hydration,
    wait_for_requests,
)
from tests.e2e.conftest import Store
from tools.bench.weights import set_session_cookies

pytestmark = pytest.mark.browser

ADD = re.compile("^Add")  # to Cart, or Adding...
ANY_ANSWER = '"delta"'
PRODUCTS = r'"count_label_rx_state_":"\d'
WATCH_WHAT_IS_FOUND = """() => {
  window.foundTexts = [];
  const place = document.querySelector("main [role=status]");
  new MutationObserver(() => window.foundTexts.push(place.textContent))
    .observe(place, {childList: true, characterData: true, subtree: true});
}"""

COUNT_SKELETONS = """() => {
  window.skeletons = 0;
  const count = () => { window.skeletons += document.querySelectorAll("main .skeleton").length; };
  new MutationObserver(count).observe(document.body, {childList: true, subtree: true});
}"""


@pytest.fixture
def socket(page: Page) -> SocketProxy:
    return SocketProxy(page)


@pytest.fixture
def shop(socket: SocketProxy, page: Page) -> Page:
    sign_in_as_adult(page, "patient@example.org")
    expect_found(page, "66 products found")
    return page


@pytest.mark.parametrize("held", [ANY_ANSWER, PRODUCTS], ids=["any answer", "the products"])
@pytest.mark.parametrize(("view", "kind", "count"), [("grid", "card", 12), ("list", "row", 8)], ids=["grid", "list"])
def test_skeletons_of_twelve_cards_or_eight_rows_precede_the_products(
    socket: SocketProxy, page: Page, store: Store, view: str, kind: str, count: int, held: str
) -> None:
    set_session_cookies(page, store.url, "patient@example.org")
    socket.hold_from = held
    page.goto(f"/?view={view}&sort=newest")
    socket.wait_until_holding()
    expect(page.get_by_label("Sort")).to_have_value("featured" if held == ANY_ANSWER else "newest")
    skeletons = page.locator("[data-skeleton]").locator("visible=true")
    expect(skeletons).to_have_count(count)
    assert {each.get_attribute("data-skeleton") for each in skeletons.all()} == {kind}
    products = page.get_by_role("listitem").get_by_role("heading")
    expect(products).to_have_count(0)
    socket.let_through()
    expect_found(page, "66 products found")
    expect(products).to_have_count(24)
    expect(page.locator("[data-skeleton]")).to_have_count(0)


def test_the_button_shows_adding_until_the_answer_arrives(shop: Page, socket: SocketProxy) -> None:
    buying = card(shop, "Fern Hollow").get_by_role("button", name=ADD)
    expect(buying).to_have_text("Add to Cart")
    socket.hold_from = '"toast_at_rx_state_"'
    buying.click()
    socket.wait_until_holding()
    expect(buying).to_have_text("Adding...")
    expect(buying).to_be_disabled()
    expect(card(shop, "Midnight Orchard").get_by_role("button", name=ADD)).to_have_text("Add to Cart")
    expect(toast(shop)).to_have_count(0)
    socket.let_through()
    expect(toast(shop)).to_contain_text("Added to Cart")
    expect(buying).to_have_text("Add to Cart")
    expect(buying).to_be_enabled()


def test_the_button_shows_adding_as_soon_as_it_is_clicked(shop: Page, socket: SocketProxy) -> None:
    """Before any answer of the server: users who see no reaction press again."""
    buying = card(shop, "Fern Hollow").get_by_role("button", name=ADD)
    socket.hold_from = ANY_ANSWER
    buying.click()
    expect(buying).to_have_text("Adding...")
    expect(buying).to_be_disabled()
    expect(card(shop, "Midnight Orchard").get_by_role("button", name=ADD)).to_have_text("Add to Cart")
    socket.wait_until_holding()
    socket.let_through()
    expect(toast(shop)).to_contain_text("Added to Cart")
    expect(buying).to_have_text("Add to Cart")


def test_the_credit_statement_is_not_called_empty_before_it_is_known(shop: Page, socket: SocketProxy) -> None:
    socket.hold_from = '"statement_rx_state_"'
    shop.goto("/account?tab=referrals")
    socket.wait_until_holding()
    expect(shop.get_by_role("heading", name="How it works")).to_be_visible()
    empty = shop.get_by_text("Nothing yet. Credit appears here once a friend has ordered.")
    expect(empty).to_have_count(0)
    socket.let_through()
    expect(empty).to_be_visible()


def test_a_lost_answer_is_not_waited_for(shop: Page, socket: SocketProxy) -> None:
    buying = card(shop, "Fern Hollow").get_by_role("button", name=ADD)
    shop.clock.install()
    socket.hold_from = ANY_ANSWER
    buying.click()
    expect(buying).to_have_text("Adding...")
    shop.clock.run_for(10_000)
    expect(buying).to_have_text("Add to Cart")
    expect(buying).to_be_enabled()


def test_the_button_shows_placing_order_and_works_once(page: Page, socket: SocketProxy) -> None:
    open_checkout(page, new_email())
    fill_checkout(page)
    socket.hold_from = '"is_placing_rx_state_":false'
    place_button(page).click()
    socket.wait_until_holding()
    waiting = page.get_by_role("button", name="Placing order...").locator("visible=true")
    expect(waiting).to_be_disabled()
    expect(page.get_by_role("button", name="Place Order").locator("visible=true")).to_have_count(0)
    socket.let_through()
    page.wait_for_url("**/account?tab=orders")
    expect(page.get_by_role("main").get_by_text("pending", exact=True)).to_have_count(1)


def test_a_reconnect_leaves_the_product_and_the_tab_on_the_screen(shop: Page, socket: SocketProxy) -> None:
    card(shop, "Fern Hollow").get_by_role("link").first.click()
    results = shop.get_by_role("tab", name="Lab Results")
    results.click()
    table = shop.get_by_role("tabpanel").get_by_role("table")
    expect(table).to_be_visible()
    shop.evaluate(COUNT_SKELETONS)
    with shop.expect_websocket():
        socket.cut()
    wait_for_requests(shop)
    expect(results).to_have_attribute("aria-selected", "true")
    expect(table).to_be_visible()
    assert shop.evaluate("() => window.skeletons") == 0


def test_two_filters_ticked_in_quick_succession_both_count(shop: Page, socket: SocketProxy) -> None:
    panel = shop.get_by_role("complementary", name="Filters")
    flower = panel.get_by_role("checkbox", name=re.compile("^THC Flower"))
    indica = panel.get_by_role("checkbox", name=re.compile("^Indica"))
    socket.hold_from = PRODUCTS
    flower.click()
    indica.click()
    socket.wait_until_holding()
    socket.let_through()
    shop.wait_for_url("**/?category=THC+Flower&type=Indica")
    expect(flower).to_be_checked()
    expect(indica).to_be_checked()
    expect_found(shop, "6 products found")


@pytest.mark.parametrize("is_script_late", [False, True], ids=["opened", "its script is loading"])
def test_the_late_answer_of_a_filter_does_not_take_a_shopper_away_from_a_product(
    shop: Page, socket: SocketProxy, is_script_late: bool
) -> None:
    held: list[Route] = []
    if is_script_late:
        shop.route(re.compile("/assets/_product_"), lambda route: held.append(route))
    product = card(shop, "Fern Hollow").get_by_role("link").first
    path = product.get_attribute("href")
    socket.hold_from = PRODUCTS
    shop.get_by_role("navigation", name="Categories").get_by_role("button", name="Edibles").click()
    product.click()
    if is_script_late:
        while not held:
            shop.wait_for_timeout(50)
    else:
        expect(shop).to_have_url(re.compile(f"{path}$"))
    socket.wait_until_holding()
    socket.let_through()
    for route in held:
        route.continue_()
    expect(shop.get_by_role("heading", name="Fern Hollow", level=1)).to_be_visible()
    wait_for_requests(shop)
    expect(shop).to_have_url(re.compile(f"{path}$"))
    shop.go_back()
    expect_found(shop, "66 products found")
    expect(shop).to_have_url(re.compile("[^/]/$"))


def test_an_older_answer_never_replaces_a_newer_one(shop: Page, socket: SocketProxy) -> None:
    """The answer for `p` arrives after `pinon dusk` was typed."""
    box = shop.get_by_placeholder("Search products...").locator("visible=true")
    shop.evaluate(WATCH_WHAT_IS_FOUND)
    socket.hold_from = PRODUCTS
    box.press_sequentially("p")
    socket.wait_until_holding()
    box.press_sequentially("inon dusk", delay=250)
    socket.let_through()
    shop.wait_for_url("**/?search=pinon+dusk")
    expect_found(shop, "1 product found")
    card(shop, "Piñon Dusk").get_by_role("button", name="Add to Cart").click()
    expect(toast(shop)).to_contain_text("Piñon Dusk has been added to your cart.")  # so no older answer is pending
    counts = [int(words.split()[0]) for words in shop.evaluate("() => window.foundTexts")]
    assert counts[0] > 1
    assert counts == sorted(counts, reverse=True)  # each letter more finds less
    expect(box).to_have_value("pinon dusk")


def test_going_back_restores_the_scroll_position(shop: Page) -> None:
    pages = shop.get_by_role("navigation", name="Pages")
    first = shop.get_by_role("listitem").get_by_role("heading").first
    name = first.inner_text()
    pages.get_by_role("button", name="Page 2").scroll_into_view_if_needed()
    height = shop.evaluate("() => scrollY")
    assert height > 1000
    pages.get_by_role("button", name="Page 2").click()
    shop.wait_for_url("**/?page=2")
    expect(first).not_to_have_text(name)
    expect(pages.get_by_role("button", name="Page 2")).to_have_attribute("aria-current", "page")
    expect(first).to_be_in_viewport()
    shop.go_back()
    expect(first).to_have_text(name)
    expect(pages.get_by_role("button", name="Page 1")).to_have_attribute("aria-current", "page")
    expect(pages).to_be_in_viewport()
    assert abs(shop.evaluate("() => scrollY") - height) < 50


def test_a_lost_connection_is_announced_until_it_is_back(shop: Page, socket: SocketProxy) -> None:
    notice = shop.get_by_text("No connection to the store. Trying again...")
    expect(notice).to_have_count(0)
    shop.context.set_offline(True)
    socket.cut()
    expect(notice).to_be_visible(timeout=30_000)
    shop.context.set_offline(False)
    expect(notice).to_have_count(0, timeout=30_000)
    card(shop, "Fern Hollow").get_by_role("button", name="Add to Cart").click()
    expect(toast(shop)).to_contain_text("Fern Hollow has been added to your cart.")


def test_clicks_before_hydration_are_replayed(page: Page) -> None:
    held: list[Route] = []
    page.route(re.compile("/assets/entry.client"), lambda route: held.append(route))
    sign_in_as_adult(page, "hasty@example.org", to=None)
    page.goto("/?type=Indica", wait_until="commit")
    page.get_by_role("navigation", name="Categories").get_by_role("button", name="Edibles").click()
    page.get_by_role("navigation", name="Categories").get_by_role("button", name="Vapes").click()
    expect(page.get_by_role("heading", name="All Products", level=1)).to_be_visible()
    while not held:
        page.wait_for_timeout(50)
    for route in held:
        route.continue_()
    expect(page.get_by_role("heading", name="Vapes Products", level=1)).to_be_visible()
    expect(page).to_have_url(re.compile(r"/\?category=Vapes&type=Indica$"))


def test_a_page_hydrated_during_unload_leaves_the_flash_message(page: Page) -> None:
    held: list[Route] = []
    home = re.compile("//[^/]+/$")
    page.add_init_script("delete Navigator.prototype.serviceWorker")  # its requests must not be held back
    sign_in_as_adult(page, new_email(), to=None)
    page.route(re.compile("/assets/entry.client"), lambda route: route.continue_() if held else held.append(route))
    page.goto("/shipping", wait_until="domcontentloaded")
    page.route(home, lambda route: route.fulfill(status=204))
    with page.expect_response(home):
        page.get_by_role("button", name="Logout").click()
    while not held:
        page.wait_for_timeout(50)
    held[0].continue_()
    wait_for_hydration(page)
    page.unroute(home)
    page.goto("/")
    expect(toast(page)).to_contain_text("Logged out successfully")
