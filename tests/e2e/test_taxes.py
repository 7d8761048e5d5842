"""Taxes on receipts and on the overview (RULE taxes, RULE tax-report)."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.acts import (
    OWNER,
    horizontal_overflow,
    new_email,
    place_order_by_request,
    run_sql,
    sign_in_as_adult,
    sign_in_by_request,
)
from tests.e2e.conftest import BOTH_SIZES, Api, Store
from tests.e2e.test_accessibility import expect_accessible

pytestmark = pytest.mark.browser

LINES = [
    ("tax", "Excise tax, 15%", "15.00"),
    ("tax", "Sales tax, 8.5%", "9.78"),
    ("credit", "Referral credit", "-24.78"),
    ("tax_included", "Includes local tax of $2.18", "0.00"),
]


def add_taxes(store: Store, placed: dict[str, Any]) -> None:
    """As if the order had been taxed, and the taxes paid by credit: its total stays."""
    lines = placed["lines"] + [
        {"code": code, "label": label, "base": "100.00", "rate": None, "amount": amount, "reason": "By law"}
        for code, label, amount in LINES
    ]
    run_sql(store, "UPDATE orders SET quote_lines = :lines WHERE id = :id", lines=json.dumps(lines), id=placed["id"])
    run_sql(
        store,
        "INSERT INTO order_taxes (order_id, position, code, label, kind, basis_points, base_cents, amount_cents)"
        " VALUES (:id, 1, 'local', 'Local tax', 'included', 300, 7500, 218)",
        id=placed["id"],
    )


@pytest.mark.parametrize("size", BOTH_SIZES)
def test_a_receipt_has_a_line_for_each_tax_and_a_note_of_those_in_the_prices(
    new_page: Callable[..., Page], api: Api, store: Store, size: tuple[int, int]
) -> None:
    email = new_email()
    placed = place_order_by_request(api(email), "Taxed")
    add_taxes(store, placed)
    shopper, owner = new_page(size), new_page(size)
    sign_in_as_adult(shopper, email, to=None)
    sign_in_by_request(owner, OWNER)
    for page, address in ((shopper, f"/orders/{placed['id']}"), (owner, f"/admin/orders/{placed['id']}")):
        page.goto(address)
        amounts = page.locator("dl").filter(has_text="Excise tax")
        expect(amounts.locator("div").filter(has_text="Excise tax, 15%")).to_contain_text("$15.00")
        expect(amounts.locator("div").filter(has_text="Sales tax, 8.5%")).to_contain_text("$9.78")
        expect(page.get_by_text("Includes local tax of $2.18")).to_be_visible()
        expect(amounts).not_to_contain_text("$0.00")
        assert horizontal_overflow(page) == 0
        expect_accessible(page, address)


def test_the_packing_slip_names_the_taxes_in_the_cash_to_collect(page: Page, api: Api, store: Store) -> None:
    placed = place_order_by_request(api(new_email()), "Taxed")
    add_taxes(store, placed)
    sign_in_by_request(page, OWNER)
    page.goto(f"/admin/orders/{placed['id']}/slip")
    expect(page.get_by_role("list", name="Taxes").get_by_role("listitem")).to_have_text(
        ["Excise tax, 15%$15.00", "Sales tax, 8.5%$9.78", "Includes local tax of $2.18"]
    )
    expect_accessible(page, "packing slip with taxes")


@pytest.mark.parametrize("size", BOTH_SIZES)
def test_the_overview_has_taxes_and_their_export_once_there_are_any(
    new_page: Callable[..., Page], api: Api, store: Store, size: tuple[int, int]
) -> None:
    run_sql(store, "DELETE FROM order_taxes")
    placed = place_order_by_request(api(new_email()), "Untaxed")
    page = new_page(size)
    sign_in_by_request(page, OWNER)
    page.goto("/admin")
    expect(page.get_by_role("list", name="Recent orders")).to_contain_text(placed["id"][:8])
    expect(page.get_by_role("table", name="Taxes")).to_have_count(0)
    add_taxes(store, place_order_by_request(api(new_email()), "Taxed"))
    page.goto("/admin?days=7")
    taxes = page.get_by_role("table", name="Taxes")
    expect(taxes.get_by_role("row")).to_have_count(2)
    expect(taxes).to_contain_text("Local tax, 3%, in the prices")
    expect(taxes).to_contain_text("$2.18")
    assert horizontal_overflow(page) == 0
    expect_accessible(page, "overview with taxes")
    with page.expect_download() as download:
        page.get_by_role("region", name="Taxes").locator("xpath=ancestor::section").get_by_role(
            "link", name="Export CSV"
        ).click()
    assert download.value.suggested_filename.startswith("taxes-")
    rows = download.value.path().read_text().splitlines()
    assert rows[0] == "month,state,code,tax,kind,rate,orders,base,amount"
    assert rows[1].endswith(",local,Local tax,included,0.03,1,75.00,2.18")
