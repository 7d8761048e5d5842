"""What a page shows if it could not be loaded (RULE empty-and-failed-states)."""

from typing import Any

import reflex as rx

from marketplace_app.components.controls.buttons import button
from marketplace_app.components.controls.notices import empty_state
from marketplace_app.components.shell.crash import RELOAD
from marketplace_app.messages import PAGE_FAILED
from marketplace_app.states.events.viewer import ViewerState


def unless_load_failed(*content: Any, title: str = "", class_name: str = "") -> rx.Component:
    """The content or, if it could not be loaded, a message and a button that tries again.

    `title` is the heading above the message, for content that has a heading of its own. `class_name` is for the element
    with the heading and the message.
    """
    heading = [rx.el.h1(title, class_name="text-h2")] if title else []
    again = button("Try again", variant="outline", custom_attrs={"onClick": RELOAD})
    failure = rx.el.div(*heading, empty_state("cloud-off", PAGE_FAILED, again, role="alert"), class_name=class_name)
    return rx.cond(ViewerState.has_load_failed, failure, rx.fragment(*content))
