"""Tasks run when they are due: once, in whichever process, and again after a failure or a crash (RULE timetable)."""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from threading import Barrier

import pytest
from sqlalchemy import Engine, select
from sqlmodel import Session, col

from marketplace_app import clock
from marketplace_app.errors import Unavailable
from marketplace_app.jobs import timetable as job
from marketplace_app.jobs.timetable import Task, hourly, run_due
from marketplace_app.models import TimetableTask
from marketplace_app.services.records import timetable
from tests.counting import count_statements

START = datetime(2026, 11, 25, 16, 20, tzinfo=UTC)
FIRST, SECOND = START.replace(hour=17, minute=0), START.replace(hour=18, minute=0)
SetClock = Callable[[datetime], None]


class Killed(BaseException):
    """Ends a process, which does not get to write anything."""


@pytest.fixture
def at(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> SetClock:
    def set_clock(moment: datetime) -> None:
        monkeypatch.setattr(clock, "now", lambda: moment)

    set_clock(START)
    return set_clock


@pytest.fixture
def runs() -> list[datetime]:
    return []


@pytest.fixture
def task(at: SetClock, runs: list[datetime]) -> Task:
    """On the timetable, due at FIRST."""
    made = Task("count", lambda: runs.append(clock.now()), hourly)
    assert run_due([made]) == 0
    return made


def stored(engine: Engine, name: str = "count") -> TimetableTask:
    with Session(engine) as session:
        return session.execute(select(TimetableTask).where(col(TimetableTask.task) == name)).scalar_one()


def test_a_task_runs_once_for_each_time_it_is_due(
    engine: Engine, at: SetClock, task: Task, runs: list[datetime]
) -> None:
    for minutes in range(0, 120, 10):
        at(START + timedelta(minutes=minutes))
        run_due([task])
    assert runs == [FIRST, SECOND]
    row = stored(engine)
    assert (row.due_at, row.last_run_at) == (SECOND + timedelta(hours=1), SECOND)
    assert (row.leased_until, row.last_error) == (None, None)


def test_a_new_task_waits_for_its_first_time(engine: Engine, task: Task, runs: list[datetime]) -> None:
    assert run_due([task]) == 0
    assert runs == []
    assert stored(engine).due_at == FIRST


def test_times_missed_while_no_process_ran_are_made_up_for_by_one_run(
    engine: Engine, at: SetClock, task: Task, runs: list[datetime]
) -> None:
    at(FIRST + timedelta(hours=5, minutes=1))
    assert (run_due([task]), run_due([task])) == (1, 0)
    assert stored(engine).due_at == FIRST + timedelta(hours=6)


def run_in_four_workers(task: Task) -> int:
    """Each has seen that it is due. Returns how many of them got it."""
    together = Barrier(4)

    def run(_: int) -> int:
        together.wait(10)
        return job._run(task)

    with ThreadPoolExecutor(4) as pool:
        return sum(pool.map(run, range(4)))


def test_of_several_workers_one_runs_a_task(at: SetClock, task: Task, runs: list[datetime]) -> None:
    at(FIRST)
    assert run_in_four_workers(task) == 1
    assert runs == [FIRST]


def test_without_the_condition_of_the_lease_all_of_them_would(
    at: SetClock, task: Task, runs: list[datetime], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timetable, "lease", lambda session, task, at: timetable.Lease(task, at + timetable.LEASE))
    at(FIRST)
    assert run_in_four_workers(task) == 4
    assert len(runs) == 4


def test_servers_that_begin_together_add_a_task_once(at: SetClock, engine: Engine) -> None:
    new = Task("new", lambda: None, hourly)
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda _: run_due([new]), range(4))) == [0] * 4
    assert stored(engine, "new").due_at == FIRST


def test_a_task_whose_process_dies_is_run_by_another_after_its_lease(
    engine: Engine, at: SetClock, task: Task, runs: list[datetime]
) -> None:
    def die() -> None:
        raise Killed

    at(FIRST)
    with pytest.raises(Killed):
        run_due([Task(task.name, die, hourly)])
    at(FIRST + timetable.LEASE - timedelta(seconds=1))
    assert run_due([task]) == 0
    at(FIRST + timetable.LEASE)
    assert run_due([task]) == 1
    assert runs == [FIRST + timetable.LEASE]
    assert stored(engine).due_at == SECOND


def test_a_process_that_dies_between_running_and_marking_has_the_task_run_again(
    engine: Engine, at: SetClock, task: Task, runs: list[datetime], monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*_: object, **__: object) -> None:
        raise Killed

    at(FIRST)
    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(timetable, "finish", die)
        run_due([task])
    at(FIRST + timetable.LEASE)
    assert run_due([task]) == 1
    assert len(runs) == 2
    assert stored(engine).due_at == SECOND


def test_a_process_that_took_longer_than_its_lease_changes_nothing_any_more(
    engine: Engine, at: SetClock, task: Task, runs: list[datetime]
) -> None:
    def be_overtaken() -> None:
        at(FIRST + timetable.LEASE)
        assert run_due([task]) == 1
        at(SECOND + timedelta(minutes=1))
        raise ValueError

    at(FIRST)
    run_due([Task(task.name, be_overtaken, hourly)])
    row = stored(engine)
    assert (row.due_at, row.leased_until, row.last_error) == (SECOND, None, None)


def test_a_task_that_fails_is_tried_again_and_does_not_stop_others(
    engine: Engine, at: SetClock, task: Task, runs: list[datetime], caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> None:
        raise ValueError("214 Larch Street")

    failing = Task("fail", fail, hourly)
    run_due([failing, task])
    at(FIRST)
    with caplog.at_level(logging.ERROR, job.__name__):
        assert run_due([failing, task]) == 2
    assert runs == [FIRST]
    assert [record.getMessage() for record in caplog.records] == ["the task 'fail' failed"]
    assert (stored(engine, "fail").due_at, stored(engine, "fail").last_error) == (FIRST, "ValueError")
    at(FIRST + timetable.RETRY_AFTER - timedelta(seconds=1))
    assert run_due([failing]) == 0
    at(FIRST + timetable.RETRY_AFTER)
    assert run_due([Task("fail", lambda: None, hourly)]) == 1
    assert (stored(engine, "fail").due_at, stored(engine, "fail").last_error) == (SECOND, None)


def test_a_timetable_on_which_nothing_is_due_is_read_in_one_statement(
    engine: Engine, task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job.db, "write", lambda _work: pytest.fail("it writes"))
    with count_statements(engine) as statements:
        run_due([task])
    assert len(statements) == 1


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

        monkeypatch.setattr(job, "run_due", fail)
        monkeypatch.setattr(job, "INTERVAL_SECONDS", 0)
        async with job.timetable_worker():
            await asyncio.wait_for(tried_again.wait(), 20)

    with caplog.at_level(logging.WARNING):
        asyncio.run(run())
    assert [record.levelname for record in caplog.records if record.name == job.__name__] == ["WARNING", "ERROR"]


@pytest.mark.parametrize(
    ("after", "due"),
    [
        ((2026, 11, 25, 11, 59), (2026, 11, 25, 12, 0)),  # 3:59 AM in Portland
        ((2026, 11, 25, 12, 0), (2026, 11, 26, 12, 0)),
        ((2026, 3, 7, 20, 0), (2026, 3, 8, 11, 0)),  # the clock goes forward in the night
        ((2026, 10, 31, 20, 0), (2026, 11, 1, 12, 0)),
    ],
)
def test_run_sheets_are_due_at_four_in_the_morning_at_the_store(after: tuple[int, ...], due: tuple[int, ...]) -> None:
    assert job.nightly(datetime(*after, tzinfo=UTC)) == datetime(*due, tzinfo=UTC)  # type: ignore[misc, arg-type]
