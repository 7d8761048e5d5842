"""All versions of rules with what staff need to know about them (RULE rules-admin), and the drafts that ship with the
store."""

from datetime import date
from typing import NamedTuple

from sqlmodel import Session

from marketplace_app import clock
from marketplace_app.config import get_settings
from marketplace_app.errors import NotFound
from marketplace_app.models import Permission, User
from marketplace_app.rule_messages import DRAFT_NOT_FOUND
from marketplace_app.schemas.jurisdictions.jurisdictions import VersionForm, VersionView
from marketplace_app.services import settings
from marketplace_app.services.accounts import require
from marketplace_app.services.jurisdictions import drafts, versions
from marketplace_app.services.products import products


class Overview(NamedTuple):
    versions: tuple[VersionView, ...]
    """By state, the latest first."""
    in_force: frozenset[int]
    """Ids of the versions that count today, at most one per state."""
    today: date
    """At the store."""
    categories: tuple[str, ...]
    """All categories that the store's products may have."""
    is_enforced: bool


def show(session: Session, actor: User | None) -> Overview:
    listed, today = versions.list_all(session, actor), clock.today(get_settings().timezone)
    current = [versions.find(session, state, today) for state in sorted({each.state for each in listed})]
    return Overview(
        versions=listed,
        in_force=frozenset(each.id for each in current if each),
        today=today,
        categories=tuple(each.name for each in products.list_categories(session, actor)),
        is_enforced=bool(settings.current(session).enforce_jurisdiction),
    )


def list_drafts(_session: Session, actor: User | None) -> tuple[VersionForm, ...]:
    """The drafts that ship with the store."""
    require(actor, Permission.SEE_SETTINGS)
    return tuple(drafts.read(state) for state in drafts.list_states())


def add_draft(session: Session, actor: User | None, state: str, valid_from: date) -> VersionView:
    """Add a version from the draft that ships with the store for this state. Raises NotFound if there is none."""
    require(actor, Permission.EDIT_RULES)
    form = next((each for each in list_drafts(session, actor) if each.state == state), None)
    if form is None:
        raise NotFound(DRAFT_NOT_FOUND)
    return versions.add(session, actor, form.model_copy(update={"valid_from": valid_from}))
