"""Sending invitations over REST (RULE invitations-send)."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.conftest import ON_SQLITE, Cast, SignIn

MARY = {"email": "Mary@Example.org", "firstName": "Mary", "lastName": "Moss", "notes": "from the fair"}
FILE = b"email,firstName\nnora@example.org,Nora\nsam@example.org,Sam\n"


def test_an_invitation_is_sent_listed_resent_and_revoked(as_user: SignIn, cast: Cast, client: TestClient) -> None:
    ada = as_user(cast.ada)
    answer = ada.post("/api/admin/invitations/send", json=MARY)
    sent = answer.json()
    assert answer.status_code == 201
    assert sent.keys() == {"id", "email", "status", "expiresAt", "inviteUrl"}
    assert (sent["email"], sent["status"]) == ("mary@example.org", "pending")
    listed = ada.get("/api/admin/invitations")
    assert listed.headers["X-Total-Count"] == "1"
    [row] = listed.json()
    assert (row["id"], row["firstName"], row["lastName"], row["notes"]) == (sent["id"], "Mary", "Moss", "from the fair")
    assert (row["status"], row["displayState"], row["expiresAt"]) == ("pending", "Pending", sent["expiresAt"])
    assert "inviteUrl" not in row
    again = ada.post(f"/api/admin/invitations/{sent['id']}/resend").json()
    assert again["inviteUrl"] != sent["inviteUrl"]
    codes = [each["inviteUrl"].rpartition("/")[2] for each in (sent, again)]
    assert [client.get(f"/api/invite/{code}").status_code for code in codes] == [404, 200]
    revoked = ada.post(f"/api/admin/invitations/{sent['id']}/revoke").json()
    # In lower case, unlike the other states: RULE invitations-list.
    assert (revoked["status"], revoked["displayState"]) == ("revoked", "revoked")
    assert client.get(f"/api/invite/{codes[1]}").status_code == 404
    assert ada.get("/api/admin/invitations", params={"state": "pending"}).json() == []


@ON_SQLITE
@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({"email": None}, {"email": "Email is required"}),
        ({"email": "  "}, {"email": "Email is required"}),
        ({"email": "nowhere"}, {"email": "A valid email address is required"}),
        ({"email": "a b@example.org"}, {"email": "A valid email address is required"}),
        ({"email": f"{'x' * 250}@example.org"}, {"email": "A valid email address is required"}),
        ({"firstName": "x" * 81}, {"firstName": "A first name can have at most 80 characters."}),
        ({"notes": "x" * 1001}, {"notes": "Notes can have at most 1,000 characters."}),
        ({"status": "accepted"}, {"status": "Unknown field. Please remove it."}),
    ],
)
def test_an_invalid_invitation_is_refused_by_field(
    as_user: SignIn, cast: Cast, body: dict[str, Any], fields: dict[str, str]
) -> None:
    ada = as_user(cast.ada)
    given = {name: value for name, value in (MARY | body).items() if value is not None}
    refused = ada.post("/api/admin/invitations/send", json=given)
    assert (refused.status_code, refused.json()["fields"]) == (422, fields)
    assert ada.get("/api/admin/invitations").json() == []


def test_nobody_is_invited_twice(as_user: SignIn, cast: Cast) -> None:
    ada = as_user(cast.ada)
    ada.post("/api/admin/invitations/send", json=MARY)
    refused = ada.post("/api/admin/invitations/send", json=MARY)
    assert (refused.status_code, refused.json()["code"]) == (409, "already_invited")
    refused = ada.post("/api/admin/invitations/send", json=MARY | {"email": "ada@example.org"})
    assert (refused.status_code, refused.json()["message"]) == (409, "This person is already a member.")


def test_a_file_is_checked_in_a_dry_run_and_then_sent(as_user: SignIn, cast: Cast) -> None:
    ada = as_user(cast.ada)
    tried = ada.post("/api/admin/invitations/import?dryRun=true", files={"file": ("people.csv", FILE)})
    assert (tried.status_code, tried.json()) == (200, {"lines": 2, "sent": [], "errors": []})
    assert ada.get("/api/admin/invitations").json() == []
    sent = ada.post("/api/admin/invitations/import", files={"file": ("people.csv", FILE)}).json()
    assert [each["email"] for each in sent["sent"]] == ["nora@example.org", "sam@example.org"]
    again = ada.post("/api/admin/invitations/import", files={"file": ("people.csv", FILE)})
    assert (again.status_code, again.json()["code"]) == (422, "bad_lines")
    assert [(each["line"], each["column"]) for each in again.json()["errors"]] == [(2, "email"), (3, "email")]
    tried = ada.post("/api/admin/invitations/import?dryRun=true", files={"file": ("people.csv", FILE)})
    assert (tried.status_code, tried.json()["errors"]) == (200, again.json()["errors"])
    assert ada.get("/api/admin/invitations").headers["X-Total-Count"] == "2"


def test_an_invalid_file_is_refused(as_user: SignIn, cast: Cast) -> None:
    ada = as_user(cast.ada)
    missing = ada.post("/api/admin/invitations/import")
    assert (missing.status_code, list(missing.json()["fields"])) == (422, ["file"])
    text = ada.post("/api/admin/invitations/import", data={"file": "email"})
    assert text.status_code == 422
    picture = ada.post("/api/admin/invitations/import", files={"file": ("x.png", b"\x89PNG\xff")})
    assert (picture.status_code, picture.json()["code"]) == (422, "unreadable_file")
    huge = ada.post("/api/admin/invitations/import", files={"file": ("x.csv", b"email\n" + b"x" * 2**21)})
    assert huge.status_code == 413


def test_a_file_from_elsewhere_is_refused(as_user: SignIn, cast: Cast) -> None:
    foreign = {"Origin": "http://evil.example"}
    answer = as_user(cast.ada).post(
        "/api/admin/invitations/import", files={"file": ("people.csv", FILE)}, headers=foreign
    )
    assert (answer.status_code, answer.json()["code"]) == (403, "foreign_origin")


@pytest.mark.parametrize("number", ["0", "999", "abc", "99999999999999999999"])
def test_an_unknown_invitation_is_not_found(as_user: SignIn, cast: Cast, number: str) -> None:
    ada = as_user(cast.ada)
    for act in ("resend", "revoke"):
        assert ada.post(f"/api/admin/invitations/{number}/{act}").status_code == 404


def test_others_are_refused(as_user: SignIn, cast: Cast, client: TestClient) -> None:
    for who, status in ((client, 401), (as_user(cast.alice), 403)):
        assert who.get("/api/admin/invitations").status_code == status
        assert who.post("/api/admin/invitations/send", json=MARY).status_code == status
        assert who.post("/api/admin/invitations/import", files={"file": ("people.csv", FILE)}).status_code == status
