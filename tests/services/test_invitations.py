"""A secret link that opens the shop once (decision 14)."""

from datetime import timedelta

import pytest
from sqlalchemy import Engine, select
from sqlmodel import Session, col

from marketplace_app import clock, db, errors
from marketplace_app.models import AuditEntry, Invitation, InvitationStatus, User
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.invitations import InvitationForm
from marketplace_app.services import invitations
from tests.conftest import Cast


def invite(admin: User, email: str = "friend@example.org", **values: str) -> str:
    form = parse(InvitationForm, {"email": email, "firstName": "Mary"} | values)
    sent = db.write(lambda s: invitations.send(s, s.get(User, admin.id), form))
    return sent.invite_url.rpartition("/")[2]


def accept(who: User, code: str) -> str:
    return db.write(lambda s: invitations.accept(s, s.get(User, who.id), code))


def look_up(code: str) -> invitations.InvitationView:
    return db.read(lambda s: invitations.look_up(s, None, code))


def test_a_code_says_whom_it_invites(cast: Cast) -> None:
    found = look_up(invite(cast.ada))
    assert (found.email, found.first_name) == ("friend@example.org", "Mary")


def test_only_the_hash_of_a_code_is_kept(engine: Engine, cast: Cast) -> None:
    code = invite(cast.ada)
    with Session(engine) as session:
        row = session.execute(select(Invitation)).scalar_one()
        assert code not in str(row.model_dump())
        trail = session.execute(select(AuditEntry)).scalars()
        assert all(code not in str(entry.details) for entry in trail)


def test_whoever_holds_the_code_is_let_in_once(engine: Engine, cast: Cast) -> None:
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


def test_an_address_that_is_the_invited_one_is_not_remarked_on(engine: Engine, cast: Cast) -> None:
    accept(cast.alice, invite(cast.ada, "Alice@Example.org"))
    with Session(engine) as session:
        assert session.execute(select(Invitation)).scalar_one().accepted_email == ""


def test_unknown_used_expired_and_revoked_are_one(
    session: Session, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    used, revoked, expired = (invite(cast.ada) for _ in range(3))
    accept(cast.alice, used)
    row = session.execute(select(Invitation).where(col(Invitation.status) == "pending").limit(1)).scalar_one()
    row.status = InvitationStatus.REVOKED
    session.commit()
    later = clock.now() + timedelta(days=7)
    monkeypatch.setattr(clock, "now", lambda: later)
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


def test_only_an_admin_invites_and_only_who_signed_in_accepts(session: Session, cast: Cast) -> None:
    with pytest.raises(errors.NotAllowed):
        invite(cast.alice)
    with pytest.raises(errors.NotSignedIn):
        invitations.accept(session, None, "code")
