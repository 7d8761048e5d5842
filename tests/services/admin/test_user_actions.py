"""What staff may do to users, and to whom."""

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import func, select
from sqlmodel import Session, col

from marketplace_app import db, errors
from marketplace_app.adapters import live
from marketplace_app.models import AuditEntry, CreditEntry, CreditReason, Role, SignInSession, User
from marketplace_app.schemas.admin.audit import AuditQuery
from marketplace_app.schemas.admin.users import BanForm, RoleForm, UserForm
from marketplace_app.schemas.base import parse
from marketplace_app.services import accounts, credits, privacy, sessions
from marketplace_app.services.admin import audit, user_actions
from marketplace_app.services.admin import users as admin_users
from marketplace_app.services.records import announcements
from tests.builders import give_credit, make_user
from tests.conftest import Cast

Act = Callable[[User, User], Any]


def edit(who: User, whom: User, **fields: Any) -> Any:
    form = parse(UserForm, fields)
    return db.write(lambda s: user_actions.edit(s, s.get(User, who.id), whom.id, form))


def ban(who: User, whom: User, reason: str = "") -> Any:
    form = parse(BanForm, {"reason": reason})
    return db.write(lambda s: user_actions.ban(s, s.get(User, who.id), whom.id, form))


def unban(who: User, whom: User) -> Any:
    return db.write(lambda s: user_actions.unban(s, s.get(User, who.id), whom.id))


def delete(who: User, whom: User) -> None:
    db.write(lambda s: user_actions.delete(s, s.get(User, who.id), whom.id))


def sign_out(who: User, whom: User) -> None:
    db.write(lambda s: user_actions.sign_out(s, s.get(User, who.id), whom.id))


def grant(who: User, whom: User, role: str = "viewer") -> Any:
    form = parse(RoleForm, {"role": role})
    return db.write(lambda s: user_actions.grant(s, s.get(User, who.id), whom.id, form))


def rename(who: User, whom: User) -> Any:
    return edit(who, whom, firstName="Someone")


ACTS: dict[str, Act] = {
    "edit": rename,
    "ban": ban,
    "unban": unban,
    "delete": delete,
    "sign out": sign_out,
    "grant": grant,
}


def signed_in(who: User) -> str:
    return db.write(lambda s: sessions.start(s, s.get_one(User, who.id)))


def is_signed_in(token: str) -> bool:
    return db.read(lambda s: sessions.identify(s, token).user) is not None


def current(who: User) -> User:
    return db.read(lambda s: s.get_one(User, who.id))


def trail() -> list[tuple[str, dict[str, Any]]]:
    entries = db.read(lambda s: s.execute(select(AuditEntry).order_by(col(AuditEntry.id))).scalars().all())
    return [(entry.action, entry.details) for entry in entries]


@pytest.fixture
def published(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The topics that were published."""
    topics: set[str] = set()
    monkeypatch.setattr(announcements, "publish", lambda _session, topic: topics.add(topic))
    return topics


def staff(session: Session, role: Role, name: str = "sam") -> User:
    made = make_user(session, name, role=role)
    session.commit()
    return made


def test_editing_a_profile_keeps_the_identity(cast: Cast) -> None:
    view = edit(cast.ada, cast.alice, firstName=" Alicia ", lastName="Archer", email="New@Example.org")
    assert (view.first_name, view.last_name, view.email) == ("Alicia", "Archer", "new@example.org")
    alice = current(cast.alice)
    assert (alice.verified_email, alice.subject) == ("alice@example.org", "alice@example.org")
    assert alice.search_text == "alicia archer new example org alice example org"
    assert trail() == [("user.edited", {"fields": ["first_name", "last_name"], "email": ["a…@e….org", "n…@e….org"]})]


@pytest.mark.parametrize(("email", "masked"), [("@example.org", "…@e….org"), ("nora@", "n…@….")])
def test_an_address_without_a_name_or_a_domain_can_be_replaced(
    session: Session, cast: Cast, email: str, masked: str
) -> None:
    cast.alice.email = email
    session.add(cast.alice)
    session.commit()
    edit(cast.ada, cast.alice, email="new@example.org")
    assert trail() == [("user.edited", {"email": [masked, "n…@e….org"]})]


def test_omitted_fields_stay_and_an_unchanged_form_writes_nothing(session: Session, cast: Cast) -> None:
    give_credit(session, cast.alice, 40_00)
    session.commit()
    view = edit(cast.ada, cast.alice, firstName="Alice", referralCredit="40.00")
    assert (view.first_name, view.email, view.referral_credit_cents) == ("Alice", "alice@example.org", 40_00)
    assert trail() == []


def test_an_address_that_an_owner_has_makes_nobody_an_owner(cast: Cast, configure: Callable[..., None]) -> None:
    configure(ADMIN_EMAILS="boss@example.org")
    edit(cast.ada, cast.alice, email="boss@example.org")
    identity = accounts.Identity(cast.alice.issuer, cast.alice.subject, cast.alice.verified_email, True)
    db.write(lambda s: accounts.sign_in(s, identity, is_age_verified=False))
    assert current(cast.alice).role is Role.CUSTOMER


@pytest.mark.parametrize(("had", "wanted", "entry"), [(0, "50.00", 50_00), (80_00, "50.5", -29_50), (80_00, 0, -80_00)])
def test_credit_is_brought_to_a_balance_by_an_adjustment(
    session: Session, cast: Cast, had: int, wanted: Any, entry: int
) -> None:
    if had:
        give_credit(session, cast.alice, had)
        session.commit()
    view = edit(cast.ada, cast.alice, referralCredit=wanted)
    assert view.referral_credit_cents == had + entry
    last = session.execute(select(CreditEntry).order_by(col(CreditEntry.id).desc()).limit(1)).scalar_one()
    assert (last.amount_cents, last.reason, last.order_id) == (entry, CreditReason.ADJUSTMENT, None)
    assert trail()[-1][0] == "user.edited"


def test_credit_stays_if_the_form_has_no_balance(session: Session, cast: Cast) -> None:
    give_credit(session, cast.alice, 40_00)
    session.commit()
    assert edit(cast.ada, cast.alice, referralCredit=None).referral_credit_cents == 40_00


@pytest.mark.parametrize("wanted", ["-1.00", "1.001", "100000.01", "lots", True, 1e99])
def test_an_invalid_balance_is_refused(session: Session, cast: Cast, wanted: Any) -> None:
    with pytest.raises(errors.InvalidInput) as refused:
        edit(cast.ada, cast.alice, referralCredit=wanted)
    assert list(refused.value.fields) == ["referralCredit"]
    assert credits.balance(session, cast.alice.id) == 0


def test_a_ban_ends_every_session_at_once(cast: Cast, published: set[str]) -> None:
    tokens = [signed_in(cast.alice), signed_in(cast.alice)]
    view = ban(cast.ada, cast.alice, "  Resold  products\x00 ")
    assert (view.is_banned, view.ban_reason) == (True, "Resold products")
    assert not any(is_signed_in(token) for token in tokens)
    assert published == {live.user(cast.alice.id), live.STAFF}
    assert trail() == [("user.banned", {})]
    identity = accounts.Identity(cast.alice.issuer, cast.alice.subject, cast.alice.verified_email, True)
    with pytest.raises(errors.Banned, match="Resold products"):
        db.write(lambda s: accounts.sign_in(s, identity, is_age_verified=False))


def test_a_ban_without_a_reason_has_a_default_reason(cast: Cast) -> None:
    assert ban(cast.ada, cast.alice).ban_reason == "No reason provided"


def test_banning_twice_is_one_ban_with_the_newer_reason(cast: Cast) -> None:
    ban(cast.ada, cast.alice, "First")
    since = current(cast.alice).banned_at
    assert ban(cast.ada, cast.alice, "Second").ban_reason == "Second"
    ban(cast.ada, cast.alice, "Second")
    assert current(cast.alice).banned_at == since
    assert [act for act, _ in trail()] == ["user.banned", "user.banned"]


def test_an_unbanned_user_can_sign_in_again(cast: Cast) -> None:
    assert not unban(cast.ada, cast.charlie).is_banned
    unban(cast.ada, cast.charlie)
    assert current(cast.charlie).ban_reason == ""
    identity = accounts.Identity(cast.charlie.issuer, cast.charlie.subject, cast.charlie.verified_email, True)
    assert db.write(lambda s: accounts.sign_in(s, identity, is_age_verified=False))
    assert [act for act, _ in trail()] == ["user.unbanned"]


def test_a_deleted_person_is_signed_out_and_stays_out(cast: Cast) -> None:
    token = signed_in(cast.alice)
    delete(cast.ada, cast.alice)
    assert not is_signed_in(token)
    identity = accounts.Identity(cast.alice.issuer, cast.alice.subject, cast.alice.verified_email, True)
    with pytest.raises(errors.NotAllowed, match="deleted"):
        db.write(lambda s: accounts.sign_in(s, identity, is_age_verified=False))
    for act in ACTS.values():
        with pytest.raises(errors.NotFound):
            act(cast.ada, cast.alice)
    assert [act for act, _ in trail()] == ["user.deleted"]


def test_signing_out_everywhere_leaves_the_account(cast: Cast, published: set[str]) -> None:
    tokens = [signed_in(cast.alice), signed_in(cast.alice), signed_in(cast.bob)]
    sign_out(cast.ada, cast.alice)
    assert [is_signed_in(token) for token in tokens] == [False, False, True]
    assert live.user(cast.alice.id) in published
    assert current(cast.alice).is_active


def test_an_owner_grants_a_role_and_takes_it_back(cast: Cast) -> None:
    assert grant(cast.ada, cast.alice, "manager").role is Role.MANAGER
    identity = accounts.Identity(cast.alice.issuer, cast.alice.subject, cast.alice.verified_email, True)
    db.write(lambda s: accounts.sign_in(s, identity, is_age_verified=False))
    assert current(cast.alice).role is Role.MANAGER
    assert grant(cast.ada, cast.alice, "customer").role is Role.CUSTOMER
    assert trail() == [
        ("user.role", {"from": "customer", "to": "manager"}),
        ("user.role", {"from": "manager", "to": "customer"}),
    ]


def test_an_owner_by_settings_cannot_be_demoted(session: Session, cast: Cast, configure: Callable[..., None]) -> None:
    configure(ADMIN_EMAILS="boss@example.org")
    boss = staff(session, Role.OWNER, "boss")
    with pytest.raises(user_actions.OwnerBySettings, match="boss@example.org is an owner because ADMIN_EMAILS names"):
        grant(cast.ada, boss)
    assert current(boss).role is Role.OWNER
    assert grant(cast.ada, boss, "owner").role is Role.OWNER


def test_staff_cannot_ban_delete_or_demote_themselves(cast: Cast) -> None:
    for act in (ban, delete, grant):
        with pytest.raises(user_actions.Yourself):
            act(cast.ada, cast.ada)
    assert current(cast.ada).is_active
    assert current(cast.ada).role is Role.OWNER
    assert rename(cast.ada, cast.ada).first_name == "Someone"


def test_the_last_owner_cannot_leave(session: Session, cast: Cast) -> None:
    with pytest.raises(accounts.LastOwner):
        db.write(lambda s: privacy.erase(s, s.get(User, cast.ada.id)))
    other = staff(session, Role.OWNER, "olive")
    ban(cast.ada, other)
    with pytest.raises(accounts.LastOwner):
        db.write(lambda s: privacy.erase(s, s.get(User, cast.ada.id)))
    unban(cast.ada, other)
    db.write(lambda s: privacy.erase(s, s.get(User, cast.ada.id)))
    assert not current(cast.ada).is_active


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("role", [Role.CUSTOMER, Role.VIEWER, Role.SUPPORT])
def test_actions_without_permission_do_nothing(session: Session, cast: Cast, act: str, role: Role) -> None:
    who = staff(session, role)
    with pytest.raises(errors.NotAllowed):
        ACTS[act](who, cast.bob)
    assert trail() == []


@pytest.mark.parametrize("act", ["delete", "grant"])
def test_a_manager_may_neither_delete_nor_grant(session: Session, cast: Cast, act: str) -> None:
    with pytest.raises(errors.NotAllowed, match="manager. is not allowed"):
        ACTS[act](staff(session, Role.MANAGER), cast.bob)


@pytest.mark.parametrize("act", ["edit", "ban", "unban", "sign out"])
def test_a_manager_acts_on_anybody_but_owners(session: Session, cast: Cast, act: str) -> None:
    manager = staff(session, Role.MANAGER)
    for role in (Role.CUSTOMER, Role.VIEWER, Role.SUPPORT, Role.MANAGER):
        ACTS[act](manager, staff(session, role, f"person-{role}"))
    before = len(trail())
    with pytest.raises(user_actions.HigherRole, match="\\(owner\\) is above yours"):
        ACTS[act](manager, cast.ada)
    assert len(trail()) == before
    assert current(cast.ada).is_active


@pytest.mark.parametrize("act", ACTS)
def test_an_unknown_user_is_not_found_by_any_action(cast: Cast, act: str) -> None:
    nobody = User(id=999, issuer="", subject="", verified_email="", email="")
    with pytest.raises(errors.NotFound):
        ACTS[act](cast.ada, nobody)


@pytest.mark.parametrize("act", ACTS)
def test_a_guest_cannot_act_on_users(cast: Cast, act: str) -> None:
    with pytest.raises(errors.NotSignedIn):
        ACTS[act](User(id=0, issuer="", subject="", verified_email="", email=""), cast.alice)


def test_personal_data_stays_out_of_the_audit_trail(cast: Cast) -> None:
    edit(cast.ada, cast.alice, firstName="Secret", email="secret@example.org", referralCredit="12.00")
    ban(cast.ada, cast.alice, "secret reason")
    assert "secret" not in str(trail()).lower()
    assert trail()[0][1]["credit"] == ["0.00", "12.00"]


@pytest.mark.attack("staff who give themselves credit or another's name")
@pytest.mark.parametrize("role", [Role.MANAGER, Role.OWNER])
def test_staff_cannot_change_their_own_credit(session: Session, cast: Cast, role: Role) -> None:
    who = staff(session, role)
    with pytest.raises(user_actions.OwnCredit) as refused:
        edit(who, who, firstName="Rich", referralCredit="99999.00")
    assert refused.value.status == 403
    assert (current(who).first_name, trail()) == ("Sam", [])
    assert edit(who, who, firstName="Samuel", referralCredit="0.00").first_name == "Samuel"
    assert credits.balance(session, who.id) == 0


@pytest.mark.attack("staff who give themselves credit or another's name")
def test_an_address_that_somebody_else_has_proved_is_refused(session: Session, cast: Cast) -> None:
    manager = staff(session, Role.MANAGER)
    for whom in (manager, cast.alice):
        with pytest.raises(errors.InvalidInput) as refused:
            edit(manager, whom, email="ADA@example.org")
        assert list(refused.value.fields) == ["email"]
    assert trail() == []
    edit(manager, cast.alice, email="other@example.org")
    assert edit(manager, cast.alice, email="alice@example.org").email == "alice@example.org"


@pytest.mark.attack("staff who give themselves credit or another's name")
def test_the_trail_names_who_acted_by_the_address_they_signed_in_with(session: Session, cast: Cast) -> None:
    manager = staff(session, Role.MANAGER)
    edit(manager, manager, firstName="Ada", lastName="", email="boss@example.org")
    newest = db.read(lambda s: audit.list_entries(s, cast.ada, AuditQuery(limit=1)))[1][0]
    assert newest.actor == "Ada (sam@example.org)"
    assert newest.details == {
        "fields": ["first_name"],
        "email": ["sam@example.org", "boss@example.org"],
    }
    assert "Ada (sam@example.org)" in {each.name for each in db.read(lambda s: audit.list_colleagues(s, cast.ada))}


def test_a_session_of_a_banned_person_is_gone_from_the_table(session: Session, cast: Cast) -> None:
    signed_in(cast.alice)
    ban(cast.ada, cast.alice)
    assert session.execute(select(func.count()).select_from(SignInSession)).scalar_one() == 0
    assert admin_users.get(session, cast.ada, cast.alice.id).sessions == ()
