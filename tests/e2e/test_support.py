"""Support: creating a ticket, its triage, the conversation, and the staff's view (RULE support-page)."""

import re
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.acts import OWNER, new_email, pass_age_gate, run_sql, sign_in, sign_in_as_adult, toast
from tests.e2e.conftest import BOTH_SIZES, PHONE, Api, Store
from tests.e2e.test_accessibility import expect_accessible

pytestmark = pytest.mark.browser

LATE_TICKET = {"subject": "Driver is late", "message": "My order should have been here by noon. Where is the driver?"}


def write_ticket(client: httpx.Client, **changes: str) -> dict[str, Any]:
    answer = client.post("/api/support/tickets", json=LATE_TICKET | changes)
    answer.raise_for_status()
    ticket: dict[str, Any] = answer.json()
    return ticket


def answer(client: httpx.Client, ticket: dict[str, Any], words: str) -> None:
    client.post(f"/api/support/tickets/{ticket['id']}/messages", json={"message": words}).raise_for_status()


def set_status(client: httpx.Client, ticket: dict[str, Any], status: str) -> None:
    client.put(f"/api/admin/tickets/{ticket['id']}", json={"status": status}).raise_for_status()


def open_form(page: Page) -> Locator:
    page.get_by_role("button", name="Create Support Ticket").click()
    form = page.get_by_role("dialog", name="Create Support Ticket")
    expect(form).to_be_visible()
    return form


def fill(form: Locator, **changes: str) -> None:
    for label, text in ({"Subject": LATE_TICKET["subject"], "Message": LATE_TICKET["message"]} | changes).items():
        form.get_by_label(label, exact=True).fill(text)


def dialog(page: Page, subject: str = LATE_TICKET["subject"]) -> Locator:
    return page.get_by_role("dialog", name=subject)


def visit(page: Page, address: str = "/support") -> None:
    page.goto(address)
    # Not by its role: behind an open ticket the page is hidden from assistive technology.
    expect(page.locator("h1")).to_have_text("Support")


def test_a_page_beyond_the_last_shows_the_last(page: Page, store: Store) -> None:
    sign_in_as_adult(page, new_email(), to=None)
    page.request.post("/api/support/tickets", data=LATE_TICKET, headers={"Origin": store.url})
    visit(page, "/support?page=99")
    expect(page.get_by_role("list", name="Support tickets").get_by_role("listitem")).to_have_count(1)


def test_a_members_ticket_is_triaged_and_opened(page: Page) -> None:
    sign_in_as_adult(page, new_email())
    visit(page)
    expect(page.get_by_text("No Support Tickets")).to_be_visible()
    expect(page.get_by_role("main").get_by_role("link", name="Home")).to_have_attribute("href", "/")
    form = open_form(page)
    expect(form.get_by_label("Message", exact=True)).to_have_attribute("rows", "6")
    expect(form.get_by_label("Category").locator("option")).to_have_text(
        [
            "Not sure, choose for me",
            "General Question",
            "Billing & Payment",
            "Technical Issue",
            "Product Question",
            "Delivery & Shipping",
            "Account & Profile",
        ]
    )
    expect(form.get_by_label(re.compile("^Email"))).to_have_count(0)
    fill(form)
    form.get_by_role("button", name="Create Ticket").click()
    expect(toast(page)).to_contain_text("Support Ticket Created")
    expect(toast(page)).to_contain_text("Delivery & Shipping")
    expect(form).to_be_hidden()
    page.wait_for_url("**/support?ticket=*")
    ticket = dialog(page)
    expect(ticket).to_be_visible()
    analysis = ticket.get_by_role("region", name="AI analysis")
    expect(analysis.get_by_role("term")).to_have_text(["Estimated resolution"])
    expect(analysis.get_by_role("definition")).to_have_text(re.compile("^We answer (right away|within .*hour)"))
    expect(analysis.get_by_role("list", name="Tags").get_by_role("listitem").first).to_have_text("delivery")
    messages = ticket.get_by_role("list", name="Conversation").get_by_role("listitem")
    expect(messages).to_have_count(1)
    expect(messages).to_contain_text(LATE_TICKET["message"])
    expect(ticket.get_by_text("Open", exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    expect(ticket).to_be_hidden()
    page.wait_for_url("**/support")
    row = page.get_by_role("list", name="Support tickets").get_by_role("listitem")
    expect(row).to_contain_text(LATE_TICKET["subject"])
    expect(row).to_contain_text(re.compile(r"[0-9a-f]{8} · [A-Z][a-z]{2} \d{2}, \d{4} · Delivery & Shipping"))


def test_missing_fields_are_reported_and_nothing_is_sent(page: Page, api: Api) -> None:
    me = new_email()
    sign_in_as_adult(page, me)
    visit(page)
    form = open_form(page)
    send, subject, message = (
        form.get_by_role("button", name="Create Ticket"),
        form.get_by_label("Subject", exact=True),
        form.get_by_label("Message", exact=True),
    )
    send.click()
    expect(toast(page)).to_contain_text("Error")
    expect(toast(page)).to_contain_text("Subject and message are required")
    for field in (subject, message):
        expect(field).to_have_accessible_description("Subject and message are required")
    subject.fill("Only this")
    send.click()
    expect(subject).to_have_accessible_description("")
    expect(message).to_have_accessible_description("Subject and message are required")
    expect(subject).to_have_value("Only this")
    assert api(me).get("/api/support/tickets").json() == []


def test_a_failure_is_reported_and_keeps_the_text(page: Page, store: Store, api: Api) -> None:
    me = new_email()
    ticket = write_ticket(api(me))
    sign_in_as_adult(page, me)
    visit(page, f"/support?ticket={ticket['id']}")
    box = dialog(page).get_by_label("Your reply")
    box.fill("Are you there?")
    run_sql(store, "ALTER TABLE ticket_messages RENAME TO ticket_messages_away")
    try:
        dialog(page).get_by_role("button", name="Send Reply").click()
        expect(toast(page)).to_contain_text("Error")
        expect(toast(page)).to_contain_text("Failed to send message")
        expect(box).to_have_value("Are you there?")
    finally:
        run_sql(store, "ALTER TABLE ticket_messages_away RENAME TO ticket_messages")
    visit(page)
    form = open_form(page)
    fill(form)
    run_sql(store, "ALTER TABLE tickets RENAME TO tickets_away")
    try:
        form.get_by_role("button", name="Create Ticket").click()
        expect(toast(page)).to_contain_text("Failed to create support ticket")
        expect(form.get_by_label("Subject", exact=True)).to_have_value(LATE_TICKET["subject"])
    finally:
        run_sql(store, "ALTER TABLE tickets_away RENAME TO tickets")


def test_both_sides_see_each_others_answers_without_reloading(new_page: Callable[..., Page], api: Api) -> None:
    me = new_email()
    ticket = write_ticket(api(me), subject="Where is he")
    mine, theirs = new_page(PHONE), new_page()
    sign_in_as_adult(mine, me)
    visit(mine, f"/support?ticket={ticket['id']}")
    sign_in_as_adult(theirs, OWNER)
    visit(theirs)
    row = theirs.get_by_role("link", name=re.compile("^Where is he")).first
    expect(row).to_contain_text(me)
    row.click()
    my_side, their_side = dialog(mine, "Where is he"), dialog(theirs, "Where is he")
    expect(their_side.get_by_text(me).first).to_be_visible()

    send = their_side.get_by_role("button", name="Send Reply")
    box = their_side.get_by_label("Your reply")
    expect(box).to_have_attribute("rows", "3")
    expect(send).to_be_disabled()
    box.fill("   ")
    expect(send).to_be_disabled()
    box.fill("He is four streets away.")
    expect(send).to_be_enabled()
    send.click()
    expect(box).to_have_value("")
    expect(send).to_be_disabled()

    messages = my_side.get_by_role("list", name="Conversation").get_by_role("listitem")
    expect(messages).to_have_count(2)
    expect(messages.last).to_contain_text("Stillroom support")
    expect(messages.last).to_contain_text("He is four streets away.")
    expect(messages.last).to_be_in_viewport(ratio=0.9)
    expect(my_side.get_by_text("In Progress")).to_be_visible()

    my_side.get_by_label("Your reply").fill("Thank you, that is perfect.")
    my_side.get_by_role("button", name="Send Reply").click()
    expect(their_side.get_by_text("Thank you, that is perfect.")).to_be_visible()

    their_side.get_by_label("Status", exact=True).select_option("resolved")
    expect(toast(theirs)).to_contain_text("Ticket updated")
    expect(my_side.get_by_text("This ticket is resolved.")).to_be_visible()
    expect(my_side.get_by_label("Your reply")).to_have_count(0)

    my_side.get_by_role("button", name="Still not solved?").click()
    my_side.get_by_label("Your reply").fill("He never came.")
    my_side.get_by_role("button", name="Send Reply").click()
    expect(my_side.get_by_text("Open", exact=True)).to_be_visible()
    expect(their_side.get_by_text("He never came.")).to_be_visible()

    their_side.get_by_label("Status", exact=True).select_option("closed")
    expect(my_side.get_by_text("This ticket is closed.")).to_be_visible()
    expect(my_side.get_by_role("button", name="Still not solved?")).to_have_count(0)
    their_side.get_by_label("Status", exact=True).select_option("open")
    expect(toast(theirs)).to_contain_text("This ticket is closed. Please create a new one.")


def test_a_reply_being_written_survives_updates(page: Page, api: Api) -> None:
    me = new_email()
    ticket = write_ticket(api(me))
    sign_in_as_adult(page, me)
    visit(page, f"/support?ticket={ticket['id']}")
    dialog(page).get_by_label("Your reply").fill("I was about to say")
    answer(api(OWNER), ticket, "On his way.")
    expect(dialog(page).get_by_text("On his way.")).to_be_visible()
    expect(dialog(page).get_by_label("Your reply")).to_have_value("I was about to say")
    expect(dialog(page).get_by_role("button", name="Send Reply")).to_be_enabled()


def test_back_closes_the_ticket_and_the_focus_returns(page: Page, api: Api) -> None:
    me = new_email()
    write_ticket(api(me))
    sign_in_as_adult(page, me)
    visit(page)
    row = page.get_by_role("list", name="Support tickets").get_by_role("link")
    row.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/support?ticket=*")
    expect(dialog(page)).to_be_visible()
    for _ in range(6):
        page.keyboard.press("Tab")
        assert dialog(page).evaluate("node => node.contains(document.activeElement)")
    page.go_back()
    expect(dialog(page)).to_be_hidden()
    expect(row).to_be_focused()
    page.go_forward()
    expect(dialog(page)).to_be_visible()
    dialog(page).get_by_role("button", name="Close").click()
    expect(dialog(page)).to_be_hidden()


def test_another_users_ticket_is_not_found_nor_is_an_unknown_one(page: Page, api: Api) -> None:
    theirs = write_ticket(api(new_email()), message="A secret about the driver")
    sign_in_as_adult(page, new_email())
    for ticket_id in (theirs["id"], "nothing"):
        visit(page, f"/support?ticket={ticket_id}")
        expect(page.get_by_role("dialog", name="Ticket not found.")).to_be_visible()
    expect(page.get_by_text("A secret")).to_have_count(0)


def test_what_people_write_stays_text(page: Page, api: Api) -> None:
    me, words = new_email(), '<img src=x onerror="alert(1)"> <b>bold</b> =1+1 {{7*7}}'
    ticket = write_ticket(api(me), subject=words, message=f"{words}\n\nsecond line")
    sign_in_as_adult(page, me)
    visit(page, f"/support?ticket={ticket['id']}")
    shown = dialog(page, words)
    expect(shown.get_by_role("heading", level=2)).to_have_text(words)
    expect(shown.get_by_role("list", name="Conversation")).to_contain_text(words)
    assert shown.locator("img").count() == 0


def test_own_tickets_come_in_pages(page: Page, api: Api) -> None:
    me = new_email()
    mine = api(me)
    for number in range(1, 12):
        write_ticket(mine, subject=f"Number {number}")
    write_ticket(api(new_email()), subject="Somebody else's")
    sign_in_as_adult(page, me)
    visit(page)
    rows = page.get_by_role("list", name="Support tickets").get_by_role("listitem")
    expect(rows).to_have_count(10)
    expect(rows.first).to_contain_text("Number 11")
    expect(page.get_by_text("Somebody else's")).to_have_count(0)
    expect(page.get_by_role("region", name="Filters")).to_have_count(0)
    page.get_by_role("button", name="Page 2").click()
    page.wait_for_url("**/support?page=2")
    expect(rows).to_have_count(1)
    rows.first.get_by_role("link").click()
    page.wait_for_url("**/support?page=2&ticket=*")
    expect(dialog(page, "Number 1")).to_be_visible()
    page.keyboard.press("Escape")
    page.wait_for_url("**/support?page=2")
    expect(rows).to_have_count(1)


def test_a_guest_writes_with_an_address_and_has_no_list(page: Page, store: Store) -> None:
    pass_age_gate(page)
    visit(page)
    main = page.get_by_role("main")
    expect(main.get_by_role("heading", name="Please Sign In")).to_be_visible()
    expect(main.get_by_role("link", name="Sign In")).to_have_attribute("href", re.compile("return_to=/support"))
    expect(page.get_by_text("No Support Tickets")).to_have_count(0)
    form = open_form(page)
    email = form.get_by_label("Email *")
    expect(email).to_have_attribute("type", "email")
    expect(email).to_have_attribute("required", "")
    form.get_by_role("button", name="Create Ticket").click()
    expect(toast(page)).to_contain_text("Subject and message are required")
    expect(email).to_have_accessible_description("Email is required")
    fill(form)
    form.get_by_role("button", name="Create Ticket").click()
    expect(toast(page)).to_contain_text("Email is required")
    fill(form, **{"Email *": "guest@example.org", "Name (optional)": "Gus Guest"})
    form.get_by_label("Category").select_option("billing")
    form.get_by_role("button", name="Create Ticket").click()
    expect(toast(page)).to_contain_text("Support Ticket Created")
    expect(form).to_be_hidden()
    expect(main.get_by_text(re.compile(r"We have your ticket [0-9a-f]{8}\. Estimated resolution: "))).to_be_visible()
    expect(main.get_by_text("We will send our answer to guest@example.org.")).to_be_visible()


def test_staff_filter_by_status_priority_and_category_in_the_url(page: Page, api: Api) -> None:
    staff = api(OWNER)
    mark = new_email()[:12]
    first, second = (write_ticket(api(new_email()), subject=f"{mark} {each}") for each in ("one", "two"))
    staff.put(f"/api/admin/tickets/{first['id']}", json={"status": "resolved", "priority": "urgent"})
    staff.put(f"/api/admin/tickets/{second['id']}", json={"category": "product"})
    sign_in_as_adult(page, OWNER)
    visit(page)
    filters, listed = page.get_by_role("region", name="Filters"), page.get_by_role("list", name="Support tickets")
    expect(filters.get_by_role("status")).to_have_text(re.compile(r"^\d+ tickets$"))
    filters.get_by_label("Filter by priority").select_option("urgent")
    page.wait_for_url("**/support?priority=urgent")
    filters.get_by_label("Filter by status").select_option("resolved")
    page.wait_for_url("**/support?status=resolved&priority=urgent")
    expect(listed.get_by_text(f"{mark} one")).to_be_visible()
    expect(listed.get_by_text(f"{mark} two")).to_have_count(0)
    page.go_back()
    page.go_back()
    expect(listed.get_by_text(f"{mark} two")).to_be_visible()
    expect(filters.get_by_label("Filter by priority")).to_have_value("")
    visit(page, "/support?status=closed&category=product&priority=low")
    expect(page.get_by_text("No tickets match these filters.")).to_be_visible()


@pytest.mark.parametrize("size", BOTH_SIZES)
def test_every_state_is_accessible_and_fits(new_page: Callable[..., Page], api: Api, size: tuple[int, int]) -> None:
    page = new_page(size)

    pass_age_gate(page)
    visit(page)
    expect(page.get_by_role("heading", name="Please Sign In")).to_be_visible()
    expect_accessible(page, "guest")
    form = open_form(page)
    form.get_by_role("button", name="Create Ticket").click()
    expect(form.get_by_label("Subject", exact=True)).to_have_accessible_description("Subject and message are required")
    expect_accessible(page, "guest's form with errors")
    me = new_email()
    sign_in(page, me)
    visit(page)
    expect(page.get_by_text("No Support Tickets")).to_be_visible()
    expect_accessible(page, "nothing yet")
    ticket = write_ticket(api(me), message=f"{LATE_TICKET['message']} {'longword' * 20}")
    staff = api(OWNER)
    answer(staff, ticket, "On his way.")
    visit(page)
    expect(page.get_by_role("list", name="Support tickets")).to_be_visible()
    expect_accessible(page, "list")
    visit(page, f"/support?ticket={ticket['id']}")
    expect(dialog(page).get_by_text("On his way.")).to_be_visible()
    expect_accessible(page, "ticket")
    set_status(staff, ticket, "resolved")
    expect(dialog(page).get_by_text("This ticket is resolved.")).to_be_visible()
    expect_accessible(page, "resolved ticket")
    visit(page, "/support?ticket=nothing")
    expect(page.get_by_role("dialog", name="Ticket not found.")).to_be_visible()
    expect_accessible(page, "no ticket")
    sign_in(page, OWNER)
    visit(page, f"/support?ticket={ticket['id']}")
    expect(dialog(page).get_by_label("Status", exact=True)).to_be_visible()
    expect_accessible(page, "staff's ticket")
