"""The texts and numbers on the catalogue's screen: of products, filters and headings."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar, cast

from marketplace_app import money
from marketplace_app.display.paging import counted
from marketplace_app.schemas.products.products import ProductView
from marketplace_app.services import pricing

T = TypeVar("T")


@dataclass(frozen=True)
class ProductCard:
    id: int
    href: str
    """`/product/12`"""
    name: str
    description: str
    subtitle: str
    """`Hybrid · 22% THC`"""
    category: str
    category_hue: str
    """green, purple, orange, blue or grey: see `components.controls.badges`"""
    image: str
    """The product's picture (`packaging.picture_of`); never empty."""
    price: str
    rating: str
    """`4.6`"""
    reviews: str
    """`128`"""
    in_stock: bool
    is_featured: bool


@dataclass(frozen=True)
class CountedAmounts:
    """What legal limits count of a product."""

    weight_mg: int | None
    thc_mg: int | None


@dataclass(frozen=True)
class FilterOption:
    value: str
    label: str
    count: str
    is_on: bool


@dataclass(frozen=True)
class ActiveFilter:
    group: str
    value: str
    label: str


def heading_of(category: str, search: str) -> str:
    """Above the products: the chosen category, if there is exactly one; otherwise what was searched for."""
    if category:
        return f"{category} Products"
    return f"Results for “{search}”" if search else "All Products"


def options(pairs: tuple[tuple[str, int], ...], chosen: list[str]) -> list[FilterOption]:
    return [_shared(FilterOption(value, value, f"{count:,}", value in chosen)) for value, count in pairs]


def show_results_label(count: int) -> str:
    return f"Show {counted(count, 'product')}"


def found_label(count: int) -> str:
    return f"{counted(count, 'product')} found"


def card_of(product: ProductView, hue: str) -> ProductCard:
    card = ProductCard(
        id=product.id,
        href=f"/product/{product.id}",
        name=product.name,
        description=product.description,
        subtitle=product.subtitle,
        category=product.category,
        category_hue=str(hue),
        image=product.image,
        price=money.show(product.price_cents),
        rating=product.rating,
        reviews=str(product.review_count),
        in_stock=product.in_stock,
        is_featured=product.is_featured,
    )
    return _shared(card)


def counted_amounts_of(products: Sequence[ProductView], categories: Collection[str]) -> dict[int, CountedAmounts]:
    """What legal limits count of the products in these categories, by the product's id."""
    return {
        product.id: CountedAmounts(pricing.milligrams(product.net_weight_grams), product.thc_mg)
        for product in products
        if product.category in categories
    }


def _shared(value: T) -> T:
    """The equal value that another tab has already, if any: copies of its own would take a sixth of a tab's memory."""
    return cast(T, _first_of_equals(value))


@lru_cache(maxsize=8192)
def _first_of_equals(value: object) -> object:
    return value
