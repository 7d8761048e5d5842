"""Sets of products as bitmaps, and pages of them in a sort order.

A bitmap is an integer with one bit for each position in the catalogue's featured order, the first position in the
highest bit. Combining or counting sets of 50,000 products takes a few microseconds
(docs/decisions/0018-filters-in-memory.md).
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, compress, islice, pairwise
from operator import or_
from typing import TypeAlias

Number: TypeAlias = float | int
ProductSet: TypeAlias = int
BLOCK = 256
"""How many positions make a block of `SortedPositions`."""
_DIGITS = bytes.maketrans(b"01", b"\0\1")


def set_of(positions: Iterable[int], size: int) -> ProductSet:
    """The products at these positions; `size` is the number of products in the catalogue."""
    bits = bytearray((size + 7) // 8)
    for position in positions:
        bits[position >> 3] |= 128 >> (position & 7)
    return int.from_bytes(bits, "big")


def flags_of(products: ProductSet, size: int) -> bytes:
    """One byte for each position: 1 if its product is in the set, else 0."""
    return f"{products:0{(size + 7) // 8 * 8}b}".encode().translate(_DIGITS)


class SortedPositions:
    """Positions in the featured order, rearranged into another sort order.

    The set of all products before each block is kept, to find a page quickly.
    """

    def __init__(self, positions: Sequence[int], size: int) -> None:
        """`positions` may leave products out; `size` is the number of products in the catalogue."""
        self.positions, self._size = positions, size
        blocks = (positions[at : at + BLOCK] for at in range(0, len(positions), BLOCK))
        self._before = list(accumulate((set_of(block, size) for block in blocks), or_, initial=0))

    def positions_of(self, products: ProductSet, offset: int) -> Iterator[int]:
        """The positions of these products, sorted in this order, without the first `offset`."""
        flags = flags_of(products, self._size)
        start = bisect_right(self._before, offset, key=lambda before: (products & before).bit_count()) - 1
        offset -= (products & self._before[start]).bit_count()
        for number, (before, after) in enumerate(pairwise(self._before[start:]), start):
            if products & (before ^ after):
                block = self.positions[number * BLOCK : (number + 1) * BLOCK]
                yield from islice(compress(block, map(flags.__getitem__, block)), offset, None)
                offset = 0

    def first(self, count: int) -> ProductSet:
        """The first `count` products in this order."""
        block = count // BLOCK
        return self._before[block] | set_of(self.positions[block * BLOCK : count], self._size)


class RangeIndex:
    """Finds products by a number, such as the price; those that have none are never found."""

    def __init__(self, numbers: Sequence[Number | None]) -> None:
        pairs = sorted((number, position) for position, number in enumerate(numbers) if number is not None)
        self._numbers = [number for number, _ in pairs]
        self._sorted = SortedPositions([position for _, position in pairs], len(numbers))

    def between(self, lowest: Number | None, highest: Number | None) -> ProductSet:
        """The products whose number is within the bounds, which are inclusive; None is no bound."""
        first = 0 if lowest is None else bisect_left(self._numbers, lowest)
        end = len(self._numbers) if highest is None else bisect_right(self._numbers, highest)
        return self._sorted.first(first) ^ self._sorted.first(max(first, end))
