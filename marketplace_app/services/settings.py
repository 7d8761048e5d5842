"""The shop's settings: the current ones, their history, and changing them.

Prices are computed with settings read in the same transaction: one small query from an index, correct with any number
of processes.
"""

from collections.abc import Mapping

from sqlalchemy import ScalarSelect, func, literal, select
from sqlmodel import Session, col

from marketplace_app.adapters import live
from marketplace_app.errors import EditedMeanwhile, InvalidInput
from marketplace_app.models import Permission, ShopSetting, User, Zone
from marketplace_app.schemas.setting_fields import BY_NAME
from marketplace_app.schemas.settings import HistoryQuery, SettingChangeAnswer, SettingsForm, ShopSettings
from marketplace_app.services.accounts import author_name, require
from marketplace_app.services.records import announcements, audit_log, counters

# Built once, because it is run in nearly every transaction.
_NEWEST = select(func.max(col(ShopSetting.id))).group_by(col(ShopSetting.name))
_CURRENT = select(col(ShopSetting.name), col(ShopSetting.value)).where(col(ShopSetting.id).in_(_NEWEST))
_HAS_ZONES = "has_zones"
_CURRENT_AND_ZONES = _CURRENT.union_all(select(literal(_HAS_ZONES), literal(1)).where(select(col(Zone.id)).exists()))


def newest(name: str) -> ScalarSelect[int]:
    """What one setting was last set to, as a part of another statement; NULL if it has its default."""
    found = select(col(ShopSetting.value)).where(col(ShopSetting.name) == name)
    return found.order_by(col(ShopSetting.id).desc()).limit(1).scalar_subquery()


def current(session: Session) -> ShopSettings:
    """The settings in this transaction: the defaults, except for what the shop has set."""
    return ShopSettings(**{name: value for name, value in session.connection().execute(_CURRENT) if name in BY_NAME})


def current_with_zones(session: Session) -> tuple[ShopSettings, bool]:
    """What `current` returns, and whether the shop has delivery zones, read in one statement."""
    found = {name: int(value) for name, value in session.connection().execute(_CURRENT_AND_ZONES)}
    has_zones = bool(found.pop(_HAS_ZONES, 0))
    return ShopSettings(**{name: value for name, value in found.items() if name in BY_NAME}), has_zones


def published_with_zones(session: Session, _actor: User | None) -> tuple[ShopSettings, bool]:
    """What everybody may know: the settings, and whether the shop delivers in zones."""
    return current_with_zones(session)


def published(session: Session, _actor: User | None) -> ShopSettings:
    """For everybody, since the shop's pages show all of them."""
    return current(session)


def show(session: Session, actor: User | None) -> ShopSettings:
    require(actor, Permission.SEE_SETTINGS)
    return current(session)


def change(
    session: Session, actor: User | None, form: SettingsForm, *, seen: ShopSettings | None = None
) -> ShopSettings:
    """Set what differs, each with an entry in the history and the audit trail. Orders already placed are unaffected.

    `seen` are the settings when the caller began: what somebody else has changed since is not overwritten.
    Raises EditedMeanwhile, and InvalidInput with a sentence for each field.
    """
    owner = require(actor, Permission.EDIT_SETTINGS)
    counters.lock(session, counters.SETTINGS)  # else two changes at once could each be valid, but contradict each other
    before = current(session)
    if seen is not None:
        _require_unchanged(form, seen.values(), before.values())
    after = before.changed(form.changes())
    if problems := after.problems():
        raise InvalidInput(problems)
    old, new = before.values(), after.values()
    changed = [name for name in old if old[name] != new[name]]
    for name in changed:
        row = ShopSetting(name=name, previous=old[name], value=new[name], reason=form.reason, actor_id=owner.id)
        session.add(row)
        session.flush()
        details = {"from": old[name], "to": new[name]}
        audit_log.append(session, owner, "settings.changed", f"setting:{name}", **details)
        announcements.publish(session, live.STAFF)
    return after


def list_history(
    session: Session, actor: User | None, query: HistoryQuery
) -> tuple[int, tuple[SettingChangeAnswer, ...]]:
    """The number of changes, and one page of them, newest first."""
    require(actor, Permission.SEE_SETTINGS)
    known = col(ShopSetting.name).in_(BY_NAME)
    total = session.execute(select(func.count()).select_from(ShopSetting).where(known)).scalar_one()
    page = (
        select(ShopSetting, User)
        .outerjoin(User, col(User.id) == col(ShopSetting.actor_id))
        .where(known)
        .order_by(col(ShopSetting.id).desc())
    )
    found = session.execute(page.limit(query.limit).offset(query.offset))
    return int(total), tuple(_view(row, user) for row, user in found)


def _require_unchanged(form: SettingsForm, seen: Mapping[str, int], now: Mapping[str, int]) -> None:
    changed = [name for name, wanted in form.changes().items() if now[name] not in (seen[name], wanted)]
    if changed:
        raise EditedMeanwhile([BY_NAME[name].wire_name for name in changed])


def _view(row: ShopSetting, user: User | None) -> SettingChangeAnswer:
    return SettingChangeAnswer(
        id=row.id,
        setting=BY_NAME[row.name],
        previous=row.previous,
        value=row.value,
        reason=row.reason,
        by=author_name(user),
        at=row.created_at,
    )
