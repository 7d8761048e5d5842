"""Facts as a definition list in a dark frame. Nothing else in the store has such a frame."""

from typing import Any

import reflex as rx

_FRAME = "grid grid-cols-2 overflow-hidden rounded-1 border border-ink bg-surface"
_CELL = "-mb-px border-b border-line px-3.5 py-2.5"
IN_PAIRS = "odd:border-r last:odd:col-span-2 last:odd:border-r-0"
FIRST_ON_ITS_OWN = "first:col-span-2 even:border-r last:even:col-span-2 last:even:border-r-0"
IN_PAIRS_ON_A_TABLET = (
    "max-md:col-span-2 lg:col-span-2 md:max-lg:odd:border-r md:max-lg:last:odd:col-span-2 md:max-lg:last:odd:border-r-0"
)
"""In pairs on tablets alone: for facts with an email address, which half of a box has no room for on a phone, nor on a
desktop, where the box is beside a second column."""


def _cell(term: Any, value: Any, class_name: Any = "", layout: str = IN_PAIRS) -> rx.Component:
    return rx.el.div(
        rx.el.dt(term, class_name="text-cap text-ink-3"),
        rx.el.dd(value, class_name=["text-ui font-semibold text-balance wrap-anywhere", class_name]),
        class_name=f"{_CELL} {layout}",
    )


def fact_list(facts: list[tuple[str, Any]]) -> rx.Component:
    return rx.el.dl(*[_cell(term, value) for term, value in facts], class_name=_FRAME)


def fact_list_from_state(facts: rx.Var[list[tuple[str, str]]], layout: str = IN_PAIRS) -> rx.Component:
    """Facts from state; the value 'In Stock' is green."""
    return rx.el.dl(
        rx.foreach(facts, lambda fact: _cell(fact[0], fact[1], rx.cond(fact[1] == "In Stock", "text-ok", ""), layout)),
        class_name=_FRAME,
    )
