"""First and repeat visits of the main pages as Lighthouse simulates them: a phone with a slow connection.

Lighthouse drives a Chromium that has the cookies of a signed-in person. `BENCH_VISITS` sets the visits of each page.
"""

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import httpx
from playwright.sync_api import Browser, sync_playwright

from tests.install_browser import find_chromium
from tools.bench.packages import ENVIRONMENT, NODE, from_npm
from tools.bench.servers import Database, Server, running
from tools.bench.table import Check, Goal, at_least, markdown, show, spread
from tools.bench.wrk import CORES

VISITS = int(os.environ.get("BENCH_VISITS", "10"))
PORT = 8748
"""Where Chromium's debugger listens."""
PACKAGES = {"dependencies": {"lighthouse": "12.8.2"}}
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
DIVISORS = {"largest-contentful-paint": 1000, "total-blocking-time": 1, "cumulative-layout-shift": 1}
"""By audit, what its value is divided by for the table: 1000 makes seconds of milliseconds."""
GOALS: dict[str, Goal | None] = {
    "LCP s": Goal(1.5),
    "TBT ms": Goal(100),
    "CLS": Goal(0.02),
    "performance": at_least(95),
    "accessibility": at_least(100),
    "best practices": at_least(100),
    "SEO": at_least(100),
    "first kB": None,
    "repeat kB": Goal(10),
}
"""By column."""


@dataclass(frozen=True)
class Page:
    name: str
    path: str
    token: str
    """The session token of the person who visits it; empty for a guest."""


def install() -> bool:
    """Install Lighthouse unless it is installed; returns whether it is installed now."""
    try:
        from_npm("lighthouse", PACKAGES)
    except SystemExit as failure:
        print(failure)
        return False
    return True


def measure(store: Server, database: Database) -> tuple[str, str, list[Check]]:
    """The conditions (the machine's speed by Lighthouse's own benchmark, and the visits), the table, and its checks."""
    shopper_token = database.shopper_tokens[0]
    _fill_cart(store, shopper_token)
    pages = [
        Page("landing", "/", ""),
        Page("catalogue", "/", shopper_token),
        Page("product", "/product/1", shopper_token),
        Page("checkout", "/checkout", shopper_token),
        Page("overview of the admin pages", "/admin", database.owner_token),
    ]
    lighthouse = from_npm("lighthouse", PACKAGES) / "node_modules" / "lighthouse" / "cli" / "index.js"
    visits: list[list[tuple[Any, float]]] = [[] for _ in pages]
    with _chromium() as browser:
        for _ in range(VISITS):
            for page, made in zip(pages, visits, strict=True):
                _sign_in(browser, store, page.token)
                first = _visit(lighthouse, store.url + page.path)
                again = _visit(lighthouse, store.url + page.path, is_repeated=True)
                made.append((first, _kilobytes(again)))
    figures = {page.name: _figures(made) for page, made in zip(pages, visits, strict=True)}
    index = median(first["environment"]["benchmarkIndex"] for made in visits for first, _ in made)
    checks = [
        Check(f"{name}: {column}", median(columns[column]), goal)
        for name, columns in figures.items()
        for column, goal in GOALS.items()
        if goal
    ]
    return f"benchmark index {index:,.0f}, medians of {VISITS}", _table(figures), checks


def _fill_cart(store: Server, token: str) -> None:
    cookies = {"session": token}
    body = {"productId": 1, "quantity": 20}
    with httpx.Client(base_url=store.url, cookies=cookies) as client:
        for line in client.get("/api/cart").json():  # left by an earlier measurement
            client.delete(f"/api/cart/{line['id']}").raise_for_status()
        client.post("/api/cart", json=body).raise_for_status()


@contextmanager
def _chromium() -> Iterator[Server]:
    """A browser with a profile of its own, and with a port to which Playwright and Lighthouse connect."""
    with tempfile.TemporaryDirectory(prefix="store-bench-") as profile:
        flags = ["--no-sandbox"] if os.geteuid() == 0 else []
        flags += ["--headless=new", "--disable-gpu", "--no-first-run", f"--user-data-dir={profile}"]
        program = find_chromium() or _chromium_of_playwright()
        command = [program, *flags, f"--remote-debugging-port={PORT}", "about:blank"]
        url, quiet = f"http://127.0.0.1:{PORT}", subprocess.DEVNULL
        with running(command, dict(os.environ), url, "json/version", cores=CORES, errors=quiet) as browser:
            try:
                yield browser
            finally:  # the process may be a shell that waits for the browser, which would outlive it
                with _connected(browser) as connected:
                    connected.new_browser_cdp_session().send("Browser.close")


def _chromium_of_playwright() -> str:
    with sync_playwright() as playwright:
        return playwright.chromium.executable_path


@contextmanager
def _connected(browser: Server) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        connected = playwright.chromium.connect_over_cdp(browser.url)
        yield connected
        connected.close()


def _sign_in(browser: Server, store: Server, token: str) -> None:
    cookies = {"session": token, "signed_in": "1"} if token else {}
    with _connected(browser) as connected:
        context = connected.contexts[0]
        context.clear_cookies()
        context.add_cookies([{"name": name, "value": value, "url": store.url} for name, value in cookies.items()])


def _visit(lighthouse: Path, url: str, *, is_repeated: bool = False) -> Any:
    """Lighthouse's report. A repeated visit keeps what the browser has stored in the first one."""
    flags = ["--quiet", "--output=json", f"--port={PORT}"]
    if is_repeated:
        flags += ["--only-audits=network-requests", "--disable-storage-reset"]
    else:
        flags.append(f"--only-categories={','.join(CATEGORIES)}")
    done = subprocess.run([NODE, lighthouse, url, *flags], env=ENVIRONMENT, stdout=subprocess.PIPE, check=True)
    report = json.loads(done.stdout)
    if failure := report.get("runtimeError"):
        raise SystemExit(f"{url}: {failure['message']}")
    return report


def _figures(visits: Sequence[tuple[Mapping[str, Any], float]]) -> dict[str, list[float]]:
    """By column, the figures of all visits."""
    first = [report for report, _ in visits]
    measured = [
        *([each["audits"][name]["numericValue"] / by for each in first] for name, by in DIVISORS.items()),
        *([each["categories"][name]["score"] * 100 for each in first] for name in CATEGORIES),
        [_kilobytes(each) for each in first],
        [again for _, again in visits],
    ]
    return dict(zip(GOALS, measured, strict=True))


def _table(figures: Mapping[str, Mapping[str, list[float]]]) -> str:
    rows = [[name, *map(_cell, columns.values())] for name, columns in figures.items()]
    goals = ["goal", *(goal.text() if goal else "" for goal in GOALS.values())]
    return markdown(("", *GOALS), [*rows, goals])


def _cell(values: list[float]) -> str:
    """The median, and the spread if there is any."""
    around = f" ({spread(values)})" if max(values) > min(values) else ""
    return show(median(values)) + around


def _kilobytes(report: Mapping[str, Any]) -> float:
    """What was transferred, in kilobytes of 1,000 bytes."""
    requests = report["audits"]["network-requests"]["details"]["items"]
    return sum(request.get("transferSize", 0) for request in requests) / 1000
