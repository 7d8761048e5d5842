"""The short form of `make faults`: crashes before some of the statements, a full disk, and a clock that is wrong."""

import ast
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, func, select
from sqlmodel import Session

from marketplace_app import db
from marketplace_app.errors import Unavailable
from marketplace_app.models import Counter, Product, StockMovement
from marketplace_app.services import credits
from tests.builders import make_batch, make_order, make_product, make_user
from tools.faults import acts, crashes, outcomes
from tools.faults.__main__ import fill_stock
from tools.faults.disks import Disk, mounted
from tools.faults.sites import CLOCK_SHIFT, SqliteSite

pytestmark = pytest.mark.slow
on_sqlite = pytest.mark.parametrize("engine", ["sqlite"], indirect=True)


@pytest.fixture
def product(engine: Engine, tmp_path: Path, configure: Callable[..., None]) -> None:
    configure(RUN_SHEETS=str(tmp_path / "sheets"))
    with Session(engine) as session:
        assert make_product(session).id == crashes.PRODUCT
        session.commit()


@on_sqlite
@pytest.mark.usefixtures("product")
@pytest.mark.attack("a crash before a statement")
@pytest.mark.parametrize("act", crashes.ACTS, ids=lambda act: act.name)
def test_a_crash_between_statements_leaves_nothing_half_done(engine: Engine, act: crashes.Act) -> None:
    """`make faults` crashes before each statement."""
    result = crashes.crash_everywhere(act, act.every)
    assert (result.lost, result.wrong) == (0, 0)
    assert result.killed > 2


@on_sqlite
@pytest.mark.usefixtures("product")
def test_it_notices_a_store_that_commits_halfway(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    add_entry = credits.add_entry

    def commit_first(session: Session, *args: Any, **values: Any) -> None:
        session.commit()
        add_entry(session, *args, **values)

    monkeypatch.setattr(credits, "add_entry", commit_first)
    result = crashes.crash_everywhere(crashes.ACTS[0], every=4)
    assert result.lost + result.wrong > 0


@pytest.mark.attack("a full disk")
def test_a_full_disk_is_a_503_and_what_was_acknowledged_stays(tmp_path: Path) -> None:
    with mounted([tmp_path / "disk"]) as is_possible:
        if not is_possible:
            pytest.skip("mounting a disk needs the system administrator's rights")
        disk = Disk(tmp_path / "disk")
        engine = db.make_engine(f"sqlite:///{disk.path / 'store.db'}")
        Counter.__table__.create(engine)  # type: ignore[attr-defined]
        disk.fill()
        written = 0
        with pytest.raises(Unavailable):
            for written in count():
                db.write(lambda session, number=written: session.add(Counter(name=f"{number} {'x' * 10_000}")), engine)
        assert rows_of(engine) == written
        disk.free()
        db.write(lambda session: session.add(Counter(name="afterwards")), engine)
        assert rows_of(engine) == written + 1
        engine.dispose()


def rows_of(engine: Engine) -> int:
    return db.read(lambda session: session.execute(select(func.count()).select_from(Counter)).scalar_one(), engine)


def test_the_clock_of_a_store_follows_its_offset_file(tmp_path: Path) -> None:
    offset = tmp_path / "offset"
    offset.write_text("-3600")
    script = (
        "import time; from marketplace_app import clock; from pathlib import Path;"
        f"print(clock.now().isoformat(), time.time()); Path({str(offset)!r}).write_text('86400');"
        "print(clock.now().isoformat(), time.time())"
    )
    environment = os.environ | {"PYTHONPATH": str(CLOCK_SHIFT), "STORE_CLOCK_OFFSET": str(offset)}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    now = datetime.now(UTC)
    for line, shift in zip(done.stdout.splitlines(), (-timedelta(hours=1), timedelta(days=1)), strict=True):
        shown, seconds = line.split()
        assert abs(datetime.fromisoformat(shown) - now - shift) < timedelta(minutes=1)
        assert abs(datetime.fromtimestamp(float(seconds), UTC) - now - shift) < timedelta(minutes=1)


def test_faults_use_only_what_a_site_has() -> None:
    """They happen only in `make faults`, which takes twenty minutes."""
    tree = ast.parse(Path(acts.__file__).read_text())
    attributes = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    used = {node.attr for node in attributes if isinstance(node.value, ast.Name) and node.value.id == "site"}
    assert {"start", "running"} <= used
    known = {*dir(SqliteSite), *SqliteSite.__dataclass_fields__}
    assert used - known == set()


def test_filling_the_shelves_keeps_the_books_of_products_with_batches(engine: Engine, session: Session) -> None:
    plain, split = make_product(session, "Plain", stock=3), make_product(session, "Split", stock=0)
    make_batch(session, split, units=5)
    session.commit()
    fill_stock(engine)
    with Session(engine) as after:
        stocks = {product.id: product.stock for product in after.execute(select(Product)).scalars()}
        filled = select(StockMovement.product_id).where(StockMovement.change == 1_000_000)
        moved = [*after.execute(filled).scalars()]
    assert stocks == {plain.id: 1_000_003, split.id: 5}
    assert moved == [plain.id]


def test_only_the_customers_orders_must_have_a_key(session: Session) -> None:
    """An order that a crash needed was placed without one."""
    customer, other = make_user(session, "buyer-1"), make_user(session, "crash-1")
    make_order(session, other, 120_00)
    session.commit()
    assert outcomes._without_a_key(session) == 0
    make_order(session, customer, 120_00)
    session.commit()
    assert outcomes._without_a_key(session) == 1
