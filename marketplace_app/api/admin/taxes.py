"""The taxes of the shop's orders."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from marketplace_app import spreadsheets
from marketplace_app.api.deps import CallerDep
from marketplace_app.api.responses import CSV_TYPE, Json, csv_answer, csv_headers, problem
from marketplace_app.schemas.admin.statistics import SpanQuery
from marketplace_app.schemas.admin.taxes import TaxReport
from marketplace_app.services.admin import tax_report

router = APIRouter(prefix="/taxes")

SpanDep = Annotated[SpanQuery, Query()]


@router.get("", response_model=TaxReport, responses=problem(401, 403, 422))
def get_taxes(query: SpanDep, caller: CallerDep) -> Response:
    """Taxes by month, state, component and rate, of the last `days`, or `from` one day `to` another.

    Cancelled orders are not counted. `included` taxes are part of the prices, and their `base` contains the tax.
    """
    return Json(caller.read(tax_report.report, query).wire())


@router.get(
    "/export",
    response_class=Response,
    responses=problem(401, 403, 422) | csv_answer("The taxes as CSV"),
)
def export_taxes(query: SpanDep, caller: CallerDep) -> Response:
    """The same as CSV in UTF-8, a row for each month, state, component and rate."""
    span, rows = caller.write(tax_report.export, query)
    text = spreadsheets.lines([tax_report.HEADERS, *rows])
    headers = csv_headers(f"taxes-{span.first}-to-{span.last}.csv")
    return Response(text, media_type=CSV_TYPE, headers=headers)
