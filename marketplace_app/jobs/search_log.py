"""Every half minute, writes the searches that found nothing into the database (`services/search/search_log.py`)."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from marketplace_app import db
from marketplace_app.errors import Unavailable
from marketplace_app.jobs.background import running
from marketplace_app.services.search import search_log

INTERVAL_SECONDS = 30
logger = logging.getLogger(__name__)


def write_settled() -> int:
    """Returns how many different searches were written."""
    if settled := search_log.take_settled():
        db.write(lambda session: search_log.save_counts(session, settled))
    return len(settled)


@asynccontextmanager
async def search_log_worker() -> AsyncIterator[None]:
    """Runs with the server. What is still waiting when the server stops is lost: these are only statistics."""
    async with running(_write_until_cancelled(), "search log"):
        yield


async def _write_until_cancelled() -> None:
    while True:
        await asyncio.sleep(INTERVAL_SECONDS)
        try:
            await asyncio.to_thread(write_settled)
        except Unavailable:
            logger.warning("searches could not be saved: the database cannot be reached")
        except Exception:
            logger.exception("searches could not be saved")
