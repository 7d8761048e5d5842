"""`/admin/runs/[run_id]`: one run; and its sheet, a page for the printer."""

from typing import Any

import reflex as rx

from marketplace_app.components.admin.dispatch.run import run
from marketplace_app.components.admin.printed import printed_page
from marketplace_app.components.admin.shell import admin_page, heading
from marketplace_app.components.controls.buttons import button_link
from marketplace_app.components.controls.notices import empty_state, failed_state
from marketplace_app.components.controls.skeletons import skeleton_block
from marketplace_app.config import get_settings
from marketplace_app.services.dispatch.sheet_texts import FAILED_LINE
from marketplace_app.states.admin.dispatch.run import AdminRunState, AdminSheetState, SheetRow


def _missing() -> rx.Component:
    return rx.fragment(
        heading("This run does not exist"),
        empty_state(
            "truck",
            "It may have been removed, or the address may be mistyped.",
            button_link("Dispatch", href="/admin/dispatch", variant="outline"),
        ),
    )


def _failed(load: Any) -> rx.Component:
    return rx.fragment(heading("Run"), failed_state("This run could not be loaded.", load))


def _skeleton() -> rx.Component:
    return rx.fragment(heading("Run"), rx.el.div(skeleton_block("h-96 w-full"), aria_hidden="true"))


def admin_run() -> rx.Component:
    return admin_page(
        rx.match(
            AdminRunState.view,
            ("found", run()),
            ("missing", _missing()),
            ("failed", _failed(AdminRunState.load)),
            _skeleton(),
        ),
        current="dispatch",
        breadcrumbs=[("Dispatch", "/admin/dispatch")],
        name=rx.cond(AdminRunState.view == "found", AdminRunState.title, "Run"),
    )


def _tick_box(label: rx.Var[str]) -> rx.Component:
    """On paper, an empty square to be ticked with a pen."""
    return rx.el.li(
        rx.el.span(class_name="inline-block size-4 flex-none border border-ink", aria_hidden="true"),
        rx.el.span(label, class_name="whitespace-pre"),
        class_name="flex items-center gap-1.5",
    )


def _line(text: rx.Var[str]) -> rx.Component:
    return rx.el.p(text, class_name="whitespace-pre-line wrap-anywhere")


def _stop(stop: rx.Var[SheetRow]) -> rx.Component:
    boxes = rx.fragment(
        rx.el.ul(rx.foreach(stop.boxes, _tick_box), class_name="mt-1 flex flex-wrap gap-x-5 gap-y-2 text-cap"),
        rx.el.p(FAILED_LINE, class_name="mt-1 overflow-hidden text-cap whitespace-pre"),
    )
    return rx.el.li(
        rx.el.div(
            rx.el.h2(stop.name, class_name="min-w-0 font-sans text-body font-semibold wrap-anywhere"),
            rx.el.b(stop.cash, class_name="text-body tabular-nums"),
            class_name="flex items-baseline justify-between gap-4",
        ),
        rx.el.p(stop.address, class_name="font-semibold wrap-anywhere"),
        rx.foreach(stop.lines, _line),
        rx.cond(stop.outcome != "", rx.el.p(stop.outcome, class_name="font-semibold"), boxes),
        key=stop.id,
        class_name="grid gap-1 border-t border-ink py-3 break-inside-avoid",
    )


def _sheet() -> rx.Component:
    state = AdminSheetState
    return rx.fragment(
        rx.el.header(
            rx.el.p(get_settings().store_name, class_name="font-serif text-h3"),
            rx.el.h1("Run ", state.id, class_name="text-h2"),
            rx.foreach(state.head, lambda text: rx.el.p(text, class_name="wrap-anywhere")),
            rx.el.p(state.totals, class_name="font-semibold"),
            class_name="grid grid-cols-1 gap-0.5",
        ),
        rx.el.ol(rx.foreach(state.stops, _stop), aria_label="Stops"),
    )


def admin_run_sheet() -> rx.Component:
    return printed_page(
        AdminSheetState.view,
        _sheet(),
        "Back to the run",
        rx.Var.create(f"/admin/runs/{AdminSheetState.id}"),
        ("missing", _missing()),
        ("failed", _failed(AdminSheetState.load)),
        title="Run",
        skeleton=_skeleton(),
    )
