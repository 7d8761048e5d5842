"""The wide admin tables at every width from tablet to desktop: every control stays within reach."""

import uuid

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from marketplace_app.models import OrderStatus
from tests.builders import draft
from tests.e2e.acts import (
    OWNER,
    create_product,
    horizontal_overflow,
    new_email,
    place_order_by_request,
    run_sql,
    sign_in_by_request,
)
from tests.e2e.conftest import Api, Store
from tests.e2e.test_account import fact, line_count

pytestmark = [pytest.mark.browser, pytest.mark.staff]

WIDTHS = (768, 1024, 1280, 1366, 1440)
LONG = "Featherstonehaugh-Wolfeschlegelstein"
# The labels of the buttons whose centre is right of the window, or covered by something else.
OUT_OF_REACH = """(table) => [...table.querySelectorAll("td button")].filter((button) => {
  const box = button.getBoundingClientRect();
  const x = box.left + box.width / 2, y = box.top + box.height / 2;
  const at = document.elementFromPoint(x, y);
  return x > innerWidth || (y < innerHeight && !(at && button.contains(at)));
}).map((button) => button.getAttribute("aria-label"))"""


def buy(client: httpx.Client, number: int, quantity: int) -> None:
    client.post("/api/verify-age", json={"dateOfBirth": "1990-01-01"}).raise_for_status()
    items = [{"productId": number, "quantity": quantity}]
    client.post("/api/orders", json=draft(items=items)).raise_for_status()


def expect_actions_within_reach(page: Page, table: Locator) -> None:
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 1_400})
        expect(table.get_by_role("button", name="Edit").first).to_be_visible()
        assert horizontal_overflow(page) == 0, f"the page scrolls sideways at {width}"
        assert table.evaluate(OUT_OF_REACH) == [], f"out of reach at {width}"
        hidden = table.evaluate("table => table.parentElement.scrollWidth - table.parentElement.clientWidth")
        assert hidden <= 0, f"{hidden} pixels of the table lie under the actions at {width}"


def test_the_actions_of_orders_are_reached_on_every_width(page: Page, api: Api, store: Store) -> None:
    name = f"{LONG}{uuid.uuid4().hex[:6]}"
    for status in OrderStatus:
        placed = place_order_by_request(api(new_email()), name)
        run_sql(
            store,
            "UPDATE orders SET status = :status, delivery_address = :address WHERE id = :id",
            status=status.value,
            address="12345 " + "North Llanfairpwllgwyngyll Boulevard " * 4,
            id=placed["id"],
        )
    sign_in_by_request(page, OWNER)
    page.goto(f"/admin?tab=orders&q={name}")
    table = page.get_by_role("table", name="Orders")
    expect(table.get_by_role("row")).to_have_count(len(OrderStatus) + 1)
    expect_actions_within_reach(page, table)


def test_the_actions_are_coloured_as_their_row(page: Page, api: Api) -> None:
    """They have a background of their own, because a wide table scrolls beneath them."""
    name = f"Row{uuid.uuid4().hex[:8]}"
    placed = place_order_by_request(api(new_email()), name)
    sign_in_by_request(page, OWNER)
    page.goto(f"/admin?tab=orders&q={name}")
    pick = page.get_by_label(f"Pick order {placed['number']}")
    row = page.get_by_role("row").filter(has=pick)
    seen = set()
    for act in (page.get_by_role("heading", level=1).hover, row.hover, pick.check):
        act()
        whole, actions = row.evaluate(
            "(row) => [row, row.lastElementChild].map((part) => getComputedStyle(part).backgroundColor)"
        )
        assert actions == whole
        assert actions.startswith("rgb("), "what is below shows through"
        seen.add(actions)
    assert len(seen) == 3


def test_the_actions_of_users_are_reached_on_every_width(page: Page, api: Api, store: Store) -> None:
    mark = f"q{uuid.uuid4().hex[:8]}"
    for number, role in enumerate(("customer", "manager")):
        email = f"{mark}{number}.{LONG.lower()}@{'long-' * 8}example.org"
        person = api(email).get("/api/auth/user").json()["id"]
        buy(api(email), 1, 99)
        run_sql(
            store,
            "UPDATE users SET first_name = :name, last_name = :name, role = :role, granted_role = :role,"
            " banned_at = :banned_at, ban_reason = :ban_reason WHERE id = :id",
            name=LONG,
            id=person,
            role=role,
            banned_at="2026-01-01 00:00:00" if role == "customer" else None,
            ban_reason="Rude" if role == "customer" else "",
        )
    sign_in_by_request(page, OWNER)
    page.goto(f"/admin?tab=users&q={mark}")
    table = page.get_by_role("table", name="Users")
    expect(table.get_by_role("row")).to_have_count(3)
    expect_actions_within_reach(page, table)


def test_the_stock_ledger_of_a_product_is_whole_on_every_width(page: Page, api: Api) -> None:
    made = create_product(api)
    buy(api(new_email()), made["id"], 3)
    sign_in_by_request(page, OWNER)
    page.goto(f"/admin/products/{made['id']}")
    table = page.get_by_role("table", name="Stock movements")
    sold = table.get_by_role("link", name="Order")
    expect(sold).to_be_visible()
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 1_400})
        hidden = table.evaluate("table => table.parentElement.scrollWidth - table.parentElement.clientWidth")
        assert hidden <= 0, f"{hidden} pixels are hidden at {width}"
        assert line_count(sold) == 1, f"the order's number is broken at {width}"


def test_a_usual_email_takes_one_line_on_a_users_page_and_at_most_two_in_the_audit_trail(page: Page, api: Api) -> None:
    email = f"pad.{new_email()}"  # 28 characters, a usual length
    person = api(email).get("/api/auth/user").json()["id"]
    sign_in_by_request(page, OWNER)
    page.goto(f"/admin/users/{person}")
    for width in (390, *WIDTHS):
        page.set_viewport_size({"width": width, "height": 1_400})
        for term in ("Email", "Signs in as"):
            assert line_count(fact(page.get_by_role("main"), term)) == 1, (term, width)
    buy(api(email), 1, 3)
    page.goto("/admin/audit")
    who = page.get_by_role("table", name="Audit").get_by_text(email).first
    for width in (1280, 1366, 1440):
        page.set_viewport_size({"width": width, "height": 1_400})
        assert line_count(who) <= 2, width


def test_a_long_name_in_the_audit_trail_breaks(page: Page, api: Api) -> None:
    person = new_email()
    api(person).put("/api/auth/user", json={"firstName": LONG * 2, "lastName": LONG * 2}).raise_for_status()
    place_order_by_request(api(person), "Whitfield")
    sign_in_by_request(page, OWNER)
    page.goto("/admin/audit")
    table = page.get_by_role("table", name="Audit")
    expect(table.get_by_text(LONG).first).to_be_visible()
    for width in (390, *WIDTHS):
        page.set_viewport_size({"width": width, "height": 1_400})
        assert table.evaluate("table => table.parentElement.scrollWidth - table.parentElement.clientWidth") <= 0
