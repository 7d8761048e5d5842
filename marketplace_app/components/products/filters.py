"""Filters of the catalogue: a panel beside the products, on phones and tablets a sheet, and chips of what is chosen."""

from collections.abc import Callable
from typing import Any

import reflex as rx

from marketplace_app.components.controls.buttons import button
from marketplace_app.components.controls.dialogs import closes_dialog, dialog, dialog_title
from marketplace_app.components.controls.icons import icon
from marketplace_app.components.products.categories import CATEGORIES
from marketplace_app.components.products.filter_groups import checkbox_row, filter_group, more_filters, radio_row
from marketplace_app.states.products.catalogue import CatalogueState
from marketplace_app.states.products.catalogue_rows import ActiveFilter

_CATEGORY = (
    "flex min-h-11 items-center border-b-2 border-transparent pt-0.5 text-ui whitespace-nowrap text-ink-2 "
    "hover:text-ink focus-visible:-outline-offset-2 aria-[current=page]:border-brand-text "
    "aria-[current=page]:font-semibold aria-[current=page]:text-ink"
)


def category_bar() -> rx.Component:
    return category_nav(CatalogueState.category, CatalogueState.choose_category)


def category_nav(chosen: rx.Var[str], choose: Callable[..., Any], label: str = "Categories") -> rx.Component:
    """A row of categories. On a phone it scrolls sideways: a name that is cut off shows that there are more."""

    def option(name: str, category: str) -> rx.Component:
        return rx.el.button(
            name,
            type="button",
            on_click=choose(category),
            aria_current=rx.cond(chosen == category, "page", "false"),
            class_name=_CATEGORY,
        )

    return rx.el.nav(
        option("All Products", ""),
        *[option(name, name) for name in CATEGORIES],
        aria_label=label,
        class_name=(
            "scrollbar-none -mx-(--gutter) flex gap-6 overflow-x-auto border-b border-line px-(--gutter) md:mx-0 "
            "md:px-0"
        ),
    )


def _groups(id_prefix: str) -> rx.Component:
    """`id_prefix` makes the ids unique where panel and sheet are both on the page."""
    return rx.fragment(
        filter_group("Categories", CatalogueState.categories, checkbox_row(id_prefix, "category"), skeleton_rows=5),
        filter_group("Types", CatalogueState.types, checkbox_row(id_prefix, "type"), skeleton_rows=8),
        filter_group("CBD Potency", CatalogueState.potencies, checkbox_row(id_prefix, "potency"), skeleton_rows=3),
        filter_group("Price Range", CatalogueState.prices, radio_row(id_prefix, "price"), skeleton_rows=4),
        more_filters(id_prefix),
    )


def _clear_all(**props: Any) -> rx.Component:
    return button("Clear All", on_click=CatalogueState.clear, **props)


def filter_panel() -> rx.Component:
    head = rx.el.div(
        rx.el.h2("Filters", class_name="text-h3"),
        rx.el.div(_clear_all(variant="ghost", size="sm"), class_name="-mr-3"),
        class_name="flex min-h-11 items-center justify-between",
    )
    return rx.el.aside(
        head,
        _groups("panel"),
        aria_label="Filters",
        class_name=(
            "sticky top-16 -ml-2 hidden max-h-[calc(100svh-4rem)] self-start overflow-y-auto overscroll-contain "
            "pt-6 pr-3 pb-4 pl-2 scrollbar-thin lg:block"
        ),
    )


def filter_sheet() -> rx.Component:
    count = CatalogueState.active_filters.length()
    trigger = button(icon("sliders"), rx.cond(count > 0, f"Filters ({count})", "Filters"), variant="outline")
    grip = rx.el.div(
        class_name="mx-auto mt-2.5 h-1 w-9 flex-none rounded-full bg-line-strong opacity-60", aria_hidden="true"
    )
    foot = rx.el.div(
        _clear_all(variant="outline"),
        rx.el.div(closes_dialog(button(CatalogueState.show_results_label, wide=True)), class_name="flex-1"),
        class_name="flex gap-2.5 border-t border-line px-5 pt-3 pb-5",
    )
    return rx.el.div(
        dialog(
            grip,
            rx.el.div(
                dialog_title("Filters", class_name="flex min-h-11 items-center text-h3"),
                _groups("sheet"),
                class_name="flex-1 overflow-auto px-5 pt-1.5",
            ),
            foot,
            trigger=trigger,
            shape="sheet",
        ),
        class_name="lg:hidden",
    )


def filter_chip(label: Any, on_remove: Any) -> rx.Component:
    return rx.el.button(
        label,
        icon("close", "sm"),
        type="button",
        on_click=on_remove,
        aria_label=f"Remove filter {label}",
        class_name=(
            "inline-flex min-h-11 items-center gap-1.5 rounded-2 border border-brand-text bg-wash px-2.5 py-1 "
            "text-left text-small font-semibold text-brand-text md:min-h-8"
        ),
    )


def _active_filter_chip(chosen: rx.Var[ActiveFilter]) -> rx.Component:
    return rx.el.li(
        filter_chip(chosen.label, CatalogueState.remove_chip(chosen.group, chosen.value)),
        key=f"{chosen.group} {chosen.value}",
    )


def active_filter_chips() -> rx.Component:
    return rx.cond(
        CatalogueState.active_filters.length() > 0,
        rx.el.ul(
            rx.foreach(CatalogueState.active_filters, _active_filter_chip),
            aria_label="Chosen filters",
            class_name="mb-5 flex flex-wrap gap-2",
        ),
    )
