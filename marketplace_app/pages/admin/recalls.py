"""`/admin/recalls`, and `/admin/recalls/[batch_id]`: one recall."""

import reflex as rx

from marketplace_app.components.admin.batches.recalls import recall, recalls
from marketplace_app.components.admin.shell import admin_page, heading
from marketplace_app.components.controls.buttons import button_link
from marketplace_app.components.controls.notices import empty_state, failed_state
from marketplace_app.components.controls.skeletons import skeleton_block
from marketplace_app.states.admin.batches.recalls import AdminRecallState


def admin_recalls() -> rx.Component:
    return admin_page(recalls(), current="recalls")


def admin_recall() -> rx.Component:
    return admin_page(
        rx.match(
            AdminRecallState.view, ("found", recall()), ("missing", _missing()), ("failed", _failed()), _skeleton()
        ),
        current="recalls",
        breadcrumbs=[("Recalls", "/admin/recalls")],
        name=rx.cond(AdminRecallState.view == "found", AdminRecallState.title, "Recall"),
    )


def _missing() -> rx.Component:
    way_back = button_link("All Recalls", href="/admin/recalls", variant="outline")
    return rx.fragment(
        heading("This recall does not exist"), empty_state("alert", "The address may be mistyped.", way_back)
    )


def _failed() -> rx.Component:
    return rx.fragment(heading("Recall"), failed_state("This recall could not be loaded.", AdminRecallState.load))


def _skeleton() -> rx.Component:
    return rx.fragment(heading("Recall"), rx.el.div(skeleton_block("h-96 w-full"), aria_hidden="true"))
