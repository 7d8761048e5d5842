"""Concurrent changes of owners and credit. Each race has a control: the naive way fails under the same load."""

from collections import Counter
from collections.abc import Callable
from threading import Barrier
from typing import Any

import pytest
from sqlalchemy import func, select
from sqlmodel import Session, col

from marketplace_app import db, errors
from marketplace_app.models import CreditEntry, CreditReason, Invitation, Role, User
from marketplace_app.schemas.account.invitations import InvitationForm
from marketplace_app.schemas.admin.users import BanForm, RoleForm, UserForm
from marketplace_app.schemas.base import parse
from marketplace_app.services import accounts, credits, privacy
from marketplace_app.services.account import invitations
from marketplace_app.services.admin import user_actions
from tests.builders import make_user
from tests.conftest import Cast
from tests.services.test_races import at_once

pytestmark = pytest.mark.race
Act = Callable[[User, User], Callable[[], Any]]


def demoting(who: User, whom: User) -> Callable[[], Any]:
    return lambda: db.write(lambda s: user_actions.grant(s, s.get(User, who.id), whom.id, RoleForm(role=Role.VIEWER)))


def banning(who: User, whom: User) -> Callable[[], Any]:
    return lambda: db.write(lambda s: user_actions.ban(s, s.get(User, who.id), whom.id, BanForm()))


def deleting(who: User, whom: User) -> Callable[[], Any]:
    return lambda: db.write(lambda s: user_actions.delete(s, s.get(User, who.id), whom.id))


def leaving(who: User) -> Callable[[], Any]:
    return lambda: db.write(lambda s: privacy.erase(s, s.get(User, who.id)))


def owners(session: Session, count: int) -> list[User]:
    made = [make_user(session, f"owner{n}", role=Role.OWNER) for n in range(count)]
    session.commit()
    return made


def owners_left(session: Session) -> int:
    session.expire_all()
    there = (col(User.role) == Role.OWNER, col(User.banned_at).is_(None), col(User.deleted_at).is_(None))
    return int(session.execute(select(func.count()).select_from(User).where(*there)).scalar_one())


@pytest.mark.parametrize("act", [demoting, banning, deleting])
def test_of_two_owners_acting_on_each_other_one_stays(session: Session, act: Act) -> None:
    a, b = owners(session, 2)
    answers = at_once([act(a, b), act(b, a)])
    assert owners_left(session) == 1
    assert sum(isinstance(answer, errors.StoreError) for answer in answers) == 1


def test_of_twelve_owners_demoting_each_other_one_stays(session: Session) -> None:
    everybody = owners(session, 12)
    at_once([demoting(who, whom) for who in everybody for whom in everybody if who is not whom])
    assert owners_left(session) == 1


def test_control_asking_first_and_writing_later_leaves_none(session: Session) -> None:
    a, b = owners(session, 2)
    both_have_asked = Barrier(2)

    def naive(who: User, whom: User) -> Callable[[], None]:
        def demote() -> None:
            role = db.read(lambda s: s.get_one(User, who.id).role)
            both_have_asked.wait()
            if role is Role.OWNER:
                db.write(lambda s: setattr(s.get_one(User, whom.id), "role", Role.VIEWER))

        return demote

    at_once([naive(a, b), naive(b, a)])
    assert owners_left(session) == 0


def test_of_two_owners_who_leave_at_once_one_stays(session: Session) -> None:
    answers = at_once([leaving(owner) for owner in owners(session, 2)])
    assert owners_left(session) == 1
    assert Counter(type(answer) for answer in answers) == {type(None): 1, accounts.LastOwner: 1}


def test_of_two_owners_one_stays_when_one_leaves_and_demotes_the_other_at_once(session: Session) -> None:
    a, b = owners(session, 2)
    at_once([leaving(a), demoting(a, b)])
    assert owners_left(session) == 1


def test_ten_who_set_the_same_balance_at_once_write_one_entry(session: Session, cast: Cast) -> None:
    form = parse(UserForm, {"referralCredit": "50.00"})
    alice = cast.alice.id
    at_once([lambda: db.write(lambda s: user_actions.edit(s, s.get(User, cast.ada.id), alice, form))] * 10)
    assert credits.balance(session, alice) == 50_00
    assert session.execute(select(func.count()).select_from(CreditEntry)).scalar_one() == 1


def test_control_reading_the_balance_first_doubles_it(session: Session, cast: Cast) -> None:
    alice = cast.alice.id
    all_have_read = Barrier(10)

    def naive() -> None:
        missing = 50_00 - db.read(lambda s: credits.balance(s, alice))
        all_have_read.wait()
        entry = {"user_id": alice, "amount_cents": missing, "reason": CreditReason.ADJUSTMENT}
        db.write(lambda s: s.add(CreditEntry(**entry)))

    at_once([naive] * 10)
    assert credits.balance(session, alice) == 500_00


def test_ten_invitations_to_one_address_at_once_are_one(session: Session, cast: Cast) -> None:
    form = parse(InvitationForm, {"email": "friend@example.org"})
    answers = at_once([lambda: db.write(lambda s: invitations.send(s, s.get(User, cast.ada.id), form))] * 10)
    assert Counter(type(answer).__name__ for answer in answers) == {"SentInvitation": 1, "AlreadyInvited": 9}
    assert session.execute(select(func.count()).select_from(Invitation)).scalar_one() == 1


def test_control_looking_first_and_inviting_later_invites_ten_times(session: Session, cast: Cast) -> None:
    form = parse(InvitationForm, {"email": "friend@example.org"})
    all_have_looked = Barrier(10)

    def naive() -> None:
        found = db.read(lambda s: invitations.refusals(s, [form.email]))
        all_have_looked.wait()
        if not found:
            db.write(lambda s: invitations.create_and_queue_mail(s, s.get_one(User, cast.ada.id), form))

    at_once([naive] * 10)
    assert session.execute(select(func.count()).select_from(Invitation)).scalar_one() == 10
