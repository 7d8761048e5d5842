"""How staff search orders.

By number, either end of the id, the customer's name, email and phone, the delivery address, and the products.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import ColumnElement, and_, false, func, literal_column, or_, select, union_all
from sqlmodel import col

from marketplace_app.adapters.search import fold, words_of
from marketplace_app.limits import SHORT_ID_CHARACTERS
from marketplace_app.models import Order

MAX_TEXT = 600
SEARCHED = ("customer_name", "customer_email", "contact_phone", "delivery_address")
MIN_PHONE_DIGITS = 4
_NUMBER = re.compile(r"#?\s*([1-9][0-9]{0,8})")
_PHONE = re.compile(r"[0-9()+./\s-]+")
_PART_OF_ID = re.compile(rf"[0-9a-f-]{{{SHORT_ID_CHARACTERS},36}}")
_ONLY_AN_ID = re.compile(rf"(?=.*[a-f])(?=.*[0-9]){_PART_OF_ID.pattern}")
"""Letters and digits mixed, as they are in no name."""
_SHORT_NUMBER = re.compile(r"#?\s*[1-9][0-9]{0,5}")


def update_search_text(order: Order) -> None:
    """Must be called whenever the customer, the address or the lines change.

    An order of an erased account is found only by number and id.
    """
    columns = {name: getattr(order, name) for name in SEARCHED}
    order.search_text = search_text(columns, [line.name for line in order.lines])


def search_text(order: Mapping[str, Any], products: Iterable[str]) -> str:
    """Customer, address and products of an order, folded, one per line. Sorting orders by customer uses it as well.

    `order` has the columns SEARCHED; without an email, as after an erasure, the text is empty. It is cut to what fits
    into an index entry: a very long order loses its last products.
    """
    name, email, phone, address = (order[each] for each in SEARCHED)
    if not email:
        return ""
    named = dict.fromkeys(fold(product) for product in products)
    return "\n".join((fold(name), fold(email), _digits(phone), fold(address), *named))[:MAX_TEXT]


def matching(query: str) -> ColumnElement[bool]:
    """The orders that match all words of a query, or match it as an order number, a phone number or an end of an id.

    To match an end of an id, the query needs at least the eight characters that screens show. A number of up to
    six digits matches only as an order number.
    """
    text = query.strip().casefold()
    meanings = [*_by_number(text), *_by_id(text), *_by_text(text)]
    return or_(*meanings) if meanings else false()


def _by_number(text: str) -> list[ColumnElement[bool]]:
    number = _NUMBER.fullmatch(text)
    return [col(Order.number) == int(number[1])] if number else []


def _by_id(text: str) -> list[ColumnElement[bool]]:
    """In subqueries, so that an index is used whatever the other conditions are."""
    if not _PART_OF_ID.fullmatch(text):
        return []
    order_id = col(Order.id)
    start, end = text[:SHORT_ID_CHARACTERS], text[-SHORT_ID_CHARACTERS:]
    starting = select(col(Order.number)).where(_substr(order_id, 1, 8) == start, order_id.startswith(text))
    ending = select(col(Order.number)).where(_substr(order_id, 29) == end, order_id.endswith(text))
    return [col(Order.number).in_(union_all(starting, ending))]


def _substr(text: Any, *places: int) -> ColumnElement[str]:
    """With literal numbers: an index on an expression is used only for exactly the same expression."""
    return func.substr(text, *[literal_column(str(place)) for place in places])


def _by_text(text: str) -> list[ColumnElement[bool]]:
    stored = col(Order.search_text)
    if _SHORT_NUMBER.fullmatch(text) or _ONLY_AN_ID.fullmatch(text):
        return []
    if _PHONE.fullmatch(text):
        digits = _digits(text)
        return [stored.contains(digits)] if len(digits) >= MIN_PHONE_DIGITS else []
    words = words_of(text)
    return [and_(*[stored.contains(word) for word in words])] if words else []


def _digits(text: str) -> str:
    return "".join(character for character in text if character in "0123456789")
