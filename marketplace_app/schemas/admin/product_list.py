"""The admin list of products, as its URL describes it: `/admin/products?q=pine&show=low&sort=stock&page=2`."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from marketplace_app.limits import ADMIN_PAGE_SIZE
from marketplace_app.schemas.admin.products import AdminProductQuery, AdminProductSortKey
from marketplace_app.schemas.base import Form, PageOfList, RowId
from marketplace_app.schemas.products.products import SortDirection

Segment = Literal["all", "active", "archived", "low", "untested"]
_DESCENDING_FIRST = (AdminProductSortKey.UPDATED, AdminProductSortKey.CREATED)


class ProductsParams(Form):
    model_config = ConfigDict(strict=False, extra="ignore")

    q: Annotated[str, Field(max_length=200)] = ""
    show: Segment = "all"
    category: Annotated[str, Field(max_length=120)] = ""
    type: Annotated[str, Field(max_length=80)] = ""
    sort: AdminProductSortKey | None = None
    """None for the default: by name, or a search by its best matches."""
    order: SortDirection = SortDirection.ASCENDING
    page: PageOfList = 1

    def query(self) -> AdminProductQuery:
        return AdminProductQuery.model_construct(
            q=self.q,
            category=[self.category] if self.category else [],
            type=[self.type] if self.type else [],
            active={"active": True, "archived": False}.get(self.show),
            low_stock=self.show == "low",
            without_report=self.show == "untested",
            sort=self.sort,
            order=self.order,
            limit=ADMIN_PAGE_SIZE,
            offset=(self.page - 1) * ADMIN_PAGE_SIZE,
        )

    def direction_after(self, wanted: AdminProductSortKey) -> SortDirection:
        """After a click on a column's heading: its default, or reversed if the list was sorted by it already."""
        default = SortDirection.DESCENDING if wanted in _DESCENDING_FIRST else SortDirection.ASCENDING
        if wanted is not self.sorted_by:
            return default
        return SortDirection.ASCENDING if self.order is SortDirection.DESCENDING else SortDirection.DESCENDING

    @property
    def sorted_by(self) -> AdminProductSortKey | None:
        """The column that is marked as sorted; None while a search shows its best matches first."""
        return self.sort or (None if self.q.strip() else AdminProductSortKey.NAME)

    @property
    def is_filtered(self) -> bool:
        return bool(self.q or self.category or self.type or self.show != "all")


class ProductControlValue(Form):
    """What a control of the list was set to: a filter, or the column to sort by."""

    model_config = ConfigDict(strict=False)

    show: Segment = "all"
    category: Annotated[str, Field(max_length=120)] = ""
    type: Annotated[str, Field(max_length=80)] = ""
    sort: AdminProductSortKey = AdminProductSortKey.NAME


class ProductRef(Form):
    product_id: RowId
