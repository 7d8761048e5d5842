"""Numbers that are given once, and locks (RULE order-numbers)."""

import pytest
from sqlalchemy import Engine, update
from sqlmodel import Session, col

from marketplace_app import db, errors
from marketplace_app.models import Counter
from marketplace_app.services.records import counters
from tests.services.test_races import at_once


def test_orders_do_not_wait_for_one_anothers_numbers(engine: Engine) -> None:
    """SQLite has one writer at a time anyway, and gives the number of an order that failed to the next."""

    def next_number(session: Session) -> int:
        return counters.next_number(session, counters.ORDER_NUMBER)

    def fail_meanwhile(session: Session) -> None:
        numbers.append(next_number(session))
        if engine.dialect.name == "postgresql":
            numbers.append(db.write(next_number))
        raise errors.InvalidInput({})

    numbers: list[int] = []
    with pytest.raises(errors.InvalidInput):
        db.write(fail_meanwhile)
    numbers.append(db.write(next_number))
    assert numbers == ([1001, 1001] if engine.dialect.name == "sqlite" else [1001, 1002, 1003])


def test_reading_a_counter_leaves_it_and_each_next_number_is_one_more(session: Session) -> None:
    before = db.read(lambda s: counters.read(s, counters.ORDER_NUMBER))
    given = [db.write(lambda s: counters.next_number(s, counters.ORDER_NUMBER)) for _ in range(3)]
    assert given == [before + 1, before + 2, before + 3]
    assert db.read(lambda s: counters.read(s, counters.ORDER_NUMBER)) == before + 3


@pytest.mark.race
def test_many_numbers_at_once_are_each_given_once(engine: Engine) -> None:
    numbers = at_once([lambda: db.write(lambda s: counters.next_number(s, counters.ORDER_NUMBER))] * 20)
    assert sorted(numbers) == [*range(1001, 1021)]


@pytest.mark.race
def test_locking_a_counter_waits_for_the_transaction_that_has_it(engine: Engine, session: Session) -> None:
    """With the lock, what is read before it is written is not outdated."""

    def add_one(s: Session) -> None:
        counters.lock(s, counters.CASH)
        value = counters.read(s, counters.CASH)
        s.execute(update(Counter).where(col(Counter.name) == counters.CASH).values(value=value + 1))

    before = counters.read(session, counters.CASH)
    session.rollback()
    at_once([lambda: db.write(add_one)] * 20)
    assert db.read(lambda s: counters.read(s, counters.CASH)) == before + 20
