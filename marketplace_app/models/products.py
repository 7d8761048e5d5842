"""What is sold: products, their categories, lab reports and the ledger of their stock."""

from datetime import date, datetime
from enum import StrEnum

from sqlalchemy import JSON, CheckConstraint, Index, UniqueConstraint, false, text
from sqlmodel import Field, SQLModel

from marketplace_app.clock import now
from marketplace_app.models.base import Folded, TextEnum, UtcDateTime, one_of
from marketplace_app.packaging import picture_of


class Hue(StrEnum):
    """Badge colours (RULE categories)."""

    GREEN = "green"
    PURPLE = "purple"
    ORANGE = "orange"
    BLUE = "blue"
    GREY = "grey"


class ProductType(StrEnum):
    """Types mix strain and size (RULE product-types)."""

    INDICA = "Indica"
    SATIVA = "Sativa"
    HYBRID = "Hybrid"
    PRE_ROLL = "Pre-Roll"
    EIGHTH = "Eighth (3.5g)"
    QUARTER = "Quarter (7g)"
    HALF_OUNCE = "Half Oz (14g)"
    OUNCE = "Full Oz (28g)"


class Potency(StrEnum):
    LOW = "Low THC (15-20%)"
    MEDIUM = "Medium THC (20-25%)"
    HIGH = "High THC (25%+)"

    @classmethod
    def of(cls, thc_percent: float | None) -> "Potency | None":
        """Half-open bands [15, 20), [20, 25), [25, ...); None below (RULE potency-bands)."""
        if thc_percent is None or thc_percent < 15:
            return None
        if thc_percent < 20:
            return cls.LOW
        return cls.MEDIUM if thc_percent < 25 else cls.HIGH


class Strain(StrEnum):
    INDICA = "Indica"
    SATIVA = "Sativa"
    HYBRID = "Hybrid"


class Category(SQLModel, table=True):
    """A category and the colour of its badge: data, so that a new one needs no code."""

    __tablename__ = "categories"
    __table_args__ = (one_of("hue", Hue),)

    name: str = Field(primary_key=True)
    hue: Hue = Field(default=Hue.GREEN, sa_type=TextEnum(Hue))
    position: int = 0
    """Its place in the category bar."""
    panel_position: int = 0
    """Its place in the filter panel, which has another order (RULE categories)."""
    is_active: bool = True


class Product(SQLModel, table=True):
    __tablename__ = "products"
    __table_args__ = (
        UniqueConstraint("sku"),
        CheckConstraint("price_cents > 0", name="price_positive"),
        CheckConstraint("stock >= 0", name="stock_not_negative"),
        CheckConstraint("rating_tenths BETWEEN 0 AND 50", name="rating_range"),
        CheckConstraint("review_count >= 0", name="reviews_not_negative"),
        CheckConstraint("name <> ''", name="name_given"),
        one_of("type", ProductType),
        one_of("potency", Potency),
        one_of("strain", Strain),
        Index("ix_products_shelf", "is_active", text("is_featured DESC"), text("(stock > 0) DESC"), "sort_name", "id"),
        Index("ix_products_facets", "is_active", "category", "type", "potency", "price_cents"),
        Index("ix_products_category_price", "is_active", "category", "price_cents", "sort_name", "id"),
        # The sort orders of the admin list, archived products included; an import leaves thousands of ties.
        Index("ix_products_sort_name", "sort_name", "id"),
        Index("ix_products_price_cents", "price_cents", "id"),
        Index("ix_products_stock", "stock", "id"),
        Index("ix_products_created_at", "created_at", "id"),
        Index("ix_products_updated_at", "updated_at", "id"),
        Index("ix_products_low_stock", "is_active", "stock"),
    )

    id: int = Field(default=None, primary_key=True)
    sku: str
    name: str
    sort_name: str = Field(default="", sa_type=Folded)
    """The folded name (`adapters.search.fold`), so that every database sorts alike."""
    description: str = ""
    ingredients: str = ""
    price_cents: int
    category: str = Field(foreign_key="categories.name")
    type: ProductType = Field(sa_type=TextEnum(ProductType))
    potency: Potency | None = Field(default=None, sa_type=TextEnum(Potency))
    strain: Strain | None = Field(default=None, sa_type=TextEnum(Strain))
    brand: str = ""
    net_weight_grams: float | None = None
    thc_percent: float | None = None
    cbd_percent: float | None = None
    thc_mg: int | None = None
    effects: list[str] = Field(default_factory=list, sa_type=JSON)
    flavors: list[str] = Field(default_factory=list, sa_type=JSON)
    terpenes: list[str] = Field(default_factory=list, sa_type=JSON)
    image: str = ""
    """Stem of the photograph's URL: `/pictures/fern-hollow` or `/uploads/pictures/1f0c...`; empty without one."""
    rating_tenths: int = 0
    review_count: int = 0
    stock: int = 0
    has_batches: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Whether every unit of the stock is in a batch (RULE batches)."""
    is_active: bool = True
    is_featured: bool = False
    created_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
    updated_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)

    @property
    def picture(self) -> str:
        """The stem of its photograph's URL or, without one, the URL of its drawn package."""
        return picture_of(self.image, self.name, self.category)

    @property
    def available(self) -> int:
        """How many could be sold: none of a product that is no longer offered."""
        return self.stock if self.is_active else 0


class LabReport(SQLModel, table=True):
    """A laboratory's results in four panels. A product without a report makes no claim (RULE lab-results)."""

    __tablename__ = "lab_reports"

    id: int = Field(default=None, primary_key=True)
    product_id: int = Field(foreign_key="products.id", unique=True, ondelete="CASCADE")
    lot: str
    reported_on: date
    pesticides: str
    heavy_metals: str
    residual_solvents: str
    microbials: str
    pdf: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """URL of its document, `/uploads/reports/9b1d....pdf`; empty without one."""


class StockReason(StrEnum):
    OPENING = "opening"
    SALE = "sale"
    CANCEL = "cancel"
    ADJUST = "adjust"
    IMPORT = "import"
    SET_ASIDE = "set_aside"
    """Units of a batch that may not be sold (RULE batch-states)."""
    RELEASE = "release"
    """Units that were set aside may be sold again."""
    SWAP = "swap"
    """Units of an order, exchanged for as many of another batch (RULE batch-swap)."""


class StockMovement(SQLModel, table=True):
    """One change of a stock count. The changes of a product add up to its count."""

    __tablename__ = "stock_movements"
    __table_args__ = (
        one_of("reason", StockReason),
        CheckConstraint("change <> 0", name="change_not_zero"),
        UniqueConstraint("order_id", "product_id", "sequence"),
    )

    id: int = Field(default=None, primary_key=True)
    product_id: int = Field(foreign_key="products.id", index=True)
    change: int
    reason: StockReason = Field(sa_type=TextEnum(StockReason))
    order_id: str | None = Field(default=None, foreign_key="orders.id")
    sequence: int | None = None
    """Numbers the movements of a product for an order: odd ones take stock, even ones return it."""
    actor_id: int | None = Field(default=None, foreign_key="users.id")
    note: str = ""
    created_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)
