"""What an order fills in of a profile (RULE profile)."""

from sqlalchemy import Engine
from sqlmodel import Session

from marketplace_app import db
from marketplace_app.models import Product, User
from marketplace_app.schemas.account.accounts import ProfileForm
from marketplace_app.schemas.admin.users import UserQuery
from marketplace_app.schemas.base import parse
from marketplace_app.services.account import profile
from marketplace_app.services.admin import users as admin_users
from tests.conftest import Cast
from tests.services.account.test_addresses import fern, place

__all__ = ["fern"]  # fixtures, which tests take by name


def test_an_order_fills_what_is_empty_in_the_profile_and_overwrites_nothing(
    engine: Engine, cast: Cast, fern: Product
) -> None:
    place(cast.alice, fern, firstName="Nora", lastName="Whitfield", contactPhone="503 555 0199")
    place(cast.alice, fern, firstName="Mary", lastName="Okafor", contactPhone="503 555 0100")
    with Session(engine) as session:
        alice = session.get_one(User, cast.alice.id)
        assert (alice.first_name, alice.last_name, alice.phone) == ("Alice", "Whitfield", "503 555 0199")
        assert "whitfield" in alice.search_text


def test_contact_data_too_long_for_the_profile_does_not_block_an_order(
    engine: Engine, cast: Cast, fern: Product
) -> None:
    place(cast.bob, fern, firstName="Nora", lastName="W" * 79 + " \x01\t" + "W" * 100, contactPhone="503\x02 555 0142")
    with Session(engine) as session:
        saved = session.get_one(User, cast.bob.id)
        parse(ProfileForm, {"firstName": saved.first_name, "lastName": saved.last_name, "phone": saved.phone})


def test_staff_find_users_by_their_profile_name(cast: Cast) -> None:
    changed = parse(ProfileForm, {"lastName": "Whitfield"})
    view = db.write(lambda s: profile.save(s, s.get(User, cast.alice.id), changed))
    assert (view.first_name, view.last_name) == ("Alice", "Whitfield")
    query = parse(UserQuery, {"q": "whitfield"})
    _count, found = db.read(lambda s: admin_users.list_all(s, s.get(User, cast.ada.id), query))
    assert [each.email for each in found] == ["alice@example.org"]
