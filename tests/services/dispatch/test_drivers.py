"""Who may drive a run, and which orders they may not deliver (RULE runs)."""

import pytest
from sqlmodel import Session

from marketplace_app import errors
from marketplace_app.models import Product, Role, User
from marketplace_app.schemas.dispatch.runs import RunForm, StopForm
from marketplace_app.services.dispatch import drivers, runs
from tests.builders import make_user
from tests.conftest import Cast
from tests.services.dispatch.test_runs import call, place, plan


def test_whoever_may_not_drive_is_no_driver(session: Session, cast: Cast, fern: Product) -> None:
    sam = make_user(session, "sam", role=Role.SUPPORT)
    session.commit()
    with pytest.raises(errors.InvalidInput) as refused:
        plan(cast.ada, sam)
    assert refused.value.fields == {"driverId": "Choose somebody who may drive."}
    with pytest.raises(errors.InvalidInput):
        plan(cast.ada, cast.charlie)


def test_drivers_do_not_deliver_their_own_orders(cast: Cast, dora: User, fern: Product) -> None:
    own = place(dora, fern)
    with pytest.raises(drivers.DriversOwnOrder):
        plan(cast.ada, dora, own)
    with pytest.raises(drivers.DriversOwnOrder):
        call(cast.ada, runs.add, plan(cast.ada, dora).id, StopForm(orderId=own))
    run = plan(cast.ada, cast.ada, own)
    with pytest.raises(drivers.DriversOwnOrder):
        call(cast.ada, runs.change, run.id, RunForm(day=run.day, driverId=dora.id))
