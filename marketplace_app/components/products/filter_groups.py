"""Groups of the catalogue's filters: rows of checkboxes or radio buttons under a heading."""

from collections.abc import Callable

import reflex as rx

from marketplace_app.components.controls.buttons import button
from marketplace_app.components.controls.fields import checkbox, radio
from marketplace_app.components.controls.icons import icon
from marketplace_app.components.controls.skeletons import skeleton_block
from marketplace_app.states.products.catalogue import FIRST_OPTIONS, CatalogueState
from marketplace_app.states.products.catalogue_rows import FilterOption


def _option_skeleton() -> rx.Component:
    return rx.el.div(skeleton_block("h-4.5 w-4/5"), class_name="flex h-11 items-center lg:h-[34px]")


def filter_group(
    legend: str,
    options: rx.vars.ArrayVar[list[FilterOption]],
    row: Callable[..., rx.Component],
    *,
    skeleton_rows: int,
    foot: rx.Component | None = None,
) -> rx.Component:
    rows = rx.cond(
        options.length() > 0,
        rx.foreach(options, row),
        rx.el.div(*[_option_skeleton() for _ in range(skeleton_rows)], class_name="skeletons", aria_hidden="true"),
    )
    return rx.el.fieldset(
        rx.el.legend(legend, class_name="float-left mb-1.5 w-full text-small font-semibold"),
        rx.el.div(rows, *([foot] if foot else []), class_name="clear-both"),
        class_name="border-t border-line pt-4 pb-3",
    )


def checkbox_row(id_prefix: str, group: str) -> Callable[..., rx.Component]:
    def row(option: rx.Var[FilterOption], index: rx.Var[int]) -> rx.Component:
        toggle = CatalogueState.toggle(group, option.value)
        return checkbox(option.label, f"{id_prefix}-{group}-{index}", option.is_on, toggle, option.count)

    return row


def radio_row(id_prefix: str, group: str, *, is_counted: bool = False) -> Callable[..., rx.Component]:
    def row(option: rx.Var[FilterOption], index: rx.Var[int]) -> rx.Component:
        toggle = CatalogueState.toggle(group, option.value)
        count = option.count if is_counted else None
        return radio(option.label, f"{id_prefix}-{group}-{index}", f"{id_prefix}-{group}", option.is_on, toggle, count)

    return row


def _long_group(id_prefix: str, legend: str, group: str, options: rx.vars.ArrayVar[list[FilterOption]]) -> rx.Component:
    """The most frequent values first; the rest on demand."""
    length, is_expanded = CatalogueState.group_sizes[group].to(int), CatalogueState.expanded.contains(group)
    label = rx.cond(is_expanded, "Show fewer", f"Show all {length}")
    expand_button = button(
        label,
        rx.el.span(f" {legend.lower()}", class_name="sr-only"),
        on_click=CatalogueState.show_all(group),
        variant="ghost",
        size="sm",
        aria_expanded=rx.cond(is_expanded, "true", "false"),
    )
    foot = rx.cond(length > FIRST_OPTIONS, rx.el.div(expand_button, class_name="-ml-3"))
    return rx.cond(
        options.length() > 0, filter_group(legend, options, checkbox_row(id_prefix, group), skeleton_rows=0, foot=foot)
    )


def more_filters(id_prefix: str) -> rx.Component:
    """The less common groups, collapsed until they are opened or active (RULE filters)."""
    id, count = f"{id_prefix}-more-filters", CatalogueState.more_count
    expand_button = rx.el.button(
        rx.el.span(rx.cond(count > 0, f"More filters ({count})", "More filters"), class_name="flex-1 text-left"),
        rx.cond(CatalogueState.is_more_open, icon("minus", "sm"), icon("plus", "sm")),
        type="button",
        on_click=CatalogueState.toggle_more,
        aria_expanded=rx.cond(CatalogueState.is_more_open, "true", "false"),
        aria_controls=id,
        class_name="flex min-h-11 w-full items-center gap-2 text-small font-semibold hover:text-brand-text",
    )
    groups = rx.fragment(
        filter_group("Availability", CatalogueState.in_stock, checkbox_row(id_prefix, "inStock"), skeleton_rows=1),
        _long_group(id_prefix, "Effects", "effect", CatalogueState.effects),
        _long_group(id_prefix, "Flavors", "flavor", CatalogueState.flavors),
        _long_group(id_prefix, "Brands", "brand", CatalogueState.brands),
        filter_group("Strain", CatalogueState.strains, checkbox_row(id_prefix, "strain"), skeleton_rows=3),
        filter_group("THC", CatalogueState.thc_ranges, radio_row(id_prefix, "thc", is_counted=True), skeleton_rows=4),
        filter_group("CBD", CatalogueState.cbd_ranges, radio_row(id_prefix, "cbd", is_counted=True), skeleton_rows=4),
    )
    return rx.el.div(
        expand_button,
        rx.el.div(rx.cond(CatalogueState.is_more_open, groups), id=id),
        class_name="border-t border-line pt-2",
    )
