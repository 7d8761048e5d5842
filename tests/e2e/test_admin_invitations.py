"""Sending invitations, their status, and bulk invitations (RULE invitations-send)."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.acts import OWNER, new_email, run_sql, sign_in_by_request, toast
from tests.e2e.conftest import BOTH_SIZES, Api, Store
from tests.e2e.test_accessibility import expect_accessible

pytestmark = [pytest.mark.browser, pytest.mark.staff]


def open_page(page: Page, address: str = "/admin/invitations") -> None:
    sign_in_by_request(page, OWNER)
    page.goto(address)
    expect(page.get_by_role("heading", name="Invitations", level=1)).to_be_visible()
    expect(page.get_by_role("button", name="Send Invitation")).to_be_visible()


def send(page: Page, email: str, **fields: str) -> None:
    page.get_by_label("Email").fill(email)
    for label, text in fields.items():
        page.get_by_label(label).fill(text)
    page.get_by_role("button", name="Send Invitation").click()


def entry(page: Page, email: str) -> Locator:
    return page.get_by_role("list", name="Recent invitations").get_by_role("listitem").filter(has_text=email)


def link_of(page: Page) -> str:
    return page.get_by_role("region", name="Invitation link").get_by_role("code").inner_text()


@pytest.mark.parametrize("address", ["/admin/invitations", "/admin?tab=invitations"])
def test_an_invitation_is_made_and_its_link_copied(page: Page, address: str) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_page(page, address)
    email = new_email()
    send(page, email, **{"First name": "Mary", "Last name": "Moss", "Notes": "from the fair"})
    # There is no mail server: nothing is claimed that did not happen.
    expect(toast(page)).to_contain_text("Invitation created")
    expect(toast(page)).not_to_contain_text("Sent")
    expect(page.get_by_label("Email")).to_have_value("")
    expect(entry(page, email)).to_contain_text("Mary Moss")
    expect(entry(page, email)).to_contain_text("from the fair")
    expect(entry(page, email).get_by_text("Pending", exact=True)).to_be_visible()
    assert re.search(r"/invite/[\w-]{20,}$", link_of(page))
    page.get_by_role("button", name="Copy Link").click()
    expect(toast(page)).to_contain_text("Copied!")
    assert page.evaluate("() => navigator.clipboard.readText()") == link_of(page)


def test_missing_and_known_addresses_are_refused_with_a_sentence(page: Page) -> None:
    open_page(page)
    page.get_by_role("button", name="Send Invitation").click()
    expect(toast(page)).to_contain_text("Email is required")
    expect(page.get_by_label("Email")).to_have_attribute("aria-invalid", "true")
    email = new_email()
    send(page, email)
    expect(entry(page, email)).to_be_visible()
    send(page, email)
    expect(toast(page)).to_contain_text("This person already has an open invitation.")
    expect(page.get_by_label("Email")).to_have_value(email)


def test_resending_and_revoking_invalidate_the_link(page: Page, api: Api) -> None:
    open_page(page)
    email = new_email()
    send(page, email)
    expect(entry(page, email)).to_be_visible()
    first = link_of(page)
    page.get_by_role("button", name=f"Resend to {email}").click()
    expect(page.get_by_role("region", name="Invitation link").get_by_role("code")).not_to_have_text(first)
    second = link_of(page)
    anybody = api(new_email())
    codes = [link.rpartition("/")[2] for link in (first, second)]
    assert [anybody.get(f"/api/invite/{code}").status_code for code in codes] == [404, 200]
    page.get_by_role("button", name=f"Revoke invitation for {email}").click()
    expect(toast(page)).to_contain_text("Invitation revoked")
    expect(entry(page, email).get_by_text("revoked", exact=True)).to_be_visible()
    expect(entry(page, email).get_by_role("button")).to_have_count(0)
    assert anybody.get(f"/api/invite/{codes[1]}").status_code == 404


def test_an_acceptance_is_pushed_and_an_old_invitation_is_expired(page: Page, api: Api, store: Store) -> None:
    open_page(page)
    email, old, friend = new_email(), new_email(), new_email()
    send(page, old)
    expect(entry(page, old)).to_be_visible()
    run_sql(store, "UPDATE invitations SET expires_at = created_at WHERE email = :email", email=old)
    send(page, email)
    expect(entry(page, email).get_by_text("Pending", exact=True)).to_be_visible()
    expect(entry(page, old).get_by_text("Expired", exact=True)).to_be_visible()
    api(friend).post(f"/api/invite/{link_of(page).rpartition('/')[2]}/accept").raise_for_status()
    expect(entry(page, email).get_by_text("Accepted", exact=True)).to_be_visible()
    expect(entry(page, email)).to_contain_text(f"by {friend}")


def open_file(page: Page) -> Locator:
    page.get_by_role("button", name="Invite from CSV").click()
    dialog = page.get_by_role("dialog", name="Invite from a file")
    expect(dialog).to_be_visible()
    return dialog


def test_a_file_with_bad_lines_is_explained_fixed_and_sent(page: Page, tmp_path: Path) -> None:
    open_page(page)
    good, other = new_email(), new_email()
    file = tmp_path / "people.csv"
    file.write_text(f"email,firstName\n{good},Nora\nnowhere,Sam\n{good},Again\n")
    dialog = open_file(page)
    choose, lines = dialog.get_by_label("CSV file"), dialog.get_by_label("Lines")
    choose.set_input_files(file)
    expect(lines).to_have_value(re.compile(good))
    with page.expect_file_chooser() as chooser:
        choose.click()
    assert choose.evaluate("input => input.files.length") == 0, "the same file could not be chosen again"
    chooser.value.set_files(file)
    dialog.get_by_role("button", name="Check").click()
    problems = dialog.get_by_role("list", name="What is wrong").get_by_role("listitem")
    expect(problems).to_have_text(
        ["Line 3, emailA valid email address is required", "Line 4, emailLine 2 has this email already."]
    )
    expect(dialog.get_by_role("status")).to_contain_text("2 of 3 lines cannot be sent, so none was.")
    expect(dialog.get_by_role("button", name="Send Invitations")).to_have_count(0)
    lines.fill(f"email,firstName\n{good},Nora\n{other},Sam\n")
    dialog.get_by_role("button", name="Check").click()
    expect(dialog.get_by_role("status")).to_contain_text("2 invitations are ready.")
    dialog.get_by_role("button", name="Send Invitations").click()
    expect(toast(page)).to_contain_text("Invitation created")
    links = dialog.get_by_role("list", name="Links").get_by_role("listitem")
    expect(links).to_have_count(2)
    page.keyboard.press("Escape")
    for email in (good, other):
        expect(entry(page, email).get_by_text("Pending", exact=True)).to_be_visible()


def test_lines_that_were_changed_after_the_check_are_checked_again(page: Page) -> None:
    open_page(page)
    dialog = open_file(page)
    lines, send = dialog.get_by_label("Lines"), dialog.get_by_role("button", name="Send Invitations")
    other = new_email()
    lines.fill(f"email\n{new_email()}\n")
    dialog.get_by_role("button", name="Check").click()
    expect(send).to_be_visible()
    lines.fill(f"email\n{other}\n")
    send.click()
    expect(toast(page)).to_contain_text("The lines were changed after the check.")
    expect(send).to_have_count(0)
    dialog.get_by_role("button", name="Check").click()
    send.click()
    expect(dialog.get_by_role("list", name="Links")).to_contain_text(other)


def test_an_invalid_file_is_explained(page: Page) -> None:
    open_page(page)
    dialog = open_file(page)
    dialog.get_by_label("Lines").fill("name,phone\nNora,1\n")
    dialog.get_by_role("button", name="Check").click()
    expect(toast(page)).to_contain_text("The first line must name the columns")
    expect(dialog.get_by_label("Lines")).to_have_attribute("aria-invalid", "true")


def paste(dialog: Locator, lines: str) -> None:
    """At once: Playwright's `fill` takes longer than it may for thousands of lines."""
    dialog.get_by_label("Lines").evaluate("(box, lines) => { box.value = lines; }", lines)


@pytest.mark.parametrize(
    "pasted", ["email\n" + "nora@example.org\n" * 4_000, "email\n" + "a@b.co\n" * 8_500], ids=["text", "line breaks"]
)
def test_too_many_pasted_lines_are_refused_in_the_browser(page: Page, pasted: str) -> None:
    """The socket would close, and the event be lost without a word. In JSON each line break takes two bytes."""
    open_page(page)
    dialog = open_file(page)
    paste(dialog, pasted)
    dialog.get_by_role("button", name="Check").click()
    expect(toast(page)).to_contain_text("This file is too large: at most 60 kB.")


def test_lines_pasted_after_the_check_are_measured_too(page: Page) -> None:
    open_page(page)
    dialog = open_file(page)
    paste(dialog, f"email\n{new_email()}\n")
    dialog.get_by_role("button", name="Check").click()
    expect(dialog.get_by_role("status")).to_contain_text("1 invitation is ready.")
    paste(dialog, "email\n" + "nora@example.org\n" * 4_000)
    dialog.get_by_role("button", name="Send Invitations").click()
    expect(toast(page)).to_contain_text("This file is too large: at most 60 kB.")


def test_a_customer_sees_the_not_found_screen(page: Page) -> None:
    sign_in_by_request(page, new_email())
    page.goto("/admin/invitations")
    expect(page.get_by_role("heading", name="404 Page Not Found", level=1)).to_be_visible()
    expect(page.get_by_role("button", name="Send Invitation")).to_have_count(0)


def test_a_viewer_has_no_form(page: Page, api: Api, store: Store) -> None:
    email = new_email()
    api(email)
    run_sql(store, "UPDATE users SET role = 'viewer', granted_role = 'viewer' WHERE email = :email", email=email)
    sign_in_by_request(page, email)
    page.goto("/admin/invitations")
    expect(page.get_by_role("searchbox", name="Search invitations")).to_be_visible()
    for name in ("Send Invitation", "Invite from CSV"):
        expect(page.get_by_role("button", name=name)).to_have_count(0)


@pytest.mark.parametrize("size", BOTH_SIZES)
def test_every_state_is_accessible_and_fits(new_page: Callable[..., Page], size: tuple[int, int]) -> None:
    page = new_page(size)
    open_page(page)
    send(page, new_email())
    expect(page.get_by_role("region", name="Invitation link")).to_be_visible()
    expect_accessible(page, "invitations")
    open_file(page)
    expect_accessible(page, "file of invitations")
