"""What to do before each screenshot as a member."""

import re
from datetime import timedelta

from playwright.sync_api import WebSocketRoute, expect

from marketplace_app import clock
from marketplace_app.config import get_settings
from tests.doors import PIN, WRONG_PIN
from tests.e2e.acts import CHECKOUT_FORM, fill_checkout, open_cart, run_sql, toast
from tests.e2e.driving import open_run
from tools.screens.camera import Camera
from tools.screens.guest import Scene

FERN_HOLLOW = 1


def _open_catalogue(camera: Camera, url: str) -> None:
    camera.page.goto(url)
    expect(camera.page.get_by_role("status").filter(has_text="found")).to_be_visible()


def catalogue(camera: Camera) -> None:
    _open_catalogue(camera, "/")
    camera.take("catalogue")
    _open_catalogue(camera, "/?view=list")
    camera.take("catalogue-list")
    _open_catalogue(camera, "/?category=THC+Flower&type=Indica&type=Hybrid&price=Under+%2450")
    camera.take("catalogue-filtered")
    _open_catalogue(camera, "/?search=zzzz")
    camera.take("catalogue-empty")
    _open_catalogue(camera, "/?search=fren+holow")
    camera.take("catalogue-corrected")


def catalogue_waiting(camera: Camera) -> None:
    """The server never answers. Products in the default sort order come with the page, so another one is asked for."""
    camera.page.route_web_socket(re.compile("/_event"), lambda socket: None)
    for view in ("grid", "list"):
        camera.page.goto(f"/?view={view}&sort=newest")
        expect(camera.page.locator("[data-skeleton]").locator("visible=true").first).to_be_visible()
        camera.take(f"catalogue-skeleton-{view}")


def catalogue_failed(camera: Camera) -> None:
    run_sql(camera.store, "ALTER TABLE counters RENAME TO counters_away")
    try:
        camera.page.goto("/?sort=newest")
        expect(camera.page.get_by_text("Failed to load products.")).to_be_visible()
        camera.take("catalogue-failed")
    finally:
        run_sql(camera.store, "ALTER TABLE counters_away RENAME TO counters")


def phone_panels(camera: Camera) -> None:
    if not camera.is_phone:
        return
    _open_catalogue(camera, "/?type=Indica")
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
        _open_catalogue(camera, "/")
        open_cart(camera.page)
        camera.take(name, whole=False)


def toasts(camera: Camera) -> None:
    _fill_cart(camera)
    _open_catalogue(camera, "/")
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


def delivery_times(camera: Camera) -> None:
    """A zone with a fee and windows: tomorrow's is full, and few places are left on the day after."""
    tomorrow = clock.today(get_settings().timezone) + timedelta(days=1)
    run_sql(camera.store, "INSERT INTO zones (id, name, fee_cents) VALUES (7, 'East side', 1200)")
    run_sql(camera.store, "INSERT INTO zone_zips (zip_code, zone_id) VALUES ('97201', 7)")
    window = "windows (id, zone_id, weekday, opens_minute, closes_minute, cutoff_minutes, capacity)"
    for days, capacity in ((0, 1), (1, 2), (2, 50), (3, 50)):
        values = {"id": 70 + days, "day": (tomorrow + timedelta(days=days)).weekday(), "capacity": capacity}
        run_sql(camera.store, f"INSERT INTO {window} VALUES (:id, 7, :day, 1020, 1140, 0, :capacity)", **values)
    full = {"day": tomorrow.isoformat(), "start": f"{tomorrow} 17:00:00", "end": f"{tomorrow} 19:00:00"}
    columns = "window_id, day, starts_at, ends_at, capacity, taken"
    run_sql(camera.store, f"INSERT INTO slots ({columns}) VALUES (70, :day, :start, :end, 1, 1)", **full)
    try:
        _fill_cart(camera, (FERN_HOLLOW, 3))
        camera.page.goto("/checkout")
        fill_checkout(camera.page, **{"Zip code": "97999"})
        camera.page.get_by_label("Zip code", exact=True).blur()
        expect(camera.page.get_by_text("We don't deliver to 97999 yet.").first).to_be_visible()
        camera.take("delivery-outside")
        fill_checkout(camera.page)
        camera.page.get_by_label("Zip code", exact=True).blur()
        times = camera.page.get_by_role("group", name="Choose a time").get_by_role("radio")
        times.nth(2).click()
        expect(times.nth(2)).to_be_checked()
        camera.take("delivery-times")
        camera.page.get_by_role("button", name="Place Order").locator("visible=true").first.click()
        camera.page.wait_for_url("**/account?tab=orders")
        camera.page.get_by_role("button", name="View Details").first.click()
        expect(camera.page.get_by_text("Your door PIN is")).to_be_visible()
        camera.take("delivery-order")
        run_sql(camera.store, "UPDATE order_deliveries SET ready_asked_at = promised_by")
        camera.page.reload()
        camera.page.get_by_role("button", name="Another time").click()
        expect(camera.page.get_by_role("dialog", name="Another time")).to_be_visible()
        camera.take("order-another-time", whole=False)
        camera.page.keyboard.press("Escape")
        camera.take("order-ready-question")
        camera.page.get_by_role("button", name="Yes, I'm ready").click()
        expect(camera.page.get_by_text("You said that you are ready.")).to_be_visible()
        camera.take("order-ready-said")
    finally:
        run_sql(camera.store, "DELETE FROM zones")


def orders(camera: Camera) -> None:
    camera.page.goto("/account?tab=orders")
    expect(camera.page.get_by_text("No orders yet.")).to_be_visible()
    camera.take("orders-none")
    _fill_cart(camera, (FERN_HOLLOW, 3))
    camera.page.goto("/checkout")
    fill_checkout(camera.page)
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
    expect(camera.page.get_by_label("City", exact=True)).to_have_value(CHECKOUT_FORM["City"])
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
    """The server's message is altered on its way, so that rendering the count fails; the header and footer stay."""

    def alter(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        server.on_message(
            lambda message: socket.send(
                message.replace('"count_label_rx_state_":"', '"count_label_rx_state_":{"a":1},"b":"')
                if isinstance(message, str)
                else message
            )
        )

    camera.page.route_web_socket(re.compile("/_event"), alter)
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


def drive(camera: Camera) -> None:
    """The last one: it signs somebody else in."""
    page = camera.page
    page.goto("/drive")
    expect(page.get_by_role("main")).to_contain_text("do not have")
    camera.take("drive-denied")
    open_run(page, camera.store)
    camera.take("drive-arrived")
    page.get_by_role("button", name="I'm here").click()
    camera.take("drive-id")
    page.get_by_role("button", name="ID Checked").click()
    expect(page.get_by_text("Answer all three questions.")).to_be_visible()
    camera.take("drive-id-missing")
    for yes in page.get_by_role("radio", name="Yes").all():
        yes.check()
    page.get_by_role("button", name="ID Checked").click()
    page.get_by_label("Four digits").fill(WRONG_PIN)
    camera.take("drive-pin", whole=False)
    page.get_by_role("button", name="Check PIN").click()
    expect(page.get_by_text("4 tries left.")).to_be_visible()
    camera.take("drive-pin-wrong")
    page.get_by_label("Four digits").fill(PIN)
    page.get_by_role("button", name="Check PIN").click()
    expect(page.get_by_label("Cash counted")).to_be_visible()
    page.get_by_role("button", name="Couldn't Deliver").click()
    camera.take("drive-reasons")
    page.get_by_role("button", name="Back to the Steps").click()
    camera.page.context.set_offline(True)
    page.get_by_label("Cash counted").fill("152.50")
    camera.take("drive-cash")
    page.get_by_role("button", name="Cash Counted").click()
    page.get_by_role("button", name="Bag Placed").click()
    expect(page.get_by_text("2 steps")).to_be_visible()
    camera.take("drive-offline")
    camera.page.context.set_offline(False)


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
    delivery_times,
    account,
    preferences,
    support,
    app_component_error,
    drive,
)
