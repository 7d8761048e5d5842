"""What to do before each screenshot of shopping, as a member."""

import re
from datetime import timedelta

from playwright.sync_api import expect

from marketplace_app import clock
from marketplace_app.config import get_settings
from tests.e2e.acts import CHECKOUT_FORM, fill_checkout, open_cart, run_sql, toast
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
    """The server never answers. Products in the default sort order come with the page, so another one is needed."""
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
    """A zone with a fee and windows: tomorrow's is full, and on the day after few places are left."""
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


SHOPPING: tuple[Scene, ...] = (
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
)
