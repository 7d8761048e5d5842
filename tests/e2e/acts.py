"""What people do, in their own words."""

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect
from sqlalchemy import text

from marketplace_app import db
from tests.e2e.conftest import Store


def pass_age_gate(page: Page, born: str = "1990-04-17") -> None:
    page.goto("/")
    gate = page.get_by_role("dialog")
    gate.get_by_label("Date of birth").fill(born)
    gate.get_by_role("button", name="I am 21 or older").click()
    expect(gate).to_be_hidden()


def sign_in(page: Page, email: str, to: str = "/") -> None:
    """Through the provider's own form, as anybody."""
    page.goto(f"/api/login?return_to={to}")
    page.locator("input[name=sub]").fill(email)
    page.get_by_role("button", name="Authorize").click()
    page.wait_for_url(f"**{to}")


def sign_in_of_age(page: Page, email: str, to: str = "/") -> None:
    pass_age_gate(page)
    sign_in(page, email, to)


def card(page: Page, product: str) -> Locator:
    return page.get_by_role("listitem").filter(has=page.get_by_role("heading", name=product, exact=True))


def toast(page: Page) -> Locator:
    return page.locator("[data-sonner-toast]")


def open_cart(page: Page) -> Locator:
    page.get_by_role("button", name=re.compile("^Cart")).click()
    drawer = page.get_by_role("dialog", name="Cart")
    expect(drawer).to_be_visible()
    return drawer


def change(store: Store, statement: str, **values: Any) -> None:
    """Behind the store's back, as another process would."""
    engine = db.make_engine(store.database_url)
    with engine.begin() as connection:
        connection.execute(text(statement), values)
    engine.dispose()
