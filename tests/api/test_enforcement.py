"""The rules of states, by REST (RULE enforcement)."""

from sqlmodel import Session

from marketplace_app.models import ZipPlace
from tests.builders import draft, enforce_rules, make_product, make_rules, make_window, make_zone, slot_id
from tests.conftest import Cast, SignIn

WINDOWS = "/api/delivery/windows"


def test_a_blocker_of_a_quote_is_the_conflict_of_an_order(session: Session, cast: Cast, as_user: SignIn) -> None:
    fern = make_product(session, price_cents=60_00)
    make_rules(session, delivery=False)
    enforce_rules(session)
    session.commit()
    alice = as_user(cast.alice)
    items = {"items": [{"productId": fern.id, "quantity": 2}]}
    quote = alice.post("/api/orders/quote", json=items | {"zip": "97201", "state": "Oregon"}).json()
    refused = alice.post("/api/orders", json=draft((fern, 2)))
    sentence = "Oregon does not allow deliveries. Please choose an address in another state."
    assert quote["blockers"] == [{"code": "delivery_not_allowed", "message": sentence}]
    assert (refused.status_code, refused.json()) == (409, {"code": "delivery_not_allowed", "message": sentence})
    assert alice.post("/api/orders/quote", json=items).json()["open"] == ["tax"]


def test_times_are_listed_within_the_hours_of_the_state(session: Session, cast: Cast, as_user: SignIn) -> None:
    zone = make_zone(session, "97201", "90012")
    late = slot_id(make_window(session, zone))
    early = slot_id(make_window(session, zone, opens_minute=10 * 60, closes_minute=12 * 60))
    make_rules(session, hours={"opens": "08:00", "closes": "18:00"})
    make_rules(session, "CA")
    session.commit()
    alice = as_user(cast.alice)

    def listed(**place: str) -> set[str]:
        """The first of each window."""
        return {early, late} & {slot["id"] for slot in alice.get(WINDOWS, params=place).json()}

    assert listed(zip="97201", state="OR") == {early, late}, "while no rules are applied"
    enforce_rules(session)
    session.commit()
    assert listed(zip="97201", state="OR") == {early}
    assert listed(zip="97201", state="CA") == {early, late}
    assert listed(zip="97201") == {early, late}, "the state is not known"
    session.add(ZipPlace(zip_code="97201", state="OR", latitude=45.5, longitude=-122.7))
    session.commit()
    assert listed(zip="97201") == {early}


def test_a_setting_is_changed_by_owners(session: Session, cast: Cast, as_user: SignIn) -> None:
    ada = as_user(cast.ada)
    saved = ada.put("/api/admin/settings", json={"enforceJurisdiction": True, "reason": "Rules are reviewed."})
    assert (saved.status_code, saved.json()["enforceJurisdiction"]) == (200, True)
