"""Orders a second: twenty shoppers at once, all for the same product. Run as `python -m tools.bench.orders`."""

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from sqlmodel import Session

from marketplace_app import db
from marketplace_app.models import Product, User
from marketplace_app.services import orders
from tests.builders import make_product, make_user, order_form
from tools.bench.servers import ROOT, Store, environment
from tools.bench.table import Row, show

THREADS, ORDERS_EACH = 20, 15


def measure(store: Store) -> Row:
    done = subprocess.run(
        [sys.executable, "-m", "tools.bench.orders"],
        cwd=ROOT,
        env=environment(store.database),
        capture_output=True,
        text=True,
        check=True,
    )
    return Row(f"orders of one product, {THREADS} at once (SQLite)", show(float(done.stdout), "/s"))


def _place_all() -> float:
    product, people = db.write(_arrange)
    form = order_form((product, 1))

    def place(user: User) -> None:
        for _ in range(ORDERS_EACH):
            db.write(lambda session: orders.place(session, session.get(User, user.id), form, key=None))

    began = time.perf_counter()
    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(place, people))
    return THREADS * ORDERS_EACH / (time.perf_counter() - began)


def _arrange(session: Session) -> tuple[Product, list[User]]:
    people = [make_user(session, f"bench{number}") for number in range(THREADS)]
    return make_product(session, price_cents=120_00, stock=100_000), people


if __name__ == "__main__":
    print(_place_all())
