"""Whatever customers, staff and drivers do in whichever order, the books are in order (`check-invariants`).

`ORDER_PROCESS_EXAMPLES=200 pytest tests/services/test_order_process.py` looks for longer.
"""

import os
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from math import ceil
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from sqlalchemy import Engine, select
from sqlmodel import Session, col
from ulid import ULID

from marketplace_app import clock, db
from marketplace_app.config import get_settings
from marketplace_app.errors import StoreError
from marketplace_app.models import (
    Batch,
    BatchQuestion,
    DriverShift,
    LineBatch,
    Order,
    OrderDelivery,
    OrderStatus,
    Product,
    Role,
    Run,
    RunStop,
    Substitution,
    User,
)
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.batches.batches import HoldForm, ReceiveForm, UnitsForm
from marketplace_app.schemas.batches.recalls import RecallForm
from marketplace_app.schemas.buying.order_batches import AnswerForm, SwapForm, WishForm
from marketplace_app.schemas.buying.order_forms import OrderEditForm
from marketplace_app.schemas.cash import CloseShiftForm, CorrectCashForm, CountForm, MoveCashForm
from marketplace_app.schemas.dispatch.door import StopEventForm
from marketplace_app.schemas.dispatch.paper import PaperForm
from marketplace_app.schemas.dispatch.runs import NewRunForm
from marketplace_app.schemas.settings import SettingsForm
from marketplace_app.services import invariants
from marketplace_app.services import settings as shop_settings
from marketplace_app.services.admin import orders as admin_orders
from marketplace_app.services.batches import keeping, recalls
from marketplace_app.services.buying import fulfilment, orders, own_orders
from marketplace_app.services.cash import ledger, shifts, transfers
from marketplace_app.services.dispatch import departures, door, paper, runs
from marketplace_app.services.order_batches import picking, questions, wishes
from tests.builders import make_product, make_user, make_zone, order_form
from tests.conftest import Cast
from tests.doors import ID, Phone

EXAMPLES = int(os.environ.get("ORDER_PROCESS_EXAMPLES", "15"))
STEPS = 30
PICK = st.integers(0, 5)
"""Chooses one of the rows found: see `pick`."""

RUNS_OUT = select(col(Run.id)).where(col(Run.departed_at).is_not(None), col(Run.closed_at).is_(None))
IS_OPEN_AND_OUT = (col(RunStop.ended_at).is_(None), col(RunStop.run_id).in_(RUNS_OUT))


class OrderProcess(RuleBasedStateMachine):
    """Acts that the store may refuse, each in a transaction of its own."""

    def __init__(self, engine: Engine, cast: Cast, drivers: list[User], products: list[Product], phone: Phone) -> None:
        super().__init__()
        self.engine, self.staff = engine, cast.ada
        self.customers, self.drivers, self.products = [cast.alice, cast.bob], drivers, products
        self.phone = phone

    def act(self, actor: User, operation: Callable[..., Any], *args: Any, **more: Any) -> None:
        """What the store refuses changes nothing."""
        with suppress(StoreError):
            db.write(lambda s: operation(s, s.get(User, actor.id), *args, **more))

    def find(self, what: Any, *conditions: Any) -> list[Any]:
        with Session(self.engine) as session:
            return list(session.execute(select(what).where(*conditions).order_by(what)).scalars())

    def pick(self, number: int, what: Any, *conditions: Any) -> Any:
        """The row `number` places before the last, modulo how many there are; 0, which is no id, if there are none."""
        found = self.find(what, *conditions)
        return found[-1 - number % len(found)] if found else 0

    @rule(
        who=st.integers(0, 1),
        what=st.integers(0, 1),
        quantity=st.integers(1, 3),
        with_credit=st.booleans(),
        wish=st.sampled_from(Substitution),
    )
    def place(self, who: int, what: int, quantity: int, with_credit: bool, wish: Substitution) -> None:
        form = order_form((self.products[what], quantity), useCredit=with_credit, substitution=wish.value)
        self.act(self.customers[who], orders.place, form, key=None)

    @rule(number=PICK, status=st.sampled_from(OrderStatus))
    def set_status(self, number: int, status: OrderStatus) -> None:
        order_id = str(self.pick(number, col(Order.id), col(Order.deleted_at).is_(None)))
        self.act(self.staff, fulfilment.edit, order_id, OrderEditForm(status=status))

    @rule(number=PICK, who=st.integers(0, 1))
    def cancel(self, number: int, who: int) -> None:
        customer = self.customers[who]
        self.act(customer, own_orders.cancel, str(self.pick(number, col(Order.id), col(Order.user_id) == customer.id)))

    @rule(number=PICK)
    def delete(self, number: int) -> None:
        self.act(self.staff, admin_orders.delete, str(self.pick(number, col(Order.id))))

    @rule(driver=st.integers(0, 1))
    def plan_and_leave(self, driver: int) -> None:
        on_runs = select(col(RunStop.order_id)).where(col(RunStop.ended_at).is_(None))
        is_waiting = (col(Order.status).in_(fulfilment.BEFORE_DISPATCH), col(Order.id).not_in(on_runs))
        waiting = self.find(col(Order.id), *is_waiting)[:2]
        day, driver_id = clock.today(get_settings().timezone), self.drivers[driver].id
        if not waiting:
            return
        self.act(self.staff, runs.plan, NewRunForm(day=day, driverId=driver_id, orderIds=waiting))
        planned = self.pick(0, col(Run.id), col(Run.departed_at).is_(None))
        self.act(self.staff, departures.depart, planned)

    @rule(number=PICK, steps=st.sampled_from((2, 5, 5, 5)), paid=st.sampled_from(("exact", "kept", "change", "short")))
    def report_from_the_door(self, number: int, steps: int, paid: str) -> None:
        stop_id = self.pick(number, col(RunStop.id), *IS_OPEN_AND_OUT)
        with Session(self.engine) as session:
            stop = stop_id and session.get_one(RunStop, stop_id)
            if not stop:
                return
            driver = session.get_one(User, stop.run.driver_id)
            delivery = session.get(OrderDelivery, stop.order_id)
            cents = stop.order.total_cents + {"exact": 0, "change": 5_00, "kept": 5_00, "short": -1_00}[paid]
            counted = {"counted": f"{max(cents, 0) / 100:.2f}"} | ({"keepChange": True} if paid == "kept" else {})
            reports: list[tuple[str, dict[str, Any]]] = [("arrived", {}), ("id_checked", ID)]
            reports += [("pin_entered", {"pin": delivery.door_pin})] if delivery else []
            reports += [("cash_counted", counted), ("bag_placed", {})]
            events = [parse(StopEventForm, self.phone.event(stop, kind, **data)) for kind, data in reports[:steps]]
        self.act(driver, door.record, stop_id, events)

    @rule(number=PICK, reason=st.sampled_from(("not_home", "refused")))
    def fail(self, number: int, reason: str) -> None:
        self.enter_from_paper(number, {"outcome": "failed", "reason": reason})

    @rule(number=PICK)
    def deliver_on_paper(self, number: int) -> None:
        self.enter_from_paper(number, {"outcome": "delivered", "idChecked": True, "counted": "2000.00"})

    def enter_from_paper(self, number: int, given: dict[str, Any]) -> None:
        stop_id = self.pick(number, col(RunStop.id), *IS_OPEN_AND_OUT)
        with Session(self.engine) as session:
            run_id = session.get_one(RunStop, stop_id).run_id if stop_id else 0
        self.act(self.staff, paper.enter, run_id, stop_id, parse(PaperForm, given))

    @rule(kept=st.booleans())
    def finish_all_runs(self, kept: bool) -> None:
        for _ in self.find(col(RunStop.id), *IS_OPEN_AND_OUT):
            self.report_from_the_door(0, 5, "kept" if kept else "exact")
        for run_id in self.find(col(Run.id), col(Run.departed_at).is_not(None), col(Run.closed_at).is_(None)):
            self.act(self.staff, departures.close, run_id)

    @rule(number=PICK)
    def close_run(self, number: int) -> None:
        self.act(self.staff, departures.close, self.pick(number, col(Run.id)))

    @rule(number=PICK, missing=st.sampled_from((0, 0, 5_00)))
    def count_shift(self, number: int, missing: int) -> None:
        shift_id = self.pick(number, col(DriverShift.id), col(DriverShift.closed_at).is_(None))
        with Session(self.engine) as session:
            cents = ledger.shift_balances(session, [shift_id]).get(shift_id, 0)
        pieces = {"1": 0} | dict(_pieces(max(cents - missing, 0)))
        self.act(self.staff, shifts.count, shift_id, parse(CountForm, {"pieces": pieces}))

    @rule(number=PICK, is_explained=st.booleans())
    def close_shift(self, number: int, is_explained: bool) -> None:
        shift_id = self.pick(number, col(DriverShift.id), col(DriverShift.closed_at).is_(None))
        given = {"reason": "A note is missing", "witnessId": self.drivers[0].id} if is_explained else {}
        self.act(self.staff, shifts.close, shift_id, parse(CloseShiftForm, given))

    @rule(kind=st.sampled_from(("drop", "refill")), dollars=st.integers(1, 300))
    def move_cash(self, kind: str, dollars: int) -> None:
        self.act(self.staff, transfers.move, parse(MoveCashForm, {"kind": kind, "amount": f"{dollars}.00"}))

    @rule(dollars=st.integers(0, 300))
    def count_desk(self, dollars: int) -> None:
        given = {"account": "desk", "counted": f"{dollars}.00", "note": "Evening"}
        self.act(self.staff, transfers.correct, parse(CorrectCashForm, given))

    @rule(what=st.integers(0, 1), units=st.integers(1, 20), days=st.integers(-1, 30))
    def receive_batch(self, what: int, units: int, days: int) -> None:
        expires_on = clock.today(get_settings().timezone) + timedelta(days=days)
        given = {"productId": self.products[what].id, "units": units, "code": str(ULID()), "isApproved": True}
        self.act(self.staff, keeping.receive, parse(ReceiveForm, given | {"expiresOn": expires_on.isoformat()}))

    @rule(number=PICK, operation=st.sampled_from((keeping.hold, keeping.release)))
    def hold_or_release(self, number: int, operation: Callable[..., Any]) -> None:
        self.act(self.staff, operation, self.pick(number, col(Batch.id)), parse(HoldForm, {"reason": "Mould"}))

    @rule(number=PICK, change=st.integers(-3, 3))
    def correct_batch(self, number: int, change: int) -> None:
        form = parse(UnitsForm, {"change": change, "note": "Counted"})
        self.act(self.staff, keeping.correct, self.pick(number, col(Batch.id)), form)

    @rule(number=PICK, operation=st.sampled_from((recalls.recall, recalls.drill, recalls.drill)))
    def recall(self, number: int, operation: Callable[..., Any]) -> None:
        if batch_id := self.pick(number, col(Batch.id)):
            self.act(self.staff, operation, parse(RecallForm, {"batchId": batch_id, "reason": "Mould"}))

    @rule(number=PICK, other=PICK)
    def change_batch(self, number: int, other: int) -> None:
        waiting = select(col(Order.id)).where(col(Order.status).in_(fulfilment.BEFORE_DISPATCH))
        order_id = self.pick(number, col(LineBatch.order_id), col(LineBatch.order_id).in_(waiting))
        with Session(self.engine) as session:
            own = select(LineBatch).where(col(LineBatch.order_id) == order_id)
            share = session.execute(own.order_by(col(LineBatch.batch_id)).limit(1)).scalar_one_or_none()
        if share is not None:
            others = (col(Batch.product_id) == share.product_id, col(Batch.id) != share.batch_id)
            if to := self.pick(other, col(Batch.id), *others):
                form = parse(SwapForm, {"fromBatchId": share.batch_id, "toBatchId": to})
                self.act(self.staff, picking.change, share.order_id, share.product_id, form)

    @rule(number=PICK, given=st.sampled_from(("yes", "no")))
    def answer_question(self, number: int, given: str) -> None:
        question_id = self.pick(number, col(BatchQuestion.id))
        with Session(self.engine) as session:
            asked = question_id and session.get_one(BatchQuestion, question_id)
            order = session.get_one(Order, asked.order_id) if asked else None
        if order is not None:
            customer = next(each for each in self.customers if each.id == order.user_id)
            form = parse(AnswerForm, {"answer": given})
            self.act(customer, questions.answer, order.id, question_id, form)

    @rule(who=st.integers(0, 1), other=PICK, wish=st.sampled_from(Substitution), given=st.sampled_from(("yes", "no")))
    def order_what_is_packed_from_another_batch(self, who: int, other: int, wish: Substitution, given: str) -> None:
        self.place(who, 0, 1, False, wish)
        self.change_batch(0, other)
        self.answer_question(0, given)

    @rule(number=PICK, who=st.integers(0, 1), wish=st.sampled_from(Substitution))
    def change_wish(self, number: int, who: int, wish: Substitution) -> None:
        customer = self.customers[who]
        order_id = str(self.pick(number, col(Order.id), col(Order.user_id) == customer.id))
        self.act(customer, wishes.change, order_id, parse(WishForm, {"substitution": wish.value}))

    @invariant()
    def books_are_in_order(self) -> None:
        with Session(self.engine) as session:
            broken = [result for result in invariants.check(session) if not result.holds]
            assert broken == []
            assert sum(ledger.balances(session).values()) == 0


def _pieces(cents: int) -> list[tuple[str, int]]:
    return [(str(value), count) for value, count in ((100, cents // 100), (1, cents % 100)) if count]


@pytest.mark.slow
def test_the_books_are_in_order_after_any_sequence_of_acts(engine: Engine, session: Session, cast: Cast) -> None:
    make_zone(session, "97201")
    drivers = [make_user(session, name, role=Role.DRIVER) for name in ("dora", "emil")]
    products = [make_product(session, name, price_cents=120_00, stock=1_000) for name in ("Fern Hollow", "Moss")]
    session.commit()
    change = parse(SettingsForm, {"keepChangeAsCredit": True, "reason": "test"})
    db.write(lambda s: shop_settings.change(s, s.get(User, cast.ada.id), change))
    # Besides the batch `Unknown`, which its 1,000 units in stock become.
    batch = parse(ReceiveForm, {"productId": products[0].id, "units": 500, "code": "A1"})
    db.write(lambda s: keeping.receive(s, s.get(User, cast.ada.id), batch))
    phone = Phone()  # one for all examples, as they go on with one shop
    run_state_machine_as_test(
        lambda: OrderProcess(engine, cast, drivers, products, phone),
        settings=settings(
            # PostgreSQL takes three times as long. The acts are the same there; races have tests of their own.
            max_examples=EXAMPLES if engine.dialect.name == "sqlite" else ceil(EXAMPLES / 3),
            stateful_step_count=STEPS,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            database=None,
        ),
    )
