"""What the shop sold (RULE statistics)."""

from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any

import pytest
from sqlmodel import Session

from marketplace_app import clock, db, errors
from marketplace_app.adapters import versioned_cache
from marketplace_app.config import get_settings
from marketplace_app.models import LabReport, OrderStatus, Product, Role, User
from marketplace_app.schemas.admin.statistics import Buyers, Report, Sales, SpanQuery
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.tickets import TicketForm
from marketplace_app.services.admin import sales, statistics
from marketplace_app.services.records import audit_log
from marketplace_app.services.support import tickets
from tests.builders import make_product, make_user
from tests.conftest import Cast
from tests.services.admin.test_orders import CANCELLED, DELIVERED, delete, place, set_status

NOON = datetime(2026, 3, 10, 19, 0, tzinfo=UTC)
"""12:00 at the store, which is at -8 hours until 8 March, and at -7 from then on."""


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> datetime:
    monkeypatch.setattr(clock, "now", lambda: NOON)
    return NOON


@pytest.fixture
def fern(session: Session) -> Product:
    product = make_product(session, "Fern Hollow", price_cents=200_00, stock=100)
    session.commit()
    return product


def report(actor: User, **query: Any) -> Report:
    parsed = parse(SpanQuery, query)
    return db.read(lambda s: statistics.report(s, s.get(User, actor.id), parsed))


def test_totals_leave_out_what_was_cancelled_or_deleted(session: Session, cast: Cast, fern: Product) -> None:
    place(cast.alice, fern)
    place(cast.alice, fern, 2)
    delivered, cancelled, deleted = (place(cast.bob, fern) for _ in range(3))
    set_status(cast.ada, DELIVERED, delivered, deleted)
    set_status(cast.ada, CANCELLED, cancelled)
    delete(cast.ada, deleted)
    make_user(session, "gone").deleted_at = clock.now()
    make_user(session, "helper", role=Role.SUPPORT)
    session.commit()
    totals = db.read(lambda s: statistics.totals(s, s.get(User, cast.ada.id)))
    assert totals.wire() == {
        "totalOrders": 3,
        "totalRevenue": "700.00",
        "collectedRevenue": "150.00",
        "pendingOrders": 2,
        "totalCustomers": 4,
    }


def test_every_day_of_a_span_is_there_in_the_stores_time(cast: Cast, fern: Product, now: datetime) -> None:
    place(cast.alice, fern, at=datetime(2026, 3, 10, 6, 59, tzinfo=UTC))  # the 9th, 23:59
    place(cast.alice, fern, at=datetime(2026, 3, 10, 7, 0, tzinfo=UTC))  # the 10th, 0:00
    place(cast.alice, fern, at=datetime(2026, 3, 8, 7, 59, tzinfo=UTC))  # the 7th, 23:59, before clocks change
    found = report(cast.ada, days=7)
    assert [day for day, _sales in found.days] == [date(2026, 3, 4) + timedelta(days=n) for n in range(7)]
    assert [sales.orders for _day, sales in found.days] == [0, 0, 0, 1, 0, 1, 1]
    assert {hour: count for hour, count in enumerate(found.hours) if count} == {0: 1, 23: 2}
    assert found.total == Sales(orders=3, revenue_cents=550_00)


@pytest.mark.parametrize("timezone", ["Asia/Kolkata", "America/St_Johns", "Asia/Kathmandu"])
def test_days_begin_at_midnight_even_off_the_hour(cast: Cast, fern: Product, configure: Any, timezone: str) -> None:
    configure(STORE_TIMEZONE=timezone)
    midnight = clock.start_of_day(date(2026, 3, 2), get_settings().timezone)
    place(cast.alice, fern, at=midnight)
    place(cast.alice, fern, at=midnight - timedelta(seconds=1))
    found = report(cast.ada, **{"from": "2026-03-01", "to": "2026-03-02"})
    assert [sales.orders for _day, sales in found.days] == [1, 1]
    assert (found.hours[0], found.hours[23]) == (1, 1)


def test_a_span_is_compared_with_as_many_days_before_it(cast: Cast, fern: Product, now: datetime) -> None:
    place(cast.alice, fern, 2, at=now - timedelta(days=7))
    place(cast.alice, fern, 1, at=now - timedelta(days=13))
    place(cast.alice, fern, 1, at=now - timedelta(days=14))
    cancelled = place(cast.alice, fern, 1, at=now - timedelta(days=8))
    set_status(cast.ada, CANCELLED, cancelled)
    place(cast.alice, fern, 1, at=now)
    found = report(cast.ada, days=7)
    assert (found.total.orders, found.before) == (1, Sales(orders=2, revenue_cents=500_00))


def test_the_status_mix_counts_all_and_sales_do_not(cast: Cast, fern: Product) -> None:
    place(cast.alice, fern)
    cancelled = place(cast.alice, fern)
    set_status(cast.ada, CANCELLED, cancelled)
    found = report(cast.ada, days=7)
    assert found.statuses == dict.fromkeys(OrderStatus, 0) | {OrderStatus.PENDING: 1, CANCELLED: 1}
    assert found.total.orders == sum(found.hours) == 1


def test_top_products_are_the_five_that_brought_most(session: Session, cast: Cast) -> None:
    products = [make_product(session, f"No. {n}", price_cents=n * 100_00, stock=50) for n in range(1, 8)]
    session.commit()
    for product in products:
        place(cast.alice, product)
    place(cast.bob, products[0], 9)
    set_status(cast.ada, CANCELLED, place(cast.bob, products[1], 40))
    found = report(cast.ada, days=7).top_products
    assert [(each.name, each.quantity, each.revenue_cents) for each in found] == [
        ("No. 1", 10, 1_000_00),
        ("No. 7", 1, 700_00),
        ("No. 6", 1, 600_00),
        ("No. 5", 1, 500_00),
        ("No. 4", 1, 400_00),
    ]


def test_a_buyer_with_earlier_orders_counts_as_returning(
    session: Session, cast: Cast, fern: Product, now: datetime
) -> None:
    place(cast.alice, fern, at=now - timedelta(days=40))
    place(cast.alice, fern, at=now - timedelta(days=1))
    place(cast.bob, fern, at=now - timedelta(days=3))
    place(cast.bob, fern, at=now - timedelta(days=2))
    early, once_cancelled = make_user(session, "early"), make_user(session, "dora")
    session.commit()
    place(early, fern, at=now - timedelta(days=60))
    set_status(cast.ada, CANCELLED, place(once_cancelled, fern, at=now - timedelta(days=50)))
    place(once_cancelled, fern, at=now)
    assert report(cast.ada, days=30).buyers == Buyers(first=2, returning=1)


def test_a_report_is_cached_until_an_order_changes(cast: Cast, fern: Product) -> None:
    place(cast.alice, fern)
    first = report(cast.ada, days=7)
    assert report(cast.ada, days=7) is first
    order_id = place(cast.bob, fern)
    assert report(cast.ada, days=7).total.orders == 2
    set_status(cast.ada, CANCELLED, order_id)
    assert report(cast.ada, days=7).total.orders == 1


def test_after_a_new_order_only_the_last_days_are_added_up_again(
    cast: Cast, fern: Product, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = place(cast.alice, fern, at=now - timedelta(days=20))
    added_up: list[int] = []
    add_up = sales._add_up
    monkeypatch.setattr(
        sales, "_add_up", lambda s, span, timezone: added_up.append(span.length) or add_up(s, span, timezone)
    )
    assert report(cast.ada, days=30).total == Sales(orders=1, revenue_cents=150_00)
    place(cast.bob, fern, at=now)
    assert report(cast.ada, days=30).total == Sales(orders=2, revenue_cents=300_00)
    set_status(cast.ada, CANCELLED, old)
    assert report(cast.ada, days=30).total == Sales(orders=1, revenue_cents=150_00)
    # The first report in two parts, then the part with the new order, then the one with the cancelled order.
    assert added_up == [23, 7] + [7] + [23]


@pytest.mark.slow
def test_a_cached_report_equals_a_fresh_one_after_any_change(session: Session, cast: Cast, now: datetime) -> None:
    rng = Random(7)
    products = [make_product(session, f"No. {n}", price_cents=(n + 1) * 10_00, stock=10_000) for n in range(8)]
    session.commit()
    orders: list[str] = []
    acts = {
        "place": lambda: orders.append(
            place(
                rng.choice([cast.alice, cast.bob]),
                rng.choice(products),
                rng.randint(10, 20),
                at=now - timedelta(days=rng.choice([0, 1, 6, 7, 8, 29, 45])),
            )
        ),
        "cancel": lambda: set_status(cast.ada, CANCELLED, rng.choice(orders)),
        "reopen": lambda: set_status(cast.ada, OrderStatus.PENDING, rng.choice(orders)),
        "delete": lambda: delete(cast.ada, orders.pop(rng.randrange(len(orders)))),
    }
    for number in range(40):
        act = "place" if number < 5 or len(orders) < 2 else rng.choice(list(acts))
        acts[act]()
        for days in (7, 30, 90):
            cached = report(cast.ada, days=days)
            versioned_cache.clear_all()
            assert report(cast.ada, days=days) == cached, (number, act)


def test_reports_of_a_replaced_database_are_not_reused(session: Session) -> None:
    key, timezone = ("url", "timezone"), get_settings().timezone
    audit_log.append(session, None, "order.placed", "order:1")
    session.commit()
    audited = audit_log.head(session)
    replaced = audit_log.Head(audited.entry_id, "hash in the database before")
    sales._NEWEST_ENTRIES[key] = sales._NewestEntries(replaced, replaced, {date(2026, 1, 1): 1})
    entries = sales._read_newest_entries(session, key, timezone)
    assert (entries.began.hash, entries.by_day) == (audited.hash, {})


def test_what_needs_attention_is_counted(session: Session, cast: Cast, fern: Product) -> None:
    make_product(session, "Rare", stock=2)
    make_product(session, "Archived", stock=0, is_active=False)
    panels = dict.fromkeys(("pesticides", "heavy_metals", "residual_solvents", "microbials"), "Not Detected")
    session.add(LabReport(product_id=fern.id, lot="1", reported_on=date(2026, 1, 1), **panels))
    session.commit()
    place(cast.alice, fern, at=clock.now() - timedelta(hours=4, minutes=1))
    place(cast.alice, fern, at=clock.now() - timedelta(hours=3, minutes=59))
    form = TicketForm(subject="Help", message="My child ate a gummy and cannot stand, please help right now")
    db.write(lambda s: tickets.create(s, s.get(User, cast.alice.id), form))
    found = db.read(lambda s: statistics.needs_attention(s, s.get(User, cast.ada.id)))
    assert (found.late_pending_orders, found.low_stock_products, found.untested_products) == (1, 1, 1)
    assert found.urgent_tickets == 1


def test_neither_customers_nor_guests_see_figures(cast: Cast) -> None:
    for operation in (
        statistics.totals,
        statistics.needs_attention,
        lambda s, actor: statistics.report(s, actor, parse(SpanQuery, {"days": 7})),
    ):
        with pytest.raises(errors.NotAllowed):
            db.read(lambda s, op=operation: op(s, s.get(User, cast.alice.id)))  # type: ignore[misc]
        with pytest.raises(errors.NotSignedIn):
            db.read(lambda s, op=operation: op(s, None))  # type: ignore[misc]
