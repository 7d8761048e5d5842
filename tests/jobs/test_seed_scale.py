"""The large demo store is written in bulk, consistent with what the services would have written."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
from sqlalchemy import Engine, func, select
from sqlmodel import Session, col

from marketplace_app import clock
from marketplace_app.errors import Conflict
from marketplace_app.jobs import scale_tickets, seed_scale
from marketplace_app.jobs.scale_plan import plan_users
from marketplace_app.models import (
    AuditEntry,
    Counter,
    CreditEntry,
    Invitation,
    Order,
    OrderLine,
    OrderStatus,
    OrderStatusChange,
    Product,
    StockMovement,
    Ticket,
    TicketStatus,
    User,
)
from marketplace_app.services.records import audit_log, counters
from marketplace_app.services.search import order_search
from tests.databases import PostgreSql, Sqlite

DEMO = [
    {
        "slug": "fern",
        "name": "Fern",
        "description": "Cool.",
        "category": "THC Flower",
        "type": "Hybrid",
        "net_weight_grams": 3.5,
    },
    {"slug": "mint", "name": "Mint", "description": "Cold.", "category": "Edibles", "type": "Indica", "thc_mg": 5},
]


def seed_from_two_products(patch: pytest.MonkeyPatch) -> None:
    """Without the migrations and the demo store: a test's database has the tables and the categories already."""
    patch.setattr(seed_scale, "migrate", lambda: None)
    patch.setattr(seed_scale, "seed_if_empty", lambda: 0)
    patch.setattr(seed_scale, "read_demo", lambda: list(DEMO))


@contextmanager
def large_store(server: Sqlite | PostgreSql, products: int, users: int, orders: int) -> Iterator[Engine]:
    """A store with that many demo products, users and orders, in a database of its own."""
    engine = server.borrow(is_new=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(seed_scale.db, "get_engine", lambda: engine)
        seed_from_two_products(patch)
        seed_scale.seed(products, users, orders, on_progress=lambda _: None)
    try:
        yield engine
    finally:
        server.give_back(engine)


@pytest.fixture
def progress() -> list[str]:
    """The lines that seeding `shop` reports."""
    return []


@pytest.fixture
def shop(engine: Engine, monkeypatch: pytest.MonkeyPatch, progress: list[str]) -> Engine:
    seed_from_two_products(monkeypatch)
    seed_scale.seed(40, 30, 250, on_progress=progress.append)
    return engine


def test_ledgers_agree_with_current_numbers(shop: Engine) -> None:
    with Session(shop) as session:
        change = func.sum(col(StockMovement.change))
        grouped = select(col(StockMovement.product_id), change).group_by(col(StockMovement.product_id))
        moved = {number: int(total) for number, total in session.execute(grouped)}
        products = session.execute(select(Product)).scalars().all()
        assert len(products) == 40
        assert all(moved.get(product.id, 0) == product.stock for product in products)

        orders = session.execute(select(Order).order_by(col(Order.number))).scalars().all()
        assert [order.number for order in orders] == list(range(orders[0].number, orders[0].number + 250))
        assert session.get_one(Counter, counters.ORDER_NUMBER).value == orders[-1].number
        lines: dict[str, int] = {}
        for line in session.execute(select(OrderLine)).scalars():
            lines[line.order_id] = lines.get(line.order_id, 0) + line.quantity * line.unit_price_cents
        assert lines == {order.id: order.subtotal_cents for order in orders}
        latest: dict[str, OrderStatus] = {}
        for step in session.execute(select(OrderStatusChange).order_by(col(OrderStatusChange.id))).scalars():
            assert step.from_status == latest.get(step.order_id)
            latest[step.order_id] = step.to_status
        assert latest == {order.id: order.status for order in orders}
        for order in orders:
            stored = order.search_text
            order_search.update_search_text(order)
            assert order.search_text == stored


def test_its_products_weigh_what_the_demo_products_weigh(shop: Engine) -> None:
    with Session(shop) as session:
        products = session.execute(select(Product)).scalars().all()
        assert {(each.category, each.net_weight_grams) for each in products} == {("THC Flower", 3.5), ("Edibles", None)}


def test_one_time_discounts_were_given_once(shop: Engine) -> None:
    with Session(shop) as session:
        orders = session.execute(select(Order)).scalars().all()
        for user in session.execute(select(User)).scalars():
            sold = [order for order in orders if order.user_id == user.id and not order.is_cancelled]
            assert sum(order.new_customer_discount_cents > 0 for order in sold) == bool(sold)
            assert user.first_purchase_discount_used is bool(sold)
            assert user.referral_bonus_used is any(order.referral_discount_cents for order in sold)
        earned = {entry.order_id: entry.amount_cents for entry in session.execute(select(CreditEntry)).scalars()}
        assert earned == {
            order.id: order.referral_credit_cents
            for order in orders
            if order.referrer_id is not None and order.status is OrderStatus.DELIVERED
        }


def test_the_hash_chain_of_the_audit_trail_is_valid(shop: Engine) -> None:
    with Session(shop) as session:
        before = ""
        for entry in session.execute(select(AuditEntry).order_by(col(AuditEntry.id))).scalars():
            assert (entry.previous_hash, entry.hash) == (before, audit_log.seal(entry))
            before = entry.hash
        head = session.get_one(Counter, audit_log.AUDIT_HEAD)
        assert (head.text_value, head.value) == (before, 250)


def test_its_users_have_tickets_and_invitations(shop: Engine) -> None:
    with Session(shop) as session:
        tickets = session.execute(select(Ticket)).scalars().all()
        assert len(tickets) == 7
        assert all(bool(ticket.messages) == (ticket.status is not TicketStatus.OPEN) for ticket in tickets)
        invitations = session.execute(select(Invitation)).scalars().all()
        assert len(invitations) == 3
        assert all((each.accepted_at is None) == (each.accepted_by_id is None) for each in invitations)


def test_no_ticket_is_from_the_future() -> None:
    now, rng = clock.now(), random.Random(1)
    users = [replace(user, joined_at=now) for user in plan_users(40, now, rng)]
    written = scale_tickets.tickets(users, {user.email: 1 for user in users}, now, rng)
    moments = [row["created_at"] for ticket, messages in written for row in (ticket, *messages)]
    assert len(moments) > 10
    assert max(moments) <= now


def test_the_large_store_is_seeded_once(shop: Engine, progress: list[str]) -> None:
    with pytest.raises(Conflict, match="filled before"):
        seed_scale.seed(1, 1, 1)
    assert any("250 of 250 orders" in line for line in progress)
