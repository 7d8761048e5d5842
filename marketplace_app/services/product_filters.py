"""The filters of the catalogue (RULE filters): conditions with parameters, and the values that a query gives those.

A statement with parameters is built once for each combination of filters. Building one takes longer than running it.
"""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from functools import lru_cache
from typing import Any, TypeVar

from sqlalchemy import Boolean, ColumnElement, bindparam, exists, func, literal_column, not_, or_, select

from marketplace_app.models import Potency, Product, ProductType, Strain
from marketplace_app.models.base import table_of
from marketplace_app.schemas.products import ProductQuery

E = TypeVar("E", bound=StrEnum)
Filter = tuple[str, dict[str, Any]]
"""The name of a condition, and the values of its parameters."""

PRODUCTS = table_of(Product).c
IS_ACTIVE = PRODUCTS.is_active.is_(True)
# Literal text, not a bound value: the index `ix_products_shelf` is on this exact expression.
IN_STOCK = literal_column("(stock > 0)", Boolean)


def chosen(query: ProductQuery) -> Iterator[Filter]:
    """The filters that a query uses, always in the same order."""
    for name, values in (
        ("category", query.category),
        ("brand", query.brand),
        ("effect", query.effect),
        ("flavor", query.flavor),
    ):
        if values:
            yield name, {name: values}
    if query.type:
        yield "type", {"type": _known(ProductType, query.type), "type_strain": _known(Strain, query.type)}
    if query.potency:
        yield "potency", {"potency": _known(Potency, query.potency)}
    if query.strain:
        yield "strain", {"strain": _known(Strain, query.strain)}
    for name in ("min_price", "max_price", "min_thc", "max_thc", "min_cbd", "max_cbd"):
        if (bound := getattr(query, name)) is not None:
            yield name, {name: bound}
    if query.in_stock is not None:
        yield ("in_stock" if query.in_stock else "sold_out"), {}


def conditions(dialect: str, names: Iterable[str]) -> list[ColumnElement[bool]]:
    """What makes a product one of the catalogue that passes these filters."""
    every = _conditions(dialect)
    return [IS_ACTIVE, *(every[name] for name in names)]


@lru_cache(maxsize=2)
def _conditions(dialect: str) -> dict[str, ColumnElement[bool]]:
    return {
        "category": _is_any(PRODUCTS.category, "category"),
        "brand": _is_any(PRODUCTS.brand, "brand"),
        "effect": _lists_any(dialect, PRODUCTS.effects, "effect"),
        "flavor": _lists_any(dialect, PRODUCTS.flavors, "flavor"),
        # Flower sold by weight and pre-rolls have their size for a type: they are found by their strain as well.
        "type": or_(_is_any(PRODUCTS.type, "type"), _is_any(PRODUCTS.strain, "type_strain")),
        "potency": _is_any(PRODUCTS.potency, "potency"),
        "strain": _is_any(PRODUCTS.strain, "strain"),
        "min_price": PRODUCTS.price_cents >= bindparam("min_price"),
        "max_price": PRODUCTS.price_cents <= bindparam("max_price"),
        "min_thc": PRODUCTS.thc_percent >= bindparam("min_thc"),
        "max_thc": PRODUCTS.thc_percent <= bindparam("max_thc"),
        "min_cbd": PRODUCTS.cbd_percent >= bindparam("min_cbd"),
        "max_cbd": PRODUCTS.cbd_percent <= bindparam("max_cbd"),
        "in_stock": IN_STOCK,
        "sold_out": not_(IN_STOCK),
    }


def _is_any(column: ColumnElement[Any], name: str) -> ColumnElement[bool]:
    return column.in_(bindparam(name, expanding=True))


def _lists_any(dialect: str, listed: ColumnElement[Any], name: str) -> ColumnElement[bool]:
    """A JSON list holds one of these very texts."""
    unfold = func.json_each if dialect == "sqlite" else func.json_array_elements_text
    entries = unfold(listed).table_valued("value")
    return exists(select(literal_column("1")).select_from(entries).where(_is_any(entries.c.value, name)))


def _known(members: type[E], values: list[str]) -> list[E]:
    known = {member.value for member in members}
    return [members(value) for value in values if value in known]
