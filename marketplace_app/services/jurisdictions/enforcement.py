"""Judging a cart or an order by the rules of the state that it goes to (RULE state-rules).

What is judged here is what the store sells, where and when. The place itself is read in `places`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple, Self

from sqlmodel import Session

from marketplace_app import clock, rule_messages
from marketplace_app.config import get_settings
from marketplace_app.places import Place
from marketplace_app.schemas.buying.quotes import Blocker
from marketplace_app.schemas.jurisdictions.state_rules import AddressKind, Version
from marketplace_app.services import pricing
from marketplace_app.services.jurisdictions import allowance, versions

_NOT_UNDERSTOOD = Blocker(code="address_not_understood", message=rule_messages.PLACE_NOT_UNDERSTOOD)


class Ruling(NamedTuple):
    """What the rules make of a quote."""

    terms: pricing.Terms
    uses: tuple[allowance.Use, ...] = ()
    """How much of each legal limit is used; empty while none is known."""

    def blocked(self, blocker: Blocker) -> Self:
        return self._replace(terms=_blocked(self.terms, blocker))


def judge(
    session: Session,
    user_id: int,
    terms: pricing.Terms,
    found: versions.PlaceRules | None,
    items: Sequence[pricing.Item],
    at: datetime,
    *,
    may_leave_open: bool = False,
) -> Ruling:
    """What the rules that are in force in the place's state make of the terms (RULE enforced-place).

    `found` is what `versions.find_at` says of the place; None without a place. An address without a place or a known
    state is not understood. With `may_leave_open`, a place without a known state only leaves the tax open.
    """
    if found is not None and not found.state and may_leave_open:
        return Ruling(replace(terms, open=(*terms.open, "tax")))
    if found is None or not found.state:
        return Ruling(terms).blocked(_NOT_UNDERSTOOD)
    if found.contradicts_itself:
        sentence = rule_messages.contradicting_place(found.place.zip_code, found.zip_state, found.named_state)
        return Ruling(terms).blocked(_NOT_UNDERSTOOD.model_copy(update={"message": sentence}))
    if found.version is None:
        unknown = Blocker(code="jurisdiction_unknown", message=rule_messages.rules_unknown(found.state))
        return Ruling(terms).blocked(unknown)
    return _apply(session, user_id, terms, found.version, items, at)


def find_version(session: Session, place: Place, at: datetime) -> Version | None:
    """The rules that delivery to a place is judged by; None if there are none, or its state is not known."""
    return versions.find_at(session, place, at).version


def find_state(session: Session, place: Place | None) -> str:
    """The state that a place is in; empty if that is not known, or the place contradicts itself."""
    if place is None:
        return ""
    found = versions.find_at(session, place, clock.now())
    return "" if found.contradicts_itself else found.state


def find_exceeded(
    session: Session,
    user_id: int,
    place: Place,
    items: Sequence[pricing.Item],
    moments: Sequence[datetime],
    order_id: str,
) -> str:
    """The label of a limit that an order would exceed if it counted again, at any of the moments; empty if none."""
    version = find_version(session, place, clock.now())
    if version is None:
        return ""
    uses = (
        use
        for at in moments
        for use in allowance.of(session, user_id, items, version.rules, at, excluded_order_id=order_id)
    )
    return next((use.bucket.label for use in uses if use.refuses), "")


def slot_blocker(version: Version | None, starts_at: datetime, ends_at: datetime, at: datetime) -> Blocker | None:
    """Why an order placed at `at` may not be delivered from `starts_at` to `ends_at`; None if the rules allow it."""
    if version is None:
        return None
    hours, order_until = version.rules.hours, version.rules.order_until
    starts, ends, now = (each.astimezone(get_settings().timezone) for each in (starts_at, ends_at, at))
    # In minutes since midnight of the day on which it starts: an end at midnight is 24:00, not 0:00.
    until = _minute_of_day(ends) + (ends.date() - starts.date()).days * clock.MINUTES_A_DAY
    if hours and not hours.opens <= _minute_of_day(starts) <= until <= hours.closes:
        opens, closes = (clock.show_minutes_of_day(each) for each in (hours.opens, hours.closes))
        return Blocker(code="outside_hours", message=rule_messages.outside_hours(version.state, opens, closes))
    if order_until is not None and starts.date() == now.date() and _minute_of_day(now) >= order_until:
        latest = clock.show_minutes_of_day(order_until)
        return Blocker(code="ordered_too_late", message=rule_messages.ordered_too_late(version.state, latest))
    return None


def address_notice(version: Version | None) -> str:
    """Which kinds of addresses may be delivered to, if the rules say so; the store cannot tell them apart."""
    if version is None or not version.rules.address_kinds:
        return ""
    allowed = version.rules.address_kinds
    others = [kind.plural for kind in AddressKind if kind not in allowed]
    return rule_messages.address_kinds(version.state, [kind.plural for kind in allowed], others) if others else ""


def _apply(
    session: Session,
    user_id: int,
    terms: pricing.Terms,
    version: Version,
    items: Sequence[pricing.Item],
    at: datetime,
) -> Ruling:
    rules = version.rules
    uses = allowance.of(session, user_id, items, rules, at)
    judged = replace(terms, minimum_due_cents=rules.minimum_due_cents, taxes=rules.taxes, version=version)
    return Ruling(_blocked(judged, *_state_blockers(version), *allowance.blockers(uses, items)), uses)


def _state_blockers(version: Version) -> Iterator[Blocker]:
    if not version.rules.delivers:
        yield Blocker(code="delivery_not_allowed", message=rule_messages.delivery_not_allowed(version.state))
    if not version.rules.cash_on_delivery:
        yield Blocker(code="cash_not_allowed", message=rule_messages.cash_not_allowed(version.state))


def _blocked(terms: pricing.Terms, *blockers: Blocker) -> pricing.Terms:
    return replace(terms, blockers=(*terms.blockers, *blockers)) if blockers else terms


def _minute_of_day(moment: datetime) -> int:
    return moment.hour * 60 + moment.minute
