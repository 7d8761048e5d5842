"""What a first visit transfers, by kind, as counted by a browser that knows gzip only and has an empty cache.

Most browsers also know brotli, with which scripts and styles are a sixth smaller.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from urllib.parse import urlsplit

from playwright.sync_api import Page, Request

from tests.e2e.wire import cookie_of

BUDGETS = {"script": 190, "style": 16, "fonts": 40, "film": 400}
"""Kilobytes of 1,000 bytes."""
LATER_PAGE_BUDGETS = BUDGETS | {"script": 215}
"""For the checkout and the admin pages, where nobody begins a visit."""
CHECKOUT_FORM, OVERVIEW_FIGURES = "form#checkout", 'main [aria-label="All-time figures"]'
"""Selectors of elements that are there once these pages show their content."""
QUIET_MS = 800
KINDS = {".js": "script", ".css": "style", ".woff2": "fonts", ".webm": "film", ".mp4": "film"}


@dataclass(frozen=True)
class Visit:
    kilobytes: Mapping[str, float]
    painted_at: float
    """When the first text or image was painted; both times are in milliseconds of the same clock."""
    film_requested_at: float | None


def first_visit(page: Page, url: str, ready: str) -> Visit:
    """Open the URL in a page of a fresh context. Wait until the selector `ready` matches and no more files come."""
    finished: list[Request] = []
    films: list[Request] = []
    page.on("requestfinished", lambda request: finished.append(request))
    page.on("request", lambda request: films.append(request) if _kind(request) == "film" else None)
    page.set_extra_http_headers({"Accept-Encoding": "gzip"})
    page.emulate_media(reduced_motion="no-preference")
    page.goto(url)
    page.locator(ready).first.wait_for()
    _wait_until_quiet(page, finished)
    painted_at = page.evaluate(
        "() => performance.timeOrigin + performance.getEntriesByName('first-contentful-paint')[0].startTime"
    )
    kilobytes = dict(_by_kind(finished))
    if films:
        kilobytes["film"] = max(map(_film_kilobytes, films))
    return Visit(kilobytes, painted_at, min(map(_requested_at, films), default=None))


def set_session_cookies(page: Page, url: str, email: str) -> None:
    """Sign in without opening a page: nothing of the store is in the browser's cache."""
    cookies = {"session": cookie_of(url, email), "signed_in": "1"}
    page.context.add_cookies([{"name": name, "value": value, "url": url} for name, value in cookies.items()])


def _wait_until_quiet(page: Page, finished: list[Request]) -> None:
    """Not Playwright's own `networkidle`: a film that plays keeps the network busy."""
    before = -1
    while len(finished) != before:
        before = len(finished)
        page.wait_for_timeout(QUIET_MS)


def _film_kilobytes(request: Request) -> float:
    """The whole length of the film: a player fetches as it plays, so the request may never finish."""
    answer = request.response()
    headers = answer.headers if answer else {}
    return int(headers.get("content-range", "").rpartition("/")[2] or headers.get("content-length", "0")) / 1000


def _requested_at(request: Request) -> float:
    request.response()  # waits for it: until then, the times of the request are not known
    return float(request.timing["startTime"])


def _by_kind(requests: list[Request]) -> Mapping[str, float]:
    sizes: dict[str, int] = {}
    for request in requests:
        if _kind(request) not in (None, "film"):
            sizes[request.url] = max(sizes.get(request.url, 0), request.sizes()["responseBodySize"])
    totals: dict[str, float] = defaultdict(float)
    for url, size in sizes.items():
        totals[KINDS[_suffix(url)]] += size / 1000
    return totals


def _kind(request: Request) -> str | None:
    return KINDS.get(_suffix(request.url))


def _suffix(url: str) -> str:
    return PurePosixPath(urlsplit(url).path).suffix
