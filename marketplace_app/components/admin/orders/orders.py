"""The orders tab: all orders."""

import reflex as rx

from marketplace_app.components.admin.orders.new_orders import new_order_choices
from marketplace_app.components.admin.orders.order_form import delete_dialog, order_dialog
from marketplace_app.components.admin.orders.order_step import row_step_button, undo_bar
from marketplace_app.components.admin.orders.orders_bulk import bulk_bar, bulk_dialog
from marketplace_app.components.admin.shell import heading, may, panel
from marketplace_app.components.admin.table import (
    Column,
    Sorting,
    cell,
    clear_button,
    data_table,
    day_box,
    row_button,
    search_box,
    segments,
    table_footer,
    table_row,
    table_states,
    toolbar,
)
from marketplace_app.components.controls.badges import status_badge
from marketplace_app.components.controls.buttons import button_class
from marketplace_app.components.controls.fields import checkbox_input
from marketplace_app.components.controls.links import download_link, link
from marketplace_app.models import Permission
from marketplace_app.states.admin.orders.order_form import AdminOrderFormState
from marketplace_app.states.admin.orders.orders import STATUS_SEGMENTS, AdminOrdersState, OrderRow


def _checkbox_for_all() -> rx.Component:
    box = checkbox_input(
        default_checked=AdminOrdersState.are_all_selected,
        on_change=AdminOrdersState.toggle_all,
        aria_label="Pick every order of this page",
        # Uncontrolled, like the checkboxes of the rows. A row that is ticked or unticked may change whether all are
        # selected, which only a rebuilt checkbox shows.
        key=f"all-{AdminOrdersState.checkboxes_key}-{AdminOrdersState.are_all_selected}",
    )
    return rx.cond(may(Permission.EDIT_ORDERS), box)


COLUMNS = (
    Column("Pick", head=_checkbox_for_all()),
    Column("Order"),
    Column("No.", sort="number", class_name="max-xl:hidden"),
    Column("Customer", sort="customer"),
    Column("Placed", sort="placed"),
    Column("Items", is_number=True, class_name="max-xl:hidden"),
    Column("Total", sort="total", is_number=True),
    Column("Status", sort="status"),
    Column("Address", class_name="max-[90rem]:hidden"),
    Column(""),
)


def _row(order: rx.Var[OrderRow]) -> rx.Component:
    box = checkbox_input(
        default_checked=AdminOrdersState.are_all_selected,
        on_change=AdminOrdersState.toggle_selected(order.id),
        aria_label=f"Pick order {order.number}",
        key=f"{order.id}-{AdminOrdersState.checkboxes_key}",
    )
    return table_row(
        cell(rx.cond(may(Permission.EDIT_ORDERS), box), narrow="lead"),
        cell(
            rx.el.span(order.number, class_name="mr-2 text-ink tabular-nums md:block xl:hidden"),
            link(order.short_id, href=order.href, class_name="font-semibold tabular-nums hover:underline"),
            narrow="second",
        ),
        cell(order.number, class_name="tabular-nums max-xl:hidden"),
        cell(
            order.customer,
            narrow="first",
            class_name="max-w-50 truncate max-md:font-semibold md:max-w-28 xl:max-w-36",
            title=order.customer,
        ),
        cell(order.placed, narrow="third", class_name="text-ink-2 max-md:text-ink-3 md:min-w-31 xl:whitespace-nowrap"),
        cell(order.pieces, is_number=True, class_name="max-xl:hidden"),
        cell(order.total, narrow="figure", is_number=True, class_name="font-semibold"),
        cell(status_badge(order.status_label, order.status_hue), narrow="badge"),
        cell(order.address, class_name="max-w-40 truncate text-ink-2 max-[90rem]:hidden", title=order.address),
        cell(_actions(order), narrow="actions", class_name="text-right whitespace-nowrap"),
        key=order.id,
        is_new=order.is_new,
    )


def _actions(order: rx.Var[OrderRow]) -> rx.Component:
    return rx.el.span(
        row_step_button(order.id, order.number, order.status, order.step),
        rx.cond(
            may(Permission.EDIT_ORDERS),
            row_button("pen", f"Edit order {order.number}", on_click=AdminOrderFormState.edit(order.id)),
        ),
        rx.cond(
            may(Permission.DELETE_ORDERS),
            row_button("bin", f"Delete order {order.number}", on_click=AdminOrderFormState.ask_to_delete(order.id)),
        ),
    )


def _day(label: str, edge: str, value: rx.Var[str]) -> rx.Component:
    return day_box(edge, label, value, lambda day: AdminOrdersState.show_days(edge, day))


def _toolbar() -> rx.Component:
    return toolbar(
        search_box(
            "admin-search",
            "Search orders",
            "Order, name, street, product",
            AdminOrdersState.search_text,
            AdminOrdersState.search,
        ),
        _day("Placed from", "placedFrom", AdminOrdersState.placed_from),
        _day("Placed to", "placedTo", AdminOrdersState.placed_to),
        rx.cond(AdminOrdersState.is_filtered, clear_button(AdminOrdersState.clear)),
        count_label=AdminOrdersState.count_label,
    )


def _export() -> rx.Component:
    export = download_link("Export CSV", AdminOrdersState.export_href, button_class("outline", "sm"))
    return rx.cond(may(Permission.EXPORT_ORDERS), export)


def orders() -> rx.Component:
    sorting = Sorting(AdminOrdersState.sort, AdminOrdersState.sort_direction, AdminOrdersState.sort_by)
    table = data_table("Orders", COLUMNS, AdminOrdersState.orders, _row, sorting=sorting)
    return rx.fragment(
        heading("Orders", _export()),
        segments(
            "Status", STATUS_SEGMENTS, AdminOrdersState.segment, AdminOrdersState.show_status, AdminOrdersState.counts
        ),
        panel(
            _toolbar(),
            bulk_bar(),
            table_states(
                AdminOrdersState.is_loading,
                AdminOrdersState.orders.length(),
                table,
                nothing="No orders match.",
                symbol="receipt",
            ),
            table_footer(
                AdminOrdersState.range_label, AdminOrdersState.page, AdminOrdersState.pages, AdminOrdersState.go_to
            ),
            rx.el.p(AdminOrdersState.announced, role="status", class_name="sr-only"),
        ),
        new_order_choices(),
        order_dialog(),
        delete_dialog(),
        bulk_dialog(),
        undo_bar(),
    )
