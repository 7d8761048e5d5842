"""Preferences and recommendations over REST."""

from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlmodel import Session

from tests.builders import make_product
from tests.conftest import ON_SQLITE, Cast, SignIn

EMPTY = {
    "experienceLevel": None,
    "toleranceLevel": None,
    "primaryUseTime": None,
    "desiredIntensity": 5,
    "preferredTypes": [],
    "preferredEffects": [],
    "preferredFlavors": [],
    "medicalNeeds": [],
    "avoidEffects": [],
    "medicalConsent": False,
    "medicalConsentAt": None,
}
GIVEN = {
    "experienceLevel": "advanced",
    "toleranceLevel": "high",
    "primaryUseTime": "evening",
    "desiredIntensity": 8,
    "preferredTypes": ["Sativa", "Hybrid"],
    "preferredEffects": ["Relaxed", "Giggly"],
    "preferredFlavors": ["Citrus"],
    "avoidEffects": ["Couch Lock"],
}


def test_they_are_empty_until_saved_and_then_as_saved(as_user: SignIn, cast: Cast) -> None:
    alice = as_user(cast.alice)
    assert alice.get("/api/preferences").json() == EMPTY
    saved = alice.post("/api/preferences", json=GIVEN)
    assert (saved.status_code, saved.json()) == (200, EMPTY | GIVEN)
    assert alice.get("/api/preferences").json() == EMPTY | GIVEN
    assert as_user(cast.bob).get("/api/preferences").json() == EMPTY


def test_a_response_can_be_sent_back_as_a_request(as_user: SignIn, cast: Cast) -> None:
    alice = as_user(cast.alice)
    assert alice.post("/api/preferences", json=EMPTY).json() == EMPTY
    answer = alice.post("/api/preferences", json=GIVEN | {"medicalConsent": True, "medicalNeeds": ["Stress"]}).json()
    assert answer["medicalConsentAt"]
    assert alice.post("/api/preferences", json=answer).json() == answer
    assert alice.post("/api/preferences", json={}).json() == EMPTY


@ON_SQLITE
@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"experienceLevel": "Beginner"}, "experienceLevel"),
        ({"toleranceLevel": 3}, "toleranceLevel"),
        ({"primaryUseTime": ["night"]}, "primaryUseTime"),
        ({"desiredIntensity": 0}, "desiredIntensity"),
        ({"desiredIntensity": 11}, "desiredIntensity"),
        ({"desiredIntensity": 5.5}, "desiredIntensity"),
        ({"desiredIntensity": "5"}, "desiredIntensity"),
        ({"desiredIntensity": True}, "desiredIntensity"),
        ({"preferredTypes": ["Ruderalis"]}, "preferredTypes"),
        ({"preferredTypes": "Indica"}, "preferredTypes"),
        ({"preferredEffects": ["Happy", "Happy"]}, "preferredEffects"),
        ({"preferredEffects": [["Happy"]]}, "preferredEffects"),
        ({"preferredFlavors": ["citrus"]}, "preferredFlavors"),
        ({"preferredFlavors": {"Citrus": 1}}, "preferredFlavors"),
        ({"preferredFlavors": ["Citrus"] * 2000}, "preferredFlavors"),
        ({"avoidEffects": ["Paranoia", 5]}, "avoidEffects"),
        ({"medicalNeeds": ["Gout"], "medicalConsent": True}, "medicalNeeds"),
        ({"medicalNeeds": ["PTSD"]}, "medicalNeeds"),
        ({"medicalNeeds": ["PTSD"], "medicalConsent": False}, "medicalNeeds"),
        ({"medicalConsent": "yes"}, "medicalConsent"),
        ({"userId": 2}, "userId"),
    ],
)
def test_values_outside_the_lists_are_refused_by_field(
    as_user: SignIn, cast: Cast, body: dict[str, Any], field: str
) -> None:
    alice = as_user(cast.alice)
    alice.post("/api/preferences", json=GIVEN)
    answer = alice.post("/api/preferences", json=body)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_input")
    assert field in answer.json()["fields"]
    assert alice.get("/api/preferences").json() == EMPTY | GIVEN


def test_a_guest_is_asked_to_sign_in(client: TestClient) -> None:
    for answer in (
        client.get("/api/preferences"),
        client.post("/api/preferences", json={}),
        client.get("/api/recommendations"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (401, "not_signed_in")


def test_picks_come_with_their_reasons(as_user: SignIn, cast: Cast, session: Session) -> None:
    for _ in range(30):
        make_product(session, effects=["Relaxed", "Happy"], flavors=["Citrus"], thc_percent=20.0)
    make_product(session, "Sleeper", effects=["Relaxed", "Sleepy"], flavors=["Citrus"], thc_percent=20.0)
    session.commit()
    alice = as_user(cast.alice)
    assert alice.get("/api/recommendations").json() == []
    alice.post("/api/preferences", json=GIVEN)
    picks = alice.get("/api/recommendations").json()
    assert len(picks) == 8
    assert picks[0]["reasons"] == ["Relaxed", "Citrus"]
    assert picks[0]["why"] == "Relaxed, Citrus"
    assert picks[0]["product"] == next(
        product for product in alice.get("/api/products").json() if product["id"] == picks[0]["product"]["id"]
    )
    everything = alice.get("/api/recommendations?limit=24").json()
    assert len(everything) == 24
    assert "Sleeper" not in {pick["product"]["name"] for pick in everything}
    assert "medical" not in str(picks).lower()


@ON_SQLITE
@pytest.mark.parametrize("limit", ["0", "25", "-1", "all", "1.5"])
def test_a_limit_out_of_range_is_refused(as_user: SignIn, cast: Cast, limit: str) -> None:
    answer = as_user(cast.alice).get("/api/recommendations", params={"limit": limit})
    assert (answer.status_code, list(answer.json()["fields"])) == (422, ["limit"])


def test_an_admin_sees_their_own_and_no_health_data(as_user: SignIn, cast: Cast) -> None:
    as_user(cast.alice).post("/api/preferences", json={"medicalConsent": True, "medicalNeeds": ["PTSD"]})
    ada = as_user(cast.ada)
    assert ada.get("/api/preferences").json() == EMPTY
    for path in ("/api/auth/user", "/api/account/export", "/api/orders"):
        assert "PTSD" not in ada.get(path).text
