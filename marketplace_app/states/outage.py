"""Tabs that lost an event while Redis, which keeps their state, could not be reached: they load again when it is back.

Nothing is asked while nobody waits, and one question every few seconds serves all who do.
"""

import asyncio
import logging

from marketplace_app.adapters import rates
from marketplace_app.states import connections

ASK_AGAIN_SECONDS = 3.0
logger = logging.getLogger(__name__)
_waiting: set[str] = set()
_watch: asyncio.Task[None] | None = None


def note(token: str) -> None:
    """This tab's event was lost. Must be called on the event loop."""
    global _watch
    _waiting.add(token)
    if _watch is None or _watch.done():
        logger.warning("events are lost: Redis cannot be reached")
        _watch = asyncio.get_running_loop().create_task(_load_again_when_it_is_back(), name="redis outage")


async def _load_again_when_it_is_back() -> None:
    while _waiting:
        await asyncio.sleep(ASK_AGAIN_SECONDS)
        if not await asyncio.to_thread(rates.is_redis_up):
            continue
        tokens = list(_waiting)
        _waiting.clear()
        logger.warning("Redis is back: %d tabs load again", len(tokens))
        for token in tokens:
            try:
                await connections.load_again(token)
            except Exception:
                logger.exception("a tab could not load again")
