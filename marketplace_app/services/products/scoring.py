"""How well a product suits a user's taste, and why: a pure function of the product's facts.

A `Taste` has no medical needs, so they cannot be used. A product is left out for three reasons: it may cause what the
user wants to avoid (`AVOIDED`), it is stronger than their tolerance or experience allows, or no reason speaks for it.
A product of unknown strength is left out wherever strength is limited.
"""

from bisect import bisect
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from marketplace_app.limits import DEFAULT_INTENSITY, MAX_INTENSITY
from marketplace_app.models import (
    AvoidedEffect,
    Effect,
    ExperienceLevel,
    Potency,
    ToleranceLevel,
    UseTime,
)


class Candidate(NamedTuple):
    """The facts of a product that count, prepared once for all users."""

    id: int
    strain: str | None
    strength: int | None
    """1 to 10 (see `strength_of`); None if unknown."""
    quality: float
    """0 to 1 (see `quality_of`)."""
    effects: tuple[str, ...]
    flavors: tuple[str, ...]


@dataclass(frozen=True)
class Taste:
    experience_level: str | None = None
    tolerance_level: str | None = None
    use_time: str | None = None
    intensity: int = DEFAULT_INTENSITY
    types: frozenset[str] = frozenset()
    effects: frozenset[str] = frozenset()
    flavors: frozenset[str] = frozenset()
    avoid: frozenset[str] = frozenset()


class Match(NamedTuple):
    id: int
    score: float
    """0 to 1"""
    reasons: tuple[str, ...]
    """What the user asked for and the product has, the most important first: `("Relaxed", "Citrus")`."""


class Exclusion(NamedTuple):
    effects: frozenset[str]
    """Products with one of these are excluded."""
    strongest: int
    """Products above this strength are excluded; an unknown strength counts as the highest."""


_SLEEP = frozenset({Effect.SLEEPY})
AVOIDED: dict[str, Exclusion] = {
    # Anything that makes people sleepy, however weak.
    AvoidedEffect.COUCH_LOCK: Exclusion(_SLEEP, MAX_INTENSITY),
    AvoidedEffect.DROWSINESS: Exclusion(_SLEEP, MAX_INTENSITY),
    AvoidedEffect.FATIGUE: Exclusion(_SLEEP, MAX_INTENSITY),
    # Anxiety and dizziness are reported mostly for high THC: below 25%, or at most 150 mg a pack.
    AvoidedEffect.PARANOIA: Exclusion(frozenset(), 6),
    AvoidedEffect.ANXIETY: Exclusion(frozenset(), 6),
    AvoidedEffect.DIZZINESS: Exclusion(frozenset(), 6),
    # Headaches and dryness grow with the dose as well, but later: below 28%, or at most 200 mg a pack.
    AvoidedEffect.HEADACHE: Exclusion(frozenset(), 7),
    AvoidedEffect.DRY_MOUTH: Exclusion(frozenset(), 7),
    AvoidedEffect.DRY_EYES: Exclusion(frozenset(), 7),
}
"""What each choice under 'Effects to avoid' excludes. A rule of thumb, not a medical claim."""

_EXPERIENCE_LIMIT: dict[str | None, int] = {ExperienceLevel.BEGINNER: 5}
_TOLERANCE_LIMIT: dict[str | None, int] = {ToleranceLevel.LOW: 5, ToleranceLevel.MEDIUM: 8}
_TIMES: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    # effects that suit the time of day, and effects that do not
    UseTime.MORNING: (frozenset({"Energetic", "Alert", "Focused", "Uplifted"}), frozenset({"Sleepy", "Hungry"})),
    UseTime.AFTERNOON: (frozenset({"Creative", "Focused", "Talkative", "Inspired", "Happy"}), frozenset({"Sleepy"})),
    UseTime.EVENING: (frozenset({"Relaxed", "Calm", "Happy", "Giggly", "Euphoric"}), frozenset({"Alert"})),
    UseTime.NIGHT: (frozenset({"Sleepy", "Calm", "Relaxed"}), frozenset({"Energetic", "Alert", "Talkative"})),
}
_STRENGTH_OF_POTENCY = {Potency.LOW: 4, Potency.MEDIUM: 6, Potency.HIGH: 8}
_PERCENT_STEPS = (5, 10, 15, 18, 22, 25, 28, 35, 60)
_MG_STEPS = (5, 10, 25, 50, 101, 151, 201, 301, 501)

_USUAL_RATING_TENTHS, _USUAL_REVIEWS = 43, 30
_MAX_REASONS = 3


def rank(taste: Taste, candidates: Iterable[Candidate], limit: int | None = None) -> list[Match]:
    """The best first, at most `limit`; products with equal scores are ordered by id."""
    rule = exclusion(taste)
    scored = [(-_score(taste, each), each.id, each) for each in candidates if not is_excluded(rule, each)]
    matches = (
        Match(product_id, -score, reasons)
        for score, product_id, each in sorted(scored)
        if (reasons := _reasons(taste, each))
    )
    return list(islice(matches, limit))


def exclusion(taste: Taste) -> Exclusion:
    """What the user avoids, and what is too strong for them, as one rule."""
    rules = [AVOIDED[name] for name in taste.avoid]
    effects = frozenset(effect for rule in rules for effect in rule.effects)
    return Exclusion(effects, min([_strongest_allowed(taste), *(rule.strongest for rule in rules)]))


def is_excluded(rule: Exclusion, product: Candidate) -> bool:
    strength = MAX_INTENSITY if product.strength is None else product.strength
    return strength > rule.strongest or not rule.effects.isdisjoint(product.effects)


def strength_of(thc_percent: float | None, thc_mg: int | None, potency: str | None) -> int | None:
    """By milligrams a pack, else THC in percent, else the potency band."""
    if thc_mg is not None:
        return 1 + bisect(_MG_STEPS, thc_mg)
    if thc_percent is not None:
        return 1 + bisect(_PERCENT_STEPS, thc_percent)
    return _STRENGTH_OF_POTENCY[Potency(potency)] if potency else None


def quality_of(rating_tenths: int, review_count: int) -> float:
    """0 for 3.5 stars or less, 1 for 5. With fewer reviews, the rating is drawn closer to the usual one."""
    votes = review_count + _USUAL_REVIEWS
    weighted_tenths = (rating_tenths * review_count + _USUAL_RATING_TENTHS * _USUAL_REVIEWS) / votes
    return min(1.0, max(0.0, (weighted_tenths - 35) / 15))


def _score(taste: Taste, product: Candidate) -> float:
    """The weighted mean, 0 to 1, of how well the product meets each thing that was asked for."""
    weights, met = 2.0, 1.5 * _suits_intensity(taste, product) + 0.5 * product.quality
    if taste.effects:
        weights, met = weights + 4, met + 4 * _overlap(taste.effects, product.effects)
    if taste.flavors:
        weights, met = weights + 2, met + 2 * _overlap(taste.flavors, product.flavors)
    if taste.types:
        weights, met = weights + 2, met + 2 * (product.strain in taste.types)
    if taste.use_time:
        weights, met = weights + 1.5, met + 1.5 * _suits_use_time(taste.use_time, product)
    return round(met / weights, 6)


def _strongest_allowed(taste: Taste) -> int:
    by_experience = _EXPERIENCE_LIMIT.get(taste.experience_level, MAX_INTENSITY)
    return min(by_experience, _TOLERANCE_LIMIT.get(taste.tolerance_level, MAX_INTENSITY))


def _suits_intensity(taste: Taste, product: Candidate) -> float:
    """1 for a product of the wanted strength or, if that is too strong for the user, of the highest that is allowed.

    The further its strength is from that, the lower; 0 if its strength is unknown.
    """
    if product.strength is None:
        return 0.0
    return 1 - abs(min(taste.intensity, _strongest_allowed(taste)) - product.strength) / (MAX_INTENSITY - 1)


def _overlap(wanted: frozenset[str], present: tuple[str, ...]) -> float:
    """How much of what is wanted is present, 1 for as much as possible: a product has only three effects or so."""
    possible = min(len(wanted), len(present))
    return len(wanted.intersection(present)) / possible if possible else 0.0


def _suits_use_time(use_time: str, product: Candidate) -> float:
    fitting, unfitting = _TIMES[use_time]
    met, missed = len(fitting.intersection(product.effects)), len(unfitting.intersection(product.effects))
    return max(0.0, min(1.0, met / 2) - 0.5 * missed)


def _reasons(taste: Taste, product: Candidate) -> tuple[str, ...]:
    """At most two effects, then flavors, then the type. Without any of these: the time of day or the strength."""
    effects = [effect for effect in product.effects if effect in taste.effects][:2]
    flavors = [flavor for flavor in product.flavors if flavor in taste.flavors]
    named = [*effects, *flavors]
    if product.strain and product.strain in taste.types:
        named.append(product.strain)
    if not named and taste.use_time and _suits_use_time(taste.use_time, product) >= 0.5:
        named.append(f"For the {taste.use_time}")
    if not named and _suits_intensity(taste, product) > 0.85:
        named.append("Your intensity")
    return tuple(named[:_MAX_REASONS])
