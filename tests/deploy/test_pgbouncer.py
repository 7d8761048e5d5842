"""PgBouncer accepts its example of a configuration, and the store works behind it as the documents say."""

import re
import tempfile
from collections.abc import Iterator
from configparser import ConfigParser
from pathlib import Path
from queue import Queue

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.engine import make_url
from sqlmodel import Session

from marketplace_app import db
from marketplace_app.adapters import live, postgresql
from marketplace_app.config import Settings
from marketplace_app.errors import Unavailable
from marketplace_app.models import Product, User
from marketplace_app.services.buying import orders
from marketplace_app.services.records import announcements
from tests import pgbouncer
from tests.builders import make_product, order_form
from tests.conftest import Cast
from tests.deploy.programs import DEPLOY
from tests.pgbouncer import PgBouncer

EXAMPLE = (DEPLOY / "pgbouncer.ini").read_text()
PARSED = ConfigParser(interpolation=None)
PARSED.read_string(EXAMPLE)


def test_the_example_agrees_with_the_store() -> None:
    settings = PARSED["pgbouncer"]
    assert settings["pool_mode"] == "transaction"
    assert "ignore_startup_parameters" not in settings, "the store asks for nothing that would have to be ignored"
    assert int(settings["query_wait_timeout"]) == 5, "as long as the store's own pool waits"
    assert db.POOL_SIZE == 20
    assert "twenty for each worker process" in EXAMPLE
    named = dict(re.findall(r"^;   (DATABASE_\w+)=(\S+)$", EXAMPLE, re.M))
    assert {name.lower() for name in named} == {"database_url", "database_direct_url"} <= set(Settings.model_fields)
    [(database, server)] = PARSED["databases"].items()
    ports = [make_url(url).port for url in named.values()]
    assert ports == [int(settings["listen_port"]), int(server.partition("port=")[2])]
    assert {make_url(url).database for url in named.values()} == {database}


@pytest.fixture
def pooled(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> Iterator[Engine]:
    """The store behind a PgBouncer."""
    if pgbouncer.find() is None:
        pytest.skip("PgBouncer is not installed")
    direct = pgbouncer.direct_url(engine)
    unpooled = db.make_engine(direct)
    with unpooled.begin() as connection:
        postgresql.set_role_defaults(connection)
    unpooled.dispose()
    with tempfile.TemporaryDirectory(prefix="store-pgbouncer-") as folder:
        Path(folder).chmod(0o755)
        pooler = PgBouncer(Path(folder), make_url(direct))
        made = pgbouncer.make_engine(pooler.url(str(engine.url.database)))
        monkeypatch.setattr(db, "get_engine", lambda: made)
        yield made
        made.dispose()
        pooler.stop()


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_orders_are_placed_and_announced_through_it(session: Session, cast: Cast, pooled: Engine) -> None:
    """`make test-pgbouncer` runs all other tests behind it, too."""
    product = make_product(session, price_cents=120_00, stock=50)
    session.commit()
    heard: Queue[frozenset[str]] = Queue()
    unsubscribe = live.subscribe(heard.put)
    stop = live.listen(pgbouncer.direct_url(pooled))
    assert heard.get(timeout=5) == {live.ALL_TOPICS}
    for _ in range(10):
        db.write(lambda s: orders.place(s, s.get(User, cast.alice.id), order_form((product, 2)), key=None))
    db.write(lambda s: announcements.publish(s, "last"))
    while "last" not in heard.get(timeout=5):  # what arrives together is announced together
        pass
    stop()
    unsubscribe()
    session.rollback()
    assert session.get_one(Product, product.id, populate_existing=True).stock == 30
    assert db.read(lambda s: postgresql.differing_settings(s.connection())) == {}


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_statements_and_locks_have_their_limits_through_it(
    session: Session, cast: Cast, pooled: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(db, "ATTEMPTS", 1)
    session.execute(text("SELECT 1 FROM users FOR UPDATE"))
    with pytest.raises(Unavailable):
        db.write(lambda s: s.execute(text("SELECT 1 FROM users FOR UPDATE")))
    with pytest.raises(Unavailable):
        db.write(lambda s: s.execute(text("SELECT pg_sleep(30)")))
    session.rollback()


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_when_its_connections_run_out_people_are_told_to_try_again(
    cast: Cast, pooled: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = [pooled.connect() for _ in range(pgbouncer.POOL_SIZE)]
    for connection in held:
        connection.execute(text("SELECT 1"))
    other = pgbouncer.make_engine(pooled.url.render_as_string(hide_password=False))
    with pytest.raises(Unavailable):
        db.read(lambda s: s.execute(text("SELECT 1")), other)
    for connection in held:
        connection.close()
    assert db.read(lambda s: s.execute(text("SELECT 1")).scalar_one(), other) == 1
    other.dispose()
