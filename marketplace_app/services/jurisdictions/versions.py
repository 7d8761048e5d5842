"""Versions of the rules of states: which one counts, and how owners add and review them (RULE state-rules)."""

import json
from collections.abc import Collection, Mapping
from datetime import date, datetime
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, String, Text, bindparam, cast, func, literal, select, true
from sqlmodel import Session, col

from marketplace_app import clock
from marketplace_app.adapters import live
from marketplace_app.config import get_settings
from marketplace_app.errors import Conflict, NotFound
from marketplace_app.models import JurisdictionVersion, Permission, User, ZipPlace
from marketplace_app.models.base import table_of
from marketplace_app.places import Place
from marketplace_app.rule_messages import ALREADY_REVIEWED, RULES_NOT_FOUND
from marketplace_app.schemas.jurisdictions.jurisdictions import RulesForm, VersionForm, VersionView
from marketplace_app.schemas.jurisdictions.state_rules import StateRules, Version
from marketplace_app.services.accounts import author_name, require
from marketplace_app.services.records import announcements, audit_log, counters


class PlaceRules(NamedTuple):
    """What is known of a place."""

    place: Place
    zip_state: str
    """The state that its ZIP code is in; empty if the table of ZIP codes does not have it."""
    version: Version | None
    """The rules of `state`."""

    @property
    def named_state(self) -> str:
        """The state that its address names; empty if it names none."""
        return self.place.state

    @property
    def state(self) -> str:
        """Empty if it is not known."""
        return self.named_state or self.zip_state

    @property
    def contradicts_itself(self) -> bool:
        return bool(self.named_state and self.zip_state) and self.named_state != self.zip_state


class AlreadyReviewed(Conflict):
    code = "already_reviewed"
    message = ALREADY_REVIEWED


_VERSIONS, _ZIPS = table_of(JurisdictionVersion), table_of(ZipPlace)


_REVIEWED = select(
    _VERSIONS.c.id,
    _VERSIONS.c.state,
    cast(_VERSIONS.c.rules, Text).label("rules"),
    cast(_VERSIONS.c.choices, Text).label("choices"),
).where(_VERSIONS.c.reviewed_at.is_not(None))
_REVIEWED_AND_STARTED = _REVIEWED.where(_VERSIONS.c.valid_from <= bindparam("on_day"))
"""The reviewed versions whose day has come: the newest of a state is in force."""


def _select_in_force(state: ColumnElement[str]) -> Select[tuple[int, str, str, str]]:
    return (
        _REVIEWED_AND_STARTED.where(_VERSIONS.c.state == state)
        .order_by(_VERSIONS.c.valid_from.desc(), _VERSIONS.c.id.desc())
        .limit(1)
    )


# Built once, because they are run for every quote while rules are enforced.
_OF_STATE = _select_in_force(bindparam("state"))
_ZIP_STATE = select(_ZIPS.c.state).where(_ZIPS.c.zip_code == bindparam("zip_code")).scalar_subquery()
_NAMED_STATE = func.nullif(bindparam("state", type_=String), "")
_NEWEST = _select_in_force(func.coalesce(_NAMED_STATE, _ZIP_STATE)).subquery()
# One row, also where there is no version: the ZIP code is looked up in the same statement.
OF_PLACE = select(_ZIP_STATE.label("zip_state"), *_NEWEST.c).select_from(
    select(literal(1)).subquery().outerjoin(_NEWEST, true())
)


def find(session: Session, state: str, on: date) -> Version | None:
    """The newest reviewed version of a state (`CA`) that counts on a day at the store; None without one."""
    row = session.connection().execute(_OF_STATE, {"state": state, "on_day": on}).first()
    return Version(row.id, _read(row.rules, row.choices), row.state) if row else None


def find_at(session: Session, place: Place, at: datetime) -> PlaceRules:
    """The version in force at a place and a moment, in one statement with the state of its ZIP code."""
    return found_in(place, session.connection().execute(OF_PLACE, parameters_of(place, at)).one())


def parameters_of(place: Place, at: datetime) -> dict[str, Any]:
    """The parameters of `OF_PLACE`."""
    on_day = at.astimezone(get_settings().timezone).date()
    return {"state": place.state, "zip_code": place.zip_code, "on_day": on_day}


def found_in(place: Place, row: Any) -> PlaceRules:
    """What the row of `OF_PLACE` says."""
    version = Version(row.id, _read(row.rules, row.choices), row.state) if row.id else None
    return PlaceRules(place, row.zip_state or "", version)


def rules_of(session: Session, version_ids: Collection[int]) -> Mapping[int, StateRules]:
    """The rules of these versions, by which orders were judged; keys are the ids of the versions."""
    if not version_ids:
        return {}
    judged_by = _REVIEWED.where(_VERSIONS.c.id.in_(version_ids))
    return {row.id: _read(row.rules, row.choices) for row in session.connection().execute(judged_by)}


def in_force(session: Session, on: date) -> tuple[StateRules, ...]:
    """The rules that count on a day at the store, of each state that has any."""
    oldest_first = _REVIEWED_AND_STARTED.order_by(_VERSIONS.c.valid_from, _VERSIONS.c.id)
    newest = {row.state: row for row in session.connection().execute(oldest_first, {"on_day": on})}
    return tuple(_read(row.rules, row.choices) for row in newest.values())


def list_all(session: Session, actor: User | None) -> tuple[VersionView, ...]:
    """By state, the latest first."""
    require(actor, Permission.SEE_SETTINGS)
    return list_for_operator(session)


def list_for_operator(session: Session) -> tuple[VersionView, ...]:
    """The same as `list_all` for the command line, which has no user."""
    statement = select(JurisdictionVersion, User).outerjoin(
        User, col(User.id) == col(JurisdictionVersion.reviewed_by_id)
    )
    newest_first = statement.order_by(
        col(JurisdictionVersion.state), col(JurisdictionVersion.valid_from).desc(), col(JurisdictionVersion.id).desc()
    )
    return tuple(_view(row, user) for row, user in session.execute(newest_first))


def get(session: Session, actor: User | None, version_id: int) -> VersionView:
    """Raises NotFound."""
    require(actor, Permission.SEE_SETTINGS)
    return get_for_operator(session, version_id)


def get_for_operator(session: Session, version_id: int) -> VersionView:
    """The same as `get` for the command line, which has no user. Raises NotFound."""
    return _view(*_load(session, version_id))


def add(session: Session, actor: User | None, form: VersionForm) -> VersionView:
    """Add a version, which counts for nothing until it is reviewed."""
    owner = require(actor, Permission.EDIT_RULES)
    row = JurisdictionVersion(
        state=form.state,
        valid_from=form.valid_from,
        rules=form.rules.wire(),
        source=form.source,
        checked_on=form.checked_on,
        created_at=clock.now(),
    )
    session.add(row)
    session.flush()
    audit_log.append(session, owner, "rules.added", f"rules:{row.id}", state=row.state, valid_from=str(row.valid_from))
    announcements.publish(session, live.STAFF)
    return _view(row, None)


def review(session: Session, actor: User | None, version_id: int, choices: Mapping[str, int]) -> VersionView:
    """Mark a version as reviewed, with the option chosen for each line that has several (0 is the first).

    Raises NotFound, AlreadyReviewed, and InvalidInput for a choice that is missing or does not exist.
    """
    owner = require(actor, Permission.EDIT_RULES)
    counters.lock(session, counters.SETTINGS)  # of two owners who review it at once, the second gets AlreadyReviewed
    row, _reviewer = _load(session, version_id)
    if row.reviewed_at is not None:
        raise AlreadyReviewed()
    RulesForm.model_validate(row.rules).chosen(choices)
    row.choices, row.reviewed_by_id, row.reviewed_at = dict(choices), owner.id, clock.now()
    session.add(row)
    session.flush()
    audit_log.append(session, owner, "rules.reviewed", f"rules:{row.id}", state=row.state, choices=dict(choices))
    announcements.publish(session, live.STAFF)
    return _view(row, owner)


@lru_cache(maxsize=100)
def _read(rules: str, choices: str) -> StateRules:
    """Cached, because a reviewed version never changes and parsing one takes longer than the rest of a quote."""
    return RulesForm.model_validate_json(rules).chosen(json.loads(choices))


def _load(session: Session, version_id: int) -> tuple[JurisdictionVersion, User | None]:
    row = session.get(JurisdictionVersion, version_id, populate_existing=True)
    if row is None:
        raise NotFound(RULES_NOT_FOUND)
    return row, session.get(User, row.reviewed_by_id) if row.reviewed_by_id else None


def _view(row: JurisdictionVersion, reviewer: User | None) -> VersionView:
    return VersionView(
        id=row.id,
        state=row.state,
        valid_from=row.valid_from,
        checked_on=row.checked_on,
        source=row.source,
        rules=row.rules,
        choices=row.choices,
        reviewed_by=author_name(reviewer) if row.reviewed_at else None,
        reviewed_at=row.reviewed_at,
    )
