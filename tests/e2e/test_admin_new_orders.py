"""What a new order does to open admin pages: the tab's title, a sound, a system notification."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.acts import OWNER, new_email, place_order_by_request, sign_in_by_request, wait_for_requests
from tests.e2e.conftest import Api, Store

pytestmark = [pytest.mark.browser, pytest.mark.staff]

# Records what the browser plays and shows.
_RECORD_ALERTS = """
window.alerts = [];
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...when) { window.alerts.push("tone"); return start.apply(this, when); };
window.Notification = class {
  static permission = localStorage.getItem("permission") || "default";
  static async requestPermission() {
    this.permission = window.answer || "granted";
    localStorage.setItem("permission", this.permission);
    return this.permission;
  }
  constructor(title) { window.alerts.push(title); }
};
"""

# What has been played and shown, once no tab is still announcing an order.
_ALERTS = "(async () => { await navigator.locks.request('admin-order-announced', () => {}); return window.alerts; })()"


def open_admin_page(page: Page, address: str) -> None:
    page.goto(address)
    expect(page.locator("[data-last-order]")).not_to_have_attribute("data-last-order", "-1")


def test_the_title_counts_new_orders_until_the_list_is_open(new_page: Callable[..., Page], api: Api) -> None:
    overview, settings = new_page(), new_page()
    for page, address in ((overview, "/admin"), (settings, "/admin/settings")):
        sign_in_by_request(page, OWNER)
        open_admin_page(page, address)
        expect(page).not_to_have_title(re.compile(r"^\("))
    for count in (1, 2):
        place_order_by_request(api(new_email()), "Whitfield")
        for page in (overview, settings):
            expect(page).to_have_title(re.compile(rf"^\({count}\) "))
    overview.reload()
    expect(overview).to_have_title(re.compile(r"^\(2\) Admin"))
    overview.get_by_role("tab", name="Orders").click()
    expect(overview).to_have_title(re.compile("^Admin"))
    expect(settings).to_have_title(re.compile(r"^\(2\) Settings"))
    settings.get_by_role("link", name="Return to Store").click()
    expect(settings).not_to_have_title(re.compile(r"^\("))


def test_sound_and_notification_are_off_by_default_and_come_from_one_tab(page: Page, api: Api) -> None:
    page.context.add_init_script(_RECORD_ALERTS)
    sign_in_by_request(page, OWNER)
    open_admin_page(page, "/admin?tab=orders")
    choices = page.get_by_role("group", name="New orders")
    sound, notice = choices.get_by_label("Play a sound"), choices.get_by_label("Show a notification")
    expect(sound).not_to_be_checked()
    expect(notice).not_to_be_checked()
    placed = place_order_by_request(api(new_email()), "Whitfield")
    expect(page.locator("[data-last-order]")).to_have_attribute("data-last-order", str(placed["number"]))
    assert page.evaluate(_ALERTS) == []
    sound.check()
    notice.check()
    page.reload()
    expect(sound).to_be_checked()
    expect(notice).to_be_checked()
    other = page.context.new_page()
    open_admin_page(other, "/admin/settings")
    placed = place_order_by_request(api(new_email()), "Whitfield")
    for each in (page, other):
        expect(each.locator("[data-last-order]")).to_have_attribute("data-last-order", str(placed["number"]))
    assert sorted(page.evaluate(_ALERTS) + other.evaluate(_ALERTS)) == [f"New order {placed['number']}", "tone"]


def test_a_refused_permission_is_explained(page: Page) -> None:
    page.add_init_script(_RECORD_ALERTS + 'window.answer = "denied";')
    sign_in_by_request(page, OWNER)
    open_admin_page(page, "/admin?tab=orders")
    notice = page.get_by_label("Show a notification")
    notice.click()
    expect(page.get_by_text("Your browser does not allow notifications from this site.")).to_be_visible()
    expect(notice).not_to_be_checked()


def test_the_service_worker_notifies_where_pages_may_not(new_page: Callable[..., Page], api: Api) -> None:
    page = new_page(service_workers="allow")
    page.add_init_script(_RECORD_ALERTS)
    page.add_init_script("""
        window.Notification = class {
          static permission = "granted";
          constructor() { throw new TypeError("Illegal constructor"); }
        };
        ServiceWorkerRegistration.prototype.showNotification = async (title) => {
          document.documentElement.dataset.notified = title;
        };
        for (const kind of ["sound", "notification"]) localStorage.setItem(`admin-new-order-${kind}`, "on");
    """)
    sign_in_by_request(page, OWNER)
    open_admin_page(page, "/admin/settings")
    wait_for_requests(page)  # so that the page is told of the order
    placed = place_order_by_request(api(new_email()), "Whitfield")
    expect(page).to_have_title(re.compile(r"^\(1\) Settings"))
    expect(page.locator("html")).to_have_attribute("data-notified", f"New order {placed['number']}")
    assert page.evaluate("window.alerts") == ["tone"]


_PRESS_NOTIFICATION = """async () => {
  let result = "";
  clients.openWindow = async (url) => { result = `opened ${url}`; };
  WindowClient.prototype.focus = async function () { result = `focused ${this.url}`; };
  const press = new ExtendableEvent("notificationclick");
  press.notification = { close() {} };
  dispatchEvent(press);
  for (let waits = 0; !result && waits < 100; waits++) await new Promise((done) => setTimeout(done, 20));
  return result;
}"""


def test_clicking_the_notification_opens_the_orders(new_page: Callable[..., Page], store: Store) -> None:
    page = new_page(service_workers="allow")
    sign_in_by_request(page, OWNER)
    with page.context.expect_event("serviceworker") as started:
        open_admin_page(page, "/admin/settings")
    worker = started.value
    assert worker.evaluate(_PRESS_NOTIFICATION) == f"opened {store.url}/admin?tab=orders"
    open_admin_page(page, "/admin?tab=orders")
    assert worker.evaluate(_PRESS_NOTIFICATION) == f"focused {store.url}/admin?tab=orders"
