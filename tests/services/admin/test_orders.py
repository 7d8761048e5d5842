"""Finding, changing and deleting everybody's orders."""

from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import Engine, func, select
from sqlmodel import Session, col

from marketplace_app import db, errors
from marketplace_app.models import AuditEntry, CreditEntry, Order, OrderStatus, Permission, Product, Role, User
from marketplace_app.models.roles import PERMISSIONS
from marketplace_app.schemas.admin.orders import AdminOrderPage, ManyStatusForm, OrderQuery, StatusOutcomeAnswer
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.tickets import TicketForm
from marketplace_app.services import accounts, referrals
from marketplace_app.services.admin import orders as admin_orders
from marketplace_app.services.admin import orders_bulk
from marketplace_app.services.buying import orders
from marketplace_app.services.support import tickets
from tests.builders import give_credit, make_product, make_user, order_form
from tests.conftest import Cast
from tests.counting import count_statements

CANCELLED, CONFIRMED, DELIVERED, PENDING = (
    OrderStatus.CANCELLED,
    OrderStatus.CONFIRMED,
    OrderStatus.DELIVERED,
    OrderStatus.PENDING,
)


@pytest.fixture
def fern(session: Session) -> Product:
    product = make_product(session, "Fern Hollow", price_cents=120_00, stock=50)
    session.commit()
    return product


def place(who: User, product: Product, quantity: int = 1, *, at: datetime | None = None, **changes: Any) -> str:
    form = order_form((product, quantity), **changes)
    order_id = str(db.write(lambda s: orders.place(s, s.get(User, who.id), form, key=None))["id"])
    if at is not None:
        db.write(lambda s: setattr(s.get_one(Order, order_id), "created_at", at))
    return order_id


def look(actor: User, **query: Any) -> AdminOrderPage:
    parsed = parse(OrderQuery, query)
    return db.read(lambda s: admin_orders.list_all(s, s.get(User, actor.id), parsed))


def ids(actor: User, **query: Any) -> list[str]:
    return [order.id for order in look(actor, **query).orders]


def get(engine: Engine, order_id: str) -> Order:
    with Session(engine) as session:
        return session.get_one(Order, order_id)


def stock(engine: Engine, product: Product) -> int:
    with Session(engine) as session:
        return session.get_one(Product, product.id).stock


def delete(actor: User, order_id: str) -> None:
    db.write(lambda s: admin_orders.delete(s, s.get(User, actor.id), order_id))


def set_status(
    actor: User, status: OrderStatus, *order_ids: str, is_dry: bool = False
) -> tuple[StatusOutcomeAnswer, ...]:
    form = parse(ManyStatusForm, {"ids": list(order_ids), "status": status.value})
    change = orders_bulk.preview_status_of_many if is_dry else orders_bulk.set_status_of_many
    return db.write(lambda s: change(s, s.get(User, actor.id), form))


def test_filters_combine_and_the_counts_ignore_the_status_filter(cast: Cast, fern: Product) -> None:
    early = place(cast.alice, fern, 1, at=datetime(2026, 3, 1, 8, 0, tzinfo=UTC))
    late = place(cast.bob, fern, 4, at=datetime(2026, 3, 2, 7, 59, tzinfo=UTC))
    gone = place(cast.bob, fern, 2, at=datetime(2026, 3, 2, 8, 0, tzinfo=UTC))
    set_status(cast.ada, CANCELLED, gone)
    first_of_march = {"placedFrom": "2026-03-01", "placedTo": "2026-03-01"}
    assert ids(cast.ada, **first_of_march) == [late, early]  # a day at the store, eight hours behind UTC
    assert ids(cast.ada, status=["cancelled"]) == [gone]
    assert ids(cast.ada, status=["cancelled", "pending"], minTotal="200.00") == [gone, late]
    beyond_32_bits = "30000000.00"
    assert ids(cast.ada, minTotal=beyond_32_bits) == []
    assert ids(cast.ada, maxTotal=beyond_32_bits) == ids(cast.ada)
    assert ids(cast.ada, q="bob", maxTotal="300.00") == [gone]
    page = look(cast.ada, q="bob", status=["cancelled"])
    assert (page.total, page.counts[PENDING], page.counts[CANCELLED], page.counts[DELIVERED]) == (1, 1, 1, 0)
    assert set(page.counts) == set(OrderStatus)
    assert look(cast.ada, status=["pending", "pending"]).total == 2


def test_it_sorts_by_each_column_and_pages(cast: Cast, fern: Product) -> None:
    cheap = place(cast.bob, fern, 1, firstName="Ämilia", at=datetime(2026, 3, 3, tzinfo=UTC))
    dear = place(cast.alice, fern, 4, firstName="Bea", at=datetime(2026, 3, 1, tzinfo=UTC))
    middle = place(cast.alice, fern, 2, firstName="Cato", at=datetime(2026, 3, 2, tzinfo=UTC))
    set_status(cast.ada, CONFIRMED, dear)
    up = {
        "placed": [dear, middle, cheap],
        "total": [cheap, middle, dear],
        "customer": [cheap, dear, middle],
        "status": [dear, middle, cheap],
        "number": [cheap, dear, middle],
    }
    for sort, expected in up.items():
        assert ids(cast.ada, sort=sort, order="asc") == expected, sort
        assert ids(cast.ada, sort=sort, order="desc") == expected[::-1], sort
        assert ids(cast.ada, sort=sort, order="asc", limit=1, offset=1) == expected[1:2], sort
        assert ids(cast.ada, q="example", sort=sort, order="asc", limit=1, offset=1) == expected[1:2], sort
    assert look(cast.ada, limit=1, offset=2).total == 3


def test_a_row_has_what_the_table_shows(cast: Cast, engine: Engine, fern: Product) -> None:
    order_id = place(cast.alice, fern, 3)
    [row] = look(cast.ada).orders
    order = get(engine, order_id)
    assert (row.item_count, row.number, row.total_cents) == (3, order.number, order.total_cents)
    assert (row.customer_name, row.customer_email, row.status) == ("Alice", "alice@example.org", PENDING)
    assert (row.address, row.created_at) == (order.delivery_address, order.created_at)


def test_a_page_needs_a_constant_number_of_statements(engine: Engine, cast: Cast, fern: Product) -> None:
    def statements() -> int:
        with count_statements(engine) as seen:
            look(cast.ada, q="alice")
        return len(seen)

    place(cast.alice, fern)
    few = statements()
    for _ in range(4):
        place(cast.alice, fern)
    assert statements() == few <= 3


def test_listing_orders_needs_permission(cast: Cast, fern: Product) -> None:
    for operation in (admin_orders.list_all, admin_orders.list_with_details):
        with pytest.raises(errors.NotAllowed):
            db.read(lambda s, op=operation: op(s, s.get(User, cast.bob.id), OrderQuery()))  # type: ignore[misc]
        with pytest.raises(errors.NotSignedIn):
            db.read(lambda s, op=operation: op(s, None, OrderQuery()))  # type: ignore[misc]


def test_an_order_has_its_audit_entries(session: Session, cast: Cast, fern: Product) -> None:
    helper = make_user(session, "sue", role=Role.SUPPORT)
    session.commit()
    order_id = place(cast.alice, fern)
    set_status(helper, CONFIRMED, order_id)
    seen = db.read(lambda s: admin_orders.get(s, s.get(User, cast.ada.id), order_id))
    assert seen.customer.email == "alice@example.org"
    assert [(step.to_status, step.by and step.by.name) for step in seen.history] == [
        (PENDING, "Alice"),
        (CONFIRMED, "Sue"),
    ]
    assert [(line.action, line.by and line.by.email) for line in seen.audit] == [
        ("order.placed", "alice@example.org"),
        ("order.status", "sue@example.org"),
    ]
    assert db.read(lambda s: admin_orders.get(s, s.get(User, helper.id), order_id)).audit == ()


def test_an_order_lists_the_tickets_about_it_to_those_who_may_see_tickets(
    cast: Cast, fern: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    order_id, other_id = place(cast.alice, fern), place(cast.alice, fern)

    def ask(about: str | None, subject: str) -> str:
        form = parse(TicketForm, {"subject": subject, "message": "Where is it?", "orderId": about})
        return db.write(lambda s: tickets.create(s, s.get(User, cast.alice.id), form)).id

    def listed(about: str) -> list[tuple[str, str]]:
        seen = db.read(lambda s: admin_orders.get(s, s.get(User, cast.ada.id), about))
        assert "tickets" not in seen.wire()
        return [(each.id, each.subject) for each in seen.tickets]

    late = ask(order_id, "Late")
    ask(None, "Something else")
    later = ask(order_id, "Later still")
    assert listed(order_id) == [(later, "Later still"), (late, "Late")]
    assert listed(other_id) == []
    without = PERMISSIONS[Role.OWNER] - {Permission.SEE_TICKETS}
    monkeypatch.setitem(PERMISSIONS, Role.OWNER, without)
    assert listed(order_id) == []


def test_a_deleted_order_is_in_no_list_and_no_sum(cast: Cast, engine: Engine, fern: Product) -> None:
    order_id = place(cast.alice, fern)
    delete(cast.ada, order_id)
    assert look(cast.ada).total == 0
    with Session(engine) as session:
        alice = session.get_one(User, cast.alice.id)
        assert orders.list_own(session, alice) == ()
        assert accounts.show(session, alice).total_orders == 0
        for operation in (orders.get, admin_orders.get):
            with pytest.raises(errors.NotFound):
                operation(session, session.get(User, cast.ada.id), order_id)
        entry = session.execute(select(AuditEntry).order_by(col(AuditEntry.id).desc())).scalars().first()
        assert entry is not None
        assert (entry.action, entry.subject, entry.details["status"]) == (
            "order.deleted",
            f"order:{order_id}",
            "pending",
        )
    with pytest.raises(errors.NotFound):
        delete(cast.ada, order_id)


@pytest.mark.parametrize(("status", "left"), [(PENDING, 50), (OrderStatus.OUT_FOR_DELIVERY, 50), (DELIVERED, 48)])
def test_deleting_an_open_order_gives_back_what_it_held(
    engine: Engine, session: Session, cast: Cast, fern: Product, status: OrderStatus, left: int
) -> None:
    give_credit(session, cast.alice, 30_00)
    session.commit()
    order_id = place(cast.alice, fern, 2, useCredit=True)
    set_status(cast.ada, status, order_id)
    delete(cast.ada, order_id)
    assert stock(engine, fern) == left
    with Session(engine) as after:
        entries = select(func.sum(col(CreditEntry.amount_cents))).where(col(CreditEntry.user_id) == cast.alice.id)
        assert after.execute(entries).scalar_one() == (0 if status is DELIVERED else 30_00)
        assert after.get_one(User, cast.alice.id).first_purchase_discount_used is (status is not PENDING)


def test_a_deleted_order_earns_no_referral_credit(session: Session, cast: Cast, fern: Product) -> None:
    friend = make_user(session, "friend", referred_by=cast.bob)
    session.commit()
    order_id = place(friend, fern)
    delete(cast.ada, order_id)
    shown = db.write(lambda s: referrals.show(s, s.get(User, cast.bob.id)))
    assert (shown.statement, shown.stats.available_credit_cents) == ((), 0)


def test_deleting_orders_needs_permission(engine: Engine, session: Session, cast: Cast, fern: Product) -> None:
    helper = make_user(session, "sue", role=Role.SUPPORT)
    session.commit()
    order_id = place(cast.alice, fern)
    for who in (cast.alice, helper):
        with pytest.raises(errors.NotAllowed):
            delete(who, order_id)
    assert get(engine, order_id).deleted_at is None


def make_and_commit(session: Session, name: str) -> User:
    user = make_user(session, name)
    session.commit()
    return user


def test_editing_orders_needs_permission(engine: Engine, session: Session, cast: Cast, fern: Product) -> None:
    viewer = make_user(session, "vera", role=Role.VIEWER)
    session.commit()
    order_id = place(cast.alice, fern)
    for who in (cast.alice, viewer):
        for is_dry in (True, False):
            with pytest.raises(errors.NotAllowed):
                set_status(who, DELIVERED, order_id, is_dry=is_dry)
    assert get(engine, order_id).status is PENDING
