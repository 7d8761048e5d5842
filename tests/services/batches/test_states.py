"""What may be sold of a batch (RULE batch-states)."""

from datetime import date, timedelta
from itertools import product

from sqlmodel import Session, col, select

from marketplace_app import clock
from marketplace_app.models import Batch, BatchState
from marketplace_app.services.batches.states import is_expired, is_for_sale, state_of
from tests.builders import make_product

DAY = date(2026, 11, 27)
YESTERDAY = DAY - timedelta(days=1)


def batches_of_every_kind(product_id: int) -> list[Batch]:
    kinds = product((None, clock.now()), ("", "Mould"), (True, False), (None, YESTERDAY, DAY))
    return [
        Batch(
            product_id=product_id,
            code=f"B{number}",
            recalled_at=recalled_at,
            recall_reason="Mould" if recalled_at else "",
            hold_reason=hold_reason,
            is_approved=is_approved,
            expires_on=expires_on,
        )
        for number, (recalled_at, hold_reason, is_approved, expires_on) in enumerate(kinds)
    ]


def test_of_several_reasons_against_a_sale_the_gravest_is_said() -> None:
    recalled = Batch(
        product_id=1, code="B", recalled_at=clock.now(), hold_reason="Mould", is_approved=False, expires_on=YESTERDAY
    )
    states = []
    for cure in ({"recalled_at": None}, {"hold_reason": ""}, {"is_approved": True}, {"expires_on": DAY}):
        states.append(state_of(recalled, DAY))
        for name, value in cure.items():
            setattr(recalled, name, value)
    assert [*states, state_of(recalled, DAY)] == [
        BatchState.RECALLED,
        BatchState.HELD,
        BatchState.NOT_APPROVED,
        BatchState.EXPIRED,
        BatchState.FOR_SALE,
    ]


def test_a_batch_is_sold_on_its_last_day() -> None:
    last_day = Batch(product_id=1, code="B", expires_on=DAY)
    states = [state_of(last_day, DAY + timedelta(days=days)) for days in (0, 1)]
    assert states == [BatchState.FOR_SALE, BatchState.EXPIRED]


def test_the_database_finds_the_same_batches(session: Session) -> None:
    made = batches_of_every_kind(make_product(session, stock=0).id)
    session.add_all(made)
    session.flush()
    for_sale = session.exec(select(col(Batch.code)).where(is_for_sale(DAY))).all()
    assert {*for_sale} == {each.code for each in made if state_of(each, DAY) is BatchState.FOR_SALE} != set()
    expired = session.exec(select(col(Batch.code)).where(is_expired(DAY))).all()
    assert {*expired} == {each.code for each in made if each.expires_on == YESTERDAY}
