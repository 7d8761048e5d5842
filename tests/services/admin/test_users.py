"""Users, as staff see them."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import Engine
from sqlmodel import Session

from marketplace_app import clock, db, errors
from marketplace_app.models import (
    PERMISSIONS,
    OrderStatus,
    Permission,
    Role,
    Ticket,
    TicketCategory,
    TicketPriority,
    User,
)
from marketplace_app.schemas.admin.user import UserDetailAnswer
from marketplace_app.schemas.admin.users import AdminUserView, UserQuery
from marketplace_app.schemas.base import parse
from marketplace_app.services import accounts, privacy, sessions
from marketplace_app.services.admin import users as admin_users
from tests.builders import give_credit, make_order, make_user
from tests.conftest import Cast
from tests.counting import count_statements


def make_ticket(session: Session, who: User, subject: str = "Driver is late") -> Ticket:
    ticket = Ticket(
        id=str(uuid4()),
        user_id=who.id,
        customer_email=who.email,
        customer_name="",
        subject=subject,
        message="Where is the driver?",
        category=TicketCategory.DELIVERY,
        priority=TicketPriority.HIGH,
        tags=[],
        analysis={"category": "delivery", "priority": "high", "estimatedResolution": "1 hour", "words": []},
    )
    session.add(ticket)
    session.flush()
    return ticket


def listed(who: User, **query: Any) -> tuple[int, list[str]]:
    wanted = parse(UserQuery, query)
    total, found = db.read(lambda s: admin_users.list_all(s, s.get(User, who.id), wanted))
    return total, [person.first_name for person in found]


def view(who: User, of: User) -> AdminUserView:
    _, found = db.read(lambda s: admin_users.list_all(s, s.get(User, who.id), parse(UserQuery, {})))
    return next(person for person in found if person.id == of.id)


def detail(who: User, of: User) -> UserDetailAnswer:
    return db.read(lambda s: admin_users.get(s, s.get(User, who.id), of.id))


def test_everybody_is_listed_newest_first_with_what_they_bought(session: Session, cast: Cast) -> None:
    make_order(session, cast.alice, 120_00)
    make_order(session, cast.alice, 80_50)
    make_order(session, cast.alice, 500_00, status=OrderStatus.CANCELLED)
    make_order(session, cast.alice, 500_00, deleted_at=clock.now())
    give_credit(session, cast.alice, 100_00)
    session.commit()
    assert listed(cast.ada) == (5, ["Zoe", "Ada", "Charlie", "Bob", "Alice"])
    assert view(cast.ada, cast.alice).wire() == {
        "id": cast.alice.id,
        "email": "alice@example.org",
        "firstName": "Alice",
        "lastName": "",
        "createdAt": clock.iso(cast.alice.created_at),
        "referredBy": None,
        "referralBonusUsed": False,
        "firstPurchaseDiscountUsed": False,
        "referralCredit": "100.00",
        "role": "customer",
        "banned": False,
        "banReason": "",
        "totalOrders": 2,
        "totalSpent": "200.50",
    }
    charlie = view(cast.ada, cast.charlie)
    assert (charlie.is_banned, charlie.ban_reason, charlie.total_orders) == (True, "Resold products", 0)


@pytest.mark.parametrize("role", [role for role in Role if Permission.SEE_USERS in PERMISSIONS[role]])
def test_all_staff_may_list_users(session: Session, cast: Cast, role: Role) -> None:
    staff = make_user(session, "sam", role=role)
    session.commit()
    assert listed(staff)[0] == 6
    assert detail(staff, cast.alice).email == "alice@example.org"


def test_only_staff_may_list_users(session: Session, cast: Cast) -> None:
    with pytest.raises(errors.NotAllowed):
        listed(cast.alice)
    with pytest.raises(errors.NotAllowed):
        detail(cast.alice, cast.alice)
    with pytest.raises(errors.NotSignedIn):
        admin_users.list_all(session, None, UserQuery())
    with pytest.raises(errors.NotSignedIn):
        admin_users.get(session, None, 1)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("zoe", ["Zoé", "Zoe"]),
        ("ZOÉ brulee", ["Zoé"]),
        ("cream@shop", ["Zoé"]),
        ("brûlée zoe", ["Zoé"]),
        ("alice@example.org", ["Alice"]),
        ("lice", ["Alice"]),
        # Punctuation is folded away: these look for nothing, and for "lice".
        ("%", ["Zoé", "Zoe", "Ada", "Charlie", "Bob", "Alice"]),
        ("_lice", ["Alice"]),
        ("nobody", []),
        ("alice bob", []),
    ],
)
def test_people_are_found_by_any_words_of_name_and_mail(
    session: Session, cast: Cast, words: str, found: list[str]
) -> None:
    person = make_user(session, "cream")
    person.first_name, person.last_name, person.email = "Zoé", "Brûlée", "cream@shop.example"
    accounts.update_search_text(person)
    session.commit()
    assert listed(cast.ada, q=words) == (len(found), found)


@pytest.mark.parametrize(
    ("status", "found"),
    [("active", ["Zoe", "Ada", "Bob", "Alice"]), ("banned", ["Charlie"]), ("staff", ["Ada"])],
)
def test_users_are_filtered_by_status(cast: Cast, status: str, found: list[str]) -> None:
    assert listed(cast.ada, status=status) == (len(found), found)


def test_sorting_in_each_direction_and_pages(session: Session, cast: Cast) -> None:
    make_order(session, cast.alice, 120_00)
    make_order(session, cast.bob, 60_00)
    make_order(session, cast.bob, 40_00)
    make_order(session, cast.zoe, 900_00, status=OrderStatus.CANCELLED)
    session.commit()
    assert listed(cast.ada, sort="name")[1] == ["Ada", "Alice", "Bob", "Charlie", "Zoe"]
    assert listed(cast.ada, sort="name", order="desc")[1] == ["Zoe", "Charlie", "Bob", "Alice", "Ada"]
    assert listed(cast.ada, sort="joined", order="asc")[1][0] == "Alice"
    assert listed(cast.ada, sort="spent")[1] == ["Alice", "Bob", "Zoe", "Ada", "Charlie"]
    assert listed(cast.ada, sort="orders")[1][:2] == ["Bob", "Alice"]
    assert listed(cast.ada, sort="spent", order="asc")[1][-2:] == ["Bob", "Alice"]
    assert listed(cast.ada, sort="spent", limit=2, offset=1) == (5, ["Bob", "Zoe"])
    assert listed(cast.ada, sort="name", limit=2, offset=4) == (5, ["Zoe"])


def test_deleted_users_are_not_listed(session: Session, cast: Cast) -> None:
    db.write(lambda s: privacy.erase(s, s.get(User, cast.bob.id)))
    session.get_one(User, cast.alice.id).deleted_at = clock.now()
    session.commit()
    assert listed(cast.ada) == (3, ["Zoe", "Ada", "Charlie"])
    for gone in (cast.alice, cast.bob):
        with pytest.raises(errors.NotFound):
            detail(cast.ada, gone)


def test_a_deleted_person_is_not_among_the_referrals(session: Session, cast: Cast) -> None:
    fran, greta = (make_user(session, name, referred_by=cast.alice) for name in ("fran", "greta"))
    session.commit()
    db.write(lambda s: privacy.erase(s, s.get(User, greta.id)))
    assert [each.id for each in detail(cast.ada, cast.alice).referrals] == [fran.id]


def test_a_list_needs_a_constant_number_of_statements(engine: Engine, session: Session, cast: Cast) -> None:
    def count() -> int:
        with count_statements(engine) as sent:
            listed(cast.ada, sort="spent")
        return len(sent)

    few = count()
    for number in range(30):
        make_order(session, make_user(session, f"more{number}"), 50_00)
    session.commit()
    assert count() == few


def test_a_person_is_shown_with_all_that_is_theirs(session: Session, cast: Cast) -> None:
    order = make_order(session, cast.alice, 120_00)
    make_order(session, cast.bob, 60_00)
    ticket = make_ticket(session, cast.alice)
    make_ticket(session, cast.bob)
    give_credit(session, cast.alice, 25_00)
    friend = make_user(session, "fran", referred_by=cast.alice)
    cast.alice.referred_by_id = cast.bob.id
    session.add(cast.alice)
    session.commit()
    db.write(lambda s: sessions.start(s, s.get_one(User, cast.alice.id)))
    found = detail(cast.ada, cast.alice)
    assert [(each.id, each.total_cents) for each in found.orders] == [(order.id, 120_00)]
    assert [(each.id, each.subject) for each in found.tickets] == [(ticket.id, "Driver is late")]
    assert [(each.id, each.name) for each in found.referrals] == [(friend.id, "Fran")]
    assert [(line.what, line.amount_cents) for line in found.statement] == [("By the store", 25_00)]
    assert len(found.sessions) == 1
    assert found.referrer is not None
    assert (found.referrer.name, found.verified_email) == ("Bob", "alice@example.org")
    assert found.wire()["credit"][0]["amount"] == "25.00"


def test_a_session_that_has_run_out_is_not_shown(cast: Cast, session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    db.write(lambda s: sessions.start(s, s.get_one(User, cast.alice.id)))
    later = clock.now() + timedelta(days=8)
    monkeypatch.setattr(clock, "now", lambda: later)
    assert detail(cast.ada, cast.alice).sessions == ()


def test_the_search_text_of_a_user_follows_their_sign_in(cast: Cast) -> None:
    identity = accounts.Identity("http://issuer.test", "new", "Nora@Example.org", True, "Nora", "Whitfield")
    db.write(lambda s: accounts.sign_in(s, identity, is_age_verified=False))
    assert listed(cast.ada, q="whitfield nora")[1] == ["Nora"]
