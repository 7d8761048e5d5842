"""What a page shows while it could not be loaded (RULE empty-and-failed-states)."""

from typing import Any

import reflex as rx

from marketplace_app.components.controls.buttons import button
from marketplace_app.components.controls.notices import empty_state
from marketplace_app.components.shell.crash import RELOAD
from marketplace_app.messages import PAGE_FAILED
from marketplace_app.states.events.viewer import ViewerState


def unless_load_failed(*content: Any, title: str = "") -> rx.Component:
    """`title` is the heading in place of the one that is part of the content."""
    heading = [rx.el.h1(title, class_name="text-h2")] if title else []
    again = button("Try again", variant="outline", custom_attrs={"onClick": RELOAD})
    return rx.cond(
        ViewerState.has_load_failed,
        rx.fragment(*heading, empty_state("cloud-off", PAGE_FAILED, again, role="alert")),
        rx.fragment(*content),
    )
