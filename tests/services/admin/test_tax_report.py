"""The report of taxes (RULE tax-report)."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import Engine
from sqlmodel import Session

from marketplace_app import clock, db, errors
from marketplace_app.models import JurisdictionVersion, OrderLegalRecord, OrderStatus, OrderTax, Role, User
from marketplace_app.schemas.admin.statistics import SpanQuery
from marketplace_app.schemas.admin.taxes import TaxReport
from marketplace_app.schemas.base import parse
from marketplace_app.services.admin import statistics, tax_report
from tests.builders import make_order, make_user
from tests.conftest import Cast
from tests.counting import count_statements

AUTUMN = {"from": "2026-09-30", "to": "2026-11-30"}
OCTOBER = datetime(2026, 10, 15, 20, 0, tzinfo=UTC)


def report(actor: User, **query: Any) -> TaxReport:
    parsed = parse(SpanQuery, query or AUTUMN)
    return db.read(lambda s: tax_report.report(s, s.get(User, actor.id), parsed))


def sold(session: Session, cast: Cast, at: datetime, *taxes: dict[str, Any], state: str = "", **values: Any) -> None:
    added = sum(tax["amount_cents"] for tax in taxes if tax.get("kind") != "included")
    order = make_order(
        session, cast.alice, 100_00, **{"created_at": at, "tax_cents": added, "total_cents": 100_00 + added} | values
    )
    for position, tax in enumerate(taxes):
        row = {"label": tax["code"].title(), "kind": "added", "basis_points": 15_00, "base_cents": 100_00} | tax
        session.add(OrderTax(order_id=order.id, position=position, **row))
    if state:
        version = JurisdictionVersion(
            state=state,
            valid_from=date(2026, 1, 1),
            rules={},
            source="A statute",
            checked_on=date(2026, 1, 1),
            created_at=at,
        )
        session.add(version)
        session.flush()
        session.add(OrderLegalRecord(order_id=order.id, version_id=version.id))
    session.commit()


def excise(**values: Any) -> dict[str, Any]:
    return {"code": "excise", "amount_cents": 15_00} | values


def short(found: TaxReport) -> list[tuple[str, str, str, int, int, int]]:
    return [(tax.month, tax.state, tax.code, tax.orders, tax.base_cents, tax.amount_cents) for tax in found.taxes]


def test_taxes_are_added_up_by_month_and_component(session: Session, cast: Cast) -> None:
    sales = {"code": "sales", "amount_cents": 9_78, "base_cents": 115_00, "basis_points": 8_50}
    sold(session, cast, OCTOBER, excise(), sales)
    sold(session, cast, OCTOBER, excise(amount_cents=7_50, base_cents=50_00))
    sold(session, cast, OCTOBER + timedelta(days=31), excise())
    assert short(report(cast.ada)) == [
        ("2026-10", "", "excise", 2, 150_00, 22_50),
        ("2026-10", "", "sales", 1, 115_00, 9_78),
        ("2026-11", "", "excise", 1, 100_00, 15_00),
    ]


def test_months_begin_at_midnight_at_the_store(session: Session, cast: Cast) -> None:
    """At UTC-7, also on the first of November: the clocks go back only when that day is two hours old."""
    for at, cents in (
        (datetime(2026, 10, 1, 6, 59, tzinfo=UTC), 1),
        (datetime(2026, 10, 1, 7, 0, tzinfo=UTC), 2),
        (datetime(2026, 11, 1, 6, 59, tzinfo=UTC), 4),
        (datetime(2026, 11, 1, 7, 0, tzinfo=UTC), 8),
    ):
        sold(session, cast, at, excise(amount_cents=cents))
    found = report(cast.ada, **{"from": "2026-09-01", "to": "2026-11-30"})
    assert [(tax.month, tax.amount_cents) for tax in found.taxes] == [("2026-09", 1), ("2026-10", 6), ("2026-11", 8)]


def test_only_days_of_the_span_count(session: Session, cast: Cast) -> None:
    for day in range(14, 18):
        sold(session, cast, datetime(2026, 10, day, 20, 0, tzinfo=UTC), excise())
    [october] = report(cast.ada, **{"from": "2026-10-15", "to": "2026-10-16"}).taxes
    assert (october.month, october.orders) == ("2026-10", 2)


def test_cancelled_and_deleted_orders_do_not_count(session: Session, cast: Cast) -> None:
    sold(session, cast, OCTOBER, excise(), status=OrderStatus.CANCELLED)
    sold(session, cast, OCTOBER, excise(), deleted_at=OCTOBER)
    assert report(cast.ada).taxes == ()
    sold(session, cast, OCTOBER, excise(), status=OrderStatus.DELIVERED)
    assert [tax.orders for tax in report(cast.ada).taxes] == [1]


def test_states_rates_and_kinds_are_apart(session: Session, cast: Cast) -> None:
    sold(session, cast, OCTOBER, excise(), state="CA")
    sold(session, cast, OCTOBER, excise(), state="OR")
    sold(session, cast, OCTOBER, excise(basis_points=19_00, amount_cents=19_00), state="OR")
    sold(session, cast, OCTOBER, excise(kind="included", amount_cents=13_04), state="OR")
    assert [(tax.state, tax.basis_points, tax.kind, tax.amount_cents) for tax in report(cast.ada).taxes] == [
        ("CA", 15_00, "added", 15_00),
        ("OR", 15_00, "added", 15_00),
        ("OR", 19_00, "added", 19_00),
        ("OR", 15_00, "included", 13_04),
    ]


def test_the_report_is_one_statement(engine: Engine, session: Session, cast: Cast) -> None:
    sold(session, cast, OCTOBER, excise(), excise(code="sales"), state="CA")
    with Session(engine) as fresh:
        actor = fresh.get(User, cast.ada.id)
        with count_statements(engine) as statements:
            tax_report.report(fresh, actor, parse(SpanQuery, AUTUMN))
    assert len(statements) == 1


def test_the_overview_has_the_same_taxes(session: Session, cast: Cast) -> None:
    sold(session, cast, OCTOBER, excise())
    seen = db.read(lambda s: statistics.report(s, s.get(User, cast.ada.id), parse(SpanQuery, AUTUMN)))
    assert seen.taxes == report(cast.ada).taxes != ()
    assert "taxes" not in seen.wire()


def test_by_default_it_is_of_the_last_thirty_days(
    session: Session, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock, "now", lambda: OCTOBER)
    found = db.read(lambda s: tax_report.report(s, s.get(User, cast.ada.id), parse(SpanQuery, {})))
    assert (found.first, found.last) == (date(2026, 9, 16), date(2026, 10, 15))


@pytest.mark.parametrize("role", [Role.CUSTOMER, Role.VIEWER, Role.SUPPORT])
def test_a_role_that_may_not_export_orders_exports_no_taxes(session: Session, role: Role) -> None:
    user = make_user(session, "vera", role=role)
    session.commit()
    with pytest.raises(errors.NotAllowed):
        db.write(lambda s: tax_report.export(s, s.get(User, user.id), parse(SpanQuery, AUTUMN)))
