"""The shop settings over REST."""

from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlmodel import Session

from marketplace_app.models import Role
from tests.builders import make_user
from tests.conftest import Cast, SignIn

SETTINGS = "/api/admin/settings"
DEFAULTS = {
    "minimumOrder": "100.00",
    "deliveryFee": "25.00",
    "freeDelivery": "200.00",
    "deliveryHours": 48,
    "weekendDeliveryHours": 72,
    "firstPurchasePercent": 25,
    "referralDiscount": "100.00",
    "referralCredit": "100.00",
    "invitationDays": 7,
    "supportOpensHour": 9,
    "supportClosesHour": 21,
    "offersRushDelivery": True,
    "enforceJurisdiction": False,
    "cashRounding": "0.00",
    "keepChangeAsCredit": False,
}


def test_only_what_is_given_changes(as_user: SignIn, cast: Cast) -> None:
    ada = as_user(cast.ada)
    assert ada.get(SETTINGS).json() == DEFAULTS
    saved = ada.put(SETTINGS, json={"deliveryFee": "19.50", "supportClosesHour": 22, "reason": "Longer evenings."})
    assert (saved.status_code, saved.json()) == (200, DEFAULTS | {"deliveryFee": "19.50", "supportClosesHour": 22})
    assert ada.get(SETTINGS).json() == saved.json()


def test_the_history_says_what_who_when_and_why(as_user: SignIn, cast: Cast) -> None:
    ada = as_user(cast.ada)
    ada.put(SETTINGS, json={"deliveryFee": "19.50", "reason": "Fuel is cheaper."})
    ada.put(SETTINGS, json={"invitationDays": 10, "reason": "Holidays."})
    listed = ada.get(f"{SETTINGS}/history", params={"limit": 1, "offset": 1})
    assert listed.headers["X-Total-Count"] == "2"
    [change] = listed.json()
    assert {name: change[name] for name in ("name", "from", "to", "reason", "by")} == {
        "name": "deliveryFee",
        "from": "25.00",
        "to": "19.50",
        "reason": "Fuel is cheaper.",
        "by": "Ada",
    }


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"deliveryFee": "-1"}, "deliveryFee"),
        ({"deliveryFee": "1000.01"}, "deliveryFee"),
        ({"deliveryFee": "much"}, "deliveryFee"),
        ({"firstPurchasePercent": 101}, "firstPurchasePercent"),
        ({"firstPurchasePercent": "25"}, "firstPurchasePercent"),
        ({"firstPurchasePercent": 12.5}, "firstPurchasePercent"),
        ({"invitationDays": 0}, "invitationDays"),
        ({"supportOpensHour": 24}, "supportOpensHour"),
        ({"cashRounding": "3.33"}, "cashRounding"),
        ({"cashRounding": "25"}, "cashRounding"),
        ({"minimumOrder": "300"}, "freeDelivery"),
        ({"minimumAge": 18}, "minimumAge"),
        ({"deliveryFee": "20", "reason": " "}, "reason"),
        ({"deliveryFee": "20", "reason": None}, "reason"),
        ({"deliveryFee": "20", "reason": "x" * 501}, "reason"),
    ],
)
def test_invalid_values_are_refused_by_field(as_user: SignIn, cast: Cast, body: dict[str, Any], field: str) -> None:
    ada = as_user(cast.ada)
    refused = ada.put(SETTINGS, json={"reason": "To see."} | body)
    assert (refused.status_code, list(refused.json()["fields"])) == (422, [field])
    assert ada.get(SETTINGS).json() == DEFAULTS
    assert ada.get(f"{SETTINGS}/history").json() == []


def test_staff_read_settings_and_owners_write_them(
    client: TestClient, as_user: SignIn, session: Session, cast: Cast
) -> None:
    manager = make_user(session, "mona", role=Role.MANAGER)
    session.commit()
    change = {"deliveryFee": "1.00", "reason": "To see."}
    for who, reads, writes in ((client, 401, 401), (as_user(cast.alice), 403, 403), (as_user(manager), 200, 403)):
        assert who.get(SETTINGS).status_code == reads
        assert who.get(f"{SETTINGS}/history").status_code == reads
        assert who.put(SETTINGS, json=change).status_code == writes
    assert as_user(cast.ada).get(SETTINGS).json() == DEFAULTS
