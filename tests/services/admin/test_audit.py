"""Reading the audit trail."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Engine, select, text
from sqlmodel import Session

from marketplace_app import clock, db
from marketplace_app.errors import NotAllowed
from marketplace_app.models import AuditEntry, Role, User
from marketplace_app.schemas.admin.audit import CHAIN_START, NO_ACTOR, AuditQuery
from marketplace_app.services.admin import audit
from marketplace_app.services.admin.audit_sentences import predicate_of
from marketplace_app.services.buying import orders
from marketplace_app.services.records import audit_chain, audit_log
from tests.builders import make_product, make_user, order_form
from tests.conftest import Cast, SignIn
from tests.counting import count_statements


def write(actor: User | None, action: str, subject: str, **details: Any) -> None:
    db.write(lambda session: audit_log.append(session, actor, action, subject, **details))


@pytest.fixture
def trail(session: Session, cast: Cast) -> None:
    write(cast.ada, "user.banned", f"user:{cast.bob.id}")
    write(cast.ada, "user.unbanned", f"user:{cast.bob.id}")
    write(cast.bob, "account.deleted", f"user:{cast.bob.id}")
    write(None, "products.imported", "products", created=3, updated=2, unchanged=0)
    write(cast.ada, "settings.changed", "setting:delivery_fee_cents", **{"from": 25_00, "to": 19_50})


def described(session: Session, actor: User, **query: Any) -> list[str]:
    return [
        f"{each.actor} {each.words}" for each in audit.list_entries(session, actor, AuditQuery.model_validate(query))[1]
    ]


def test_entries_are_read_newest_first_in_words(session: Session, cast: Cast, trail: None) -> None:
    assert described(session, cast.ada) == [
        "Ada (ada@example.org) changed Delivery fee: $25 → $19.50",
        "The store imported products: 3 created, 2 updated, 0 unchanged",
        "Bob (bob@example.org) deleted their account",
        "Ada (ada@example.org) unbanned Bob",
        "Ada (ada@example.org) banned Bob",
    ]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"action": "user.banned"}, 1),
        ({"action": "no.such"}, 0),
        ({"subject": "products"}, 1),
        ({"subject": "setting:delivery_fee_cents"}, 1),
        ({"actor": NO_ACTOR}, 1),
        ({"limit": 2}, 5),
        ({"limit": 2, "offset": 4}, 5),
    ],
)
def test_entries_are_found_by_action_subject_and_actor(
    session: Session, cast: Cast, trail: None, query: dict[str, Any], found: int
) -> None:
    total, listed = audit.list_entries(session, cast.ada, AuditQuery(**query))
    assert total == found
    assert len(listed) == min(query.get("limit", 100), max(0, found - query.get("offset", 0)))


@pytest.mark.parametrize(("day", "found"), [(26, 0), (27, 2), (28, 1)])
def test_entries_are_found_by_the_day_in_the_stores_time_zone(
    session: Session, cast: Cast, monkeypatch: pytest.MonkeyPatch, day: int, found: int
) -> None:
    """The store's November 27 begins at 8:00 UTC, and ends 24 hours later."""
    for at in (datetime(2026, 11, 27, 8), datetime(2026, 11, 28, 3), datetime(2026, 11, 28, 8)):
        monkeypatch.setattr(clock, "now", lambda at=at: at.replace(tzinfo=UTC))
        write(cast.ada, "user.banned", f"user:{cast.bob.id}")
    wanted = date(2026, 11, day)
    assert audit.list_entries(session, cast.ada, AuditQuery(day_from=wanted, day_to=wanted))[0] == found


def test_an_order_is_found_by_its_number(session: Session, cast: Cast) -> None:
    fern = make_product(session, price_cents=120_00)
    placed = orders.place(session, cast.alice, order_form((fern, 1)), key=None)
    session.commit()
    for subject in (f"order:{placed['number']}", str(placed["number"]), f"order:{placed['id']}"):
        [entry] = audit.list_entries(session, cast.ada, AuditQuery(subject=subject))[1]
        assert entry.words == f"placed order {placed['number']} for $115.00"
        assert entry.href == f"/admin/orders/{placed['id']}"
    assert audit.list_entries(session, cast.ada, AuditQuery(subject="order:99999"))[0] == 0


def test_a_page_needs_a_constant_number_of_queries(engine: Engine, session: Session, cast: Cast) -> None:
    for number in range(40):
        write(cast.ada, "product.edited", f"product:{number + 1}", name=["A", "B"])

    def sent(limit: int) -> int:
        with count_statements(engine) as statements:
            audit.list_entries(session, cast.ada, AuditQuery(limit=limit))
        return len(statements)

    assert sent(2) == sent(40)


@pytest.mark.parametrize(("role", "may"), [(Role.MANAGER, True), (Role.SUPPORT, False), (Role.VIEWER, False)])
def test_the_trail_is_readable_by_role(session: Session, cast: Cast, role: Role, may: bool) -> None:
    person = make_user(session, "dora", role=role)
    for look in (
        lambda: audit.list_entries(session, person, AuditQuery()),
        lambda: audit.check_all(session, person),
        lambda: audit.check_next_batch(session, person, CHAIN_START),
        lambda: audit.list_colleagues(session, person),
    ):
        if may:
            look()
        else:
            with pytest.raises(NotAllowed):
                look()


@pytest.mark.slow
def test_a_long_trail_is_checked_in_batches_and_read_by_its_indexes(session: Session, cast: Cast) -> None:
    """With 20,000 entries PostgreSQL already uses the indexes, and the tests stay fast."""
    start = datetime(2026, 1, 1, tzinfo=UTC)
    rows = [
        {
            "created_at": start + timedelta(minutes=number),
            "actor_id": cast.ada.id,
            "action": "order.status" if number % 3 else "user.edited",
            "subject": f"user:{number % 500}",
            "details": {"from": "pending", "to": "confirmed"},
        }
        for number in range(20_000)
    ]
    db.write(lambda s: audit_log.append_many(s, rows))
    checked = audit_chain.check_all(session)
    assert (checked.entries, checked.broken) == (20_000, None)
    for query in (AuditQuery(subject="user:7"), AuditQuery(day_from=start.date(), day_to=start.date())):
        conditions = audit._conditions(session, query)
        plan = explain(session, select(AuditEntry.id).where(*conditions))
        assert "ix_audit_entries" in plan, plan


def explain(session: Session, statement: Any) -> str:
    sql = str(statement.compile(session.connection(), compile_kwargs={"literal_binds": True}))
    is_sqlite = session.connection().dialect.name == "sqlite"
    if not is_sqlite:
        session.execute(text("ANALYZE audit_entries"))
    found = session.execute(text(f"{'EXPLAIN QUERY PLAN' if is_sqlite else 'EXPLAIN'} {sql}"))
    return "\n".join(str(row[-1]) for row in found)


def test_the_trail_and_its_chain_are_served_over_rest_to_those_who_may_see_them(
    client: TestClient, as_user: SignIn, cast: Cast, trail: None
) -> None:
    ada = as_user(cast.ada)
    listed = ada.get("/api/admin/audit", params={"action": "user.banned", "limit": 1})
    assert listed.headers["X-Total-Count"] == "1"
    [entry] = listed.json()
    assert (entry["words"], entry["actorId"], entry["subject"]) == (
        "Ada (ada@example.org) banned Bob",
        cast.ada.id,
        f"user:{cast.bob.id}",
    )
    assert ada.get("/api/admin/audit/chain").json() == {"entries": 5, "isWhole": True, "broken": None}
    assert ada.get("/api/admin/audit", params={"from": "2026-99-01"}).json()["fields"].keys() == {"from"}
    assert ada.get("/api/admin/audit", params={"limit": 101}).status_code == 422
    for who, status in ((client, 401), (as_user(cast.alice), 403)):
        assert who.get("/api/admin/audit").status_code == status
        assert who.get("/api/admin/audit/chain").status_code == status


@pytest.mark.parametrize(
    ("details", "words"),
    [
        ({"price_cents": [4850, 5100]}, "price $48.50 → $51.00"),
        ({"effects": [["Calm", "Happy"], ["Calm"]]}, "effects Calm, Happy → Calm"),
        ({"effects": [["Calm", "Happy"], []]}, "effects Calm, Happy → nothing"),
        ({"is_featured": [False, True]}, "featured no → yes"),
        ({"thc_percent": [None, 22.5], "sku": ["A-1", "A-2"]}, "THC % nothing → 22.5; SKU A-1 → A-2"),
        ({"description": "changed"}, "description"),
        ({"email": ["a_b@example.org", "c@example.org"]}, "email a_b@example.org → c@example.org"),
        ({"credit": ["12.50", "-1020.00"]}, "credit $12.50 → −$1,020.00"),
        ({"status": ["in_progress", "resolved"]}, "status in progress → resolved"),
    ],
)
def test_changes_are_described_in_plain_words(details: dict[str, object], words: str) -> None:
    assert predicate_of("product.edited", "Fern Hollow", details) == f"edited Fern Hollow: {words}"


def test_fields_of_an_order_are_named() -> None:
    details = {"fields": ["contact_phone", "estimated_delivery_at"]}
    assert predicate_of("order.edited", "order 1001", details) == "edited order 1001: contact phone; estimated delivery"
