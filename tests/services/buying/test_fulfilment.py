"""What each status does to stock, credit and one-time discounts (RULE status-effects)."""

import pytest
from sqlalchemy import Engine, func, select, update
from sqlmodel import Session, col

from marketplace_app import clock, db, errors, messages
from marketplace_app.adapters import live
from marketplace_app.models import (
    AuditEntry,
    CreditEntry,
    CreditReason,
    Order,
    OrderStatus,
    OrderStatusChange,
    OutboxMessage,
    Product,
    Role,
    StockMovement,
    StockReason,
    User,
)
from marketplace_app.schemas.admin.orders import ManyStatusForm
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.buying.order_forms import OrderEditForm
from marketplace_app.services import credits
from marketplace_app.services.accounts import lock_customer
from marketplace_app.services.admin import orders as admin_orders
from marketplace_app.services.admin import orders_bulk
from marketplace_app.services.buying import cart, fulfilment, orders
from tests.builders import give_credit, make_product, make_user, order_form
from tests.conftest import Cast

CANCELLED, CONFIRMED, DELIVERED, OUT, PENDING = (
    OrderStatus.CANCELLED,
    OrderStatus.CONFIRMED,
    OrderStatus.DELIVERED,
    OrderStatus.OUT_FOR_DELIVERY,
    OrderStatus.PENDING,
)


@pytest.fixture
def fern(session: Session) -> Product:
    product = make_product(session, "Fern Hollow", price_cents=120_00, stock=5)
    session.commit()
    return product


def place(who: User, product: Product, quantity: int = 2, **changes: object) -> str:
    form = order_form((product, quantity), **changes)
    return str(db.write(lambda s: orders.place(s, s.get(User, who.id), form, key=None))["id"])


def set_status(actor: User, order_id: str, *statuses: OrderStatus) -> None:
    for status in statuses:
        db.write(lambda s, to=status: fulfilment.edit(s, s.get(User, actor.id), order_id, OrderEditForm(status=to)).id)


def stock(engine: Engine, product: Product) -> int:
    with Session(engine) as session:
        moved = select(func.sum(col(StockMovement.change))).where(col(StockMovement.product_id) == product.id)
        left = session.get_one(Product, product.id).stock
        assert session.execute(moved).scalar_one() == left
        return left


def test_every_status_change_is_recorded(engine: Engine, cast: Cast, fern: Product) -> None:
    order_id = place(cast.alice, fern)
    set_status(cast.ada, order_id, CONFIRMED, OUT, DELIVERED)
    with Session(engine) as session:
        steps = session.execute(select(OrderStatusChange).order_by(col(OrderStatusChange.id))).scalars().all()
        assert [(step.from_status, step.to_status, step.actor_id) for step in steps] == [
            (None, PENDING, cast.alice.id),
            (PENDING, CONFIRMED, cast.ada.id),
            (CONFIRMED, OUT, cast.ada.id),
            (OUT, DELIVERED, cast.ada.id),
        ]
        audited = select(AuditEntry).where(col(AuditEntry.action) == "order.status").order_by(col(AuditEntry.id))
        assert session.execute(audited).scalars().all()[-1].details == {"from": OUT.value, "to": DELIVERED.value}


def test_cancelling_gives_the_stock_back_once_and_reviving_takes_it_again(
    engine: Engine, cast: Cast, fern: Product
) -> None:
    order_id = place(cast.alice, fern)
    assert stock(engine, fern) == 3
    for status, left in ((CANCELLED, 5), (CANCELLED, 5), (PENDING, 3), (CONFIRMED, 3), (CANCELLED, 5), (DELIVERED, 3)):
        set_status(cast.ada, order_id, status)
        assert stock(engine, fern) == left, status


def test_an_order_that_is_deleted_while_staff_wait_for_its_lock_is_not_reopened(
    engine: Engine, cast: Cast, fern: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    order_id = place(cast.alice, fern)
    set_status(cast.ada, order_id, CANCELLED)

    def lock_after_a_deletion(session: Session, user_id: int) -> User:
        deleted = update(Order).where(col(Order.id) == order_id).values(deleted_at=clock.now())
        session.execute(deleted.execution_options(synchronize_session=False))
        return lock_customer(session, user_id)

    monkeypatch.setattr(fulfilment, "lock_customer", lock_after_a_deletion)
    with pytest.raises(errors.NotFound, match=f"^{messages.ORDER_NOT_FOUND}$"):
        set_status(cast.ada, order_id, CONFIRMED)
    assert stock(engine, fern) == 5


def test_each_movement_of_an_orders_stock_says_why_by_whom_and_in_which_order(
    session: Session, cast: Cast, fern: Product
) -> None:
    dune = make_product(session, "Dune", price_cents=120_00, stock=5)
    session.commit()
    form = order_form((dune, 2), (fern, 1))  # a status settles products in id order, as buyers lock them
    order_id = db.write(lambda s: orders.place(s, s.get(User, cast.alice.id), form, key=None))["id"]
    set_status(cast.ada, str(order_id), CANCELLED, CONFIRMED)
    moved = select(StockMovement).where(col(StockMovement.order_id) == order_id).order_by(col(StockMovement.id))
    movements = [(m.product_id, m.change, m.reason, m.sequence, m.actor_id) for m in session.execute(moved).scalars()]
    assert movements == [
        (dune.id, -2, StockReason.SALE, 1, cast.alice.id),
        (fern.id, -1, StockReason.SALE, 1, cast.alice.id),
        (fern.id, 1, StockReason.CANCEL, 2, cast.ada.id),
        (dune.id, 2, StockReason.CANCEL, 2, cast.ada.id),
        (fern.id, -1, StockReason.SALE, 3, cast.ada.id),
        (dune.id, -2, StockReason.SALE, 3, cast.ada.id),
    ]


def test_a_change_of_status_is_mailed_with_its_order(session: Session, cast: Cast, fern: Product) -> None:
    order_id = place(cast.alice, fern)
    set_status(cast.ada, order_id, CONFIRMED)
    mail = session.execute(select(OutboxMessage).where(col(OutboxMessage.kind) == "order_status")).scalar_one()
    assert (mail.recipient, mail.payload) == (cast.alice.email, {"order_id": order_id, "status": "confirmed"})


def test_a_change_of_status_is_announced_to_the_customer_the_staff_and_the_referrer(
    session: Session, cast: Cast, fern: Product
) -> None:
    friend = make_user(session, "friend", referred_by=cast.bob)
    session.commit()

    def announced(order_id: str) -> set[str]:
        def confirm(s: Session) -> set[str]:
            fulfilment.edit(s, s.get(User, cast.ada.id), order_id, OrderEditForm(status=CONFIRMED))
            return set(s.info[live.TOPICS])

        return {topic for topic in db.write(confirm) if topic != live.OUTBOX}

    assert announced(place(cast.alice, fern)) == {live.user(cast.alice.id), live.STAFF}
    assert announced(place(friend, fern)) == {live.user(friend.id), live.user(cast.bob.id), live.STAFF}


def test_an_edit_is_audited_with_its_author_and_the_fields_that_changed(
    session: Session, cast: Cast, fern: Product
) -> None:
    order_id = place(cast.alice, fern)
    phone = db.read(lambda s: s.get_one(Order, order_id).contact_phone)
    form = parse(OrderEditForm, {"deliveryInstructions": "Back door.", "contactPhone": phone})
    db.write(lambda s: fulfilment.edit(s, s.get(User, cast.ada.id), order_id, form).id)
    [entry] = edits(session)
    assert (entry.actor_id, entry.subject) == (cast.ada.id, f"order:{order_id}")
    assert entry.details == {"fields": ["delivery_instructions"]}


def test_only_another_address_empties_the_parts_of_the_address(engine: Engine, cast: Cast, fern: Product) -> None:
    address = {"street": "12 Elm Street", "city": "Portland", "state": "OR", "zip": "97201"}
    order_id = place(cast.alice, fern, deliveryAddress=None, address=address)
    joined = db.read(lambda s: s.get_one(Order, order_id).delivery_address)

    def city_after(delivery_address: str) -> str:
        form = parse(OrderEditForm, {"deliveryAddress": delivery_address})
        db.write(lambda s: fulfilment.edit(s, s.get(User, cast.ada.id), order_id, form).id)
        return db.read(lambda s: s.get_one(Order, order_id).city)

    assert city_after(joined) == "Portland"
    assert db.read(edits) == []
    assert city_after("14 Elm Street, Portland, OR 97201") == ""


def edits(session: Session) -> list[AuditEntry]:
    return list(session.execute(select(AuditEntry).where(col(AuditEntry.action) == "order.edited")).scalars())


def test_staff_may_save_their_own_order_with_the_status_it_has(session: Session, cast: Cast, fern: Product) -> None:
    manager = make_user(session, "mona", role=Role.MANAGER)
    session.commit()
    order_id = place(manager, fern)
    form = OrderEditForm(status=PENDING)
    assert db.write(lambda s: fulfilment.edit(s, s.get(User, manager.id), order_id, form)).status is PENDING


def test_an_order_does_not_come_back_without_stock(engine: Engine, cast: Cast, fern: Product) -> None:
    order_id = place(cast.alice, fern)
    set_status(cast.ada, order_id, CANCELLED)
    place(cast.bob, fern, 4)
    with pytest.raises(errors.OutOfStock, match="Only 1 of Fern Hollow left"):
        set_status(cast.ada, order_id, PENDING)
    with Session(engine) as session:
        assert session.get_one(Order, order_id).status is CANCELLED
    assert stock(engine, fern) == 1


def test_spent_credit_comes_back_and_is_spent_again(engine: Engine, cast: Cast, fern: Product) -> None:
    db.write(lambda s: give_credit(s, s.get_one(User, cast.alice.id), 50_00))
    order_id = place(cast.alice, fern, useCredit=True)
    for status, left in ((CONFIRMED, 0), (CANCELLED, 50_00), (CANCELLED, 50_00), (PENDING, 0), (CANCELLED, 50_00)):
        set_status(cast.ada, order_id, status)
        with Session(engine) as session:
            assert credits.balance(session, cast.alice.id) == left, status


def test_the_ledger_says_whether_credit_was_spent_or_given_back(session: Session, cast: Cast, fern: Product) -> None:
    db.write(lambda s: give_credit(s, s.get_one(User, cast.alice.id), 1))
    order_id = place(cast.alice, fern, useCredit=True)
    set_status(cast.ada, order_id, CANCELLED, PENDING)
    entries = select(CreditEntry).where(col(CreditEntry.order_id) == order_id).order_by(col(CreditEntry.id))
    assert [(entry.reason, entry.amount_cents) for entry in session.execute(entries).scalars()] == [
        (CreditReason.SPENT, -1),
        (CreditReason.REFUND, 1),
        (CreditReason.SPENT, -1),
    ]


def test_an_order_does_not_come_back_when_its_credit_is_gone(engine: Engine, cast: Cast, fern: Product) -> None:
    db.write(lambda s: give_credit(s, s.get_one(User, cast.alice.id), 50_00))
    order_id = place(cast.alice, fern, 1, useCredit=True)
    set_status(cast.ada, order_id, OUT, CANCELLED)
    place(cast.alice, fern, 1, useCredit=True)
    with pytest.raises(fulfilment.CannotReopen, match="^The credit used for this order has been spent on another one"):
        set_status(cast.ada, order_id, PENDING)
    assert stock(engine, fern) == 4


@pytest.mark.parametrize(("before", "is_given_back"), [(PENDING, True), (CONFIRMED, True), (OUT, False)])
def test_one_time_discounts_come_back_when_the_shop_cancels_before_dispatch(
    engine: Engine, session: Session, cast: Cast, fern: Product, before: OrderStatus, is_given_back: bool
) -> None:
    friend = make_user(session, "friend", referred_by=cast.bob)
    session.commit()
    order_id = place(friend, fern)
    set_status(cast.ada, order_id, before, CANCELLED)
    with Session(engine) as after:
        person = after.get_one(User, friend.id)
        used = not is_given_back
        assert (person.first_purchase_discount_used, person.referral_bonus_used) == (used, used)


def test_cancelling_an_order_without_discounts_gives_none_back(engine: Engine, session: Session, cast: Cast) -> None:
    friend = make_user(session, "friend", referred_by=cast.bob)
    product = make_product(session, price_cents=120_00)
    session.commit()
    place(friend, product)
    later = place(friend, product)
    set_status(cast.ada, later, CANCELLED)
    with Session(engine) as after:
        person = after.get_one(User, friend.id)
        assert (person.first_purchase_discount_used, person.referral_bonus_used) == (True, True)


def test_lock_orders_returns_the_oldest_first_without_deleted_ones(session: Session, cast: Cast, fern: Product) -> None:
    placed = [place(who, fern, 1) for who in (cast.bob, cast.alice, cast.bob)]
    deleted = place(cast.alice, fern, 1)
    session.get_one(Order, deleted).deleted_at = clock.now()
    session.commit()
    wanted = [deleted, *reversed(placed)]
    locked = db.write(lambda s: [(order.id, who.id) for order, who in fulfilment.lock_orders(s, wanted)])
    assert locked == list(zip(placed, (cast.bob.id, cast.alice.id, cast.bob.id), strict=True))


def test_an_order_does_not_come_back_when_its_discount_was_used_on_another(
    engine: Engine, cast: Cast, fern: Product
) -> None:
    first = place(cast.alice, fern, 1)
    set_status(cast.ada, first, CANCELLED)
    second = place(cast.alice, fern, 1)
    with pytest.raises(fulfilment.CannotReopen, match="^This order's one-time discount has been used on another one"):
        set_status(cast.ada, first, PENDING)
    set_status(cast.ada, second, CANCELLED)
    set_status(cast.ada, first, PENDING)
    with Session(engine) as session:
        assert session.get_one(User, cast.alice.id).first_purchase_discount_used


@pytest.mark.parametrize(("discount", "flag"), fulfilment.ONE_TIME_DISCOUNTS)
def test_an_order_does_not_come_back_when_its_discount_was_used_up_by_one_cancelled_after_dispatch(
    engine: Engine, session: Session, cast: Cast, fern: Product, discount: str, flag: str
) -> None:
    friend = make_user(session, "friend", referred_by=cast.bob)
    session.commit()
    first = place(friend, fern, 1)
    set_status(cast.ada, first, CANCELLED)
    second = place(friend, fern, 1)
    set_status(cast.ada, second, OUT, CANCELLED)
    with Session(engine) as after:
        assert getattr(after.get_one(Order, first), discount) and getattr(after.get_one(User, friend.id), flag)
    with pytest.raises(fulfilment.CannotReopen, match="^This order's one-time discount has been used on another one"):
        set_status(cast.ada, first, PENDING)
    set_status(cast.ada, second, PENDING)


def test_setting_a_status_needs_permission_and_an_existing_order(cast: Cast, fern: Product) -> None:
    order_id = place(cast.alice, fern)
    with pytest.raises(errors.NotAllowed):
        set_status(cast.alice, order_id, DELIVERED)
    with pytest.raises(errors.NotFound, match=f"^{messages.ORDER_NOT_FOUND}$"):
        set_status(cast.ada, "unknown", DELIVERED)


@pytest.mark.attack("staff who give themselves credit or another's name")
@pytest.mark.parametrize("gain", ["own order", "referral credit"])
def test_staff_cannot_set_a_status_they_profit_from_unless_owner(
    session: Session, cast: Cast, fern: Product, gain: str
) -> None:
    manager = make_user(session, "mona", role=Role.MANAGER)
    friend = make_user(session, "friend", referred_by=manager)
    session.commit()
    order_id = place(manager if gain == "own order" else friend, fern)
    acts = (
        lambda s: fulfilment.edit(s, s.get(User, manager.id), order_id, OrderEditForm(status=OrderStatus.DELIVERED)),
        lambda s: orders_bulk.set_status_of_many(
            s, s.get(User, manager.id), ManyStatusForm(ids=[order_id], status=OrderStatus.DELIVERED)
        ),
        lambda s: admin_orders.delete(s, s.get(User, manager.id), order_id),
    )
    for act in acts:
        with pytest.raises(fulfilment.OwnOrder):
            db.write(act)
    assert db.read(lambda s: s.get_one(Order, order_id).status) is OrderStatus.PENDING
    set_status(cast.ada, order_id, OrderStatus.DELIVERED)
    assert db.read(lambda s: s.get_one(Order, order_id).status) is OrderStatus.DELIVERED


def test_an_owner_delivers_what_they_bought_themselves(cast: Cast, fern: Product) -> None:
    order_id = place(cast.ada, fern)
    set_status(cast.ada, order_id, OrderStatus.DELIVERED)
    assert db.read(lambda s: s.get_one(Order, order_id).status) is OrderStatus.DELIVERED


def test_credit_that_was_spent_and_then_reversed_is_a_debt_that_later_credit_pays(
    session: Session, cast: Cast, fern: Product
) -> None:
    """Bob spends what a friend's order earned him, and that order is cancelled: he cannot spend it a second time."""
    friends = [make_user(session, f"friend{n}", referred_by=cast.bob) for n in range(2)]
    session.commit()
    first = place(friends[0], fern)
    set_status(cast.ada, first, OrderStatus.DELIVERED)
    earned = db.read(lambda s: credits.balance(s, cast.bob.id))
    place(cast.bob, fern, useCredit=True)
    set_status(cast.ada, first, OrderStatus.CANCELLED)
    debt = db.read(lambda s: credits.balance(s, cast.bob.id))
    assert earned > 0 > debt
    set_status(cast.ada, place(cast.bob, fern, 1), CONFIRMED)  # an order that spends none is not held up by it
    shown = db.read(lambda s: cart.show(s, s.get(User, cast.bob.id), use_credit=True))
    assert (shown.credit_cents, shown.quote.credit_applied_cents) == (0, 0)
    set_status(cast.ada, place(friends[1], fern), OrderStatus.DELIVERED)
    assert db.read(lambda s: credits.balance(s, cast.bob.id)) == earned + debt
