"""`/test`: the public self-check page."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.acts import run_sql
from tests.e2e.conftest import Store

pytestmark = pytest.mark.browser


def test_a_guest_sees_the_count_the_first_product_and_a_test_image(page: Page) -> None:
    page.goto("/test")
    main = page.get_by_role("main")
    expect(page).to_have_title("Product test · Stillroom")
    expect(main.get_by_text("Number of products: 66")).to_be_visible()
    first = page.request.get("/api/products").json()[0]
    raw = page.get_by_role("main").locator("pre")
    expect(raw).to_contain_text(first["name"])
    assert json.loads(raw.inner_text()) == first
    image = main.get_by_role("img", name="Test image")
    expect(image).to_be_visible()
    page.wait_for_function("(image) => image.complete && image.naturalWidth > 0", arg=image.element_handle())


def test_a_failing_list_shows_its_error(page: Page, store: Store) -> None:
    run_sql(store, "ALTER TABLE counters RENAME TO counters_away")  # every list reads the catalogue version in it
    try:
        page.goto("/test")
        expect(page.get_by_role("main").get_by_role("alert")).to_have_text(
            "Error: 500: Something went wrong. Please try again."
        )
    finally:
        run_sql(store, "ALTER TABLE counters_away RENAME TO counters")
    page.reload()
    expect(page.get_by_text("Number of products: 66")).to_be_visible()


def test_an_empty_store_has_no_first_product(page: Page, store: Store) -> None:
    run_sql(store, "UPDATE products SET is_active = false")
    try:
        page.goto("/test")
        expect(page.get_by_text("Number of products: 0")).to_be_visible()
        expect(page.get_by_text("There are no products.")).to_be_visible()
    finally:
        run_sql(store, "UPDATE products SET is_active = true")


def test_loading_is_visible(page: Page) -> None:
    page.route_web_socket(re.compile("/_event"), lambda socket: None)
    page.goto("/test")
    expect(page.get_by_role("heading", level=1)).to_have_text("Product test")
    expect(page.locator("main [aria-busy=true]")).to_be_visible()
