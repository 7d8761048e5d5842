"""What the database refuses by itself, whatever the code above it believes."""

from datetime import date, timedelta
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from marketplace_app import clock
from marketplace_app.models import (
    Batch,
    BatchQuestion,
    IdempotencyKey,
    LineBatch,
    OrderLegalRecord,
    OrderLine,
    OrderStatus,
    Product,
    User,
)
from tests.builders import make_batch, make_order, make_product, make_rules
from tests.conftest import Cast

ONE_TIME_DISCOUNTS = ("new_customer_discount_cents", "referral_discount_cents")


def discounted(column: str) -> dict[str, Any]:
    return {column: 10_00, "total_cents": 90_00}


def test_an_identity_has_one_account(session: Session, cast: Cast) -> None:
    copy = User(issuer=cast.bob.issuer, subject=cast.bob.subject, verified_email="x", email="x")
    session.add(copy)
    with pytest.raises(IntegrityError):
        session.flush()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE users SET role = 'king'",
        "UPDATE users SET referred_by_id = id",
        "UPDATE users SET banned_at = '2026-01-01'",
    ],
)
def test_an_impossible_user_is_refused(session: Session, cast: Cast, statement: str) -> None:
    with pytest.raises(IntegrityError):
        session.execute(text(statement))


@pytest.mark.parametrize("column", ONE_TIME_DISCOUNTS)
def test_a_one_time_discount_is_on_one_order_of_a_person(session: Session, cast: Cast, column: str) -> None:
    make_order(session, cast.alice, 100_00, **discounted(column))
    make_order(session, cast.bob, 100_00, **discounted(column))
    with pytest.raises(IntegrityError):
        make_order(session, cast.alice, 100_00, **discounted(column))


@pytest.mark.parametrize("column", ONE_TIME_DISCOUNTS)
def test_a_cancelled_order_gives_its_discount_back(session: Session, cast: Cast, column: str) -> None:
    make_order(session, cast.alice, 100_00, status=OrderStatus.CANCELLED, **discounted(column))
    make_order(session, cast.alice, 100_00, **discounted(column))


@pytest.mark.parametrize("total", [99_99, 100_01])
def test_a_total_is_the_sum_of_its_parts(session: Session, cast: Cast, total: int) -> None:
    with pytest.raises(IntegrityError, match="total_adds_up"):
        make_order(session, cast.alice, 100_00, total_cents=total)


def test_a_total_is_never_negative(session: Session, cast: Cast) -> None:
    with pytest.raises(IntegrityError, match="total_not_negative"):
        make_order(session, cast.alice, 100_00, promotion_discount_cents=100_01, total_cents=-1)


def test_a_total_contains_promotion_tax_and_rounding(session: Session, cast: Cast) -> None:
    parts = {"promotion_discount_cents": 5_00, "tax_cents": 8_37, "cash_rounding_cents": 3_37}
    make_order(session, cast.alice, 100_00, total_cents=100_00, **parts)
    with pytest.raises(IntegrityError):
        make_order(session, cast.alice, 100_00, total_cents=100_01, **parts)


@pytest.mark.parametrize(
    ("column", "total"), [("promotion_discount_cents", 101_00), ("tax_cents", 99_00), ("cash_rounding_cents", 101_00)]
)
def test_promotion_tax_and_rounding_are_never_negative(session: Session, cast: Cast, column: str, total: int) -> None:
    with pytest.raises(IntegrityError, match=column.removesuffix("_cents")):
        make_order(session, cast.alice, 100_00, total_cents=total, **{column: -1_00})


def test_an_order_number_is_given_once(session: Session, cast: Cast) -> None:
    first = make_order(session, cast.alice, 100_00)
    with pytest.raises(IntegrityError):
        make_order(session, cast.bob, 100_00, number=first.number)


def test_an_idempotency_key_is_used_once_by_a_person(session: Session, cast: Cast) -> None:
    for person in (cast.alice, cast.bob):
        session.add(IdempotencyKey(user_id=person.id, key="k1", body_hash="", answer={}))
    session.flush()
    session.expunge_all()
    session.add(IdempotencyKey(user_id=cast.alice.id, key="k1", body_hash="", answer={}))
    with pytest.raises(IntegrityError):
        session.flush()


def test_stock_is_never_negative(session: Session) -> None:
    product: Product = make_product(session, stock=0)
    product.stock = -1
    session.add(product)
    with pytest.raises(IntegrityError):
        session.flush()


@pytest.mark.parametrize("keep_days", [None, 0])
def test_a_birth_date_says_for_how_many_days_it_is_kept(session: Session, cast: Cast, keep_days: int | None) -> None:
    order, version = make_order(session, cast.alice, 100_00), make_rules(session)
    values = {"birth_date": date(1990, 4, 17), "keep_days": keep_days}
    session.add(OrderLegalRecord(order_id=order.id, version_id=version.id, **values))
    with pytest.raises(IntegrityError, match="birth_date_has_retention"):
        session.flush()


@pytest.mark.parametrize(
    "values",
    [
        {"hold_reason": "Mould found"},
        {"recalled_at": clock.now(), "recall_reason": "Salmonella"},
        {"is_approved": False},
    ],
    ids=["held", "recalled", "not approved"],
)
def test_a_batch_that_may_not_be_sold_has_no_units_for_sale(session: Session, values: dict[str, Any]) -> None:
    product = make_product(session, stock=0)
    make_batch(session, product, "A1", units=0, set_aside=3, **values)
    with pytest.raises(IntegrityError, match="only_sound_units_are_sold"):
        make_batch(session, product, "A2", units=1, **values)


@pytest.mark.parametrize(
    ("values", "rule"),
    [
        ({"units": -1}, "units_not_negative"),
        ({"set_aside": -1}, "set_aside_not_negative"),
        ({"recall_reason": "Salmonella"}, "recall_has_reason"),
        ({"reported_on": date(2026, 11, 2)}, "report_is_whole"),
        ({"microbials": "Not Detected"}, "report_is_whole"),
        ({"packed_on": date(2026, 11, 2), "expires_on": date(2026, 11, 1)}, "packed_before_it_expires"),
        ({"code": ""}, "code_length"),
    ],
)
def test_an_impossible_batch_is_refused(session: Session, values: dict[str, Any], rule: str) -> None:
    batch = Batch(**{"product_id": make_product(session).id, "code": "A1"} | values)
    session.add(batch)
    with pytest.raises(IntegrityError, match=rule):
        session.flush()


def test_a_code_names_one_batch_of_a_product(session: Session) -> None:
    fern, dune = make_product(session, "Fern"), make_product(session, "Dune")
    make_batch(session, fern, "A1")
    make_batch(session, dune, "A1")
    with pytest.raises(IntegrityError):
        make_batch(session, fern, "A1")


def test_an_order_line_has_no_batch_of_another_product(session: Session, cast: Cast) -> None:
    fern, dune = make_product(session, "Fern"), make_product(session, "Dune")
    order = make_order(session, cast.alice, 60_00)
    values = {"position": 1, "product_id": fern.id, "name": "Fern", "image": "", "unit_price_cents": 60_00}
    session.add(OrderLine(order_id=order.id, quantity=1, **values))
    session.flush()
    own, other = make_batch(session, fern), make_batch(session, dune)
    session.add(LineBatch(order_id=order.id, product_id=fern.id, batch_id=own.id, units=1))
    session.flush()
    session.add(LineBatch(order_id=order.id, product_id=fern.id, batch_id=other.id, units=1))
    with pytest.raises(IntegrityError):
        session.flush()


@pytest.mark.parametrize(
    "wrong",
    [
        {"to_batch_id": 1},
        {"to_batch_id": 3},
        {"units": 0},
        {"ended_at": clock.now()},
        {"outcome": "no"},
        {"outcome": "no", "ended_at": clock.now() - timedelta(days=1)},
    ],
    ids=["the same batch", "of another product", "no units", "no outcome", "not ended", "ended before"],
)
def test_a_question_offers_another_batch_of_the_product_and_ends_with_an_outcome(
    session: Session, cast: Cast, wrong: dict[str, Any]
) -> None:
    fern, dune = make_product(session, "Fern"), make_product(session, "Dune")
    order = make_order(session, cast.alice, 60_00)
    values = {"position": 1, "product_id": fern.id, "name": "Fern", "image": "", "unit_price_cents": 60_00}
    session.add(OrderLine(order_id=order.id, quantity=2, **values))
    made = [make_batch(session, fern, "A"), make_batch(session, fern, "B"), make_batch(session, dune, "C")]
    assert [batch.id for batch in made] == [1, 2, 3]
    right: dict[str, Any] = {"from_batch_id": 1, "to_batch_id": 2, "units": 2, "asked_at": clock.now()}
    right |= {"order_id": order.id, "product_id": fern.id, "asked_by_id": cast.ada.id}
    with session.begin_nested() as attempt:
        session.add(BatchQuestion(**right))
        session.flush()
        attempt.rollback()
    session.add(BatchQuestion(**(right | wrong)))
    with pytest.raises(IntegrityError):
        session.flush()
