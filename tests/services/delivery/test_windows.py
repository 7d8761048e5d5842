"""Which slots a ZIP code is offered (RULE windows, RULE delivery-slots)."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import Engine, select, text
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col

from marketplace_app import clock, db
from marketplace_app.models import Closure, Slot, User, Window
from marketplace_app.schemas.delivery.slots import SlotId, read_slot_id
from marketplace_app.schemas.delivery.windows import minutes_between
from marketplace_app.services.delivery import windows
from marketplace_app.services.delivery.windows import SlotOffer
from tests.builders import make_window, make_zone
from tests.conftest import Cast
from tests.services.delivery.test_zones import wait_for_a_blocked_transaction

STORE = ZoneInfo("America/Los_Angeles")
THURSDAY, FRIDAY, SATURDAY, SUNDAY = 3, 4, 5, 6
THURSDAY_NOON = datetime(2026, 11, 26, 12, tzinfo=STORE)


def offers(session: Session, at: datetime = THURSDAY_NOON, zip_code: str = "97201") -> list[SlotOffer]:
    """The slots that are offered. Asserts that `find`, asked for each possible slot, finds exactly these."""
    offered = windows.offered(session, zip_code, at)
    ids = session.execute(select(col(Window.id))).scalars().all()
    around = [SlotId(window_id, at.date() + timedelta(days=days)) for window_id in ids for days in range(-8, 22)]
    found = [windows.find(session, zip_code, slot_id, at, lock=True) for slot_id in around]
    assert {offer for offer in found if offer} == set(offered)
    return offered


def days(found: list[SlotOffer]) -> list[str]:
    return [offer.id.day.isoformat() for offer in found]


def test_a_window_is_offered_on_its_weekday_for_two_weeks(session: Session) -> None:
    window = make_window(session, make_zone(session, "97201"), weekday=FRIDAY)
    first, second = offers(session)
    assert days([first, second]) == ["2026-11-27", "2026-12-04"]
    assert first.id.text == f"{window.id}-2026-11-27"
    assert (first.starts_at, first.ends_at) == (
        datetime(2026, 11, 27, 17, tzinfo=STORE),
        datetime(2026, 11, 27, 19, tzinfo=STORE),
    )
    assert (first.view.left, first.is_full) == (10, False)


def test_it_is_offered_in_its_zone_only(session: Session) -> None:
    make_window(session, make_zone(session, "97201"), weekday=FRIDAY)
    make_zone(session, "97211", name="North")
    assert offers(session, zip_code="97211") == offers(session, zip_code="97999") == []


@pytest.mark.parametrize(("minutes", "is_offered"), [(0, True), (-1, True), (1, False)])
def test_the_last_order_is_taken_at_the_cut_off(session: Session, minutes: int, is_offered: bool) -> None:
    make_window(session, make_zone(session, "97201"), weekday=FRIDAY, cutoff_minutes=120)
    at = datetime(2026, 11, 27, 15, tzinfo=STORE) + timedelta(minutes=minutes)
    assert ("2026-11-27" in days(offers(session, at))) is is_offered


def test_nothing_is_offered_on_a_closed_day(session: Session) -> None:
    make_window(session, make_zone(session, "97201"), weekday=FRIDAY)
    session.add(Closure(day=date(2026, 11, 27)))
    session.flush()
    assert days(offers(session)) == ["2026-12-04"]


def test_the_earliest_comes_first_whatever_the_order_of_the_windows(session: Session) -> None:
    zone = make_zone(session, "97201")
    for weekday, opens in ((SATURDAY, 9), (FRIDAY, 17), (FRIDAY, 9)):
        make_window(session, zone, weekday=weekday, opens_minute=opens * 60)
    starts = [offer.starts_at for offer in offers(session)]
    assert starts == sorted(starts)


def test_days_are_the_stores(session: Session) -> None:
    """It is Friday in London and still Thursday at the store."""
    make_window(session, make_zone(session, "97201"), weekday=THURSDAY, opens_minute=22 * 60, closes_minute=24 * 60)
    first = offers(session, datetime(2026, 11, 27, 5, 30, tzinfo=UTC))[0]
    assert (first.id.day, first.ends_at) == (date(2026, 11, 26), datetime(2026, 11, 27, 8, tzinfo=UTC))


@pytest.mark.parametrize(
    ("day", "hours"),
    [(date(2027, 3, 14), 2), (date(2027, 11, 7), 4)],  # the clock is set forward, and back
)
def test_times_are_wall_clock_times_on_days_when_clocks_change(session: Session, day: date, hours: int) -> None:
    window = make_window(session, make_zone(session, "97201"), weekday=SUNDAY, opens_minute=60, closes_minute=4 * 60)
    at = datetime(day.year, day.month, day.day, tzinfo=STORE) - timedelta(days=1)
    first = offers(session, at)[0]
    assert first.id == read_slot_id(f"{window.id}-{day}")
    assert first.ends_at - first.starts_at == timedelta(hours=hours)


def test_a_window_in_the_hour_that_is_left_out_is_not_offered_on_that_day(session: Session) -> None:
    make_window(session, make_zone(session, "97201"), weekday=SUNDAY, opens_minute=120, closes_minute=180)
    assert days(offers(session, datetime(2027, 3, 13, 12, tzinfo=STORE))) == ["2027-03-21"]


def test_a_slot_keeps_the_times_and_places_it_was_made_with(session: Session) -> None:
    window = make_window(session, make_zone(session, "97201"), weekday=FRIDAY)
    made = offers(session)[0]
    row = Slot(window_id=window.id, day=made.id.day, starts_at=made.starts_at, ends_at=made.ends_at, capacity=10)
    row.taken = 10
    window.opens_minute, window.capacity = 18 * 60, 3
    session.add_all([row, window])
    session.flush()
    first, second = offers(session)
    assert (first.starts_at, first.capacity, first.view.left, first.is_full) == (made.starts_at, 10, 0, True)
    assert (second.starts_at.astimezone(STORE).hour, second.capacity) == (18, 3)


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_removing_a_window_locks_no_slot_before_the_window(engine: Engine, session: Session, cast: Cast) -> None:
    """An order locks its window, then its slot: in the other order the two would deadlock."""
    window = make_window(session, make_zone(session, "97201"))
    offer = windows.offered(session, "97201", clock.now())[0]
    slot = Slot(window_id=window.id, day=offer.id.day, starts_at=offer.starts_at, ends_at=offer.ends_at, capacity=1)
    session.add(slot)
    session.commit()
    slot_id, window_id, ada_id = slot.id, window.id, cast.ada.id
    session.rollback()
    with ThreadPoolExecutor(1) as pool, Session(engine) as placing:
        assert windows.find(placing, "97201", offer.id, clock.now(), lock=True) is not None
        removal = pool.submit(db.write, lambda s: windows.remove(s, s.get(User, ada_id), window_id))
        wait_for_a_blocked_transaction(engine)
        placing.execute(text("SELECT id FROM slots WHERE id = :id FOR UPDATE NOWAIT"), {"id": slot_id})
        placing.rollback()
        removal.result(timeout=10)


@pytest.mark.parametrize(
    "wrong",
    [
        {"weekday": 7},
        {"weekday": -1},
        {"opens_minute": 1140},
        {"opens_minute": -1},
        {"closes_minute": 1441},
        {"cutoff_minutes": -1},
        {"capacity": 0},
        {"zone_id": 987654},
    ],
)
def test_the_database_takes_no_impossible_window(session: Session, wrong: dict[str, Any]) -> None:
    zone = make_zone(session, "97201")
    with pytest.raises(IntegrityError):
        make_window(session, zone, **wrong)


@pytest.mark.parametrize("taken", [-1, 11])
def test_the_database_takes_no_more_orders_than_places(session: Session, taken: int) -> None:
    window: Window = make_window(session, make_zone(session, "97201"))
    now = datetime(2026, 11, 27, 17, tzinfo=STORE)
    times = {"starts_at": now, "ends_at": now + timedelta(hours=2)}
    session.add(Slot(window_id=window.id, day=now.date(), capacity=10, taken=taken, **times))
    with pytest.raises(IntegrityError):
        session.flush()


@pytest.mark.parametrize(
    "text", ["", "12", "12-2026-02-30", "0-2026-11-27", "a-2026-11-27", "12-2026-11-27 ", "-1-2026-11-27"]
)
def test_other_text_names_no_slot(text: str) -> None:
    with pytest.raises(ValueError, match="one of the delivery times is expected"):
        read_slot_id(text)


@pytest.mark.parametrize(
    ("opens", "closes", "minutes"),
    [("17:00", "19:00", 120), (" 17:00", "24:00 ", 420), ("19:00", "17:00", 0), ("5 pm", "19:00", 0), ("", "", 0)],
)
def test_the_length_of_a_window_is_read_as_it_is_typed(opens: str, closes: str, minutes: int) -> None:
    assert minutes_between(opens, closes) == minutes
