"""How the store came through a fault: the answers that the customers got, compared with the database."""

import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from sqlalchemy import Engine, select, text
from sqlmodel import Session, col

from marketplace_app import money
from marketplace_app.models import IdempotencyKey, Order
from marketplace_app.services import invariants
from tools.bench.table import show
from tools.faults.clients import ERROR_PREFIX, Customers, History
from tools.faults.listed import Fault
from tools.faults.sites import Site

SECONDS_BEFORE, SECONDS_AFTER = 2, 5
HEADS = ("", "acknowledged", "lost", "doubled", "wrong", "without service", "recovered after", "people are told")


@dataclass(frozen=True)
class Outcome:
    name: str
    acknowledged: int
    lost: int
    """Acknowledged orders that are not in the database, and orders that customers gave up on."""
    doubled: int
    wrong: int
    """Orders whose number or total differs from the answer, violated invariants, and errors (`ERROR_PREFIX`)."""
    seconds_without: float | None = None
    """The longest time in which no order was acknowledged. None if no customers were ordering meanwhile."""
    seconds_recovering: float | None = None
    """How long after the repair (after the harm, if the store repairs itself) service was normal again: until the first
    success since then or the last failure, whichever is later. Without a success, until the end. None as above."""
    sentences: tuple[str, ...] = ()

    @property
    def is_bad(self) -> bool:
        return bool(self.lost or self.doubled or self.wrong)

    def cells(self) -> tuple[str, ...]:
        numbers = (str(each) for each in (self.acknowledged, self.lost, self.doubled, self.wrong))
        times = ("" if each is None else show(each, "s") for each in (self.seconds_without, self.seconds_recovering))
        return (self.name, *numbers, *times, "; ".join(self.sentences) or "nothing")


def inject(fault: Fault, site: Site, customers: Customers, engine: Engine) -> Outcome:
    customers.begin()
    try:
        time.sleep(SECONDS_BEFORE)
        customers.are_impatient = fault.with_impatient_customers
        seen = _try(fault, site)
        repaired = time.monotonic()
        customers.are_impatient = False
        time.sleep(SECONDS_AFTER)
    finally:
        history = customers.end()
    engine.dispose()  # its connections may have been cut
    with Session(engine) as session:
        return compare(session, fault.name, history, repaired, seen)


def _try(fault: Fault, site: Site) -> Sequence[str]:
    """Returns what people saw. If the fault itself fails, nothing is known, which counts as wrong."""
    try:
        return fault.inject(site) or ()
    except Exception as error:
        traceback.print_exc()
        return [f"{ERROR_PREFIX} the fault ended with {type(error).__name__}"]


def compare(session: Session, name: str, history: History, repaired: float, seen: Sequence[str]) -> Outcome:
    """Compare the answers that the customers got with the database, and check its invariants."""
    stored = _stored(session, [*history.acknowledged])
    lost = [key for key in history.acknowledged if key not in stored]
    answered = {key: (number, money.parse(total)) for key, (number, total) in history.acknowledged.items()}
    wrong = [key for key, each in answered.items() if stored.get(key) != each]
    numbers = [number for number, _total in history.acknowledged.values()]
    errors = history.errors + sum(each.startswith(ERROR_PREFIX) for each in seen)
    return Outcome(
        name,
        acknowledged=len(numbers),
        lost=len(lost) + len(history.given_up),
        doubled=len(numbers) - len({*numbers}) + _without_a_key(session),
        wrong=len(wrong) - len(lost) + _violations(session) + errors,
        seconds_without=_without_service(history),
        seconds_recovering=_recovering(history, repaired),
        sentences=(*sorted(history.sentences), *seen),
    )


def _stored(session: Session, keys: Sequence[str]) -> dict[str, tuple[int, int]]:
    """Number and total of the orders by key, read in portions: databases limit how many values a statement has."""
    stored: dict[str, tuple[int, int]] = {}
    for start in range(0, len(keys), 1_000):
        rows = session.execute(
            select(col(IdempotencyKey.key), col(Order.number), col(Order.total_cents))
            .join(Order, col(Order.number) == col(IdempotencyKey.answer)["number"].as_integer())
            .where(col(IdempotencyKey.key).in_(keys[start : start + 1_000]))
        )
        stored |= {key: (number, total) for key, number, total in rows}
    return stored


def _without_service(history: History) -> float:
    """The longest pause, which may also be before the first acknowledgement or after the last one."""
    times = [history.began_at, *sorted(history.answered_at), history.ended_at]
    return max(later - earlier for earlier, later in pairwise(times))


def _recovering(history: History, repaired: float) -> float:
    first = min((at for at in history.answered_at if at >= repaired), default=history.ended_at)
    return max([first, *history.failed_at]) - repaired


def _violations(session: Session) -> int:
    broken = [result for result in invariants.check(session) if not result.holds]
    for result in broken:
        print("  broken:", result.name, *result.examples)
    return len(broken)


def _without_a_key(session: Session) -> int:
    """How many more orders than idempotency keys the customers have: they send a key with every order."""
    of_customers = "(SELECT id FROM users WHERE email LIKE 'buyer-%')"
    orders, keys = (
        session.execute(text(f"SELECT count(*) FROM {table} WHERE user_id IN {of_customers}")).scalar_one()
        for table in ("orders", "idempotency_keys")
    )
    return int(orders - keys)
