"""The server is killed while a driver is out: paper finishes the day, and the books are the same (RULE paper)."""

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import Engine, text
from sqlmodel import Session

from marketplace_app import clock, db
from marketplace_app.config import get_settings
from marketplace_app.models import Order, OrderDelivery, Role, RunStop, User
from marketplace_app.services import invariants, sessions
from marketplace_app.services.buying import orders
from tests.builders import give_credit, make_product, make_run, make_user, make_window, make_zone, order_form, slot_id
from tests.conftest import Cast, SignIn, free_port
from tests.databases import ROOT
from tests.doors import ID, event
from tests.e2e.running import wait_until_ready
from tests.pdfs import text_of

pytestmark = pytest.mark.slow
NAMES = ("Nora", "Bartholomew", "Iris", "Quentin")
QUERIES = {
    "orders": "SELECT number, status, total_cents, credit_applied_cents FROM orders",
    "attempts": "SELECT order_id, attempts FROM order_deliveries",
    "stops": "SELECT order_id, outcome, failure, flag, wrong_pins FROM run_stops",
    "runs": "SELECT id, closed_at IS NOT NULL FROM runs",
    "stock": "SELECT id, stock FROM products",
    "credit": "SELECT user_id, SUM(amount_cents) FROM credit_entries GROUP BY user_id",
    "cash": "SELECT from_account, to_account, reason, order_id, shift_id, cents FROM cash_movements",
    "shifts": "SELECT driver_id, difference_cents, closed_at IS NOT NULL FROM driver_shifts",
    "mail": "SELECT kind, recipient FROM outbox",
}
"""The books, without times and without who wrote them."""


@dataclass(frozen=True)
class Day:
    """A planned run of four orders, each with a door PIN."""

    run_id: int
    stops: tuple[RunStop, ...]
    numbers: tuple[int, ...]
    pins: tuple[str, ...]
    totals: tuple[str, ...]
    driver: User
    dispatcher: User
    tokens: tuple[str, str]
    """Of the two, signed in."""


@dataclass
class Store:
    """In a process of its own, with a copy of the database."""

    folder: Path
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def database(self) -> Path:
        return self.folder / "killed.db"

    @property
    def sheets(self) -> Path:
        return self.folder / "sheets"

    def start(self) -> None:
        environment = os.environ | {
            "PORT": str(self.port),
            "DATABASE_URL": f"sqlite:///{self.database}",
            "RUN_SHEETS": str(self.sheets),
            "OIDC_ISSUER": f"http://localhost:{free_port()}",
            "PYTHONWARNINGS": "ignore",
        }
        self.process = subprocess.Popen([sys.executable, "-m", "tests.e2e.bare_store"], cwd=ROOT, env=environment)
        wait_until_ready(f"http://localhost:{self.port}", self.process)

    def kill(self) -> None:
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()

    @contextmanager
    def running(self, *tokens: str) -> Iterator[list[httpx.Client]]:
        """Runs until the end of the `with` block, where it is killed; yields a client for each token."""
        self.start()
        with ExitStack() as opened:
            opened.callback(self.kill)
            cookies = [{"session": token} for token in tokens]
            url = f"http://localhost:{self.port}"
            yield [opened.enter_context(httpx.Client(base_url=url, cookies=each, timeout=30)) for each in cookies]


@pytest.fixture
def day(session: Session, cast: Cast) -> Day:
    window = make_window(session, make_zone(session, "97201"))
    product = make_product(session, "Fern Hollow", price_cents=120_00, stock=50)
    dora = make_user(session, "dora", role=Role.DRIVER)
    people = [cast.alice, cast.bob, make_user(session, "iris"), make_user(session, "quentin")]
    for who in people:
        give_credit(session, who, 10_00)
    session.commit()
    form = {"slotId": slot_id(window), "useCredit": True}
    order_ids = [
        _place(who, order_form((product, 1), **form, firstName=name, lastName="Whitfield"))
        for who, name in zip(people, NAMES, strict=True)
    ]
    placed = [session.get_one(Order, order_id) for order_id in order_ids]
    run = make_run(session, dora, *placed)
    pins = tuple(session.get_one(OrderDelivery, order_id).door_pin for order_id in order_ids)
    tokens = sessions.start(session, dora), sessions.start(session, cast.ada)
    session.commit()
    numbers, totals = zip(*((each.number, f"{each.total_cents / 100:.2f}") for each in placed), strict=True)
    return Day(run.id, tuple(run.stops), numbers, pins, totals, dora, cast.ada, tokens)


def _place(who: User, form: Any) -> str:
    return str(db.write(lambda s: orders.place(s, s.get(User, who.id), form, key=None))["id"])


@pytest.fixture
def store(engine: Engine, day: Day, tmp_path: Path) -> Iterator[Store]:
    made = Store(tmp_path)
    with closing(sqlite3.connect(str(engine.url.database))) as origin, closing(sqlite3.connect(made.database)) as copy:
        origin.backup(copy)
    yield made
    made.kill()


def delivery(day: Day, index: int) -> list[dict[str, Any]]:
    """What the phone reports of a stop; `index` is its place on the run, from 0."""
    steps: dict[str, dict[str, Any]] = {
        "arrived": {},
        "id_checked": ID,
        "pin_entered": {"pin": day.pins[index]},
        "cash_counted": {"counted": day.totals[index]},
        "bag_placed": {},
    }
    return [event(day.stops[index], seq, kind, **data) for seq, (kind, data) in enumerate(steps.items(), start=1)]


def failure(day: Day, index: int, reason: str, *, short: bool = False) -> list[dict[str, Any]]:
    """On arrival or, with `short`, after too little cash was counted."""
    before = delivery(day, index)[: 4 if short else 1]
    if short:
        before[3]["data"] = {"counted": "40.00"}
    return [*before, event(day.stops[index], len(before) + 1, "failed", reason=reason)]


def report(driver: httpx.Client, events: list[dict[str, Any]]) -> list[tuple[str, str | None]]:
    answer = driver.post("/api/driver/events", json=events).raise_for_status()
    return [(each["result"], each["code"]) for each in answer.json()]


def depart(dispatch: httpx.Client, day: Day) -> None:
    dispatch.post(f"/api/admin/runs/{day.run_id}/depart").raise_for_status()


def enter(dispatch: httpx.Client, day: Day, index: int, **written: Any) -> httpx.Response:
    return dispatch.post(f"/api/admin/runs/{day.run_id}/stops/{day.stops[index].id}/paper", json=written)


def close(dispatch: httpx.Client, day: Day) -> None:
    """The run and the shift of its driver, who brings the cash of the first two stops."""
    dispatch.post(f"/api/admin/runs/{day.run_id}/close").raise_for_status()
    [shift] = dispatch.get("/api/admin/cash").json()["openShifts"]
    dollars, cents = divmod(sum(round(float(total) * 100) for total in day.totals[:2]), 100)
    pieces = {"100": dollars, "1": cents}  # by value in cents
    counted = dispatch.post(f"/api/admin/shifts/{shift['id']}/counts", json={"pieces": pieces}).raise_for_status()
    assert counted.json()["state"] == "agrees"
    dispatch.post(f"/api/admin/shifts/{shift['id']}/close", json={}).raise_for_status()


def books(engine: Engine) -> dict[str, list[Any]]:
    with Session(engine) as session:
        assert [result.name for result in invariants.check(session) if not result.holds] == []
        return {name: sorted(map(repr, session.execute(text(query)))) for name, query in QUERIES.items()}


def by_phone(driver: httpx.Client, dispatch: httpx.Client, day: Day) -> None:
    depart(dispatch, day)
    for index in (0, 1):
        assert report(driver, delivery(day, index)) == [("applied", None)] * 5
    short = report(driver, failure(day, 2, "short_of_cash", short=True))
    assert short[-2:] == [("refused", "cash_short"), ("applied", None)]
    assert report(driver, failure(day, 3, "refused")) == [("applied", None)] * 2
    close(dispatch, day)


def expect_sheet(store: Store, day: Day) -> None:
    """It is there without the server, and names all stops."""
    [sheet] = store.sheets.rglob("*.pdf")
    assert sheet.parent.name == clock.today(get_settings().timezone).isoformat()
    printed = text_of(sheet.read_bytes())
    for place, (name, number) in enumerate(zip(NAMES, day.numbers, strict=True), start=1):
        assert f"{place}.  {name} Whitfield" in printed
        assert f"Order {number} ·" in printed


def write_down(dispatch: httpx.Client, day: Day) -> None:
    """What the driver wrote of the other three stops; too little cash is no delivery on paper either."""
    delivered = {"outcome": "delivered", "idChecked": True}
    assert enter(dispatch, day, 1, **delivered, pin=day.pins[1], counted=day.totals[1]).status_code == 204
    refused = enter(dispatch, day, 2, **delivered, pin=day.pins[2], counted="40.00")
    assert (refused.status_code, list(refused.json()["fields"])) == (422, ["counted"])
    assert enter(dispatch, day, 2, outcome="failed", reason="short_of_cash", at="17:42").status_code == 204
    assert enter(dispatch, day, 3, outcome="failed", reason="refused").status_code == 204


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
@pytest.mark.attack("a kill while drivers are out")
def test_a_run_whose_server_was_killed_is_finished_on_paper_with_the_same_books(
    engine: Engine, day: Day, store: Store, as_user: SignIn, configure: Callable[..., None], tmp_path: Path
) -> None:
    first = delivery(day, 0)
    with store.running(*day.tokens) as (driver, dispatch):
        depart(dispatch, day)
        assert report(driver, first) == [("applied", None)] * 5
    expect_sheet(store, day)
    with store.running(*day.tokens) as (driver, dispatch):
        assert report(driver, first) == [("known", None)] * 5
        write_down(dispatch, day)
        assert report(driver, delivery(day, 1)) == [("refused", "stop_ended")] * 5
        close(dispatch, day)
    copy = db.make_engine(f"sqlite:///{store.database}")
    on_paper = books(copy)
    copy.dispose()
    configure(RUN_SHEETS=str(tmp_path / "control"))
    by_phone(as_user(day.driver), as_user(day.dispatcher), day)
    assert books(engine) == on_paper
