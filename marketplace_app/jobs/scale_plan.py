"""Generates a fictitious year of a large shop: who buys what and when. Always the same; writes nothing itself."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from marketplace_app.adapters.search import fold
from marketplace_app.limits import MINIMUM_ORDER_CENTS
from marketplace_app.models import OrderStatus

A_YEAR = timedelta(days=365)
FIRST_NAMES = (
    "Nora", "Marcus", "June", "Teodor", "Priya", "Sam", "Kit", "Ada", "Hugo", "Lena", "Omar", "Ines", "Theo", "Wren",
    "Bea", "Jonas", "Zoë", "Mateo", "Ravi", "Saoirse", "Anaïs", "Emil", "Freya", "Kofi", "Lucía", "Noor", "Petra",
    "Quinn", "Renée", "Søren", "Tomás", "Uma", "Vera", "Yusuf", "Mila", "Dante",
)  # fmt: skip
LAST_NAMES = (
    "Whitfield", "Okafor", "Lind", "Ruiz", "Anand", "Adeyemi", "Larsen", "Moreau", "Brandt", "Fischer", "Haddad",
    "Duarte", "Park", "Calloway", "Solberg", "Weber", "Nguyen", "Castellanos", "Novak", "O'Brien", "Petrov", "Rossi",
    "Sato", "Tanaka", "Ulrich", "Vega", "Walsh", "Yamada", "Zielinski", "Amari", "Bjørnsson", "Chowdhury",
    "Delacroix", "Eriksen", "Ferrari", "Gallagher", "Hernández", "Ivanova",
)  # fmt: skip
STREETS = (
    "Larch", "Mill", "Harbor", "Juniper", "Alder", "Elm", "Cedar", "Willow", "Maple", "Birch", "Ash", "Hawthorn",
)  # fmt: skip
CITIES = ("Portland", "Beaverton", "Gresham", "Hillsboro", "Tigard")
BUSY = (1, 1, 1, 1, 1, 1, 2, 4, 7, 12, 18, 24, 30, 28, 22, 22, 28, 44, 62, 78, 86, 70, 38, 12)
"""How busy each hour of a day is, at the store."""
REFERRED, BANNED, CANCELLED = 0.08, 0.01, 0.06
"""The share of users who are referred, of users who are banned, and of orders that are cancelled."""
MAX_LINES, MAX_EACH = 8, 3


@dataclass(frozen=True)
class PlannedUser:
    first_name: str
    last_name: str
    email: str
    phone: str
    street: str
    city: str
    joined_at: datetime
    is_banned: bool
    referrer: int | None
    """The user who referred them, by place in the list of users."""


@dataclass(frozen=True)
class Purchase:
    buyer: int
    """Place in the list of users."""
    placed_at: datetime
    basket: tuple[tuple[int, int], ...]
    """Each product, by its place in the list of prices, and how many of it."""
    steps: tuple[tuple[OrderStatus, datetime], ...]
    """Its statuses and when each was set, placement first."""

    @property
    def status(self) -> OrderStatus:
        return self.steps[-1][0]


def plan_users(count: int, now: datetime, rng: random.Random) -> list[PlannedUser]:
    """Oldest first, so that a referrer exists before those they referred. More joined early in the year than late."""
    joined = sorted(now - A_YEAR * (1 - rng.random() ** 3) for _ in range(count))
    return [_user(number, at, rng) for number, at in enumerate(joined)]


def _user(number: int, joined_at: datetime, rng: random.Random) -> PlannedUser:
    first, last = rng.choice(FIRST_NAMES), rng.choice(LAST_NAMES)
    return PlannedUser(
        first_name=first,
        last_name=last,
        email=f"{fold(first)}.{fold(last)}.{number}@example.net".replace(" ", ""),
        phone=f"503 555 {rng.randrange(10_000):04}",
        street=f"{rng.randrange(1, 999)} {rng.choice(STREETS)} Street",
        city=rng.choice(CITIES),
        joined_at=joined_at,
        is_banned=rng.random() < BANNED,
        referrer=rng.randrange(number) if number and rng.random() < REFERRED else None,
    )


def plan_purchases(
    count: int,
    users: Sequence[PlannedUser],
    prices: Sequence[int],
    now: datetime,
    timezone: ZoneInfo,
    rng: random.Random,
) -> list[Purchase]:
    """Oldest first. Some people buy often, some products sell well, evenings are busy."""
    planned = []
    for _ in range(count):
        buyer = int(len(users) * rng.random() ** 1.6)
        joined = users[buyer].joined_at
        placed_at = _at_a_busy_hour(joined + (now - joined) * rng.random(), joined, now, timezone, rng)
        planned.append(Purchase(buyer, placed_at, _basket(prices, rng), _steps(placed_at, now, rng)))
    return sorted(planned, key=lambda purchase: purchase.placed_at)


def _at_a_busy_hour(
    moment: datetime, earliest: datetime, latest: datetime, timezone: ZoneInfo, rng: random.Random
) -> datetime:
    [hour] = rng.choices(range(24), BUSY)
    moved = moment.astimezone(timezone).replace(hour=hour).astimezone(moment.tzinfo)
    return moved if earliest <= moved <= latest else moment


def _basket(prices: Sequence[int], rng: random.Random) -> tuple[tuple[int, int], ...]:
    """Products worth at least the minimum order, or as many as a basket holds."""
    basket: dict[int, int] = {}
    wanted, worth = rng.randrange(1, 4), 0
    while len(basket) < min(MAX_LINES, len(prices)) and (len(basket) < wanted or worth < MINIMUM_ORDER_CENTS):
        product, quantity = int(len(prices) * rng.random() ** 2), rng.randrange(1, MAX_EACH + 1)
        if product not in basket:
            basket[product] = quantity
            worth += prices[product] * quantity
    return tuple(basket.items())


def _steps(placed_at: datetime, now: datetime, rng: random.Random) -> tuple[tuple[OrderStatus, datetime], ...]:
    """The statuses that the order has reached by now."""
    course = [
        (OrderStatus.CONFIRMED, timedelta(hours=1 + 4 * rng.random())),
        (OrderStatus.OUT_FOR_DELIVERY, timedelta(hours=8 + 20 * rng.random())),
        (OrderStatus.DELIVERED, timedelta(hours=30 + 18 * rng.random())),
    ]
    if rng.random() < CANCELLED:
        course = [(OrderStatus.CANCELLED, timedelta(hours=1 + 6 * rng.random()))]
    reached = [(status, placed_at + after) for status, after in course if placed_at + after <= now]
    return ((OrderStatus.PENDING, placed_at), *reached)
