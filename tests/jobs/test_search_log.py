"""Searches that found nothing are stored by a background task of the server."""

import asyncio
import logging
from math import inf

import pytest
from sqlalchemy import select
from sqlmodel import Session

from marketplace_app.errors import Unavailable
from marketplace_app.jobs import search_log as job
from marketplace_app.models import SearchMiss
from marketplace_app.services.search import search_log


async def until(holds: asyncio.Event) -> None:
    async with job.search_log_worker():
        await asyncio.wait_for(holds.wait(), 20)


def test_settled_searches_are_written_once(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    search_log.take_settled(inf)
    search_log.record_miss("moon rocks", "alice")
    assert job.write_settled() == 0  # she may be typing still
    monkeypatch.setattr(search_log, "SETTLED_AFTER_SECONDS", 0.0)
    assert (job.write_settled(), job.write_settled()) == (1, 0)
    assert [row.words for row in session.execute(select(SearchMiss)).scalars()] == ["moon rocks"]


def test_a_database_that_cannot_be_reached_does_not_end_the_worker(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def run() -> None:
        loop, tried_again, errors = asyncio.get_running_loop(), asyncio.Event(), iter((Unavailable(), ValueError()))

        def fail() -> int:
            if error := next(errors, None):
                raise error
            loop.call_soon_threadsafe(tried_again.set)
            return 0

        monkeypatch.setattr(job, "write_settled", fail)
        monkeypatch.setattr(job, "INTERVAL_SECONDS", 0)
        await until(tried_again)

    with caplog.at_level(logging.WARNING):
        asyncio.run(run())
    assert [record.levelname for record in caplog.records if record.name == job.__name__] == ["WARNING", "ERROR"]
