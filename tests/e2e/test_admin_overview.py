"""The overview tab: figures, charts, what needs attention, and the latest orders (RULE overview)."""

import re
import uuid
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.acts import OWNER, new_email, place_order_by_request, sign_in_by_request
from tests.e2e.conftest import BOTH_SIZES, Api
from tests.e2e.test_accessibility import expect_accessible

pytestmark = [pytest.mark.browser, pytest.mark.staff]

# CSS capitalizes a status, on its element or an ancestor; the text itself stays in lower case.
HAS_CAPITAL = """function hasCapital(element) {
  if (!element) return false;
  const style = getComputedStyle(element, "::first-letter");
  return style.textTransform === "uppercase" || hasCapital(element.parentElement);
}"""


def open_overview(page: Page, address: str = "/admin") -> None:
    sign_in_by_request(page, OWNER)
    page.goto(address)
    expect(page.get_by_role("heading", level=1, name="Overview")).to_be_visible()
    expect(page.get_by_text("Total orders", exact=True)).to_be_visible()


def figure(page: Page, label: str) -> Locator:
    return page.get_by_role("term").filter(has_text=label).locator("xpath=following-sibling::dd[1]")


def test_the_figures_are_those_of_the_shop(page: Page, api: Api) -> None:
    placed = place_order_by_request(api(new_email()), "Figures")
    open_overview(page)
    stats = api(OWNER).get("/api/admin/stats").json()
    for label, expected in (
        ("Total orders", f"{stats['totalOrders']:,}"),
        ("Total revenue", f"${float(stats['totalRevenue']):,.2f}"),
        ("Collected revenue", f"${float(stats['collectedRevenue']):,.2f}"),
        ("Pending orders", f"{stats['pendingOrders']:,}"),
        ("Total customers", f"{stats['totalCustomers']:,}"),
    ):
        expect(figure(page, label)).to_have_text(expected)
    for title in ("Revenue and orders by day", "Status mix", "Top products", "Orders by hour", "Needs attention"):
        expect(page.get_by_role("heading", level=2, name=title)).to_be_visible()
    for chart in ("Revenue and orders by day", "Orders by hour"):
        expect(page.get_by_role("img", name=chart)).to_be_visible()
    expect(page.get_by_role("list", name="Status mix").get_by_role("listitem")).to_have_count(5)
    expect(page.get_by_role("list", name="Status mix")).to_contain_text("out for delivery")
    expect(page.get_by_role("list", name="Recent orders")).to_contain_text(placed["id"][:8])


def test_the_latest_five_orders_and_users_lead_to_their_pages(page: Page, api: Api) -> None:
    placed = [place_order_by_request(api(new_email()), "Latest") for _ in range(6)]
    open_overview(page)
    orders = page.get_by_role("list", name="Recent orders")
    expect(orders.get_by_role("listitem")).to_have_count(5)
    expect(orders.get_by_role("listitem").first).to_contain_text(placed[-1]["id"][:8])
    expect(orders.get_by_role("listitem").first).to_contain_text("pending")
    users = page.get_by_role("list", name="Recent users")
    expect(users.get_by_role("listitem")).to_have_count(5)
    expect(users.get_by_role("listitem").first).to_contain_text("Active")
    orders.get_by_role("link", name=placed[-1]["id"][:8]).click()
    expect(page).to_have_url(re.compile(f"/admin/orders/{placed[-1]['id']}"))


@pytest.mark.parametrize("tab", ["overview", "orders"])
def test_a_status_is_capitalized_everywhere(page: Page, api: Api, tab: str) -> None:
    place_order_by_request(api(new_email()), "Capital")
    sign_in_by_request(page, OWNER)
    page.goto(f"/admin?tab={tab}")
    words = page.get_by_role("main").get_by_text(re.compile("^pending"))
    expect(words.nth(1)).to_be_visible()
    assert words.evaluate_all(f"(words) => words.filter((word) => !({HAS_CAPITAL})(word)).length") == 0


def test_a_new_order_is_pushed(page: Page, api: Api) -> None:
    open_overview(page)
    expect(page.get_by_role("list", name="Recent users")).to_be_visible()
    placed = place_order_by_request(api(new_email()), "Sudden")
    newest = page.get_by_role("list", name="Recent orders").get_by_role("listitem").first
    expect(newest).to_contain_text(placed["id"][:8])
    expect(
        page.get_by_role("status").filter(has_text=f"New order {placed['number']} from Nora Sudden")
    ).to_be_attached()


def test_the_span_is_in_the_url_and_its_figures_are_a_table(page: Page, api: Api) -> None:
    place_order_by_request(api(new_email()), "Span")
    open_overview(page)
    page.get_by_label("Span").select_option("Last 7 days")
    expect(page).to_have_url(re.compile(r"days=7$"))
    expect(page.get_by_text(re.compile(r"orders? worth \$[\d,.]+ in 7 days\."))).to_be_visible()
    page.get_by_text("Show figures").first.click()
    rows = page.get_by_role("table", name="Revenue and orders by day, in figures").get_by_role("row")
    expect(rows).to_have_count(8)
    page.go_back()
    expect(rows).to_have_count(31)
    expect(page.get_by_label("Span")).to_have_value("30")
    page.goto("/admin?tab=overview&days=nonsense")
    expect(page.get_by_label("Span")).to_have_value("30")


def test_an_item_that_needs_attention_links_to_its_list(page: Page, api: Api) -> None:
    subject = f"Hacked {uuid.uuid4().hex[:6]}"
    ticket = {"subject": subject, "message": "My account was hacked and someone ordered with it. Urgent, help now!"}
    api(new_email()).post("/api/support/tickets", json=ticket).raise_for_status()
    open_overview(page)
    items = page.get_by_role("list", name="Needs attention")
    items.get_by_role("link", name=re.compile("urgent ticket")).click()
    expect(page.get_by_text(subject)).to_be_visible()


@pytest.mark.parametrize("size", BOTH_SIZES)
def test_the_page_is_accessible_and_fits(new_page: Callable[..., Page], api: Api, size: tuple[int, int]) -> None:
    place_order_by_request(api(new_email()), "Axe")
    page = new_page(size)
    open_overview(page)
    page.get_by_text("Show figures").first.click()
    expect_accessible(page, "overview")


def test_nothing_scrolls_sideways_on_the_narrowest_phone(new_page: Callable[..., Page], api: Api) -> None:
    place_order_by_request(api(new_email()), "Narrow")
    page = new_page((320, 700))
    open_overview(page)
    expect(page.get_by_role("list", name="Recent orders")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
