"""Who signs in as whom, and who may do what (RULE sign-in, RULE verified-email, RULE roles, RULE age-of-majority)."""

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from sqlmodel import Session

from marketplace_app import clock, db, errors
from marketplace_app.adapters import live
from marketplace_app.models import OrderStatus, Permission, Role, User
from marketplace_app.services import accounts, privacy, sessions
from tests.builders import make_order, make_user
from tests.conftest import Cast

Configure = Callable[..., None]


def identity(email: str = "nora@example.org", *, subject: str = "nora", is_verified: bool = True) -> accounts.Identity:
    return accounts.Identity("http://issuer.test", subject, email, is_verified, "Nora", "Whitfield")


def sign_in(who: accounts.Identity, *, is_age_verified: bool = False) -> User:
    token = db.write(lambda s: accounts.sign_in(s, who, is_age_verified=is_age_verified))
    found = db.read(lambda s: sessions.identify(s, token)).user
    assert found is not None
    return found


def test_staff_are_told_of_a_new_account_and_not_of_every_sign_in(session: Session) -> None:
    accounts.sign_in(session, identity(), is_age_verified=False)
    assert session.info.pop(live.TOPICS) == {live.STAFF}
    accounts.sign_in(session, identity(), is_age_verified=False)
    assert live.STAFF not in session.info.get(live.TOPICS, set())


@pytest.mark.parametrize("who", [identity(is_verified=False), identity("nora")], ids=["not verified", "no address"])
def test_an_email_that_is_not_verified_or_no_address_signs_nobody_in(session: Session, who: accounts.Identity) -> None:
    with pytest.raises(accounts.EmailNotVerified):
        accounts.sign_in(session, who, is_age_verified=True)


def test_an_account_belongs_to_the_providers_subject_whatever_its_email(cast: Cast) -> None:
    first = sign_in(identity())
    moved = sign_in(identity("Nora@Example.com"))
    assert (moved.id, moved.verified_email, moved.email) == (first.id, "nora@example.com", "nora@example.org")
    assert sign_in(identity(subject="another")).id != first.id


def test_a_banned_person_stays_out_even_after_the_account_is_erased(cast: Cast) -> None:
    who = identity(subject="charlie@example.org")
    with pytest.raises(errors.Banned, match="Resold products"):
        db.write(lambda s: accounts.sign_in(s, who, is_age_verified=False))
    db.write(lambda s: privacy.erase(s, s.get(User, cast.charlie.id)))
    with pytest.raises(errors.Banned, match="Resold products"):
        db.write(lambda s: accounts.sign_in(s, who, is_age_verified=False))


def test_an_erased_person_begins_again_without_the_discounts_that_were_used(session: Session, cast: Cast) -> None:
    cast.alice.first_purchase_discount_used = True
    session.commit()
    db.write(lambda s: privacy.erase(s, s.get(User, cast.alice.id)))
    again = sign_in(identity(subject="alice@example.org"))
    assert again.id != cast.alice.id
    assert (again.first_purchase_discount_used, again.referral_bonus_used) == (True, False)


def test_a_deleted_account_signs_nobody_in(session: Session, cast: Cast) -> None:
    cast.alice.deleted_at = clock.now()
    session.commit()
    with pytest.raises(errors.NotAllowed, match="has been deleted"):
        accounts.sign_in(session, identity(subject="alice@example.org"), is_age_verified=False)


def test_the_role_follows_the_verified_email_at_each_sign_in(cast: Cast, configure: Configure) -> None:
    configure(ADMIN_EMAILS="nora@example.org")
    assert sign_in(identity()).role is Role.OWNER
    assert sign_in(identity("nora@example.com")).role is Role.CUSTOMER


def test_a_later_sign_in_neither_undoes_nor_renews_a_passed_age_check(cast: Cast) -> None:
    passed = sign_in(identity(), is_age_verified=True).age_verified_at
    assert passed is not None
    assert sign_in(identity()).age_verified_at == sign_in(identity(), is_age_verified=True).age_verified_at == passed


def test_twenty_one_is_old_enough_on_the_birthday(
    session: Session, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock, "today", lambda _timezone: date(2026, 11, 27))
    assert not accounts.verify_age(session, cast.zoe, date(2005, 11, 28)).is_valid
    assert cast.zoe.age_verified_at is None
    assert accounts.verify_age(session, cast.zoe, date(2005, 11, 27)).is_valid
    assert cast.zoe.age_verified_at is not None
    assert session.info[live.TOPICS] == {live.user(cast.zoe.id)}, "an open account page shows it"
    assert accounts.verify_age(session, None, date(2005, 11, 27)).is_valid, "guests are told too"


def test_a_permission_needs_a_role_that_has_it_and_the_refusal_names_the_role(session: Session, cast: Cast) -> None:
    viewer = make_user(session, "vera", role=Role.VIEWER)
    assert accounts.require(cast.ada, Permission.EDIT_ORDERS) is cast.ada
    with pytest.raises(errors.NotAllowed, match=r"Your role \(viewer\) is not allowed to"):
        accounts.require(viewer, Permission.EDIT_ORDERS)
    with pytest.raises(errors.NotAllowed) as refused:
        accounts.require(cast.alice, Permission.EDIT_ORDERS)
    assert "role" not in refused.value.message, "a customer learns nothing of roles"
    with pytest.raises(errors.NotSignedIn):
        accounts.require(None, Permission.EDIT_ORDERS)


@pytest.mark.parametrize("values", [{"is_banned": True}, {"role": Role.MANAGER}])
def test_only_an_active_owner_counts_as_another_owner(session: Session, cast: Cast, values: dict[str, Any]) -> None:
    make_user(session, "olga", **({"role": Role.OWNER} | values))
    with pytest.raises(accounts.LastOwner):
        accounts.require_another_owner(session, cast.ada)
    make_user(session, "otto", role=Role.OWNER)
    accounts.require_another_owner(session, cast.ada)


def test_an_invite_only_store_is_open_to_the_invited_and_to_staff(
    session: Session, cast: Cast, configure: Configure
) -> None:
    configure(ACCESS_MODE="invite_only")
    cast.bob.invited_at = clock.now()
    assert [accounts.has_access(who) for who in (cast.alice, cast.bob, cast.ada)] == [False, True, True]
    with pytest.raises(errors.InvitationRequired):
        accounts.require_shopper(cast.alice)


def test_totals_leave_out_what_was_cancelled_or_deleted(session: Session, cast: Cast) -> None:
    make_order(session, cast.alice, 50_00)
    make_order(session, cast.alice, 70_00, status=OrderStatus.CANCELLED)
    make_order(session, cast.alice, 90_00, deleted_at=clock.now())
    make_order(session, cast.bob, 30_00)
    own = accounts.show(session, cast.alice)
    assert (own.total_orders, own.total_spent_cents) == (1, 50_00)
