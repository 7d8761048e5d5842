"""What a tab forgets when it leaves a page: a dialog that was open then, as when Back is pressed on a phone, is closed.

A state takes part by having a method `_leave_page`. It is called whenever a tab leaves any page, and must assign a
variable only if its value changes: whatever is assigned is sent to the browser.
"""

from functools import cache
from typing import Protocol, cast

import reflex as rx

from marketplace_app.framework.events import descendants


class LeavesPage(Protocol):
    def _leave_page(self) -> None:
        """Close the dialog, or deselect what was selected."""


async def leave_page(state: rx.State) -> None:
    """Make every state of this state's tab forget what belonged to the page that the tab is leaving.

    To be called before any event of the next page: one that opens a dialog there may arrive before that page's
    `on_load`.
    """
    for state_class in _states_that_leave():
        cast(LeavesPage, await state.get_state(state_class))._leave_page()


@cache
def _states_that_leave() -> tuple[type[rx.State], ...]:
    return tuple(cast(type[rx.State], each) for each in descendants(rx.State) if hasattr(each, "_leave_page"))
