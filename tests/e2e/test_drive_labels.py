"""The code on a bag's label opens its stop on the driver's page (RULE drive-page, RULE bag-labels)."""

import re
from collections.abc import Callable
from datetime import datetime

import pytest
from playwright.sync_api import Locator, Page, expect
from sqlalchemy import select
from sqlmodel import col

from marketplace_app import clock
from marketplace_app.models import Order, RunStop
from tests.e2e.acts import horizontal_overflow, new_email, sign_in_by_request
from tests.e2e.conftest import BOTH_SIZES, PHONE, Store
from tests.e2e.driving import NAMES, open_run, send_off, session_of
from tests.e2e.test_accessibility import expect_accessible
from tests.e2e.test_drive import press, status, wait_until_kept

pytestmark = [pytest.mark.browser, pytest.mark.staff]
NOT_THERE = 987_654


@pytest.fixture
def phone(new_page: Callable[..., Page]) -> Page:
    return new_page(PHONE, service_workers="allow")


def number_of(store: Store, order_id: str) -> int:
    with session_of(store) as session:
        return session.get_one(Order, order_id).number


def set_departure(store: Store, order_id: str, at: datetime | None) -> None:
    with session_of(store) as session:
        stop = session.execute(select(RunStop).where(col(RunStop.order_id) == order_id)).scalar_one()
        stop.run.departed_at = at


def scan(page: Page, number: object) -> None:
    page.goto(f"/drive?order={number}")


def expect_stop(page: Page, name: str) -> None:
    expect(page.get_by_role("heading", name=name, level=2)).to_be_visible()


def not_on_run(page: Page) -> Locator:
    return page.get_by_role("alert").get_by_text("is not on your run").filter(visible=True)


def authorize(page: Page, email: str) -> None:
    page.locator("input[name=sub]").fill(email)
    page.get_by_role("button", name="Authorize").click()


def test_a_label_opens_its_stop_once(phone: Page, store: Store) -> None:
    orders = open_run(phone, store)
    scan(phone, number_of(store, orders[2]))
    expect_stop(phone, NAMES[2])
    expect(not_on_run(phone)).to_have_count(0)
    phone.get_by_role("button", name=NAMES[1]).click()
    expect_stop(phone, NAMES[1])
    phone.reload()  # as a phone does by itself: it does not lead back to the bag that was scanned
    expect_stop(phone, NAMES[0])
    assert phone.url.endswith("/drive")


def test_the_label_of_another_run_says_so_and_shows_the_drivers_own_run(phone: Page, store: Store) -> None:
    open_run(phone, store)
    scan(phone, NOT_THERE)
    expect(not_on_run(phone)).to_have_text(f"Order {NOT_THERE} is not on your run.")
    expect_stop(phone, NAMES[0])
    phone.get_by_role("button", name=NAMES[1]).click()
    expect(not_on_run(phone)).to_have_count(0)


def test_a_label_that_is_scanned_too_early_opens_its_stop_when_the_run_leaves(phone: Page, store: Store) -> None:
    email = new_email()
    sign_in_by_request(phone, email)
    orders = send_off(store, email)
    set_departure(store, orders[0], None)
    number = number_of(store, orders[1])
    scan(phone, number)
    expect(not_on_run(phone)).to_have_text(f"Order {number} is not on your run.")
    expect(phone.get_by_text("You are not out on a run.")).to_be_visible()
    set_departure(store, orders[0], clock.now())
    press(phone, "Look Again")
    expect_stop(phone, NAMES[1])
    expect(not_on_run(phone)).to_have_count(0)


def test_labels_are_scanned_without_a_connection(phone: Page, store: Store) -> None:
    orders = open_run(phone, store)
    wait_until_kept(phone)
    phone.context.set_offline(True)
    scan(phone, number_of(store, orders[3]))
    expect_stop(phone, NAMES[3])
    expect(status(phone)).to_contain_text("No connection")
    scan(phone, NOT_THERE)
    expect(not_on_run(phone)).to_be_visible()
    expect_stop(phone, NAMES[0])


def test_signing_in_returns_to_the_stop(phone: Page, store: Store) -> None:
    email = new_email()
    sign_in_by_request(phone, email)
    orders = send_off(store, email)
    phone.context.clear_cookies()
    scan(phone, number_of(store, orders[1]))
    phone.wait_for_url(re.compile("authorize|login"))
    authorize(phone, email)
    expect_stop(phone, NAMES[1])
    wait_until_kept(phone)
    phone.context.set_offline(True)
    press(phone, "I'm here")
    phone.context.clear_cookies()
    phone.context.set_offline(False)
    scan(phone, number_of(store, orders[2]))
    phone.get_by_role("link", name="Sign In").click()  # the page does not follow it by itself while a step is unsent
    authorize(phone, email)
    expect_stop(phone, NAMES[2])


@pytest.mark.attack("markup and sentences in the number on a bag")
@pytest.mark.parametrize("number", ["<img src=x onerror=alert(1)>", "Call 555 0142", "%3Cb%3E1", "", "-1", "１"])
def test_only_a_number_is_taken_from_the_address(phone: Page, store: Store, number: str) -> None:
    open_run(phone, store)
    scan(phone, number)
    expect_stop(phone, NAMES[0])
    expect(not_on_run(phone)).to_have_count(0)
    assert phone.locator("img[src=x]").count() == 0


@pytest.mark.parametrize("size", BOTH_SIZES)
def test_the_sentence_is_accessible_and_fits(
    new_page: Callable[..., Page], store: Store, size: tuple[int, int]
) -> None:
    page = new_page(size)
    open_run(page, store)
    scan(page, "9" * 60)
    expect(not_on_run(page)).to_be_visible()
    expect_accessible(page, "the driver's page with the label of another run")
    assert horizontal_overflow(page) == 0
