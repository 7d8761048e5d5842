"""A vertical timeline: past, current and future steps."""

from collections.abc import Sequence
from typing import Any

import reflex as rx

from marketplace_app.components.controls.icons import icon
from marketplace_app.states.buying.order_steps import Step

_MARKERS = {
    "done": "border-brand bg-brand text-on-brand",
    "now": "border-amber bg-amber text-on-amber outline-4 outline-amber-wash",
    "next": "border-line-strong bg-surface text-ink-2",
    "ended": "border-bad bg-bad-wash text-bad",
}


def _marker(stage: rx.Var[str], inner: rx.Component) -> rx.Component:
    return rx.el.span(
        inner,
        aria_hidden="true",
        class_name=[
            "relative z-1 grid size-6 flex-none place-items-center rounded-full border-2",
            rx.match(stage, *_MARKERS.items(), _MARKERS["next"]),
        ],
    )


def _item(
    marker: rx.Component, name: rx.Component | rx.Var[str] | str, note: rx.Component, **props: Any
) -> rx.Component:
    return rx.el.li(
        marker,
        rx.el.div(rx.el.p(name, class_name="text-ui leading-6 font-semibold"), note, class_name="min-w-0 pb-5"),
        class_name=(
            "relative flex gap-3.5 before:absolute before:top-6 before:bottom-0 before:left-[11px] before:w-0.5 "
            "before:bg-line last:before:hidden data-[stage=done]:before:bg-brand"
        ),
        **props,
    )


def timeline(steps: rx.Var[list[Step]]) -> rx.Component:
    """An order's progress. The text carries the meaning; the marks only repeat it."""

    def step(each: rx.Var[Step]) -> rx.Component:
        mark = rx.match(
            each.stage,
            ("done", icon("check", "sm", "size-3.5! stroke-[2.6]")),
            ("now", rx.el.span(class_name="size-2 rounded-full bg-current")),
            ("ended", icon("close", "sm", "size-3.5! stroke-[2.6]")),
            rx.fragment(),
        )
        return _item(
            _marker(each.stage, mark),
            each.name,
            rx.el.p(each.note, class_name="text-cap text-ink-3 tabular-nums"),
            key=each.key,
            data_stage=each.stage,
            aria_current=rx.cond(each.stage == "now", "step", "false"),
        )

    return rx.el.ol(rx.foreach(steps, step))


def numbered(steps: Sequence[tuple[str, Any]]) -> rx.Component:
    """Numbered steps, each a title and a note."""
    stage = rx.Var.create("next")
    return rx.el.ol(
        *[
            _item(
                _marker(stage, rx.el.b(str(number), class_name="text-[12px]")),
                name,
                rx.el.p(note, class_name="text-small text-ink-3"),
            )
            for number, (name, note) in enumerate(steps, start=1)
        ]
    )
