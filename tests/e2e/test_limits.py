"""Products say whether one more is within the legal limits, on their pages and cards (RULE legal-limits)."""

import uuid
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from marketplace_app.rule_messages import FITS, OTHER_SHOPS, when_over
from tests.e2e.acts import (
    card,
    create_product,
    expect_found,
    fill_checkout,
    horizontal_overflow,
    new_email,
    open_cart,
    place_button,
    sign_in_as_adult,
    toast,
)
from tests.e2e.conftest import BOTH_SIZES, Api, Store
from tests.e2e.state_rules import add_rules, enforced, sourced
from tests.e2e.test_accessibility import expect_accessible

pytestmark = pytest.mark.browser
HOMES = {
    "NV": {"street": "214 Larch Street", "city": "Reno", "state": "NV", "zip": "89501"},
    "UT": {"street": "8 Juniper Road", "city": "Provo", "state": "UT", "zip": "84601"},
}
FLOWER = {"code": "flower", "label": "Flower", "limit": sourced(7_000), "counts": [{"category": "THC Flower"}]}
OVER_TODAY, OVER_30_DAYS = when_over(1), when_over(30)


@pytest.fixture
def rules(store: Store) -> Iterator[None]:
    """Nevada allows 7 g of flower a day, Utah in 30 days."""
    add_rules(store, "NV", buckets=[FLOWER | {"days": 1}])
    add_rules(store, "UT", buckets=[FLOWER | {"days": 30}])
    with enforced(store):
        yield


def open_product(page: Page, number: int) -> None:
    page.goto(f"/product/{number}")
    expect(page.get_by_role("heading", level=1)).to_be_visible()


def open_checkout(page: Page, number: int, *, quantity: int) -> None:
    assert page.request.post("/api/cart", data={"productId": number, "quantity": quantity}).ok
    page.goto("/checkout")
    fill_checkout(page, **{"City": "Reno", "State": "Nevada", "Zip code": "89501"})


def sign_in_with_home(page: Page, state: str) -> None:
    """As somebody new, whose address is in this state."""
    sign_in_as_adult(page, new_email(), to=None)
    answer = page.request.post("/api/addresses", data=HOMES[state])
    assert answer.ok, answer.text()


@pytest.mark.parametrize("size", BOTH_SIZES)
def test_the_mark_follows_the_cart(new_page: Callable[..., Page], api: Api, rules: None, size: tuple[int, int]) -> None:
    flower = create_product(api, netWeightGrams=3.5)
    page = new_page(size)
    sign_in_with_home(page, "NV")
    open_product(page, flower["id"])
    fits, over = page.get_by_text(FITS, exact=True), page.get_by_text(OVER_TODAY, exact=True)
    add = page.get_by_role("main").get_by_role("button", name="Add to Cart").first
    expect(fits).to_be_visible()
    assert horizontal_overflow(page) == 0
    add.click()
    expect(page.get_by_text("1 in your cart")).to_be_visible()
    expect(fits).to_be_visible()
    add.click()
    expect(page.get_by_text("2 in your cart")).to_be_visible()
    expect(over).to_be_visible()
    expect(fits).to_have_count(0)
    assert horizontal_overflow(page) == 0


@pytest.mark.parametrize("size", BOTH_SIZES)
def test_an_order_over_the_limit_is_refused_with_its_sum(
    new_page: Callable[..., Page], api: Api, rules: None, size: tuple[int, int]
) -> None:
    flower = create_product(api, netWeightGrams=3.5, price="60.00")
    page = new_page(size)
    sign_in_with_home(page, "NV")
    open_checkout(page, flower["id"], quantity=2)
    expect(page.get_by_text("Flower today: 0 g of 7 g. This cart adds 7 g.")).to_be_visible()
    place_button(page).click()
    page.wait_for_url("**/account?tab=orders")
    open_checkout(page, flower["id"], quantity=2)
    expect(page.get_by_text("Flower today: 7 g of 7 g. This cart adds 7 g.")).to_be_visible()
    expect(page.get_by_text(OTHER_SHOPS)).to_be_visible()
    place_button(page).click()
    expect(toast(page)).to_contain_text("Over the Legal Limit")
    sentence = "Flower: the law allows 7 g a day. You have ordered 7 g today, and this cart adds 7 g."
    expect(page.get_by_role("status").filter(has_text=sentence).first).to_be_visible()
    assert horizontal_overflow(page) == 0
    assert len(page.request.get("/api/orders").json()) == 1


def test_a_limit_of_several_days_is_not_called_todays(page: Page, api: Api, rules: None) -> None:
    flower = create_product(api, netWeightGrams=7)
    sign_in_with_home(page, "UT")
    assert page.request.post("/api/cart", data={"productId": flower["id"], "quantity": 1}).ok
    open_product(page, flower["id"])
    expect(page.get_by_text(OVER_30_DAYS, exact=True)).to_be_visible()
    expect(page.get_by_text(OVER_TODAY)).to_have_count(0)


@pytest.mark.parametrize("size", BOTH_SIZES)
def test_the_cart_says_what_to_remove(
    new_page: Callable[..., Page], api: Api, rules: None, size: tuple[int, int]
) -> None:
    flower = create_product(api, netWeightGrams=3.5)
    page = new_page(size)
    sign_in_with_home(page, "NV")
    assert page.request.post("/api/cart", data={"productId": flower["id"], "quantity": 3}).ok
    open_product(page, flower["id"])
    drawer = open_cart(page)
    refusal = drawer.get_by_role("status").get_by_text(
        f"Flower: the law allows 7 g a day. This cart has 10.5 g. Please remove 1 of {flower['name']}."
    )
    expect(refusal).to_be_visible()
    expect_accessible(page, "the cart over a legal limit")
    drawer.get_by_role("button", name=f"Fewer of {flower['name']}").click()
    expect(refusal).to_have_count(0)
    expect(drawer.get_by_text("Flower today: 0 g of 7 g. This cart adds 7 g.")).to_be_visible()


@pytest.mark.parametrize("view", ["grid", "list"])
@pytest.mark.parametrize("size", BOTH_SIZES)
def test_the_mark_of_a_card_follows_the_cart(
    new_page: Callable[..., Page], api: Api, rules: None, size: tuple[int, int], view: str
) -> None:
    flower = create_product(api, netWeightGrams=7)
    page = new_page(size)
    sign_in_with_home(page, "NV")
    page.goto(f"/?search={flower['name'].replace(' ', '+')}&view={view}")
    found = card(page, flower["name"])
    expect(found.get_by_text(FITS, exact=True)).to_be_visible()
    found.get_by_role("button", name="Add to Cart").click()
    expect(found.get_by_text(OVER_TODAY, exact=True)).to_be_visible()
    expect(found.get_by_text(FITS)).to_have_count(0)
    assert horizontal_overflow(page) == 0


def test_cards_have_no_mark_without_an_address_or_a_limit_that_counts_them(
    new_page: Callable[..., Page], api: Api, rules: None
) -> None:
    name = f"Pair {uuid.uuid4().hex[:8]}"
    counted = create_product(api, name=f"{name} one", netWeightGrams=3.5)
    for number, facts in enumerate(({"category": "Edibles", "netWeightGrams": 3.5}, {})):
        create_product(api, name=f"{name} other {number}", **facts)
    at_home, without_address = new_page(), new_page()
    sign_in_with_home(at_home, "NV")
    sign_in_as_adult(without_address, new_email(), to=None)
    for page, marks in ((at_home, 1), (without_address, 0)):
        page.goto(f"/?search={name.replace(' ', '+')}")
        expect(card(page, counted["name"])).to_be_visible()
        expect_found(page, "3 products found")
        expect(page.get_by_role("main").get_by_text(FITS, exact=True)).to_have_count(marks)


def test_products_that_no_limit_can_count_have_no_mark(page: Page, api: Api, rules: None) -> None:
    unknown = create_product(api)
    others = create_product(api, category="Edibles", netWeightGrams=3.5)
    counted = create_product(api, netWeightGrams=3.5)
    sign_in_with_home(page, "NV")
    mark = page.get_by_text(FITS, exact=True).or_(page.get_by_text(OVER_TODAY, exact=True))
    open_product(page, counted["id"])
    expect(mark).to_be_visible()
    for each in (unknown, others):
        open_product(page, each["id"])
        expect(page.get_by_role("heading", level=1)).to_contain_text(each["name"])
        expect(mark).to_have_count(0)


def test_while_rules_are_not_enforced_there_is_no_mark(page: Page, api: Api) -> None:
    flower = create_product(api, netWeightGrams=3.5)
    sign_in_with_home(page, "NV")
    open_product(page, flower["id"])
    expect(page.get_by_role("main").get_by_role("button", name="Add to Cart").first).to_be_enabled()
    mark = page.get_by_text(FITS, exact=True).or_(page.get_by_text(OVER_TODAY, exact=True))
    expect(mark).to_have_count(0)
    page.goto(f"/?search={flower['name'].replace(' ', '+')}")
    expect(card(page, flower["name"])).to_be_visible()
    expect(mark).to_have_count(0)
