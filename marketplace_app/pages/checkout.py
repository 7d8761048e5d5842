"""`/checkout`: contact, address, instructions, and the order's totals."""

from typing import Any

import reflex as rx

from marketplace_app.components.buying.batch_wish import wish_choice
from marketplace_app.components.buying.delivery_times import time_choice
from marketplace_app.components.buying.quote import blocker_notice, limit_meters, minimum_warning, quote
from marketplace_app.components.controls.buttons import pending_button
from marketplace_app.components.controls.error_summary import error_summary
from marketplace_app.components.controls.fields import checkbox_input, labelled_select, text_area, text_field
from marketplace_app.components.controls.notices import invitation_required, note, sign_in_notice
from marketplace_app.components.controls.pictures import thumbnail
from marketplace_app.components.controls.skeletons import form_skeleton, skeleton_block
from marketplace_app.components.shell.age_gate import age_gate
from marketplace_app.components.shell.layout import page
from marketplace_app.components.shell.load_failure import unless_load_failed
from marketplace_app.limits import MAX_INSTRUCTIONS
from marketplace_app.messages import LEGAL_LINE, SIGN_IN_TO_CHECK_OUT
from marketplace_app.states.buying.cart import CartRow, CartState
from marketplace_app.states.buying.checkout import ANOTHER, CheckoutState
from marketplace_app.states.events.viewer import ViewerState

FORM = "checkout"


def _field(label: str, name: str, autocomplete: str, **props: Any) -> rx.Component:
    return text_field(
        label,
        name,
        CheckoutState.errors.get(name, ""),
        default_value=CheckoutState.values[name],
        auto_complete=autocomplete,
        on_blur=lambda value: CheckoutState.check_field(name, value),
        **props,
    )


def _area(label: str, name: str, placeholder: str) -> rx.Component:
    return text_area(
        label,
        name,
        CheckoutState.errors.get(name, ""),
        default_value=CheckoutState.values[name],
        placeholder=placeholder,
        max_length=MAX_INSTRUCTIONS,
        on_blur=lambda value: CheckoutState.check_field(name, value),
    )


def _section(heading: str, *rows: rx.Component) -> rx.Component:
    return rx.el.section(rx.el.h2(heading, class_name="text-h2"), *rows, class_name="grid gap-4")


def _contact() -> rx.Component:
    return _section(
        "Contact",
        rx.el.div(
            _field("First name", "firstName", "given-name"),
            _field("Last name", "lastName", "family-name"),
            class_name="grid gap-4 md:grid-cols-2",
        ),
        _field("Contact phone", "contactPhone", "tel", type="tel", input_mode="tel"),
    )


def _saved_choice() -> rx.Component:
    return rx.cond(
        CheckoutState.saved.length() > 0,
        labelled_select(
            "Deliver to",
            "savedAddress",
            rx.foreach(CheckoutState.saved, lambda each: rx.el.option(each.text, value=each.key)),
            rx.el.option("Another address", value=ANOTHER),
            value=CheckoutState.chosen,
            on_change=CheckoutState.choose_address,
        ),
    )


def _address() -> rx.Component:
    fields = rx.el.div(
        _field("Address", "deliveryAddress", "street-address"),
        rx.el.div(
            rx.el.div(_field("City", "city", "address-level2"), class_name="col-span-2 md:col-span-1"),
            _field("State", "state", "address-level1"),
            _field("Zip code", "zipCode", "postal-code", input_mode="numeric"),
            class_name="grid grid-cols-2 items-start gap-4 md:grid-cols-[2fr_1fr_1fr]",
        ),
        key=CheckoutState.address_form_key,
        class_name="grid gap-4",
    )
    notice = rx.cond(
        CheckoutState.address_notice != "",
        rx.el.p(CheckoutState.address_notice, role="status", class_name="text-small text-ink-2"),
    )
    return _section("Delivery address", _saved_choice(), fields, notice)


def _birth_date() -> rx.Component:
    """Only where the state's rules want it on the order's record. The store never fills it in."""
    field = _field("Date of birth", "birthDate", "bday", hint=CheckoutState.birth_date_reason, type="date")
    return rx.cond(CheckoutState.birth_date_reason != "", _section("Order record", field))


def _times() -> rx.Component:
    """Only where the shop has windows for the ZIP code above."""
    return rx.cond(
        CheckoutState.times.length() > 0,
        time_choice(CheckoutState.times, CheckoutState.slot, CheckoutState.choose_slot),
    )


def _wish() -> rx.Component:
    """Only if something in the cart is packed by batch."""
    return rx.cond(CheckoutState.takes_wish, wish_choice(CheckoutState.wish, CheckoutState.choose_wish))


def _instructions() -> rx.Component:
    areas = rx.el.div(
        _area("Delivery instructions", "deliveryInstructions", "Which door to use, and whether to ring."),
        _area("Payment pickup instructions", "paymentInstructions", "Where will the driver find the cash?"),
        key=CheckoutState.address_form_key,
        class_name="grid gap-4",
    )
    save = rx.el.label(
        checkbox_input(name="saveAddress"),
        "Save this address",
        class_name="flex min-h-11 cursor-pointer items-center gap-2.5 justify-self-start text-ui",
    )
    return _section("Instructions", areas, rx.cond(CheckoutState.may_save, save))


def _form() -> rx.Component:
    return rx.el.form(
        _contact(),
        _address(),
        _birth_date(),
        _times(),
        _wish(),
        _instructions(),
        rx.el.input(type="hidden", name="total", value=CartState.total),
        id=FORM,
        key=CheckoutState.form_key,
        no_validate=True,
        on_submit=CheckoutState.place,
        class_name="grid gap-9",
    )


def _line(line: rx.Var[CartRow]) -> rx.Component:
    return rx.el.li(
        thumbnail(line.image, "w-13"),
        rx.el.div(
            rx.el.p(line.name, class_name="text-small font-semibold wrap-anywhere"),
            rx.el.p(f"Quantity {line.quantity}", class_name="text-cap text-ink-3"),
            class_name="min-w-0 flex-1",
        ),
        rx.el.span(line.total, class_name="text-small tabular-nums"),
        key=line.id,
        class_name="flex items-center gap-3",
    )


def _place_order() -> rx.Component:
    label = rx.cond(CartState.can_check_out, "Place Order", CartState.checkout_label)
    return pending_button(
        label,
        "Placing order...",
        CheckoutState.is_placing,
        disabled=~CartState.can_check_out,
        type="submit",
        form=FORM,
        size="lg",
        wide=True,
    )


def _credit() -> rx.Component:
    return rx.cond(
        CheckoutState.credit_available != "",
        rx.el.label(
            rx.el.input(
                type="checkbox",
                name="useCredit",
                checked=CheckoutState.use_credit,
                on_change=CheckoutState.toggle_credit,
                class_name="size-4.5 accent-brand",
            ),
            f"Use my referral credit ({CheckoutState.credit_available})",
            class_name="mt-4 flex min-h-11 cursor-pointer items-center gap-2.5 text-ui",
        ),
    )


def _blocker_notices() -> rx.Component:
    """Why nothing can be delivered to the place in the form."""
    return rx.cond(
        CartState.blocker_notices.length() > 0,
        rx.el.div(
            rx.foreach(CartState.blocker_notices, lambda notice: blocker_notice(notice.text)),
            role="status",
            class_name="grid gap-4",
        ),
    )


def _summary() -> rx.Component:
    return rx.el.aside(
        rx.el.h2("Order summary", class_name="mb-4 text-[1.375rem]"),
        rx.el.ul(rx.foreach(CartState.lines, _line), class_name="mb-4.5 grid gap-4 border-b border-line pb-4.5"),
        quote("Total, in cash", has_reasons=True),
        _credit(),
        rx.el.div(minimum_warning(CartState.minimum), limit_meters(), _blocker_notices(), class_name="mt-4 grid gap-4"),
        rx.el.div(_place_order(), class_name="mt-4.5 max-lg:hidden"),
        rx.el.p(
            CheckoutState.delivery_estimate, " ", CheckoutState.weekend_note, class_name="mt-2.5 text-cap text-ink-3"
        ),
        rx.el.p(LEGAL_LINE, class_name="mt-3.5 border-t border-line pt-3.5 text-cap text-ink-3"),
        aria_label="Order summary",
        class_name="rounded-2 border border-line bg-surface p-6 lg:sticky lg:top-22",
    )


def _foot_bar() -> rx.Component:
    """On a phone the total and the button stay at the bottom of the screen."""
    total = rx.el.p(
        rx.el.span("Total, in cash", class_name="block text-cap text-ink-3"),
        rx.el.b(CartState.total, class_name="text-lead font-semibold tabular-nums"),
    )
    return rx.el.div(
        total,
        rx.el.div(_place_order(), class_name="max-w-100 flex-1"),
        data_foot_bar="",
        class_name=(
            "sticky bottom-0 z-(--z-sticky) flex items-center justify-between gap-5 border-t border-line bg-surface "
            "px-(--gutter) py-3 lg:hidden short:py-1.5"
        ),
    )


def _notices() -> rx.Component:
    return rx.fragment(
        note(
            rx.el.p(
                rx.el.b("Cash on delivery. ", class_name="font-semibold"),
                CartState.terms_text,
            ),
            symbol="cash",
        ),
        rx.cond(
            CheckoutState.changed_notice != "",
            note(rx.el.p(CheckoutState.changed_notice), symbol="alert", variant="info", role="alert"),
        ),
        error_summary(CheckoutState.error_summary, FORM),
    )


def _body() -> rx.Component:
    left = rx.el.div(
        rx.el.h1("Checkout", class_name="text-h1"),
        rx.el.div(_notices(), class_name="mt-4.5 mb-7 grid gap-4"),
        rx.cond(CheckoutState.is_ready, _form(), form_skeleton()),
    )
    return unless_load_failed(
        rx.el.div(
            left,
            rx.cond(CheckoutState.is_ready, _summary(), skeleton_block("h-112 w-full rounded-2 max-lg:hidden")),
            class_name=(
                "shell grid items-start gap-8 pt-5 pb-10 lg:grid-cols-[minmax(0,1fr)_384px] lg:gap-16 lg:pt-9 lg:pb-20"
            ),
        ),
        rx.cond(CheckoutState.is_ready, _foot_bar()),
        age_gate(rx.cond(CheckoutState.needs_age_check, "always", ""), on_verified=CheckoutState.age_verified),
        title="Checkout",
        class_name="shell pt-5 pb-20",
    )


def checkout() -> rx.Component:
    return page(
        rx.cond(
            ViewerState.is_known & ~ViewerState.is_signed_in,
            sign_in_notice(SIGN_IN_TO_CHECK_OUT.text),
            rx.cond(ViewerState.is_known & ~ViewerState.has_access, invitation_required(), _body()),
        )
    )
