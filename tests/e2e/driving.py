"""Drivers who are out, for tests in a browser and for screenshots."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from playwright.sync_api import Page, expect
from sqlalchemy import select
from sqlmodel import Session, col

from marketplace_app import clock, db
from marketplace_app.models import LineBatch, OrderLine, User
from marketplace_app.services.records import counters
from tests.builders import make_batch, make_product, make_run, make_user
from tests.doors import make_order_out
from tests.e2e.acts import new_email, run_sql, sign_in_by_request
from tests.e2e.conftest import Store

NAMES = ("Nora", "Bartholomew", "Iris", "Quentin")


@contextmanager
def session_of(store: Store) -> Iterator[Session]:
    engine = db.make_engine(store.database_url)
    with Session(engine) as session:
        yield session
        session.commit()
    engine.dispose()


def send_off(store: Store, email: str, names: Sequence[str] = NAMES) -> list[str]:
    """Make a person a driver who is out with an order for each name; returns the ids of the orders."""
    run_sql(
        store, "UPDATE users SET role = 'driver', granted_role = 'driver' WHERE verified_email = :email", email=email
    )
    with session_of(store) as session:
        driver = session.execute(select(User).where(col(User.verified_email) == email)).scalar_one()
        orders = [
            make_order_out(
                session,
                make_user(session, f"{name.lower()}-{email[:8]}"),
                customer_name=name,
                number=counters.next_number(session, counters.ORDER_NUMBER),
            )
            for name in names
        ]
        make_run(session, driver, *orders, is_out=True)
        return [order.id for order in orders]


def recall_order(store: Store, order_id: str) -> None:
    """As if a batch of it were recalled."""
    with session_of(store) as session:
        # Not in the lists that other tests of this store look at.
        product = make_product(session, "Recalled Bag", stock=0, is_active=False)
        batch = make_batch(session, product, recalled_at=clock.now(), recall_reason="Mould")
        line = OrderLine(
            order_id=order_id, product_id=product.id, position=1, name="Fern", image="", quantity=1, unit_price_cents=1
        )
        session.add(line)
        session.flush()
        session.add(LineBatch(order_id=order_id, product_id=product.id, batch_id=batch.id, units=1))


def open_run(page: Page, store: Store, names: Sequence[str] = NAMES) -> list[str]:
    email = new_email()
    sign_in_by_request(page, email)
    orders = send_off(store, email, names)
    page.goto("/drive")
    expect(page.get_by_role("heading", name=names[0], level=2)).to_be_visible()
    return orders
