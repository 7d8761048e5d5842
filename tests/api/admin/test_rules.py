"""Rules of states, by REST (RULE rules-admin)."""

from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlmodel import Session

from marketplace_app.models import Role
from marketplace_app.rule_messages import ALREADY_REVIEWED, SOURCE_EXPECTED
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.jurisdictions.jurisdictions import VersionForm
from marketplace_app.services.jurisdictions import drafts
from tests.builders import make_user
from tests.conftest import ON_SQLITE, Cast, SignIn

RULES = "/api/admin/rules"
ALLOWED = [{"value": True, "source": "OAR 845-025-2880(1)"}]
OREGON = {
    "state": "OR",
    "validFrom": "2026-01-01",
    "checkedOn": "2026-11-20",
    "source": "OAR 845-025-2880",
    "rules": {
        "delivery": ALLOWED,
        "cashOnDelivery": ALLOWED,
        "vehicleValue": [{"value": "5000.00", "source": "One"}, {"value": "10000.00", "source": "Other"}],
        "buckets": [],
        "taxes": [],
    },
}


def test_rules_are_added_and_reviewed(cast: Cast, as_user: SignIn) -> None:
    ada = as_user(cast.ada)
    made = ada.post(RULES, json=OREGON)
    assert made.status_code == 201
    path = f"{RULES}/{made.json()['id']}"
    unreviewed = {"choices": None, "reviewedBy": None, "reviewedAt": None}
    assert made.json() == OREGON | unreviewed | {"id": made.json()["id"]}
    assert ada.get(RULES).json() == [made.json()]
    assert ada.get(path).json() == made.json()
    reviewed = ada.post(f"{path}/review", json={"choices": {"vehicleValue": 1}})
    assert reviewed.status_code == 200
    assert (reviewed.json()["choices"], reviewed.json()["reviewedBy"]) == ({"vehicleValue": 1}, "Ada")
    assert ada.get(path).json() == reviewed.json()
    again = ada.post(f"{path}/review", json={"choices": {"vehicleValue": 0}})
    assert (again.status_code, again.json()) == (409, {"message": ALREADY_REVIEWED, "code": "already_reviewed"})
    assert ada.get(path).json() == reviewed.json()
    trail = [entry["words"] for entry in ada.get("/api/admin/audit").json()]
    assert trail == [
        "Ada (ada@example.org) reviewed the rules of OR, choosing value 2 of vehicleValue",
        "Ada (ada@example.org) added the rules of OR, in force from 2026-01-01",
    ]


@pytest.mark.parametrize(
    ("choices", "fields"),
    [
        ({}, {"vehicleValue": "Choose one of the 2 values."}),
        ({"vehicleValue": 2}, {"vehicleValue": "Choose one of the 2 values."}),
        ({"vehicleValue": 0, "delivery": 0}, {"delivery": "There is nothing to choose here."}),
        ({"vehicleValue": -1}, {"choices.vehicleValue": "A number of at least 0 is expected"}),
        ({"vehicleValue": True}, {"choices.vehicleValue": "A whole number is expected"}),
    ],
)
def test_a_review_needs_one_valid_choice_for_each_line_with_several_values(
    cast: Cast, as_user: SignIn, choices: dict[str, Any], fields: dict[str, str]
) -> None:
    ada = as_user(cast.ada)
    path = f"{RULES}/{ada.post(RULES, json=OREGON).json()['id']}"
    refused = ada.post(f"{path}/review", json={"choices": choices})
    assert (refused.status_code, refused.json()["fields"]) == (422, fields)
    assert ada.get(path).json()["reviewedAt"] is None


BUCKET = {
    "code": "flower",
    "label": "Flower",
    "days": 1,
    "limit": [{"value": 28_500, "source": "Law"}],
    "counts": [{"category": "THC Flower"}],
}
TAX = {"code": "sales", "label": "Sales tax", "rate": [{"value": 725, "source": "Law"}], "base": ["items"]}
TAX_ON_TAX = {
    "code": "city",
    "label": "City tax",
    "rate": [{"value": 100, "source": "Law"}, {"value": 2_501, "source": "Other"}],
    "base": ["items", "sales"],
}


@ON_SQLITE
@pytest.mark.parametrize(
    ("wrong", "fields"),
    [
        ({"state": "XX"}, {"state": "A state such as CA is expected"}),
        ({"source": ""}, {"source": SOURCE_EXPECTED}),
        ({"validFrom": "soon"}, {"validFrom": "A date such as 2026-11-02 is expected"}),
        ({"note": "x"}, {"note": "Unknown field. Please remove it."}),
        ({"rules": {"delivery": ALLOWED}}, {"rules.cashOnDelivery": "This field is required."}),
        ({"rules.delivery": [{"value": True}]}, {"rules.delivery.0.source": "This field is required."}),
        (
            {"rules.delivery": [{"value": "yes", "source": "L"}]},
            {"rules.delivery.0.value": "True or false is expected"},
        ),
        ({"rules.delivery": []}, {"rules.delivery": "At least one is expected"}),
        (
            {"rules.buckets": [BUCKET, BUCKET | {"code": "other"}]},
            {"rules.buckets": "Two limits of the same period count 'THC Flower'"},
        ),
        ({"rules.buckets": [BUCKET, BUCKET]}, {"rules.buckets": "Two are named 'flower'"}),
        ({"rules.taxes": [TAX, TAX]}, {"rules.taxes": "Two are named 'sales'"}),
        ({"rules.taxes": [TAX | {"code": "items"}]}, {"rules.taxes": "Two are named 'items'"}),
        ({"rules.taxes": [TAX | {"base": ["items", "items"]}]}, {"rules.taxes": "'items' is listed twice"}),
        (
            {"rules.taxes": [TAX | {"base": ["excise"]}]},
            {"rules.taxes": "'excise' is neither items, delivery nor a tax before 'sales'"},
        ),
        (
            {"rules.taxes": [TAX | {"rate": [{"value": 6_000, "source": "Law"}]}, TAX_ON_TAX]},
            {"rules.taxes": "Together these taxes come to more than the price of the goods and the delivery fee"},
        ),
        (
            {"rules.addressKinds": [{"value": [], "source": "Law"}]},
            {"rules.addressKinds.0.value": "At least one is expected"},
        ),
        ({"validFrom": "0001-01-01"}, {"validFrom": "A day between 2000-01-01 and 2999-12-31 is expected"}),
        ({"checkedOn": "9999-12-31"}, {"checkedOn": "A day between 2000-01-01 and 2999-12-31 is expected"}),
    ],
)
def test_wrong_rules_are_refused_by_field(
    cast: Cast, as_user: SignIn, wrong: dict[str, Any], fields: dict[str, str]
) -> None:
    ada = as_user(cast.ada)
    inner = {name.removeprefix("rules."): value for name, value in wrong.items() if name.startswith("rules.")}
    outer = {name: value for name, value in wrong.items() if not name.startswith("rules.")}
    refused = ada.post(RULES, json=OREGON | {"rules": OREGON["rules"] | inner} | outer)  # type: ignore[operator]
    assert (refused.status_code, refused.json()["fields"]) == (422, fields)
    assert ada.get(RULES).json() == []


def test_taxes_that_come_to_as_much_as_the_sale_are_allowed(cast: Cast, as_user: SignIn) -> None:
    sixty_percent = {"rate": [{"value": 6_000, "source": "Law"}]}
    twenty_five_percent = {"rate": [{"value": 2_500, "source": "Law"}], "base": ["delivery", "items", "sales"]}
    rules = OREGON["rules"] | {"taxes": [TAX | sixty_percent, TAX_ON_TAX | twenty_five_percent]}  # type: ignore[operator]
    assert as_user(cast.ada).post(RULES, json=OREGON | {"rules": rules}).status_code == 201


def test_rules_that_do_not_exist_are_404(cast: Cast, as_user: SignIn) -> None:
    ada = as_user(cast.ada)
    assert ada.get(f"{RULES}/7").status_code == ada.get(f"{RULES}/seven").status_code == 404
    assert ada.post(f"{RULES}/7/review", json={"choices": {}}).status_code == 404


def test_the_drafts_that_ship_with_the_store_can_be_added_as_they_are(cast: Cast, as_user: SignIn) -> None:
    ada = as_user(cast.ada)
    shipped = ada.get(f"{RULES}/drafts").json()
    assert [draft["state"] for draft in shipped] == [drafts.read(state).state for state in drafts.list_states()]
    for draft in shipped:
        added = ada.post(RULES, json=draft)
        assert added.status_code == 201, added.text
        assert parse(VersionForm, draft).rules.wire() == added.json()["rules"]
    assert len(ada.get(RULES).json()) == len(shipped) == 3


def test_viewers_and_managers_see_rules_but_only_owners_add_and_review_them(
    session: Session, cast: Cast, as_user: SignIn
) -> None:
    vera, mona = (make_user(session, name, role=role) for name, role in (("vera", Role.VIEWER), ("mona", Role.MANAGER)))
    session.commit()
    made = as_user(cast.ada).post(RULES, json=OREGON).json()
    for person in (vera, mona):
        client = as_user(person)
        assert client.get(f"{RULES}/{made['id']}").json() == client.get(RULES).json()[0] == made
        assert client.get(f"{RULES}/drafts").status_code == 200
        assert client.post(RULES, json=OREGON).status_code == 403
        review = client.post(f"{RULES}/{made['id']}/review", json={"choices": {"vehicleValue": 0}})
        assert review.status_code == 403
    assert as_user(cast.ada).get(RULES).json() == [made]


def test_generic_schemas_have_short_names_in_the_documentation(client: TestClient) -> None:
    """Pydantic's own name for a generic schema spells out every constraint of its type."""
    named = client.get("/api/openapi.json").json()["components"]["schemas"]
    choices = sorted(name for name in named if name.startswith(("Choice", "Option")))
    assert "Choice_Amount_" in choices
    assert [name for name in choices if len(name) > 25] == []
