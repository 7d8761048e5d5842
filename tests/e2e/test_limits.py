"""A product's page says whether one more is within the legal limits (RULE legal-limits)."""

import json
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from marketplace_app.rule_messages import FITS, OVER_LIMIT
from tests.e2e.acts import create_product, horizontal_overflow, new_email, run_sql, sign_in_as_adult
from tests.e2e.conftest import DESKTOP, PHONE, Api, Store

pytestmark = pytest.mark.browser
SETTING = "INSERT INTO shop_settings (name, previous, value, reason, created_at)"
HOME = {"street": "214 Larch Street", "city": "Reno", "state": "NV", "zip": "89501"}


def line(value: object) -> list[dict[str, object]]:
    return [{"value": value, "source": "test"}]


@pytest.fixture
def enforced(store: Store) -> Iterator[None]:
    """Nevada allows 7 g of flower a day."""
    bucket = {"code": "flower", "label": "Flower", "days": 1, "limit": line(7_000)}
    rules = {
        "delivery": line(True),
        "cashOnDelivery": line(True),
        "buckets": [bucket | {"counts": [{"category": "THC Flower"}]}],
    }
    names = "state, valid_from, rules, source, checked_on, created_at, choices, reviewed_at"
    values = "'NV', '2026-01-01', :rules, 'test', '2026-01-01', '2026-01-01 00:00:00', '{}', '2026-01-01 00:00:00'"
    run_sql(store, f"INSERT INTO jurisdiction_versions ({names}) VALUES ({values})", rules=json.dumps(rules))
    run_sql(store, f"{SETTING} VALUES ('enforce_jurisdiction', 0, 1, 'test', '2026-01-01 00:00:00')")
    yield
    run_sql(store, f"{SETTING} VALUES ('enforce_jurisdiction', 1, 0, 'test', '2026-01-01 00:00:00')")


def open_product(page: Page, number: int) -> None:
    page.goto(f"/product/{number}")
    expect(page.get_by_role("heading", level=1)).to_be_visible()


def sign_in_in_nevada(page: Page) -> None:
    sign_in_as_adult(page, new_email(), to=None)
    answer = page.request.post("/api/addresses", data=HOME)
    assert answer.ok, answer.text()


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["1280", "390"])
def test_the_mark_follows_the_cart(
    new_page: Callable[..., Page], api: Api, enforced: None, size: tuple[int, int]
) -> None:
    flower = create_product(api, netWeightGrams=3.5)
    page = new_page(size)
    sign_in_in_nevada(page)
    open_product(page, flower["id"])
    fits, over = page.get_by_text(FITS, exact=True), page.get_by_text(OVER_LIMIT, exact=True)
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


def test_products_that_no_limit_can_count_have_no_mark(page: Page, api: Api, enforced: None) -> None:
    unknown = create_product(api)
    others = create_product(api, category="Edibles", netWeightGrams=3.5)
    counted = create_product(api, netWeightGrams=3.5)
    sign_in_in_nevada(page)
    mark = page.get_by_text(FITS, exact=True).or_(page.get_by_text(OVER_LIMIT, exact=True))
    open_product(page, counted["id"])
    expect(mark).to_be_visible()
    for each in (unknown, others):
        open_product(page, each["id"])
        expect(page.get_by_role("heading", level=1)).to_contain_text(each["name"])
        expect(mark).to_have_count(0)


def test_while_rules_are_not_enforced_there_is_no_mark(page: Page, api: Api) -> None:
    flower = create_product(api, netWeightGrams=3.5)
    sign_in_in_nevada(page)
    open_product(page, flower["id"])
    expect(page.get_by_role("main").get_by_role("button", name="Add to Cart").first).to_be_enabled()
    expect(page.get_by_text(FITS, exact=True).or_(page.get_by_text(OVER_LIMIT, exact=True))).to_have_count(0)
