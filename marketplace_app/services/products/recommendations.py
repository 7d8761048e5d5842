"""Recommendations for a user, from their preferences. `scoring` ranks; this module loads the data."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import select
from sqlmodel import Session, col

from marketplace_app.limits import RECOMMENDATIONS
from marketplace_app.models import CartLine, Preferences, Product, User
from marketplace_app.schemas.products.products import COLUMNS, view_of_row
from marketplace_app.schemas.products.recommendations import RecommendationView
from marketplace_app.services.accounts import require_shopper
from marketplace_app.services.products.scoring import Candidate, Taste, quality_of, rank, strength_of
from marketplace_app.services.search.product_index import IS_ACTIVE

# Medical needs are not even read.
_TASTE = select(
    *[
        getattr(Preferences, name)
        for name in (
            "experience_level",
            "tolerance_level",
            "primary_use_time",
            "desired_intensity",
            "preferred_types",
            "preferred_effects",
            "preferred_flavors",
            "avoid_effects",
        )
    ]
)
_IS_AVAILABLE = (IS_ACTIVE, col(Product.stock) > 0)
_CANDIDATE_COLUMNS = (
    "id",
    "strain",
    "thc_percent",
    "thc_mg",
    "potency",
    "rating_tenths",
    "review_count",
    "effects",
    "flavors",
)
_CANDIDATES = select(*[getattr(Product, name) for name in _CANDIDATE_COLUMNS]).where(*_IS_AVAILABLE)
_PRODUCTS = select(*[getattr(Product, name) for name in COLUMNS]).where(*_IS_AVAILABLE)


def pick(
    session: Session, actor: User | None, *, limit: int = RECOMMENDATIONS, candidates: Sequence[Candidate] | None = None
) -> tuple[RecommendationView, ...]:
    """The best products for the caller that are in stock and not in their cart; none without preferences.

    `candidates` is what `list_candidates` returned, if the caller has it cached.
    """
    shopper = require_shopper(actor)
    taste = _taste(session, shopper.id)
    if taste is None:
        return ()
    cart = select(col(CartLine.product_id)).where(col(CartLine.user_id) == shopper.id)
    in_cart = set(session.execute(cart).scalars())
    candidates = list_candidates(session, shopper) if candidates is None else candidates
    best = rank(taste, (each for each in candidates if each.id not in in_cart), limit)
    statement = _PRODUCTS.where(col(Product.id).in_([match.id for match in best]))
    views = {view.id: view for view in map(view_of_row, session.execute(statement))}
    return tuple(RecommendationView(views[match.id], match.reasons) for match in best if match.id in views)


def list_candidates(session: Session, _actor: User | None) -> tuple[Candidate, ...]:
    """All products that could be recommended."""
    return tuple(map(_candidate, session.execute(_CANDIDATES)))


def _candidate(row: Sequence[Any]) -> Candidate:
    product_id, strain, thc_percent, thc_mg, potency, rating_tenths, review_count, effects, flavors = row
    return Candidate(
        product_id,
        strain,
        strength_of(thc_percent, thc_mg, potency),
        quality_of(rating_tenths, review_count),
        tuple(effects),
        tuple(flavors),
    )


def _taste(session: Session, user_id: int) -> Taste | None:
    row = session.execute(_TASTE.where(col(Preferences.user_id) == user_id)).one_or_none()
    if row is None:
        return None
    experience, tolerance, use_time, intensity, *lists = row
    return Taste(experience, tolerance, use_time, intensity, *map(frozenset, lists))
