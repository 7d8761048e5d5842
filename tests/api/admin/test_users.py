"""Users over REST (RULE user-edit, RULE ban-user, RULE delete-user)."""

from typing import Any

import pytest
from sqlmodel import Session

from marketplace_app.models import Role
from tests.builders import give_credit, make_user
from tests.conftest import ON_SQLITE, Cast, SignIn


def test_people_are_listed_filtered_and_paged(as_user: SignIn, cast: Cast) -> None:
    ada = as_user(cast.ada)
    answer = ada.get("/api/admin/users")
    assert (answer.status_code, answer.headers["X-Total-Count"], len(answer.json())) == (200, "5", 5)
    assert answer.json()[0].keys() == {
        "id",
        "email",
        "firstName",
        "lastName",
        "createdAt",
        "referredBy",
        "referralBonusUsed",
        "firstPurchaseDiscountUsed",
        "referralCredit",
        "role",
        "banned",
        "banReason",
        "totalOrders",
        "totalSpent",
    }
    page = ada.get("/api/admin/users", params={"q": "example", "sort": "name", "limit": 2, "offset": 1})
    assert [each["firstName"] for each in page.json()] == ["Alice", "Bob"]
    assert page.headers["X-Total-Count"] == "5"
    banned = ada.get("/api/admin/users", params={"status": "banned"}).json()
    assert [(each["firstName"], each["banned"], each["banReason"]) for each in banned] == [
        ("Charlie", True, "Resold products")
    ]


@ON_SQLITE
@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"sort": "shoe size"}, "sort"),
        ({"order": "up"}, "order"),
        ({"status": "lost"}, "status"),
        ({"limit": 0}, "limit"),
        ({"limit": 101}, "limit"),
        ({"offset": -1}, "offset"),
        ({"q": "x" * 201}, "q"),
    ],
)
def test_an_invalid_query_is_refused(as_user: SignIn, cast: Cast, query: dict[str, Any], field: str) -> None:
    refused = as_user(cast.ada).get("/api/admin/users", params=query)
    assert (refused.status_code, list(refused.json()["fields"])) == (422, [field])


def test_the_detail_of_a_user_has_all_their_data(session: Session, as_user: SignIn, cast: Cast) -> None:
    give_credit(session, cast.alice, 30_00)
    session.commit()
    as_user(cast.alice)  # begins a session
    shown = as_user(cast.ada).get(f"/api/admin/users/{cast.alice.id}").json()
    assert (shown["email"], shown["verifiedEmail"], shown["referralCredit"]) == (
        "alice@example.org",
        "alice@example.org",
        "30.00",
    )
    assert [line["amount"] for line in shown["credit"]] == ["30.00"]
    assert [len(shown[name]) for name in ("orders", "tickets", "referrals", "sessions")] == [0, 0, 0, 1]


@pytest.mark.parametrize("user_id", ["0", "999", "abc", "99999999999999999999", "-1"])
def test_an_unknown_user_is_not_found(as_user: SignIn, cast: Cast, user_id: str) -> None:
    ada = as_user(cast.ada)
    for answer in (
        ada.get(f"/api/admin/users/{user_id}"),
        ada.put(f"/api/admin/users/{user_id}", json={"firstName": "X"}),
        ada.delete(f"/api/admin/users/{user_id}"),
        ada.post(f"/api/admin/users/{user_id}/ban", json={}),
    ):
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_a_profile_is_edited(as_user: SignIn, cast: Cast) -> None:
    body = {"firstName": "Alicia", "lastName": "Archer", "email": "new@example.org", "referralCredit": "12.50"}
    answer = as_user(cast.ada).put(f"/api/admin/users/{cast.alice.id}", json=body)
    assert answer.status_code == 200
    assert {name: answer.json()[name] for name in body} == body


@ON_SQLITE
@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"banned": True}, "banned"),
        ({"role": "owner"}, "role"),
        ({"verifiedEmail": "x@example.org"}, "verifiedEmail"),
        ({"id": 7}, "id"),
        ({"totalSpent": "0.00"}, "totalSpent"),
        ({"email": "nowhere"}, "email"),
        ({"email": ""}, "email"),
        ({"email": 7}, "email"),
        ({"firstName": "x" * 81}, "firstName"),
        ({"firstName": ["x"]}, "firstName"),
        ({"referralCredit": "-5.00"}, "referralCredit"),
        ({"referralCredit": "5.005"}, "referralCredit"),
        ({"referralCredit": "a lot"}, "referralCredit"),
        ({"referralCredit": "999999999.99"}, "referralCredit"),
    ],
)
def test_unknown_fields_and_invalid_values_are_refused_by_name(
    as_user: SignIn, cast: Cast, body: dict[str, Any], field: str
) -> None:
    ada = as_user(cast.ada)
    refused = ada.put(f"/api/admin/users/{cast.alice.id}", json={"lastName": "Archer"} | body)
    assert (refused.status_code, list(refused.json()["fields"])) == (422, [field])
    assert ada.get(f"/api/admin/users/{cast.alice.id}").json()["lastName"] == ""


def test_a_ban_ends_access_at_once_and_an_unban_restores_it(as_user: SignIn, cast: Cast) -> None:
    ada, alice = as_user(cast.ada), as_user(cast.alice)
    assert alice.get("/api/auth/user").status_code == 200
    banned = ada.post(f"/api/admin/users/{cast.alice.id}/ban", json={"reason": "Resold"})
    assert (banned.json()["banned"], banned.json()["banReason"]) == (True, "Resold")
    assert alice.get("/api/auth/user").status_code == 401
    assert ada.post(f"/api/admin/users/{cast.alice.id}/unban").json()["banned"] is False
    assert as_user(cast.alice).get("/api/auth/user").status_code == 200


@pytest.mark.parametrize("body", [None, {}, {"reason": ""}, {"reason": "   "}])
def test_a_ban_needs_no_reason(as_user: SignIn, cast: Cast, body: dict[str, Any] | None) -> None:
    ada = as_user(cast.ada)
    path = f"/api/admin/users/{cast.alice.id}/ban"
    answer = ada.post(path, json=body) if body is not None else ada.post(path)
    assert (answer.status_code, answer.json()["banReason"]) == (200, "No reason provided")


@pytest.mark.parametrize(
    ("body", "field"), [({"reason": 7}, "reason"), ({"why": "x"}, "why"), ({"reason": "x" * 501}, "reason")]
)
def test_an_invalid_ban_reason_is_refused(as_user: SignIn, cast: Cast, body: dict[str, Any], field: str) -> None:
    refused = as_user(cast.ada).post(f"/api/admin/users/{cast.alice.id}/ban", json=body)
    assert (refused.status_code, list(refused.json()["fields"])) == (422, [field])


def test_a_deleted_person_is_gone(as_user: SignIn, cast: Cast) -> None:
    ada, alice = as_user(cast.ada), as_user(cast.alice)
    gone = ada.delete(f"/api/admin/users/{cast.alice.id}")
    assert (gone.status_code, gone.json()) == (200, {"message": "User deleted successfully"})
    assert alice.get("/api/auth/user").status_code == 401
    assert ada.get("/api/admin/users").headers["X-Total-Count"] == "4"
    assert ada.get(f"/api/admin/users/{cast.alice.id}").status_code == 404


def test_signing_a_user_out_everywhere_ends_all_sessions_of_that_user_alone(as_user: SignIn, cast: Cast) -> None:
    phone, laptop, bob = as_user(cast.alice), as_user(cast.alice), as_user(cast.bob)
    assert as_user(cast.ada).post(f"/api/admin/users/{cast.alice.id}/sign-out").status_code == 200
    assert [client.get("/api/auth/user").status_code for client in (phone, laptop, bob)] == [401, 401, 200]


def test_roles_are_granted_by_owners_alone(session: Session, as_user: SignIn, cast: Cast) -> None:
    manager = make_user(session, "mona", role=Role.MANAGER)
    session.commit()
    path = f"/api/admin/users/{cast.alice.id}/role"
    assert as_user(manager).put(path, json={"role": "viewer"}).status_code == 403
    assert as_user(cast.ada).put(path, json={"role": "support"}).json()["role"] == "support"
    assert as_user(cast.alice).get("/api/admin/users").status_code == 200
    for body in ({"role": "king"}, {"role": None}, {}, {"role": "viewer", "until": "monday"}):
        assert as_user(cast.ada).put(path, json=body).status_code == 422


def test_only_owners_act_on_owners(session: Session, as_user: SignIn, cast: Cast) -> None:
    manager = make_user(session, "mona", role=Role.MANAGER)
    session.commit()
    mona = as_user(manager)
    for answer in (
        mona.put(f"/api/admin/users/{cast.ada.id}", json={"firstName": "X"}),
        mona.post(f"/api/admin/users/{cast.ada.id}/ban"),
        mona.post(f"/api/admin/users/{cast.ada.id}/unban"),
        mona.post(f"/api/admin/users/{cast.ada.id}/sign-out"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (403, "higher_role")


def test_staff_cannot_act_on_themselves(as_user: SignIn, cast: Cast) -> None:
    ada = as_user(cast.ada)
    for answer in (
        ada.post(f"/api/admin/users/{cast.ada.id}/ban"),
        ada.delete(f"/api/admin/users/{cast.ada.id}"),
        ada.put(f"/api/admin/users/{cast.ada.id}/role", json={"role": "viewer"}),
    ):
        assert (answer.status_code, answer.json()["code"]) == (409, "yourself")


def test_the_last_owner_cannot_delete_the_account(as_user: SignIn, cast: Cast) -> None:
    refused = as_user(cast.ada).delete("/api/auth/delete-account")
    assert (refused.status_code, refused.json()["code"]) == (409, "last_owner")
