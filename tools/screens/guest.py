"""What to do before each screenshot as a guest."""

from collections.abc import Callable

from playwright.sync_api import expect

from marketplace_app.models import LegalPage
from marketplace_app.pages.gallery import SECTIONS
from marketplace_app.pages.plain import PLAIN_PAGES
from tests.e2e.acts import offer_install, open_cart, pass_age_gate, toast
from tools.screens.camera import Camera

Scene = Callable[[Camera], None]


def age_gate(camera: Camera) -> None:
    camera.page.goto("/")
    expect(camera.page.get_by_role("dialog")).to_be_visible()
    camera.take("age-gate", whole=False)
    camera.page.get_by_role("button", name="I am 21 or older").click()
    expect(toast(camera.page)).to_be_visible()
    camera.take("age-gate-refused", whole=False)
    pass_age_gate(camera.page)


def landing(camera: Camera) -> None:
    camera.page.goto("/")
    expect(camera.page.get_by_role("heading", level=1)).to_be_visible()
    camera.take("landing-fold", whole=False)
    camera.take("landing")


def plain_pages(camera: Camera) -> None:
    for plain in PLAIN_PAGES:
        camera.page.goto(plain.route)
        expect(camera.page.get_by_role("heading", level=1)).to_have_text(plain.title)
        camera.take(plain.route.strip("/"))


def legal_pages_and_invitations(camera: Camera) -> None:
    for path in (*LegalPage, "invite", "invite/no-such-code"):
        camera.page.goto(f"/{path}")
        expect(camera.page.get_by_role("main").get_by_role("heading", level=1)).to_be_visible()
        camera.take(path.replace("/", "-"))


def faq(camera: Camera) -> None:
    camera.page.goto("/faq")
    # From last to first: an opened question no longer matches, and those after it would move up by one.
    for folded in reversed(camera.page.locator("details:not([open]) summary").all()):
        folded.click()
    camera.take("faq")


def self_check(camera: Camera) -> None:
    camera.page.goto("/test")
    expect(camera.page.get_by_text("Number of products:")).to_be_visible()
    camera.take("product-test")


def overlays(camera: Camera) -> None:
    camera.page.goto("/faq")
    offer_install(camera.page)
    expect(camera.page.get_by_role("button", name="Install App")).to_be_visible()
    camera.take("install-prompt", whole=False)
    camera.page.evaluate("() => { document.documentElement.dataset.panel = 'privacy'; }")
    expect(camera.page.get_by_role("button", name="Continue Here")).to_be_visible()
    camera.take("privacy-notice", whole=False)


def offline(camera: Camera) -> None:
    camera.page.goto("/offline")
    expect(camera.page.get_by_role("heading", level=1)).to_have_text("No connection")
    camera.take("offline", whole=False)


def not_found(camera: Camera) -> None:
    camera.page.goto("/no-such-page")
    expect(camera.page.get_by_role("heading", level=1)).to_be_visible()
    camera.take("404")


def cart_signed_out(camera: Camera) -> None:
    camera.page.goto("/shipping")
    open_cart(camera.page)
    camera.take("cart-signed-out", whole=False)


def gallery(camera: Camera) -> None:
    """A picture for each section, since the whole page is too long to look at. The page itself shows both themes."""
    if camera.theme == "dark":
        return
    camera.page.goto("/dev/gallery")
    expect(camera.page.get_by_role("heading", level=1)).to_be_visible()
    for place, section in enumerate(SECTIONS, start=1):
        camera.take_part(f"gallery-{place:02}-{section.anchor}", camera.page.locator(f"#{section.anchor}"))


def welcome(camera: Camera) -> None:
    camera.page.goto("/welcome")
    expect(camera.page.get_by_role("main").get_by_role("link", name="Sign In to Shop")).to_be_visible()
    camera.take("welcome")


def support_of_guests(camera: Camera) -> None:
    camera.page.goto("/support")
    expect(camera.page.get_by_role("heading", name="Please Sign In")).to_be_visible()
    camera.take("support-guest")
    camera.page.get_by_role("button", name="Create Support Ticket").click()
    camera.page.get_by_role("button", name="Create Ticket").click()
    expect(camera.page.get_by_text("Subject and message are required").first).to_be_visible()
    camera.take("support-guest-errors", whole=False)


GUEST: tuple[Scene, ...] = (
    age_gate,
    landing,
    welcome,
    plain_pages,
    legal_pages_and_invitations,
    faq,
    self_check,
    overlays,
    offline,
    not_found,
    cart_signed_out,
    support_of_guests,
    gallery,
)
