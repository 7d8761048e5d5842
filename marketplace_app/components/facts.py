"""Facts as a definition list in a dark frame. Nothing else in the store has such a frame."""

from typing import Any

import reflex as rx

_FRAME = "grid grid-cols-2 overflow-hidden rounded-1 border border-ink bg-surface"
_CELL = "-mb-px border-b border-line px-3.5 py-2.5 odd:border-r last:odd:col-span-2 last:odd:border-r-0"


def _cell(term: Any, value: Any, class_name: Any = "") -> rx.Component:
    return rx.el.div(
        rx.el.dt(term, class_name="text-cap text-ink-3"),
        rx.el.dd(value, class_name=["text-ui font-semibold text-balance break-words", class_name]),
        class_name=_CELL,
    )


def fact_list(facts: list[tuple[str, Any]]) -> rx.Component:
    return rx.el.dl(*[_cell(term, value) for term, value in facts], class_name=_FRAME)


def fact_label(facts: rx.Var[list[tuple[str, str]]]) -> rx.Component:
    """Facts from state; 'In Stock' is green."""
    return rx.el.dl(
        rx.foreach(facts, lambda fact: _cell(fact[0], fact[1], rx.cond(fact[1] == "In Stock", "text-ok", ""))),
        class_name=_FRAME,
    )
