"""The profile and saved addresses over REST."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.conftest import ON_SQLITE, Cast, SignIn

HOME: dict[str, Any] = {"street": "214 Larch Street", "city": "Portland", "state": "OR", "zip": "97201"}


def test_an_address_is_added_changed_and_removed(as_user: SignIn, cast: Cast) -> None:
    alice = as_user(cast.alice)
    added = alice.post("/api/addresses", json=HOME | {"label": "Home"})
    assert added.status_code == 201
    assert added.json() == HOME | {
        "id": added.json()["id"],
        "label": "Home",
        "deliveryInstructions": "",
        "paymentInstructions": "",
        "isDefault": True,
    }
    path = f"/api/addresses/{added.json()['id']}"
    changed = alice.put(path, json=HOME | {"label": "Work", "deliveryInstructions": "Ring twice."})
    assert (changed.status_code, changed.json()["label"], changed.json()["isDefault"]) == (200, "Work", True)
    assert alice.get("/api/addresses").json() == [changed.json()]
    assert alice.delete(path).status_code == 204
    assert alice.get("/api/addresses").json() == []
    assert alice.delete(path).status_code == 404


def test_an_eleventh_address_is_409(as_user: SignIn, cast: Cast) -> None:
    alice = as_user(cast.alice)
    for number in range(10):
        assert alice.post("/api/addresses", json=HOME | {"label": str(number)}).status_code == 201
    answer = alice.post("/api/addresses", json=HOME)
    assert (answer.status_code, answer.json()["code"]) == (409, "too_many_addresses")


@pytest.mark.parametrize("number", ["{hers}", "0", "99999999999999999999", "none"])
def test_an_address_that_is_not_ones_own_is_404(as_user: SignIn, cast: Cast, number: str) -> None:
    hers = as_user(cast.alice).post("/api/addresses", json=HOME).json()["id"]
    path = f"/api/addresses/{number.format(hers=hers)}"
    bob = as_user(cast.bob)
    assert [bob.put(path, json=HOME).status_code, bob.delete(path).status_code] == [404, 404]
    assert len(as_user(cast.alice).get("/api/addresses").json()) == 1


@ON_SQLITE
@pytest.mark.parametrize(
    ("change", "field", "sentence"),
    [
        ({"street": " "}, "street", "Delivery address is required"),
        ({"city": ""}, "city", "City is required"),
        ({"state": None}, "state", "State is required"),
        ({"zip": "9720"}, "zip", "Valid zip code is required"),
        ({"label": "x" * 41}, "label", "A label can have at most 40 characters."),
        ({"street": "a\x00b"}, "street", "Control characters are not allowed"),
        (
            {"deliveryInstructions": "x" * 1001},
            "deliveryInstructions",
            "Instructions can have at most 1,000 characters.",
        ),
        ({"userId": 1}, "userId", "Unknown field. Please remove it."),
    ],
)
def test_an_invalid_address_is_refused_by_field(
    as_user: SignIn, cast: Cast, change: dict[str, Any], field: str, sentence: str
) -> None:
    answer = as_user(cast.alice).post("/api/addresses", json=HOME | change)
    assert (answer.status_code, answer.json()["fields"]) == (422, {field: sentence})


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", ""), ("POST", ""), ("PUT", "/1"), ("DELETE", "/1")],
)
def test_a_guest_has_no_addresses(client: TestClient, method: str, path: str) -> None:
    body = HOME if method in ("POST", "PUT") else None
    assert client.request(method, f"/api/addresses{path}", json=body).status_code == 401


def test_the_profile_is_changed_field_by_field(as_user: SignIn, cast: Cast) -> None:
    alice = as_user(cast.alice)
    answer = alice.put("/api/auth/user", json={"lastName": " Whitfield ", "phone": "503 555 0142"})
    assert answer.status_code == 200
    assert (answer.json()["firstName"], answer.json()["lastName"]) == ("Alice", "Whitfield")
    assert alice.get("/api/auth/user").json() == answer.json()
    assert alice.put("/api/auth/user", json={"phone": ""}).json()["phone"] == ""


@ON_SQLITE
@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"phone": "555 0142"}, "phone"),
        ({"phone": "5" * 41}, "phone"),
        ({"firstName": "N" * 81}, "firstName"),
        ({"lastName": "a\x00b"}, "lastName"),
        ({"email": "other@example.org"}, "email"),
        ({"referralCredit": "100.00"}, "referralCredit"),
        ({"role": "owner"}, "role"),
    ],
)
def test_an_invalid_profile_is_refused_by_field(
    as_user: SignIn, cast: Cast, change: dict[str, Any], field: str
) -> None:
    alice = as_user(cast.alice)
    before = alice.get("/api/auth/user").json()
    answer = alice.put("/api/auth/user", json=change)
    assert (answer.status_code, list(answer.json()["fields"])) == (422, [field])
    assert alice.get("/api/auth/user").json() == before


def test_a_guest_has_no_profile(client: TestClient) -> None:
    assert client.put("/api/auth/user", json={"firstName": "Nora"}).status_code == 401
