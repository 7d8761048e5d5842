"""Delivery windows: the slots that they offer, and how staff edit them."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, NamedTuple

from sqlalchemy import and_, bindparam, func, select
from sqlmodel import Session, col

from marketplace_app import clock
from marketplace_app.adapters import live
from marketplace_app.config import get_settings
from marketplace_app.delivery_messages import WINDOW_NOT_FOUND
from marketplace_app.errors import Conflict, EditedMeanwhile, InvalidInput, NotFound
from marketplace_app.limits import MAX_OFFERED_SLOTS, MAX_WINDOWS, OFFERED_DAYS
from marketplace_app.models import Closure, Permission, Slot, User, Window, Zone, ZoneZip
from marketplace_app.models.base import table_of
from marketplace_app.places import Place
from marketplace_app.schemas.base import conflicting_fields
from marketplace_app.schemas.delivery.slots import OfferedSlot, SlotId
from marketplace_app.schemas.delivery.windows import WEEKDAYS, WindowForm, WindowView, show_minutes
from marketplace_app.schemas.jurisdictions.state_rules import Version
from marketplace_app.services import settings
from marketplace_app.services.accounts import require, require_shopper
from marketplace_app.services.delivery import zones
from marketplace_app.services.jurisdictions import enforcement
from marketplace_app.services.records import announcements, audit_log, counters

_WINDOWS, _ZIPS, _SLOTS, _CLOSURES = table_of(Window), table_of(ZoneZip), table_of(Slot), table_of(Closure)
_OF_ZIP = (
    select(_WINDOWS)
    .join(_ZIPS, _ZIPS.c.zone_id == _WINDOWS.c.zone_id)
    .where(_ZIPS.c.zip_code == bindparam("zip_code"))
    .order_by(_WINDOWS.c.id)
)
_OF_ZIP_AND_SETTING = _OF_ZIP.add_columns(settings.newest("enforce_jurisdiction").label("is_enforced"))
_CLOSED = select(_CLOSURES.c.day).where(_CLOSURES.c.day.between(bindparam("first"), bindparam("last")))
_MADE = select(_SLOTS).where(
    _SLOTS.c.window_id.in_(bindparam("windows", expanding=True)),
    _SLOTS.c.day.between(bindparam("first"), bindparam("last")),
)
_ONE = (
    select(
        _WINDOWS,
        *[_SLOTS.c[name].label(f"made_{name}") for name in ("starts_at", "ends_at", "capacity", "taken")],
        select(_CLOSURES.c.day).where(_CLOSURES.c.day == bindparam("on_day")).exists().label("is_closed"),
    )
    .join(_ZIPS, _ZIPS.c.zone_id == _WINDOWS.c.zone_id)
    .outerjoin(_SLOTS, and_(_SLOTS.c.window_id == _WINDOWS.c.id, _SLOTS.c.day == bindparam("on_day")))
    .where(_ZIPS.c.zip_code == bindparam("zip_code"), _WINDOWS.c.id == bindparam("window_id"))
)
_ONE_LOCKED = _ONE.with_for_update(read=True, key_share=True, of=_WINDOWS)


class SlotOffer(NamedTuple):
    """A slot that is offered; it may be full."""

    id: SlotId
    starts_at: datetime
    ends_at: datetime
    capacity: int
    taken: int
    is_made: bool
    """Whether it has a row, because an order has taken a place in it."""

    @property
    def is_full(self) -> bool:
        return self.taken >= self.capacity

    @property
    def view(self) -> OfferedSlot:
        left = max(0, self.capacity - self.taken)
        return OfferedSlot(id=self.id.text, starts_at=self.starts_at, ends_at=self.ends_at, left=left)


class TooManyWindows(Conflict):
    code = "too_many_windows"
    message = f"There can be at most {MAX_WINDOWS:,} windows. Please remove one first."


def list_offered(session: Session, actor: User | None, place: Place | None) -> tuple[OfferedSlot, ...]:
    """For a place or, without one, the shopper's usual place; none where there are no windows."""
    shopper = require_shopper(actor)
    where, at = place or zones.usual_place(session, shopper), clock.now()
    if where is None:
        return ()
    windows = session.connection().execute(_OF_ZIP_AND_SETTING, {"zip_code": where.zip_code}).all()
    version = enforcement.find_version(session, where, at) if windows and windows[0].is_enforced else None
    return tuple(offer.view for offer in allowed(_offers(session, windows, at), version, at))


def list_for(session: Session, zip_code: str, version: Version | None) -> tuple[OfferedSlot, ...]:
    """What `list_offered` returns, for callers that have the rules of the place already."""
    at = clock.now()
    return tuple(offer.view for offer in allowed(offered(session, zip_code, at), version, at))


def allowed(offers: Sequence[SlotOffer], version: Version | None, at: datetime) -> list[SlotOffer]:
    """The offers that the rules of the place allow."""
    return [each for each in offers if not enforcement.slot_blocker(version, each.starts_at, each.ends_at, at)]


def offered(session: Session, zip_code: str, at: datetime) -> list[SlotOffer]:
    """What is offered at a moment, full slots too, the earliest first.

    Days are the store's, today first. A slot that was made keeps its times and capacity (RULE delivery-slots).
    """
    return _offers(session, session.connection().execute(_OF_ZIP, {"zip_code": zip_code}).all(), at)


def find(session: Session, zip_code: str, slot_id: SlotId, at: datetime, *, lock: bool = False) -> SlotOffer | None:
    """The offer of one slot, which may be full; None if it is not offered. MAX_OFFERED_SLOTS does not matter here.

    With `lock`, its window is not removed until the transaction ends.
    """
    today = at.astimezone(get_settings().timezone).date()
    wanted = {"zip_code": zip_code, "window_id": slot_id.window_id, "on_day": slot_id.day}
    window = session.connection().execute(_ONE_LOCKED if lock else _ONE, wanted).first()
    if window is None or window.is_closed or slot_id not in {each for _, each in _slot_ids([window], today)}:
        return None
    if window.made_starts_at is None:
        offer = _unmade(window, slot_id)
    else:
        made = (window.made_starts_at, window.made_ends_at, window.made_capacity, window.made_taken)
        offer = SlotOffer(slot_id, *made, is_made=True)
    return offer if _is_open(window, offer, at) else None


def _offers(session: Session, windows: Sequence[Any], at: datetime) -> list[SlotOffer]:
    if not windows:
        return []
    today = at.astimezone(get_settings().timezone).date()
    span = {"first": today, "last": today + timedelta(days=OFFERED_DAYS - 1)}
    closed = set(session.connection().execute(_CLOSED, span).scalars())
    found = session.connection().execute(_MADE, span | {"windows": [window.id for window in windows]})
    made = {SlotId(each.window_id, each.day): each for each in found}
    offers = []
    for window, slot_id in _slot_ids(windows, today):
        slot = made.get(slot_id)
        offer = (
            SlotOffer(slot_id, slot.starts_at, slot.ends_at, slot.capacity, slot.taken, is_made=True)
            if slot
            else _unmade(window, slot_id)
        )
        if slot_id.day not in closed and _is_open(window, offer, at):
            offers.append(offer)
    return sorted(offers, key=lambda offer: (offer.starts_at, offer.ends_at, offer.id))[:MAX_OFFERED_SLOTS]


def _unmade(window: Any, slot_id: SlotId) -> SlotOffer:
    """The offer of a slot that no order has had."""
    return SlotOffer(slot_id, *_times(window, slot_id), window.capacity, 0, is_made=False)


def _is_open(window: Any, offer: SlotOffer, at: datetime) -> bool:
    # When the clocks go forward, a window that begins in the missing hour may end when it begins, or before.
    return at <= offer.starts_at - timedelta(minutes=window.cutoff_minutes) and offer.starts_at < offer.ends_at


def list_all(session: Session, actor: User | None) -> tuple[WindowView, ...]:
    """By zone, weekday and time."""
    require(actor, Permission.SEE_SETTINGS)
    order = (Window.zone_id, Window.weekday, Window.opens_minute, Window.closes_minute)
    rows = session.execute(select(Window).order_by(*map(col, order))).scalars()
    return tuple(_view(row) for row in rows)


def get(session: Session, actor: User | None, window_id: int) -> WindowView:
    """Raises NotFound."""
    require(actor, Permission.SEE_SETTINGS)
    row = session.get(Window, window_id, populate_existing=True)
    if row is None:
        raise NotFound(WINDOW_NOT_FOUND)
    return _view(row)


def add_all(session: Session, actor: User | None, forms: Sequence[WindowForm]) -> tuple[WindowView, ...]:
    """Several windows, such as the same on several days: all or none. Raises what `add` does."""
    return tuple(add(session, actor, form) for form in forms)


def add(session: Session, actor: User | None, form: WindowForm) -> WindowView:
    """Raises TooManyWindows, and InvalidInput for an unknown zone, a window that ends before it begins, or one that
    exists already."""
    staff = require(actor, Permission.EDIT_DELIVERY)
    counters.lock(session, counters.SETTINGS)
    if session.execute(select(func.count()).select_from(Window)).scalar_one() >= MAX_WINDOWS:
        raise TooManyWindows()
    zone = _require_valid(session, form, 0)
    row = Window(**form.columns())
    session.add(row)
    session.flush()
    audit_log.append(session, staff, "window.added", f"window:{row.id}", window=_words(row, zone))
    announcements.publish(session, live.STAFF)
    return _view(row)


def change(
    session: Session, actor: User | None, window_id: int, form: WindowForm, *, seen: Mapping[str, Any] | None = None
) -> WindowView:
    """Replace a window as a whole; the same values change nothing. Slots that were made keep theirs.

    `seen` are the values that a form was filled with. Raises NotFound, InvalidInput, EditedMeanwhile.
    """
    staff = require(actor, Permission.EDIT_DELIVERY)
    row = _find_to_edit(session, window_id)
    if seen is not None and (fields := conflicting_fields(form, seen, _view(row).values())):
        raise EditedMeanwhile(fields)
    zone = _require_valid(session, form, window_id)
    changed = {name: value for name, value in form.columns().items() if getattr(row, name) != value}
    for name, value in changed.items():
        setattr(row, name, value)
    session.add(row)
    session.flush()
    if changed:
        audit_log.append(session, staff, "window.changed", f"window:{window_id}", window=_words(row, zone))
        announcements.publish(session, live.STAFF)
    return _view(row)


def remove(session: Session, actor: User | None, window_id: int) -> None:
    """Orders in it keep their time. Raises NotFound."""
    staff = require(actor, Permission.EDIT_DELIVERY)
    row = _find_to_edit(session, window_id)
    words = _words(row, session.get_one(Zone, row.zone_id))
    session.refresh(row, with_for_update=True)  # the window before its slots, as placing an order does
    # In id order, as others lock slots.
    session.execute(select(_SLOTS.c.id).where(_SLOTS.c.window_id == window_id).order_by(_SLOTS.c.id).with_for_update())
    session.delete(row)
    session.flush()
    audit_log.append(session, staff, "window.removed", f"window:{window_id}", window=words)
    announcements.publish(session, live.STAFF)


def _slot_ids(windows: Sequence[Any], today: date) -> Iterator[tuple[Any, SlotId]]:
    """Each window with each of its days on which it could be offered."""
    for window in windows:
        first = (window.weekday - today.weekday()) % 7
        for days in range(first, OFFERED_DAYS, 7):
            yield window, SlotId(window.id, today + timedelta(days=days))


def _times(window: Any, slot_id: SlotId) -> tuple[datetime, datetime]:
    return _moment(slot_id.day, window.opens_minute), _moment(slot_id.day, window.closes_minute)


def _moment(day: date, minute: int) -> datetime:
    """A minute of a day in the store's time zone, as UTC; also right on days when the clocks change."""
    days, minutes = divmod(minute, clock.MINUTES_A_DAY)
    wall = time(minutes // 60, minutes % 60)
    return datetime.combine(day + timedelta(days=days), wall, get_settings().timezone).astimezone(UTC)


def _find_to_edit(session: Session, window_id: int) -> Window:
    counters.lock(session, counters.SETTINGS)
    row = session.get(Window, window_id, populate_existing=True)
    if row is None:
        raise NotFound(WINDOW_NOT_FOUND)
    return row


def _require_valid(session: Session, form: WindowForm, window_id: int) -> Zone:
    """The window's zone. Raises InvalidInput."""
    zone = session.get(Zone, form.zone_id, populate_existing=True)
    if zone is None:
        raise InvalidInput({"zoneId": "There is no such zone."})
    if form.closes <= form.opens:
        raise InvalidInput({"closes": "It must close after it opens."})
    same = select(col(Window.id)).where(
        col(Window.zone_id) == form.zone_id,
        col(Window.weekday) == form.weekday,
        col(Window.opens_minute) == form.opens,
        col(Window.closes_minute) == form.closes,
        col(Window.id) != window_id,
    )
    if session.execute(same).first() is not None:
        raise InvalidInput({"opens": f"This zone already has a window with these times on {WEEKDAYS[form.weekday]}."})
    return zone


def _words(row: Window, zone: Zone) -> str:
    """`East side, Friday 17:00 to 19:00`"""
    return f"{zone.name}, {WEEKDAYS[row.weekday]} {show_minutes(row.opens_minute)} to {show_minutes(row.closes_minute)}"


def _view(row: Window) -> WindowView:
    return WindowView(
        id=row.id,
        zone_id=row.zone_id,
        weekday=row.weekday,
        opens=show_minutes(row.opens_minute),
        closes=show_minutes(row.closes_minute),
        cutoff_minutes=row.cutoff_minutes,
        capacity=row.capacity,
    )
