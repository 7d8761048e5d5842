"""Crashes at every statement: a process is killed before each one of a request, and the request is sent again.

DATABASE_URL=... python -m tools.faults.crashes    # prints a line of JSON for each act
"""

import asyncio
import json
import os
import signal
import sys
import uuid
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from itertools import count
from typing import Any

import httpx
from sqlalchemy import event, func, select, text
from sqlalchemy.engine import Engine
from sqlmodel import Session, col

from marketplace_app import clock, config, db
from marketplace_app.api.app import make_api
from marketplace_app.config import get_settings
from marketplace_app.models import CreditEntry, CreditReason, Order, OrderStatus, SignInSession, User
from marketplace_app.services import accounts, credits, invariants
from tools.faults.clients import draft

PRODUCT = 1
"""Of the demo catalogue."""
QUANTITY = 4
CREDIT_CENTS = 20_00
MAX_STATEMENTS = 200


@dataclass(frozen=True)
class Shopper:
    user_id: int
    token: str
    key: str
    """The idempotency key of the order."""


@dataclass(frozen=True)
class Act:
    name: str
    request: Callable[[Session, Shopper], tuple[str, str]]
    """Method and path."""
    is_done: Callable[[Session, Shopper], bool]
    """Whether it has happened once."""
    credit_cents: int = 0
    has_ordered: bool = True


@dataclass(frozen=True)
class Crashes:
    name: str
    killed: int
    """Processes: before statements and commits, and between the last commit and the answer."""
    lost: int
    wrong: int
    """Half done, done twice, or with an invariant broken: right after the crash, or after the second try."""


def _orders(session: Session, shopper: Shopper) -> list[Order]:
    return list(session.execute(select(Order).where(col(Order.user_id) == shopper.user_id)).scalars())


def _is_placed(session: Session, shopper: Shopper) -> bool:
    return len(_orders(session, shopper)) == 1


def _is_cancelled(session: Session, shopper: Shopper) -> bool:
    (order,) = _orders(session, shopper)
    return order.status is OrderStatus.CANCELLED and credits.balance(session, shopper.user_id) in (0, CREDIT_CENTS)


def _is_refunded(session: Session, shopper: Shopper) -> bool:
    (order,) = _orders(session, shopper)
    assert order.credit_applied_cents == CREDIT_CENTS
    return _is_cancelled(session, shopper) and credits.balance(session, shopper.user_id) == CREDIT_CENTS


def _is_erased(session: Session, shopper: Shopper) -> bool:
    user = session.get(User, shopper.user_id)
    sessions = select(func.count()).where(col(SignInSession.user_id) == shopper.user_id)
    return user is not None and user.deleted_at is not None and session.execute(sessions).scalar_one() == 0


def _place(_session: Session, _shopper: Shopper) -> tuple[str, str]:
    return "POST", "/api/orders"


def _cancel(session: Session, shopper: Shopper) -> tuple[str, str]:
    return "POST", f"/api/orders/{_orders(session, shopper)[0].id}/cancel"


ACTS = (
    Act("placing an order", _place, _is_placed, credit_cents=CREDIT_CENTS, has_ordered=False),
    Act("cancelling an order", _cancel, _is_cancelled),
    Act("refunding credit", _cancel, _is_refunded, credit_cents=CREDIT_CENTS),
    Act("deleting an account", lambda *_: ("DELETE", "/api/auth/delete-account"), _is_erased, CREDIT_CENTS),
)


def crash_everywhere(act: Act, every: int = 1) -> Crashes:
    """Until a process has so few statements left to run that it survives. `every`: 4 is before each fourth one."""
    app, lost, wrong = make_api(), 0, 0
    for killed, number in enumerate(count(1, every)):
        assert number < MAX_STATEMENTS
        shopper = _prepare(app, act)
        method, path = db.read(lambda session, who=shopper: act.request(session, who))
        survived = _in_a_process(lambda how=(method, path, shopper): _send(app, *how), number) == 0
        wrong += _violations()
        _in_a_process(lambda how=(method, path, shopper): _send(app, *how))
        lost += not db.read(lambda session, who=shopper: act.is_done(session, who))
        if survived:
            return Crashes(act.name, killed, lost, wrong + _violations())
    raise AssertionError("unreachable")


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
    if act.has_ordered:
        _in_a_process(lambda: _send(app, "POST", "/api/orders", shopper))
    return shopper


def _sign_up(session: Session, credit_cents: int) -> Shopper:
    email = f"crash-{uuid.uuid4().hex}@example.org"
    identity = accounts.Identity(get_settings().oidc_issuer, email, email, True)
    token = accounts.sign_in(session, identity, is_age_verified=True)
    user_id = session.execute(select(col(User.id)).where(col(User.subject) == email)).scalar_one()
    if credit_cents:
        gift = CreditEntry(user_id=user_id, amount_cents=credit_cents, reason=CreditReason.ADJUSTMENT, note="faults")
        session.add(gift)
    refill = {"id": PRODUCT, "quantity": QUANTITY, "at": clock.now()}
    session.execute(text("UPDATE products SET stock = stock + :quantity WHERE id = :id"), refill)
    session.execute(
        text(
            "INSERT INTO stock_movements (product_id, change, reason, note, created_at)"
            " VALUES (:id, :quantity, 'adjust', '', :at)"
        ),
        refill,
    )
    return Shopper(user_id, token, str(uuid.uuid4()))


def _in_a_process(work: Callable[[], int], killed_at: int = 0) -> int:
    """A copy of this one, killed before that statement. Returns how it ended: -9 if it was killed."""
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
"""In a copy: what counts one more step."""


def _send(app: Any, method: str, path: str, shopper: Shopper) -> int:
    """0 if it was answered as wanted. A deleted account is signed out: deleting it again is 401."""
    status = asyncio.run(_answer(app, method, path, shopper))
    for step in _STEP:
        step()  # committed, not yet answered
    return 0 if status in (200, 201) or (method == "DELETE" and status == 401) else status % 256 or 1


async def _answer(app: Any, method: str, path: str, shopper: Shopper) -> int:
    cookie = "__Host-session" if get_settings().is_https else "session"
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app), base_url=get_settings().public_url, cookies={cookie: shopper.token}
    ) as client:
        body = {"json": draft([PRODUCT], quantity=QUANTITY, use_credit=True)} if path == "/api/orders" else {}
        headers = {"Idempotency-Key": shopper.key}
        answer = await client.request(method, path, headers=headers, **body)
        if answer.is_error:
            print(method, path, answer.status_code, answer.text, file=sys.stderr)
        return answer.status_code


def main() -> None:
    config.get_settings()
    for act in ACTS:
        print(json.dumps(asdict(crash_everywhere(act))), flush=True)


if __name__ == "__main__":
    main()
