"""Overlays: install prompt, privacy notice, the screen after a failed sign-in; and the installed app."""

import json
import re
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest
from playwright.sync_api import FrameLocator, Locator, Page, Route, expect

from tests.e2e.acts import (
    new_email,
    offer_install,
    open_checkout,
    pass_age_gate,
    sign_in_as_adult,
    toast,
    wait_for_hydration,
)
from tests.e2e.conftest import FRAMING_PORT, PHONE, PORT, Store

pytestmark = pytest.mark.browser

DAY_MS = 24 * 60 * 60 * 1000
SET_DISMISSED = "(ago) => localStorage.setItem('installDismissed', Date.now() - ago)"
STANDALONE = """
  const asBefore = window.matchMedia;
  window.matchMedia = (query) => (query === "(display-mode: standalone)" ? { matches: true } : asBefore(query));
"""
# Whether nothing covers the centre of the element.
IS_ON_TOP = """(element) => {
  const box = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
}"""


def prompt(page: Page) -> Locator:
    return page.get_by_role("region", name="Stillroom as an app")


def open_faq(page: Page) -> None:
    page.goto("/faq")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    wait_for_hydration(page)


def settle(page: Page) -> None:
    """Wait until overlays that are due are shown."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


# the install prompt


def test_the_prompt_appears_when_the_browser_offers_and_not_before(page: Page) -> None:
    open_faq(page)
    expect(prompt(page)).to_be_hidden()
    offer_install(page)
    expect(prompt(page)).to_be_visible()
    expect(prompt(page)).to_contain_text("It opens from your home screen in its own window.")
    for name in ("Install App", "Later"):
        expect(prompt(page).get_by_role("button", name=name, exact=True)).to_be_visible()


def test_install_app_makes_the_browser_ask_and_hides_the_prompt(page: Page) -> None:
    open_faq(page)
    offer_install(page, "accepted")
    prompt(page).get_by_role("button", name="Install App").click()
    expect(prompt(page)).to_be_hidden()
    assert page.evaluate("() => window.wasAsked") is True
    assert page.evaluate("() => localStorage.getItem('installDismissed')") is None


def test_declining_the_browsers_prompt_counts_as_later(page: Page) -> None:
    open_faq(page)
    offer_install(page, "dismissed")
    prompt(page).get_by_role("button", name="Install App").click()
    expect(prompt(page)).to_be_hidden()
    offer_install(page)
    settle(page)
    expect(prompt(page)).to_be_hidden()


def test_later_stores_the_time_and_keeps_the_prompt_away(page: Page) -> None:
    open_faq(page)
    offer_install(page)
    prompt(page).get_by_role("button", name="Later").click()
    expect(prompt(page)).to_be_hidden()
    age = page.evaluate("() => Date.now() - Number(localStorage.getItem('installDismissed'))")
    assert 0 <= age < 60_000
    page.reload()
    offer_install(page)
    settle(page)
    expect(prompt(page)).to_be_hidden()


@pytest.mark.parametrize(("ago", "is_asked"), [(7 * DAY_MS - 60_000, False), (7 * DAY_MS + 60_000, True)])
def test_it_comes_back_after_more_than_seven_days(page: Page, ago: int, is_asked: bool) -> None:
    open_faq(page)
    page.evaluate(SET_DISMISSED, ago)
    offer_install(page)
    settle(page)
    expect(prompt(page)).to_be_visible(visible=is_asked)


def test_an_installed_store_does_not_ask(page: Page) -> None:
    page.add_init_script(STANDALONE)
    open_faq(page)
    offer_install(page)
    settle(page)
    expect(prompt(page)).to_be_hidden()


def test_installing_from_the_browsers_menu_hides_the_prompt(page: Page) -> None:
    open_faq(page)
    offer_install(page)
    expect(prompt(page)).to_be_visible()
    page.evaluate("() => dispatchEvent(new Event('appinstalled'))")
    expect(prompt(page)).to_be_hidden()


def test_the_install_prompt_survives_navigation_and_returns_the_focus(page: Page) -> None:
    open_faq(page)
    offer_install(page)
    page.get_by_role("link", name="Shipping Info").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Shipping Info")
    later = prompt(page).get_by_role("button", name="Later")
    later.focus()
    page.keyboard.press("Enter")
    expect(prompt(page)).to_be_hidden()
    expect(page.get_by_role("main")).to_be_focused()


def test_the_install_prompt_does_not_cover_the_checkout_bar(new_page: Callable[..., Page]) -> None:
    page = new_page(PHONE)
    open_checkout(page, new_email())
    offer_install(page)
    expect(prompt(page)).to_be_visible()
    page.locator("[data-foot-bar]").get_by_role("button", name="Place Order").click(trial=True)
    panel, bar = prompt(page).bounding_box(), page.locator("[data-foot-bar]").bounding_box()
    assert panel is not None
    assert bar is not None
    assert panel["y"] + panel["height"] <= bar["y"]


# the privacy notice

SHOWN_AT = """
  new MutationObserver(() => {
    const load = performance.getEntriesByType("navigation")[0].loadEventStart;
    if (document.documentElement.dataset.panel) window.shownAfter ??= performance.now() - load;
  }).observe(document, { attributes: true, subtree: true, attributeFilter: ["data-panel"] });
"""


class AnotherSite(BaseHTTPRequestHandler):
    """A page of another site with the store in a frame.

    It is really served, because browsers do not let a page faked by `page.route` embed localhost.
    """

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(f"<iframe src='http://localhost:{PORT}/faq' width='1200' height='800'></iframe>".encode())

    def log_message(self, *_words: object) -> None:
        """Log nothing."""


@pytest.fixture
def framed(page: Page) -> Iterator[FrameLocator]:
    """The store inside another site's page, as a preview shows it."""
    with ThreadingHTTPServer(("127.0.0.1", FRAMING_PORT), AnotherSite) as site:
        threading.Thread(target=site.serve_forever, daemon=True).start()
        page.add_init_script(SHOWN_AT)
        page.goto(f"http://localhost:{FRAMING_PORT}")
        yield page.frame_locator("iframe")
        site.shutdown()


def notice(where: Page | FrameLocator) -> Locator:
    return where.get_by_role("region", name="Browser privacy notice")


def let_overlays_appear(page: Page) -> None:
    """Advance the page's fake clock past the delay after which an overlay would appear."""
    page.clock.fast_forward(2_500)
    settle(page)


def test_in_a_frame_the_notice_appears_after_two_seconds(page: Page, framed: FrameLocator) -> None:
    expect(notice(framed)).to_be_visible(timeout=10_000)
    expect(notice(framed)).to_contain_text("Everything works in a separate tab")
    after = page.frames[1].evaluate("() => window.shownAfter")
    assert 1_950 <= after < 5_000


def test_continuing_here_is_remembered_for_good(page: Page, framed: FrameLocator) -> None:
    notice(framed).get_by_role("button", name="Continue Here").click()
    expect(notice(framed)).to_be_hidden()
    page.clock.install()
    page.reload()
    expect(framed.get_by_role("heading", level=1)).to_be_visible()
    let_overlays_appear(page)
    expect(notice(framed)).to_be_hidden()


def test_a_frame_without_storage_still_shows_page_and_notice(page: Page, framed: FrameLocator) -> None:
    page.goto(f"http://127.0.0.1:{FRAMING_PORT}")  # to the browser this is a different site from `localhost`
    expect(notice(framed)).to_be_visible(timeout=10_000)
    expect(framed.get_by_role("heading", level=1)).to_have_text("Questions, answered")
    notice(framed).get_by_role("button", name="Continue Here").click()
    expect(notice(framed)).to_be_hidden()
    page.frames[1].evaluate("() => { sessionStorage.setItem('flash', 1); sessionStorage.clear(); }")  # as signing out
    assert page.frames[1].evaluate("() => sessionStorage.getItem('flash')") is None


def test_a_new_tab_shows_the_same_address_without_the_notice(page: Page, framed: FrameLocator, store: Store) -> None:
    with page.expect_popup() as opened:
        notice(framed).get_by_role("link", name="Open in New Tab").click()
    expect(opened.value).to_have_url(f"{store.url}/faq")
    expect(notice(framed)).to_be_hidden()
    opened.value.wait_for_timeout(2_500)  # the absence of an overlay can only be waited for
    expect(notice(opened.value)).to_be_hidden()


def test_a_top_level_page_has_a_notice_only_on_the_preview_domain(page: Page) -> None:
    page.clock.install()
    open_faq(page)
    let_overlays_appear(page)
    expect(notice(page)).to_be_hidden()
    for domain, is_shown in (("alhost", False), ("localhost", True)):  # a suffix of the host is no parent domain
        page.reload()
        page.evaluate(
            "(domain) => document.querySelector('[data-panel=privacy]').dataset.previewDomain = domain", domain
        )
        let_overlays_appear(page)
        expect(notice(page)).to_be_visible(visible=is_shown)


# after a sign-in that did not finish, in a store with an original site at another host (RULE auth-error-screen)


def test_a_failed_sign_in_offers_the_original_site(page: Page) -> None:
    page.goto("/shipping?auth_error=true&from=mail")
    expect(page.get_by_role("heading", level=1)).to_have_text("Your sign-in did not finish")
    expect(page.get_by_role("link", name="Sign In to Continue")).to_have_attribute(
        "href", "https://original.example/api/login?return_to=%2Fshipping%3Ffrom%3Dmail"
    )
    expect(page.get_by_role("link", name="Open Original Site")).to_have_attribute("href", "https://original.example/")


def test_the_failed_sign_in_screen_replaces_the_landing_page(page: Page) -> None:
    page.goto("/?auth_error=true")
    expect(page.get_by_role("heading", level=1)).to_have_text("Your sign-in did not finish")
    expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.parametrize("query", ["", "?auth_error=false", "?auth_error="])
def test_without_auth_error_the_page_is_unchanged(page: Page, query: str) -> None:
    page.goto(f"/shipping{query}")
    expect(page.get_by_role("heading", level=1)).to_have_text("Shipping Info")
    expect(page.get_by_role("link", name="Sign In to Continue")).to_have_count(0)


def test_the_original_site_shows_no_failed_sign_in_screen(page: Page, store: Store) -> None:
    """The same store answers at both hosts."""

    def answer(route: Route) -> None:
        path = route.request.url.removeprefix("https://").partition("/")[2]
        answered = httpx.get(f"{store.url}/{path}")
        route.fulfill(status=answered.status_code, content_type=answered.headers["content-type"], body=answered.content)

    def open_on_host(host: str) -> None:
        """Every script of the page goes through `answer`, one by one, which can be slow."""
        page.goto(f"https://{host}/shipping?auth_error=true")
        page.wait_for_function(
            "() => Object.keys(document.querySelector('main')).some((key) => key.startsWith('__react'))"
        )

    page.route(re.compile("^https://(original|another).example/"), answer)
    page.route_web_socket(re.compile("/_event"), lambda _socket: None)
    open_on_host("another.example")
    expect(page.get_by_role("heading", level=1)).to_have_text("Your sign-in did not finish")
    open_on_host("original.example")
    expect(page.get_by_role("button", name="Cart, 0 items")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text("Shipping Info")


def test_members_never_see_the_failed_sign_in_screen(page: Page) -> None:
    sign_in_as_adult(page, new_email(), to="/shipping?auth_error=true")
    expect(page.get_by_role("button", name="Logout")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text("Shipping Info")


# the store as an app


@pytest.fixture
def controlled_page(new_page: Callable[..., Page]) -> Page:
    """A page that the service worker serves: from the second visit on."""
    page = new_page(service_workers="allow")
    open_faq(page)
    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    page.reload()
    # Otherwise the connection would be cut while the page's socket opens, and Chromium logs an error.
    wait_for_hydration(page)
    return page


@pytest.fixture
def set_online(controlled_page: Page) -> Iterator[Callable[[bool], None]]:
    yield lambda is_up: controlled_page.context.set_offline(not is_up)
    controlled_page.context.set_offline(False)


def cached_paths(page: Page) -> list[str]:
    addresses = page.evaluate(
        """async () => (await Promise.all((await caches.keys()).map(async (name) =>
             (await (await caches.open(name)).keys()).map((request) => new URL(request.url).pathname)))).flat()"""
    )
    return list(addresses)


def test_the_manifest_is_linked_and_its_files_are_there(page: Page) -> None:
    open_faq(page)
    address = page.locator("link[rel=manifest]").get_attribute("href")
    answer = page.request.get(str(address))
    assert (answer.status, answer.headers["content-type"]) == (200, "application/manifest+json")
    assert answer.headers["cache-control"] == "no-cache"
    described = json.loads(answer.text())
    assert described["name"] == "Stillroom"
    assert all(page.request.get(icon["src"]).ok for icon in described["icons"])


def test_the_service_worker_is_revalidated_each_time(page: Page) -> None:
    answer = page.request.get("/sw.js")
    assert (answer.status, answer.headers["cache-control"]) == (200, "no-cache")


def test_the_build_has_named_the_cache_of_its_worker(page: Page) -> None:
    """With the placeholder still in its name, the next worker would find the files of this build in its cache."""
    text = page.request.get("/sw.js").text()
    assert '"store-' in text
    assert 'BUILD"' not in text


def test_the_worker_caches_hashed_files_and_the_offline_page_only(controlled_page: Page) -> None:
    sign_in_as_adult(controlled_page, new_email())
    for address in ("/product/1", "/account?tab=orders", "/test"):
        controlled_page.goto(address)
        expect(controlled_page.get_by_role("heading", level=1)).to_be_visible()
    controlled_page.evaluate("() => fetch('/api/products')")
    addresses = cached_paths(controlled_page)
    assert "/offline/" in addresses
    assert len(addresses) > 5
    assert [each for each in addresses if not each.startswith("/assets/") and each != "/offline/"] == []


def test_pages_load_when_no_space_is_left_to_cache_their_files(new_page: Callable[..., Page]) -> None:
    page = new_page(service_workers="allow")
    with page.context.expect_event("serviceworker") as started:
        open_faq(page)
    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    started.value.evaluate(
        "() => { Cache.prototype.put = () => Promise.reject(new DOMException('full', 'QuotaExceededError')); }"
    )
    open_faq(page)
    assert not [path for path in cached_paths(page) if path.startswith("/assets/")]


def test_an_offline_page_says_so_and_recovers_by_itself(
    controlled_page: Page, set_online: Callable[[bool], None]
) -> None:
    set_online(False)
    controlled_page.goto("/shipping")
    expect(controlled_page.get_by_role("heading", level=1)).to_have_text("No connection")
    expect(controlled_page).to_have_title("No connection · Stillroom")
    controlled_page.get_by_role("link", name="Try again").click()
    expect(controlled_page.get_by_role("heading", level=1)).to_have_text("No connection")
    set_online(True)
    expect(controlled_page.get_by_role("heading", level=1)).to_have_text("Shipping Info", timeout=20_000)


def test_signing_out_clears_the_caches_and_the_offline_page_is_cached_again(controlled_page: Page) -> None:
    sign_in_as_adult(controlled_page, new_email(), to="/shipping")
    controlled_page.evaluate(
        "async () => { await (await caches.open('store-mark')).put('/assets/mark.js', new Response('')); }"
    )
    controlled_page.get_by_role("button", name="Logout").click()
    expect(toast(controlled_page)).to_contain_text("Logged out successfully")
    assert "/assets/mark.js" not in cached_paths(controlled_page)
    controlled_page.goto("/faq")
    expect(controlled_page.get_by_role("heading", level=1)).to_be_visible()
    for _ in range(100):
        if "/offline/" in cached_paths(controlled_page):
            return
        settle(controlled_page)
    raise AssertionError(cached_paths(controlled_page))


def test_a_new_worker_deletes_the_old_cache(controlled_page: Page) -> None:
    controlled_page.evaluate(
        """async () => {
          await (await caches.open("store-old")).put("/assets/old.js", new Response("old"));
          await (await navigator.serviceWorker.getRegistration()).unregister();
        }"""
    )
    controlled_page.reload()
    controlled_page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    for _ in range(100):
        if "/assets/old.js" not in cached_paths(controlled_page):
            return
        settle(controlled_page)
    raise AssertionError(cached_paths(controlled_page))


@pytest.mark.parametrize("name", ["install", "privacy"])
def test_the_age_gate_is_above_both_panels(page: Page, name: str) -> None:
    panel = page.locator(f"section[data-panel={name}]")

    def is_panel_on_top() -> bool:
        page.evaluate("(name) => { document.documentElement.dataset.panel = name; }", name)
        expect(panel).to_be_visible()
        settle(page)
        return bool(panel.evaluate(IS_ON_TOP))

    page.goto("/")
    expect(page.get_by_role("dialog")).to_be_visible()
    assert not is_panel_on_top()
    pass_age_gate(page)
    assert is_panel_on_top()
