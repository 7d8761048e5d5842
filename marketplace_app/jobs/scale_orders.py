"""The orders of a large shop, as the rows that placing them and changing their status would have written."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import func, insert, select, update
from sqlmodel import Session, SQLModel, col

from marketplace_app.jobs.scale_plan import PlannedUser, Purchase
from marketplace_app.limits import DELIVERY_HOURS, REFERRAL_CREDIT_CENTS
from marketplace_app.models import (
    AuditEntry,
    CashAccount,
    CashMovement,
    CashReason,
    Counter,
    CreditEntry,
    CreditReason,
    Order,
    OrderLine,
    OrderStatus,
    OrderStatusChange,
    Product,
    Role,
    StockMovement,
    StockReason,
    User,
)
from marketplace_app.models.base import table_of
from marketplace_app.models.orders import CASH_ON_DELIVERY
from marketplace_app.schemas.buying.quotes import Quote
from marketplace_app.services import pricing
from marketplace_app.services.records import audit_log, counters
from marketplace_app.services.search import order_search

ISSUER = "https://scale.invalid"
"""The identity provider of all users of the large shop. It does not exist, so nobody can sign in as one of them."""
TABLES: tuple[type[SQLModel], ...] = (Order, OrderLine, OrderStatusChange, StockMovement, CreditEntry, CashMovement)
"""Written row by row as they are. Audit entries are not: `audit_log.append_many` chains them."""
ALL_TABLES: tuple[type[SQLModel], ...] = (*TABLES, AuditEntry)
RowValues = dict[str, Any]
Rows = dict[type[SQLModel], list[RowValues]]


@dataclass
class Shop:
    """What an order is made from, and what earlier orders have used up."""

    catalogue: Sequence[Product]
    users: Sequence[PlannedUser]
    user_ids: dict[str, int]
    last_number: int
    staff_id: int | None
    first_purchase_used: set[int] = field(default_factory=set)
    """Who has used the first-purchase discount, by their place in `users`."""
    referral_used: set[int] = field(default_factory=set)
    """Who has used the referral discount, by their place in `users`."""

    @classmethod
    def of(cls, session: Session, catalogue: Sequence[Product], users: Sequence[PlannedUser]) -> "Shop":
        counter = select(col(Counter.value)).where(col(Counter.name) == counters.ORDER_NUMBER)
        staff = select(func.min(col(User.id))).where(col(User.role).not_in([Role.CUSTOMER, Role.DRIVER]))
        return cls(
            catalogue,
            users,
            ids_by_email(session),
            session.execute(counter).scalar_one(),
            session.execute(staff).scalar_one(),
        )

    def rows_of(self, purchases: Sequence[Purchase], rng: random.Random) -> Rows:
        rows: Rows = {table: [] for table in ALL_TABLES}
        for purchase in purchases:
            self._add(rows, purchase, str(UUID(int=rng.getrandbits(128), version=4)))
        return rows

    def _add(self, rows: Rows, purchase: Purchase, order_id: str) -> None:
        user = self.users[purchase.buyer]
        items = [self._item(*each) for each in purchase.basket]
        quote = pricing.quote(items, pricing.Terms(), self._buyer(purchase.buyer))
        order = self._order(purchase, user, quote, order_id)
        rows[Order].append(order)
        basket = enumerate(purchase.basket, start=1)
        rows[OrderLine] += [self._line(order_id, position, *each) for position, each in basket]
        rows[OrderStatusChange] += self._history(order, purchase)
        rows[StockMovement] += self._movements(order, purchase)
        rows[CreditEntry] += self._credit(order, purchase)
        rows[CashMovement] += _cash(order, purchase)
        rows[AuditEntry].append(_audit(order))
        if purchase.status is OrderStatus.CANCELLED:
            return
        if quote.new_customer_discount_cents:
            self.first_purchase_used.add(purchase.buyer)
        if quote.referral_discount_cents:
            self.referral_used.add(purchase.buyer)

    def write_flags(self, session: Session) -> None:
        """Mark on each user which one-time discounts they have used."""
        flags = {"first_purchase_discount_used": self.first_purchase_used, "referral_bonus_used": self.referral_used}
        for flag, used in flags.items():
            rows = [{"id": self.user_ids[self.users[each].email], flag: True} for each in sorted(used)]
            if rows:
                session.execute(update(User), rows)

    def _buyer(self, buyer: int) -> pricing.Buyer:
        return pricing.Buyer(
            is_first_purchase=buyer not in self.first_purchase_used,
            has_referral_bonus=self.users[buyer].referrer is not None and buyer not in self.referral_used,
        )

    def _item(self, index: int, quantity: int) -> pricing.Item:
        product = self.catalogue[index]
        return pricing.Item(product.id, product.name, quantity, product.price_cents, available=quantity)

    def _order(self, purchase: Purchase, user: PlannedUser, quote: Quote, order_id: str) -> RowValues:
        self.last_number += 1
        referrer_id = None
        if user.referrer is not None and quote.referral_discount_cents:
            referrer_id = self.user_ids[self.users[user.referrer].email]
        products = [self.catalogue[index].name for index, _ in purchase.basket]
        order: RowValues = {
            "id": order_id,
            "number": self.last_number,
            "user_id": self.user_ids[user.email],
            "referrer_id": referrer_id,
            "referral_credit_cents": 0 if referrer_id is None else REFERRAL_CREDIT_CENTS,
            "status": purchase.status,
            "subtotal_cents": quote.subtotal_cents,
            "delivery_fee_cents": quote.delivery_fee_cents,
            "new_customer_discount_cents": quote.new_customer_discount_cents,
            "referral_discount_cents": quote.referral_discount_cents,
            "credit_applied_cents": 0,
            "total_cents": quote.total_cents,
            "quote_lines": [line.wire() for line in quote.lines],
            "payment_method": CASH_ON_DELIVERY,
            "delivery_address": f"{user.street}, {user.city}, OR 97201",
            "street": user.street,
            "city": user.city,
            "state": "OR",
            "zip_code": "97201",
            "contact_phone": user.phone,
            "delivery_instructions": "Side entrance, the green door.",
            "payment_instructions": "Envelope under the mat.",
            "customer_name": f"{user.first_name} {user.last_name}",
            "customer_email": user.email,
            "created_at": purchase.placed_at,
            "estimated_delivery_at": purchase.placed_at + timedelta(hours=DELIVERY_HOURS),
            "deleted_at": None,
        }
        return order | {"search_text": order_search.search_text(order, products)}

    def _line(self, order_id: str, position: int, index: int, quantity: int) -> RowValues:
        product = self.catalogue[index]
        return {
            "order_id": order_id,
            "position": position,
            "product_id": product.id,
            "name": product.name,
            "image": product.image,
            "quantity": quantity,
            "unit_price_cents": product.price_cents,
        }

    def _history(self, order: RowValues, purchase: Purchase) -> Iterator[RowValues]:
        before = None
        for status, at in purchase.steps:
            yield {
                "order_id": order["id"],
                "from_status": before,
                "to_status": status,
                "actor_id": order["user_id"] if before is None else self.staff_id,
                "created_at": at,
            }
            before = status

    def _movements(self, order: RowValues, purchase: Purchase) -> Iterator[RowValues]:
        ended_at, placed_at = purchase.steps[-1][1], purchase.placed_at
        for index, quantity in purchase.basket:
            product_id = self.catalogue[index].id
            yield movement(
                product_id, -quantity, StockReason.SALE, placed_at, order["id"], sequence=1, actor_id=order["user_id"]
            )
            if purchase.status is OrderStatus.CANCELLED:
                yield movement(
                    product_id, quantity, StockReason.CANCEL, ended_at, order["id"], sequence=2, actor_id=self.staff_id
                )

    def _credit(self, order: RowValues, purchase: Purchase) -> Iterator[RowValues]:
        if order["referrer_id"] is not None and purchase.status is OrderStatus.DELIVERED:
            yield {
                "user_id": order["referrer_id"],
                "amount_cents": REFERRAL_CREDIT_CENTS,
                "reason": CreditReason.REFERRAL,
                "order_id": order["id"],
                "sequence": 1,
                "note": "",
                "created_at": purchase.steps[-1][1],
            }


def _cash(order: RowValues, purchase: Purchase) -> Iterator[RowValues]:
    """Book it as paid before the store kept a cash ledger, so that neither a driver nor the desk holds the cash."""
    if purchase.status is OrderStatus.DELIVERED and order["total_cents"]:
        yield {
            "from_account": CashAccount.CUSTOMERS,
            "to_account": CashAccount.BEFORE_LEDGER,
            "cents": order["total_cents"],
            "reason": CashReason.PAID_BEFORE_LEDGER,
            "order_id": order["id"],
            "created_at": purchase.steps[-1][1],
        }


def _audit(order: RowValues) -> RowValues:
    return {
        "created_at": order["created_at"],
        "actor_id": order["user_id"],
        "action": "order.placed",
        "subject": f"order:{order['id']}",
        "details": {"total": order["total_cents"], "number": order["number"]},
    }


def ids_by_email(session: Session) -> dict[str, int]:
    """The ids of the large shop's users: their email address is their subject at ISSUER."""
    statement = select(col(User.subject), col(User.id)).where(col(User.issuer) == ISSUER)
    return {subject: user_id for subject, user_id in session.execute(statement) if user_id is not None}


def write(session: Session, rows: Rows) -> None:
    for table in TABLES:
        write_rows(session, table, rows[table])
    audit_log.append_many(session, rows[AuditEntry])
    last = max(order["number"] for order in rows[Order])
    session.execute(update(Counter).where(col(Counter.name) == counters.ORDER_NUMBER).values(value=last))


def write_rows(session: Session, table: type[SQLModel], rows: Sequence[RowValues]) -> None:
    """Without the ORM's bookkeeping, which takes several times as long."""
    if rows:
        session.connection().execute(insert(table_of(table)), rows)


def movement(
    product_id: int | None,
    change: int,
    reason: StockReason,
    at: datetime,
    order_id: str | None = None,
    sequence: int | None = None,
    actor_id: int | None = None,
) -> RowValues:
    """`sequence` is that of `StockMovement`: odd ones take stock, even ones return it."""
    return {
        "product_id": product_id,
        "change": change,
        "reason": reason,
        "order_id": order_id,
        "sequence": sequence,
        "actor_id": actor_id,
        "note": "",
        "created_at": at,
    }


def row_of(unsaved: SQLModel) -> RowValues:
    """The columns of an object that is not written yet; a missing id is left to the database."""
    columns = table_of(type(unsaved)).columns
    values = {column.key: getattr(unsaved, column.key) for column in columns}
    return {name: value for name, value in values.items() if name != "id" or value is not None}
