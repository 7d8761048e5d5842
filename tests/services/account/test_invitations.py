"""A secret link that opens the shop once (RULE invitation-code)."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Engine, select
from sqlmodel import Session, col

from marketplace_app import clock, db, errors
from marketplace_app.models import AuditEntry, Invitation, InvitationStatus, OutboxMessage, Role, User
from marketplace_app.schemas.account.invitations import InvitationForm, InvitationQuery, SentInvitation
from marketplace_app.schemas.base import parse
from marketplace_app.services.account import invitations
from tests.builders import make_user
from tests.conftest import Cast


def invite(admin: User, email: str = "friend@example.org", **values: str) -> str:
    form = parse(InvitationForm, {"email": email, "firstName": "Mary"} | values)
    return code_of(db.write(lambda s: invitations.send(s, s.get(User, admin.id), form)))


def accept(who: User, code: str) -> str:
    return db.write(lambda s: invitations.accept(s, s.get(User, who.id), code))


def resend(who: User, invitation_id: int) -> SentInvitation:
    return db.write(lambda s: invitations.resend(s, s.get(User, who.id), invitation_id))


def revoke(who: User, invitation_id: int) -> str:
    return db.write(lambda s: invitations.revoke(s, s.get(User, who.id), invitation_id)).display_state


def listed(who: User, **query: Any) -> tuple[int, list[tuple[str, str]]]:
    wanted = parse(InvitationQuery, query)
    total, rows = db.read(lambda s: invitations.list_all(s, s.get(User, who.id), wanted))
    return total, [(row.email.partition("@")[0], row.display_state.label) for row in rows]


def ids() -> list[int]:
    return db.read(lambda s: list(s.execute(select(col(Invitation.id)).order_by(col(Invitation.id))).scalars()))


def code_of(sent: SentInvitation) -> str:
    return sent.invite_url.rpartition("/")[2]


def mailed_codes() -> list[str]:
    """The codes in the links of mail that was not sent yet, oldest first."""
    rows = db.read(lambda s: s.execute(select(OutboxMessage).order_by(col(OutboxMessage.id))).scalars().all())
    return [row.payload["address"].rpartition("/")[2] for row in rows]


def look_up(code: str) -> invitations.InvitationView:
    return db.read(lambda s: invitations.look_up(s, None, code))


def test_a_code_names_the_invited_person(cast: Cast) -> None:
    found = look_up(invite(cast.ada))
    assert (found.email, found.first_name) == ("friend@example.org", "Mary")


def test_only_the_hash_of_a_code_is_stored(engine: Engine, cast: Cast) -> None:
    code = invite(cast.ada)
    with Session(engine) as session:
        row = session.execute(select(Invitation)).scalar_one()
        assert code not in str(row.model_dump())
        trail = session.execute(select(AuditEntry)).scalars()
        assert all(code not in str(entry.details) for entry in trail)


def test_a_code_is_accepted_once(engine: Engine, cast: Cast) -> None:
    code = invite(cast.ada)
    assert accept(cast.alice, code) == "/"
    assert accept(cast.alice, code) == "/"  # a second click
    with pytest.raises(invitations.InvalidInvitation):
        accept(cast.bob, code)
    with pytest.raises(invitations.InvalidInvitation):
        look_up(code)
    with Session(engine) as session:
        row = session.execute(select(Invitation)).scalar_one()
        assert (row.status, row.accepted_by_id) == (InvitationStatus.ACCEPTED, cast.alice.id)
        assert row.accepted_email == "alice@example.org"
        assert session.get_one(User, cast.alice.id).invited_at is not None
        assert session.get_one(User, cast.bob.id).invited_at is None


def test_accepting_with_the_invited_address_is_not_noted(engine: Engine, cast: Cast) -> None:
    accept(cast.alice, invite(cast.ada, "Alice@Example.org"))
    with Session(engine) as session:
        assert session.execute(select(Invitation)).scalar_one().accepted_email == ""


def test_unknown_used_expired_and_revoked_codes_have_the_same_error(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    expired = invite(cast.ada, "expired@example.org")
    later = clock.now() + timedelta(days=7)
    monkeypatch.setattr(clock, "now", lambda: later)
    used, revoked = invite(cast.ada, "used@example.org"), invite(cast.ada, "revoked@example.org")
    accept(cast.alice, used)
    revoke(cast.ada, ids()[2])
    said = set()
    for code in ("unknown", used, revoked, expired, ""):
        for ask in (lambda c=code: look_up(c), lambda c=code: accept(cast.bob, c)):
            with pytest.raises(invitations.InvalidInvitation) as refused:
                ask()
            said.add(str(refused.value.body()))
    assert len(said) == 1


def test_a_code_lasts_seven_days(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    code = invite(cast.ada)
    almost = clock.now() + timedelta(days=7) - timedelta(seconds=5)
    monkeypatch.setattr(clock, "now", lambda: almost)
    assert accept(cast.alice, code) == "/"


def test_only_an_admin_invites_and_only_a_signed_in_user_accepts(session: Session, cast: Cast) -> None:
    with pytest.raises(errors.NotAllowed):
        invite(cast.alice)
    with pytest.raises(errors.NotSignedIn):
        invitations.accept(session, None, "code")


def test_the_list_shows_the_state_of_each_invitation(
    session: Session, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    invite(cast.ada, "old@example.org")
    first = clock.now()
    monkeypatch.setattr(clock, "now", lambda: first + timedelta(days=7))
    for name in ("open", "used", "dead"):
        invite(cast.ada, f"{name}@example.org")
    accept(cast.alice, mailed_codes()[2])
    revoke(cast.ada, ids()[3])
    shown = [("dead", "revoked"), ("used", "Accepted"), ("open", "Pending"), ("old", "Expired")]
    assert listed(cast.ada) == (4, shown)
    assert listed(cast.ada, limit=2, offset=1) == (4, shown[1:3])
    for state, name in (("revoked", "dead"), ("accepted", "used"), ("pending", "open"), ("expired", "old")):
        assert [email for email, _ in listed(cast.ada, state=state)[1]] == [name]
    assert listed(cast.ada, q="DEAD@")[0] == 1
    assert listed(cast.ada, q="%")[0] == 0


def test_somebody_elses_address_is_shown_to_admins(cast: Cast) -> None:
    accept(cast.alice, invite(cast.ada))
    _, rows = db.read(lambda s: invitations.list_all(s, s.get(User, cast.ada.id), InvitationQuery()))
    assert rows[0].wire()["acceptedEmail"] == "alice@example.org"


def test_resending_replaces_the_code(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    old = invite(cast.ada)
    later = clock.now() + timedelta(days=9)
    monkeypatch.setattr(clock, "now", lambda: later)
    sent = resend(cast.ada, ids()[0])
    assert sent.expires_at == later + timedelta(days=7)
    with pytest.raises(invitations.InvalidInvitation):
        accept(cast.alice, old)
    assert mailed_codes() == [code_of(sent)]
    assert accept(cast.alice, code_of(sent)) == "/"
    assert listed(cast.ada)[0] == 1


def test_a_revoked_invitation_is_refused_and_its_mail_not_sent(cast: Cast) -> None:
    code = invite(cast.ada)
    assert revoke(cast.ada, ids()[0]) == "revoked"
    assert revoke(cast.ada, ids()[0]) == "revoked"
    assert mailed_codes() == []
    with pytest.raises(invitations.InvalidInvitation):
        accept(cast.alice, code)
    with pytest.raises(invitations.InvitationOver, match="is revoked"):
        resend(cast.ada, ids()[0])
    assert invite(cast.ada)  # anew


def test_an_invitation_is_not_resent_to_a_member_or_a_banned_user(session: Session, cast: Cast) -> None:
    for email in ("alice@example.org", "bob@example.org"):
        invite(cast.ada, email)
    alice, bob = ids()
    session.get_one(User, cast.alice.id).invited_at = clock.now()
    banned = session.get_one(User, cast.bob.id)
    banned.banned_at, banned.ban_reason = clock.now(), "Abuse"
    session.commit()
    for invitation_id, refusal in ((alice, invitations.AlreadyMember), (bob, invitations.BannedUser)):
        with pytest.raises(refusal):
            resend(cast.ada, invitation_id)


def test_the_mail_of_a_newer_invitation_is_kept_when_the_expired_one_is_revoked(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    expired = invite(cast.ada)
    later = clock.now() + timedelta(days=7)
    monkeypatch.setattr(clock, "now", lambda: later)
    newer = invite(cast.ada)
    with pytest.raises(invitations.AlreadyInvited):
        resend(cast.ada, ids()[0])
    revoke(cast.ada, ids()[0])
    assert newer in mailed_codes()
    assert expired not in mailed_codes()
    assert look_up(newer).valid


def test_an_accepted_invitation_cannot_be_resent_or_revoked(cast: Cast) -> None:
    accept(cast.alice, invite(cast.ada))
    for act in (resend, revoke):
        with pytest.raises(invitations.InvitationOver, match="is accepted"):
            act(cast.ada, ids()[0])


def test_nobody_is_invited_twice_and_no_member_at_all(session: Session, cast: Cast) -> None:
    code = invite(cast.ada, "Friend@Example.org")
    with pytest.raises(invitations.AlreadyInvited):
        invite(cast.ada, "friend@example.org")
    accept(cast.bob, code)
    for email, refusal in (
        ("bob@example.org", invitations.AlreadyMember),
        ("ada@example.org", invitations.AlreadyMember),
        ("charlie@example.org", invitations.BannedUser),
    ):
        with pytest.raises(refusal):
            invite(cast.ada, email)
    assert invite(cast.ada, "alice@example.org")  # has signed in, and was never let in


def test_an_invitation_that_ran_out_is_followed_by_another(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    invite(cast.ada)
    later = clock.now() + timedelta(days=7)
    monkeypatch.setattr(clock, "now", lambda: later)
    assert invite(cast.ada)


@pytest.mark.parametrize("role", list(Role))
def test_invitations_are_listed_and_sent_by_role(session: Session, cast: Cast, role: Role) -> None:
    invite(cast.ada)
    who = make_user(session, "sam", role=role)
    session.commit()
    if role in (Role.CUSTOMER, Role.DRIVER):
        with pytest.raises(errors.NotAllowed):
            listed(who)
    else:
        assert listed(who)[0] == 1
    for act in (lambda: invite(who, "new@example.org"), lambda: resend(who, ids()[0]), lambda: revoke(who, ids()[0])):
        if role in (Role.MANAGER, Role.OWNER):
            assert act()
        else:
            with pytest.raises(errors.NotAllowed):
                act()


def test_an_unknown_invitation_is_not_found(cast: Cast) -> None:
    for act in (resend, revoke):
        with pytest.raises(errors.NotFound):
            act(cast.ada, 999)


def test_every_action_is_audited_without_an_address(session: Session, cast: Cast) -> None:
    invite(cast.ada)
    first = ids()[0]
    resend(cast.ada, first)
    revoke(cast.ada, first)
    accept(cast.alice, invite(cast.ada))
    entries = session.execute(select(AuditEntry).order_by(col(AuditEntry.id))).scalars().all()
    assert [(entry.action, entry.subject) for entry in entries] == [
        ("invitation.sent", f"invitation:{first}"),
        ("invitation.resent", f"invitation:{first}"),
        ("invitation.revoked", f"invitation:{first}"),
        ("invitation.sent", f"invitation:{ids()[1]}"),
        ("invitation.accepted", f"invitation:{ids()[1]}"),
    ]
    assert all(entry.details == {} for entry in entries)
