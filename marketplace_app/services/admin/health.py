"""`/admin/health`: each part of the store that can fail, how it is, and what to do about it."""

import time
from datetime import timedelta

from sqlalchemy import text
from sqlmodel import Session

from marketplace_app import clock
from marketplace_app.adapters import live
from marketplace_app.adapters.revisions import can_serve, current_revision, newest_revision
from marketplace_app.config import get_settings
from marketplace_app.limits import BACKUP_OVERDUE_AFTER, MAIL_OVERDUE_AFTER, RECENT_AUDIT_ENTRIES, TASK_OVERDUE_AFTER
from marketplace_app.models import Permission, User
from marketplace_app.schemas.admin.health import CheckView
from marketplace_app.services import backups
from marketplace_app.services.accounts import require
from marketplace_app.services.records import audit_chain, outbox, timetable

_LISTENERS = text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = :name"
)


def check_database(session: Session, actor: User | None) -> list[CheckView]:
    """The checks that need the database. `services.admin.infrastructure` has the others, which run outside the
    transaction."""
    require(actor, Permission.SEE_HEALTH)
    return [
        _database(session),
        _migrations(session),
        _workers(session),
        _mail(session),
        _timetable(session),
        _audit(session),
        _backup(session),
    ]


def _database(session: Session) -> CheckView:
    kind = "SQLite" if session.get_bind().dialect.name == "sqlite" else "PostgreSQL"
    began = time.monotonic()
    session.execute(text("SELECT 1")).scalar_one()
    says = f"{kind} answers in {max(1, round((time.monotonic() - began) * 1000))} ms."
    return CheckView(part="database", label="Database", is_ok=True, says=says, advice="")


def _migrations(session: Session) -> CheckView:
    found, newest = current_revision(session), newest_revision()
    is_ok = found == newest
    if is_ok:
        says, advice = f"All are applied, up to {newest}.", ""
    else:
        says = f"The database is at {found}, this version needs {newest}."
        is_newer = can_serve(found)
        advice = (
            "Start the newer version of the store here as well."
            if is_newer
            else "Restart the store: it applies them when it starts."
        )
    return CheckView(part="migrations", label="Migrations", is_ok=is_ok, says=says, advice=advice)


def _workers(session: Session) -> CheckView:
    """On PostgreSQL each worker process holds one connection that listens for changes, on any machine."""
    wanted = get_settings().workers
    if session.get_bind().dialect.name == "sqlite":
        return CheckView(
            part="workers", label="Workers", is_ok=True, says="One process, as always on SQLite.", advice=""
        )
    running = int(session.execute(_LISTENERS, {"name": live.APPLICATION_NAME}).scalar_one())
    is_ok = running >= wanted
    return CheckView(
        part="workers",
        label="Workers",
        is_ok=is_ok,
        says=f"{running} running on all machines; each process of the store is set to {wanted}.",
        advice="" if is_ok else "Some have just restarted, or cannot start: read the store's log.",
    )


def _mail(session: Session) -> CheckView:
    mail = outbox.count_unsent(session)
    count, given_up = mail.waiting, mail.given_up
    age = clock.now() - mail.oldest if mail.oldest else timedelta()
    sentences = [f"The oldest of {count:,} unsent has waited for {_in_words(age)}." if count else "None is waiting."]
    if given_up:
        sentences.append(f"{given_up:,} could not be sent and will not be tried again.")
    is_ok = not given_up and age <= MAIL_OVERDUE_AFTER
    advice = "" if is_ok else "Check the mail server and the settings SMTP_...; the log says what it answered."
    if given_up:
        advice += " Then run python -m marketplace_app resend-mail --all."
    return CheckView(part="mail", label="Mail", is_ok=is_ok, says=" ".join(sentences), advice=advice)


def _timetable(session: Session) -> CheckView:
    at, tasks = clock.now(), timetable.list_all(session)
    failed = [each for each in tasks if each.last_error]
    late = [each for each in tasks if not each.last_error and at - each.due_at > TASK_OVERDUE_AFTER]
    sentences = [f"{_task_name(each)} fails ({each.last_error}) and is tried again." for each in failed]
    sentences += [f"{_task_name(each)} has been due for {_in_words(at - each.due_at)}." for each in late]
    is_ok = not sentences
    return CheckView(
        part="timetable",
        label="Timetable",
        is_ok=is_ok,
        says=" ".join(sentences) or "No task is late.",
        advice="" if is_ok else "Read the store's log: it says why a task fails, or why none is run.",
    )


def _task_name(entry: timetable.TimetableEntry) -> str:
    """`Erase birth dates`"""
    return entry.task.replace("_", " ").capitalize()


def _audit(session: Session) -> CheckView:
    """Only the newest entries: checking the whole chain takes seconds, and has a button on the Audit page."""
    checked = audit_chain.check_newest(session, RECENT_AUDIT_ENTRIES)
    is_ok = checked.broken is None
    count = min(checked.entries, RECENT_AUDIT_ENTRIES)
    unchanged = f"Entries: {checked.entries:,}. Checked just now: the newest {count:,}, all unchanged."
    says = unchanged if is_ok else "The chain is broken."
    advice = "" if is_ok else "Verify the chain on the Audit page, and compare it with a backup."
    return CheckView(part="audit", label="Audit trail", is_ok=is_ok, says=says, advice=advice)


def _backup(session: Session) -> CheckView:
    made = backups.last(session)
    is_ok = made is not None and clock.now() - made <= BACKUP_OVERDUE_AFTER
    says = f"The last one is {_in_words(clock.now() - made)} old." if made else "None has been made yet."
    advice = "" if is_ok else "Run python -m marketplace_app backup, and see to it that it runs every night."
    return CheckView(part="backup", label="Backup", is_ok=is_ok, says=says, advice=advice)


def _in_words(age: timedelta) -> str:
    """`under a minute`, `1 minute`, `5 hours`, `3 days`"""
    seconds = max(0, int(age.total_seconds()))
    for size, unit in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        least = 2 * size if unit == "day" else size  # up to two days in hours: a backup may be 26 hours old
        if seconds >= least:
            return f"{seconds // size} {unit}{'s' if seconds // size > 1 else ''}"
    return "under a minute"
