"""Checkout: the form, its errors, the quote, placing the order. The lines and the quote themselves are CartState's."""

from dataclasses import dataclass
from uuid import uuid4

import reflex as rx
from typing_extensions import TypedDict

from marketplace_app import clock, messages, money
from marketplace_app.config import get_settings
from marketplace_app.errors import AgeVerificationRequired, InvalidInput, OrderBlocked, OutOfStock, QuoteChanged
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.checkout import CheckoutForm, FieldCheck, UseCredit
from marketplace_app.schemas.orders import OrderForm
from marketplace_app.services import cart, orders
from marketplace_app.services.cart import CartView
from marketplace_app.states.base import SHOPPERS, action, read, toast, write
from marketplace_app.states.cart import CartState

FIELD_LABELS = {
    "firstName": "First name",
    "lastName": "Last name",
    "contactPhone": "Contact phone",
    "deliveryAddress": "Address",
    "city": "City",
    "state": "State",
    "zipCode": "Zip code",
    "deliveryInstructions": "Delivery instructions",
    "paymentInstructions": "Payment pickup instructions",
}
ORDERS_PATH = "/account?tab=orders"


@dataclass(frozen=True)
class FieldError:
    name: str
    label: str
    message: str


class Submitted(TypedDict, total=False):
    firstName: str
    lastName: str
    contactPhone: str
    deliveryAddress: str
    city: str
    state: str
    zipCode: str
    deliveryInstructions: str
    paymentInstructions: str


class CheckoutState(rx.State):
    is_ready: bool = False
    """The cart is loaded and not empty."""
    errors: dict[str, str] = {}
    """Sentence per field name: see FIELD_LABELS."""
    error_summary: list[FieldError] = []
    """The same after a failed submit, in the form's order, for the linked summary on top."""
    changed_notice: str = ""
    """Why the shown total is new, when the server refused the old one."""
    needs_age_check: bool = False
    is_placing: bool = False
    delivery_estimate: str = ""
    """`Delivery by Nov 22, 2026, 11:40 AM.`"""
    weekend_note: str = ""
    """`Weekend deliveries can take up to 72 hours.`, or nothing."""
    credit_available: str = ""
    use_credit: bool = False
    _key: str = ""
    """Names this intent to buy, so that a second submit answers the first order."""
    _agreed: dict[str, str] = {}
    """The amounts on the screen, which the order must have."""
    _has_placed: bool = False
    """This tab's last order went through, whether or not the browser heard of it."""

    @action(who=SHOPPERS, signed_out=messages.SIGN_IN_TO_CHECK_OUT)
    async def load(self):
        """on_load, and again when the age check has passed: quote, or away when the cart is empty."""
        self.errors, self.error_summary, self.changed_notice = {}, [], ""
        self.needs_age_check = self.is_placing = False
        self._key = self._key or str(uuid4())
        view = await self._requote()
        if view.lines:
            self._has_placed = False
            return None
        if self._has_placed:  # the answer was lost with the line; the order was not
            await toast(self, "success", messages.order_placed(view.shop.delivery_within))
            return rx.redirect(ORDERS_PATH, replace=True)
        await toast(self, "error", messages.EMPTY_CART)
        return rx.redirect("/", replace=True)

    @action(who=SHOPPERS)
    async def check_field(self, name: str, value: str):
        """On blur: the field's sentence appears or goes."""
        check = parse(FieldCheck, {"name": name, "value": value})
        sentence = check.sentence()
        self.errors = {key: text for key, text in self.errors.items() if key != check.name} | (
            {check.name: sentence} if sentence else {}
        )

    @action(who=SHOPPERS)
    async def toggle_credit(self, use: bool):
        """Spend referral credit on this order."""
        self.use_credit = parse(UseCredit, {"use": use}).use
        await self._requote()

    @action(who=SHOPPERS, signed_out=messages.SESSION_EXPIRED, failed=messages.ORDER_FAILED, rate="order_rate")
    async def place(self, form: Submitted):
        """Submit. The button shows that it is working; a second click meets the same key."""
        contact = parse(CheckoutForm, form)
        self.is_placing, self.errors, self.error_summary, self.changed_notice = True, {}, [], ""
        yield
        try:
            view = await read(self, cart.show, use_credit=self.use_credit)
            await write(self, orders.place, _draft(contact, view, self._agreed, self.use_credit), key=self._key)
        finally:
            self.is_placing = False
        self._key, self._agreed, self.use_credit, self.is_ready, self._has_placed = "", {}, False, False, True
        (await self.get_state(CartState))._show(await read(self, cart.show))
        await toast(self, "success", messages.order_placed(view.shop.delivery_within))
        yield rx.redirect(ORDERS_PATH)

    async def _recover(self, error: Exception) -> bool:
        """What the customer can mend stays on this page."""
        if isinstance(error, InvalidInput):
            self.errors = {name: text for name, text in error.fields.items() if name in FIELD_LABELS}
            self.error_summary = [
                FieldError(name, label, self.errors[name])
                for name, label in FIELD_LABELS.items()
                if name in self.errors
            ]
            return bool(self.errors)
        if isinstance(error, AgeVerificationRequired):
            self.needs_age_check = True
            return True
        if isinstance(error, QuoteChanged | OutOfStock):
            self.changed_notice = error.message
            await self._requote()
            return isinstance(error, QuoteChanged)
        if isinstance(error, OrderBlocked):
            shop = (await self._requote()).shop
            notices = {
                "minimum_order": messages.minimum_order(shop.minimum_order_cents),
                "empty_cart": messages.EMPTY_CART,
            }
            await toast(self, "error", notices[error.blocker])
            return True
        return False

    async def _requote(self) -> CartView:
        view = await read(self, cart.show, use_credit=self.use_credit)
        (await self.get_state(CartState))._show(view)
        settings = get_settings()
        at = clock.now()
        due = at + view.shop.delivery_window
        self._agreed = {name: money.decimal(cents) for name, cents in view.quote.amounts().items()}
        self.is_ready = bool(view.lines)
        self.delivery_estimate = f"Delivery by {clock.show_time(due, settings.timezone)}."
        self.weekend_note = view.shop.weekend_note(at, due, settings.timezone)
        self.credit_available = money.show(view.credit_cents) if view.credit_cents else ""
        return view


def _draft(contact: CheckoutForm, view: CartView, agreed: dict[str, str], use_credit: bool) -> OrderForm:
    """The cart as it stands, with the amounts that were on the screen."""
    items = [
        {"productId": line.product.id, "quantity": line.quantity, "price": money.decimal(line.product.price_cents)}
        for line in view.lines
    ]
    if not items:
        raise OrderBlocked("empty_cart", messages.EMPTY_CART.text)
    draft = {
        "address": {
            "street": contact.delivery_address,
            "city": contact.city,
            "state": contact.state,
            "zip": contact.zip_code,
        },
        "contactPhone": contact.contact_phone,
        "deliveryInstructions": contact.delivery_instructions,
        "paymentInstructions": contact.payment_instructions,
        "firstName": contact.first_name,
        "lastName": contact.last_name,
        "items": items,
        "useCredit": use_credit,
    }
    return parse(OrderForm, draft | agreed)
