"""Units in stock whose batch is not known, and corrected counts (RULE batches)."""

import pytest
from sqlalchemy import Engine
from sqlmodel import Session

from marketplace_app import errors
from marketplace_app.models import OrderStatus, Product
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.batches.batches import ReceiveForm, UnitsForm
from marketplace_app.services.batches import keeping
from tests.builders import make_product
from tests.conftest import Cast
from tests.services.batches.test_of_orders import (
    HOLD_FORM,
    Act,
    as_owner,
    batch_id,
    broken,
    counts,
    fern,
    place,
    set_status,
    units_by_batch,
)

__all__ = ["as_owner", "fern"]  # fixtures, which tests take by name


def test_the_stock_until_the_first_batch_is_of_an_unknown_one(
    engine: Engine, session: Session, cast: Cast, as_owner: Act
) -> None:
    dune = make_product(session, "Dune", price_cents=100_00, stock=6)
    session.commit()
    before = place(cast.alice, (dune, 2))
    as_owner(keeping.receive, parse(ReceiveForm, {"productId": dune.id, "code": "D1", "units": 10}))
    assert counts(engine) == {"Unknown": (4, 0), "D1": (10, 0)}
    set_status(cast, before, OrderStatus.CANCELLED)
    assert counts(engine) == {"Unknown": (6, 0), "D1": (10, 0)}
    set_status(cast, before, OrderStatus.PENDING)
    assert units_by_batch(engine, before) == {"Unknown": 2}
    assert broken(engine) == []


def test_units_are_corrected_whether_for_sale_or_set_aside(engine: Engine, fern: Product, as_owner: Act) -> None:
    soon, late = batch_id(engine, "SOON"), batch_id(engine, "LATE")
    as_owner(keeping.hold, late, HOLD_FORM)
    for number, change in ((soon, -2), (soon, 1), (late, -4), (late, 2)):
        as_owner(keeping.correct, number, parse(UnitsForm, {"change": change, "note": "Counted"}))
    assert counts(engine) == {"SOON": (2, 0), "LATE": (0, 3), "NONE": (4, 0)}
    assert broken(engine) == []
    for number in (soon, late):
        with pytest.raises(errors.OutOfStock):
            as_owner(keeping.correct, number, parse(UnitsForm, {"change": -4, "note": "Counted"}))
