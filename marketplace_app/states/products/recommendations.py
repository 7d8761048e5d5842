"""The row 'Picked for you' above the catalogue. `CatalogueState.load` loads it with the products."""

from dataclasses import dataclass

import reflex as rx

from marketplace_app import money
from marketplace_app.adapters.versioned_cache import AsyncVersionedCache
from marketplace_app.auth import acting
from marketplace_app.errors import StoreError
from marketplace_app.schemas.products.products import ProductView
from marketplace_app.schemas.products.recommendations import RecommendationView
from marketplace_app.services.account import preferences
from marketplace_app.services.products import recommendations
from marketplace_app.services.products.scoring import Candidate
from marketplace_app.states.events.base import read

# Shared by all users until a product changes.
_CANDIDATES: AsyncVersionedCache[tuple[Candidate, ...]] = acting.catalogue_cache(max_size=16)


@dataclass(frozen=True)
class Pick:
    id: int
    href: str
    name: str
    subtitle: str
    """`Hybrid · 22% THC`"""
    image: str
    price: str
    why: str
    """`Relaxed, Citrus`, or nothing."""


class RecommendationsState(rx.State):
    picks: list[Pick] = []

    async def _load(self) -> None:
        """A failure here must not fail the catalogue: the row is optional."""
        try:
            self.picks = [pick_of(each.product, each.why) for each in await self._find()]
        except StoreError:
            self.picks = []

    async def _find(self) -> tuple[RecommendationView, ...]:
        if not await read(self, preferences.has_saved):
            return ()
        candidates = await _CANDIDATES.get("all", lambda: acting.read(None, recommendations.list_candidates))
        return await read(self, recommendations.pick, candidates=candidates)


def pick_of(product: ProductView, why: str = "") -> Pick:
    return Pick(
        id=product.id,
        href=f"/product/{product.id}",
        name=product.name,
        subtitle=product.subtitle,
        image=product.image,
        price=money.show(product.price_cents),
        why=why,
    )
