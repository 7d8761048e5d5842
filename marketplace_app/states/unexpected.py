"""What the browser shows when a handler fails unexpectedly."""

import logging
import time
from typing import Any

import reflex as rx
from redis.exceptions import RedisError

from marketplace_app.errors import StoreError
from marketplace_app.framework.events import EventSpec, current_tab_token
from marketplace_app.messages import PAGE_OUTDATED, TOO_BUSY, Notice
from marketplace_app.states.events import connections, outage
from marketplace_app.states.events.base import ANYONE, action, policy_of, toast
from marketplace_app.states.events.failures import ShowView
from marketplace_app.states.products.catalogue import CatalogueState
from marketplace_app.states.self_check import SelfCheckState

REPORT_SECONDS = 1.0
logger = logging.getLogger(__name__)


class UnexpectedFailureState(rx.State):
    @action(who=ANYONE)
    async def report(self) -> None:
        """Show a message, and end the loading of every page."""
        (await self.get_state(CatalogueState))._fail_loading()
        (await self.get_state(SelfCheckState))._fail_loading()
        for state_class, view in failed_views().items():
            state: Any = await self.get_state(state_class)
            if state.view == "loading":
                state.view = view
        await toast(self, "error", Notice(StoreError.message))

    @action(who=ANYONE)
    async def say_too_busy(self) -> None:
        """Answers an event beyond the rate limit."""
        await toast(self, "error", TOO_BUSY)

    @action(who=ANYONE)
    async def say_outdated(self) -> None:
        """Answers an event that the store no longer has: the page was opened before an update."""
        await toast(self, "error", PAGE_OUTDATED)


def failed_views() -> dict[type[rx.State], str]:
    """What replaces a page that is still loading: the view that its `load` declares for any error."""
    return {
        state_class: reaction.view
        for state_class in rx.State.__subclasses__()
        if (load := getattr(state_class, "load", None)) and (policy := policy_of(load.fn))
        for reaction in policy.on_failure
        if isinstance(reaction, ShowView) and issubclass(StoreError, reaction.errors)
    }


class _ReportLimit:
    """At most one message per second and tab: if `report` itself fails, that must not be reported again."""

    def __init__(self) -> None:
        self._reported_at: dict[str, float] = {}

    def may_report(self, token: str) -> bool:
        now = time.monotonic()
        self._reported_at = {tab: at for tab, at in self._reported_at.items() if now - at < REPORT_SECONDS}
        if token in self._reported_at:
            return False
        self._reported_at[token] = now
        return True


_report_limit = _ReportLimit()


def on_unexpected_failure(exception: Exception) -> EventSpec | None:
    """Log the traceback and show a message. Without Redis no state can show one: the tab reloads when Redis is back."""
    if isinstance(exception, RedisError):
        outage.reload_when_over(current_tab_token())
        return None
    connections.restore_event_id()
    logger.error("unexpected failure in an event", exc_info=exception)
    return UnexpectedFailureState.report() if _report_limit.may_report(current_tab_token()) else None
