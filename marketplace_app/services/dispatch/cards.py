"""Orders as dispatchers see them, on the board and on runs: a few statements for any number of orders."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, func, select
from sqlmodel import Session, col

from marketplace_app import dispatch_messages, places
from marketplace_app.models import Order, OrderDelivery, RunStop, StopOutcome
from marketplace_app.models.base import table_of
from marketplace_app.schemas.dispatch.runs import OrderCard, Readiness
from marketplace_app.services.batches.of_orders import IS_RECALLED
from marketplace_app.services.dispatch import risk

_ORDERS, _DELIVERIES, _STOPS = table_of(Order), table_of(OrderDelivery), table_of(RunStop)
_FAILED = (
    select(func.count())
    .where(_STOPS.c.order_id == _ORDERS.c.id, _STOPS.c.outcome == StopOutcome.FAILED)
    .correlate(_ORDERS)
    .scalar_subquery()
)
_COLUMNS = (
    *(
        _ORDERS.c[name]
        for name in (
            "id",
            "number",
            "status",
            "customer_name",
            "delivery_address",
            "zip_code",
            "total_cents",
            "estimated_delivery_at",
        )
    ),
    *(
        _DELIVERIES.c[name]
        for name in ("window_starts_at", "window_ends_at", "promised_by", "ready_asked_at", "ready_at")
    ),
    _FAILED.label("attempts"),
    IS_RECALLED.label("is_recalled"),
)


@dataclass(frozen=True)
class PlaceOnRun:
    """Where an order stands on its run."""

    is_out: bool
    stops_before: int


def make(
    session: Session, at: datetime, condition: ColumnElement[bool], on_runs: Mapping[str, PlaceOnRun]
) -> dict[str, OrderCard]:
    """Cards by order id, the most urgent first, of the orders that are not deleted and meet the condition.

    `on_runs` has, by order id, the place on its run of each order that is on one.
    """
    promised = func.coalesce(_DELIVERIES.c.promised_by, _ORDERS.c.estimated_delivery_at)
    statement = (
        select(*_COLUMNS)
        .outerjoin(_DELIVERIES, _DELIVERIES.c.order_id == _ORDERS.c.id)
        .where(_ORDERS.c.deleted_at.is_(None), condition)
        .order_by(promised, _ORDERS.c.number)
    )
    rows = session.connection().execute(statement).all()
    return {row.id: _card(row, at, on_runs.get(row.id)) for row in rows}


def of_orders(
    session: Session, at: datetime, order_ids: Sequence[str], on_runs: Mapping[str, PlaceOnRun]
) -> dict[str, OrderCard]:
    return make(session, at, col(Order.id).in_(order_ids), on_runs) if order_ids else {}


def _card(row: Any, at: datetime, place: PlaceOnRun | None) -> OrderCard:
    promised_by = row.promised_by or row.estimated_delivery_at
    progress = risk.Progress(
        promised_by,
        is_planned=place is not None,
        is_out=place is not None and place.is_out,
        stops_before=place.stops_before if place else 0,
    )
    return OrderCard(
        order_id=row.id,
        number=row.number,
        status=row.status,
        customer_name=row.customer_name,
        address=row.delivery_address,
        zip_code=zip_code_of(row.zip_code, row.delivery_address),
        window_starts_at=row.window_starts_at,
        window_ends_at=row.window_ends_at,
        promised_by=promised_by,
        cash_cents=row.total_cents,
        attempts=row.attempts,
        readiness=_readiness(row),
        at_risk="" if row.status.is_ended else _risk(row, progress, at),
        is_recalled=row.is_recalled and not row.status.is_ended,
    )


def _risk(row: Any, progress: risk.Progress, at: datetime) -> str:
    return dispatch_messages.ORDER_RECALLED if row.is_recalled else risk.find_reason(progress, at)


def zip_code_of(given: str, address: str) -> str:
    """The ZIP code stored beside an address, else the one at the end of its text; empty if there is none."""
    if given:
        return places.read_zip(given) or ""
    place = places.read_address(address)
    return place.zip_code if place else ""


def _readiness(row: Any) -> Readiness:
    if row.ready_at is not None:
        return Readiness.READY
    return Readiness.NOT_ASKED if row.ready_asked_at is None else Readiness.SILENT
