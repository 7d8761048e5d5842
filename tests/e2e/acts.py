"""What browser tests have in common: what users do, what they see, and control over the page's socket."""

import re
import uuid
from typing import Any

import httpx
from playwright.sync_api import Locator, Page, WebSocketRoute, expect
from sqlalchemy import text

from marketplace_app import db
from tests.e2e.conftest import Api, Store
from tests.e2e.quick_sign_in import sign_in_fresh

OWNER = "owner@example.com"
CHECKOUT_FORM = {
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


def new_email() -> str:
    return f"{uuid.uuid4().hex[:12]}@example.org"


def pass_age_gate(page: Page, born: str = "1990-04-17") -> None:
    page.goto("/")
    gate = page.get_by_role("dialog")
    gate.get_by_label("Date of birth").fill(born)
    gate.get_by_role("button", name="I am 21 or older").click()
    expect(gate).to_be_hidden()


def sign_in(page: Page, email: str, to: str = "/") -> None:
    """Sign in through the form of the identity provider."""
    page.goto(f"/api/login?return_to={to}")
    page.locator("input[name=sub]").fill(email)
    page.get_by_role("button", name="Authorize").click()
    page.wait_for_url(f"**{to}")


def sign_in_by_request(page: Page, email: str) -> None:
    """Sign in without opening a page."""
    if sign_in_fresh(page.context, email):
        return
    form = page.request.get("/api/login")
    page.request.post(form.url, form={"sub": email})


def sign_in_as_adult(page: Page, email: str, to: str | None = "/") -> None:
    """Sign in with the age check passed. With `to=None` no page is opened."""
    if not sign_in_fresh(page.context, email, as_adult=True):
        sign_in_by_request(page, email)
        page.request.post("/api/verify-age", data={"dateOfBirth": "1990-04-17"})
    page.context.add_init_script(_MARK_AS_VERIFIED)
    if to is not None:
        page.goto(to)


# What the gate stores (RULE age-gate), unless the page has removed it since.
_MARK_AS_VERIFIED = """
if (!sessionStorage.getItem("visited")) {
  sessionStorage.setItem("visited", "1");
  localStorage.setItem("ageVerified", "true");
  localStorage.setItem("ageVerifiedDate", new Date().toISOString());
}
"""


def wait_for_hydration(page: Page) -> None:
    """Wait until the page is hydrated and the viewer known; before that, links reload the document."""
    expect(page.locator("[data-until-known='']").first).to_be_attached()


def wait_until(page: Page, condition: str) -> None:
    """Not `wait_for_function`: it counts a promise as true, and asks again with `eval`, which the pages forbid."""
    for _ in range(100):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(50)
    raise AssertionError(condition)


def wait_for_requests(page: Page) -> None:
    """Wait long enough for the page's first requests; nothing on the screen shows that they are answered."""
    page.wait_for_timeout(800)


def card(page: Page, product: str) -> Locator:
    return page.get_by_role("listitem").filter(has=page.get_by_role("heading", name=product, exact=True))


def expect_found(page: Page, text: str) -> None:
    expect(page.get_by_role("status").filter(has_text="found")).to_have_text(text)


def toast(page: Page) -> Locator:
    return page.locator("[data-sonner-toast]")


def add_to_cart(page: Page, product: str, times: int = 1) -> None:
    page.goto(f"/?search={product.replace(' ', '+')}")
    button = card(page, product).get_by_role("button", name="Add to Cart")
    expect(button).to_be_visible()
    before = cart_count(page)
    for count in range(before + 1, before + times + 1):
        button.click()
        expect(toast(page)).to_contain_text(f"{product} has been added to your cart.")
        # The toast may still be that of the previous product.
        expect(cart_button(page)).to_have_accessible_name(re.compile(rf"^Cart, {count} item"))


def add_to_cart_by_request(page: Page, product: str, quantity: int = 1) -> None:
    """To be called before a page that shows the cart is opened."""
    [found] = page.request.get("/api/products", params={"search": product, "limit": 1}).json()
    assert found["name"] == product
    answer = page.request.post("/api/cart", data={"productId": found["id"], "quantity": quantity})
    assert answer.ok, answer.text()


def place_order_by_request(client: httpx.Client, last_name: str) -> dict[str, Any]:
    """Three units of Fern Hollow; the client passes the age check first."""
    client.post("/api/verify-age", json={"dateOfBirth": "1990-01-01"}).raise_for_status()
    product = client.get("/api/products", params={"search": "Fern Hollow"}).json()[0]
    draft = {
        "items": [{"productId": product["id"], "quantity": 3}],
        "firstName": "Nora",
        "lastName": last_name,
        "deliveryAddress": "214 Larch Street, Portland, OR 97201",
        "contactPhone": "503 555 0142",
        "deliveryInstructions": "Side entrance.",
        "paymentInstructions": "Envelope under the mat.",
    }
    answer = client.post("/api/orders", json=draft)
    assert answer.status_code == 201, answer.text
    placed: dict[str, Any] = answer.json()
    return placed


def cart_button(page: Page) -> Locator:
    return page.get_by_role("button", name=re.compile("^Cart"))


def cart_count(page: Page) -> int:
    """The number of units on the header's cart button."""
    found = re.search(r"\d+", cart_button(page).get_attribute("aria-label") or "")
    return int(found[0]) if found else 0


def open_cart(page: Page) -> Locator:
    cart_button(page).click()
    drawer = page.get_by_role("dialog", name="Cart")
    expect(drawer).to_be_visible()
    return drawer


def quantity_stepper(drawer: Locator, product: str) -> Locator:
    return drawer.get_by_role("group", name=f"Quantity of {product}")


def open_checkout(page: Page, email: str) -> None:
    sign_in_as_adult(page, email, to=None)
    add_to_cart_by_request(page, "Fern Hollow", 3)
    page.goto("/checkout")
    expect(page.get_by_role("heading", name="Checkout", level=1)).to_be_visible()
    expect(page.get_by_text("$133.00").first).to_be_visible()


def fill_checkout(page: Page, **changes: str) -> None:
    for label, value in (CHECKOUT_FORM | changes).items():
        page.get_by_label(label, exact=True).fill(value)


def place_button(page: Page) -> Locator:
    return page.get_by_role("button", name="Place Order").locator("visible=true").first


def offer_install(page: Page, outcome: str = "accepted") -> None:
    """The event by which a browser offers to install the store; `outcome` is the user's answer to its prompt."""
    page.evaluate(
        """(outcome) => {
          const event = new Event("beforeinstallprompt", { cancelable: true });
          event.prompt = () => { window.wasAsked = true; };
          event.userChoice = Promise.resolve({ outcome });
          dispatchEvent(event);
        }""",
        outcome,
    )


def horizontal_overflow(page: Page) -> int:
    """By how many pixels the page can be scrolled sideways."""
    return int(page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth"))


def run_sql(store: Store, statement: str, **values: Any) -> None:
    """Run a statement directly in the database, as another process would."""
    engine = db.make_engine(store.database_url)
    with engine.begin() as connection:
        connection.execute(text(statement), values)
    engine.dispose()


class SocketProxy:
    """Forwards the messages of the page's socket, and can close the connection or hold answers back."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.open: list[WebSocketRoute] = []
        self.cut_when: str | None = None
        """A part of a message: the connection is closed right after the first one that contains it was forwarded."""
        self.rewrites: dict[str, str] = {}
        """Patterns in what the page sends, and what the server receives instead."""
        self.hold_from: str | None = None
        """A pattern: the first matching answer is held back, and all that follow it."""
        self.held: list[str | bytes] = []
        page.route_web_socket(re.compile("/_event"), self._connect)

    def _connect(self, socket: WebSocketRoute) -> None:
        self.open.append(socket)
        server = socket.connect_to_server()

        def forward(message: str | bytes) -> None:
            for pattern, other in self.rewrites.items():
                message = re.sub(pattern, other, str(message))
            server.send(message)
            if self.cut_when is not None and self.cut_when in str(message):
                self.cut_when = None
                socket.close()

        def answer(message: str | bytes) -> None:
            if self.held or (self.hold_from is not None and re.search(self.hold_from, str(message))):
                self.held.append(message)
            else:
                socket.send(message)

        socket.on_message(forward)
        server.on_message(answer)

    def cut(self) -> None:
        self.open[-1].close()

    def wait_until_holding(self) -> None:
        """Waits frame by frame, so that Playwright handles messages meanwhile."""
        for _ in range(1200):
            if self.held:
                return
            self.page.evaluate("() => new Promise(requestAnimationFrame)")
        raise AssertionError(f"no answer had {self.hold_from}")

    def let_through(self) -> None:
        """Send all held answers in order, and stop holding."""
        self.hold_from = None
        while self.held:
            self.open[-1].send(self.held[0])
            self.held.pop(0)


def create_product(api: Api, **changes: Any) -> dict[str, Any]:
    """A new product with a unique name."""
    body = {
        "name": f"Meadow {uuid.uuid4().hex[:8]}",
        "description": "Hay and chamomile.",
        "price": "48.50",
        "category": "THC Flower",
        "type": "Indica",
        "potency": "",
        "stock": 12,
    }
    answer = api(OWNER).post("/api/admin/products", json=body | changes)
    answer.raise_for_status()
    made: dict[str, Any] = answer.json()
    return made
