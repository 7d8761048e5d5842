"""Inviting many users from a file: all lines or none, with every bad line explained."""

import pytest
from sqlalchemy import func, select
from sqlmodel import Session

from marketplace_app import db, errors
from marketplace_app.models import AuditEntry, Invitation, OutboxMessage, Role, User
from marketplace_app.schemas.account.invitations import InvitationImportReport
from marketplace_app.services.admin import invitation_file
from tests.builders import make_user
from tests.conftest import Cast
from tests.services.account.test_invitations import accept, invite

HEAD = "email,firstName,lastName,notes\n"
GOOD = HEAD + "nora@example.org,Nora,Whitfield,met at the fair\nsam@example.org,,,\n"


def send(who: User, text: str | bytes, *, dry_run: bool = False) -> InvitationImportReport:
    content = text if isinstance(text, bytes) else text.encode()
    return db.write(lambda s: invitation_file.import_file(s, s.get(User, who.id), content, dry_run=dry_run))


def counts() -> tuple[int, int]:
    """The numbers of invitations and of queued mails."""

    def count(session: Session) -> tuple[int, int]:
        invitations, mails = (
            session.execute(select(func.count()).select_from(each)).scalar_one() for each in (Invitation, OutboxMessage)
        )
        return invitations, mails

    return db.read(count)


def problems(report: InvitationImportReport) -> list[tuple[int, str, str]]:
    return [(each.line, each.column, each.message) for each in report.errors]


def test_everybody_in_a_file_is_invited(session: Session, cast: Cast) -> None:
    report = send(cast.ada, GOOD)
    assert (report.lines, [each.email for each in report.sent], report.errors) == (
        2,
        ["nora@example.org", "sam@example.org"],
        (),
    )
    assert accept(cast.alice, report.sent[0].invite_url.rpartition("/")[2]) == "/"
    row = session.get_one(Invitation, report.sent[0].id)
    assert (row.first_name, row.last_name, row.notes) == ("Nora", "Whitfield", "met at the fair")
    assert counts() == (2, 2)
    entry = session.execute(select(AuditEntry).order_by(AuditEntry.id).limit(1)).scalar_one()  # type: ignore[arg-type]
    assert (entry.action, entry.details) == ("invitation.imported", {"ids": [each.id for each in report.sent]})


def test_a_dry_run_writes_nothing(cast: Cast) -> None:
    report = send(cast.ada, GOOD, dry_run=True)
    assert (report.lines, report.sent, report.errors) == (2, (), ())
    assert counts() == (0, 0)


def test_one_bad_line_stops_all_invitations(cast: Cast) -> None:
    accept(cast.bob, invite(cast.ada, "member@example.org"))
    invite(cast.ada, "invited@example.org")
    before = counts()
    report = send(
        cast.ada,
        HEAD
        + "good@example.org,Good,,\n"
        + "not an address,,,\n"
        + ",Nobody,,\n"
        + "GOOD@example.org,Again,,\n"
        + '"two@example.org",Two,"with, comma\nand line",\n'
        + "bob@example.org,Bob,,\n"
        + "invited@example.org,,,\n"
        + "charlie@example.org,,,\n"
        + f"long@example.org,{'x' * 81},,\n"
        + "sum@example.org,=1+1,,\n"
        + "more@example.org,a,b,c,d\n",
    )
    assert problems(report) == [
        (3, "email", "A valid email address is required"),
        (4, "email", "Email is required"),
        (5, "email", "Line 2 has this email already."),
        (8, "email", "This person is already a member."),
        (9, "email", "This person already has an open invitation. Resend or revoke it."),
        (10, "email", "This person is banned. Unban them instead."),
        (11, "firstName", "A first name can have at most 80 characters."),
        (12, "firstName", "This looks like a formula. If it is text, put a ' before it."),
        (13, "", "This line has more cells than the header. Put quotes around text that contains commas."),
    ]
    assert (report.lines, report.sent, counts()) == (11, (), before)


@pytest.mark.parametrize(
    "text",
    [
        GOOD.replace("\n", "\r\n"),
        "\ufeff" + GOOD,
        GOOD.replace(",", ";"),
        "Email,First Name\nnora@example.org,Nora\n\n\nsam@example.org\n",
        "notes,email\nx,nora@example.org\n,sam@example.org",
    ],
)
def test_files_of_spreadsheets_are_read(cast: Cast, text: str) -> None:
    assert [each.email for each in send(cast.ada, text).sent] == ["nora@example.org", "sam@example.org"]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "must name the columns"),
        (b"email", "no lines below its header"),
        (b"email\n\n \n", "no lines below its header"),
        (b"name,phone\na,b\n", "must name the columns"),
        (b"email,phone\na@b.c,1\n", "must name the columns"),
        (b"email,email\na@b.c,a@b.c\n", "must name the columns"),
        (b"nora@example.org\n", "must name the columns"),
        ("email,notes\na@b.c,café\n".encode("latin-1"), "UTF-8"),
        ("email\na@b.c\n".encode("utf-16"), "UTF-8"),
        (b'email,notes\na@b.c,"open\n', "quotation mark"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "UTF-8"),
        (b"email\n" + b"".join(b"p%d@example.org\n" % n for n in range(501)), "at most 500"),
    ],
)
def test_an_invalid_invitation_file_is_refused(cast: Cast, content: bytes, sentence: str) -> None:
    with pytest.raises(invitation_file.UnreadableFile, match=sentence) as refused:
        send(cast.ada, content)
    assert list(refused.value.fields) == ["file"]
    assert counts() == (0, 0)


def test_five_hundred_invitations_are_sent_together(cast: Cast) -> None:
    report = send(cast.ada, "email\n" + "".join(f"p{n}@example.org\n" for n in range(500)))
    assert (len(report.sent), counts()) == (500, (500, 500))


@pytest.mark.parametrize("role", [Role.CUSTOMER, Role.VIEWER, Role.SUPPORT])
def test_a_file_needs_permission_to_send_even_in_a_dry_run(session: Session, cast: Cast, role: Role) -> None:
    who = make_user(session, "sam", role=role)
    session.commit()
    for dry_run in (True, False):
        with pytest.raises(errors.NotAllowed):
            send(who, GOOD, dry_run=dry_run)
    with pytest.raises(errors.NotSignedIn):
        invitation_file.import_file(session, None, GOOD.encode())
    assert counts() == (0, 0)
