"""Whether each part of the store works, for its owners. Programs ask `/readyz` instead."""

from fastapi import APIRouter
from starlette.responses import Response

from marketplace_app.api.deps import CallerDep
from marketplace_app.api.responses import Json, problem
from marketplace_app.schemas.admin.health import StoreHealthAnswer
from marketplace_app.services.admin import health, infrastructure

router = APIRouter(prefix="/health")


@router.get("", response_model=StoreHealthAnswer, responses=problem(401, 403))
def show_health(caller: CallerDep) -> Response:
    """Every part that can fail: how it is, and what to do. May take seconds while something does not answer."""
    checks = caller.read(health.check_database) + infrastructure.check_infrastructure()
    return Json({"isOk": all(check.is_ok for check in checks), "checks": [check.wire() for check in checks]})
