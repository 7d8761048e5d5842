"""`/admin/cash`, and `/admin/shifts/[shift_id]`: one driver's shift."""

import reflex as rx

from marketplace_app.components.admin.cash.cash import cash
from marketplace_app.components.admin.cash.shift import shift
from marketplace_app.components.admin.shell import admin_page, heading
from marketplace_app.components.controls.buttons import button_link
from marketplace_app.components.controls.notices import empty_state, failed_state
from marketplace_app.components.controls.skeletons import skeleton_block
from marketplace_app.states.admin.cash.shift import AdminShiftState


def admin_cash() -> rx.Component:
    return admin_page(cash(), current="cash")


def admin_shift() -> rx.Component:
    return admin_page(
        rx.match(AdminShiftState.view, ("found", shift()), ("missing", _missing()), ("failed", _failed()), _skeleton()),
        current="cash",
        breadcrumbs=[("Cash", "/admin/cash")],
        name=rx.cond(AdminShiftState.view == "found", AdminShiftState.driver, "Shift"),
    )


def _missing() -> rx.Component:
    return rx.fragment(
        heading("This shift does not exist"),
        empty_state("cash", "The address may be mistyped.", button_link("Cash", href="/admin/cash", variant="outline")),
    )


def _failed() -> rx.Component:
    return rx.fragment(heading("Shift"), failed_state("This shift could not be loaded.", AdminShiftState.load))


def _skeleton() -> rx.Component:
    return rx.fragment(heading("Shift"), rx.el.div(skeleton_block("h-96 w-full"), aria_hidden="true"))
