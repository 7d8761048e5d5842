"""Picks follow a user's taste, exclude what they avoid, and never use medical needs."""

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import Engine
from sqlmodel import Session

from marketplace_app import clock, db, errors
from marketplace_app.models import MedicalNeed, Product, Strain, User
from marketplace_app.schemas.account.preferences import PreferencesForm
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.buying.cart import AddForm
from marketplace_app.schemas.products.recommendations import RecommendationView
from marketplace_app.services.account import preferences
from marketplace_app.services.buying import cart
from marketplace_app.services.products import recommendations, scoring
from marketplace_app.services.products.scoring import AVOIDED, Taste
from tests.builders import make_product
from tests.conftest import Cast
from tests.counting import count_statements
from tools.bench import recommendations as report


def save(who: User, **given: Any) -> None:
    db.write(lambda s: preferences.save(s, s.get(User, who.id), parse(PreferencesForm, given)))


def pick(who: User, limit: int = 24) -> tuple[RecommendationView, ...]:
    return db.read(lambda s: recommendations.pick(s, s.get(User, who.id), limit=limit))


def names(who: User) -> list[str]:
    return [each.product.name for each in pick(who)]


@pytest.fixture
def catalogue(session: Session) -> dict[str, Product]:
    made = {
        name: make_product(session, name, strain=strain, thc_percent=thc, effects=effects, flavors=flavors)
        for name, strain, thc, effects, flavors in (
            ("Porch", Strain.INDICA, 20.0, ["Relaxed", "Sleepy"], ["Berry"]),
            ("Garden", Strain.HYBRID, 20.0, ["Relaxed", "Happy"], ["Citrus"]),
            ("Ferry", Strain.SATIVA, 26.0, ["Energetic", "Uplifted"], ["Diesel", "Citrus"]),
            ("Rosin", Strain.HYBRID, 70.0, ["Relaxed", "Euphoric"], ["Pine"]),
            ("Unlabelled", None, None, ["Relaxed"], []),
        )
    }
    session.commit()
    return made


def test_the_best_comes_first_and_says_why(cast: Cast, catalogue: dict[str, Product]) -> None:
    save(cast.alice, preferredEffects=["Relaxed", "Happy"], preferredFlavors=["Citrus"], preferredTypes=["Hybrid"])
    best = pick(cast.alice)[0]
    assert (best.product.name, best.why) == ("Garden", "Relaxed, Happy, Citrus")
    assert all(each.reasons for each in pick(cast.alice))


def test_without_preferences_nothing_is_picked(cast: Cast, catalogue: dict[str, Product]) -> None:
    save(cast.bob, preferredEffects=["Relaxed"])
    assert pick(cast.alice) == ()


def test_only_what_can_be_bought_and_is_not_in_the_cart(
    cast: Cast, catalogue: dict[str, Product], session: Session
) -> None:
    save(cast.alice, preferredEffects=["Relaxed", "Energetic"])
    assert sorted(names(cast.alice)) == ["Ferry", "Garden", "Porch", "Rosin", "Unlabelled"]
    catalogue["Garden"].stock = 0
    catalogue["Ferry"].is_active = False
    session.commit()
    rosin = AddForm(productId=catalogue["Rosin"].id)
    db.write(lambda s: cart.add(s, s.get(User, cast.alice.id), rosin))
    db.write(lambda s: cart.add(s, s.get(User, cast.bob.id), AddForm(productId=catalogue["Porch"].id)))
    assert sorted(names(cast.alice)) == ["Porch", "Unlabelled"]


def test_the_limit_holds(cast: Cast, catalogue: dict[str, Product]) -> None:
    save(cast.alice, preferredEffects=["Relaxed"])
    assert [each.product.name for each in pick(cast.alice, limit=2)] == names(cast.alice)[:2]


def test_medical_needs_change_nothing(cast: Cast, catalogue: dict[str, Product]) -> None:
    taste = {"preferredEffects": ["Relaxed"], "avoidEffects": ["Anxiety"], "medicalConsent": True}
    save(cast.alice, **taste)
    without = pick(cast.alice)
    assert without
    for need in MedicalNeed:
        save(cast.alice, **taste, medicalNeeds=[need.value])
        assert pick(cast.alice) == without
    save(cast.alice, **taste, medicalNeeds=[need.value for need in MedicalNeed])
    assert pick(cast.alice) == without
    assert not any("medical" in name for name in Taste.__dataclass_fields__)


def test_medical_needs_are_not_even_read(engine: Engine, cast: Cast, catalogue: dict[str, Product]) -> None:
    save(cast.alice, preferredEffects=["Relaxed"])
    with count_statements(engine) as seen:
        pick(cast.alice)
    assert not any("medical" in statement for statement in seen)


@pytest.mark.parametrize("count", [1, 30])
def test_it_takes_as_many_statements_for_many_products_as_for_one(
    engine: Engine, session: Session, cast: Cast, count: int
) -> None:
    for _ in range(count):
        make_product(session, effects=["Relaxed"], thc_percent=20.0)
    session.commit()
    save(cast.alice, preferredEffects=["Relaxed"])
    alice = session.get_one(User, cast.alice.id)
    with count_statements(engine) as seen:
        assert len(recommendations.pick(session, alice, limit=24)) == min(count, 24)
    assert len(seen) == 4


def test_an_invite_only_store_picks_for_the_invited_alone(
    cast: Cast, catalogue: dict[str, Product], session: Session, configure: Callable[..., None]
) -> None:
    for who in (cast.alice, cast.bob):
        save(who, preferredEffects=["Relaxed"])
    session.get_one(User, cast.bob.id).invited_at = clock.now()
    session.commit()
    configure(ACCESS_MODE="invite_only")
    assert "Porch" in names(cast.bob)
    with pytest.raises(errors.InvitationRequired):
        pick(cast.alice)
    with pytest.raises(errors.NotSignedIn):
        db.read(lambda s: recommendations.pick(s, None))


def test_picks_beat_popularity_and_avoid_unwanted_effects() -> None:
    verdicts = report.judge()
    everybody = report.total(verdicts)
    assert everybody.violations == 0
    assert everybody.violations_of_popular > 0, "the people avoid nothing that is popular: the test would prove nothing"
    assert everybody.ours > 2 * everybody.popular_filtered
    assert all(each.ours > each.popular_filtered for each in verdicts)


def test_the_report_uses_existing_products() -> None:
    known = {entry["name"] for entry in report.read_demo()}
    for person in report.personas():
        assert person.grades.keys() <= known
        assert person.unwelcome <= known
        assert not person.unwelcome & person.grades.keys()


def test_the_report_catches_a_formula_that_ignores_avoided_effects(monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = {name: scoring.Exclusion(frozenset(), 10) for name in AVOIDED}
    monkeypatch.setattr(scoring, "AVOIDED", nothing)
    assert report.total(report.judge()).violations > 0
