"""Delivery zones: which one a ZIP code is in, and how staff edit them."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import bindparam, delete, func, select
from sqlmodel import Session, col

from marketplace_app import delivery_messages, places
from marketplace_app.adapters import live
from marketplace_app.delivery_messages import ZONE_NOT_FOUND
from marketplace_app.errors import Conflict, EditedMeanwhile, InvalidInput, NotFound
from marketplace_app.limits import MAX_ZONES
from marketplace_app.models import (
    Address,
    Order,
    OrderDelivery,
    OrderStatus,
    Permission,
    Slot,
    User,
    Window,
    Zone,
    ZoneZip,
)
from marketplace_app.models.base import insert_rows, table_of
from marketplace_app.schemas.base import conflicting_fields
from marketplace_app.schemas.delivery.zones import ZoneForm, ZoneView
from marketplace_app.services.accounts import require
from marketplace_app.services.records import announcements, audit_log, counters


class ZoneTerms(NamedTuple):
    """A zone, as far as a quote needs it."""

    id: int
    name: str
    fee_cents: int | None
    minimum_cents: int | None
    free_from_cents: int | None


_ZONES, _ZIPS = table_of(Zone), table_of(ZoneZip)
# Built once, because a store with zones runs them for every cart.
ZONE_OF_ZIP = (
    select(*[_ZONES.c[name] for name in ZoneTerms._fields])
    .join(_ZIPS, _ZIPS.c.zone_id == _ZONES.c.id)
    .where(_ZIPS.c.zip_code == bindparam("zip_code"))
)
_ZONE_OF_ZIP_LOCKED = ZONE_OF_ZIP.with_for_update(read=True, key_share=True, of=_ZONES)
_DEFAULT_PLACE = select(col(Address.zip_code), col(Address.state)).where(
    col(Address.user_id) == bindparam("user_id"), col(Address.is_default)
)
_LAST_PLACE = (
    select(col(Order.zip_code), col(Order.state), col(Order.delivery_address))
    .where(col(Order.user_id) == bindparam("user_id"), col(Order.deleted_at).is_(None))
    .order_by(col(Order.created_at).desc(), col(Order.number).desc())
    .limit(1)
)


class ZoneRemoval(NamedTuple):
    """What is removed with a zone, and what is left."""

    name: str
    zips: int
    windows: int
    open_orders: int
    """They keep their amounts and their time."""
    is_last: bool


class TooManyZones(Conflict):
    code = "too_many_zones"
    message = f"There can be at most {MAX_ZONES} zones. Please remove one first."


def find(session: Session, zip_code: str, *, lock: bool = False) -> ZoneTerms | None:
    """The zone of a ZIP code of five digits. With `lock`, nobody removes it until the transaction ends."""
    statement = _ZONE_OF_ZIP_LOCKED if lock else ZONE_OF_ZIP
    row = session.connection().execute(statement, {"zip_code": zip_code}).first()
    return ZoneTerms(*row) if row else None


def usual_place(session: Session, user: User) -> places.Place | None:
    """Where the user would probably have an order delivered: their default address, else that of their last order.
    None if there is neither, or its ZIP code cannot be read."""
    saved = session.execute(_DEFAULT_PLACE, {"user_id": user.id}).first()
    if saved is not None:
        return places.read(saved.zip_code, saved.state)
    order = session.execute(_LAST_PLACE, {"user_id": user.id}).first()
    if order is None:
        return None
    return places.read_parts_or_address(order.zip_code, order.state, order.delivery_address)


def list_all(session: Session, actor: User | None) -> tuple[ZoneView, ...]:
    """By name."""
    require(actor, Permission.SEE_SETTINGS)
    zips = defaultdict(list)
    for zip_code, zone_id in session.execute(select(_ZIPS.c.zip_code, _ZIPS.c.zone_id).order_by(_ZIPS.c.zip_code)):
        zips[zone_id].append(zip_code)
    rows = session.execute(select(Zone).order_by(col(Zone.name), col(Zone.id))).scalars()
    return tuple(_view(row, zips[row.id]) for row in rows)


def list_names(session: Session, actor: User | None) -> dict[int, str]:
    """Names by id. ZIP codes are not read: zones may have 200,000 of them."""
    require(actor, Permission.SEE_SETTINGS)
    return {row.id: row.name for row in session.execute(select(_ZONES.c.id, _ZONES.c.name))}


def get(session: Session, actor: User | None, zone_id: int) -> ZoneView:
    """Raises NotFound."""
    require(actor, Permission.SEE_SETTINGS)
    row = session.get(Zone, zone_id, populate_existing=True)
    if row is None:
        raise NotFound(ZONE_NOT_FOUND)
    return _load_view(session, row)


def add(session: Session, actor: User | None, form: ZoneForm) -> ZoneView:
    """Raises InvalidInput for a name or ZIP code that another zone has, and TooManyZones."""
    staff = require(actor, Permission.EDIT_DELIVERY)
    counters.lock(session, counters.SETTINGS)
    if session.execute(select(func.count()).select_from(Zone)).scalar_one() >= MAX_ZONES:
        raise TooManyZones()
    _require_free(session, form, 0)
    row = Zone(**form.columns())
    session.add(row)
    session.flush()
    _write_zips(session, row, form)
    audit_log.append(session, staff, "zone.added", f"zone:{row.id}", name=row.name)
    announcements.publish(session, live.STAFF)
    return _view(row, form.zips)


def change(
    session: Session, actor: User | None, zone_id: int, form: ZoneForm, *, seen: Mapping[str, Any] | None = None
) -> ZoneView:
    """Replace a zone as a whole; the same values change nothing. Orders already placed keep their amounts.

    `seen` are the values that a form was filled with. Raises NotFound, InvalidInput, EditedMeanwhile.
    """
    staff = require(actor, Permission.EDIT_DELIVERY)
    row = _find_to_edit(session, zone_id)
    before = _load_view(session, row)
    if seen is not None and (fields := conflicting_fields(form, seen, before.values())):
        raise EditedMeanwhile(fields)
    _require_free(session, form, zone_id)
    for name, value in form.columns().items():
        setattr(row, name, value)
    session.add(row)
    if [*before.zips] != form.zips:
        session.execute(delete(ZoneZip).where(col(ZoneZip.zone_id) == zone_id))
        _write_zips(session, row, form)
    session.flush()
    after = _view(row, form.zips)
    if fields := [name for name, value in after.values().items() if before.values()[name] != value]:
        audit_log.append(session, staff, "zone.changed", f"zone:{zone_id}", name=row.name, fields=fields)
        announcements.publish(session, live.STAFF)
    return after


def describe_removal(session: Session, actor: User | None, zone_id: int) -> ZoneRemoval:
    """Raises NotFound."""
    require(actor, Permission.EDIT_DELIVERY)
    zone = get(session, actor, zone_id)
    windows = select(func.count()).select_from(Window).where(col(Window.zone_id) == zone_id)
    is_open = col(Order.deleted_at).is_(None) & col(Order.status).not_in([s for s in OrderStatus if s.is_ended])
    orders = (
        select(func.count())
        .select_from(Order)
        .join(OrderDelivery, col(OrderDelivery.order_id) == col(Order.id))
        .where(col(OrderDelivery.zone_id) == zone_id, is_open)
    )
    count = session.execute(select(func.count()).select_from(Zone)).scalar_one()
    return ZoneRemoval(
        zone.name,
        len(zone.zips),
        session.execute(windows).scalar_one(),
        session.execute(orders).scalar_one(),
        is_last=count == 1,
    )


def remove(session: Session, actor: User | None, zone_id: int) -> None:
    """Once the last zone is removed, the shop delivers everywhere again. Raises NotFound."""
    staff = require(actor, Permission.EDIT_DELIVERY)
    row = _find_to_edit(session, zone_id)
    session.refresh(row, with_for_update=True)  # locked before its slots, as `orders.place` does
    of_zone = (
        select(col(Slot.id)).join(Window, col(Window.id) == col(Slot.window_id)).where(col(Window.zone_id) == zone_id)
    )
    session.execute(of_zone.order_by(col(Slot.id)).with_for_update(of=Slot))  # in id order, as others lock slots
    session.delete(row)
    session.flush()
    audit_log.append(session, staff, "zone.removed", f"zone:{zone_id}", name=row.name)
    announcements.publish(session, live.STAFF)


def _find_to_edit(session: Session, zone_id: int) -> Zone:
    """The zone, with all zones locked until the transaction ends."""
    counters.lock(session, counters.SETTINGS)
    row = session.get(Zone, zone_id, populate_existing=True)
    if row is None:
        raise NotFound(ZONE_NOT_FOUND)
    return row


def _require_free(session: Session, form: ZoneForm, zone_id: int) -> None:
    """Raises InvalidInput if another zone has this name or one of these ZIP codes."""
    names = session.execute(select(col(Zone.name)).where(col(Zone.id) != zone_id)).scalars()
    if form.name.casefold() in {name.casefold() for name in names}:  # SQLite's lower() knows ASCII letters only
        raise InvalidInput({"name": f"There is a zone '{form.name}' already."})
    taken = (
        select(col(ZoneZip.zip_code), col(Zone.name))
        .join(Zone, col(Zone.id) == col(ZoneZip.zone_id))
        .where(col(ZoneZip.zip_code).in_(form.zips), col(Zone.id) != zone_id)
        .order_by(col(Zone.name), col(ZoneZip.zip_code))
    )
    if found := session.execute(taken).all():
        others = [zip_code for zip_code, name in found if name == found[0].name]
        raise InvalidInput({"zips": delivery_messages.zip_codes_taken(others, found[0].name)})


def _write_zips(session: Session, row: Zone, form: ZoneForm) -> None:
    insert_rows(session, ZoneZip, [{"zip_code": zip_code, "zone_id": row.id} for zip_code in form.zips])


def _load_view(session: Session, row: Zone) -> ZoneView:
    zips = select(_ZIPS.c.zip_code).where(_ZIPS.c.zone_id == row.id).order_by(_ZIPS.c.zip_code)
    return _view(row, session.execute(zips).scalars().all())


def _view(row: Zone, zips: object) -> ZoneView:
    amounts = {name: getattr(row, name) for name in ("fee_cents", "minimum_cents", "free_from_cents")}
    return ZoneView.model_validate({"id": row.id, "name": row.name, "zips": zips} | amounts, by_name=True)
