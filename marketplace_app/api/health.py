"""Is the process up, and is it ready to sell?"""

from functools import lru_cache
from pathlib import Path
from typing import Literal

from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from fastapi import APIRouter
from pydantic import Field
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session
from starlette.responses import Response

from marketplace_app import db
from marketplace_app.adapters import rates
from marketplace_app.api.failures import Json
from marketplace_app.errors import StoreError
from marketplace_app.schemas.base import Answer

router = APIRouter(tags=["Health"])


class HealthAnswer(Answer):
    status: Literal["ok", "ready", "unavailable"]
    reason: Literal["database", "migrations", "redis"] | None = Field(
        None, description="Why it is unavailable.", examples=["database"]
    )


@router.get("/healthz", response_model=HealthAnswer)
def healthz() -> Response:
    return Json({"status": "ok"})


@router.get(
    "/readyz", response_model=HealthAnswer, responses={503: {"description": "Not ready", "model": HealthAnswer}}
)
def readyz() -> Response:
    """503 until the database answers with every migration applied, and Redis (if used) answers."""
    try:
        revision = db.read(current_revision)
    except (SQLAlchemyError, StoreError):
        return Json({"status": "unavailable", "reason": "database"}, 503)
    if revision != newest_revision():
        return Json({"status": "unavailable", "reason": "migrations"}, 503)
    if not rates.is_redis_up():
        return Json({"status": "unavailable", "reason": "redis"}, 503)
    return Json({"status": "ready"})


def current_revision(session: Session) -> str | None:
    """The last migration that was applied to the database."""
    return MigrationContext.configure(session.connection()).get_current_revision()


@lru_cache(maxsize=1)
def newest_revision() -> str | None:
    """The last migration that this version of the code comes with."""
    root = Path(__file__).parents[2]
    return ScriptDirectory.from_config(Config(str(root / "alembic.ini"))).get_current_head()
