"""Days on which nothing is delivered (RULE windows)."""

from datetime import date

import pytest
from sqlalchemy import Engine, func, select
from sqlmodel import Session, col

from marketplace_app import db
from marketplace_app.errors import NotAllowed, NotFound
from marketplace_app.models import AuditEntry, Product, Role
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.delivery.windows import ClosureForm
from marketplace_app.services.buying import orders
from marketplace_app.services.delivery import closures, slots
from tests.builders import make_user, order_form, place_order
from tests.conftest import Cast
from tests.services.buying.test_fulfilment import set_status
from tests.services.delivery.test_slots import CANCELLED, fern, slot, taken

__all__ = ["fern", "slot"]  # fixtures, which tests take by name


def test_a_day_that_is_closed_later_keeps_its_orders_and_takes_no_more(
    engine: Engine, session: Session, cast: Cast, fern: Product, slot: str
) -> None:
    placed = place_order(cast.alice, order_form((fern, 2), slotId=slot))
    day = slot.partition("-")[2]
    db.write(lambda s: closures.add(s, cast.ada, parse(ClosureForm, {"day": day})))
    assert db.read(lambda s: orders.get(s, cast.alice, placed["id"])).wire() == placed
    with pytest.raises(slots.WindowFull):
        place_order(cast.bob, order_form((fern, 2), slotId=slot))
    assert db.read(lambda s: closures.count_due(s, cast.ada)) == {date.fromisoformat(day): 1}
    set_status(cast.ada, placed["id"], CANCELLED)
    assert db.read(lambda s: closures.count_due(s, cast.ada)) == {}
    assert taken(engine) == 0


def close(session: Session, cast: Cast, day: str, reason: str = "") -> None:
    closures.add(session, cast.ada, parse(ClosureForm, {"day": day, "reason": reason}))


def test_days_are_listed_the_earliest_first_and_another_reason_replaces_the_first(session: Session, cast: Cast) -> None:
    for day, reason in (("2026-12-25", "Christmas"), ("2026-11-26", "Thanksgiving"), ("2026-12-25", "Holiday")):
        close(session, cast, day, reason)
    listed = closures.list_all(session, cast.ada)
    assert [(each.day, each.reason) for each in listed] == [
        (date(2026, 11, 26), "Thanksgiving"),
        (date(2026, 12, 25), "Holiday"),
    ]


def test_the_same_day_with_the_same_reason_is_not_audited_again(session: Session, cast: Cast) -> None:
    for _ in range(2):
        close(session, cast, "2026-12-25", "Christmas")
    added = select(func.count()).select_from(AuditEntry).where(col(AuditEntry.action) == "closure.added")
    assert session.execute(added).scalar_one() == 1


def test_a_full_list_takes_another_reason_and_no_other_day(
    session: Session, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(closures, "MAX_CLOSURES", 1)
    close(session, cast, "2026-12-25")
    close(session, cast, "2026-12-25", "Christmas")
    with pytest.raises(closures.TooManyClosures):
        close(session, cast, "2026-12-26")
    closures.remove(session, cast.ada, "2026-12-25")
    close(session, cast, "2026-12-26")


@pytest.mark.parametrize("day", ["2026-12-26", "Christmas", "2026-02-30", ""])
def test_a_day_that_is_not_closed_cannot_be_opened(session: Session, cast: Cast, day: str) -> None:
    close(session, cast, "2026-12-25")
    with pytest.raises(NotFound):
        closures.remove(session, cast.ada, day)


def test_only_staff_who_may_edit_delivery_close_a_day(session: Session, cast: Cast) -> None:
    viewer = make_user(session, "vera", role=Role.VIEWER)
    close(session, cast, "2026-12-25")
    with pytest.raises(NotAllowed):
        closures.remove(session, viewer, "2026-12-25")
    with pytest.raises(NotAllowed):
        closures.add(session, viewer, parse(ClosureForm, {"day": "2026-12-26"}))
    assert len(closures.list_all(session, viewer)) == 1
