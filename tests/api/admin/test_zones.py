"""Delivery zones, by REST."""

from typing import Any

import pytest
from sqlmodel import Session

from marketplace_app import limits
from marketplace_app.models import Role
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.delivery.zones import ZoneForm
from marketplace_app.services.delivery import zones
from marketplace_app.services.delivery.zones import TooManyZones
from tests.builders import make_user
from tests.conftest import Cast, SignIn

ZONES = "/api/admin/zones"
EAST = {"name": "East side", "fee": "15.00", "minimum": None, "freeFrom": "150.00", "zips": ["97202", "97201"]}


def test_zones_are_added_changed_and_removed(cast: Cast, as_user: SignIn) -> None:
    ada = as_user(cast.ada)
    made = ada.post(ZONES, json=EAST)
    assert made.status_code == 201
    assert made.json() == EAST | {"id": made.json()["id"], "zips": ["97201", "97202"]}
    assert ada.get(ZONES).json() == [made.json()]
    url = f"{ZONES}/{made.json()['id']}"
    assert ada.put(url, json=EAST).json() == made.json()  # the same again changes nothing, and leaves no entry
    changed = ada.put(url, json={"name": "East", "zips": ["97203-1234", "97203"]})
    assert changed.json() == {
        "id": made.json()["id"],
        "name": "East",
        "fee": None,
        "minimum": None,
        "freeFrom": None,
        "zips": ["97203"],
    }
    assert ada.delete(url).status_code == 204
    assert ada.get(ZONES).json() == []
    assert ada.delete(url).status_code == ada.put(url, json=EAST).status_code == 404
    trail = [entry["words"] for entry in ada.get("/api/admin/audit").json()]
    assert trail == [
        "Ada (ada@example.org) removed the zone East",
        "Ada (ada@example.org) changed the zone East: name; fee; free from; zips",
        "Ada (ada@example.org) added the zone East side",
    ]


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"name": " "}, "name"),
        ({"name": "x" * 61}, "name"),
        ({"name": "east SIDE"}, "name"),
        ({"fee": "-1"}, "fee"),
        ({"fee": "10000.01"}, "fee"),
        ({"minimum": "12.345"}, "minimum"),
        ({"freeFrom": True}, "freeFrom"),
        ({"zips": []}, "zips"),
        ({"zips": ["9720"]}, "zips"),
        ({"zips": ["97201"]}, "zips"),
        ({"zips": [97301]}, "zips.0"),
        ({"zips": "97301"}, "zips"),
        ({"zips": [f"{number:05}" for number in range(limits.MAX_ZONE_ZIPS + 1)]}, "zips"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_a_wrong_zone_is_refused_by_field(cast: Cast, as_user: SignIn, wrong: dict[str, Any], field: str) -> None:
    ada = as_user(cast.ada)
    ada.post(ZONES, json=EAST).raise_for_status()
    refused = ada.post(ZONES, json={"name": "West", "zips": ["97301"]} | wrong)
    assert (refused.status_code, list(refused.json()["fields"])) == (422, [field])
    assert len(ada.get(ZONES).json()) == 1


@pytest.mark.parametrize("name", ["Île", "île", "ÎLE"])
def test_a_name_of_another_zone_is_refused_in_any_case(cast: Cast, as_user: SignIn, name: str) -> None:
    ada = as_user(cast.ada)
    ada.post(ZONES, json=EAST | {"name": "Île"}).raise_for_status()
    refused = ada.post(ZONES, json={"name": name, "zips": ["97301"]})
    assert (refused.status_code, list(refused.json()["fields"])) == (422, ["name"])


def test_a_zip_code_of_another_zone_is_refused_with_that_zones_name(cast: Cast, as_user: SignIn) -> None:
    ada = as_user(cast.ada)
    ada.post(ZONES, json=EAST).raise_for_status()
    refused = ada.post(ZONES, json={"name": "West", "zips": ["97301", "97202"]})
    assert refused.json()["fields"] == {"zips": "97202 is in the zone 'East side' already."}


@pytest.mark.parametrize(
    ("zips", "said"),
    [
        (["97201-97210"], "97201-97210 is a range: please write each of its ZIP codes."),
        (["9720", "x", "97301"], "'9720' and 'x' are not ZIP codes: five digits each are expected."),
        (
            [str(number) for number in range(12)],
            "'0', '1', '2', '3', '4', '5', '6', '7', '8', '9' and 2 more are not ZIP codes:"
            " five digits each are expected.",
        ),
        (["97201", "97202", "97301"], "97201 and 97202 are in the zone 'East side' already."),
    ],
)
def test_what_is_wrong_with_zip_codes_is_named(cast: Cast, as_user: SignIn, zips: list[str], said: str) -> None:
    ada = as_user(cast.ada)
    ada.post(ZONES, json=EAST).raise_for_status()
    refused = ada.post(ZONES, json={"name": "West", "zips": zips})
    assert (refused.status_code, refused.json()["fields"]) == (422, {"zips": said})


def test_there_are_no_more_zones_than_the_limit(session: Session, cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zones, "MAX_ZONES", 1)
    zones.add(session, cast.ada, parse(ZoneForm, EAST))
    with pytest.raises(TooManyZones):
        zones.add(session, cast.ada, parse(ZoneForm, {"name": "West", "zips": ["97301"]}))


def test_viewers_see_zones_and_managers_edit_them(session: Session, as_user: SignIn) -> None:
    vera, mona = (make_user(session, name, role=role) for name, role in (("vera", Role.VIEWER), ("mona", Role.MANAGER)))
    session.commit()
    assert as_user(vera).get(ZONES).status_code == 200
    assert as_user(vera).post(ZONES, json=EAST).status_code == 403
    assert as_user(mona).post(ZONES, json=EAST).status_code == 201
