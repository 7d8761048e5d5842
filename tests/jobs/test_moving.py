"""`move-to`: from SQLite to PostgreSQL, all of it or nothing."""

from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import Engine, func, select, text
from sqlmodel import Session, col

from marketplace_app import clock, db
from marketplace_app.jobs.commands import moving
from marketplace_app.models import JurisdictionVersion, Order, Product, Role, Synonym, User, ZipPlace
from marketplace_app.schemas.products.products import ProductQuery
from marketplace_app.services import invariants
from marketplace_app.services.buying import orders
from marketplace_app.services.jurisdictions import drafts, versions, zips
from marketplace_app.services.products import products
from marketplace_app.services.records import audit_chain
from tests.builders import make_product, make_user, order_form
from tests.databases import PostgreSql, Sqlite
from tests.jobs.conftest import OK, WRONG, Ended, Terminal
from tests.jobs.test_seed_scale import large_store

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def old(databases: Callable[[str], Sqlite | PostgreSql]) -> Iterator[Engine]:
    """A store with history. Its first user was referred by its last one, who comes later in every order."""
    with large_store(databases("sqlite"), 60, 40, 100) as engine:
        with Session(engine) as session:
            owner = make_user(session, "owner", role=Role.OWNER)
            first, last = first_and_last_user(session)
            first.referred_by_id = last.id
            zips.replace(session, [zips.Location("97201", "OR", 45.4988, -122.6878)])
            added = {state: versions.add(session, owner, drafts.read(state)) for state in drafts.list_states()}
            open_choices = drafts.read("OR").rules.open_choices()
            versions.review(session, owner, added["OR"].id, dict.fromkeys(open_choices, 0))
            session.commit()
        yield engine


@pytest.fixture
def new(databases: Callable[[str], Sqlite | PostgreSql]) -> Iterator[Engine]:
    """A database with nothing in it, not even tables."""
    server = databases("postgresql")
    assert isinstance(server, PostgreSql)
    name = f"moved_{uuid4().hex}"
    server._run(f"CREATE DATABASE {name}")
    engine = server.direct_engine(name)
    yield engine
    engine.dispose()
    server._run(f"DROP DATABASE {name} WITH (FORCE)")


def first_and_last_user(session: Session) -> tuple[User, User]:
    users = session.execute(select(User).order_by(col(User.id))).scalars().all()
    return users[0], users[-1]


def url(engine: Engine) -> str:
    return engine.url.render_as_string(hide_password=False)


@pytest.fixture
def move(old: Engine, tmp_path: Path) -> Callable[[Engine], Ended]:
    return lambda target: Terminal(url(old), tmp_path)("move-to", url(target))


def count(engine: Engine, table: type) -> int:
    with Session(engine) as session:
        return session.execute(select(func.count()).select_from(table)).scalar_one()


def test_a_moved_store_has_every_row_and_goes_on_selling(
    old: Engine, new: Engine, move: Callable[[Engine], Ended], monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = move(new)
    assert ended.returncode == OK, ended.stderr
    assert "each compared with its original" in ended.stdout
    for table in (User, Product, Order, Synonym, JurisdictionVersion, ZipPlace):
        assert count(new, table) == count(old, table)
    monkeypatch.setattr(db, "get_engine", lambda: new)
    with Session(new, expire_on_commit=False) as session:
        first, last = first_and_last_user(session)
        assert first.referred_by_id == last.id
        assert not [each.name for each in invariants.check(session) if not each.holds]
        assert audit_chain.check_all(session).broken is None
        highest = session.execute(select(func.max(Order.number))).scalar_one()
        shopper, product = make_user(session, "newcomer"), make_product(session, "Juniper Lantern", price_cents=120_00)
        products.save(session, product)
        session.commit()
    oregon = db.read(lambda s: versions.find(s, "OR", clock.now().date()))
    assert oregon and oregon.rules.minimum_due_cents == 1
    placed = db.write(lambda s: orders.place(s, s.get(User, shopper.id), order_form((product, 1)), key=None))
    assert placed["number"] == highest + 1
    found = db.read(lambda s: products.list_products(s, None, ProductQuery(search="juniper lantern")))
    assert found.total == 1
    name = db.read(lambda s: s.execute(select(Product.name).limit(1)).scalar_one())
    assert db.read(lambda s: products.list_products(s, None, ProductQuery(search=name))).total


def test_a_store_is_not_moved_onto_another(new: Engine, move: Callable[[Engine], Ended]) -> None:
    assert move(new).returncode == OK
    users = count(new, User)
    ended = move(new)
    assert (ended.returncode, ended.stderr.splitlines()[-1]) == (
        WRONG,
        "The new database is not empty: it has categories.",
    )
    assert count(new, User) == users


@pytest.mark.parametrize("damage", ["a row is lost", "a value changes"])
def test_a_difference_undoes_the_move(
    new: Engine, move: Callable[[Engine], Ended], monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    batches = moving._batches
    changed: list[object] = []

    def damaged(connection, table):
        for batch in batches(connection, table):
            if table.name == "orders" and connection.dialect.name == "sqlite" and not changed:
                changed.append(table)
                yield batch[1:] if damage == "a row is lost" else [batch[0] | {"city": "Elsewhere"}, *batch[1:]]
            else:
                yield batch

    monkeypatch.setattr(moving, "_batches", damaged)
    ended = move(new)
    assert ended.returncode == WRONG
    assert "Nothing was moved" in ended.stderr
    assert changed and (count(new, User), count(new, Order)) == (0, 0)


def test_an_inconsistent_store_is_not_moved(
    new: Engine, tmp_path: Path, databases: Callable[[str], Sqlite | PostgreSql]
) -> None:
    with large_store(databases("sqlite"), 60, 40, 100) as engine:
        with engine.begin() as connection:
            connection.execute(text("UPDATE products SET stock = stock + 1 WHERE id = 1"))
        ended = Terminal(url(engine), tmp_path)("move-to", url(new))
    assert (ended.returncode, ended.stderr.splitlines()[-1]) == (
        WRONG,
        "The data is not consistent. Nothing was moved: correct this store first.",
    )
    assert count(new, User) == 0


@pytest.mark.parametrize(
    ("target", "why"),
    [
        ("nonsense", "This is not the URL of a database."),
        ("sqlite:///elsewhere.db", "A store can be moved to postgresql+psycopg://… only, not to sqlite://…"),
        ("postgresql+psycopg://nobody@127.0.0.1:1/none", "The database does not answer:"),
    ],
)
def test_an_impossible_target_is_refused_in_a_sentence(old: Engine, tmp_path: Path, target: str, why: str) -> None:
    ended = Terminal(url(old), tmp_path)("move-to", target)
    assert ended.returncode == WRONG
    assert ended.stderr.startswith(why)


def test_a_store_on_postgresql_is_not_moved(new: Engine, tmp_path: Path, move: Callable[[Engine], Ended]) -> None:
    assert move(new).returncode == OK
    ended = Terminal(url(new), tmp_path)("move-to", url(new))
    assert (ended.returncode, ended.stderr.strip()) == (
        WRONG,
        "This store is on PostgreSQL already: DATABASE_URL names it.",
    )
