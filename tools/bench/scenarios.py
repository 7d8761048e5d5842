"""What is asked of the store over REST.

The bare server (`bare.py`: the same products, and nothing a store needs) answers most of these paths too. What it
reaches is the limit that the store is compared with.
"""

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from urllib.parse import quote
from uuid import uuid4

from tools.bench.servers import Database
from tools.bench.wrk import Request

CATEGORIES = ("THC Flower", "Pre-Rolls", "Concentrates", "Vapes", "Edibles")
WORDS = (
    *("fern", "hollow", "maple", "ridge", "amber", "cedar", "berry", "lemon", "mint", "gummies", "cart", "haze"),
    *("kush", "citrus", "pine", "earthy", "relaxed", "creative", "happy", "indica", "sativa", "hybrid", "rosin"),
)
ORDERS = 4_000
"""More than are placed in one round. Each round sends new idempotency keys: with a used one, no order is placed."""


@dataclass(frozen=True)
class Shop:
    """The people and products that requests refer to."""

    shopper_tokens: Sequence[str]
    """Session tokens."""
    owner_token: str
    products: int

    @staticmethod
    def of(database: Database) -> "Shop":
        return Shop(database.shopper_tokens, database.owner_token, database.products)


@dataclass(frozen=True)
class Scenario:
    name: str
    requests: Callable[[Shop, random.Random], list[Request]]
    is_cold: bool = False
    """No request is sent twice, so no answer comes from a cache."""
    is_write: bool = False
    has_limit: bool = True
    """Whether `bare.py` answers it too."""
    goal: float | None = None
    """The least share of `bare.py`'s requests per second that the store aims for."""
    growth_goal: float | None = None
    """The least share of its requests per second that the store aims to keep with ten times the products."""
    least_seconds: int = 0
    """The least length of a round.

    Requests that are still unanswered at its end are not counted, and keep the server busy in the next round. So slow
    requests need longer rounds.
    """


def _lists(_shop: Shop, _rng: random.Random) -> list[Request]:
    """The first 24 products of a category from a price up, sorted by price."""
    return [_list(category, price) for price in range(20_00, 40_00, 100) for category in CATEGORIES]


def _cold_lists(_shop: Shop, rng: random.Random) -> list[Request]:
    asked = [_list(category, price) for price in range(10_00, 170_00) for category in CATEGORIES]
    rng.shuffle(asked)
    return asked


def _list(category: str, price_cents: int) -> Request:
    return Request(f"/api/products?category={quote(category)}&minPrice={price_cents / 100:.2f}&sortBy=price&limit=24")


def _details(shop: Shop, rng: random.Random) -> list[Request]:
    return [Request(f"/api/products/{rng.randint(1, shop.products)}") for _ in range(1_000)]


def _searches(_shop: Shop, _rng: random.Random) -> list[Request]:
    return [Request(f"/api/products?search={word}&limit=24") for word in WORDS]


def _new_searches(_shop: Shop, rng: random.Random) -> list[Request]:
    asked = [
        Request(f"/api/products?search={word}&minPrice={price / 100:.2f}&limit=24")
        for word in WORDS
        for price in range(10_00, 30_00)
    ]
    rng.shuffle(asked)
    return asked


def _facets(_shop: Shop, _rng: random.Random) -> list[Request]:
    return [Request(f"/api/products/facets?category={quote(category)}") for category in CATEGORIES]


def _suggestions(_shop: Shop, _rng: random.Random) -> list[Request]:
    return [Request(f"/api/products/suggestions?q={word[:end]}") for word in WORDS for end in range(2, len(word) + 1)]


def _cart(shop: Shop, rng: random.Random) -> list[Request]:
    """Five products for each cart, added again and again, until a line holds the 99 units that it may."""
    requests = []
    for token in shop.shopper_tokens:
        for product in rng.sample(range(1, shop.products + 1), 5):
            requests.append(_post("/api/cart", token, {"productId": product, "quantity": 1}))
    rng.shuffle(requests)
    return requests


def _quotes(shop: Shop, rng: random.Random) -> list[Request]:
    return [_post("/api/orders/quote", token, {"items": _items(shop, rng)}) for token in shop.shopper_tokens]


def _orders(shop: Shop, rng: random.Random) -> list[Request]:
    return [
        _post(
            "/api/orders",
            shop.shopper_tokens[number % len(shop.shopper_tokens)],
            {
                "items": _items(shop, rng),
                "deliveryAddress": "214 Larch Street, Portland, OR 97201",
                "contactPhone": "503 555 0142",
                "deliveryInstructions": "Side entrance, the green door.",
                "paymentInstructions": "Envelope under the mat.",
            },
            {"Idempotency-Key": str(uuid4())},
        )
        for number in range(ORDERS)
    ]


def _admin_orders(shop: Shop, _rng: random.Random) -> list[Request]:
    headers = {"Cookie": f"session={shop.owner_token}"}
    return [Request(f"/api/admin/orders?limit=25&offset={25 * page}", headers=headers) for page in range(40)]


def _items(shop: Shop, rng: random.Random) -> list[dict[str, int]]:
    """Two products, enough of them for the minimum of an order."""
    return [{"productId": number, "quantity": 8} for number in rng.sample(range(1, shop.products + 1), 2)]


def _post(path: str, token: str, body: object, headers: dict[str, str] | None = None) -> Request:
    fields = {"Content-Type": "application/json", "Cookie": f"session={token}", **(headers or {})}
    return Request(path, "POST", fields, json.dumps(body))


LIST = Scenario("list of 24", _lists, goal=1.0, growth_goal=0.75)
COLD_LIST = Scenario("list of 24, cold", _cold_lists, is_cold=True, goal=0.35, growth_goal=0.5)
PRODUCT = Scenario("product", _details, goal=1.0)
SEARCH = Scenario("search", _searches, goal=1.0)
COLD_SEARCH = Scenario("search, cold", _new_searches, is_cold=True, goal=0.3, growth_goal=0.3)
CART = Scenario("add to cart", _cart, is_write=True, goal=0.3)
FACETS = Scenario("facets", _facets, has_limit=False)
ORDER = Scenario("place an order", _orders, is_write=True, goal=0.15)
ALL = (
    LIST,
    COLD_LIST,
    PRODUCT,
    SEARCH,
    COLD_SEARCH,
    FACETS,
    Scenario("suggestions", _suggestions, has_limit=False),
    CART,
    Scenario("quote", _quotes, has_limit=False),
    ORDER,
    Scenario("orders of the admin pages", _admin_orders, has_limit=False, least_seconds=8),
)
GROWING = (LIST, COLD_LIST, PRODUCT, SEARCH, COLD_SEARCH)
"""What may cost more in a larger catalogue."""
