"""The list of products in the admin area: search, filters, sorting and pages, all in the URL."""

from dataclasses import dataclass
from operator import attrgetter

import reflex as rx

from marketplace_app import clock, money, rule_messages
from marketplace_app.adapters import live
from marketplace_app.config import get_settings
from marketplace_app.display.paging import counted
from marketplace_app.models import Permission
from marketplace_app.schemas.admin.product_list import ProductControlValue, ProductsParams
from marketplace_app.schemas.admin.products import AdminProductView
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.controls import PageNumber, SearchText
from marketplace_app.services.admin import products as admin_products
from marketplace_app.services.admin import uncounted_products
from marketplace_app.services.admin.uncounted_products import UncountedProducts
from marketplace_app.states.events.base import Events, action, query_of, read
from marketplace_app.states.events.choices import chosen, refine, visit
from marketplace_app.states.events.failures import ShowPageFailed
from marketplace_app.states.events.last_page import read_page
from marketplace_app.states.events.subscriptions import subscribe

PATH = "/admin/products"
SEGMENTS = [
    ("all", "All"),
    ("active", "Active"),
    ("archived", "Archived"),
    ("low", "Low stock"),
    ("untested", "No lab report"),
]


@dataclass(frozen=True)
class ProductRow:
    id: int
    href: str
    name: str
    sku: str
    image: str
    category: str
    price: str
    stock: str
    is_low: bool
    is_active: bool
    is_featured: bool
    updated: str


@dataclass(frozen=True)
class UncountedRow:
    href: str
    name: str


class AdminProductsState(rx.State):
    is_loading: bool = True
    products: list[ProductRow] = []
    count_label: str = ""
    """`312 products`"""
    range_label: str = ""
    """`1–25 of 312`"""
    page: int = 1
    pages: int = 1
    search_text: str = ""
    segment: str = "all"
    counts: dict[str, str] = {}
    category: str = ""
    type: str = ""
    categories: list[str] = []
    sort: str = "name"
    sort_direction: str = "asc"
    is_filtered: bool = False
    uncounted: list[UncountedRow] = []
    """The first of those products that cannot be ordered while limits are enforced."""
    uncounted_title: str = ""
    uncounted_more: int = 0
    """How many such products there are besides those in `uncounted`."""

    @action(who=Permission.SEE_PRODUCTS, on_failure=ShowPageFailed())
    async def load(self) -> None:
        """on_load."""
        subscribe(self, live.STAFF)
        await self._refresh()

    @action(who=Permission.SEE_PRODUCTS)
    async def search(self, text: str) -> Events:
        return await self._refine(q=parse(SearchText, {"text": text}).text, is_typed=True)

    @action(who=Permission.SEE_PRODUCTS)
    async def show_segment(self, segment: str) -> Events:
        return await self._refine(show=parse(ProductControlValue, {"show": segment}).show)

    @action(who=Permission.SEE_PRODUCTS)
    async def show_category(self, category: str) -> Events:
        """An empty category removes the filter."""
        return await self._refine(category=parse(ProductControlValue, {"category": category}).category)

    @action(who=Permission.SEE_PRODUCTS)
    async def show_type(self, kind: str) -> Events:
        return await self._refine(type=parse(ProductControlValue, {"type": kind}).type)

    @action(who=Permission.SEE_PRODUCTS)
    async def sort_by(self, column: str) -> Events:
        """Choosing the same column again reverses the order."""
        params, key = await chosen(self, ProductsParams), parse(ProductControlValue, {"sort": column}).sort
        return await self._refine(sort=key, order=params.direction_after(key))

    @action(who=Permission.SEE_PRODUCTS)
    async def clear(self) -> Events:
        return await visit(self, PATH)

    @action(who=Permission.SEE_PRODUCTS)
    async def go_to(self, page: int) -> Events:
        return await self._refine(page=parse(PageNumber, {"page": page}).page)

    async def _refresh(self) -> None:
        params = self._params()
        found, paging = await read_page(
            params.query(), lambda query: read(self, admin_products.list_products, query), attrgetter("total")
        )
        counts = await read(self, admin_products.count_segments, params.query())
        self.categories = list(await read(self, admin_products.list_category_names))
        self.products = [_row(product) for product in found.products]
        numbers = (counts.all, counts.active, counts.archived, counts.low, counts.without_report)
        self.counts = {name: f"{count:,}" for (name, _), count in zip(SEGMENTS, numbers, strict=True)}
        self._show_uncounted(
            await read(self, uncounted_products.find) if counts.are_rules_enforced else UncountedProducts()
        )
        self.count_label = counted(found.total, "product")
        self.page, self.pages, self.range_label = paging.page, paging.pages, paging.range_label
        self._show(params)
        self.is_loading = False

    def _show_uncounted(self, found: UncountedProducts) -> None:
        self.uncounted = [UncountedRow(f"{PATH}/{product.id}", product.name) for product in found.products]
        self.uncounted_title = rule_messages.products_uncounted(counted(found.total, "product"))
        self.uncounted_more = found.total - len(found.products)

    def _show(self, params: ProductsParams) -> None:
        self.search_text, self.segment, self.is_filtered = params.q, params.show, params.is_filtered
        self.category, self.type = params.category, params.type
        sorted_by = params.sorted_by
        self.sort, self.sort_direction = sorted_by.value if sorted_by else "", params.order.value

    def _params(self) -> ProductsParams:
        return query_of(self, ProductsParams)

    async def _refine(self, *, is_typed: bool = False, **changes: object) -> Events:
        return await refine(self, PATH, ProductsParams, is_typed=is_typed, **changes)


def _row(product: AdminProductView) -> ProductRow:
    return ProductRow(
        id=product.id,
        href=f"{PATH}/{product.id}",
        name=product.name,
        sku=product.sku,
        image=product.image,
        category=product.category,
        price=money.show(product.price_cents),
        stock=f"{product.stock:,}",
        is_low=product.is_low,
        is_active=product.is_active,
        is_featured=product.is_featured,
        updated=clock.show_date(product.updated_at, get_settings().timezone),
    )
