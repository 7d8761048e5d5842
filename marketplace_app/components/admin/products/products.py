"""The admin list of products."""

import reflex as rx

from marketplace_app.components.admin.shell import heading, may, panel
from marketplace_app.components.admin.table import (
    Column,
    Sorting,
    cell,
    clear_button,
    data_table,
    row_button,
    search_box,
    segments,
    table_footer,
    table_row,
    table_states,
    toolbar,
)
from marketplace_app.components.controls.badges import badge
from marketplace_app.components.controls.buttons import button, button_class, button_link
from marketplace_app.components.controls.dialogs import close_button, closes_dialog, dialog, dialog_title
from marketplace_app.components.controls.fields import select
from marketplace_app.components.controls.icons import icon
from marketplace_app.components.controls.links import download_link, link
from marketplace_app.components.controls.notices import note
from marketplace_app.components.controls.pictures import thumbnail
from marketplace_app.models import Permission, ProductType
from marketplace_app.states.admin.products.product_archive import AdminProductArchiveState
from marketplace_app.states.admin.products.products import SEGMENTS, AdminProductsState, ProductRow, UncountedRow

COLUMNS = (
    Column("Picture", class_name="w-14"),
    Column("Product", sort="name"),
    Column("SKU", class_name="max-xl:hidden"),
    Column("Category"),
    Column("Price", sort="price", is_number=True),
    Column("Stock", sort="stock", is_number=True),
    Column("Status"),
    Column("Updated", sort="updated", class_name="max-lg:hidden"),
    Column(""),
)
_TYPES = [("", "All types"), *((kind.value, kind.value) for kind in ProductType)]


def stock_mark(count: rx.Var[str], is_low: rx.Var[bool]) -> rx.Component:
    """The number, with 'low' before it if there are few; 'Sold out' if there are none."""
    class_name = "rounded-1 bg-warn-wash px-1.5 text-cap font-semibold text-warn"
    unit = rx.el.span("in stock", class_name="text-ink-3 md:hidden")
    left = rx.fragment(rx.cond(is_low, rx.el.span("low", class_name=class_name)), count, unit)
    return rx.el.span(
        rx.cond(count == "0", rx.el.span("Sold out", class_name=f"{class_name} whitespace-nowrap"), left),
        class_name="inline-flex items-center gap-1.5 tabular-nums",
    )


def _row(product: rx.Var[ProductRow]) -> rx.Component:
    status = rx.cond(product.is_active, badge("Active"), badge("Archived", "grey"))
    return table_row(
        cell(thumbnail(product.image, "w-9"), narrow="lead"),
        cell(
            link(product.name, href=product.href, class_name="font-semibold hover:underline"),
            rx.cond(product.is_featured, rx.el.span(" Featured", class_name="text-cap text-ink-3")),
            narrow="first",
            class_name="min-w-40",
        ),
        cell(product.sku, class_name="text-ink-3 tabular-nums max-xl:hidden"),
        cell(product.category, narrow="second", class_name="text-ink-2 whitespace-nowrap"),
        cell(product.price, narrow="figure", is_number=True, class_name="font-semibold"),
        cell(stock_mark(product.stock, product.is_low), narrow="third", is_number=True, class_name="max-md:text-left"),
        cell(status, narrow="badge"),
        cell(product.updated, class_name="whitespace-nowrap text-ink-2 max-lg:hidden"),
        cell(_actions(product), narrow="actions", class_name="text-right whitespace-nowrap"),
        key=product.id,
    )


def _actions(product: rx.Var[ProductRow]) -> rx.Component:
    archive = row_button("bin", f"Archive {product.name}", on_click=AdminProductArchiveState.ask(product.id))
    return rx.cond(may(Permission.EDIT_PRODUCTS) & product.is_active, archive)


def _category() -> rx.Component:
    options = rx.foreach(AdminProductsState.categories, lambda name: rx.el.option(name, value=name))
    return rx.el.div(
        rx.el.select(
            rx.el.option("All categories", value=""),
            options,
            value=AdminProductsState.category,
            on_change=AdminProductsState.show_category,
            aria_label="Category",
            name="category",
            class_name=(
                "min-h-(--tap) w-full appearance-none rounded-2 border border-line-strong bg-surface pr-9 pl-3 "
                "text-body text-ink md:text-small"
            ),
        ),
        icon("chevron-down", "sm", "pointer-events-none absolute top-1/2 right-2.5 -translate-y-1/2 text-ink-2"),
        class_name="relative",
    )


def _toolbar() -> rx.Component:
    return toolbar(
        search_box(
            "admin-search",
            "Search products",
            "Name, SKU, brand",
            AdminProductsState.search_text,
            AdminProductsState.search,
        ),
        _category(),
        select(_TYPES, "Type", AdminProductsState.type, AdminProductsState.show_type),
        rx.cond(AdminProductsState.is_filtered, clear_button(AdminProductsState.clear)),
        count_label=AdminProductsState.count_label,
    )


def _header_actions() -> list[rx.Component]:
    export = download_link("Export CSV", "/api/admin/products/export", button_class("outline", "sm"))
    import_products = button_link(
        icon("upload", "sm"), "Import CSV", href="/admin/products/import", variant="outline", size="sm"
    )
    new = button_link("New product", href="/admin/products/new", size="sm")
    return [export, rx.cond(may(Permission.EDIT_PRODUCTS), rx.fragment(import_products, new))]


def _archive_dialog() -> rx.Component:
    return dialog(
        rx.el.header(
            dialog_title("Archive this product?", class_name="text-h3"),
            close_button(),
            class_name="flex flex-none items-center justify-between gap-3 border-b border-line py-2 pr-2 pl-5",
        ),
        rx.el.p(
            AdminProductArchiveState.name,
            " is removed from the store right away. Existing orders keep it, and you can make it active again.",
            class_name="p-5 text-small text-ink-2",
        ),
        rx.el.footer(
            closes_dialog(button("Keep Product", variant="outline")),
            button("Archive Product", variant="danger", on_click=AdminProductArchiveState.archive),
            class_name="flex justify-end gap-2.5 border-t border-line px-5 py-3.5",
        ),
        open=AdminProductArchiveState.product_id > 0,
        on_open_change=AdminProductArchiveState.set_open,
    )


def _uncounted_link(product: rx.Var[UncountedRow]) -> rx.Component:
    return rx.el.li(
        link(product.name, href=product.href, class_name="inline-flex min-h-6 items-center underline"), key=product.href
    )


def _uncounted() -> rx.Component:
    """Products that cannot be sold while legal limits are applied (RULE uncounted-products)."""
    more = rx.el.li("and ", AdminProductsState.uncounted_more, " more", class_name="inline-flex min-h-6 items-center")
    names = rx.el.ul(
        rx.foreach(AdminProductsState.uncounted, _uncounted_link),
        rx.cond(AdminProductsState.uncounted_more > 0, more),
        class_name="mt-1 flex flex-wrap gap-x-4 gap-y-1",
    )
    title = rx.el.p(AdminProductsState.uncounted_title, class_name="font-semibold")
    return rx.cond(
        AdminProductsState.uncounted.length() > 0, rx.el.div(note(title, names, symbol="alert"), class_name="mb-4")
    )


def product_list() -> rx.Component:
    sorting = Sorting(AdminProductsState.sort, AdminProductsState.sort_direction, AdminProductsState.sort_by)
    table = data_table("Products", COLUMNS, AdminProductsState.products, _row, sorting=sorting)
    return rx.fragment(
        heading("Products", *_header_actions()),
        _uncounted(),
        segments(
            "Show", SEGMENTS, AdminProductsState.segment, AdminProductsState.show_segment, AdminProductsState.counts
        ),
        panel(
            _toolbar(),
            table_states(
                AdminProductsState.is_loading,
                AdminProductsState.products.length(),
                table,
                nothing="No products match.",
                symbol="tag",
            ),
            table_footer(
                AdminProductsState.range_label,
                AdminProductsState.page,
                AdminProductsState.pages,
                AdminProductsState.go_to,
            ),
        ),
        _archive_dialog(),
    )
