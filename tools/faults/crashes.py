"""Crashes at every statement: a process is killed before each statement of a request, which is then sent again.

DATABASE_URL=... python -m tools.faults.crashes                         # prints a line of JSON for each act
DATABASE_URL=... python -m tools.faults.crashes "sending a run out"     # for some of them
"""

import asyncio
import json
import os
import signal
import sys
import uuid
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import count
from typing import Any, TypeVar

import httpx
from sqlalchemy import event, text
from sqlalchemy.engine import Engine
from sqlmodel import Session

from marketplace_app import clock, db
from marketplace_app.api.app import make_api
from marketplace_app.config import get_settings
from marketplace_app.models import CreditEntry, CreditReason
from marketplace_app.services import invariants
from tools.faults.clients import draft
from tools.faults.requests import ACTS, PRODUCT, QUANTITY, Act, Request, Shopper, sign_up

T = TypeVar("T")
MAX_STATEMENTS = 200


@dataclass(frozen=True)
class Crashes:
    name: str
    killed: int
    """Processes: before statements and commits, and between the last commit and the answer."""
    lost: int
    """Requests that were not done, or not only once, after the second try."""
    wrong: int
    """Invariants found broken, right after a crash or after the second try."""


def crash_everywhere(act: Act, every: int = 1) -> Crashes:
    """Kill one process after the other, each before a later statement, until one survives because it has no statement
    left. With `every=4`, a process is killed only before every fourth statement."""
    app, lost, wrong = make_api(), 0, 0
    _warm_up(app, act)
    for killed, number in enumerate(count(1, every)):
        assert number < MAX_STATEMENTS
        shopper = _prepare(app, act)
        request = _read(act.request, shopper)
        survived = _in_a_process(partial(_send, app, request, shopper), number) == 0
        wrong += _violations()
        _in_a_process(partial(_send, app, request, shopper, act.repeated_status))
        lost += not _read(act.is_done, shopper)
        if survived:
            return Crashes(act.name, killed, lost, wrong + _violations())
    raise AssertionError("unreachable")


def _warm_up(app: Any, act: Act) -> None:
    """Send the request once in this process, so that its copies have all that a first request loads."""
    shopper = _prepare(app, act)
    _send(app, _read(act.request, shopper), shopper)


def _read(what: Callable[[Session, Shopper], T], shopper: Shopper) -> T:
    return db.read(lambda session: what(session, shopper))


def _violations() -> int:
    return len(list(_broken()))


def _broken() -> Iterator[invariants.CheckResult]:
    for result in db.read(lambda session: list(invariants.check(session))):
        if not result.holds:
            print("broken:", result.name, *result.examples, file=sys.stderr)
            yield result


def _prepare(app: Any, act: Act) -> Shopper:
    """A customer of their own, with the order that the act needs."""
    shopper = db.write(lambda session: _sign_up(session, act.credit_cents))
    if act.places_order:
        order = Request("POST", "/api/orders", draft([PRODUCT], quantity=QUANTITY, use_credit=True))
        _in_a_process(lambda: _send(app, order, shopper))
    if (prepare := act.prepare) is None:
        return shopper
    return replace(shopper, token=db.write(lambda session: prepare(session, shopper)))


def _sign_up(session: Session, credit_cents: int) -> Shopper:
    user, token = sign_up(session)
    if credit_cents:
        session.add(
            CreditEntry(user_id=user.id, amount_cents=credit_cents, reason=CreditReason.ADJUSTMENT, note="faults")
        )
    refill = {"id": PRODUCT, "quantity": QUANTITY, "at": clock.now()}
    session.execute(text("UPDATE products SET stock = stock + :quantity WHERE id = :id"), refill)
    session.execute(
        text(
            "INSERT INTO stock_movements (product_id, change, reason, note, created_at)"
            " VALUES (:id, :quantity, 'adjust', '', :at)"
        ),
        refill,
    )
    return Shopper(user.id, token, str(uuid.uuid4()))


def _in_a_process(work: Callable[[], int], killed_at: int = 0) -> int:
    """Do the work in a copy of this process, killed before statement number `killed_at`, or never if that is 0.

    Returns -9 if the copy was killed, else 0.
    """
    db.get_engine().dispose()  # open connections must not be shared with the copy
    if (child := os.fork()) == 0:
        _die_at(killed_at)
        try:
            status = work()
        except BaseException as error:
            print("unexpected:", repr(error), file=sys.stderr)
            status = 2
        os._exit(status)
    _, ended = os.waitpid(child, 0)
    status = os.waitstatus_to_exitcode(ended)
    if status > 0:
        raise AssertionError(f"the request failed with status {status}")
    return status


def _die_at(number: int) -> None:
    counted = count(1)

    def on_step(*_: object) -> None:
        if next(counted) == number:
            os.kill(os.getpid(), signal.SIGKILL)

    event.listen(Engine, "before_cursor_execute", on_step)
    event.listen(Engine, "commit", on_step)
    _STEP.append(on_step)


_STEP: list[Callable[[], None]] = []
"""Set in a copy of the process: the function that counts one more step."""


def _send(app: Any, request: Request, shopper: Shopper, repeated_status: int = 200) -> int:
    """0 if the answer is as it should be. `repeated_status`: its HTTP status if an earlier attempt succeeded."""
    status = asyncio.run(_answer(app, request, shopper))
    for step in _STEP:
        step()  # committed, not yet answered
    return 0 if status in (200, 201, 204, repeated_status) else status % 256 or 1


async def _answer(app: Any, request: Request, shopper: Shopper) -> int:
    cookie = "__Host-session" if get_settings().is_https else "session"
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app), base_url=get_settings().public_url, cookies={cookie: shopper.token}
    ) as client:
        headers = {"Idempotency-Key": shopper.key}
        answer = await client.request(request.method, request.path, headers=headers, json=request.body)
        if answer.is_error:
            print(request.method, request.path, answer.status_code, answer.text, file=sys.stderr)
        return answer.status_code


def main() -> None:
    asked = sys.argv[1:] or [act.name for act in ACTS]
    if unknown := set(asked) - {act.name for act in ACTS}:
        raise SystemExit(f"No such act: {', '.join(sorted(unknown))}.")
    for act in (each for each in ACTS if each.name in asked):
        print(json.dumps(asdict(crash_everywhere(act))), flush=True)


if __name__ == "__main__":
    main()
