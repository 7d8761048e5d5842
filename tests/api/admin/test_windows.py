"""Delivery windows and closed days, by REST."""

from typing import Any

import pytest
from sqlmodel import Session

from marketplace_app import db, errors
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.delivery.windows import ClosureForm, WindowForm
from marketplace_app.services.delivery import closures, windows
from tests.builders import make_zone
from tests.conftest import Cast, SignIn

WINDOWS, CLOSURES = "/api/admin/windows", "/api/admin/closures"
FRIDAY = {"weekday": 4, "opens": "17:00", "closes": "24:00", "cutoffMinutes": 120, "capacity": 12}


@pytest.fixture
def zone_id(session: Session) -> int:
    zone = make_zone(session, "97201")
    session.commit()
    return zone.id


def test_windows_are_added_changed_and_removed(cast: Cast, as_user: SignIn, zone_id: int) -> None:
    ada, body = as_user(cast.ada), FRIDAY | {"zoneId": zone_id}
    made = ada.post(WINDOWS, json=body)
    assert (made.status_code, made.json()) == (201, body | {"id": made.json()["id"]})
    assert ada.get(WINDOWS).json() == [made.json()]
    path = f"{WINDOWS}/{made.json()['id']}"
    assert ada.put(path, json=body).json() == made.json()  # the same again changes nothing, and leaves no entry
    changed = ada.put(path, json=body | {"opens": "09:30", "closes": "12:00"})
    assert (changed.json()["opens"], changed.json()["closes"]) == ("09:30", "12:00")
    assert ada.delete(path).status_code == 204
    assert ada.get(WINDOWS).json() == []
    assert ada.delete(path).status_code == ada.put(path, json=body).status_code == 404
    trail = [entry["words"] for entry in ada.get("/api/admin/audit").json()]
    assert trail == [
        "Ada (ada@example.org) removed the window East side, Friday 09:30 to 12:00",
        "Ada (ada@example.org) changed the window East side, Friday 09:30 to 12:00",
        "Ada (ada@example.org) added the window East side, Friday 17:00 to 24:00",
    ]


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"zoneId": 987654}, "zoneId"),
        ({"zoneId": "1"}, "zoneId"),
        ({"weekday": 7}, "weekday"),
        ({"weekday": True}, "weekday"),
        ({"opens": "9:30"}, "opens"),
        ({"opens": "24:01"}, "opens"),
        ({"opens": 570}, "opens"),
        ({"closes": "17:00"}, "closes"),
        ({"closes": "09:00"}, "closes"),
        ({"closes": "24:00"}, "opens"),
        ({"cutoffMinutes": -1}, "cutoffMinutes"),
        ({"cutoffMinutes": 10_081}, "cutoffMinutes"),
        ({"capacity": 0}, "capacity"),
        ({"capacity": 1_001}, "capacity"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_a_wrong_window_is_refused_by_field(
    cast: Cast, as_user: SignIn, zone_id: int, wrong: dict[str, Any], field: str
) -> None:
    ada = as_user(cast.ada)
    ada.post(WINDOWS, json=FRIDAY | {"zoneId": zone_id}).raise_for_status()
    refused = ada.post(WINDOWS, json=FRIDAY | {"zoneId": zone_id, "closes": "20:00"} | wrong)
    assert (refused.status_code, list(refused.json()["fields"])) == (422, [field])
    assert len(ada.get(WINDOWS).json()) == 1


def test_days_are_closed_and_opened(cast: Cast, as_user: SignIn) -> None:
    ada = as_user(cast.ada)
    closed = ada.post(CLOSURES, json={"day": "2026-12-25", "reason": "Christmas"})
    assert (closed.status_code, closed.json()) == (201, {"day": "2026-12-25", "reason": "Christmas"})
    ada.post(CLOSURES, json={"day": "2026-12-25", "reason": "Christmas"}).raise_for_status()
    ada.post(CLOSURES, json={"day": "2026-12-24"}).raise_for_status()
    assert [each["day"] for each in ada.get(CLOSURES).json()] == ["2026-12-24", "2026-12-25"]
    assert ada.delete(f"{CLOSURES}/2026-12-25").status_code == 204
    assert [ada.delete(f"{CLOSURES}/{day}").status_code for day in ("2026-12-25", "2026-02-30", "x")] == [404] * 3
    trail = [entry["words"] for entry in ada.get("/api/admin/audit").json()]
    assert trail == [
        "Ada (ada@example.org) opened 2026-12-25 for deliveries",
        "Ada (ada@example.org) closed 2026-12-24 for deliveries",
        "Ada (ada@example.org) closed 2026-12-25 for deliveries: Christmas",
    ]


@pytest.mark.parametrize("wrong", [{"day": "25.12.2026"}, {"day": "1999-12-31"}, {"reason": "x" * 201}, {"day": None}])
def test_a_wrong_closure_is_refused_by_field(cast: Cast, as_user: SignIn, wrong: dict[str, Any]) -> None:
    refused = as_user(cast.ada).post(CLOSURES, json={"day": "2026-12-25"} | wrong)
    assert (refused.status_code, list(refused.json()["fields"])) == (422, list(wrong))


def test_the_audit_trail_names_an_opened_day_alike_however_it_was_written(cast: Cast, as_user: SignIn) -> None:
    ada = as_user(cast.ada)
    ada.post(CLOSURES, json={"day": "2026-12-25"}).raise_for_status()
    assert ada.delete(f"{CLOSURES}/20261225").status_code == 204
    opened, closed = ada.get("/api/admin/audit").json()
    assert opened["subject"] == closed["subject"] == "closure:2026-12-25"


def test_windows_of_several_days_are_added_together_or_not_at_all(cast: Cast, as_user: SignIn, zone_id: int) -> None:
    as_user(cast.ada).post(WINDOWS, json=FRIDAY | {"zoneId": zone_id}).raise_for_status()
    forms = [parse(WindowForm, FRIDAY | {"zoneId": zone_id, "weekday": day}) for day in (3, 4)]
    with pytest.raises(errors.InvalidInput) as refused:
        db.write(lambda s: windows.add_all(s, cast.ada, forms))
    assert refused.value.fields == {"opens": "This zone already has a window with these times on Friday."}
    db.write(lambda s: windows.add_all(s, cast.ada, forms[:1]))
    assert [each["weekday"] for each in as_user(cast.ada).get(WINDOWS).json()] == [3, 4]


def test_a_window_that_a_colleague_has_changed_is_not_overwritten(cast: Cast, zone_id: int) -> None:
    form = parse(WindowForm, FRIDAY | {"zoneId": zone_id})
    made = db.write(lambda s: windows.add(s, cast.ada, form))
    fewer = parse(WindowForm, FRIDAY | {"zoneId": zone_id, "capacity": 3})
    db.write(lambda s: windows.change(s, cast.ada, made.id, fewer, seen=made.values()))
    with pytest.raises(errors.EditedMeanwhile) as refused:
        db.write(lambda s: windows.change(s, cast.ada, made.id, form, seen=made.values()))
    assert refused.value.fields == ("capacity",)


def test_there_are_limits(session: Session, cast: Cast, zone_id: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(windows, "MAX_WINDOWS", 0)
    monkeypatch.setattr(closures, "MAX_CLOSURES", 0)
    with pytest.raises(windows.TooManyWindows):
        windows.add(session, cast.ada, parse(WindowForm, FRIDAY | {"zoneId": zone_id}))
    with pytest.raises(closures.TooManyClosures):
        closures.add(session, cast.ada, parse(ClosureForm, {"day": "2026-12-25"}))
