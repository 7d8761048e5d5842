"""Sets of products as whole numbers, and pages of them in an order.

A set has one bit for each place in the catalogue's featured order, the first place leftmost. To combine or count sets
of 50,000 products takes a few microseconds (docs/decisions/0018).
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, compress, islice, pairwise
from operator import or_
from typing import TypeAlias

Number: TypeAlias = float | int | None
ProductSet: TypeAlias = int
BLOCK = 256
_DIGITS = bytes.maketrans(b"01", b"\0\1")


def set_of(places: Iterable[int], size: int) -> ProductSet:
    """`size` is the number of products in the catalogue."""
    marks = bytearray((size + 7) // 8)
    for place in places:
        marks[place >> 3] |= 128 >> (place & 7)
    return int.from_bytes(marks, "big")


def marks_of(products: ProductSet, size: int) -> bytes:
    """For each place 1 if its product is in the set, else 0."""
    return f"{products:0{(size + 7) // 8 * 8}b}".encode().translate(_DIGITS)


class SortedPlaces:
    """Places in a sort order. For every block it knows the set of all places before it, to find a page quickly."""

    def __init__(self, places: Sequence[int], size: int) -> None:
        """`places` may leave some out; `size` is the number of products in the catalogue."""
        self.places, self._size = places, size
        blocks = (places[at : at + BLOCK] for at in range(0, len(places), BLOCK))
        self._before = list(accumulate((set_of(block, size) for block in blocks), or_, initial=0))

    def places_of(self, products: ProductSet, offset: int) -> Iterator[int]:
        """The places of these products in this order, from the `offset`-th on."""
        marks = marks_of(products, self._size)
        for number, (before, after) in enumerate(pairwise(self._before)):
            if not (inside := products & (before ^ after)):
                continue
            if (count := inside.bit_count()) > offset:
                block = self.places[number * BLOCK : (number + 1) * BLOCK]
                yield from islice(compress(block, map(marks.__getitem__, block)), offset, None)
            offset = max(0, offset - count)

    def first(self, count: int) -> ProductSet:
        block = count // BLOCK
        return self._before[block] | set_of(self.places[block * BLOCK : count], self._size)


class Range:
    """Products by a number; those that have none are left out."""

    def __init__(self, numbers: Sequence[Number]) -> None:
        pairs = sorted((number, place) for place, number in enumerate(numbers) if number is not None)
        self._numbers = [number for number, _ in pairs]
        self._sorted = SortedPlaces([place for _, place in pairs], len(numbers))

    def between(self, lowest: Number, highest: Number) -> ProductSet:
        """Bounds are inclusive; None is no bound."""
        first = 0 if lowest is None else bisect_left(self._numbers, lowest)
        end = len(self._numbers) if highest is None else bisect_right(self._numbers, highest)
        return self._sorted.first(first) ^ self._sorted.first(max(first, end))
