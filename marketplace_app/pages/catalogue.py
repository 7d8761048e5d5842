"""The catalogue: what a member sees on `/`."""

import reflex as rx

from marketplace_app.components.controls.buttons import button, icon_button
from marketplace_app.components.controls.fields import select
from marketplace_app.components.controls.notices import failed_state, invitation_required
from marketplace_app.components.controls.pagination import pagination
from marketplace_app.components.controls.skeletons import REQUESTED_VIEW, catalogue_skeletons
from marketplace_app.components.products.filters import active_filter_chips, category_bar, filter_panel, filter_sheet
from marketplace_app.components.products.nothing_found import nothing_found
from marketplace_app.components.products.picks import picked_for_you
from marketplace_app.components.products.product_card import GRID, card, row
from marketplace_app.components.shell.load_failure import unless_load_failed
from marketplace_app.components.shell.search import correction
from marketplace_app.messages import LIST_FAILED
from marketplace_app.states.events.viewer import ViewerState
from marketplace_app.states.products.catalogue import HEADING_ID, CatalogueState

SORTS = [
    ("featured", "Featured"),
    ("name-asc", "Name: A to Z"),
    ("name-desc", "Name: Z to A"),
    ("price-asc", "Price: low to high"),
    ("price-desc", "Price: high to low"),
    ("rating-desc", "Highest rated"),
    ("newest", "Newest"),
]


def _view_button(symbol: str, label: str, view: str) -> rx.Component:
    shown = rx.cond(CatalogueState.is_loading, REQUESTED_VIEW, CatalogueState.view)
    return icon_button(
        symbol,
        label,
        on_click=CatalogueState.show_as(view),
        aria_pressed=rx.cond(shown == view, "true", "false"),
        class_name="h-full rounded-none aria-pressed:bg-wash aria-pressed:text-brand-text",
    )


def _toolbar() -> rx.Component:
    heading = rx.el.div(
        rx.el.h1(
            CatalogueState.heading, id=HEADING_ID, tab_index=-1, class_name="text-title wrap-anywhere outline-none"
        ),
        rx.el.p(CatalogueState.count_label, role="status", class_name="min-h-[1lh] text-small text-ink-2 tabular-nums"),
    )
    views = rx.el.div(
        _view_button("grid", "Grid", "grid"),
        _view_button("list", "List", "list"),
        role="group",
        aria_label="View",
        class_name="hidden h-11 overflow-hidden rounded-2 border border-line-strong bg-surface md:flex",
    )
    sort = rx.el.div(
        select(SORTS, "Sort", CatalogueState.sort, CatalogueState.sort_by), class_name="min-w-0 flex-1 md:w-46"
    )
    return rx.el.div(
        heading,
        rx.el.div(filter_sheet(), views, sort, class_name="flex w-full gap-2 md:w-auto"),
        class_name="mb-5 flex flex-wrap items-center justify-between gap-3",
    )


def _products() -> rx.Component:
    return rx.fragment(
        rx.cond(
            CatalogueState.view == "list",
            rx.el.ul(rx.foreach(CatalogueState.products, row)),
            rx.el.ul(rx.foreach(CatalogueState.products, card), class_name=GRID),
        ),
        pagination(CatalogueState.page, CatalogueState.pages, CatalogueState.go_to),
    )


def _results() -> rx.Component:
    failed = failed_state(LIST_FAILED, CatalogueState.load)
    nothing = nothing_found(
        CatalogueState.nothing_found, button("Clear Filters", variant="outline", on_click=CatalogueState.clear_instead)
    )
    return rx.cond(
        CatalogueState.is_loading,
        catalogue_skeletons(GRID),
        rx.cond(CatalogueState.has_failed, failed, rx.cond(CatalogueState.products.length() > 0, _products(), nothing)),
    )


def _shop() -> rx.Component:
    return rx.el.div(
        category_bar(),
        picked_for_you(),
        rx.el.div(
            filter_panel(),
            rx.el.section(
                _toolbar(),
                active_filter_chips(),
                correction(CatalogueState.corrected, CatalogueState.misspelled, CatalogueState.exact_href),
                unless_load_failed(_results()),
                aria_label="Products",
                class_name="min-w-0 pt-6 md:pt-7",
            ),
            class_name="grid pb-20 lg:grid-cols-[248px_minmax(0,1fr)] lg:gap-8",
        ),
        class_name="shell",
    )


def catalogue() -> rx.Component:
    is_locked_out = ViewerState.is_known & ViewerState.is_signed_in & ~ViewerState.has_access
    return rx.cond(is_locked_out, invitation_required(), _shop())
