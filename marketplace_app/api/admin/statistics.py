"""What the shop sold, and what needs attention."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from marketplace_app.api.deps import CallerDep
from marketplace_app.api.responses import Json, problem
from marketplace_app.schemas.admin.statistics import NeedsAttention, ReportAnswer, SpanQuery, Totals
from marketplace_app.services.admin import statistics

router = APIRouter(prefix="/stats")


@router.get("", response_model=Totals, responses=problem(401, 403))
def get_totals(caller: CallerDep) -> Response:
    """All-time totals. Cancelled orders are not counted; `collectedRevenue` counts delivered orders only."""
    return Json(caller.read(statistics.totals).wire())


@router.get("/report", response_model=ReportAnswer, responses=problem(401, 403, 422))
def get_report(query: Annotated[SpanQuery, Query()], caller: CallerDep) -> Response:
    """The last 7, 14, 30, 90 or 365 `days`, or `from` one day `to` another, compared with as many days before."""
    new_customers = caller.read(statistics.new_customers, query)
    return Json(caller.read(statistics.report, query).wire() | {"newCustomers": new_customers})


@router.get("/attention", response_model=NeedsAttention, responses=problem(401, 403))
def get_attention(caller: CallerDep) -> Response:
    """How many orders, products, tickets and legal pages need attention."""
    return Json(caller.read(statistics.needs_attention).wire())
