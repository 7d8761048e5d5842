"""Limits of what one person may buy."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlmodel import Session

from marketplace_app.schemas.jurisdictions import Bucket, Measure, StateRules
from marketplace_app.schemas.quotes import Blocker
from marketplace_app.services import pricing


class Use(NamedTuple):
    code: str
    label: str
    limit_mg: int
    used_mg: int
    adds_mg: int

    @property
    def is_over(self) -> bool:
        return self.used_mg + self.adds_mg > self.limit_mg


def of(
    session: Session, user_id: int, items: Sequence[pricing.Item], rules: StateRules, at: datetime
) -> tuple[Use, ...]:
    return tuple(Use(each.code, each.label, each.limit_mg, 0, _added(each, items)) for each in rules.buckets)


def blockers(uses: Sequence[Use], items: Sequence[pricing.Item], rules: StateRules) -> tuple[Blocker, ...]:
    return tuple(
        Blocker(code="legal_limit", message=f"This cart is over the limit of {use.label}. Please remove some of it.")
        for use in uses
        if use.is_over
    )


def _added(bucket: Bucket, items: Sequence[pricing.Item]) -> int:
    per_mille = {(each.category, each.measure): each.per_mille for each in bucket.counts}
    amounts = (
        (item.weight_mg or 0) * per_mille.get((item.category, Measure.WEIGHT), 0)
        + (item.thc_mg or 0) * per_mille.get((item.category, Measure.THC), 0)
        for item in items
        for _ in range(item.quantity)
    )
    return sum(amounts) // 1_000
