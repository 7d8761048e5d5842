"""The tour: what to do before each picture. Guests first, then a member."""

import re
from collections.abc import Callable

from playwright.sync_api import WebSocketRoute, expect

from marketplace_app.pages.gallery import SECTIONS
from marketplace_app.pages.plain import PLAIN_PAGES
from tests.e2e.acts import offer_install, open_cart, pass_age_gate, run_sql, toast
from tools.screens.camera import Camera

Scene = Callable[[Camera], None]
FERN_HOLLOW = 1
FORM = {
    "First name": "Nora",
    "Last name": "Whitfield",
    "Contact phone": "503 555 0142",
    "Address": "214 Larch Street",
    "City": "Portland",
    "State": "OR",
    "Zip code": "97201",
    "Delivery instructions": "Side entrance, the green door.",
    "Payment pickup instructions": "Envelope under the mat.",
}


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


def faq(camera: Camera) -> None:
    camera.page.goto("/faq")
    for folded in camera.page.locator("details:not([open]) summary").all()[::-1]:
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
    """A picture a section: the whole of it would be too long to look at. It shows both themes by itself."""
    if camera.theme == "dark":
        return
    camera.page.goto("/dev/gallery")
    expect(camera.page.get_by_role("heading", level=1)).to_be_visible()
    for place, section in enumerate(SECTIONS, start=1):
        camera.take_part(f"gallery-{place:02}-{section.anchor}", camera.page.locator(f"#{section.anchor}"))


def _found(camera: Camera, address: str) -> None:
    camera.page.goto(address)
    expect(camera.page.get_by_role("status").filter(has_text="found")).to_be_visible()


def catalogue(camera: Camera) -> None:
    _found(camera, "/")
    camera.take("catalogue")
    _found(camera, "/?view=list")
    camera.take("catalogue-list")
    _found(camera, "/?category=THC+Flower&type=Indica&type=Hybrid&price=Under+%2450")
    camera.take("catalogue-filtered")
    _found(camera, "/?search=zzzz")
    camera.take("catalogue-empty")
    _found(camera, "/?search=fren+holow")
    camera.take("catalogue-corrected")


def catalogue_waiting(camera: Camera) -> None:
    """The server never answers."""
    camera.page.route_web_socket(re.compile("/_event"), lambda line: None)
    for view in ("grid", "list"):
        camera.page.goto(f"/?view={view}")
        expect(camera.page.locator("[data-skeleton]").first).to_be_visible()
        camera.take(f"catalogue-skeleton-{view}")


def catalogue_failed(camera: Camera) -> None:
    run_sql(camera.store, "ALTER TABLE counters RENAME TO counters_away")
    try:
        camera.page.goto("/")
        expect(camera.page.get_by_text("Failed to load products.")).to_be_visible()
        camera.take("catalogue-failed")
    finally:
        run_sql(camera.store, "ALTER TABLE counters_away RENAME TO counters")


def phone_panels(camera: Camera) -> None:
    if not camera.is_phone:
        return
    _found(camera, "/?type=Indica")
    camera.page.get_by_role("button", name=re.compile("^Filters")).click()
    camera.take("filter-sheet", whole=False)
    camera.page.keyboard.press("Escape")
    camera.page.get_by_role("button", name="Menu").click()
    expect(camera.page.get_by_role("dialog", name="Menu")).to_be_visible()
    camera.take("menu", whole=False)
    camera.page.keyboard.press("Escape")
    camera.page.get_by_role("button", name="Search", exact=True).click()
    camera.take("search", whole=False)


def product(camera: Camera) -> None:
    camera.page.goto(f"/product/{FERN_HOLLOW}")
    expect(camera.page.get_by_role("heading", name="Fern Hollow", level=1)).to_be_visible()
    camera.take("product")
    camera.page.get_by_role("tab", name="Lab Results").click()
    camera.take("product-lab-results")
    camera.page.goto("/product/999999")
    expect(camera.page.get_by_text("Product not found.")).to_be_visible()
    camera.take("product-missing")


def _fill_cart(camera: Camera, *quantities: tuple[int, int]) -> None:
    run_sql(camera.store, "DELETE FROM cart_lines")
    for product_id, quantity in quantities:
        body = {"productId": product_id, "quantity": quantity}
        answer = camera.page.request.post("/api/cart", data=body, headers={"Origin": camera.store.url})
        assert answer.ok, answer.text()


def cart(camera: Camera) -> None:
    for name, quantities in {
        "cart-empty": (),
        "cart-under-minimum": ((FERN_HOLLOW, 1),),
        "cart-under-free-delivery": ((FERN_HOLLOW, 3),),
        "cart-full": tuple((number, 2) for number in range(1, 8)),
    }.items():
        _fill_cart(camera, *quantities)
        _found(camera, "/")
        open_cart(camera.page)
        camera.take(name, whole=False)


def toasts(camera: Camera) -> None:
    _fill_cart(camera)
    _found(camera, "/")
    camera.page.get_by_role("button", name="Add to Cart").first.click()
    expect(toast(camera.page)).to_be_visible()
    camera.take("toast", whole=False)
    open_cart(camera.page)
    camera.take("toast-over-cart", whole=False)


def checkout(camera: Camera) -> None:
    _fill_cart(camera, (FERN_HOLLOW, 1))
    camera.page.goto("/checkout")
    expect(camera.page.get_by_label("City", exact=True)).to_be_visible()
    camera.take("checkout-under-minimum")
    _fill_cart(camera, (FERN_HOLLOW, 3), (FERN_HOLLOW + 1, 1))
    camera.page.goto("/checkout")
    expect(camera.page.get_by_label("City", exact=True)).to_be_visible()
    camera.take("checkout")
    camera.take("checkout-fold", whole=False)
    camera.page.get_by_role("button", name="Place Order").locator("visible=true").first.click()
    expect(camera.page.get_by_role("alert").filter(has_text="need attention")).to_be_visible()
    camera.take("checkout-errors")


def orders(camera: Camera) -> None:
    camera.page.goto("/account?tab=orders")
    expect(camera.page.get_by_text("No orders yet.")).to_be_visible()
    camera.take("orders-none")
    _fill_cart(camera, (FERN_HOLLOW, 3))
    camera.page.goto("/checkout")
    for label, value in FORM.items():
        camera.page.get_by_label(label, exact=True).fill(value)
    camera.page.get_by_role("button", name="Place Order").locator("visible=true").first.click()
    camera.page.wait_for_url("**/account?tab=orders")
    camera.take("orders")
    camera.page.get_by_role("button", name="View Details").click()
    camera.page.wait_for_url("**/orders/*")
    camera.page.reload()
    expect(camera.page.get_by_role("region", name="Order progress")).to_be_visible()
    camera.take("order")
    camera.page.get_by_role("button", name="Buy again").click()
    expect(camera.page.get_by_role("link", name="Checkout", exact=True)).to_be_visible()
    camera.take("order-bought-again")
    camera.page.get_by_role("link", name="Checkout", exact=True).click()
    expect(camera.page.get_by_label("City", exact=True)).to_have_value(FORM["City"])
    camera.take("checkout-filled-in")


def account(camera: Camera) -> None:
    for tab, words in (
        ("profile", "Account status"),
        ("referrals", "Available credit"),
        ("settings", "Sign Out Everywhere"),
    ):
        camera.page.goto(f"/account?tab={tab}")
        expect(camera.page.get_by_role("tabpanel", name=tab.title()).get_by_text(words)).to_be_visible()
        camera.take(f"account-{tab}")
    camera.page.get_by_role("button", name="Add Address").click()
    expect(camera.page.get_by_role("dialog", name="Add address")).to_be_visible()
    camera.take("account-address", whole=False)
    camera.page.goto("/account/privacy")
    expect(camera.page.get_by_role("heading", name="What the store keeps about you")).to_be_visible()
    camera.take("account-privacy")


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


def support(camera: Camera) -> None:
    camera.page.goto("/support")
    expect(camera.page.get_by_role("heading", name="Support", level=1)).to_be_visible()
    camera.page.get_by_role("button", name="Create Support Ticket").click()
    expect(camera.page.get_by_role("dialog", name="Create Support Ticket")).to_be_visible()
    camera.take("support-form", whole=False)
    camera.page.get_by_label("Subject", exact=True).fill("Driver could not find the side entrance")
    camera.page.get_by_label("Message", exact=True).fill("He called twice and drove off. Can he come back today?")
    camera.page.get_by_role("button", name="Create Ticket").click()
    expect(camera.page.get_by_role("region", name="AI analysis")).to_be_visible()
    camera.take("support-ticket", whole=False)
    camera.page.goto("/support")
    expect(camera.page.get_by_role("list", name="Support tickets")).to_be_visible()
    camera.take("support")


def app_component_error(camera: Camera) -> None:
    """The server's answer is falsified on its way, so that drawing the count fails; the header and footer stay."""

    def falsify(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        server.on_message(
            lambda message: socket.send(
                message.replace('"found_rx_state_":"', '"found_rx_state_":{"a":1},"b":"')
                if isinstance(message, str)
                else message
            )
        )

    camera.page.route_web_socket(re.compile("/_event"), falsify)
    camera.page.goto("/")
    expect(camera.page.get_by_role("heading", name="App Component Error")).to_be_visible()
    camera.take("app-component-error")


def preferences(camera: Camera) -> None:
    camera.page.goto("/preferences")
    expect(camera.page.get_by_role("button", name="Save Preferences")).to_be_visible()
    camera.take("preferences-empty")
    liked = {
        "experienceLevel": "intermediate",
        "preferredTypes": ["Hybrid"],
        "preferredEffects": [
            "Happy",
            "Relaxed",
            "Creative",
            "Calm",
            "Giggly",
            "Focused",
            "Alert",
            "Inspired",
            "Uplifted",
        ],
        "preferredFlavors": ["Citrus", "Pine"],
        "avoidEffects": ["Couch Lock"],
    }
    for given, name in ((liked, "saved"), ({}, "not-set")):
        answer = camera.page.request.post("/api/preferences", data=given, headers={"Origin": camera.store.url})
        assert answer.ok, answer.text()
        camera.page.goto("/preferences")
        expect(camera.page.get_by_role("complementary", name="Your Current Preferences")).to_be_visible()
        camera.take(f"preferences-{name}")
        camera.page.goto("/")
        expect(camera.page.get_by_role("region", name="Picked for you")).to_be_visible()
        camera.take(f"picked-{name}", whole=False)
    run_sql(camera.store, "DELETE FROM preferences")


GUEST: tuple[Scene, ...] = (
    age_gate,
    landing,
    welcome,
    plain_pages,
    faq,
    self_check,
    overlays,
    offline,
    not_found,
    cart_signed_out,
    support_of_guests,
    gallery,
)
MEMBER: tuple[Scene, ...] = (
    catalogue,
    catalogue_waiting,
    catalogue_failed,
    phone_panels,
    product,
    cart,
    toasts,
    checkout,
    orders,
    account,
    preferences,
    support,
    app_component_error,
)
