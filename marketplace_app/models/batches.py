"""Batches of a product, the ledger of their units, and what each order has of them (RULE batches)."""

from datetime import date, datetime
from enum import StrEnum

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, Index, UniqueConstraint, text
from sqlmodel import Field, SQLModel

from marketplace_app.clock import now
from marketplace_app.limits import MAX_BATCH_CODE
from marketplace_app.models.base import TextEnum, UtcDateTime, one_of

PANELS = ("pesticides", "heavy_metals", "residual_solvents", "microbials")


class BatchState(StrEnum):
    """Whether a batch may be sold, and if not, why."""

    FOR_SALE = "for_sale"
    NOT_APPROVED = "not_approved"
    EXPIRED = "expired"
    HELD = "held"
    RECALLED = "recalled"


class Batch(SQLModel, table=True):
    """Units of one product that were made, tested and packed together.

    While a batch may not be sold, its units are set aside: they are not in the product's stock, and cannot be ordered.
    """

    __tablename__ = "batches"
    __table_args__ = (
        UniqueConstraint("product_id", "code"),
        # The target of foreign keys that include the product, so that no order line has a batch of another product.
        UniqueConstraint("id", "product_id"),
        Index("ix_batches_expires_on", "expires_on"),
        CheckConstraint(f"length(code) BETWEEN 1 AND {MAX_BATCH_CODE}", name="code_length"),
        CheckConstraint("units >= 0", name="units_not_negative"),
        CheckConstraint("set_aside >= 0", name="set_aside_not_negative"),
        CheckConstraint("unit_cost_cents >= 0", name="unit_cost_not_negative"),
        CheckConstraint("thc_percent BETWEEN 0 AND 100", name="thc_range"),
        CheckConstraint("cbd_percent BETWEEN 0 AND 100", name="cbd_range"),
        CheckConstraint("packed_on <= expires_on", name="packed_before_it_expires"),
        CheckConstraint(
            " AND ".join(f"(reported_on IS NULL) = ({panel} = '')" for panel in PANELS), name="report_is_whole"
        ),
        CheckConstraint("(recalled_at IS NULL) = (recall_reason = '')", name="recall_has_reason"),
        CheckConstraint(
            "units = 0 OR (is_approved AND hold_reason = '' AND recalled_at IS NULL)", name="only_sound_units_are_sold"
        ),
    )

    id: int = Field(default=None, primary_key=True)
    product_id: int = Field(foreign_key="products.id")
    code: str
    packed_on: date | None = None
    expires_on: date | None = None
    """The last day on which it is sold."""
    reported_on: date | None = None
    """The day of its lab report; None without one."""
    pesticides: str = ""
    heavy_metals: str = ""
    residual_solvents: str = ""
    microbials: str = ""
    thc_percent: float | None = None
    cbd_percent: float | None = None
    unit_cost_cents: int | None = None
    is_approved: bool = True
    """Whether the state has approved it for sale."""
    hold_reason: str = ""
    """Why it is held; empty if it is not."""
    recalled_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    recall_reason: str = ""
    units: int = 0
    """How many can be sold: a part of the product's stock."""
    set_aside: int = 0
    """How many are in the shop but may not be sold."""
    created_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)


class BatchMovement(SQLModel, table=True):
    """How many units of a stock movement belong to a batch. All movements of a batch add up to its `units`."""

    __tablename__ = "batch_movements"
    __table_args__ = (
        UniqueConstraint("movement_id", "batch_id"),
        CheckConstraint("units <> 0", name="units_not_zero"),
    )

    id: int = Field(default=None, primary_key=True)
    movement_id: int = Field(foreign_key="stock_movements.id")
    batch_id: int = Field(foreign_key="batches.id", index=True)
    units: int


class QuestionOutcome(StrEnum):
    """How a question about another batch ended."""

    YES = "yes"
    NO = "no"
    LAPSED = "lapsed"
    """The batch could no longer be changed: the question ended by itself, or the customer's yes came too late."""


class LineBatch(SQLModel, table=True):
    """How many units of an order line are from a batch. A cancelled order has no such rows."""

    __tablename__ = "line_batches"
    __table_args__ = (
        ForeignKeyConstraint(
            ["order_id", "product_id"], ["order_lines.order_id", "order_lines.product_id"], ondelete="CASCADE"
        ),
        ForeignKeyConstraint(["batch_id", "product_id"], ["batches.id", "batches.product_id"]),
        Index("ix_line_batches_batch_id", "batch_id", "order_id"),
        CheckConstraint("units > 0", name="units_positive"),
    )

    order_id: str = Field(primary_key=True)
    product_id: int = Field(primary_key=True)
    batch_id: int = Field(primary_key=True)
    units: int
    read_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When the buyer confirmed having read the notice of the batch's recall."""


_IS_OPEN = text("ended_at IS NULL")


class BatchQuestion(SQLModel, table=True):
    """Asks the customer whether the units that an order has of one batch may come from another.

    A line has at most one open question.
    """

    __tablename__ = "batch_questions"
    __table_args__ = (
        ForeignKeyConstraint(
            ["order_id", "product_id"], ["order_lines.order_id", "order_lines.product_id"], ondelete="CASCADE"
        ),
        ForeignKeyConstraint(["from_batch_id", "product_id"], ["batches.id", "batches.product_id"]),
        ForeignKeyConstraint(["to_batch_id", "product_id"], ["batches.id", "batches.product_id"]),
        Index("ix_batch_questions_order_id", "order_id"),
        Index(
            "uq_batch_questions_open_of_line",
            "order_id",
            "product_id",
            unique=True,
            sqlite_where=_IS_OPEN,
            postgresql_where=_IS_OPEN,
        ),
        Index("ix_batch_questions_open_to_batch", "to_batch_id", sqlite_where=_IS_OPEN, postgresql_where=_IS_OPEN),
        CheckConstraint("units > 0", name="units_positive"),
        CheckConstraint("from_batch_id <> to_batch_id", name="another_batch"),
        one_of("outcome", QuestionOutcome),
        CheckConstraint("(ended_at IS NULL) = (outcome IS NULL)", name="end_has_outcome"),
        CheckConstraint("asked_at <= ended_at", name="asked_before_it_ends"),
    )

    id: int = Field(default=None, primary_key=True)
    order_id: str
    product_id: int
    from_batch_id: int
    to_batch_id: int
    units: int
    """All units that the order has of `from_batch_id`."""
    asked_by_id: int = Field(foreign_key="users.id")
    asked_at: datetime = Field(sa_type=UtcDateTime)
    ended_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    outcome: QuestionOutcome | None = Field(default=None, sa_type=TextEnum(QuestionOutcome))
