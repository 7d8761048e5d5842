"""A large shop to measure with.

    python -m marketplace_app seed --scale --products 50000 --users 20000 --orders 100000

Written in bulk without the services, but with the same result: stock and credit are the sums of their ledgers, each
order's lines add up, each status has its history, and the audit trail's chain is intact. Works only once in a database.
"""

import random
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any, TypeVar

from sqlalchemy import select, update
from sqlmodel import Session, col

from marketplace_app import clock, db
from marketplace_app.adapters import search
from marketplace_app.config import get_settings
from marketplace_app.errors import Conflict
from marketplace_app.jobs import scale_tickets
from marketplace_app.jobs.migrate import migrate
from marketplace_app.jobs.scale_orders import ISSUER, RowValues, Shop, ids_by_email, movement, row_of, write, write_rows
from marketplace_app.jobs.scale_plan import A_YEAR, PlannedUser, Purchase, plan_purchases, plan_users
from marketplace_app.jobs.seed import NOT_DETECTED, details_of, read_demo, seed_if_empty
from marketplace_app.models import (
    Invitation,
    LabReport,
    OrderStatus,
    Potency,
    Product,
    StockMovement,
    StockReason,
    Ticket,
    TicketMessage,
    User,
)
from marketplace_app.models.batches import PANELS
from marketplace_app.services import accounts

CHUNK_SIZE = 1_000
WELL_STOCKED_SHARE = 0.97
SKU_PREFIX = "SCALE-"
T = TypeVar("T")


def seed(products: int, users: int, orders: int, *, on_progress: Callable[[str], None] = print) -> None:
    """Raises Conflict if this database has been filled before."""
    migrate()
    seed_if_empty()
    if db.read(_is_seeded):
        raise Conflict("This database has been filled before.")
    now, rng = clock.now(), random.Random(7)
    catalogue = _catalogue(products, now, rng)
    planned = plan_users(users, now, rng)
    prices = [product.price_cents for product in catalogue]
    purchases = plan_purchases(orders, planned, prices, now, get_settings().timezone, rng)
    _write_products(catalogue, purchases, now, rng, on_progress)
    _write_users(planned, on_progress)
    shop = db.read(lambda session: Shop.of(session, catalogue, planned))
    for chunk in _with_progress(_chunks(purchases), "orders", orders, on_progress):
        rows = shop.rows_of(chunk, rng)
        db.write(partial(write, rows=rows))
    db.write(shop.write_flags)
    _write_tickets_and_invitations(planned, now, rng, on_progress)


def _is_seeded(session: Session) -> bool:
    seeded = select(col(Product.id)).where(col(Product.sku).startswith(SKU_PREFIX)).limit(1)
    return session.execute(seeded).first() is not None


def _catalogue(count: int, now: datetime, rng: random.Random) -> list[Product]:
    """Variations on the demo store's products."""
    demo = read_demo()
    return [_variation(demo[number % len(demo)], number, now, rng) for number in range(count)]


def _variation(entry: dict[str, Any], number: int, now: datetime, rng: random.Random) -> Product:
    name = f"{entry['name']} No. {number}"
    return Product(
        sku=f"{SKU_PREFIX}{number:06}",
        name=name,
        sort_name=search.fold(name),
        price_cents=rng.randrange(12_00, 180_00, 50),
        potency=Potency.of(entry.get("thc_percent")),
        rating_tenths=rng.randrange(30, 51),
        review_count=rng.randrange(0, 900),
        created_at=now - A_YEAR,
        updated_at=now - A_YEAR,
        **details_of(entry),
    )


def _write_products(
    catalogue: Sequence[Product],
    purchases: Sequence[Purchase],
    now: datetime,
    rng: random.Random,
    on_progress: Callable[[str], None],
) -> None:
    """Each product's opening stock is what the purchases take plus what is left. A few have little or nothing left."""
    sold = [0] * len(catalogue)
    for purchase in purchases:
        if purchase.status is not OrderStatus.CANCELLED:
            for index, quantity in purchase.basket:
                sold[index] += quantity
    for product in catalogue:
        product.stock = (
            rng.choice((12, 40, 90, 160, 300)) if rng.random() < WELL_STOCKED_SHARE else rng.randrange(0, 11)
        )
    done = 0
    for chunk in _with_progress(_chunks(catalogue), "products", len(catalogue), on_progress):
        db.write(partial(_add_products, chunk=chunk, sold=sold[done : done + len(chunk)], now=now))
        done += len(chunk)


def _add_products(session: Session, chunk: Sequence[Product], sold: Sequence[int], now: datetime) -> None:
    write_rows(session, Product, [row_of(product) for product in chunk])
    by_sku = select(col(Product.sku), col(Product.id)).where(col(Product.sku).in_([each.sku for each in chunk]))
    ids = {sku: product_id for sku, product_id in session.execute(by_sku)}  # noqa: C416 - rows, not pairs
    for product in chunk:
        product.id = ids[product.sku]
    search.index_many(session, chunk)
    opening = [
        movement(product.id, product.stock + sold_of_it, StockReason.OPENING, now - A_YEAR)
        for product, sold_of_it in zip(chunk, sold, strict=True)
        if product.stock + sold_of_it
    ]
    write_rows(session, StockMovement, opening)
    tested = [product for product in chunk if int(product.sku.removeprefix(SKU_PREFIX)) % 20]
    results = {"reported_on": date(2026, 9, 6)} | dict.fromkeys(PANELS, NOT_DETECTED)
    write_rows(session, LabReport, [{"product_id": each.id, "lot": each.sku, **results} for each in tested])


def _write_users(planned: Sequence[PlannedUser], on_progress: Callable[[str], None]) -> None:
    for chunk in _with_progress(_chunks(planned), "users", len(planned), on_progress):
        rows = [row_of(_user(each)) for each in chunk]
        db.write(partial(write_rows, table=User, rows=rows))
    db.write(lambda session: _write_referrers(session, planned))


def _user(planned: PlannedUser) -> User:
    user = User(
        issuer=ISSUER,
        subject=planned.email,
        verified_email=planned.email,
        email=planned.email,
        first_name=planned.first_name,
        last_name=planned.last_name,
        created_at=planned.joined_at,
        age_verified_at=planned.joined_at,
        banned_at=planned.joined_at if planned.is_banned else None,
        ban_reason="Resold products" if planned.is_banned else "",
    )
    accounts.update_search_text(user)
    return user


def _write_referrers(session: Session, planned: Sequence[PlannedUser]) -> None:
    ids = ids_by_email(session)
    referred = [
        {"id": ids[each.email], "referred_by_id": ids[planned[each.referrer].email]}
        for each in planned
        if each.referrer is not None
    ]
    if referred:
        session.execute(update(User), referred)


def _write_tickets_and_invitations(
    planned: Sequence[PlannedUser], now: datetime, rng: random.Random, on_progress: Callable[[str], None]
) -> None:
    ids = db.read(ids_by_email)
    written = list(scale_tickets.tickets(planned, ids, now, rng))
    for chunk in _with_progress(_chunks(written), "tickets", len(written), on_progress):
        db.write(partial(_add_tickets, chunk=chunk))
    invited = list(scale_tickets.invitations(planned, ids, now, rng))
    for rows in _with_progress(_chunks(invited), "invitations", len(invited), on_progress):
        db.write(partial(write_rows, table=Invitation, rows=rows))


def _add_tickets(session: Session, chunk: Sequence[tuple[RowValues, list[RowValues]]]) -> None:
    write_rows(session, Ticket, [ticket for ticket, _follow_ups in chunk])
    write_rows(session, TicketMessage, [message for _ticket, follow_ups in chunk for message in follow_ups])


def _chunks(items: Sequence[T]) -> Iterator[Sequence[T]]:
    for first in range(0, len(items), CHUNK_SIZE):
        yield items[first : first + CHUNK_SIZE]


def _with_progress(
    chunks: Iterator[Sequence[T]], what: str, count: int, on_progress: Callable[[str], None]
) -> Iterator[Sequence[T]]:
    """The chunks; progress is reported after each tenth of `count`."""
    began, done, tenth = time.monotonic(), 0, max(1, count // 10)
    for chunk in chunks:
        yield chunk
        before, done = done, done + len(chunk)
        if done // tenth > before // tenth or done == count:
            on_progress(f"{done:>9,} of {count:,} {what} ({timedelta(seconds=round(time.monotonic() - began))})")
