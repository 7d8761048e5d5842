"""Tabs that lost an event while Redis, which keeps their state, could not be reached: they load again when it is back.

Redis is checked only while tabs wait, once every few seconds for all of them.
"""

import asyncio
import logging

from marketplace_app.adapters import rates
from marketplace_app.states.events import connections

RETRY_SECONDS = 3.0
logger = logging.getLogger(__name__)
_waiting: set[str] = set()
_task: asyncio.Task[None] | None = None


def reload_when_over(token: str) -> None:
    """This tab's event was lost. Must be called on the event loop."""
    global _task
    _waiting.add(token)
    if _task is None or _task.done():
        logger.warning("events are lost: Redis cannot be reached")
        _task = asyncio.get_running_loop().create_task(_reload_once_redis_is_back(), name="redis outage")


async def _reload_once_redis_is_back() -> None:
    while _waiting:
        await asyncio.sleep(RETRY_SECONDS)
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
