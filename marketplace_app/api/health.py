"""Is the process up, and is it ready to sell?"""

from typing import Literal

from fastapi import APIRouter
from pydantic import Field
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from starlette.responses import Response

from marketplace_app import db
from marketplace_app.adapters import rates
from marketplace_app.adapters.revisions import can_serve, current_revision, newest_revision
from marketplace_app.api.responses import Json
from marketplace_app.errors import StoreError
from marketplace_app.schemas.base import Answer

Dependency = Literal["database", "migrations", "redis"]
router = APIRouter(tags=["Health"])


class ProblemView(Answer):
    dependency: Dependency
    message: str = Field(examples=["Redis does not answer."])


class HealthAnswer(Answer):
    status: Literal["ok", "ready", "unavailable"]
    reason: Dependency | None = Field(None, description="The dependency of the first problem.", examples=["database"])
    problems: list[ProblemView] = Field([], description="Everything that makes it unavailable, in words.")


@router.get("/healthz", response_model=HealthAnswer)
async def healthz() -> Response:
    """Answers on the event loop: a process whose worker threads all wait for the database must not be restarted."""
    return Json({"status": "ok"})


@router.get(
    "/readyz", response_model=HealthAnswer, responses={503: {"description": "Not ready", "model": HealthAnswer}}
)
def readyz() -> Response:
    """503 until the database answers with every migration applied, and Redis (if used) answers."""
    problems = [problem for problem in (_database_problem(), _redis_problem()) if problem is not None]
    if not problems:
        return Json({"status": "ready"})
    listed = [problem.model_dump() for problem in problems]
    return Json({"status": "unavailable", "reason": problems[0].dependency, "problems": listed}, 503)


def _database_problem() -> ProblemView | None:
    """In the store's own words: the driver's error may contain hosts, users and passwords."""
    try:
        revision = db.read(current_revision)
    except (SQLAlchemyError, StoreError) as error:
        if isinstance(error.__cause__, PoolTimeout):
            return ProblemView(dependency="database", message="All connections to the database are in use.")
        return ProblemView(dependency="database", message="The database cannot be reached.")
    if can_serve(revision):
        return None
    needed = f"The database is at migration {revision}, this version needs {newest_revision()}."
    return ProblemView(dependency="migrations", message=needed)


def _redis_problem() -> ProblemView | None:
    return None if rates.is_redis_up() else ProblemView(dependency="redis", message="Redis does not answer.")
