"""The checks of `/admin/health` outside the database.

They are slow when something is down, so they are made outside of any transaction.
"""

import shutil
from pathlib import Path
from typing import Any

import httpx
from sqlalchemy.engine import make_url

from marketplace_app.adapters import rates
from marketplace_app.config import Settings, get_settings
from marketplace_app.limits import MIN_FREE_BYTES, MIN_FREE_SHARE
from marketplace_app.schemas.admin.health import CheckView

PROVIDER_TIMEOUT_SECONDS = 3.0


def check_infrastructure() -> list[CheckView]:
    """For callers that have checked who is acting."""
    return [_redis(), _sign_in(), _disk()]


def _redis() -> CheckView:
    if not get_settings().redis_url:
        says = "Not used: only several workers need it."
        return CheckView(part="redis", label="Redis", is_ok=True, says=says, advice="")
    is_ok = rates.is_redis_up()
    says = "Redis answers." if is_ok else "Redis does not answer: limits are counted per worker, and tabs may reload."
    advice = "" if is_ok else "Start Redis again, and check REDIS_URL."
    return CheckView(part="redis", label="Redis", is_ok=is_ok, says=says, advice=advice)


def _sign_in() -> CheckView:
    problem = _provider_problem(get_settings().oidc_issuer.rstrip("/"))
    says = problem or "The identity provider answers."
    advice = "Nobody can sign in, but people who are signed in can go on. Ask the provider." if problem else ""
    return CheckView(part="signIn", label="Sign-in", is_ok=not problem, says=says, advice=advice)


def _provider_problem(issuer: str) -> str:
    try:
        answer = httpx.get(f"{issuer}/.well-known/openid-configuration", timeout=PROVIDER_TIMEOUT_SECONDS)
    except (httpx.HTTPError, httpx.InvalidURL):
        return "The identity provider cannot be reached."
    return "" if answer.status_code == 200 else f"The identity provider answers with {answer.status_code}."


def _disk() -> CheckView:
    """Shows one of the disks that the store writes to: a nearly full one, else the one with the least free space."""
    usages = [shutil.disk_usage(_existing(folder)) for folder in _folders(get_settings())]
    shown = min(usages, key=lambda usage: (_has_room(usage), usage.free))
    is_ok = _has_room(shown)
    says = f"{shown.free / 1e9:,.1f} of {shown.total / 1e9:,.1f} GB free."
    advice = "" if is_ok else "Make room: when the disk is full, nothing can be ordered."
    return CheckView(part="disk", label="Disk space", is_ok=is_ok, says=says, advice=advice)


def _has_room(usage: Any) -> bool:
    return bool(usage.free >= MIN_FREE_BYTES and usage.free >= usage.total * MIN_FREE_SHARE)


def _folders(settings: Settings) -> list[Path]:
    folders = [Path(settings.run_sheets)]
    if not settings.smtp_host:
        folders.append(Path(settings.mail_folder))
    if not settings.s3_bucket:
        folders.append(Path(settings.uploads))
    if settings.is_sqlite and (database := make_url(settings.database_url).database):
        folders.append(Path(database).parent)
    return folders


def _existing(folder: Path) -> Path:
    """The folder or, if it is still to be made, the nearest one above it that exists: both are on the same disk."""
    folder = folder.absolute()
    return folder if folder.exists() else _existing(folder.parent)
