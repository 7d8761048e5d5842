"""Exporting and erasing personal data (RULE data-export, RULE account-deletion)."""

import json
import re
from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Any

import pytest
from sqlalchemy import Column, Engine, Table, func, select, text, update
from sqlalchemy.event import listen
from sqlmodel import Session, SQLModel, col

from marketplace_app import clock, db, errors
from marketplace_app.adapters import live
from marketplace_app.models import (
    CartLine,
    CreditEntry,
    CreditReason,
    EventResult,
    EventSource,
    Invitation,
    InvitationStatus,
    Order,
    OrderDelivery,
    OrderLegalRecord,
    OrderStatus,
    OutboxMessage,
    Product,
    SignInSession,
    StopEvent,
    StopEventKind,
    User,
)
from marketplace_app.schemas.account.invitations import InvitationForm
from marketplace_app.schemas.buying.cart import AddForm
from marketplace_app.schemas.buying.order_forms import OrderEditForm
from marketplace_app.schemas.buying.saved import SaveForm
from marketplace_app.schemas.tickets import ReplyForm, TicketForm
from marketplace_app.services import accounts, erased_users, privacy, referrals, sessions
from marketplace_app.services.account import invitations
from marketplace_app.services.admin import orders as admin_orders
from marketplace_app.services.buying import cart, fulfilment, orders, saved
from marketplace_app.services.records import outbox
from marketplace_app.services.support import tickets
from tests.builders import make_order, make_product, make_rules, make_run, order_form
from tests.conftest import Cast

KEPT_OF_ERASED = {"credit_entries"}
"""What an erased person leaves besides their orders: amounts, which the shop's accounts need."""
NOT_EXPORTED = {"idempotency_keys"}
"""Repeats what the order says."""
OF_OTHERS = {
    "actor_id",
    "asked_by_id",
    "author_id",
    "closed_by_id",
    "counted_by_id",
    "created_by_id",
    "driver_id",
    "opened_by_id",
    "planned_by_id",
    "referrer_id",
    "referred_by_id",
    "reviewed_by_id",
    "sender_id",
    "witness_id",
}
"""Columns that name who did something, where the row is the data of another person or of the shop."""
KEPT_COLUMNS: Mapping[str, Mapping[str, set[str]]] = {
    "users": {
        "show that the account was erased": {"id", "issuer", "subject", "deleted_at"},
        "what it was and might do": {"created_at", "role", "granted_role"},
        "bans and discounts, which outlive it": {
            "banned_at",
            "ban_reason",
            "first_purchase_discount_used",
            "referral_bonus_used",
            "referred_by_id",
        },
    },
    "orders": {
        "which order it is, of whom, and who earns by it": {"id", "number", "user_id", "referrer_id"},
        "amounts, which the shop's accounts need": {
            "subtotal_cents",
            "delivery_fee_cents",
            "new_customer_discount_cents",
            "referral_discount_cents",
            "promotion_discount_cents",
            "tax_cents",
            "credit_applied_cents",
            "cash_rounding_cents",
            "total_cents",
            "referral_credit_cents",
            "quote_lines",
            "payment_method",
        },
        "what became of it, and when": {"status", "created_at", "estimated_delivery_at", "deleted_at"},
    },
    "invitations": {
        "which invitation it is; the code itself is stored nowhere": {"id", "code_hash"},
        "who sent it, and which account accepted it": {"created_by_id", "accepted_by_id"},
        "what became of it, and when": {"status", "created_at", "expires_at", "accepted_at"},
    },
    "order_legal_records": {
        "by which rules the order was judged": {"order_id", "version_id", "keep_days"},
    },
    "order_deliveries": {
        "where and when the order went, by zone and slot": {
            "order_id",
            "zone_id",
            "zone_name",
            "slot_id",
            "held_slot_id",
            "window_starts_at",
            "window_ends_at",
            "promised_by",
        },
        "random digits": {"door_pin"},
        "one of a few answers, and when they were given": {"substitution", "ready_asked_at", "ready_at"},
        "counts": {"attempts"},
    },
    "run_stops": {
        "which order was on which run": {"id", "run_id", "order_id", "position", "added_at"},
        "what became of it, one of a few words": {"ended_at", "outcome", "failure", "wrong_pins", "flag"},
    },
    "stop_events": {
        "which report it is, of which stop, by whom": {"id", "key", "stop_id", "sequence", "source", "actor_id"},
        "what it reported, when, and how it was judged": {"kind", "claimed_at", "received_at", "result", "code"},
    },
}
"""Columns that say the same of people who were erased, by table and reason. All others are emptied."""
HERS = ("alice", "Archer", "Larch", r"\b97201\b", "555 0142", "green door", "under the mat")
"""Patterns of what only Alice gave. Random ids and microseconds may contain the digits of her ZIP code."""


@pytest.fixture
def fern(session: Session) -> Product:
    product = make_product(session, "Fern Hollow", price_cents=120_00, stock=5)
    session.commit()
    return product


def place(who: User, product: Product) -> str:
    form = order_form((product, 1), firstName="Alice", lastName="Archer")
    return str(db.write(lambda s: orders.place(s, s.get(User, who.id), form, key="one"))["id"])


def erase(who: User) -> None:
    db.write(lambda s: privacy.erase(s, s.get(User, who.id)))


def identity(who: User) -> accounts.Identity:
    return accounts.Identity(who.issuer, who.subject, who.verified_email, is_email_verified=True)


def set_status(actor: User, order_id: str, status: OrderStatus) -> None:
    db.write(lambda s: fulfilment.edit(s, s.get(User, actor.id), order_id, OrderEditForm(status=status)).id)


def everything(engine: Engine) -> str:
    """The whole database as text."""
    with engine.connect() as connection:
        tables = [table for table in User.metadata.tables if not table.startswith("alembic")]
        return json.dumps(
            [[list(map(str, row)) for row in connection.execute(text(f"SELECT * FROM {table}"))] for table in tables]
        )


def personal_data_in(dump: str) -> list[str]:
    return [each for each in HERS if re.search(each, dump, re.IGNORECASE)]


def test_the_export_has_all_data_of_the_user_and_no_others(cast: Cast, fern: Product) -> None:
    place(cast.alice, fern)
    place(cast.bob, fern)
    db.write(lambda s: cart.add(s, s.get(User, cast.alice.id), AddForm(productId=fern.id)))
    db.write(lambda s: sessions.start(s, s.get_one(User, cast.alice.id)))
    code = db.write(lambda s: referrals.my_code(s, s.get(User, cast.alice.id)))
    export = db.read(lambda s: privacy.export(s, s.get(User, cast.alice.id)))
    assert export["account"]["email"] == "alice@example.org"
    assert [order["customerEmail"] for order in export["orders"]] == ["alice@example.org"]
    assert [line["productId"] for line in export["cart"]] == [fern.id]
    assert export["referrals"]["referralCode"] == code
    assert len(export["sessions"]) == 1


def test_the_export_has_orders_that_staff_have_deleted(cast: Cast, fern: Product) -> None:
    order_id = place(cast.alice, fern)
    db.write(lambda s: admin_orders.delete(s, s.get(User, cast.ada.id), order_id))
    [order] = db.read(lambda s: privacy.export(s, s.get(User, cast.alice.id)))["orders"]
    assert (order["id"], order["status"]) == (order_id, "cancelled")


def test_the_export_of_a_user_who_may_not_shop_has_their_cart_and_saved_products(
    cast: Cast, fern: Product, configure: Callable[..., None]
) -> None:
    db.write(lambda s: cart.add(s, s.get(User, cast.alice.id), AddForm(productId=fern.id)))
    db.write(lambda s: saved.save(s, s.get(User, cast.alice.id), SaveForm(productId=fern.id)))
    configure(ACCESS_MODE="invite_only")
    export = db.read(lambda s: privacy.export(s, s.get(User, cast.alice.id)))
    assert [line["productId"] for line in export["cart"]] == [fern.id]
    assert [each["product"]["id"] for each in export["saved"]] == [fern.id]


def test_erasure_removes_personal_data_and_keeps_sales(engine: Engine, cast: Cast, fern: Product) -> None:
    order_id = place(cast.alice, fern)
    set_status(cast.ada, order_id, OrderStatus.DELIVERED)
    db.write(lambda s: cart.add(s, s.get(User, cast.alice.id), AddForm(productId=fern.id)))
    db.write(lambda s: sessions.start(s, s.get_one(User, cast.alice.id)))
    assert personal_data_in(everything(engine)) == list(HERS)
    erase(cast.alice)
    assert personal_data_in(everything(engine)) == []
    with Session(engine) as session:
        order = session.get_one(Order, order_id)
        assert (order.status, order.total_cents, order.lines[0].name) == (OrderStatus.DELIVERED, 115_00, "Fern Hollow")
        for table in (CartLine, SignInSession, OutboxMessage):
            assert session.execute(select(func.count()).select_from(table)).scalar_one() == 0


def personal_tables() -> set[str]:
    keys = [key for table in SQLModel.metadata.tables.values() for key in table.foreign_keys]
    people = [key.parent for key in keys if key.column.table.name == "users" and key.parent.name not in OF_OTHERS]
    return {column.table.name for column in people}


def test_the_check_for_leftovers_knows_every_table_of_personal_data() -> None:
    left = {name for name in personal_tables() - KEPT_OF_ERASED if f" FROM {name} " not in erased_users.QUERY}
    assert not left, (
        "These refer to a user: delete their rows in `privacy.erase`, and give each a line in `QUERY` of services/"
        f"erased_users.py, or list them in KEPT_OF_ERASED or their columns in OF_OTHERS of this file: {left}"
    )


def make_delivered_order(session: Session, cast: Cast) -> None:
    """An order of Alice's with a row of every kind that keeps something of her or of it."""
    order = make_order(session, cast.alice, 100_00, status=OrderStatus.DELIVERED)
    version = make_rules(session)
    session.add(OrderLegalRecord(order_id=order.id, version_id=version.id, keep_days=30))
    session.add(OrderDelivery(order_id=order.id, zone_name="East side", promised_by=clock.now(), door_pin="4071"))
    [stop] = make_run(session, cast.ada, order).stops
    signed = {"kind": StopEventKind.SIGNED, "source": EventSource.PAPER, "result": EventResult.APPLIED}
    times = {"claimed_at": clock.now(), "received_at": clock.now()}
    session.add(StopEvent(key="0" * 26, stop_id=stop.id, actor_id=cast.ada.id, **signed, **times))
    accepted = {"status": InvitationStatus.ACCEPTED, "accepted_at": clock.now(), "accepted_by_id": cast.alice.id}
    session.add(Invitation(code_hash="one", email="", expires_at=clock.now(), **accepted))
    session.commit()


def example(column: Column[Any]) -> Any:
    """Something that Alice might have given."""
    kind = getattr(column.type, "impl_instance", column.type).python_type
    if kind in (date, datetime):
        return clock.now() if kind is datetime else date(1990, 4, 17)
    return {str: f"{column.name} of Alice", object: {"of": "Alice"}, bool: True}.get(kind, 7)


def row_of(session: Session, table: Table, who: User) -> dict[str, Any]:
    statement = select(table).where(table.c.id == who.id) if table.name == "users" else select(table)
    return dict(session.execute(statement).mappings().one())


def change(session: Session, table: Table, who: User, values: Mapping[str, Any]) -> None:
    statement = update(table).values(values)
    session.execute(statement.where(table.c.id == who.id) if table.name == "users" else statement)


@pytest.mark.parametrize("name", KEPT_COLUMNS)
def test_each_column_is_emptied_and_checked_or_kept_for_a_reason(session: Session, cast: Cast, name: str) -> None:
    make_delivered_order(session, cast)
    table, kept = SQLModel.metadata.tables[name], set().union(*KEPT_COLUMNS[name].values())
    assert kept <= set(table.columns.keys())
    given = {column.name: example(column) for column in table.columns if column.name not in kept}
    if given:
        db.write(lambda s: change(s, table, cast.alice, given))
    erase(cast.alice)
    after = db.read(lambda s: row_of(s, table, cast.alice))
    left = {column for column in given if after[column]}
    assert not left, (
        f"Empty these columns of {name} in `privacy.erase`, and look for them in `QUERY` of services/erased_users.py; "
        f"or list them in KEPT_COLUMNS of this file, with the reason why they stay: {left}"
    )
    assert left_over() == []
    for column, value in given.items():
        db.write(lambda s, column=column, value=value: change(s, table, cast.alice, {column: value}))
        assert left_over(), f"`QUERY` of services/erased_users.py does not look at {name}.{column}"
        db.write(lambda s, column=column: change(s, table, cast.alice, {column: after[column]}))


def left_over() -> list[Any]:
    return list(db.read(lambda s: s.execute(text(erased_users.QUERY)).all()))


def test_every_table_that_is_checked_for_leftovers_is_emptied_or_has_its_columns_listed(
    engine: Engine, cast: Cast
) -> None:
    statements: list[str] = []
    listen(engine, "before_cursor_execute", lambda _c, _cursor, statement, *_: statements.append(statement))
    erase(cast.alice)
    deleted = {name for statement in statements for name in re.findall(r"DELETE FROM (\w+)", statement)}
    checked = set(re.findall(r"(?:FROM|JOIN) (\w+)", erased_users.QUERY)) - {"erased"}
    unlisted = checked - deleted - KEPT_COLUMNS.keys()
    assert not unlisted, f"Give these tables their columns in KEPT_COLUMNS of this file: {unlisted}"


def test_the_export_reads_every_table_of_personal_data(engine: Engine, cast: Cast) -> None:
    statements: list[str] = []
    listen(engine, "before_cursor_execute", lambda _c, _cursor, statement, *_: statements.append(statement))
    db.read(lambda s: privacy.export(s, s.get(User, cast.alice.id)))
    is_read = {name for statement in statements for name in re.findall(r"(?:FROM|JOIN) (\w+)", statement)}
    unread = personal_tables() - NOT_EXPORTED - is_read
    assert not unread, (
        "These refer to a user: show their rows in `privacy.export`, or list them in NOT_EXPORTED or their columns in "
        f"OF_OTHERS of this file: {unread}"
    )


def test_an_open_invitation_is_exported_revoked_and_erased(engine: Engine, cast: Cast) -> None:
    form = InvitationForm(email=cast.alice.verified_email, firstName="Alice", notes="A neighbour")
    db.write(lambda s: invitations.write(s, form, "the-code"))
    export = db.read(lambda s: privacy.export(s, s.get(User, cast.alice.id)))
    assert [(each["firstName"], each["notes"]) for each in export["invitations"]] == [("Alice", "A neighbour")]
    erase(cast.alice)
    with Session(engine) as session:
        stored = session.execute(select(Invitation)).scalar_one()
        assert (stored.status, stored.email, stored.first_name, stored.notes) == (InvitationStatus.REVOKED, "", "", "")


def test_mail_to_an_address_that_the_user_no_longer_has_is_erased(engine: Engine, cast: Cast) -> None:
    """Another account may have the address by now: its own mail stays."""
    former = "alice.former@example.org"
    db.write(lambda s: setattr(s.get_one(User, cast.alice.id), "email", former))
    ticket = TicketForm(subject="Hello", message="Where is it?")
    created = db.write(lambda s: tickets.create(s, s.get(User, cast.alice.id), ticket))
    answer = ReplyForm(message="Four streets away.")
    db.write(lambda s: tickets.reply(s, s.get(User, cast.ada.id), created.id, answer).id)
    db.write(lambda s: setattr(s.get_one(User, cast.alice.id), "email", cast.alice.verified_email))
    invitation = InvitationForm(email="alice.invited@example.org", firstName="Alice")
    sent = db.write(lambda s: invitations.send(s, s.get(User, cast.ada.id), invitation))
    db.write(lambda s: invitations.accept(s, s.get(User, cast.alice.id), sent.invite_url.rpartition("/")[2]))
    db.write(lambda s: outbox.add(s, "back_in_stock", former, product_id=1))
    erase(cast.alice)
    with Session(engine) as session:
        left = session.execute(select(col(OutboxMessage.kind), col(OutboxMessage.recipient))).all()
    assert [tuple(each) for each in left] == [("back_in_stock", former)]


def test_an_invitation_accepted_by_another_is_neither_exported_nor_erased(engine: Engine, cast: Cast) -> None:
    form = InvitationForm(email=cast.alice.verified_email, notes="Forwarded")
    db.write(lambda s: invitations.write(s, form, "the-code"))
    db.write(lambda s: invitations.accept(s, s.get(User, cast.bob.id), "the-code"))
    assert db.read(lambda s: privacy.export(s, s.get(User, cast.alice.id)))["invitations"] == []
    erase(cast.alice)
    with Session(engine) as session:
        assert session.execute(select(Invitation)).scalar_one().notes == "Forwarded"


def test_credit_is_exported_entry_by_entry(engine: Engine, cast: Cast) -> None:
    with Session(engine) as session:
        session.add(CreditEntry(user_id=cast.alice.id, amount_cents=12_50, reason=CreditReason.ADJUSTMENT))
        session.commit()
    export = db.read(lambda s: privacy.export(s, s.get(User, cast.alice.id)))
    assert [(each["amount"], each["reason"]) for each in export["credit"]] == [("12.50", "adjustment")]


def test_staff_are_told_of_an_erased_account(session: Session, cast: Cast) -> None:
    """Pages that are open would go on showing a person who is gone."""
    privacy.erase(session, session.get(User, cast.alice.id))
    assert live.STAFF in session.info[live.TOPICS]


def test_open_orders_are_cancelled_and_their_stock_comes_back(engine: Engine, cast: Cast, fern: Product) -> None:
    order_id = place(cast.alice, fern)
    erase(cast.alice)
    with Session(engine) as session:
        assert session.get_one(Order, order_id).status is OrderStatus.CANCELLED
        assert session.get_one(Product, fern.id).stock == 5


def test_an_order_out_for_delivery_keeps_the_account(engine: Engine, cast: Cast, fern: Product) -> None:
    order_id = place(cast.alice, fern)
    set_status(cast.ada, order_id, OrderStatus.OUT_FOR_DELIVERY)
    before = everything(engine)
    with pytest.raises(privacy.OrderOutForDelivery, match="out for delivery"):
        erase(cast.alice)
    assert everything(engine) == before


def test_a_new_account_of_the_same_person_gets_no_discount_twice(engine: Engine, cast: Cast, fern: Product) -> None:
    order_id = place(cast.alice, fern)
    set_status(cast.ada, order_id, OrderStatus.DELIVERED)
    erase(cast.alice)
    db.write(lambda s: accounts.sign_in(s, identity(cast.alice), is_age_verified=True))
    with Session(engine) as session:
        back = session.execute(select(User).where(col(User.subject) == cast.alice.subject)).scalar_one()
        assert back.id != cast.alice.id
        assert back.first_purchase_discount_used
        assert not back.referral_bonus_used


def test_a_returning_user_who_used_no_discount_gets_it_as_a_new_one(engine: Engine, cast: Cast) -> None:
    erase(cast.alice)
    db.write(lambda s: accounts.sign_in(s, identity(cast.alice), is_age_verified=True))
    back = db.read(lambda s: s.execute(select(User).where(col(User.subject) == cast.alice.subject)).scalar_one())
    assert not back.first_purchase_discount_used
    erase(back)  # a second time, which replaces what was kept of the first


def test_a_ban_outlives_the_account(session: Session, cast: Cast) -> None:
    db.write(lambda s: privacy.erase(s, s.get(User, cast.charlie.id)))
    with pytest.raises(errors.Banned, match="Resold products"):
        db.write(lambda s: accounts.sign_in(s, identity(cast.charlie), is_age_verified=True))


def test_a_guest_cannot_export_or_erase_data(session: Session) -> None:
    for ask in (privacy.export, privacy.erase):
        with pytest.raises(errors.NotSignedIn):
            ask(session, None)
