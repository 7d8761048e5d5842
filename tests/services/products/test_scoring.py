"""How well a product suits a taste (RULE recommendations, RULE recommendation-exclusions)."""

from typing import Any

import pytest

from marketplace_app.models import AvoidedEffect
from marketplace_app.services.products.scoring import AVOIDED, Candidate, Taste, quality_of, rank, strength_of


def candidate(**values: Any) -> Candidate:
    usual: dict[str, Any] = {
        "id": 1,
        "strain": "Hybrid",
        "strength": 5,
        "quality": 0.6,
        "effects": ("Relaxed", "Happy"),
        "flavors": ("Citrus",),
    }
    return Candidate(**(usual | values))


def is_picked(taste: Taste, product: Candidate) -> bool:
    return rank(taste, [product]) != []


@pytest.mark.parametrize("avoided", list(AvoidedEffect))
def test_products_with_avoided_effects_are_never_picked(avoided: str) -> None:
    taste = Taste(avoid=frozenset({avoided}), effects=frozenset({"Relaxed", "Sleepy"}))
    rule = AVOIDED[avoided]
    for effect in rule.effects:
        assert not is_picked(taste, candidate(effects=("Relaxed", effect), strength=1))
    for strength in range(1, 11):
        assert is_picked(taste, candidate(strength=strength)) == (strength <= rule.strongest)
    assert is_picked(taste, candidate(strength=None)) == (rule.strongest == 10)


def test_every_avoidable_effect_keeps_something_away() -> None:
    assert AVOIDED.keys() == set(AvoidedEffect)
    assert all(rule.effects or rule.strongest < 10 for rule in AVOIDED.values())


@pytest.mark.parametrize(
    ("percent", "mg", "potency", "expected"),
    [
        (3.0, None, None, 1),
        (17.9, None, None, 4),
        (24.9, None, "Medium THC (20-25%)", 6),
        (25.0, None, None, 7),
        (89.0, None, None, 10),
        (None, 100, None, 5),
        (None, None, "High THC (25%+)", 8),
        (None, None, None, None),
    ],
)
def test_strength_has_ten_steps(
    percent: float | None, mg: int | None, potency: str | None, expected: int | None
) -> None:
    assert strength_of(percent, mg, potency) == expected


@pytest.mark.parametrize("level", [{"experience_level": "beginner"}, {"tolerance_level": "low"}])
def test_beginners_get_nothing_strong(level: dict[str, str]) -> None:
    taste = Taste(**level, intensity=10, effects=frozenset({"Relaxed"}))  # type: ignore[arg-type]
    found = rank(taste, [candidate(id=strength, strength=strength) for strength in range(1, 11)])
    assert [each.id for each in found] == [5, 4, 3, 2, 1]  # intensity 10 asks for the strongest that they may have


def test_intensity_prefers_the_strength_asked_for() -> None:
    mild, strong = candidate(id=1, strength=2), candidate(id=2, strength=10)
    for intensity, first in ((1, 1), (10, 2)):
        taste = Taste(intensity=intensity, effects=frozenset({"Relaxed"}))
        assert rank(taste, [mild, strong])[0].id == first


@pytest.mark.parametrize(("hour", "first"), [("morning", 1), ("night", 2)])
def test_the_hour_prefers_what_suits_it(hour: str, first: int) -> None:
    awake, asleep = candidate(id=1, effects=("Energetic", "Focused")), candidate(id=2, effects=("Sleepy", "Calm"))
    found = rank(Taste(use_time=hour), [awake, asleep])
    assert (found[0].id, found[0].reasons) == (first, (f"For the {hour}",))


def test_equal_scores_keep_a_stable_order() -> None:
    same = [candidate(id=number) for number in (5, 3, 9)]
    assert [each.id for each in rank(Taste(effects=frozenset({"Happy"})), same)] == [3, 5, 9]


def test_the_rating_decides_between_equals_but_counts_little_with_few_reviews() -> None:
    new, liked, loved = (
        candidate(id=number, quality=quality_of(tenths, reviews))
        for number, (tenths, reviews) in enumerate([(50, 1), (45, 100), (49, 100)])
    )
    assert [each.id for each in rank(Taste(effects=frozenset({"Happy"})), [new, liked, loved])] == [2, 1, 0]
