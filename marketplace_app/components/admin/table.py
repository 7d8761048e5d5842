"""The data table of the admin pages: toolbar, sortable heads, rows that stack on a phone, paging."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import reflex as rx

from marketplace_app.components.controls.buttons import button
from marketplace_app.components.controls.icons import icon
from marketplace_app.components.controls.notices import empty_state
from marketplace_app.components.controls.pagination import pagination
from marketplace_app.components.controls.skeletons import skeleton_block
from marketplace_app.components.shell.search import DEBOUNCE_MS, SearchInput

PHONE_POSITIONS = {
    "lead": "max-md:col-start-1 max-md:row-span-3 max-md:row-start-1",
    "first": "max-md:col-start-2 max-md:row-start-1",
    "second": "max-md:col-start-2 max-md:row-start-2",
    "third": "max-md:col-start-2 max-md:row-start-3",
    "figure": "max-md:col-start-3 max-md:row-start-1 max-md:text-right",
    "badge": "max-md:col-start-3 max-md:row-start-2 max-md:justify-self-end",
    "actions": "max-md:col-start-3 max-md:row-start-3 max-md:justify-self-end md:sticky md:right-0 md:bg-inherit",
    "": "max-md:hidden",
}
"""Position of a cell on a phone, where a row has three lines; a cell without a position is hidden there.

The positions in the third column, on the right, are named after what most tables have there; other cells may take them,
such as buttons on the first line, where a figure usually is. Actions stay at the right edge if a table is wider than
its container.
"""
_ROW = (
    "border-b border-line last:border-b-0 hover:bg-row-hover has-checked:bg-wash max-md:grid "
    "max-md:grid-cols-[auto_minmax(0,1fr)_auto] max-md:gap-x-3 max-md:gap-y-0.5 max-md:px-3 max-md:py-2.5"
)
TOOLBAR_CONTROL = "min-h-(--tap) rounded-2 border border-line-strong bg-surface px-2.5 text-small text-ink"
"""The classes of a control in a toolbar."""
_CELL = "px-3 py-1.5 align-middle max-md:p-0"


@dataclass(frozen=True)
class Column:
    label: str
    sort: str = ""
    """The name to sort by; empty when the column is not sortable."""
    is_number: bool = False
    class_name: str = ""
    """Such as `max-xl:hidden`; its cells need the same class."""
    head: Any = None
    """Shown in place of the label, such as the checkbox that selects every row."""


@dataclass(frozen=True)
class Sorting:
    column: rx.Var[str]
    direction: rx.Var[str]
    """asc or desc"""
    by: Any
    """The event handler that sorts by the given column, or reverses the order if the rows are sorted by it already."""


def _head(column: Column, sorting: Sorting | None) -> rx.Component:
    class_name = (
        f"px-3 py-1.5 font-semibold text-ink-2 {'text-right' if column.is_number else 'text-left'} {column.class_name}"
    )
    if sorting is None or not column.sort:
        label = column.head or column.label or rx.el.span("Actions", class_name="sr-only")
        class_name += "" if column.head or column.label else " md:sticky md:right-0 md:bg-sunken"
        return rx.el.th(label, scope="col", role="columnheader", class_name=class_name)
    is_on = sorting.column == column.sort
    turn = rx.cond(sorting.direction == "asc", "rotate-180", "")
    arrow = rx.cond(is_on, icon("chevron-down", "sm"), rx.fragment())
    return rx.el.th(
        rx.el.button(
            column.label,
            rx.el.span(arrow, class_name=["inline-flex", turn]),
            type="button",
            on_click=sorting.by(column.sort),
            class_name=(
                "-mx-1 inline-flex min-h-8 items-center gap-1 rounded-1 px-1 font-semibold hover:text-ink "
                "aria-pressed:text-ink"
            ),
            aria_pressed=rx.cond(is_on, "true", "false"),
        ),
        scope="col",
        role="columnheader",
        aria_sort=rx.cond(is_on, rx.cond(sorting.direction == "asc", "ascending", "descending"), "none"),
        class_name=class_name,
    )


def table_row(*cells: rx.Component, key: Any, is_new: Any = False) -> rx.Component:
    """`is_new` highlights what appeared while the page was open. CSS highlights a row while its checkbox is ticked."""
    return rx.el.tr(*cells, key=key, role="row", class_name=[_ROW, rx.cond(is_new, "bg-amber-wash", "bg-surface")])


def cell(*children: Any, narrow: str = "", is_number: bool = False, class_name: str = "", **props: Any) -> rx.Component:
    """`narrow` is its position on a phone: see PHONE_POSITIONS."""
    side = "text-right tabular-nums" if is_number else ""
    return rx.el.td(
        *children, role="cell", class_name=f"{_CELL} {PHONE_POSITIONS[narrow]} {side} {class_name}".strip(), **props
    )


def data_table(
    label: str,
    columns: Sequence[Column],
    rows: rx.Var[Any],
    row: Callable[[Any], rx.Component],
    *,
    sorting: Sorting | None = None,
) -> rx.Component:
    """`row` returns the `table_row` of one item."""
    heads = rx.el.tr(*[_head(column, sorting) for column in columns], role="row")
    return rx.el.div(
        rx.el.table(
            rx.el.thead(
                heads,
                role="rowgroup",
                class_name="border-b border-line bg-sunken text-cap whitespace-nowrap max-md:sr-only",
            ),
            rx.el.tbody(rx.foreach(rows, row), role="rowgroup", class_name="max-md:block"),
            role="table",
            aria_label=label,
            class_name="w-full border-collapse text-small max-md:block",
        ),
        # Headings for screen readers alone are positioned absolutely: `relative` keeps them from widening the page.
        class_name="relative overflow-x-auto",
    )


def table_states(
    is_loading: rx.Var[bool], count: Any, table: rx.Component, *, nothing: Any, symbol: str, action: Any = None
) -> rx.Component:
    """The table, its skeleton while it loads, or why there is none."""
    skeleton = rx.el.div(
        *[skeleton_block("my-3 h-6 w-full") for _ in range(8)], aria_hidden="true", class_name="px-3 py-1"
    )
    none = rx.el.div(empty_state(symbol, nothing, action), class_name="px-5")
    return rx.cond(is_loading, skeleton, rx.cond(count > 0, table, none))


def toolbar(*controls: Any, count_label: Any = "") -> rx.Component:
    """Search and filters, and at the end the number of results."""
    count = rx.el.p(count_label, role="status", class_name="ml-auto text-cap text-ink-3 tabular-nums")
    return rx.el.div(
        *controls, count, class_name="flex flex-wrap items-center gap-2 border-b border-line p-2.5 print:hidden"
    )


def search_box(id: str, label: str, placeholder: str, value: rx.Var[str], search: Any) -> rx.Component:
    """Searches while the user types, and follows the URL when Back or Clear changes it."""
    return rx.el.form(
        icon("search", "sm", "pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-ink-3"),
        SearchInput.create(
            type="search",
            id=id,
            aria_label=label,
            placeholder=placeholder,
            default_value=value,
            follows=value,
            on_change=search.debounce(DEBOUNCE_MS),
            auto_complete="off",
            max_length=200,
            class_name=(
                "min-h-(--tap) w-full rounded-2 border border-line-strong bg-surface pr-3 pl-9 text-body text-ink "
                "md:text-small"
            ),
        ),
        on_submit=rx.prevent_default,
        role="search",
        class_name="relative min-w-0 flex-1 basis-56 md:max-w-75",
    )


def day_box(id: str, label: str, value: rx.Var[str], choose: Any) -> rx.Component:
    """A date field that limits the list. It follows the URL only while it is not focused, so that a date can be typed
    digit by digit. Only the last word of its label is visible: `From` of `Placed from`."""
    box = SearchInput.create(
        type="date",
        id=id,
        aria_label=label,
        default_value=value,
        follows=value,
        on_change=lambda day: choose(day).debounce(DEBOUNCE_MS),
        class_name=TOOLBAR_CONTROL,
    )
    word = rx.el.span(label.rpartition(" ")[2].title(), aria_hidden="true", class_name="text-cap text-ink-2")
    return rx.el.span(word, box, class_name="inline-flex items-center gap-1.5")


def segments(
    label: str,
    choices: Sequence[tuple[str, str]],
    chosen: rx.Var[str],
    choose: Any,
    counts: rx.vars.ObjectVar[dict[str, str]],
) -> rx.Component:
    """Text buttons above a table, one of them selected, each with the number of its rows."""

    def segment(key: str, name: str) -> rx.Component:
        is_on = chosen == key
        return rx.el.button(
            rx.el.span(name, class_name="inline-block first-letter:uppercase"),
            rx.el.span(counts[key], class_name="text-cap text-ink-3 tabular-nums"),
            type="button",
            on_click=choose(key),
            aria_pressed=rx.cond(is_on, "true", "false"),
            class_name=(
                "flex min-h-(--tap) flex-none items-center gap-1.5 rounded-2 px-3 whitespace-nowrap text-ink-2 "
                "hover:bg-wash aria-pressed:bg-wash aria-pressed:font-semibold aria-pressed:text-ink"
            ),
        )

    return rx.el.div(
        *[segment(key, name) for key, name in choices],
        role="group",
        aria_label=label,
        class_name="scrollbar-none -my-1 flex gap-1 overflow-x-auto py-1 print:hidden",
    )


def table_footer(
    range_label: rx.Var[str],
    page: rx.vars.NumberVar[int],
    pages: rx.vars.NumberVar[int],
    go_to: Any,
    label: str = "Pages",
) -> rx.Component:
    """`1-25 of 312` and the paging; hidden when the list is empty."""
    line = rx.el.div(
        rx.el.p(range_label, class_name="text-cap text-ink-3 tabular-nums"),
        pagination(page, pages, go_to, label, class_name=""),
        class_name="flex min-h-13 flex-wrap items-center justify-between gap-2 border-t border-line px-3 py-2",
    )
    return rx.cond(range_label != "", line)


def row_button(symbol: str, label: Any, **props: Any) -> rx.Component:
    """A small icon button at the end of a row."""
    return rx.el.button(
        icon(symbol, "sm"),
        type="button",
        aria_label=label,
        class_name="inline-grid size-(--tap) flex-none place-items-center rounded-2 text-ink-2 hover:bg-wash "
        "hover:text-ink off:text-ink-off",
        **props,
    )


def clear_button(on_click: Any) -> rx.Component:
    return button("Clear", variant="ghost", size="sm", on_click=on_click)
