"""What a new order does to a page of the desk that is open: the tab's title, a sound, a system notification."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.acts import come_as, somebody
from tests.e2e.conftest import Api
from tests.e2e.test_admin_orders import OWNER, order

pytestmark = pytest.mark.browser

# What the browser would play and show, written down instead.
_WRITTEN_DOWN = """
window.told = [];
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...when) { window.told.push("tone"); return start.apply(this, when); };
window.Notification = class {
  static permission = localStorage.getItem("permission") || "default";
  static async requestPermission() {
    this.permission = window.answer || "granted";
    localStorage.setItem("permission", this.permission);
    return this.permission;
  }
  constructor(title) { window.told.push(title); }
};
"""


def open_desk(page: Page, address: str) -> None:
    page.goto(address)
    expect(page.locator("[data-last-order]")).not_to_have_attribute("data-last-order", "-1")


def test_the_title_counts_new_orders_until_the_list_is_seen(new_page: Callable[..., Page], api: Api) -> None:
    overview, settings = new_page(), new_page()
    for page, address in ((overview, "/admin"), (settings, "/admin/settings")):
        come_as(page, OWNER)
        open_desk(page, address)
        expect(page).not_to_have_title(re.compile(r"^\("))
    for count in (1, 2):
        order(api(somebody()), "Whitfield")
        for page in (overview, settings):
            expect(page).to_have_title(re.compile(rf"^\({count}\) "))
    overview.reload()
    expect(overview).to_have_title(re.compile(r"^\(2\) Admin"))
    overview.get_by_role("tab", name="Orders").click()
    expect(overview).to_have_title(re.compile("^Admin"))
    expect(settings).to_have_title(re.compile(r"^\(2\) Settings"))
    settings.get_by_role("link", name="Return to Store").click()
    expect(settings).not_to_have_title(re.compile(r"^\("))


def test_sound_and_notification_are_off_until_wanted_and_told_in_one_tab(page: Page, api: Api) -> None:
    page.context.add_init_script(_WRITTEN_DOWN)
    come_as(page, OWNER)
    open_desk(page, "/admin?tab=orders")
    choices = page.get_by_role("group", name="New orders")
    sound, notice = choices.get_by_label("Play a sound"), choices.get_by_label("Show a notification")
    expect(sound).not_to_be_checked()
    expect(notice).not_to_be_checked()
    placed = order(api(somebody()), "Whitfield")
    expect(page.get_by_role("row").filter(has_text=placed["id"][:8])).to_be_visible()
    assert page.evaluate("window.told") == []
    sound.check()
    notice.check()
    page.reload()
    expect(sound).to_be_checked()
    expect(notice).to_be_checked()
    other = page.context.new_page()
    open_desk(other, "/admin/settings")
    placed = order(api(somebody()), "Whitfield")
    for each in (page, other):
        expect(each.locator("[data-last-order]")).to_have_attribute("data-last-order", str(placed["number"]))
    told = "(async () => { await navigator.locks.request('desk-order-told', () => {}); return window.told; })()"
    assert sorted(page.evaluate(told) + other.evaluate(told)) == [f"New order {placed['number']}", "tone"]


def test_a_refused_permission_is_explained(page: Page) -> None:
    page.add_init_script(_WRITTEN_DOWN + 'window.answer = "denied";')
    come_as(page, OWNER)
    open_desk(page, "/admin?tab=orders")
    notice = page.get_by_label("Show a notification")
    notice.click()
    expect(page.get_by_text("Your browser does not allow notifications from this site.")).to_be_visible()
    expect(notice).not_to_be_checked()
