"""`/admin/cash` and a driver's shift: opened with a float, counted blindly, closed (RULE cash-page, RULE shifts)."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.acts import OWNER, SocketProxy, horizontal_overflow, new_email, sign_in, toast
from tests.e2e.conftest import BOTH_SIZES, DESKTOP, PHONE, Api
from tests.e2e.test_accessibility import expect_accessible

pytestmark = [pytest.mark.browser, pytest.mark.staff]


def new_driver(api: Api) -> str:
    """Make a driver; returns the name that staff see."""
    email = new_email()
    user = api(email).get("/api/auth/user").json()
    api(OWNER).put(f"/api/admin/users/{user['id']}/role", json={"role": "driver"}).raise_for_status()
    name: str = next(each["name"] for each in api(OWNER).get("/api/admin/drivers").json() if each["id"] == user["id"])
    return name


def form(page: Page, name: str) -> Locator:
    return page.get_by_role("form", name=name, exact=True)


def save_count(page: Page, **pieces: str) -> None:
    for value, number in pieces.items():
        page.get_by_label(value.replace("d", "$"), exact=True).fill(number)
    page.get_by_role("button", name="Save Count").click()


@pytest.mark.parametrize("size", BOTH_SIZES)
def test_a_shift_that_is_five_dollars_short_is_explained_before_it_closes(
    new_page: Callable[..., Page], api: Api, size: tuple[int, int]
) -> None:
    driver = new_driver(api)
    desk = api(OWNER).get("/api/admin/cash").json()["desk"]
    counted = {"account": "desk", "counted": f"{float(desk) + 200:.2f}", "note": "Opening balance"}
    api(OWNER).post("/api/admin/cash/counts", json=counted).raise_for_status()
    page = new_page(size)
    sign_in(page, OWNER, to="/admin/cash")
    page.get_by_role("button", name="Open Shift").click()
    dialog = form(page, "Shift")
    dialog.get_by_role("button", name="Open Shift").click()
    expect(dialog.get_by_text("Choose a driver.")).to_be_visible()
    dialog.get_by_label("Driver").select_option(driver)
    dialog.get_by_label("Float, $").fill("150")
    dialog.get_by_role("button", name="Open Shift").click()
    expect(toast(page)).to_contain_text("Shift opened")
    expect(page.get_by_text("float $150.00").first).to_be_visible()
    assert horizontal_overflow(page) == 0
    expect_accessible(page, "cash")
    page.get_by_role("link", name=driver).click()
    save_count(page, d100="1", d20="two")
    expect(page.get_by_text("Enter how many, 0 to 10,000.")).to_be_visible()
    expect(page.get_by_label("$20", exact=True)).to_have_attribute("aria-invalid", "true")
    save_count(page, d100="1", d20="2", d5="1")
    expect(page.get_by_text("The count does not match the expected amount. Please count again.")).to_be_visible()
    expect(page.get_by_text("Expected $")).to_have_count(0)
    save_count(page, d100="1", d20="2", d5="1")
    expect(page.get_by_text("Expected $150.00, counted $145.00: $5.00 short")).to_be_visible()
    expect(page.locator("#result")).to_be_focused()
    expect_accessible(page, "a shift that differs")
    page.get_by_role("button", name="Close Shift").click()
    expect(page.get_by_text("Choose a colleague who has seen the cash.")).to_be_visible()
    page.get_by_label("Why does it differ?").fill("A bill is missing")
    page.get_by_label("Seen by").select_option(driver)
    page.get_by_role("button", name="Close Shift").click()
    expect(toast(page)).to_contain_text("Shift closed")
    expect(page.get_by_text(f"Seen by {driver}: A bill is missing")).to_be_visible()
    expect(page.locator("#result")).to_be_focused()
    assert horizontal_overflow(page) == 0
    page.goto("/admin/cash")
    expect(page.get_by_text(f"Missing: {driver} to over and short").first).to_be_visible()
    expect(page.get_by_role("listitem").filter(has_text=driver).first).to_contain_text("$5.00 short")


def test_cash_is_moved_to_the_bank_with_a_slip(new_page: Callable[..., Page], api: Api) -> None:
    page = new_page(PHONE)
    sign_in(page, OWNER, to="/admin/cash")
    safe = float(api(OWNER).get("/api/admin/cash").json()["safe"])
    page.get_by_role("button", name="Count", exact=True).click()
    dialog = form(page, "Count")
    dialog.get_by_label("What").select_option("Safe")
    dialog.get_by_label("Counted, $").fill(f"${safe + 1_000:,.2f}")
    dialog.get_by_label("Why").fill("Opening balance")
    dialog.get_by_role("button", name="Save Count").click()
    expect(dialog).to_be_hidden()
    page.get_by_role("button", name="Move Cash").click()
    dialog = form(page, "Move cash")
    dialog.get_by_label("Where").select_option("From the safe to the bank")
    dialog.get_by_label("Amount, $").fill("1,000")
    dialog.get_by_role("button", name="Move Cash").click()
    expect(dialog.get_by_text("Enter the number of the bank's slip")).to_be_visible()
    dialog.get_by_label("Slip number").fill("004711")
    dialog.get_by_role("button", name="Move Cash").click()
    expect(dialog).to_be_hidden()
    expect(page.get_by_text("Deposit at the bank: safe to bank").first).to_be_visible()
    assert float(api(OWNER).get("/api/admin/cash").json()["safe"]) == safe


def test_staff_who_may_not_handle_cash_have_no_link_to_it(new_page: Callable[..., Page], api: Api) -> None:
    email = new_email()
    user = api(email).get("/api/auth/user").json()
    api(OWNER).put(f"/api/admin/users/{user['id']}/role", json={"role": "support"}).raise_for_status()
    page = new_page(DESKTOP)
    sign_in(page, email, to="/admin/cash")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_role("navigation", name="Admin").get_by_role("link", name="Cash")).to_have_count(0)
    assert api(email).get("/api/admin/cash").status_code == 403


def test_a_form_submitted_twice_before_the_answer_moves_the_cash_once(new_page: Callable[..., Page], api: Api) -> None:
    """RULE sent-once: the page sends the key that the form was shown with."""
    before = api(OWNER).get("/api/admin/cash").json()
    counted = {"account": "desk", "counted": f"{float(before['desk']) + 50:.2f}", "note": "Opening balance"}
    api(OWNER).post("/api/admin/cash/counts", json=counted).raise_for_status()
    page = new_page(DESKTOP)
    socket = SocketProxy(page)
    sign_in(page, OWNER, to="/admin/cash")
    page.get_by_role("button", name="Move Cash").click()
    dialog = form(page, "Move cash")
    dialog.get_by_label("Amount, $").fill("10")
    socket.hold_from = '"delta"'
    dialog.get_by_role("button", name="Move Cash").dblclick()
    socket.wait_until_holding()
    socket.let_through()
    expect(toast(page)).to_contain_text("Cash moved")
    expect(dialog).to_be_hidden()
    assert float(api(OWNER).get("/api/admin/cash").json()["safe"]) == float(before["safe"]) + 10
