"""Requests in the middle of which a process is killed: who sends each, and how one sees that it was done once."""

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import func, select
from sqlmodel import Session, col
from ulid import ULID

from marketplace_app import clock, money
from marketplace_app.config import get_settings
from marketplace_app.models import (
    Batch,
    CashMovement,
    DriverShift,
    EventResult,
    LineBatch,
    Order,
    OrderStatus,
    OutboxMessage,
    Role,
    Run,
    RunStop,
    ShiftCount,
    SignInSession,
    StopOutcome,
    User,
)
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.buying.order_forms import OrderForm
from marketplace_app.schemas.dispatch.door import StopEventForm
from marketplace_app.services import accounts, credits
from marketplace_app.services.buying import orders
from marketplace_app.services.dispatch import departures, door
from tests.builders import make_batch, make_product, make_run
from tools.faults.clients import draft

PRODUCT = 1
"""Its id in the demo catalogue."""
QUANTITY = 4
CREDIT_CENTS = 20_00


@dataclass(frozen=True)
class Shopper:
    user_id: int
    token: str
    """The session token of whoever sends the request: the shopper, a manager or the driver."""
    key: str
    """The idempotency key of the order. The events of its stop have keys that follow from it."""


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    body: object = None


@dataclass(frozen=True)
class Act:
    name: str
    request: Callable[[Session, Shopper], Request]
    is_done: Callable[[Session, Shopper], bool]
    """Whether it was done, and only once."""
    credit_cents: int = 0
    places_order: bool = True
    """Whether the shopper places an order before `prepare` is called."""
    prepare: Callable[[Session, Shopper], str] | None = None
    """Called just before the request. Returns the token of whoever sends the request."""
    repeated_status: int = 200
    """The HTTP status if the request is sent again after it was done."""
    every: int = 4
    """With 4, the tests crash only before every fourth statement. It is higher for requests with many statements."""


def sign_up(session: Session, role: Role = Role.CUSTOMER) -> tuple[User, str]:
    """Somebody new, and the token of their session."""
    email = f"crash-{uuid.uuid4().hex}@example.org"
    token = accounts.sign_in(
        session, accounts.Identity(get_settings().oidc_issuer, email, email, True), is_age_verified=True
    )
    user = session.execute(select(User).where(col(User.subject) == email)).scalar_one()
    user.role = user.granted_role = role
    session.add(user)
    session.flush()
    return user, token


def _orders(session: Session, shopper: Shopper) -> Sequence[Order]:
    return session.execute(select(Order).where(col(Order.user_id) == shopper.user_id)).scalars().all()


def _place(_session: Session, _shopper: Shopper) -> Request:
    return Request("POST", "/api/orders", draft([PRODUCT], quantity=QUANTITY, use_credit=True))


def _is_placed(session: Session, shopper: Shopper) -> bool:
    return len(_orders(session, shopper)) == 1


def _cancel(session: Session, shopper: Shopper) -> Request:
    return Request("POST", f"/api/orders/{_orders(session, shopper)[0].id}/cancel")


def _is_cancelled(session: Session, shopper: Shopper) -> bool:
    (order,) = _orders(session, shopper)
    return order.status is OrderStatus.CANCELLED and credits.balance(session, shopper.user_id) in (0, CREDIT_CENTS)


def _is_refunded(session: Session, shopper: Shopper) -> bool:
    (order,) = _orders(session, shopper)
    assert order.credit_applied_cents == CREDIT_CENTS
    return _is_cancelled(session, shopper) and credits.balance(session, shopper.user_id) == CREDIT_CENTS


def _delete_account(_session: Session, _shopper: Shopper) -> Request:
    return Request("DELETE", "/api/auth/delete-account")


def _is_erased(session: Session, shopper: Shopper) -> bool:
    user = session.get(User, shopper.user_id)
    sessions = select(func.count()).where(col(SignInSession.user_id) == shopper.user_id)
    return user is not None and user.deleted_at is not None and session.execute(sessions).scalar_one() == 0


def _plan(session: Session, shopper: Shopper) -> str:
    """Put the order on the run of a new driver. Returns the manager's token."""
    (order,) = _orders(session, shopper)
    make_run(session, sign_up(session, Role.DRIVER)[0], order)
    return sign_up(session, Role.MANAGER)[1]


def _stop(session: Session, shopper: Shopper) -> RunStop:
    (order,) = _orders(session, shopper)
    return session.execute(select(RunStop).where(col(RunStop.order_id) == order.id)).scalar_one()


def _depart(session: Session, shopper: Shopper) -> Request:
    return Request("POST", f"/api/admin/runs/{_stop(session, shopper).run_id}/depart")


def _is_out(session: Session, shopper: Shopper) -> bool:
    """Whether the run is out, with its sheet and with a shift for the cash."""
    stop = _stop(session, shopper)
    sheets = [*Path(get_settings().run_sheets).rglob(f"run-{stop.run_id}.pdf")]
    is_with_driver = stop.order.status is OrderStatus.OUT_FOR_DELIVERY and _shift(session, stop.run).closed_at is None
    return stop.run.is_out and is_with_driver and len(sheets) == 1


def _shift(session: Session, run: Run) -> DriverShift:
    return session.execute(select(DriverShift).where(col(DriverShift.driver_id) == run.driver_id)).scalar_one()


def _send_off(session: Session, shopper: Shopper) -> tuple[User, str]:
    """Send the run of the order out. Returns the manager and their token."""
    (order,) = _orders(session, shopper)
    run = make_run(session, sign_up(session, Role.DRIVER)[0], order)
    manager, token = sign_up(session, Role.MANAGER)
    departures.depart(session, manager, run.id)
    return manager, token


def _send_off_for_paper(session: Session, shopper: Shopper) -> str:
    """Returns the manager's token."""
    return _send_off(session, shopper)[1]


def _drive(session: Session, shopper: Shopper) -> str:
    """Send the run out. Returns the driver's token."""
    _send_off(session, shopper)
    driver = session.get_one(User, _stop(session, shopper).run.driver_id)
    identity = accounts.Identity(driver.issuer, driver.subject, driver.email, True)
    return accounts.sign_in(session, identity, is_age_verified=True)


def _events(session: Session, shopper: Shopper) -> list[dict[str, object]]:
    """The events of a delivery, as the phone reports them. The second report has the same keys."""
    stop, at = _stop(session, shopper), clock.iso(clock.now())
    steps: dict[str, dict[str, object]] = {
        "arrived": {},
        "id_checked": {"ofAge": True, "nameMatches": True, "notExpired": True},
        "cash_counted": {"counted": str(money.decimal(stop.order.total_cents))},
        "bag_placed": {},
    }
    base = uuid.UUID(shopper.key).int >> 1  # leaves room for adding to it in the 128 bits of a ULID
    return [
        {"key": str(ULID.from_int(base + seq)), "seq": seq, "stopId": stop.id, "kind": kind, "at": at, "data": data}
        for seq, (kind, data) in enumerate(steps.items(), start=1)
    ]


def _deliver(session: Session, shopper: Shopper) -> Request:
    return Request("POST", "/api/driver/events", _events(session, shopper))


def _is_delivered(session: Session, shopper: Shopper) -> bool:
    stop = _stop(session, shopper)
    paid = select(func.count()).where(col(CashMovement.order_id) == stop.order_id)
    is_over = stop.outcome is StopOutcome.DELIVERED and stop.order.status is OrderStatus.DELIVERED
    results = [event.result for event in stop.events]
    return is_over and session.execute(paid).scalar_one() == 1 and results == [EventResult.APPLIED] * 4


def _write_paper(session: Session, shopper: Shopper) -> Request:
    stop = _stop(session, shopper)
    written = {"outcome": "delivered", "idChecked": True, "counted": str(money.decimal(stop.order.total_cents))}
    return Request("POST", f"/api/admin/runs/{stop.run_id}/stops/{stop.id}/paper", written)


def _bring_cash(session: Session, shopper: Shopper) -> str:
    """Let the driver take the cash of the order. Returns the manager's token."""
    _, token = _send_off(session, shopper)
    stop = _stop(session, shopper)
    driver = session.get_one(User, stop.run.driver_id)
    door.record(session, driver, stop.id, [parse(StopEventForm, event) for event in _events(session, shopper)])
    return token


def _count(session: Session, shopper: Shopper) -> Request:
    run = _stop(session, shopper).run
    (order,) = _orders(session, shopper)
    dollars, cents = divmod(order.total_cents, 100)
    pieces = {"100": dollars, "1": cents}
    return Request("POST", f"/api/admin/shifts/{_shift(session, run).id}/counts", {"pieces": pieces})


def _is_counted(session: Session, shopper: Shopper) -> bool:
    (order,) = _orders(session, shopper)
    shift = _shift(session, _stop(session, shopper).run)
    counts = session.execute(select(col(ShiftCount.counted_cents)).where(col(ShiftCount.shift_id) == shift.id))
    return counts.scalars().all() == [order.total_cents]


def _order_a_batch(session: Session, shopper: Shopper) -> str:
    """Order all units of a new batch. Returns the manager's token."""
    batch = make_batch(session, make_product(session, f"Crash {shopper.key}", stock=0), units=QUANTITY)
    form = parse(OrderForm, draft([batch.product_id], quantity=QUANTITY))
    orders.place(session, session.get_one(User, shopper.user_id), form, key=None)
    return sign_up(session, Role.MANAGER)[1]


def _batch(session: Session, shopper: Shopper) -> Batch:
    (order,) = _orders(session, shopper)
    shares = select(col(LineBatch.batch_id)).where(col(LineBatch.order_id) == order.id)
    return session.execute(select(Batch).where(col(Batch.id).in_(shares))).scalar_one()


def _recall(session: Session, shopper: Shopper) -> Request:
    body = {"batchId": _batch(session, shopper).id, "reason": "The laboratory found mould"}
    return Request("POST", "/api/admin/recalls", body)


def _is_recalled(session: Session, shopper: Shopper) -> bool:
    buyer = session.get_one(User, shopper.user_id)
    mails = select(func.count()).where(col(OutboxMessage.recipient) == buyer.email, col(OutboxMessage.kind) == "recall")
    return _batch(session, shopper).recalled_at is not None and session.execute(mails).scalar_one() == 1


ACTS = (
    Act("placing an order", _place, _is_placed, credit_cents=CREDIT_CENTS, places_order=False),
    Act("cancelling an order", _cancel, _is_cancelled),
    Act("refunding credit", _cancel, _is_refunded, credit_cents=CREDIT_CENTS),
    Act("deleting an account", _delete_account, _is_erased, credit_cents=CREDIT_CENTS, repeated_status=401),
    Act("sending a run out", _depart, _is_out, prepare=_plan, repeated_status=409, every=12),
    Act("delivering at the door", _deliver, _is_delivered, prepare=_drive, every=12),
    Act(
        "entering a stop from paper",
        _write_paper,
        _is_delivered,
        prepare=_send_off_for_paper,
        repeated_status=422,
        every=12,
    ),
    Act("counting a shift", _count, _is_counted, prepare=_bring_cash, repeated_status=409, every=8),
    Act(
        "recalling a batch",
        _recall,
        _is_recalled,
        places_order=False,
        prepare=_order_a_batch,
        repeated_status=409,
        every=8,
    ),
)
