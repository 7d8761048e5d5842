"""The shapes of what is about to come."""

import reflex as rx

from marketplace_app.limits import SKELETONS_GRID, SKELETONS_LIST


def bone(class_name: str) -> rx.Component:
    return rx.el.span(class_name=f"skeleton block {class_name}")


def _card() -> rx.Component:
    return rx.el.li(
        bone("aspect-4/5 w-full rounded-2"),
        bone("mt-3 h-4 w-1/2"),
        bone("mt-2 h-6 w-3/4"),
        bone("mt-2 h-9 w-full"),
        bone("mt-3 h-11 w-full md:h-9"),
        data_skeleton="card",
    )


def _row() -> rx.Component:
    return rx.el.li(
        bone("aspect-4/5 w-26 flex-none rounded-2 md:w-28"),
        rx.el.div(
            bone("h-6 w-28"), bone("h-6 w-1/2"), bone("h-4 w-3/4"), class_name="grid flex-1 content-center gap-2.5"
        ),
        class_name="flex gap-4 border-t border-line py-4.5 md:gap-5.5",
        data_skeleton="row",
    )


def card_skeletons(look: str) -> rx.Component:
    return rx.el.ul(*[_card() for _ in range(SKELETONS_GRID)], class_name=look, aria_hidden="true")


def row_skeletons() -> rx.Component:
    return rx.el.ul(*[_row() for _ in range(SKELETONS_LIST)], aria_hidden="true")


def lines_skeleton(count: int = 3) -> rx.Component:
    return rx.el.div(
        *[bone("h-5 w-full last:w-2/3") for _ in range(count)], class_name="grid gap-3 py-4", aria_hidden="true"
    )


def product_skeleton() -> rx.Component:
    return rx.el.div(
        bone("aspect-4/5 w-full rounded-2"),
        rx.el.div(
            bone("h-6 w-40"),
            bone("h-12 w-3/4"),
            bone("h-5 w-44"),
            bone("h-9 w-28"),
            bone("h-16 w-full"),
            bone("h-44 w-full"),
            bone("h-13 w-full"),
            class_name="grid content-start gap-5",
        ),
        class_name="grid gap-6 md:grid-cols-2 md:gap-14",
        aria_hidden="true",
    )
