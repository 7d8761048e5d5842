"""The record that an order keeps of the rules it was judged by, and the birth date in it (RULE order-record)."""

import json
import re
from datetime import date, timedelta
from typing import Any

import pytest
from sqlalchemy import Engine, select
from sqlmodel import Session

from marketplace_app import clock, db, errors
from marketplace_app.config import get_settings
from marketplace_app.jobs import timetable
from marketplace_app.models import (
    OrderLegalRecord,
    OrderStatus,
    OrderStatusChange,
    Product,
    Role,
    User,
)
from marketplace_app.rule_messages import BIRTH_YEAR_EXPECTED, TOO_YOUNG, birth_date_required
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.buying.checkout import FieldCheck
from marketplace_app.schemas.buying.order_forms import QuoteForm
from marketplace_app.schemas.jurisdictions.jurisdictions import RulesForm
from marketplace_app.schemas.jurisdictions.state_rules import Version
from marketplace_app.services import invariants, privacy, stored_data
from marketplace_app.services.admin import orders as admin_orders
from marketplace_app.services.buying import orders, quotes
from marketplace_app.services.jurisdictions import records
from tests.builders import draft, enforce_rules, make_order, make_product, make_rules, make_user, order_form
from tests.conftest import Cast, SignIn
from tests.rows import all_rows

BORN = date(1987, 3, 9)
KEEP_DAYS = 30
WRITTEN = re.compile(r"1987-03-09|date\(1987, 3, 9\)")
"""As JSON, text or a value has it."""
CANCELLED, DELIVERED, OUT, PENDING = (
    OrderStatus.CANCELLED,
    OrderStatus.DELIVERED,
    OrderStatus.OUT_FOR_DELIVERY,
    OrderStatus.PENDING,
)


def make_version(session: Session, *items: str, keep_days: int = KEEP_DAYS) -> Version:
    """Oregon's, in force."""
    lines = {"record": {"items": [*items], "keepDays": keep_days}} if items else {}
    row = make_rules(session, **lines)
    return Version(row.id, RulesForm.model_validate(row.rules).chosen({}), "OR")


@pytest.fixture
def fern(session: Session) -> Product:
    product = make_product(session, "Fern Hollow", price_cents=120_00, stock=5, net_weight_grams=3.5)
    session.commit()
    return product


@pytest.fixture
def oregon(session: Session) -> Version:
    """Its rules want a birth date, and are enforced."""
    version = make_version(session, "birth_date", "signature")
    enforce_rules(session)
    session.commit()
    return version


def place(who: User, product: Product, *, key: str | None = None, **changes: Any) -> str:
    form = order_form((product, 1), **changes)
    return str(db.write(lambda s: orders.place(s, s.get(User, who.id), form, key=key))["id"])


def quote(who: User, product: Product) -> dict[str, Any]:
    wanted = {"items": [{"productId": product.id, "quantity": 1}], "zip": "97201", "state": "OR"}
    return db.read(lambda s: quotes.make(s, s.get(User, who.id), parse(QuoteForm, wanted))).wire()


def kept(engine: Engine) -> dict[str, date | None]:
    with Session(engine) as session:
        return {row.order_id: row.birth_date for row in session.execute(select(OrderLegalRecord)).scalars()}


def holders(engine: Engine) -> set[str]:
    """The tables in which some row has the birth date."""
    return {table for table, rows in all_rows(engine).items() if any(WRITTEN.search(row) for row in rows)}


# Placing an order


def test_a_quote_says_that_an_order_needs_a_birth_date_and_has_no_blocker(
    cast: Cast, fern: Product, oregon: Version
) -> None:
    shown = quote(cast.alice, fern)
    assert (shown["needs"], shown["blockers"]) == (["birth_date"], [])


def test_a_shop_that_enforces_no_rules_asks_for_nothing(
    engine: Engine, session: Session, cast: Cast, fern: Product
) -> None:
    make_version(session, "birth_date")
    session.commit()
    assert "needs" not in quote(cast.alice, fern)
    place(cast.alice, fern, birthDate=BORN.isoformat())
    assert kept(engine) == {}


def test_without_a_birth_date_the_order_is_refused_with_the_reason(
    engine: Engine, cast: Cast, fern: Product, oregon: Version
) -> None:
    before = all_rows(engine)
    with pytest.raises(errors.OrderBlocked) as refused:
        place(cast.alice, fern)
    assert (refused.value.blocker, refused.value.message) == (
        "birth_date_required",
        birth_date_required("OR", KEEP_DAYS),
    )
    assert "for 30 days after the order has ended" in refused.value.message
    assert all_rows(engine) == before


def test_whoever_is_too_young_is_refused_and_nothing_is_stored(
    engine: Engine, cast: Cast, fern: Product, oregon: Version
) -> None:
    before, born = all_rows(engine), latest_birth_date_of_21(clock.today(get_settings().timezone))
    with pytest.raises(errors.OrderBlocked) as refused:
        place(cast.alice, fern, birthDate=(born + timedelta(days=1)).isoformat())
    assert (refused.value.blocker, refused.value.message) == ("under_age", TOO_YOUNG)
    assert all_rows(engine) == before
    order_id = place(cast.alice, fern, birthDate=born.isoformat())
    assert kept(engine) == {order_id: born}


def latest_birth_date_of_21(day: date) -> date:
    """When the youngest were born who are 21 on this day."""
    try:
        return day.replace(year=day.year - 21)
    except ValueError:  # on 29 February, those of 28 February; those of 1 March are 20 still
        return date(day.year - 21, 2, 28)


def test_the_birth_date_is_stored_in_the_orders_record_and_nowhere_else(
    engine: Engine, cast: Cast, fern: Product, oregon: Version, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(0):
        order_id = place(cast.alice, fern, key="one", birthDate=BORN.isoformat())
    with Session(engine) as session:
        row = session.get_one(OrderLegalRecord, order_id)
        assert (row.version_id, row.birth_date, row.keep_days) == (oregon.id, BORN, KEEP_DAYS)
    assert holders(engine) == {"order_legal_records"}
    assert not WRITTEN.search(caplog.text)


def test_the_fingerprint_of_a_draft_does_not_reveal_the_birth_date(
    engine: Engine, cast: Cast, fern: Product, oregon: Version
) -> None:
    first = place(cast.alice, fern, key="one", birthDate=BORN.isoformat())
    assert place(cast.alice, fern, key="one", birthDate="1990-01-01") == first
    assert kept(engine) == {first: BORN}


@pytest.mark.parametrize("items", [(), ("signature",)])
def test_a_birth_date_that_the_rules_do_not_want_is_not_stored(
    engine: Engine, session: Session, cast: Cast, items: tuple[str, ...]
) -> None:
    order, version = make_order(session, cast.alice, 100_00), make_version(session, *items)
    records.write(session, order.id, version, BORN)
    session.commit()
    assert kept(engine) == {order.id: None}
    assert (records.blockers(version, None), records.reason_to_ask(version)) == ((), "")


# Who sees it


def test_no_answer_of_rest_has_it(
    engine: Engine, session: Session, cast: Cast, fern: Product, oregon: Version, as_user: SignIn
) -> None:
    alice, owner = as_user(cast.alice), as_user(cast.ada)
    body = draft((fern, 1), birthDate=BORN.isoformat())
    placed = alice.post("/api/orders", json=body, headers={"Idempotency-Key": "one"})
    assert placed.status_code == 201, placed.text
    order_id = placed.json()["id"]
    answers = [placed] + [
        client.get(path)
        for client, path in (
            (alice, "/api/orders"),
            (alice, f"/api/orders/{order_id}"),
            (owner, "/api/admin/orders"),
            (owner, f"/api/admin/orders/{order_id}"),
            (owner, "/api/admin/orders/export"),
            (owner, "/api/admin/audit"),
        )
    ]
    assert [answer.status_code for answer in answers] == [201, 200, 200, 200, 200, 200, 200]
    assert [answer.url.path for answer in answers if WRITTEN.search(answer.text)] == []


def test_a_refused_draft_is_answered_without_it(
    session: Session, cast: Cast, fern: Product, oregon: Version, as_user: SignIn
) -> None:
    answer = as_user(cast.alice).post("/api/orders", json=draft((fern, 1), birthDate="2019-03-09"))
    assert (answer.status_code, answer.json()["code"]) == (409, "under_age")
    assert "2019" not in answer.text
    invalid = as_user(cast.alice).post("/api/orders", json=draft((fern, 1), birthDate="yesterday"))
    assert invalid.json()["fields"] == {"birthDate": "A date such as 2026-11-02 is expected"}


@pytest.mark.parametrize("born", ["0001-01-01", "1899-12-31"])
def test_nobody_was_born_before_1900(cast: Cast, as_user: SignIn, fern: Product, oregon: Version, born: str) -> None:
    refused = as_user(cast.alice).post("/api/orders", json=draft((fern, 1), birthDate=born))
    assert (refused.status_code, refused.json()["fields"]) == (422, {"birthDate": BIRTH_YEAR_EXPECTED})
    assert parse(FieldCheck, {"name": "birthDate", "value": born}).error() == BIRTH_YEAR_EXPECTED
    assert parse(FieldCheck, {"name": "birthDate", "value": "1900-01-01"}).error() == ""


@pytest.mark.parametrize(("role", "sees"), [(Role.VIEWER, False), (Role.SUPPORT, True), (Role.MANAGER, True)])
def test_staff_who_may_edit_orders_see_it_on_the_orders_page(
    session: Session, cast: Cast, role: Role, sees: bool
) -> None:
    staff, order = make_user(session, "sue", role=role), make_order(session, cast.alice, 100_00)
    records.write(session, order.id, make_version(session, "birth_date"), BORN)
    session.commit()
    found = db.read(lambda s: admin_orders.get(s, s.get(User, staff.id), order.id))
    assert (found.birth_date is not None) == sees
    assert not WRITTEN.search(json.dumps(found.wire()))
    if found.birth_date:
        assert (found.birth_date.birth_date, found.birth_date.keep_days) == (BORN, KEEP_DAYS)


def test_the_customers_own_data_has_it(session: Session, cast: Cast) -> None:
    order = make_order(session, cast.alice, 100_00)
    records.write(session, order.id, make_version(session, "birth_date"), BORN)
    session.commit()
    mine, others = (
        db.read(lambda s, who=who: privacy.export(s, s.get(User, who.id)))  # type: ignore[misc]
        for who in (cast.alice, cast.bob)
    )
    assert mine["orderRecords"] == [{"orderNumber": order.number, "birthDate": "1987-03-09", "keptForDays": KEEP_DAYS}]
    assert "orderRecords" not in others
    assert db.read(lambda s: stored_data.show(s, s.get(User, cast.alice.id))).birth_dates == 1
    assert db.read(lambda s: stored_data.show(s, s.get(User, cast.bob.id))).birth_dates == 0


# How long it is kept


def test_deleting_the_account_erases_it(engine: Engine, session: Session, cast: Cast) -> None:
    version = make_version(session, "birth_date")
    mine, others = make_order(session, cast.alice, 100_00, status=DELIVERED), make_order(session, cast.bob, 100_00)
    for order in (mine, others):
        records.write(session, order.id, version, BORN)
    session.commit()
    db.write(lambda s: privacy.erase(s, s.get(User, cast.alice.id)))
    assert kept(engine) == {mine.id: None, others.id: BORN}


def test_the_check_for_leftovers_finds_a_birth_date_of_an_erased_account(session: Session, cast: Cast) -> None:
    def violated() -> list[str]:
        return [result.name for result in invariants.check(session) if "erased" in result.name and not result.holds]

    order = make_order(session, cast.alice, 100_00, status=DELIVERED)
    session.commit()
    db.write(lambda s: privacy.erase(s, s.get(User, cast.alice.id)))
    assert violated() == []
    records.write(session, order.id, make_version(session, "birth_date"), BORN)
    assert violated() == ["no personal data of erased accounts is left"]


def order_with_history(session: Session, who: User, *history: tuple[OrderStatus, float]) -> str:
    """Each status, and how many days ago it was set."""
    first = clock.now() - timedelta(days=history[0][1])
    order = make_order(session, who, 100_00, status=history[-1][0], created_at=first)
    for status, days in history:
        at = clock.now() - timedelta(days=days)
        session.add(OrderStatusChange(order_id=order.id, to_status=status, created_at=at))
    session.flush()
    return order.id


@pytest.mark.parametrize(
    ("history", "is_kept"),
    [
        (((PENDING, 300),), True),
        (((PENDING, 300), (OUT, 200)), True),
        (((PENDING, 300), (DELIVERED, 29.9)), True),
        (((PENDING, 300), (DELIVERED, 30.1)), False),
        (((PENDING, 300), (CANCELLED, 30.1)), False),
        (((PENDING, 300), (DELIVERED, 200), (PENDING, 100)), True),
        (((PENDING, 300), (DELIVERED, 200), (CANCELLED, 29.9)), True),
    ],
)
def test_it_is_erased_when_the_order_has_ended_for_as_long_as_the_rules_say(
    engine: Engine, session: Session, cast: Cast, history: tuple[tuple[OrderStatus, float], ...], is_kept: bool
) -> None:
    order_id = order_with_history(session, cast.alice, *history)
    records.write(session, order_id, make_version(session, "birth_date"), BORN)
    session.commit()
    timetable.erase_birth_dates()
    assert kept(engine) == {order_id: BORN if is_kept else None}


def test_each_birth_date_is_kept_for_as_long_as_its_own_rules_say(
    engine: Engine, session: Session, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "MOST_AT_ONCE", 2)
    versions = {days: make_version(session, "birth_date", keep_days=days) for days in (10, 60)}
    ordered = [(days, order_with_history(session, cast.alice, (DELIVERED, 20))) for days in (10, 10, 10, 10, 10, 60)]
    for days, order_id in ordered:
        records.write(session, order_id, versions[days], BORN)
    session.commit()
    timetable.erase_birth_dates()
    assert kept(engine) == {order_id: BORN if days == 60 else None for days, order_id in ordered}
    with Session(engine) as session:
        assert {row.version_id for row in session.execute(select(OrderLegalRecord)).scalars()} == {
            version.id for version in versions.values()
        }
