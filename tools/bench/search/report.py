"""Labelled queries against the catalogue: how often what was meant is among the first five, and how often first."""

import random
import string
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median

from sqlmodel import Session

from marketplace_app.adapters import search, versioned_cache
from marketplace_app.schemas.products.products import ProductPage, ProductQuery, ProductView
from marketplace_app.services.products import products

QUERIES = Path(__file__).with_name("queries.tsv")
DEPTH = 5
_FACTS: dict[str, Callable[[ProductView, str], bool]] = {
    "category": lambda product, value: product.category == value,
    "effect": lambda product, value: value in product.effects,
    "grams": lambda product, value: product.net_weight_grams == float(value) and product.thc_mg is None,
}


@dataclass(frozen=True)
class Query:
    group: str
    """tuned, held (held back: do not tune the search by them), or made (from the names of the catalogue)."""
    kind: str
    words: str
    wanted: str
    """A name, or `fact=value` that each of the first five must have."""

    def judge(self, found: Sequence[ProductView]) -> tuple[float, float]:
        """Whether the name is among the first five, or the share of them with the fact; whether the first is right."""
        fact, is_fact, value = self.wanted.partition("=")
        if is_fact:
            right = [_FACTS[fact](product, value) for product in found]
            return (mean(right), float(right[0])) if right else (0.0, 0.0)
        names = [search.fold(product.name) for product in found]
        wanted = search.fold(self.wanted)
        return float(wanted in names), float(names[:1] == [wanted])


@dataclass(frozen=True)
class Result:
    query: Query
    recall: float
    first: float
    is_corrected: bool
    milliseconds: float


def hand_written_queries() -> list[Query]:
    lines = QUERIES.read_text(encoding="utf-8").splitlines()
    return [Query(*line.split("\t")) for line in lines if line and not line.startswith("#")]


def generated_queries(names: Sequence[str], count: int) -> Iterator[Query]:
    """`count` queries of each kind: a whole name, one with a typo, one with a typo in each word that may have one."""
    rng = random.Random(97)
    long_enough = [name for name in names if any(map(_may_have_typo, name.split()))]
    for name in rng.sample(list(names), count):
        yield Query("made", "exact", name, name)
    for name in rng.sample(long_enough, count):
        words = name.lower().split()
        place = rng.choice([place for place, word in enumerate(words) if _may_have_typo(word)])
        words[place] = _with_typo(rng, words[place])
        yield Query("made", "typo", " ".join(words), name)
    for name in rng.sample(long_enough, count):
        words = [_with_typo(rng, word) if _may_have_typo(word) else word for word in name.lower().split()]
        yield Query("made", "typos", " ".join(words), name)


def ask(session: Session, query: Query) -> Result:
    began = time.perf_counter()
    page: ProductPage = products.list_products(session, None, ProductQuery(search=query.words, limit=24))
    took = (time.perf_counter() - began) * 1000
    return Result(query, *query.judge(page.items[:DEPTH]), page.corrected is not None, took)


def run(session: Session, queries: Sequence[Query]) -> list[Result]:
    """Before the measured queries, the first is asked once to fill the caches that all of them share."""
    versioned_cache.clear_all()
    ask(session, queries[0])
    return [ask(session, query) for query in queries]


def print_report(results: Sequence[Result]) -> None:
    print("| queries | kind | count | recall at 5 | first | corrected | ms, median | ms, worst |")
    print("|---------|------|-------|-------------|-------|-----------|------------|-----------|")
    groups = dict.fromkeys((each.query.group, each.query.kind) for each in results)
    for group, kind in groups:
        some = [each for each in results if (each.query.group, each.query.kind) == (group, kind)]
        times = [each.milliseconds for each in some]
        print(
            f"| {group:7} | {kind} | {len(some)} | {mean(each.recall for each in some):.3f} "
            f"| {mean(each.first for each in some):.3f} | {mean(each.is_corrected for each in some):.3f} "
            f"| {median(times):.1f} | {max(times):.1f} |"
        )
    missed = [each.query for each in results if each.recall < 1]
    print(f"\nNot found, or not all right ({len(missed)}):")
    for query in missed[:40]:
        print(f"  {query.group:6} {query.kind:10} {query.words!r} -> {query.wanted}")


def _may_have_typo(word: str) -> bool:
    return len(word) >= 4 and word.isascii() and word.isalpha()


def _with_typo(rng: random.Random, word: str) -> str:
    """One letter too many, lost, swapped with its neighbour or replaced."""
    at, letter = rng.randrange(1, len(word)), rng.choice(string.ascii_lowercase)
    return rng.choice(
        (
            word[:at] + letter + word[at:],
            word[:at] + word[at + 1 :],
            word[: at - 1] + word[at] + word[at - 1] + word[at + 1 :],
            word[:at] + letter + word[at + 1 :],
        )
    )
