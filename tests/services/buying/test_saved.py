"""One product saved in many tabs at once. One test is a control: without the lock, saving twice at once fails."""

from collections import Counter
from collections.abc import Callable
from threading import Barrier

import pytest
from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from marketplace_app import clock, db
from marketplace_app.models import Product, SavedProduct, User
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.buying.saved import SaveForm
from marketplace_app.services.buying import saved
from tests.builders import make_product
from tests.conftest import Cast
from tests.services.test_races import at_once

pytestmark = pytest.mark.race


def a_product(session: Session) -> Product:
    product = make_product(session)
    session.commit()
    return product


def saving(who: User, product: Product) -> Callable[[], object]:
    form = parse(SaveForm, {"productId": product.id})
    return lambda: db.write(lambda s: saved.save(s, s.get(User, who.id), form))


def removing(who: User, product: Product) -> Callable[[], object]:
    return lambda: db.write(lambda s: saved.remove(s, s.get(User, who.id), product.id))


def count(session: Session) -> int:
    return int(session.execute(select(func.count()).select_from(SavedProduct)).scalar_one())


def test_a_product_saved_ten_times_at_once_is_saved_once(session: Session, cast: Cast) -> None:
    product = a_product(session)
    answers = at_once([saving(cast.alice, product)] * 10)
    assert [each.product.id for each in answers] == [product.id] * 10
    assert count(session) == 1


def test_a_product_removed_ten_times_at_once_is_gone_without_an_error(session: Session, cast: Cast) -> None:
    product = a_product(session)
    saving(cast.alice, product)()
    assert at_once([removing(cast.alice, product)] * 10) == [None] * 10
    assert count(session) == 0


def test_control_of_two_saves_without_a_lock_the_database_refuses_one(session: Session, cast: Cast) -> None:
    product, alice = a_product(session), cast.alice.id
    both_have_looked = Barrier(2)

    def naive() -> type[Exception] | None:
        assert db.read(lambda s: saved.list_ids(s, s.get(User, alice))) == ()
        both_have_looked.wait()
        row = {"user_id": alice, "product_id": product.id, "saved_at": clock.now()}
        try:
            db.write(lambda s: s.add(SavedProduct(**row)))
        except IntegrityError:
            return IntegrityError
        return None

    assert Counter(at_once([naive, naive])) == {None: 1, IntegrityError: 1}
    assert count(session) == 1
