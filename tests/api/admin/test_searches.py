"""Synonyms and searches that found nothing, by REST."""

from datetime import timedelta
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlmodel import Session

from marketplace_app import clock
from marketplace_app.models import Role, SearchMiss
from tests.builders import make_user
from tests.conftest import Cast, SignIn

SYNONYMS = "/api/admin/search/synonyms"
MISSES = "/api/admin/search/misses"


def listed(client: TestClient) -> dict[str, Any]:
    return {each["term"]: each for each in client.get(SYNONYMS).json()}


def test_synonyms_are_added_changed_and_removed(cast: Cast, as_user: SignIn) -> None:
    ada = as_user(cast.ada)
    made = ada.post(SYNONYMS, json={"term": " Reefer ", "replacement": "Pre-Roll"})
    assert made.status_code == 201
    assert listed(ada)["Reefer"] == made.json()
    path = f"{SYNONYMS}/{made.json()['id']}"
    changed = ada.put(path, json={"term": "reefers", "replacement": "Pre-Roll"})
    assert (changed.status_code, changed.json()["term"]) == (200, "reefers")
    assert ada.delete(path).status_code == 204
    assert "reefers" not in listed(ada)
    assert ada.delete(path).status_code == 404
    assert ada.put(path, json={"term": "reefers", "replacement": "Pre-Roll"}).status_code == 404
    trail = [entry["words"] for entry in ada.get("/api/admin/audit").json()]
    assert trail == [
        "Ada (ada@example.org) removed a synonym: reefers → Pre-Roll",
        "Ada (ada@example.org) changed a synonym: Reefer → Pre-Roll is now reefers → Pre-Roll",
        "Ada (ada@example.org) added a synonym: Reefer → Pre-Roll",
    ]


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"replacement": "joint"}, "replacement"),  # itself
        ({"replacement": "JOINT!"}, "replacement"),  # itself, folded
        ({"term": "pre roll", "replacement": "doobie"}, "replacement"),  # which itself stands for a pre-roll
        ({"term": "Joint", "replacement": "pre roll"}, "replacement"),  # is there from the start
        ({"term": ""}, "term"),
        ({"term": None}, "term"),
        ({"replacement": "x" * 41}, "replacement"),
        ({"weight": 3}, "weight"),
    ],
)
def test_invalid_values_are_refused_by_field(cast: Cast, as_user: SignIn, wrong: dict[str, Any], field: str) -> None:
    ada = as_user(cast.ada)
    before = listed(ada)
    refused = ada.post(SYNONYMS, json={"term": "joint", "replacement": "reefer"} | wrong)
    assert (refused.status_code, list(refused.json()["fields"])) == (422, [field])
    assert listed(ada) == before


def test_a_viewer_sees_them_and_changes_none(session: Session, as_user: SignIn) -> None:
    viewer = make_user(session, "vera", role=Role.VIEWER)
    session.commit()
    client = as_user(viewer)
    assert client.get(SYNONYMS).status_code == client.get(MISSES).status_code == 200
    assert client.post(SYNONYMS, json={}).status_code == 403
    assert client.put(f"{SYNONYMS}/1", json={}).status_code == client.delete(f"{SYNONYMS}/1").status_code == 403


def test_words_that_found_nothing_on_two_days_are_listed(session: Session, cast: Cast, as_user: SignIn) -> None:
    today = clock.now().date()
    for days, words, count in ((2, "moon rocks", 2), (1, "moon rocks", 3), (1, "kief", 9)):
        session.add(SearchMiss(day=today - timedelta(days=days), words=words, count=count))
    session.commit()
    last_day = (today - timedelta(days=1)).isoformat()
    expected = [{"words": "moon rocks", "count": 5, "days": 2, "lastDay": last_day}]
    assert as_user(cast.ada).get(MISSES).json() == expected
