"""The stop that the driver is at, and the list of all stops: empty elements that `assets/drive.js` fills."""

import reflex as rx

from marketplace_app.components.controls.icons import icon
from marketplace_app.components.controls.links import document_link
from marketplace_app.components.drive.parts import CARD, big_button, field_text, step_heading
from marketplace_app.components.drive.steps import steps

_LINK = "flex min-h-14 items-center gap-3 py-2 text-lead font-semibold text-brand-text underline underline-offset-3"


def stop() -> rx.Component:
    return rx.el.article(
        rx.el.div(
            rx.el.p(field_text("place"), class_name="text-small font-semibold text-ink-2"),
            rx.el.h2(field_text("customerName"), tab_index=-1, data_part="name", class_name="wrap-anywhere text-h1"),
            rx.el.p(field_text("window"), data_hide_if_empty="window", class_name="text-lead font-semibold"),
            class_name="grid gap-1",
        ),
        rx.el.div(
            document_link(icon("map-pin"), field_text("address", "wrap-anywhere"), href="geo:0,0", class_name=_LINK),
            document_link(icon("phone"), field_text("phone", "wrap-anywhere"), href="tel:", class_name=_LINK),
            class_name="grid divide-y divide-line border-y border-line",
        ),
        rx.el.p(
            field_text("deliveryInstructions"),
            data_hide_if_empty="deliveryInstructions",
            class_name="rounded-3 bg-amber-wash p-4 text-lead wrap-anywhere",
        ),
        rx.el.details(
            rx.el.summary(field_text("bag"), class_name="flex min-h-14 items-center text-lead font-semibold"),
            rx.el.ul(
                rx.el.li(hidden=True, class_name="py-1"), data_part="items", class_name="pb-3 text-lead wrap-anywhere"
            ),
        ),
        _ended(),
        _locked(),
        steps(),
        aria_label="Stop",
        data_part="stop",
        class_name=f"{CARD} grid gap-5",
    )


def _ended() -> rx.Component:
    return rx.el.div(
        rx.el.div(step_heading(field_text("ended")), data_part="ended-note", class_name="rounded-3 p-4"),
        big_button("Next Stop", icon("arrow-right"), data_act="next"),
        data_part="ended",
        hidden=True,
        class_name="grid gap-5",
    )


def _locked() -> rx.Component:
    return rx.el.div(
        step_heading("Locked. Call dispatch."),
        rx.el.p(
            "Too many wrong PINs. Hand nothing over until dispatch has released this stop.", class_name="text-lead"
        ),
        data_part="locked",
        hidden=True,
        class_name="grid gap-2 rounded-3 bg-bad-wash p-4 text-bad",
    )


def stop_list() -> rx.Component:
    row = rx.el.li(
        rx.el.button(
            field_text("position", "w-7 flex-none text-ink-2"),
            rx.el.span(
                field_text("rowName", "block font-semibold wrap-anywhere"),
                field_text("rowPlace", "block text-body text-ink-2 wrap-anywhere"),
                class_name="min-w-0 flex-1",
            ),
            field_text("rowState", "flex-none text-small font-semibold"),
            type="button",
            data_act="open",
            class_name=(
                "flex min-h-16 w-full items-center gap-3 rounded-2 px-2 py-3 text-left text-lead active:bg-wash "
                "aria-[current=true]:bg-wash"
            ),
        ),
        hidden=True,
    )
    return rx.el.section(
        rx.el.h2("All stops", class_name="text-h3"),
        rx.el.ol(row, data_part="list", class_name="divide-y divide-line"),
        class_name=f"{CARD} grid gap-2 content-start",
    )
