"""What stops say about customers, and what is erased of it (RULE stop-records)."""

import pytest
from sqlalchemy import Engine, text
from sqlmodel import Session

from marketplace_app import db
from marketplace_app.models import (
    EventSource,
    FailureReason,
    OrderStatus,
    RunStop,
    StopEventKind,
    StopFlag,
    StopOutcome,
    User,
)
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.buying.order_forms import OrderEditForm
from marketplace_app.schemas.dispatch.door import EventData
from marketplace_app.services import erased_users, privacy
from marketplace_app.services.admin import users
from marketplace_app.services.buying import fulfilment
from marketplace_app.services.dispatch import door, stop_records
from tests.builders import make_run
from tests.conftest import Cast
from tests.doors import Phone, make_order_out
from tests.services.dispatch.test_door import lock_with_wrong_pins, release, reloaded, send, stop

__all__ = ["stop"]  # fixtures, which tests take by name


def test_failures_that_are_the_customers_are_counted_on_their_page(session: Session, dora: User, cast: Cast) -> None:
    reasons = ["not_home", "no_id", "not_home", "unsafe", "other"]
    run = make_run(session, dora, *(make_order_out(session, cast.alice) for _ in reasons), is_out=True)
    session.commit()
    before = db.read(lambda s: users.get(s, s.get(User, cast.ada.id), cast.alice.id)).wire()
    assert "failedDeliveries" not in before
    for each, reason in zip(run.stops, reasons, strict=True):
        send(dora, each, [Phone().event(each, "failed", reason=reason)])
    found = db.read(lambda s: users.get(s, s.get(User, cast.ada.id), cast.alice.id))
    assert found.wire()["failedDeliveries"] == [{"reason": "not_home", "count": 2}, {"reason": "no_id", "count": 1}]


def test_a_customers_own_data_have_what_was_reported_and_nothing_of_others(
    dora: User, cast: Cast, stop: RunStop
) -> None:
    lock_with_wrong_pins(dora, stop)
    reported = db.read(lambda s: privacy.export(s, s.get(User, cast.alice.id)))["deliveries"]
    assert [each["kind"] for each in reported][:3] == ["arrived", "id_checked", "pin_entered"]
    assert set(reported[0]) == {"orderNumber", "kind", "at", "receivedAt", "data"}
    assert reported[2]["data"] == {"right": False, "offline": False}
    assert "dora" not in str(reported)
    for other in (cast.bob, dora):
        assert "deliveries" not in db.read(lambda s, other=other: privacy.export(s, s.get(User, other.id)))


def test_erasing_an_account_erases_signature_note_and_reason_and_keeps_the_outcome(
    engine: Engine, dora: User, cast: Cast, stop: RunStop
) -> None:
    phone = lock_with_wrong_pins(dora, stop)
    release(cast.ada, stop)
    send(dora, stop, [phone.event(stop, "signed", signature="M1 1L2 2")])
    send(dora, stop, [phone.event(stop, "failed", reason="not_home", note="Rang twice")])
    db.write(lambda s: privacy.erase(s, s.get(User, cast.alice.id)))
    kept = reloaded(stop)
    assert (kept.outcome, kept.failure) == (StopOutcome.FAILED, FailureReason.NOT_HOME)
    assert {each.kind.value for each in kept.events if not each.data} == {"arrived", "signed", "failed", "released"}
    assert db.read(lambda s: s.execute(text(erased_users.QUERY)).all()) == []


def test_nothing_personal_is_stored_after_the_account_was_erased(
    engine: Engine, dora: User, cast: Cast, stop: RunStop
) -> None:
    """A phone may have been offline meanwhile, and a flag may be cleared later."""
    phone = Phone()
    send(dora, stop, phone.steps(stop, upto="id_checked"))
    db.write(lambda s: failing(s, s.get(User, cast.ada.id), stop))
    db.write(lambda s: privacy.erase(s, s.get(User, cast.alice.id)))
    db.write(lambda s: setattr(s.get_one(RunStop, stop.id), "flag", StopFlag.NO_PIN))
    release(cast.ada, stop)
    send(dora, stop, [phone.event(stop, "signed", signature="M1 1L2 2")])
    send(dora, stop, [phone.event(stop, "failed", reason="not_home", note="Rang twice")])
    kinds = [each.kind.value for each in reloaded(stop).events]
    assert {"signed", "released"} <= set(kinds)
    assert kinds.count("failed") == 2
    assert db.read(lambda s: s.execute(text(erased_users.QUERY)).all()) == []


def test_a_stop_of_an_erased_customer_can_still_fail(engine: Engine, dora: User, cast: Cast, stop: RunStop) -> None:
    """Marked as delivered by hand, the account erased, and then undone: the order is out again."""
    for status in (OrderStatus.DELIVERED, OrderStatus.OUT_FOR_DELIVERY):
        form = OrderEditForm(status=status)
        db.write(lambda s, form=form: fulfilment.edit(s, s.get(User, cast.ada.id), stop.order_id, form).id)
        if status is OrderStatus.DELIVERED:
            db.write(lambda s: privacy.erase(s, s.get(User, cast.alice.id)))
    phone = Phone()
    send(dora, stop, [phone.event(stop, "arrived"), phone.event(stop, "failed", reason="not_home", note="Rang twice")])
    kept = reloaded(stop)
    assert (kept.outcome, kept.failure) == (StopOutcome.FAILED, FailureReason.NOT_HOME)
    assert db.read(lambda s: s.execute(text(erased_users.QUERY)).all()) == []


def failing(session: Session, staff: User | None, stop: RunStop) -> None:
    data = parse(EventData, {"reason": "not_home"})
    door.enter(session, staff, stop.run_id, stop.id, StopEventKind.FAILED, data, EventSource.DISPATCH)


def test_a_driver_who_is_out_keeps_the_account(dora: User, stop: RunStop) -> None:
    with pytest.raises(stop_records.OutOnRun):
        db.write(lambda s: privacy.erase(s, s.get(User, dora.id)))
