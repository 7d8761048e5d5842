"""`/drive`: a driver's run on a phone, with and without a connection (RULE drive-page)."""

import gzip
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Route, expect
from sqlalchemy import select
from sqlmodel import col

from marketplace_app.models import Order, OrderLegalRecord, OrderStatus, RunStop
from marketplace_app.services import credits
from tests.builders import make_rules
from tests.doors import PIN, WRONG_PIN
from tests.e2e.acts import OWNER, horizontal_overflow, new_email, run_sql, sign_in_by_request, toast, wait_until
from tests.e2e.conftest import BOTH_SIZES, PHONE, Api, Store
from tests.e2e.driving import NAMES, open_run, recall_order, session_of
from tests.e2e.test_accessibility import expect_accessible

pytestmark = [pytest.mark.browser, pytest.mark.staff]
MAX_SCRIPT_BYTES = 8_000


def statuses(store: Store, orders: Sequence[str]) -> list[OrderStatus]:
    with session_of(store) as session:
        return [session.get_one(Order, order).status for order in orders]


def sent_events(store: Store, order: str) -> list[int]:
    """The sequence numbers of the steps that the server has of an order's stop."""
    with session_of(store) as session:
        stop = session.execute(select(RunStop).where(col(RunStop.order_id) == order)).scalar_one()
        return [event.sequence for event in stop.events]


def stored(page: Page) -> str:
    """All that the page keeps on the phone."""
    return str(
        page.evaluate(
            """async () => {
              if (!(await indexedDB.databases()).some(({ name }) => name === "drive")) return "";
              const database = await new Promise((resolve) => {
                const request = indexedDB.open("drive");
                request.onsuccess = () => resolve(request.result);
              });
              const all = await Promise.all(["kept", "events"].map((name) => new Promise((resolve) => {
                const request = database.transaction(name).objectStore(name).getAll();
                request.onsuccess = () => resolve(request.result);
              })));
              database.close();
              return JSON.stringify(all);
            }"""
        )
    )


@pytest.fixture
def phone(new_page: Callable[..., Page]) -> Page:
    page = new_page(PHONE, service_workers="allow")
    page.on("dialog", lambda dialog: dialog.accept())
    return page


def status(page: Page) -> Locator:
    return page.get_by_role("status")


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def check_id(page: Page, *answered_no: str) -> None:
    for question in ("21 or older?", "Does the name match?", "Still valid, not expired?"):
        answer = "No" if question in answered_no else "Yes"
        page.get_by_role("group", name=question).get_by_text(answer, exact=True).click()
    press(page, "ID Checked")


def enter_pin(page: Page, pin: str = PIN) -> None:
    page.get_by_label("Four digits").fill(pin)
    press(page, "Check PIN")


def deliver(page: Page) -> None:
    press(page, "I'm here")
    check_id(page)
    enter_pin(page)
    page.get_by_label("Cash counted").fill("152.50")
    press(page, "Cash Counted")
    press(page, "Bag Placed")
    expect(page.get_by_role("heading", name="Delivered.")).to_be_focused()


def wait_until_kept(page: Page) -> None:
    """Until the service worker has the page: from then on it opens without a connection."""
    wait_until(page, "async () => Boolean(await caches.match('/drive/'))")


def test_four_stops_two_of_them_without_a_connection(phone: Page, store: Store) -> None:
    orders = open_run(phone, store)
    wait_until_kept(phone)
    deliver(phone)
    expect(status(phone)).to_have_text("Sent")
    phone.context.set_offline(True)
    press(phone, "Next Stop")
    expect(phone.get_by_role("heading", name=NAMES[1], level=2)).to_be_focused()
    deliver(phone)
    expect(status(phone)).to_have_text("No connection. Saved on this phone: 5 steps")
    phone.reload()
    expect(phone.get_by_role("heading", name=NAMES[2], level=2)).to_be_visible()
    expect(status(phone)).to_have_text("No connection. Saved on this phone: 5 steps")
    press(phone, "Couldn't Deliver")
    phone.get_by_text("No ID", exact=True).click()
    press(phone, "Report")
    expect(phone.get_by_role("heading", name="Couldn't deliver: No ID. Bring it back.")).to_be_focused()
    assert statuses(store, orders)[1:] == [OrderStatus.OUT_FOR_DELIVERY] * 3
    phone.context.set_offline(False)
    expect(status(phone)).to_have_text("Sent")
    assert PIN not in stored(phone)
    press(phone, "Next Stop")
    deliver(phone)
    expect(status(phone)).to_have_text("Sent")
    delivered = OrderStatus.DELIVERED
    assert statuses(store, orders) == [delivered, delivered, OrderStatus.CONFIRMED, delivered]
    expect(phone.get_by_text("All stops are done. Drive back to the shop.")).to_be_visible()
    with session_of(store) as session:
        stop = session.execute(select(RunStop).where(col(RunStop.order_id) == orders[1])).scalar_one()
        assert [event.sequence for event in stop.events] == [1, 2, 3, 4, 5]
        assert stop.flag is None


def test_a_wrong_pin_reopens_its_step_and_the_right_one_goes_on(phone: Page, store: Store) -> None:
    open_run(phone, store)
    press(phone, "I'm here")
    check_id(phone)
    enter_pin(phone, WRONG_PIN)
    expect(phone.get_by_role("alert").filter(has_text="Wrong PIN. Ask again: 4 tries left.")).to_be_visible()
    expect(phone.get_by_role("heading", name="Ask for the door PIN")).to_be_visible()
    enter_pin(phone)
    expect(phone.get_by_role("heading", name="Collect $152.50")).to_be_focused()
    expect(phone.get_by_text("Wrong PIN")).to_be_hidden()


def test_five_wrong_pins_lock_the_stop_until_it_is_released(phone: Page, store: Store) -> None:
    orders = open_run(phone, store)
    press(phone, "I'm here")
    check_id(phone)
    for left in (4, 3, 2, 1):
        enter_pin(phone, WRONG_PIN)
        expect(phone.get_by_text(f"{left} {'try' if left == 1 else 'tries'} left.")).to_be_visible()
    enter_pin(phone, WRONG_PIN)
    expect(phone.get_by_role("heading", name="Locked. Call dispatch.")).to_be_visible()
    expect(phone.get_by_role("button", name="Couldn't Deliver")).to_be_hidden()
    run_sql(store, "UPDATE run_stops SET wrong_pins = 0 WHERE order_id = :order", order=orders[0])
    phone.evaluate("() => dispatchEvent(new Event('online'))")
    expect(phone.get_by_role("heading", name="Ask for the door PIN")).to_be_visible()
    expect(phone.get_by_text("locked")).to_be_hidden()


def test_an_id_that_is_not_accepted_is_not_passed(phone: Page, store: Store) -> None:
    open_run(phone, store)
    press(phone, "I'm here")
    press(phone, "ID Checked")
    expect(phone.get_by_role("alert").filter(has_text="Answer all three questions.")).to_be_visible()
    check_id(phone, "Still valid, not expired?")
    expect(phone.get_by_role("alert").filter(has_text="Do not hand over: this ID is not accepted.")).to_be_visible()
    expect(status(phone)).to_have_text("Sent")
    check_id(phone)
    expect(phone.get_by_role("heading", name="Ask for the door PIN")).to_be_focused()


def test_too_little_cash_is_counted_again(phone: Page, store: Store) -> None:
    open_run(phone, store)
    press(phone, "I'm here")
    check_id(phone)
    enter_pin(phone)
    for typed, answer in (("lots", "Type the amount"), ("150", "$2.50 is missing.")):
        phone.get_by_label("Cash counted").fill(typed)
        press(phone, "Cash Counted")
        expect(phone.get_by_role("alert").filter(has_text=answer)).to_be_visible()
    phone.get_by_label("Cash counted").fill("$160")
    press(phone, "Cash Counted")
    expect(phone.get_by_role("button", name="Bag Placed")).to_be_visible()


def test_change_becomes_credit_where_the_shop_offers_it(phone: Page, store: Store, api: Api) -> None:
    offered = {"keepChangeAsCredit": True, "reason": "test"}
    api(OWNER).put("/api/admin/settings", json=offered).raise_for_status()
    orders = open_run(phone, store)
    press(phone, "I'm here")
    check_id(phone)
    enter_pin(phone)
    phone.get_by_label("Cash counted").fill("160")
    phone.get_by_label("The customer gets the change as store credit").check()
    press(phone, "Cash Counted")
    press(phone, "Bag Placed")
    expect(phone.get_by_role("heading", name="Delivered.")).to_be_visible()
    expect(phone.get_by_text("Sent", exact=True)).to_be_visible()
    with session_of(store) as session:
        customer = session.get_one(Order, orders[0]).user_id
        assert credits.balance(session, customer) == 7_50
    api(OWNER).put("/api/admin/settings", json=offered | {"keepChangeAsCredit": False}).raise_for_status()


def test_a_signature_is_drawn_where_the_rules_ask_for_one(phone: Page, store: Store) -> None:
    orders = open_run(phone, store)
    with session_of(store) as session:
        rules = make_rules(session, record={"items": ["signature"], "keepDays": 30})
        session.add(OrderLegalRecord(order_id=orders[0], version_id=rules.id))
    phone.reload()
    press(phone, "I'm here")
    check_id(phone)
    enter_pin(phone)
    phone.get_by_label("Cash counted").fill("152.50")
    press(phone, "Cash Counted")
    press(phone, "Signed")
    expect(phone.get_by_text("First ask for the signature.")).to_be_visible()
    field = phone.get_by_role("img", name="Field for the signature")
    field.scroll_into_view_if_needed()
    box = field.bounding_box()
    assert box is not None
    phone.mouse.move(box["x"] + 20, box["y"] + 40)
    phone.mouse.down()
    for x in range(30, 200, 10):
        phone.mouse.move(box["x"] + x, box["y"] + 40 + x % 30)
    phone.mouse.up()
    press(phone, "Signed")
    press(phone, "Bag Placed")
    expect(phone.get_by_role("heading", name="Delivered.")).to_be_visible()
    expect(status(phone)).to_have_text("Sent")
    assert statuses(store, orders)[0] is OrderStatus.DELIVERED


def test_a_refused_stop_that_was_left_is_marked(phone: Page, store: Store) -> None:
    """Its PIN went out with a connection that broke before the answer, and the driver had driven on."""
    open_run(phone, store)
    press(phone, "I'm here")
    check_id(phone)
    expect(phone.get_by_role("heading", name="Ask for the door PIN")).to_be_visible()
    expect(status(phone)).to_have_text("Sent")

    def lose_the_answer(route: Route) -> None:
        assert route.fetch().ok
        route.abort()

    phone.route("**/api/driver/events", lose_the_answer)
    enter_pin(phone, WRONG_PIN)
    expect(phone.get_by_label("Cash counted")).to_be_visible()
    phone.get_by_role("button", name=NAMES[1]).click()
    phone.unroute("**/api/driver/events")
    phone.evaluate("() => dispatchEvent(new Event('online'))")
    row = phone.get_by_role("button", name=NAMES[0])
    expect(row).to_contain_text("Step refused")
    row.click()
    expect(phone.get_by_role("heading", name="Ask for the door PIN")).to_be_visible()
    expect(phone.get_by_role("alert").filter(has_text="Wrong PIN.")).to_be_visible()


def test_an_answer_that_is_cut_off_does_not_take_the_run_from_the_phone(phone: Page, store: Store) -> None:
    open_run(phone, store)
    cut = "**/api/driver/run"
    phone.route(cut, lambda route: route.fulfill(status=200, content_type="application/json", body='{"stops": ['))
    phone.evaluate("() => dispatchEvent(new Event('online'))")
    expect(status(phone)).to_have_text("No connection")
    expect(phone.get_by_role("heading", name=NAMES[0], level=2)).to_be_visible()
    assert NAMES[0] in stored(phone)
    phone.unroute(cut)
    phone.evaluate("() => dispatchEvent(new Event('online'))")
    expect(status(phone)).to_have_text("Sent")


def test_an_order_cancelled_on_the_way_is_brought_back(phone: Page, store: Store) -> None:
    orders = open_run(phone, store)
    run_sql(
        store,
        "UPDATE run_stops SET outcome = 'cancelled', ended_at = CURRENT_TIMESTAMP WHERE order_id = :order",
        order=orders[0],
    )
    phone.evaluate("() => dispatchEvent(new Event('online'))")
    expect(phone.get_by_role("heading", name="Cancelled. Do not hand over. Bring it back.")).to_be_visible()
    expect(phone.get_by_role("button", name="I'm here")).to_be_hidden()


def test_a_stop_keeps_the_number_on_its_label_when_an_earlier_one_is_taken_off(phone: Page, store: Store) -> None:
    first, *_ = open_run(phone, store)
    expect(phone.get_by_text("Stop 1 of 4")).to_be_visible()
    taken_off = "UPDATE run_stops SET ended_at = added_at, outcome = 'removed' WHERE order_id = :order"
    run_sql(store, taken_off, order=first)
    phone.reload()
    expect(phone.get_by_role("heading", name=NAMES[1], level=2)).to_be_visible()
    expect(phone.get_by_text("Stop 2 of 4")).to_be_visible()


def test_a_recalled_order_is_brought_back(phone: Page, store: Store) -> None:
    orders = open_run(phone, store)
    recall_order(store, orders[0])
    press(phone, "I'm here")
    expect(phone.get_by_role("heading", name="Recalled. Do not hand over. Bring it back.")).to_be_visible()
    expect(phone.get_by_role("button", name=NAMES[0])).to_contain_text("Recalled")
    expect(phone.get_by_role("button", name="I'm here")).to_be_hidden()
    expect(status(phone)).to_have_text("Sent")


def test_two_tabs_do_each_step_once(phone: Page, store: Store) -> None:
    orders = open_run(phone, store)
    other = phone.context.new_page()
    other.goto("/drive")
    expect(other.get_by_role("button", name="I'm here")).to_be_visible()
    phone.context.set_offline(True)
    press(phone, "I'm here")
    expect(other.get_by_role("button", name="ID Checked")).to_be_visible()
    phone.context.set_offline(False)
    for tab in (phone, other):
        expect(status(tab)).to_have_text("Sent")
    assert len(sent_events(store, orders[0])) == 1


def test_signing_out_leaves_nothing_on_the_phone(phone: Page, store: Store) -> None:
    open_run(phone, store)
    wait_until_kept(phone)
    assert NAMES[0] in stored(phone)
    phone.evaluate("() => localStorage.setItem('recentlyViewed', '[]')")
    phone.context.set_offline(True)
    press(phone, "I'm here")
    asked: list[str] = []
    phone.once("dialog", lambda dialog: asked.append(dialog.message))
    press(phone, "Sign Out")
    expect(phone.get_by_text("You could not be signed out.")).to_be_visible()
    assert asked == ["Not sent yet: 1 step on this phone. Sign out and delete what is not sent?"]
    phone.context.set_offline(False)
    press(phone, "Sign Out")
    phone.wait_for_url("**/")
    expect(toast(phone)).to_contain_text("Logged out successfully")
    assert stored(phone) == ""
    assert phone.evaluate("() => caches.match('/drive/')") is None
    assert phone.evaluate("() => localStorage.getItem('recentlyViewed')") is None


def test_signing_out_elsewhere_in_the_store_leaves_nothing_either(phone: Page, store: Store) -> None:
    open_run(phone, store)
    phone.goto("/faq")
    assert NAMES[0] in stored(phone)
    phone.get_by_role("button", name="Menu", exact=True).click()
    phone.get_by_role("dialog", name="Menu").get_by_role("button", name="Logout").click()
    phone.wait_for_url("**/")
    wait_until(phone, "async () => !(await indexedDB.databases()).some(({ name }) => name === 'drive')")


def test_a_closed_run_leaves_the_phone(phone: Page, store: Store) -> None:
    open_run(phone, store)
    run_sql(store, "UPDATE runs SET closed_at = CURRENT_TIMESTAMP WHERE closed_at IS NULL AND departed_at IS NOT NULL")
    phone.evaluate("() => dispatchEvent(new Event('online'))")
    expect(phone.get_by_text("You are not out on a run.")).to_be_visible()
    assert NAMES[0] not in stored(phone)


def test_another_person_on_the_phone_sees_and_sends_nothing_of_it(phone: Page, store: Store) -> None:
    orders = open_run(phone, store)
    phone.context.set_offline(True)
    press(phone, "I'm here")
    expect(status(phone)).to_contain_text("1 step")
    sign_in_by_request(phone, new_email())  # before the connection is back: the driver's session would send the step
    phone.context.set_offline(False)
    expect(phone.get_by_role("main")).to_contain_text("do not have")
    phone.goto("/drive")
    expect(phone.get_by_role("main")).to_contain_text("do not have")
    assert stored(phone) == ""
    assert sent_events(store, orders[0]) == []


def test_a_session_that_has_ended_hides_the_run_and_keeps_the_steps(phone: Page, store: Store) -> None:
    open_run(phone, store)
    phone.context.set_offline(True)
    press(phone, "I'm here")
    expect(status(phone)).to_contain_text("1 step")
    phone.context.clear_cookies()
    phone.context.set_offline(False)
    expect(phone.get_by_text("Sign in again. The steps saved on this phone will be sent then.")).to_be_visible()
    assert NAMES[0] not in stored(phone)
    assert "arrived" in stored(phone)


def test_what_was_refused_after_signing_in_again_stands_on_its_stop(phone: Page, store: Store) -> None:
    orders = open_run(phone, store)
    phone.context.set_offline(True)
    press(phone, "I'm here")
    expect(status(phone)).to_contain_text("1 step")
    cookies = phone.context.cookies()
    phone.context.clear_cookies()
    phone.context.set_offline(False)
    expect(phone.get_by_text("Sign in again.")).to_be_visible()
    run_sql(store, "UPDATE run_stops SET wrong_pins = 5 WHERE order_id = :order", order=orders[0])
    phone.context.add_cookies([{**cookie} for cookie in cookies])
    phone.goto("/drive")
    expect(phone.get_by_role("heading", name="Locked. Call dispatch.")).to_be_visible()
    expect(status(phone)).to_have_text("Sent")
    assert "Locked after too many wrong PINs." in stored(phone)


def test_whoever_may_drive_has_the_link_on_the_account_page_and_nobody_else(phone: Page, store: Store) -> None:
    open_run(phone, store)
    phone.goto("/account")
    phone.get_by_role("link", name="Drive", exact=True).click()
    expect(phone.get_by_role("heading", name=NAMES[0], level=2)).to_be_visible()
    for email, count in ((new_email(), 0), (OWNER, 1)):
        sign_in_by_request(phone, email)
        phone.goto("/account")
        expect(phone.get_by_role("main")).to_contain_text(email)
        expect(phone.get_by_role("link", name="Drive", exact=True)).to_have_count(count)


def test_guests_are_sent_to_sign_in(phone: Page) -> None:
    phone.goto("/drive")
    phone.wait_for_url(re.compile("authorize|login"))


@pytest.mark.parametrize("size", BOTH_SIZES)
def test_every_step_is_accessible(new_page: Callable[..., Page], store: Store, size: tuple[int, int]) -> None:
    page = new_page(size)
    open_run(page, store)
    acts: tuple[Callable[[], None], ...] = (
        lambda: press(page, "I'm here"),
        lambda: check_id(page),
        lambda: enter_pin(page),
        lambda: press(page, "Couldn't Deliver"),
    )
    for number, act in enumerate(acts):
        expect_accessible(page, f"step {number} of the driver's page")
        assert horizontal_overflow(page) == 0
        act()
    expect_accessible(page, "the reasons of the driver's page")
    for button in page.get_by_role("main").get_by_role("button").all():
        box = button.bounding_box()
        assert box is None or box["height"] >= 56


def test_the_script_is_small_and_on_no_other_page(page: Page, store: Store) -> None:
    assert len(gzip.compress(Path("assets/drive.js").read_bytes(), mtime=0)) <= MAX_SCRIPT_BYTES
    for path in ("/", "/faq", "/account"):
        assert "drive.js" not in page.request.get(path).text()
    drive = page.request.get("/drive").text()
    assert re.findall(r'<script[^>]* src="([^"]+)"', drive) == ["/drive.js"]
    assert "modulepreload" not in drive
    assert 'type="module"' not in drive
