"""Orders: the lines and amounts that were agreed, which never change; where and when to deliver; and the status with
its history."""

from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import uuid4

from sqlalchemy import JSON, CheckConstraint, Index, UniqueConstraint, false, text
from sqlmodel import Field, Relationship, SQLModel

from marketplace_app.clock import now
from marketplace_app.limits import MAX_LINE_QUANTITY
from marketplace_app.models.base import Folded, TextEnum, UtcDateTime, one_of
from marketplace_app.models.jurisdictions import OrderLegalRecord
from marketplace_app.models.slots import OrderDelivery

CASH_ON_DELIVERY = "cod"


class OrderStatus(StrEnum):
    PENDING = "pending"
    CONFIRMED = "confirmed"
    OUT_FOR_DELIVERY = "out_for_delivery"
    DELIVERED = "delivered"
    CANCELLED = "cancelled"

    @property
    def label(self) -> str:
        return self.value.replace("_", " ")

    @property
    def is_ended(self) -> bool:
        """No delivery is expected any more."""
        return self in (OrderStatus.DELIVERED, OrderStatus.CANCELLED)


def new_order_id() -> str:
    return str(uuid4())


class Order(SQLModel, table=True):
    __tablename__ = "orders"
    __table_args__ = (
        UniqueConstraint("number"),
        one_of("status", OrderStatus),
        CheckConstraint("total_cents >= 0", name="total_not_negative"),
        CheckConstraint(
            "total_cents = subtotal_cents + delivery_fee_cents"
            " - new_customer_discount_cents - referral_discount_cents - promotion_discount_cents"
            " + tax_cents - credit_applied_cents - cash_rounding_cents",
            name="total_adds_up",
        ),
        CheckConstraint("promotion_discount_cents >= 0", name="promotion_discount_not_negative"),
        CheckConstraint("tax_cents >= 0", name="tax_not_negative"),
        CheckConstraint("cash_rounding_cents >= 0", name="cash_rounding_not_negative"),
        CheckConstraint("payment_method = 'cod'", name="payment_method_known"),
        CheckConstraint("referral_credit_cents >= 0", name="referral_credit_not_negative"),
        Index("ix_orders_user_id_created_at", "user_id", "created_at", "status", "total_cents", "deleted_at"),
        # Admin lists, counts and sums are read from these indexes only: hence their many columns.
        Index("ix_orders_placed", "created_at", "number", "status", "total_cents", "user_id", "id", "deleted_at"),
        Index("ix_orders_status", "status", "created_at", "number", "total_cents", "deleted_at"),
        Index("ix_orders_total", "total_cents", "number", "status", "created_at", "deleted_at"),
        Index("ix_orders_search_text", "search_text", "number", "status", "created_at", "total_cents", "deleted_at"),
        Index("ix_orders_id_start", text("substr(id, 1, 8)")),
        Index("ix_orders_id_end", text("substr(id, 29)")),
        # One first-purchase discount and one referral discount a person, whatever the code does (promise P4).
        Index(
            "uq_orders_first_purchase",
            "user_id",
            unique=True,
            sqlite_where=text("new_customer_discount_cents > 0 AND status <> 'cancelled'"),
            postgresql_where=text("new_customer_discount_cents > 0 AND status <> 'cancelled'"),
        ),
        Index(
            "uq_orders_referral",
            "user_id",
            unique=True,
            sqlite_where=text("referral_discount_cents > 0 AND status <> 'cancelled'"),
            postgresql_where=text("referral_discount_cents > 0 AND status <> 'cancelled'"),
        ),
    )

    id: str = Field(default_factory=new_order_id, primary_key=True)
    number: int
    user_id: int = Field(foreign_key="users.id")
    referrer_id: int | None = Field(default=None, foreign_key="users.id", index=True)
    """The user who gets credit when this order is delivered (RULE referral-credit)."""
    referral_credit_cents: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    """The credit that the referrer gets: the setting as it was when this order was placed."""
    status: OrderStatus = Field(default=OrderStatus.PENDING, sa_type=TextEnum(OrderStatus))
    subtotal_cents: int
    delivery_fee_cents: int
    new_customer_discount_cents: int
    referral_discount_cents: int
    # With the defaults in the database, a release that does not know these columns can insert (RULE rolling-releases).
    promotion_discount_cents: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    tax_cents: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    credit_applied_cents: int
    cash_rounding_cents: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    """What rounding to whole coins or bills takes off, always in the customer's favour."""
    total_cents: int
    quote_lines: list[dict[str, Any]] = Field(default_factory=list, sa_type=JSON)
    """The subtotal, discounts, fees, taxes and credit, as the customer saw them; they add up to the total."""
    payment_method: str = CASH_ON_DELIVERY
    delivery_address: str
    street: str = ""
    city: str = ""
    state: str = ""
    zip_code: str = ""
    contact_phone: str
    delivery_instructions: str
    payment_instructions: str
    customer_name: str
    customer_email: str
    search_text: str = Field(default="", sa_type=Folded, sa_column_kwargs={"server_default": ""})
    """The text that staff search and sort orders by; it begins with the name (`services.search.order_search`)."""
    created_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
    estimated_delivery_at: datetime = Field(sa_type=UtcDateTime)
    deleted_at: datetime | None = Field(default=None, sa_type=UtcDateTime)

    lines: list["OrderLine"] = Relationship(sa_relationship_kwargs={"order_by": "OrderLine.position"})
    delivery: OrderDelivery | None = Relationship(sa_relationship_kwargs={"uselist": False})
    legal_record: OrderLegalRecord | None = Relationship(sa_relationship_kwargs={"uselist": False, "viewonly": True})
    history: list["OrderStatusChange"] = Relationship(sa_relationship_kwargs={"order_by": "OrderStatusChange.id"})

    @property
    def is_cancelled(self) -> bool:
        return self.status is OrderStatus.CANCELLED


class OrderLine(SQLModel, table=True):
    """Name, picture and price as they were when the order was placed (RULE order-snapshot)."""

    __tablename__ = "order_lines"
    __table_args__ = (
        UniqueConstraint("order_id", "product_id"),
        # Best-sellers and the units in an order are summed from this index only.
        Index("ix_order_lines_sold", "order_id", "product_id", "quantity", "unit_price_cents"),
        CheckConstraint(f"quantity BETWEEN 1 AND {MAX_LINE_QUANTITY}", name="quantity_range"),
        CheckConstraint("unit_price_cents > 0", name="price_positive"),
    )

    id: int = Field(default=None, primary_key=True)
    order_id: str = Field(foreign_key="orders.id", ondelete="CASCADE")
    position: int
    product_id: int = Field(foreign_key="products.id", index=True)
    name: str
    image: str
    quantity: int
    unit_price_cents: int


class OrderStatusChange(SQLModel, table=True):
    __tablename__ = "order_status_changes"
    __table_args__ = (one_of("to_status", OrderStatus),)

    id: int = Field(default=None, primary_key=True)
    order_id: str = Field(foreign_key="orders.id", ondelete="CASCADE", index=True)
    from_status: OrderStatus | None = Field(default=None, sa_type=TextEnum(OrderStatus))
    to_status: OrderStatus = Field(sa_type=TextEnum(OrderStatus))
    actor_id: int | None = Field(default=None, foreign_key="users.id")
    is_by_hand: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Staff set the order to delivered, without a report from the door."""
    created_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)


class IdempotencyKey(SQLModel, table=True):
    """The answer to a request that placed an order; repeating the request gets it again (RULE idempotency-key)."""

    __tablename__ = "idempotency_keys"

    user_id: int = Field(foreign_key="users.id", primary_key=True, ondelete="CASCADE")
    key: str = Field(primary_key=True, max_length=200)
    body_hash: str
    answer: dict[str, Any] = Field(sa_type=JSON)
    created_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
