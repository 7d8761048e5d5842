"""Legal texts: owners publish versions, which stay, and markup is never interpreted."""

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session

from marketplace_app.models import Role
from marketplace_app.schemas.legal_texts import Block, blocks_of
from tests.builders import make_user
from tests.conftest import Cast, SignIn

PATH = "/api/admin/legal"


def test_a_text_is_headings_paragraphs_and_lists() -> None:
    body = "# Who may buy\nAdults aged\n21 or older.\n\n- Bring your ID\n- Pay in cash\n\nThank you.\n#not a heading"
    assert blocks_of(body) == (
        Block("heading", "Who may buy"),
        Block("paragraph", "Adults aged 21 or older."),
        Block("list", items=("Bring your ID", "Pay in cash")),
        Block("paragraph", "Thank you. #not a heading"),
    )
    assert blocks_of(" \n\n") == ()


def test_markup_is_text() -> None:
    assert blocks_of("<script>alert(1)</script>") == (Block("paragraph", "<script>alert(1)</script>"),)


def test_everybody_reads_the_newest_version_and_staff_read_who_wrote_it(
    client: TestClient, cast: Cast, as_user: SignIn
) -> None:
    ada = as_user(cast.ada)
    assert client.get("/api/legal/terms").status_code == 404
    assert ada.put(f"{PATH}/terms", json={"body": "Adults only.", "version": 0}).json()["version"] == 1
    second = ada.put(f"{PATH}/terms", json={"body": "Adults only.\r\n\r\nIn cash.", "version": 1}).json()
    assert client.get("/api/legal/terms").json() == second
    assert (second["body"], second["title"]) == ("Adults only.\n\nIn cash.", "Terms of Service")
    versions = ada.get(f"{PATH}/terms/versions").json()
    assert [(each["version"], each["author"]) for each in versions] == [(2, "Ada"), (1, "Ada")]
    assert [each["page"] for each in ada.get(PATH).json()] == ["terms"]


def test_publishing_over_a_newer_version_is_refused(cast: Cast, as_user: SignIn) -> None:
    ada = as_user(cast.ada)
    ada.put(f"{PATH}/privacy", json={"body": "We keep little.", "version": 0})
    late = ada.put(f"{PATH}/privacy", json={"body": "We keep nothing.", "version": 0})
    assert (late.status_code, late.json()["code"]) == (409, "legal_text_changed")
    assert late.json()["message"].startswith("Version 1 was published while you were writing.")
    early = ada.put(f"{PATH}/privacy", json={"body": "We keep nothing.", "version": 2})
    assert (early.status_code, early.json()["message"][:22]) == (409, "There is no version 2.")
    assert len(ada.get(f"{PATH}/privacy/versions").json()) == 1


def test_an_unchanged_text_makes_no_version(cast: Cast, as_user: SignIn) -> None:
    ada = as_user(cast.ada)
    ada.put(f"{PATH}/returns", json={"body": "Talk to us.", "version": 0})
    assert ada.put(f"{PATH}/returns", json={"body": "Talk to us.", "version": 1}).json()["version"] == 1


def test_a_published_version_never_changes(session: Session, cast: Cast, as_user: SignIn) -> None:
    as_user(cast.ada).put(f"{PATH}/terms", json={"body": "Adults only.", "version": 0})
    for statement in ("UPDATE legal_texts SET body = 'x'", "DELETE FROM legal_texts"):
        with pytest.raises(DBAPIError, match="append-only"), session.begin_nested():
            session.execute(text(statement))


@pytest.mark.parametrize(
    ("form", "field"),
    [
        ({"body": "", "version": 0}, "body"),
        ({"body": "x" * 40_001, "version": 0}, "body"),
        ({"body": "a\x00b", "version": 0}, "body"),
        ({"body": "Fine."}, "version"),
        ({"body": "Fine.", "version": 0, "page": "terms"}, "page"),
    ],
)
def test_bad_input_names_its_field(cast: Cast, as_user: SignIn, form: dict[str, object], field: str) -> None:
    answer = as_user(cast.ada).put(f"{PATH}/terms", json=form)
    assert answer.status_code == 422
    assert list(answer.json()["fields"]) == [field]


def test_only_owners_publish_and_are_reminded(session: Session, cast: Cast, as_user: SignIn) -> None:
    manager = make_user(session, "mona", role=Role.MANAGER)
    session.commit()
    assert as_user(manager).put(f"{PATH}/terms", json={"body": "Mine.", "version": 0}).status_code == 403
    attention = "/api/admin/stats/attention"
    assert as_user(manager).get(attention).json()["unwrittenLegalPages"] == 0
    ada = as_user(cast.ada)
    ada.put(f"{PATH}/terms", json={"body": "Ours.", "version": 0})
    assert ada.get(attention).json()["unwrittenLegalPages"] == 3
