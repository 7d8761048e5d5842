"""Batches are received, edited, held, released and set aside (RULE batch-keeping, RULE batch-states)."""

from typing import Any

import pytest
from sqlalchemy import Engine, func, select, text
from sqlmodel import Session, col

from marketplace_app import db, errors
from marketplace_app.models import AuditEntry, Batch, Product, User
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.batches.batches import BatchForm, ReceiveForm
from marketplace_app.services.batches import keeping
from tests.builders import make_batch, make_product
from tests.conftest import Cast
from tests.counting import count_statements
from tests.services.batches.test_of_orders import (
    HOLD_FORM,
    Act,
    as_owner,
    batch_id,
    broken,
    counts,
    day,
    fern,
    place,
    units_by_batch,
)

__all__ = ["as_owner", "fern"]  # fixtures, which tests take by name


def test_what_is_held_is_out_of_stock_until_it_is_released(
    engine: Engine, cast: Cast, fern: Product, as_owner: Act
) -> None:
    as_owner(keeping.hold, batch_id(engine, "LATE"), HOLD_FORM)
    assert counts(engine)["LATE"] == (0, 5)
    with pytest.raises(errors.OutOfStock, match="Only 7 of Fern Hollow left"):
        place(cast.alice, (fern, 8))
    assert broken(engine) == []
    as_owner(keeping.release, batch_id(engine, "LATE"), HOLD_FORM)
    assert units_by_batch(engine, place(cast.alice, (fern, 8))) == {"SOON": 3, "LATE": 5}
    assert broken(engine) == []


def test_the_timetable_sets_aside_what_has_expired(engine: Engine, session: Session, fern: Product) -> None:
    make_batch(session, fern, "OLD", units=2, expires_on=day(-1))
    make_batch(session, fern, "LAST DAY", units=2, expires_on=day(0))
    session.commit()
    assert [db.write(keeping.set_expired_aside) for _ in range(2)] == [1, 0]
    assert (counts(engine)["OLD"], counts(engine)["LAST DAY"]) == ((0, 2), (2, 0))
    assert broken(engine) == []


def test_all_products_are_locked_before_the_head_of_the_audit_trail(
    engine: Engine, session: Session, fern: Product
) -> None:
    """Or an order that holds the second product and waits for the head would deadlock (RULE lock-order)."""
    dune = make_product(session, "Dune", price_cents=100_00, stock=0)
    for product in (fern, dune):
        make_batch(session, product, "OLD", units=2, expires_on=day(-1))
    session.commit()
    with count_statements(engine) as statements:
        assert db.write(keeping.set_expired_aside) == 2
    head_locked = next(index for index, each in enumerate(statements) if "text_value" in each)  # the head's column
    assert [each for each in statements[head_locked:] if "products" in each] == []


def test_a_batch_whose_last_day_is_changed_meanwhile_is_not_set_aside(
    engine: Engine, session: Session, fern: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_batch(session, fern, "OLD", units=2, expires_on=day(-1))
    session.commit()
    lock_batch = keeping.lock_batch

    def lock_after_an_edit(session: Session, number: int) -> tuple[Product, Batch]:
        session.execute(text("UPDATE batches SET expires_on = NULL WHERE id = :id"), {"id": number})
        return lock_batch(session, number)

    monkeypatch.setattr(keeping, "lock_batch", lock_after_an_edit)
    assert db.write(keeping.set_expired_aside) == 0
    assert counts(engine)["OLD"] == (2, 0)
    entries = select(func.count()).select_from(AuditEntry).where(col(AuditEntry.action) == "batch.expired")
    assert db.read(lambda s: s.execute(entries).scalar_one()) == 0


@pytest.mark.parametrize(
    ("values", "changes", "field"),
    [
        ({"expires_on": day(-1)}, {"expiresOn": day(9).isoformat()}, "expiresOn"),
        ({"is_approved": False}, {"isApproved": True}, "isApproved"),
    ],
)
def test_a_batch_is_not_edited_back_into_a_stock_without_room(
    engine: Engine,
    session: Session,
    fern: Product,
    as_owner: Act,
    monkeypatch: pytest.MonkeyPatch,
    values: dict[str, Any],
    changes: dict[str, Any],
    field: str,
) -> None:
    session.add(Batch(product_id=fern.id, code="OLD", set_aside=2, **values))
    session.commit()
    monkeypatch.setattr(keeping, "MAX_STOCK", 13)
    with pytest.raises(errors.InvalidInput) as refused:
        as_owner(keeping.change, batch_id(engine, "OLD"), parse(BatchForm, {"code": "OLD"} | changes))
    assert refused.value.fields == {field: "At most 13 units can be in stock."}
    assert counts(engine)["OLD"] == (0, 2)


def test_what_stays_set_aside_after_a_release_needs_no_room(
    engine: Engine, session: Session, fern: Product, as_owner: Act, monkeypatch: pytest.MonkeyPatch
) -> None:
    session.add(Batch(product_id=fern.id, code="OLD", set_aside=2, expires_on=day(-1), hold_reason="Mould"))
    session.commit()
    monkeypatch.setattr(keeping, "MAX_STOCK", 13)
    as_owner(keeping.release, batch_id(engine, "OLD"), HOLD_FORM)
    assert counts(engine)["OLD"] == (0, 2)


def test_another_last_day_puts_an_expired_batch_on_sale_again(
    engine: Engine, session: Session, fern: Product, as_owner: Act
) -> None:
    make_batch(session, fern, "OLD", units=2, expires_on=day(-1))
    session.commit()
    db.write(keeping.set_expired_aside)
    form = parse(BatchForm, {"code": "OLD", "expiresOn": day(9).isoformat()})
    as_owner(keeping.change, batch_id(engine, "OLD"), form)
    assert counts(engine)["OLD"] == (2, 0)
    assert broken(engine) == []


def test_a_form_that_was_filled_before_a_colleagues_change_does_not_undo_it(
    engine: Engine, cast: Cast, fern: Product, as_owner: Act
) -> None:
    soon = batch_id(engine, "SOON")
    seen = db.read(lambda s: keeping.get(s, s.get(User, cast.ada.id), soon)).values()
    unchanged = {"code": "SOON", "expiresOn": day(30).isoformat()}
    as_owner(keeping.change, soon, parse(BatchForm, unchanged | {"thcPercent": 21.5}))
    mine = parse(BatchForm, unchanged | {"thcPercent": 19, "cbdPercent": 1.5})
    with pytest.raises(errors.EditedMeanwhile) as caught:
        db.write(lambda s: keeping.change(s, s.get(User, cast.ada.id), soon, mine, seen=seen))
    assert caught.value.fields == ("thcPercent",)


def test_a_batch_that_is_not_approved_is_set_aside_when_it_comes(engine: Engine, fern: Product, as_owner: Act) -> None:
    form = {"productId": fern.id, "code": "NEW", "units": 8, "isApproved": False}
    as_owner(keeping.receive, parse(ReceiveForm, form))
    assert counts(engine)["NEW"] == (0, 8)
    as_owner(keeping.change, batch_id(engine, "NEW"), parse(BatchForm, {"code": "NEW"}))
    assert counts(engine)["NEW"] == (8, 0)
    assert broken(engine) == []
