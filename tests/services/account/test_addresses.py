"""Saved addresses, also under concurrent changes."""

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import Engine, func, select, text
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col

from marketplace_app import db, errors
from marketplace_app.models import Address, Product, User
from marketplace_app.schemas.account.accounts import ProfileForm
from marketplace_app.schemas.account.addresses import AddressView, SavedAddressForm
from marketplace_app.schemas.base import parse
from marketplace_app.services import invariants, privacy
from marketplace_app.services.account import addresses, profile
from marketplace_app.services.buying import orders
from tests.builders import make_product, order_form
from tests.conftest import Cast
from tests.services.test_races import at_once

HOME = {"label": "Home", "street": "214 Larch Street", "city": "Portland", "state": "OR", "zip": "97201"}


def form(**changes: Any) -> SavedAddressForm:
    return parse(SavedAddressForm, HOME | changes)


def add(who: User, **changes: Any) -> AddressView:
    return db.write(lambda s: addresses.add(s, s.get(User, who.id), form(**changes)))


def own(who: User) -> list[tuple[str, bool]]:
    listed = db.read(lambda s: addresses.list_own(s, s.get(User, who.id)))
    return [(each.label, each.is_default) for each in listed]


def remove(who: User, address: AddressView) -> None:
    db.write(lambda s: addresses.remove(s, s.get(User, who.id), address.id))


@pytest.fixture
def fern(session: Session) -> Product:
    product = make_product(session, "Fern Hollow", price_cents=120_00, stock=50)
    session.commit()
    return product


def place(who: User, product: Product, **changes: Any) -> None:
    draft = order_form((product, 1), **changes)
    db.write(lambda s: orders.place(s, s.get(User, who.id), draft, key=None))


def test_the_first_address_is_the_default_and_the_default_moves(cast: Cast) -> None:
    home, work = add(cast.alice), add(cast.alice, label="Work")
    assert own(cast.alice) == [("Home", True), ("Work", False)]
    db.write(lambda s: addresses.make_default(s, s.get(User, cast.alice.id), work.id))
    assert own(cast.alice) == [("Work", True), ("Home", False)]
    remove(cast.alice, work)
    assert own(cast.alice) == [("Home", True)]
    remove(cast.alice, home)
    assert own(cast.alice) == []


def test_a_change_without_is_default_keeps_the_default(cast: Cast) -> None:
    home = add(cast.alice)
    add(cast.alice, label="Work", isDefault=True)
    db.write(lambda s: addresses.change(s, s.get(User, cast.alice.id), home.id, form(label="Old home")))
    assert own(cast.alice) == [("Work", True), ("Old home", False)]


def test_the_database_enforces_one_default_and_ten_addresses(engine: Engine, cast: Cast) -> None:
    add(cast.alice)
    row = (
        "INSERT INTO addresses (user_id, place, label, street, city, state, zip_code, delivery_instructions,"
        " payment_instructions, is_default, created_at)"
        " VALUES (:user, :place, '', 'a', 'b', 'c', '97201', '', '', :mark, '2026-01-01 00:00:00+00:00')"
    )
    for place_number, mark in ((2, True), (11, False), (1, False)):
        with pytest.raises(IntegrityError), engine.begin() as connection:
            connection.execute(text(row), {"user": cast.alice.id, "place": place_number, "mark": mark})


def test_an_eleventh_address_is_refused_until_one_is_removed(cast: Cast) -> None:
    saved = [add(cast.alice, label=str(number)) for number in range(10)]
    with pytest.raises(addresses.TooManyAddresses, match="up to 10 addresses"):
        add(cast.alice)
    remove(cast.alice, saved[4])
    assert add(cast.alice, label="new").label == "new"
    add(cast.bob)


@pytest.mark.race
def test_of_many_simultaneous_addresses_ten_are_saved_with_one_default(engine: Engine, cast: Cast) -> None:
    def adding(number: int) -> Callable[[], Any]:
        return lambda: add(cast.alice, label=str(number), isDefault=True)

    answers = at_once([adding(number) for number in range(20)])
    assert sum(isinstance(each, addresses.TooManyAddresses) for each in answers) == 10
    with Session(engine) as session:
        defaults = select(func.count()).select_from(Address).where(col(Address.is_default))
        assert session.execute(select(func.count()).select_from(Address)).scalar_one() == 10
        assert session.execute(defaults).scalar_one() == 1


def test_somebody_elses_address_is_not_found(cast: Cast) -> None:
    hers = add(cast.alice)
    for act in (
        lambda s: addresses.change(s, s.get(User, cast.bob.id), hers.id, form()),
        lambda s: addresses.make_default(s, s.get(User, cast.bob.id), hers.id),
        lambda s: addresses.remove(s, s.get(User, cast.bob.id), hers.id),
    ):
        with pytest.raises(errors.NotFound):
            db.write(act)
    assert own(cast.alice) == [("Home", True)]


def test_the_address_of_an_order_is_saved_once(cast: Cast) -> None:
    def keep(**changes: Any) -> bool:
        return db.write(lambda s: addresses.save_from_order(s, s.get(User, cast.alice.id), form(label="", **changes)))

    add(cast.alice)
    assert keep(street="214 LARCH street", deliveryInstructions="Ring twice.")
    assert own(cast.alice) == [("Home", True)]
    assert (
        db.read(lambda s: addresses.list_own(s, s.get(User, cast.alice.id)))[0].delivery_instructions == "Ring twice."
    )
    assert all(keep(street=f"{number} Elm Street") for number in range(9))
    assert not keep(street="An eleventh")
    assert len(own(cast.alice)) == 10


def test_addresses_and_phone_are_exported_and_erased(engine: Engine, cast: Cast) -> None:
    add(cast.alice, deliveryInstructions="Ring twice.")
    db.write(lambda s: profile.save(s, s.get(User, cast.alice.id), parse(ProfileForm, {"phone": "503 555 0142"})))
    export = db.read(lambda s: privacy.export(s, s.get(User, cast.alice.id)))
    assert [each["deliveryInstructions"] for each in export["addresses"]] == ["Ring twice."]
    assert export["account"]["phone"] == "503 555 0142"
    db.write(lambda s: privacy.erase(s, s.get(User, cast.alice.id)))
    with Session(engine) as session:
        assert session.execute(select(Address)).scalars().all() == []
        assert session.get_one(User, cast.alice.id).phone == ""
        assert [result.name for result in invariants.check(session) if not result.holds] == []


def test_the_invariants_find_a_user_without_a_default_address(engine: Engine, cast: Cast) -> None:
    add(cast.alice)
    with Session(engine) as session:
        session.execute(text("UPDATE addresses SET is_default = FALSE"))
        broken = [result.name for result in invariants.check(session) if not result.holds]
    assert broken == ["people with saved addresses have exactly one default"]
