"""Sheets of runs, on the screen, as PDF, and as files that can be printed while the store is down (RULE run-sheet)."""

import logging
from contextlib import suppress
from datetime import date, timedelta
from pathlib import Path
from tempfile import NamedTemporaryFile

from sqlalchemy import select
from sqlmodel import Session, col

from marketplace_app import clock
from marketplace_app.config import get_settings
from marketplace_app.limits import RUN_SHEET_DAYS
from marketplace_app.models import OrderLegalRecord, Permission, Run, RunStop, User
from marketplace_app.schemas.dispatch.sheets import Sheet, SheetStop
from marketplace_app.services import settings
from marketplace_app.services.accounts import require
from marketplace_app.services.dispatch import driver_run, pdfs, run_views
from marketplace_app.services.run_stops import RunNotFound

logger = logging.getLogger(__name__)


def make(session: Session, actor: User | None, run_id: int) -> Sheet:
    """Raises NotFound."""
    require(actor, Permission.PLAN_RUNS)
    return _sheet_of(session, run_id)


def _sheet_of(session: Session, run_id: int) -> Sheet:
    """The same for callers that have checked who is acting, or that have no user. Raises NotFound."""
    run = session.get(Run, run_id)
    if run is None:
        raise RunNotFound()
    stops = driver_run.stops_of(session, run)
    birth_dates = _birth_dates(session, run_id)
    return Sheet(
        run_id=run.id,
        day=run.day,
        driver=run_views.users_by_id(session, {run.driver_id})[run.driver_id],
        vehicle=run.vehicle,
        departed_at=run.departed_at,
        offers_change_as_credit=bool(settings.current(session).keep_change_as_credit),
        stops=tuple(SheetStop(facts=stop, birth_date=birth_dates.get(stop.id)) for stop in stops),
        cash_cents=sum(stop.cash_cents for stop in stops if stop.outcome is None),
    )


def render(session: Session, actor: User | None, run_id: int) -> bytes:
    """The PDF. Raises NotFound."""
    return pdfs.render_sheet(make(session, actor, run_id))


def write_at_departure(session: Session, actor: User | None, run_id: int) -> None:
    """Write the file of a run that leaves. Call it before the departure, so that no run is out without its sheet if the
    process dies in between, and again after it, since the sheet says when the run left.

    A file that cannot be written is logged, and the run leaves all the same. Files of other runs that are finished
    are removed here too, because only one of several machines gets the timetable's task. Raises NotFound.
    """
    require(actor, Permission.PLAN_RUNS)
    remove_finished_files(session)
    try:
        write_file(session, run_id)
    except RunNotFound:
        raise
    except Exception:  # the run may have left already
        logger.exception("the sheet of run %s could not be written", run_id)


def write_file(session: Session, run_id: int, folder: Path | None = None) -> Path:
    """Write the PDF to the folder of the settings, or another one; returns its path. Raises NotFound and OSError."""
    sheet = _sheet_of(session, run_id)
    path = (folder or Path(get_settings().run_sheets)) / _file_name(run_id, sheet.day)
    content = pdfs.render_sheet(sheet)
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=path.parent, suffix=".tmp", delete=False) as file:  # only the store can read it
        temporary = Path(file.name)
        try:
            file.write(content)
            file.flush()
            temporary.replace(path)
        except OSError:
            temporary.unlink(missing_ok=True)
            raise
    return path


def remove_at_close(session: Session, actor: User | None) -> None:
    """After a run was closed."""
    require(actor, Permission.PLAN_RUNS)
    remove_finished_files(session)


def remove_finished_files(session: Session) -> None:
    """Sheets hold names and addresses: their files go once the run is closed, and after some weeks in any case.

    What cannot be removed is logged, and tried again each night.
    """
    first_day = clock.today(get_settings().timezone) - timedelta(days=RUN_SHEET_DAYS)
    unfinished = select(col(Run.id), col(Run.day)).where(col(Run.closed_at).is_(None), col(Run.day) >= first_day)
    kept = {_file_name(run_id, day) for run_id, day in session.execute(unfinished)}
    root = Path(get_settings().run_sheets)
    for file in root.glob("????-??-??/*"):
        name = f"{file.parent.name}/{file.name}"
        if name not in kept and (file.suffix == ".pdf" or name < first_day.isoformat()):
            try:
                file.unlink(missing_ok=True)
            except OSError as error:
                logger.error("the sheet %s could not be removed: %s", name, error.strerror)
    for folder in root.glob("????-??-??"):
        with suppress(OSError):  # not empty
            folder.rmdir()


def _file_name(run_id: int, day: date) -> str:
    return f"{day.isoformat()}/run-{run_id}.pdf"


def write_files_of_day(session: Session, day: date, folder: Path | None = None) -> list[Path]:
    """Write the files of a day's runs that are not closed, for the command line and the timetable.

    If one cannot be written, the others are, and then its error is raised.
    """
    runs = select(col(Run.id)).where(col(Run.day) == day, col(Run.closed_at).is_(None)).order_by(col(Run.id))
    written, failures = [], []
    for run_id in session.execute(runs).scalars().all():
        try:
            written.append(write_file(session, run_id, folder))
        except Exception as error:
            logger.exception("the sheet of run %s could not be written", run_id)
            failures.append(error)
    if failures:
        raise failures[0]
    return written


def _birth_dates(session: Session, run_id: int) -> dict[int, date]:
    kept = (
        select(col(RunStop.id), col(OrderLegalRecord.birth_date))
        .join(OrderLegalRecord, col(OrderLegalRecord.order_id) == col(RunStop.order_id))
        .where(col(RunStop.run_id) == run_id, col(OrderLegalRecord.birth_date).is_not(None))
    )
    return {stop_id: birth_date for stop_id, birth_date in session.execute(kept) if birth_date is not None}
