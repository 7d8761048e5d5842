"""The landing page: its texts, its film, and that members never see it."""

from collections.abc import Callable
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from marketplace_app.components.shell.footer import LEGAL, SUPPORT
from tests.e2e.acts import pass_age_gate, sign_in, wait_until
from tests.e2e.conftest import PHONE, Store

pytestmark = pytest.mark.browser

# What the page had done when its film was given an address, and so was fetched.
RECORD_FILM = """
const source = Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, "src");
Object.defineProperty(HTMLMediaElement.prototype, "src", {
  ...source,
  set(address) {
    const isPainted = performance.getEntriesByName("first-contentful-paint").length > 0;
    window.filmCame = { after: document.readyState, isPainted };
    source.set.call(this, address);
  },
});
"""

# When the page's scripts were asked for, which is after the first paint.
RECORD_SCRIPTS = """
new MutationObserver((_, observer) => {
  if (!document.querySelector('link[rel="modulepreload"]')) return;
  window.scriptsAskedFor = performance.now();
  observer.disconnect();
}).observe(document, { subtree: true, childList: true, attributeFilter: ["rel"] });
"""

PICTURES = "performance.getEntriesByType('resource').filter((file) => file.name.includes('/pictures/'))"


def test_the_landing_page_shows_the_stores_offer(page: Page) -> None:
    pass_age_gate(page)
    main = page.get_by_role("main")
    offers = ("25% OFF", "First purchase", "$100 off", "with a referral", "Free shipping", "on orders over $200")
    for text in (*offers, "Applied automatically at checkout. No code."):
        expect(main.get_by_text(text, exact=True)).to_be_visible()
    features = main.get_by_role("region", name="What to expect").get_by_role("heading")
    expect(features).to_have_text(["Lab Tested", "Premium Quality", "Fast Shipping", "Natural"])
    for name in ("Sign In to Shop", "Browse Products", "Create Your Account"):
        expect(main.get_by_role("link", name=name)).to_have_attribute("href", "/api/login")
    expect(main.get_by_role("heading", name="Create Your Account")).to_be_visible()
    footer = page.get_by_role("contentinfo")
    columns = {
        "Products": ("THC Flower", "Pre-Rolls", "Concentrates", "Vapes", "Edibles"),
        "Support": ("Contact Support", "FAQ", "Shipping Info", "Returns"),
        "Legal": ("Privacy Policy", "Terms of Service", "Lab Results", "Compliance"),
    }
    for heading, names in columns.items():
        column = footer.get_by_role("navigation", name=heading)
        assert column.get_by_role("link").all_inner_texts() == list(names)
    for text in ("Must be 21+ to purchase", "evaluated by the Food and Drug Administration", "© 2024"):
        expect(footer.get_by_text(text)).to_be_visible()


# Contact Support is a form.
@pytest.mark.parametrize("path", [path for _, path in (*SUPPORT, *LEGAL) if path != "/support"])
def test_each_page_of_the_footer_has_a_text(page: Page, path: str) -> None:
    answer = page.goto(path)
    assert answer is not None
    assert answer.status == 200
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert len(page.get_by_role("main").inner_text()) > 150


def test_a_category_in_the_footer_leads_through_sign_in_to_its_products(page: Page) -> None:
    pass_age_gate(page)
    page.get_by_role("contentinfo").get_by_role("link", name="Vapes").click()
    page.locator("input[name=sub]").fill("footer@example.org")
    page.get_by_role("button", name="Authorize").click()
    expect(page.get_by_role("heading", name="Vapes Products", level=1)).to_be_visible()


def test_the_film_comes_after_the_page_and_can_be_stopped(new_page: Callable[..., Page]) -> None:
    page = new_page(has_motion=True)
    page.add_init_script(RECORD_FILM)
    pass_age_gate(page)
    page.get_by_role("button", name="Pause film").click()
    expect(page.get_by_role("button", name="Play film")).to_be_visible()
    assert page.locator("video").evaluate("film => [film.muted, film.loop]") == [True, True]
    assert page.evaluate("window.filmCame") == {"after": "complete", "isPainted": True}


def test_on_a_phone_the_pictures_of_categories_come_after_the_first_paint(new_page: Callable[..., Page]) -> None:
    page = new_page(PHONE)
    page.add_init_script(RECORD_SCRIPTS)
    page.goto("/")
    wait_until(page, f"() => {PICTURES}.length === 5")
    asked_for = page.evaluate(f"() => {PICTURES}.map((picture) => picture.startTime)")
    assert min(asked_for) >= page.evaluate("window.scriptsAskedFor")


def test_reduced_motion_shows_the_hero_image_only(page: Page) -> None:
    urls: list[str] = []
    page.on("request", lambda request: urls.append(request.url))
    pass_age_gate(page)
    page.wait_for_load_state("networkidle")
    assert not [url for url in urls if "/hero/hero." in url]


def test_members_do_not_fetch_the_film(new_page: Callable[..., Page]) -> None:
    page = new_page(has_motion=True)
    sign_in(page, "member@example.org")
    urls: list[str] = []
    page.on("request", lambda request: urls.append(request.url))
    page.goto("/")
    expect(page.get_by_role("status").filter(has_text="products found")).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert not [url for url in urls if "/hero/hero." in url]


def test_members_never_see_the_landing_page(new_page: Callable[..., Page]) -> None:
    """Even before the page's scripts have run it shows the catalogue's skeleton, not the film."""
    page = new_page(PHONE, allowed_error="Failed to fetch dynamically imported module")
    sign_in(page, "member@example.org")
    page.route("**/assets/*.js", lambda route: route.abort())
    page.goto("/")
    expect(page.get_by_text("Careful cannabis")).to_be_hidden()
    expect(page.get_by_role("navigation", name="Categories")).to_be_visible()


IS_HYDRATED = "() => Object.keys(document.querySelector('header button')).some((key) => key.startsWith('__react'))"


def test_the_page_is_hydrated_without_being_touched(page: Page) -> None:
    page.goto("/")
    expect(page.get_by_role("dialog")).to_be_visible()
    wait_until(page, IS_HYDRATED)


def test_a_pending_message_is_shown(page: Page, store: Store) -> None:
    page.context.add_cookies(
        [{"name": "flash", "value": quote('{"kind":"error","title":"No luck"}'), "url": store.url}]
    )
    page.goto("/")
    expect(page.get_by_text("No luck")).to_be_visible()
