"""The heart that saves a product."""

import reflex as rx

from marketplace_app.components.icons import icon
from marketplace_app.states.saved import SavedState


@rx.memo
def heart(product_id: rx.Var[int], name: rx.Var[str]) -> rx.Component:
    """By itself, so that cards stay as they are while another one is saved. Its name stays; it is pressed or not."""
    is_saved = SavedState.ids.contains(product_id)
    return rx.el.button(
        icon("heart", class_name=rx.cond(is_saved, "fill-current text-bad", "text-ink-2")),
        type="button",
        aria_label=f"Save {name}",
        aria_pressed=rx.cond(is_saved, "true", "false"),
        on_click=SavedState.set_saved(product_id, ~is_saved),
        class_name=("grid size-11 flex-none place-items-center rounded-full bg-surface/85 text-ink-2 hover:bg-surface"),
    )
