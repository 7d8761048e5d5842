"""Accepting an invitation (RULE invitation-page)."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from marketplace_app import codes, db
from marketplace_app.schemas.account.invitations import InvitationForm
from marketplace_app.schemas.base import parse
from marketplace_app.services.account import invitations
from tests.e2e.acts import new_email, pass_age_gate, run_sql, sign_in_as_adult, toast
from tests.e2e.conftest import BOTH_SIZES, Store

pytestmark = pytest.mark.browser


def invite(store: Store, **values: str) -> str:
    """Make an invitation, as the seed does; returns its code."""
    engine = db.make_engine(store.database_url)
    code = codes.new_invitation_code()
    form = parse(InvitationForm, {"email": "mary@example.org", "firstName": "Mary"} | values)
    db.write(lambda session: invitations.write(session, form, code), engine)
    engine.dispose()
    return code


@pytest.mark.parametrize("size", BOTH_SIZES)
def test_a_guest_signs_in_comes_back_and_is_welcomed(
    new_page: Callable[..., Page], store: Store, size: tuple[int, int]
) -> None:
    page = new_page(size)
    code = invite(store)
    pass_age_gate(page)
    page.goto(f"/invite/{code}")
    expect(page.get_by_role("heading", name="You are invited", level=1)).to_be_visible()
    expect(page.get_by_text("Welcome, Mary.")).to_be_visible()
    expect(page.get_by_text("mary@example.org")).to_be_visible()
    page.get_by_role("button", name="Sign In to Accept").click()
    page.get_by_role("textbox").fill(new_email())
    page.get_by_role("button", name="Authorize").click()
    page.wait_for_url(f"**/invite/{code}")
    page.get_by_role("button", name="Accept Invitation").click()
    expect(toast(page)).to_contain_text("Welcome to the marketplace")
    expect(page.get_by_text("66 products found")).to_be_visible()


def test_an_unknown_or_used_invitation_says_so(page: Page, store: Store) -> None:
    code = invite(store)
    sign_in_as_adult(page, new_email(), to=f"/invite/{code}")
    page.get_by_role("button", name="Accept Invitation").click()
    expect(toast(page)).to_contain_text("Welcome to the marketplace")
    for dead in (code, "unknown"):
        page.goto(f"/invite/{dead}")
        expect(page.get_by_role("heading", name="Invitation Invalid", level=1)).to_be_visible()
        expect(page.get_by_text("Invalid or expired invitation")).to_be_visible()
        expect(page.get_by_text("Please contact support if you believe this is an error.")).to_be_visible()


def test_an_invitation_that_cannot_be_loaded_can_be_tried_again(page: Page, store: Store) -> None:
    code = invite(store)
    pass_age_gate(page)
    run_sql(store, "ALTER TABLE invitations RENAME TO invitations_away")
    try:
        page.goto(f"/invite/{code}")
        expect(page.get_by_role("heading", name="Your invitation could not be loaded", level=1)).to_be_visible()
        expect(toast(page)).to_contain_text("Something went wrong. Please try again.")
    finally:
        run_sql(store, "ALTER TABLE invitations_away RENAME TO invitations")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("heading", name="You are invited", level=1)).to_be_visible()


def test_an_address_without_a_code_says_so(page: Page) -> None:
    pass_age_gate(page)
    page.goto("/invite")
    expect(page.get_by_role("heading", name="Invalid Invitation", level=1)).to_be_visible()
    expect(page.get_by_text("No invitation code provided.")).to_be_visible()


def test_an_invitation_that_somebody_else_took_is_refused(new_page: Callable[..., Page], store: Store) -> None:
    code = invite(store)
    mine, theirs = new_page(), new_page()
    for page in (mine, theirs):
        sign_in_as_adult(page, new_email(), to=f"/invite/{code}")
        expect(page.get_by_role("button", name="Accept Invitation")).to_be_visible()
    theirs.get_by_role("button", name="Accept Invitation").click()
    expect(toast(theirs)).to_contain_text("Welcome to the marketplace")
    mine.get_by_role("button", name="Accept Invitation").click()
    expect(toast(mine)).to_contain_text("Failed to accept invitation")
    expect(toast(mine)).to_contain_text("Invalid or expired invitation")
