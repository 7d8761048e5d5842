"""How well picks suit made-up people: their nDCG@10 beside the most popular products', and how many are unwelcome.

The people and their judgements are in `personas.toml`, written by hand before the formula and independently of it.
What counts as unwelcome is listed there by hand too, not taken from `services.products.scoring`.
"""

import math
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

from marketplace_app.jobs.seed import read_demo
from marketplace_app.limits import DEFAULT_INTENSITY
from marketplace_app.schemas.account.preferences import PreferencesForm
from marketplace_app.schemas.base import parse
from marketplace_app.services.products.scoring import Candidate, Taste, quality_of, rank, strength_of

PERSONAS = Path(__file__).with_name("personas.toml")
DEPTH = 10
GRADES = (3, 2, 1)


@dataclass(frozen=True)
class Persona:
    name: str
    taste: Taste
    grades: dict[str, int]
    """By product name, how well the product suits them. Products that they did not judge are missing."""
    unwelcome: frozenset[str]


@dataclass(frozen=True)
class Verdict:
    persona: str
    ours: float
    popular: float
    popular_filtered: float
    """The most popular products without the unwelcome ones, which are harder to beat."""
    violations: int
    violations_of_popular: int


def catalogue() -> dict[str, Candidate]:
    """The products of the demo store that are in stock, by name."""
    return {
        entry["name"]: Candidate(
            id=number,
            strain=entry.get("strain"),
            strength=strength_of(entry.get("thc_percent"), entry.get("thc_mg"), None),
            quality=quality_of(_tenths(entry), entry["review_count"]),
            effects=tuple(entry.get("effects", [])),
            flavors=tuple(entry.get("flavors", [])),
        )
        for number, entry in enumerate(read_demo(), start=1)
        if entry["stock"] > 0
    }


def by_popularity() -> list[str]:
    """The names of the products in stock, sorted by rating times number of reviews, the highest first."""
    popularity = {entry["name"]: _tenths(entry) * entry["review_count"] for entry in read_demo()}
    return sorted(catalogue(), key=lambda name: -popularity[name])


def _tenths(entry: dict[str, Any]) -> int:
    return round(float(entry["rating"]) * 10)


def personas() -> list[Persona]:
    data = tomllib.loads(PERSONAS.read_text(encoding="utf-8"))
    return [_persona(entry, data["unwelcome"]) for entry in data["persona"]]


def _persona(entry: dict[str, Any], unwelcome: dict[str, list[str]]) -> Persona:
    form = parse(PreferencesForm, entry["preferences"])
    taste = Taste(
        form.experience_level,
        form.tolerance_level,
        form.primary_use_time,
        form.desired_intensity or DEFAULT_INTENSITY,
        frozenset(form.preferred_types),
        frozenset(form.preferred_effects),
        frozenset(form.preferred_flavors),
        frozenset(form.avoid_effects),
    )
    grades = {name: grade for grade in GRADES for name in entry.get(str(grade), [])}
    avoided = frozenset(name for effect in form.avoid_effects for name in unwelcome[effect])
    return Persona(entry["name"], taste, grades, avoided)


def judge() -> list[Verdict]:
    products = catalogue()
    names = {product.id: name for name, product in products.items()}
    popular = by_popularity()

    def verdict(persona: Persona) -> Verdict:
        ours = [names[match.id] for match in rank(persona.taste, products.values())]
        welcome = [name for name in popular if name not in persona.unwelcome]
        return Verdict(
            persona.name,
            ours=ndcg(ours, persona.grades, products),
            popular=ndcg(popular, persona.grades, products),
            popular_filtered=ndcg(welcome, persona.grades, products),
            violations=len(persona.unwelcome.intersection(ours)),
            violations_of_popular=len(persona.unwelcome.intersection(popular[:DEPTH])),
        )

    return [verdict(persona) for persona in personas()]


def ndcg(shown: Sequence[str], grades: dict[str, int], products: dict[str, Candidate]) -> float:
    """Between 0 and 1; 1 if the first ten shown are the ten with the highest grades, in that order."""
    ideal = sorted((grade for name, grade in grades.items() if name in products), reverse=True)
    return _gain([grades.get(name, 0) for name in shown]) / _gain(ideal)


def _gain(grades: Sequence[int]) -> float:
    return sum((2**grade - 1) / math.log2(place + 2) for place, grade in enumerate(grades[:DEPTH]))


def main() -> None:
    verdicts = judge()
    print(f"nDCG@{DEPTH} on {len(verdicts)} made-up people; how many products they avoid were shown")
    print("(of ours in the whole list, of the popular in the first ten)\n")
    print("| person | ours | popular | popular, filtered | avoided: ours | avoided: popular |")
    print("|--------|------|---------|-------------------|---------------|------------------|")
    for each in [*verdicts, total(verdicts)]:
        print(
            f"| {each.persona:6} | {each.ours:.2f} | {each.popular:7.2f} | {each.popular_filtered:17.2f} "
            f"| {each.violations:13} | {each.violations_of_popular:16} |"
        )


def total(verdicts: list[Verdict]) -> Verdict:
    """The means, and the violations of all together."""
    return Verdict(
        "all",
        ours=mean(each.ours for each in verdicts),
        popular=mean(each.popular for each in verdicts),
        popular_filtered=mean(each.popular_filtered for each in verdicts),
        violations=sum(each.violations for each in verdicts),
        violations_of_popular=sum(each.violations_of_popular for each in verdicts),
    )


if __name__ == "__main__":
    main()
