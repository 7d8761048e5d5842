"""Checkout: filling the form in, its errors, placing the order. The lines and the quote are held by CartState."""

from uuid import uuid4

import reflex as rx

from marketplace_app import messages, money, places
from marketplace_app.errors import AgeVerificationRequired, InvalidInput, OrderBlocked, OutOfStock, QuoteChanged
from marketplace_app.models import Substitution
from marketplace_app.schemas.account.addresses import AddressView
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.buying.checkout import CheckoutForm, FieldCheck, SavedAddressChoice, SlotChoice, UseCredit
from marketplace_app.schemas.buying.order_batches import WishForm
from marketplace_app.services.buying import cart, checkout
from marketplace_app.services.buying.cart import CartView
from marketplace_app.services.delivery.slots import WindowFull
from marketplace_app.services.jurisdictions import enforcement, records
from marketplace_app.states.buying.cart import CartState
from marketplace_app.states.buying.checkout_form import (
    ADDRESS_FIELDS,
    FIELD_LABELS,
    CheckoutFormData,
    FieldError,
    SavedAddress,
    ShownQuote,
    address_text,
    address_values,
    draft_of,
    saved_address_form,
    shown_quote_of,
    shown_total,
    summary_of,
)
from marketplace_app.states.buying.delivery_rows import DeliveryTime, delivery_times, estimate
from marketplace_app.states.events.base import SHOPPERS, Events, Updates, action, read, toast, write
from marketplace_app.states.events.failures import Fields, Instead, On, Say, ShowPageFailed
from marketplace_app.states.events.rate import Rate
from marketplace_app.states.events.signal import SignalState
from marketplace_app.states.events.subscriptions import subscribe_to_cart
from marketplace_app.states.events.viewer import ViewerState

ORDERS_PATH = "/account?tab=orders"
ANOTHER = "another"
"""The option 'another address' of the select: a new one is typed."""


class CheckoutState(rx.State):
    is_ready: bool = False
    """The cart is loaded, and was not empty when the page opened."""
    errors: dict[str, str] = {}
    """Messages by field name: see FIELD_LABELS."""
    error_summary: list[FieldError] = []
    """The same after a failed submit, in the form's order, for the linked summary on top."""
    values: dict[str, str] = dict.fromkeys(FIELD_LABELS, "")
    """The initial values of the fields, by field name."""
    form_key: int = 0
    """A React key: a new number rebuilds the form with new values. It is `_key` that prevents a second order."""
    address_form_key: int = 0
    """The same, for only the address and its instructions."""
    saved: list[SavedAddress] = []
    chosen: str = ANOTHER
    """The id of the saved address that fills the form, or ANOTHER."""
    may_save: bool = False
    """Another address may be saved."""
    birth_date_reason: str = ""
    """Why the order needs a date of birth; empty where it needs none. The date itself stays in the browser."""
    changed_notice: str = ""
    """What changed without the shopper's doing: the total, the stock or the chosen time."""
    needs_age_check: bool = False
    is_placing: bool = False
    times: list[DeliveryTime] = []
    """The delivery times for the ZIP code in the form; none in a store without windows."""
    slot: str = ""
    """The one that was chosen; empty for any time."""
    takes_wish: bool = False
    """Something in the cart is packed by batch, so the screen asks what to do if it has to be another batch."""
    wish: str = Substitution.ASK.value
    delivery_estimate: str = ""
    """`Delivery by Nov 22, 2026, 11:40 AM.`, or `Delivery Fri, Nov 27, 5:00 PM to 7:00 PM.`"""
    weekend_note: str = ""
    """`Weekend deliveries can take up to 72 hours.`, or nothing."""
    credit_available: str = ""
    use_credit: bool = False
    _key: str = ""
    """Idempotency key of this purchase: the same draft never makes a second order. Empty once the order is placed."""
    _shown: ShownQuote | None = None
    """The last quote; the order is refused if its amounts, or the total on the screen, differ."""
    address_notice: str = ""
    """Which kinds of addresses may be delivered to, where the rules of the state say so."""
    _zip: str = ""
    """The ZIP code in the form; with `_state_name`, the place that the quote is for."""
    _state_name: str = ""
    _has_zones: bool = False
    _is_enforced: bool = False
    """The state's rules are applied."""

    @action(who=SHOPPERS, signed_out=messages.SIGN_IN_TO_CHECK_OUT, on_failure=ShowPageFailed())
    async def load(self) -> Events:
        """on_load: require the age check, fill the form from the profile, or redirect when the cart is empty."""
        viewer, signals = await self.get_state(ViewerState), await self.get_state(SignalState)
        self.errors, self.error_summary, self.is_placing = {}, [], False
        was_placed = await self._was_placed()
        if was_placed or not self._key:
            self._key = str(uuid4())
        subscribe_to_cart(self, [line.product_id for line in (await self.get_state(CartState)).lines])
        if not (viewer._has_reconnected and self.is_ready):  # a reconnect keeps what was typed, and agreed to
            self.changed_notice, self._shown = "", None
            self._fill_form(await read(self, checkout.load_defaults))
        view = await self._requote_unasked()
        self.is_ready = bool(view.lines)
        if self.is_ready:
            signals._order_notice, self.needs_age_check = None, not viewer.is_age_verified
            return None
        if was_placed or signals._order_notice is not None:  # the connection was lost before the answer
            await toast(self, "success", signals._order_notice or messages.order_placed(view.shop.delivery_within))
            return rx.redirect(ORDERS_PATH, replace=True)
        await toast(self, "error", messages.EMPTY_CART)
        return rx.redirect("/", replace=True)

    @action(who=SHOPPERS)
    async def age_verified(self) -> None:
        """The age gate was passed; continue with what was typed."""
        self.needs_age_check = not (await self.get_state(ViewerState)).is_age_verified
        await self._requote()

    @action(who=SHOPPERS)
    async def choose_address(self, key: str) -> None:
        """Put a saved address and its instructions into the form, or empty fields for another one."""
        choice = parse(SavedAddressChoice, {"key": key})
        saved = (await read(self, checkout.load_defaults)).saved
        self._fill_address(next((each for each in saved if str(each.id) == choice.key), None))
        self.address_form_key += 1
        self.errors = {name: text for name, text in self.errors.items() if name not in ADDRESS_FIELDS}
        if self._has_zones or self._is_enforced:
            await self._requote()

    @action(who=SHOPPERS)
    async def check_field(self, name: str, value: str) -> None:
        """On blur: show or clear the field's error."""
        check = parse(FieldCheck, {"name": name, "value": value})
        error = check.error()
        self.errors = {key: text for key, text in self.errors.items() if key != check.name} | (
            {check.name: error} if error else {}
        )
        before = self._place()
        if check.name == "zipCode":
            self._zip = check.value
        elif check.name == "state" and self._is_enforced:
            self._state_name = check.value
        if (self._has_zones or self._is_enforced) and self._place() != before:
            await self._requote()

    @action(who=SHOPPERS)
    async def choose_slot(self, key: str) -> None:
        """A time that is not on the screen, or full, is not taken."""
        choice = parse(SlotChoice, {"key": key}).key
        if any(time.key == choice and not time.is_full for time in self.times):
            self.slot = choice
            await self._requote()

    @action(who=SHOPPERS)
    async def choose_wish(self, wish: str) -> None:
        self.wish = parse(WishForm, {"substitution": wish}).substitution.value

    @action(who=SHOPPERS)
    async def toggle_credit(self, use: bool) -> None:
        """Spend store credit on this order."""
        self.use_credit = parse(UseCredit, {"use": use}).use
        await self._requote()

    async def _summarize_errors(self, error: InvalidInput) -> None:
        self.error_summary = summary_of(error)

    async def _ask_for_age(self, error: AgeVerificationRequired) -> None:
        self.needs_age_check = True

    async def _show_change(self, error: QuoteChanged | OutOfStock) -> None:
        await self._requote()
        self.changed_notice = error.message

    async def _show_full_slot(self, error: WindowFull) -> None:
        """The times are shown as they are now; another one has to be chosen."""
        self.slot = ""
        await self._requote()
        self.changed_notice = error.message

    async def _show_blocker(self, error: OrderBlocked) -> None:
        await self._requote()
        if error.blocker in records.ABOUT_BIRTH_DATE:
            wrong = InvalidInput({"birthDate": error.message})
            await self._summarize_errors(wrong)
            self.errors = dict(wrong.fields)
            return
        is_empty = error.blocker == "empty_cart"
        notice = messages.EMPTY_CART if is_empty else messages.order_refused(error.blocker, error.message)
        await toast(self, "error", notice)

    @action(
        who=SHOPPERS,
        signed_out=messages.SESSION_EXPIRED,
        on_failure=(
            On(InvalidInput, _summarize_errors),
            Fields("errors", FIELD_LABELS, without_toast=True),
            Instead(AgeVerificationRequired, _ask_for_age),
            Instead(QuoteChanged, _show_change),
            On(OutOfStock, _show_change),
            Instead(WindowFull, _show_full_slot),
            Instead(OrderBlocked, _show_blocker),
            Say(messages.ORDER_FAILED),
        ),
        rate=Rate("order_rate", "orders"),
    )
    async def place(self, form: CheckoutFormData) -> Updates:
        """Submit. The button shows that it is working; a second click has the same idempotency key, or none any more if
        the first one's order has been placed."""
        if not self._key:
            return
        contact = parse(CheckoutForm, {name: value for name, value in form.items() if name in FIELD_LABELS})
        address_to_save = saved_address_form(contact) if form.get("saveAddress") is True else None
        self.is_placing, self.errors, self.error_summary, self.changed_notice = True, {}, [], ""
        yield None
        try:
            self._zip, self._state_name = contact.zip_code, contact.state
            view = await read(self, cart.show, use_credit=self.use_credit, place=self._place())
            agreed = (self._shown.amounts if self._shown else {}) | shown_total(form)
            if view.lines or not await self._was_placed():
                wish = self.wish if self.takes_wish else ""
                draft = draft_of(contact, view, agreed, self.use_credit, self.slot, wish)
                await write(self, checkout.place_order, draft, key=self._key, address_to_save=address_to_save)
        finally:
            self.is_placing = False
        time = self._chosen_time()
        placed = messages.order_placed_for(time) if time else messages.order_placed(view.shop.delivery_within)
        (await self.get_state(SignalState))._order_notice = placed
        self._key, self._shown, self.use_credit, self.is_ready, self.slot = "", None, False, False, ""
        self.wish = Substitution.ASK.value
        (await self.get_state(CartState))._show(await read(self, cart.show))
        await toast(self, "success", placed)
        yield rx.redirect(ORDERS_PATH)

    async def _refresh(self) -> None:
        """Runs after CartState's, which knows neither the place nor whether credit is used, and puts this page's total
        back. What is typed stays, even if the cart is empty now."""
        if self.is_ready:
            await self._requote_unasked()

    def _fill_form(self, defaults: checkout.CheckoutDefaults) -> None:
        """Rebuild the fields only if their values change."""
        before, before_saved = dict(self.values), self.saved
        self.saved = [SavedAddress(str(each.id), address_text(each)) for each in defaults.saved]
        self.may_save = defaults.may_save_another
        self._fill_address(defaults.address)
        self.values = self.values | {
            "firstName": defaults.first_name,
            "lastName": defaults.last_name,
            "contactPhone": defaults.phone,
        }
        if (self.values, self.saved) != (before, before_saved):
            self.form_key += 1

    def _fill_address(self, address: AddressView | None) -> None:
        self.chosen = str(address.id) if address is not None and address.id else ANOTHER
        self._zip, self._state_name = (address.zip, address.state) if address else ("", "")
        self.values = self.values | address_values(address)

    async def _requote_unasked(self) -> CartView:
        """Requote without an act of the shopper: a notice says so if the time they had chosen is gone."""
        slot = self.slot
        view = await self._requote()
        if self.slot != slot:
            self.changed_notice = " ".join(filter(None, (self.changed_notice, WindowFull.message)))
        return view

    async def _requote(self) -> CartView:
        view, slots = await read(self, checkout.show_cart, use_credit=self.use_credit, place=self._place())
        (await self.get_state(CartState))._show(view)
        self.times = delivery_times(slots, view.shop.delivery_within)
        if not any(time.key == self.slot and not time.is_full for time in self.times):
            self.slot = ""
        self.takes_wish = view.takes_wish
        self._has_zones, self._is_enforced = view.has_zones, bool(view.shop.enforce_jurisdiction)
        self.address_notice = enforcement.address_notice(view.terms.version)
        self.birth_date_reason = records.reason_to_ask(view.terms.version)
        before, self._shown = self._shown, shown_quote_of(view, self._zip, self._state_name, self.use_credit)
        if before is not None and before.has_changed_unasked(self._shown):
            self.changed_notice = QuoteChanged.message
        subscribe_to_cart(self, [line.product.id for line in view.lines])
        self.delivery_estimate, self.weekend_note = estimate(self._chosen_time(), view.shop)
        self.credit_available = money.show(view.credit_cents) if view.credit_cents else ""
        return view

    def _place(self) -> places.Place | None:
        return places.read(self._zip, self._state_name)

    def _chosen_time(self) -> str:
        return next((time.text for time in self.times if self.slot and time.key == self.slot), "")

    async def _was_placed(self) -> bool:
        """Whether there is an order with the key: its commit may have succeeded although the answer was lost."""
        return bool(self._key) and await read(self, checkout.was_placed, self._key)
