"""Requests a second over REST, of the store and of the baseline in turns, so that a busy machine slows both."""

from urllib.parse import quote

import httpx

from tools.bench.load import Job, Result, run
from tools.bench.servers import BARE_PORT, PORT
from tools.bench.table import Row, of_many

ROUNDS, SECONDS = 5, 3.0
CATEGORIES = ("THC Flower", "Pre-Rolls", "Concentrates", "Vapes", "Edibles")


def lists(prices: range) -> list[str]:
    """24 of 5,000 products, filtered and sorted."""
    return [
        f"/api/products?category={quote(category)}&minPrice={price / 100:.2f}&sortBy=price&limit=24"
        for price in prices
        for category in CATEGORIES
    ]


LISTS = lists(range(20_00, 40_00, 100))
NEW_LISTS = lists(range(10_00, 90_00))
DETAILS = [f"/api/products/{number}" for number in range(1, 1_001)]


def measure() -> list[Row]:
    return [
        *_compare("list of 24", LISTS, "0.3"),
        *_compare("list of 24, each asked for the first time", NEW_LISTS, ""),
        *_compare("product", DETAILS, "0.25"),
        _revalidation(),
    ]


def _compare(what: str, paths: list[str], goal: str) -> list[Row]:
    for port in (PORT, BARE_PORT):
        run(Job(port, paths[:500], seconds=1))
    offset = len(paths) // ROUNDS if len(paths) > 2_000 else 0
    turns = [_turn(paths[round_ * offset :]) for round_ in range(ROUNDS)]
    ours, bare = [ours.per_second for ours, _ in turns], [bare.per_second for _, bare in turns]
    ratios = [one / other for one, other in zip(ours, bare, strict=True)]
    return [
        of_many(f"{what}, store", ours, "/s"),
        of_many(f"{what}, bare", bare, "/s"),
        of_many(f"{what}, store / bare", ratios, "", f">= {goal}" if goal else ""),
    ]


def _turn(paths: list[str]) -> tuple[Result, Result]:
    ours, bare = run(Job(PORT, paths, SECONDS)), run(Job(BARE_PORT, paths, SECONDS))
    if ours.unexpected or bare.unexpected:
        raise SystemExit(f"{ours.unexpected} and {bare.unexpected} answers were not 200.")
    return ours, bare


def _revalidation() -> Row:
    """A client that has the list already asks whether it still holds."""
    tag = httpx.get(f"http://localhost:{PORT}{LISTS[0]}").headers["etag"]
    job = Job(PORT, LISTS[:1], SECONDS, headers={"If-None-Match": tag}, expected=304)
    results = [run(job) for _ in range(ROUNDS)]
    if any(result.unexpected for result in results):
        raise SystemExit("A list that had not changed was not answered 304.")
    return of_many("list revalidated (304), store", [result.per_second for result in results], "/s")
