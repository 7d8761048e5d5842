"""The users tab and a user's admin page (RULE users-list, RULE user-page)."""

import re
import uuid
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.acts import (
    OWNER,
    SocketProxy,
    new_email,
    place_order_by_request,
    run_sql,
    sign_in,
    sign_in_as_adult,
    sign_in_by_request,
    toast,
    wait_for_requests,
)
from tests.e2e.conftest import BOTH_SIZES, Api, Store
from tests.e2e.test_accessibility import expect_accessible

pytestmark = [pytest.mark.browser, pytest.mark.staff]


@dataclass(frozen=True)
class NewUser:
    email: str
    id: int


@pytest.fixture
def person(api: Api) -> NewUser:
    """A customer whose email has a unique prefix."""
    email = f"q{uuid.uuid4().hex[:10]}@example.org"
    return NewUser(email, api(email).get("/api/auth/user").json()["id"])


def row(page: Page, who: NewUser) -> Locator:
    return page.get_by_role("row").filter(has_text=who.email)


def open_list(page: Page, words: str = "") -> None:
    sign_in_by_request(page, OWNER)
    page.goto(f"/admin?tab=users&q={words}")
    expect(page.get_by_role("table", name="Users")).to_be_visible()


def open_person(page: Page, who: NewUser) -> None:
    sign_in_by_request(page, OWNER)
    page.goto(f"/admin/users/{who.id}")
    expect(page.get_by_role("definition").filter(has_text=who.email).first).to_be_visible()


def test_the_late_answer_of_a_search_leaves_the_dialog_open(page: Page, person: NewUser) -> None:
    socket = SocketProxy(page)
    open_list(page, person.email[:6])
    expect(row(page, person)).to_be_visible()
    socket.hold_from = "_redirect"
    page.get_by_role("searchbox", name="Search users").fill(person.email)
    socket.wait_until_holding()
    row(page, person).get_by_role("button", name=re.compile("^Ban")).click()
    socket.let_through()
    expect(page).to_have_url(re.compile("example.org"))
    reason = page.get_by_role("dialog").get_by_label("Reason")
    reason.fill("Resells what is bought.")
    wait_for_requests(page)
    expect(reason).to_have_value("Resells what is bought.")


def test_search_filters_and_sorting_are_in_the_url(page: Page, person: NewUser, api: Api) -> None:
    open_list(page)
    box = page.get_by_role("searchbox", name="Search users")
    box.fill(person.email.upper())
    expect(page.get_by_role("status").filter(has_text=re.compile("^1 user$"))).to_be_visible()
    expect(row(page, person).get_by_text("Active")).to_be_visible()
    page.get_by_label("Status").select_option("banned")
    expect(page).to_have_url(re.compile("status=banned"))
    expect(page.get_by_text("No users match.")).to_be_visible()
    page.go_back()
    expect(row(page, person)).to_be_visible()
    page.get_by_role("button", name="Clear").click()
    expect(page).to_have_url(re.compile(r"/admin\?tab=users$"))
    for column, direction in (("Name", "ascending"), ("Spent", "descending"), ("Orders", "descending")):
        head = page.get_by_role("columnheader", name=column)
        head.get_by_role("button").click()
        expect(head).to_have_attribute("aria-sort", direction)
    page.get_by_role("columnheader", name="Orders").get_by_role("button").click()
    expect(page).to_have_url(re.compile("order=asc"))


def test_a_profile_is_edited(page: Page, person: NewUser, api: Api) -> None:
    open_list(page, person.email)
    edit = page.get_by_role("button", name=re.compile("^Edit"))
    edit.click()
    form = page.get_by_role("dialog", name="Edit user")
    expect(form.get_by_label("Email")).to_have_value(person.email)
    credit = form.get_by_label("Referral credit")
    expect(credit).to_have_attribute("step", "0.01")
    expect(credit).to_have_value("0.00")
    form.get_by_label("First name").fill("Nora")
    form.get_by_label("Last name").fill("Whitfield")
    form.get_by_label("Email").fill("nowhere")
    credit.fill("25.50")
    form.get_by_role("button", name="Save Changes").click()
    expect(toast(page)).to_contain_text("Error")
    expect(form.get_by_label("Email")).to_have_attribute("aria-invalid", "true")
    form.get_by_label("Email").fill(person.email)
    form.get_by_role("button", name="Save Changes").click()
    expect(toast(page)).to_contain_text("User profile updated successfully")
    expect(form).to_be_hidden()
    expect(row(page, person)).to_contain_text("Nora Whitfield")
    expect(row(page, person)).to_contain_text("$25.50")
    assert api(person.email).get("/api/auth/user").json()["referralCredit"] == "25.50"


def test_a_banned_customers_open_page_loses_access_at_once(new_page: Callable[..., Page]) -> None:
    email = new_email()
    theirs = new_page()
    sign_in_as_adult(theirs, email)
    expect(theirs.get_by_role("button", name=re.compile("^Cart"))).to_be_visible()
    expect(theirs.get_by_role("button", name="Add to Cart").first).to_be_visible()
    staff = new_page()
    open_list(staff, email)
    staff.get_by_role("button", name=re.compile("^Ban ")).click()
    form = staff.get_by_role("dialog", name="Ban this user?")
    form.get_by_label("Reason").fill("Resold products")
    form.get_by_role("button", name="Ban User").click()
    expect(toast(staff)).to_contain_text("User banned successfully")
    expect(staff.get_by_role("row").filter(has_text=email).get_by_text("Banned")).to_be_visible()
    # Without a click or a reload there.
    expect(theirs.get_by_role("button", name="Add to Cart")).to_have_count(0)
    expect(theirs.get_by_role("link", name="Sign In").first).to_be_visible()
    sign_in(theirs, email)
    expect(toast(theirs)).to_contain_text("This account has been suspended: Resold products.")
    staff.get_by_role("button", name=re.compile("^Unban ")).click()
    expect(toast(staff)).to_contain_text("User unbanned successfully")
    expect(staff.get_by_role("row").filter(has_text=email).get_by_text("Active")).to_be_visible()
    sign_in(theirs, email)
    expect(theirs.get_by_role("button", name="Add to Cart").first).to_be_visible()


def test_a_ban_needs_no_reason(page: Page, person: NewUser, api: Api) -> None:
    open_list(page, person.email)
    page.get_by_role("button", name=re.compile("^Ban ")).click()
    page.get_by_role("dialog").get_by_role("button", name="Ban User").click()
    expect(toast(page)).to_contain_text("User banned successfully")
    shown = api(OWNER).get(f"/api/admin/users/{person.id}").json()
    assert shown["banReason"] == "No reason provided"


def test_a_user_is_deleted_after_a_confirmation(page: Page, person: NewUser) -> None:
    open_list(page, person.email)
    page.get_by_role("button", name=re.compile("^Delete ")).click()
    question = page.get_by_role("dialog", name="Delete this user?")
    question.get_by_role("button", name="Cancel").click()
    expect(row(page, person)).to_be_visible()
    page.get_by_role("button", name=re.compile("^Delete ")).click()
    question.get_by_role("button", name="Delete User").click()
    expect(toast(page)).to_contain_text("User deleted successfully")
    expect(page.get_by_text("No users match.")).to_be_visible()


def test_a_refusal_is_shown_with_the_servers_sentence(page: Page, api: Api) -> None:
    open_list(page, OWNER)
    page.get_by_role("button", name=re.compile("^Ban ")).click()
    page.get_by_role("dialog").get_by_role("button", name="Ban User").click()
    expect(toast(page)).to_contain_text("Error")
    expect(toast(page)).to_contain_text("You cannot do this to yourself.")


def test_the_page_of_a_user_shows_all_their_data(page: Page, api: Api) -> None:
    email = new_email()
    client = api(email)
    placed = place_order_by_request(client, "Whitfield")
    client.post("/api/support/tickets", json={"subject": "Driver is late", "message": "Where is the driver?"})
    who = NewUser(email, client.get("/api/auth/user").json()["id"])
    open_person(page, who)
    expect(page.get_by_role("definition").filter(has_text=email).first).to_be_visible()
    orders = page.get_by_role("list", name="Orders").get_by_role("listitem")
    expect(orders).to_have_count(1)
    expect(orders.get_by_role("link")).to_have_attribute("href", f"/admin/orders/{placed['id']}")
    expect(page.get_by_role("list", name="Support tickets")).to_contain_text("Driver is late")
    expect(page.get_by_text("Nobody has used their code.")).to_be_visible()
    expect(page.get_by_role("list", name="Sessions").get_by_role("listitem")).to_have_count(1)
    page.get_by_role("button", name="Sign Out Everywhere").click()
    expect(toast(page)).to_contain_text("User signed out everywhere")
    expect(page.get_by_text("Not signed in anywhere.")).to_be_visible()
    assert client.get("/api/auth/user").status_code == 401
    page.get_by_role("navigation", name="Breadcrumbs").get_by_role("link", name="Users").click()
    expect(page.get_by_role("table", name="Users")).to_be_visible()


def test_an_owner_grants_a_role_and_an_open_page_follows(new_page: Callable[..., Page], person: NewUser) -> None:
    theirs = new_page()
    sign_in(theirs, person.email, to="/admin")
    expect(theirs.get_by_role("heading", name="Admin Access Required")).to_be_visible()
    staff = new_page()
    open_person(staff, person)
    staff.get_by_label("Role").select_option("support")
    expect(toast(staff)).to_contain_text("Role changed")
    theirs.goto("/admin?tab=users")
    expect(theirs.get_by_role("table", name="Users")).to_be_visible()
    expect(theirs.get_by_role("button", name=re.compile("^(Edit|Ban|Delete)"))).to_have_count(0)
    staff.get_by_label("Role").select_option("customer")
    expect(theirs.get_by_role("heading", name="Admin Access Required")).to_be_visible()
    expect(theirs.get_by_role("table", name="Users")).to_have_count(0)


def test_an_owner_by_settings_keeps_the_role_and_the_page_says_why(page: Page, api: Api) -> None:
    other = "admin@example.com"
    who = NewUser(other, api(other).get("/api/auth/user").json()["id"])
    open_person(page, who)
    expect(page.get_by_text("An owner because ADMIN_EMAILS names them")).to_be_visible()
    expect(page.get_by_label("Role")).to_have_count(0)


@pytest.mark.parametrize("number", ["999999", "abc"])
def test_an_unknown_user_is_not_found(page: Page, number: str) -> None:
    sign_in_by_request(page, OWNER)
    page.goto(f"/admin/users/{number}")
    expect(page.get_by_role("heading", name="User not found.", level=1)).to_be_visible()
    page.get_by_role("link", name="All Users").click()
    expect(page.get_by_role("table", name="Users")).to_be_visible()


def test_a_manager_may_edit_customers_and_no_owner(page: Page, api: Api, store: Store, person: NewUser) -> None:
    customer = new_email()
    api(customer)
    run_sql(
        store, "UPDATE users SET role = 'manager', granted_role = 'manager' WHERE email = :email", email=person.email
    )
    sign_in_by_request(page, person.email)
    page.goto("/admin?tab=users&q=example")
    expect(page.get_by_role("table", name="Users")).to_be_visible()
    mine = page.get_by_role("row").filter(has_text=person.email)
    expect(mine.get_by_role("button", name=re.compile("^Edit"))).to_be_visible()
    expect(mine.get_by_role("button", name=re.compile("^Delete"))).to_have_count(0)
    page.goto(f"/admin?tab=users&q={customer}")
    theirs = page.get_by_role("row").filter(has_text=customer)
    expect(theirs.get_by_role("button", name=re.compile("^Edit"))).to_be_visible()
    expect(theirs.get_by_role("button", name=re.compile("^Delete"))).to_have_count(0)
    page.goto(f"/admin?tab=users&q={OWNER}")
    owner = page.get_by_role("row").filter(has_text=OWNER)
    expect(owner).to_be_visible()
    expect(owner.get_by_role("button")).to_have_count(0)


@pytest.mark.parametrize("size", BOTH_SIZES)
def test_every_state_is_accessible_and_fits(
    new_page: Callable[..., Page], person: NewUser, size: tuple[int, int]
) -> None:
    page = new_page(size)
    open_list(page)
    expect_accessible(page, "users")
    page.goto(f"/admin?tab=users&q={person.email}")
    page.get_by_role("button", name=f"Edit {person.email}").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    expect_accessible(page, "edit user")
    page.goto(f"/admin/users/{person.id}")
    expect(page.get_by_role("heading", level=1)).to_contain_text(person.email)
    expect_accessible(page, "user")
