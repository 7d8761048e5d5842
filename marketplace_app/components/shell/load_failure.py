"""What a page shows while it could not be loaded (RULE empty-and-failed-states)."""

from typing import Any

import reflex as rx

from marketplace_app.components.controls.buttons import button
from marketplace_app.components.controls.notices import empty_state
from marketplace_app.components.shell.crash import RELOAD
from marketplace_app.messages import PAGE_FAILED
from marketplace_app.states.events.viewer import ViewerState


def unless_load_failed(*content: Any, title: str = "", class_name: str = "") -> rx.Component:
    """The content, or that it could not be loaded.

    `title` is the heading in place of the one that is part of the content, and `class_name` is for what stands in its
    place.
    """
    heading = [rx.el.h1(title, class_name="text-h2")] if title else []
    again = button("Try again", variant="outline", custom_attrs={"onClick": RELOAD})
    failure = rx.el.div(*heading, empty_state("cloud-off", PAGE_FAILED, again, role="alert"), class_name=class_name)
    return rx.cond(ViewerState.has_load_failed, failure, rx.fragment(*content))
