"""Numbers that are given once, and locks (RULE order-numbers)."""

import pytest
from sqlalchemy import Engine
from sqlmodel import Session

from marketplace_app import db, errors
from marketplace_app.services.records import counters


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
