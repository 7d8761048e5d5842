"""Staff change several orders at once (RULE bulk-status)."""

from typing import Any

import pytest
from sqlalchemy import Engine, func, select
from sqlmodel import Session

from marketplace_app import db, errors
from marketplace_app.models import AuditEntry, OutboxMessage, Product, User
from marketplace_app.schemas.admin.orders import ManyStatusForm
from marketplace_app.services.admin import orders_bulk
from marketplace_app.services.buying import own_orders
from tests.builders import make_product
from tests.conftest import Cast
from tests.services.admin.test_orders import (
    CANCELLED,
    CONFIRMED,
    PENDING,
    fern,
    get,
    make_and_commit,
    place,
    set_status,
    stock,
)

__all__ = ["fern"]  # fixtures, which tests take by name


def test_a_status_that_has_changed_since_the_preview_is_not_overwritten(
    engine: Engine, cast: Cast, fern: Product
) -> None:
    one, two = place(cast.alice, fern), place(cast.bob, fern)
    seen = {each.id: each.from_status for each in set_status(cast.ada, CONFIRMED, one, two, is_dry=True)}
    db.write(lambda s: own_orders.cancel(s, s.get(User, cast.bob.id), two))
    form = ManyStatusForm(ids=[one, two], status=CONFIRMED)
    with pytest.raises(errors.Conflict, match="has become cancelled in the meantime"):
        db.write(lambda s: orders_bulk.set_status_of_many(s, s.get(User, cast.ada.id), form, seen))
    assert (get(engine, one).status, get(engine, two).status) == (PENDING, CANCELLED)


def test_one_status_for_several_orders(engine: Engine, cast: Cast, fern: Product) -> None:
    first, second = place(cast.alice, fern), place(cast.bob, fern)
    outcomes = set_status(cast.ada, CONFIRMED, second, first, second)
    assert [(each.id, each.from_status, each.is_change) for each in outcomes] == [
        (first, PENDING, True),
        (second, PENDING, True),
    ]
    assert {get(engine, each).status for each in (first, second)} == {CONFIRMED}
    assert not any(each.is_change for each in set_status(cast.ada, CONFIRMED, first, second))


def test_several_orders_change_together_or_not_at_all(engine: Engine, session: Session, cast: Cast) -> None:
    rare = make_product(session, "Quiet Mint", price_cents=120_00, stock=3)
    session.commit()
    first, second = place(cast.alice, rare, 1), place(cast.bob, rare, 2)
    set_status(cast.ada, CANCELLED, first, second)
    place(make_and_commit(session, "dora"), rare, 1)
    with pytest.raises(errors.OutOfStock) as refused:
        set_status(cast.ada, PENDING, first, second)
    assert refused.value.message == f"Order {get(engine, second).number}: Only 1 of Quiet Mint left."
    assert {get(engine, each).status for each in (first, second)} == {CANCELLED}
    with pytest.raises(errors.NotFound):
        set_status(cast.ada, PENDING, first, "unknown")
    assert (get(engine, first).status, stock(engine, rare)) == (CANCELLED, 2)


def test_a_preview_changes_nothing(engine: Engine, session: Session, cast: Cast) -> None:
    rare = make_product(session, "Quiet Mint", price_cents=120_00, stock=3)
    session.commit()
    first, second = place(cast.alice, rare, 1), place(cast.bob, rare, 2)
    set_status(cast.ada, CANCELLED, first, second)
    third = place(make_and_commit(session, "dora"), rare, 1)

    def stored() -> tuple[Any, ...]:
        tables = (AuditEntry, OutboxMessage)
        with Session(engine) as after:
            counts = [after.execute(select(func.count()).select_from(table)).scalar_one() for table in tables]
        return (*counts, stock(engine, rare), *[get(engine, each).status for each in (first, second, third)])

    before = stored()
    outcomes = {each.id: each for each in set_status(cast.ada, PENDING, first, second, third, "unknown", is_dry=True)}
    assert (outcomes[first].is_change, outcomes[first].problem) == (True, None)
    assert outcomes[second].problem == "Only 1 of Quiet Mint left."  # the first would take the other
    assert (outcomes[third].is_change, outcomes[third].problem) == (False, None)
    assert len(outcomes) == 3
    assert stored() == before
