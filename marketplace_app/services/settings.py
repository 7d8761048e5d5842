"""The shop's own numbers: what holds now, what held before, and changing them.

Whoever prices reads them in the same transaction: one small query from an index, right with any number of processes.
"""

from collections.abc import Mapping

from sqlalchemy import func, select
from sqlmodel import Session, col

from marketplace_app.adapters import live
from marketplace_app.errors import EditedMeanwhile, InvalidInput
from marketplace_app.models import Permission, ShopSetting, User
from marketplace_app.schemas.setting_fields import BY_NAME
from marketplace_app.schemas.settings import HistoryQuery, SettingChange, SettingsForm, ShopSettings
from marketplace_app.services import audit_log, counters, events
from marketplace_app.services.accounts import author_name, require

# Asked in nearly every transaction, so put together once.
_NEWEST = select(func.max(col(ShopSetting.id))).group_by(col(ShopSetting.name))
_HELD = select(col(ShopSetting.name), col(ShopSetting.value)).where(col(ShopSetting.id).in_(_NEWEST))


def current(session: Session) -> ShopSettings:
    """What holds in this transaction: the defaults, but for what the shop set."""
    return ShopSettings(**{name: value for name, value in session.execute(_HELD) if name in BY_NAME})


def published(session: Session, _actor: User | None) -> ShopSettings:
    """For everybody: there is none that the shop's pages do not say."""
    return current(session)


def show(session: Session, actor: User | None) -> ShopSettings:
    require(actor, Permission.SEE_SETTINGS)
    return current(session)


def change(
    session: Session, actor: User | None, form: SettingsForm, *, seen: ShopSettings | None = None
) -> ShopSettings:
    """Set what differs, with one entry of history and audit each. Raises InvalidInput, with a sentence for each field.

    `seen` is what held when the caller began: of that, nothing that somebody else set since is overwritten. Raises
    EditedMeanwhile. Orders keep what they were priced with: nothing here touches one.
    """
    owner = require(actor, Permission.EDIT_SETTINGS)
    counters.lock(session, counters.SETTINGS)  # contradictions are checked against the values that will result
    before = current(session)
    if seen is not None:
        _require_unchanged(form, seen.values(), before.values())
    after = before.changed(form.changes())
    if problems := after.problems():
        raise InvalidInput(problems)
    old, new = before.values(), after.values()
    for name in [name for name in old if old[name] != new[name]]:
        row = ShopSetting(name=name, previous=old[name], value=new[name], reason=form.reason, actor_id=owner.id)
        session.add(row)
        session.flush()
        change = {"from": old[name], "to": new[name]}
        audit_log.append(session, owner, "settings.changed", f"setting:{name}", **change)
        events.publish(session, live.STAFF)
    return after


def list_history(session: Session, actor: User | None, query: HistoryQuery) -> tuple[int, tuple[SettingChange, ...]]:
    """How many changes there were, and a page of them, newest first."""
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


def _view(row: ShopSetting, user: User | None) -> SettingChange:
    by = author_name(user)
    return SettingChange(row.id, BY_NAME[row.name], row.previous, row.value, row.reason, by, row.created_at)
