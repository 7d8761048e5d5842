"""The catalogue: filters in the URL, products from the server, a page at a time."""

import asyncio
from dataclasses import dataclass
from urllib.parse import parse_qs, urlencode

import reflex as rx

from marketplace_app import money
from marketplace_app.adapters.versioned_cache import AsyncVersionedCache
from marketplace_app.auth import acting
from marketplace_app.display.paging import Paging, counted
from marketplace_app.errors import StoreError
from marketplace_app.limits import PAGE_SIZE
from marketplace_app.models import Hue
from marketplace_app.schemas.base import parse, parse_params
from marketplace_app.schemas.catalogue import (
    PAGE_PARAMETERS,
    CatalogueFilterChoice,
    CatalogueParams,
    LongList,
    PageNumber,
    Search,
)
from marketplace_app.schemas.facets import Facets
from marketplace_app.schemas.products import ProductView
from marketplace_app.services import browsing, search_log
from marketplace_app.states.base import SHOPPERS, Events, Updates, action
from marketplace_app.states.connections import session_token_of
from marketplace_app.states.nothing_found import NothingFoundPanel, nothing_found_panel
from marketplace_app.states.recommendations import RecommendationsState

FIRST_OPTIONS = 10
"""Of effects, flavors and brands."""
# Shared by all shoppers: the guard checks each event before the cache is read.
_BROWSING_CACHE: AsyncVersionedCache[browsing.Browsing] = acting.catalogue_cache(max_size=128)


@dataclass(frozen=True)
class ProductCard:
    id: int
    href: str
    """`/product/12`"""
    name: str
    description: str
    facts: str
    """`Hybrid · 22% THC`"""
    category: str
    category_hue: str
    """green, purple, orange, blue or grey: see `components.badges`"""
    image: str
    """Stem of the picture's URL, or nothing when there is no picture."""
    price: str
    rating: str
    """`4.6`"""
    reviews: str
    """`128`"""
    in_stock: bool
    is_featured: bool


@dataclass(frozen=True)
class FilterOption:
    value: str
    label: str
    count: str
    is_on: bool


@dataclass(frozen=True)
class ActiveFilter:
    group: str
    value: str
    label: str


class CatalogueState(rx.State):
    is_loading: bool = True
    has_failed: bool = False
    products: list[ProductCard] = []
    heading: str = "All Products"
    found: str = ""
    """`37 products found`"""
    show_found: str = "Show 0 products"
    category: str = ""
    """The only ticked category, or empty: the selected tab of the category bar."""
    categories: list[FilterOption] = []
    types: list[FilterOption] = []
    potencies: list[FilterOption] = []
    prices: list[FilterOption] = []
    effects: list[FilterOption] = []
    flavors: list[FilterOption] = []
    brands: list[FilterOption] = []
    strains: list[FilterOption] = []
    thc_ranges: list[FilterOption] = []
    cbd_ranges: list[FilterOption] = []
    in_stock: list[FilterOption] = []
    """The only option: products in stock."""
    more_count: int = 0
    """How many of the active filters lie under "More filters"."""
    is_more_open: bool = False
    expanded: list[str] = []
    """The long groups that are expanded to all of their values."""
    group_sizes: dict[str, int] = {}
    """The number of values of each long group."""
    nothing_found: NothingFoundPanel = NothingFoundPanel()
    active_filters: list[ActiveFilter] = []
    sort: str = "featured"
    view: str = "grid"
    search_text: str = ""
    corrected: str = ""
    """The corrected search that was run in place of a misspelled one, or empty."""
    misspelled: str = ""
    exact_href: str = ""
    """URL of the search for exactly what was typed."""
    page: int = 1
    pages: int = 1
    _is_fetching: bool = False
    """Set while products are being fetched; still set if fetching them failed."""
    _redirected_query: str | None = None
    """The query of the last redirect, whose products were sent with it; `load` then has nothing to fetch."""

    @action(who=SHOPPERS)
    async def load(self) -> Updates:
        """on_load: show what the URL asks for, unless it is on the screen already."""
        query, redirected = self.router.url.query, self._redirected_query
        self._redirected_query = None
        if query == redirected:
            return
        params, was_empty = self._params(), self.is_loading
        self._show_choices(params)
        if query or not was_empty:  # otherwise the built page already has these choices
            yield None
        # In the same answer as the products, so that the layout does not shift; filters and pages bring no new picks.
        picks = await self.get_state(RecommendationsState)
        await asyncio.gather(self._fetch(params), picks._load())

    @action(who=SHOPPERS)
    async def toggle(self, group: str, value: str) -> Events:
        """Tick or untick one value of category, type, potency or price. A ticked price replaces the previous one."""
        choice = parse(CatalogueFilterChoice, {"group": group, "value": value})
        return await self._visit(self._params().toggled(choice.group, choice.value))

    @action(who=SHOPPERS)
    async def toggle_more(self) -> None:
        """Open or close "More filters"."""
        self.is_more_open = not self.is_more_open

    @action(who=SHOPPERS)
    async def show_all(self, group: str) -> None:
        """Show all values of a long group, or only the first ten."""
        group = parse(LongList, {"group": group}).group
        others = [each for each in self.expanded if each != group]
        self.expanded = others if group in self.expanded else [*others, group]
        await self._fetch(self._params())

    @action(who=SHOPPERS)
    async def choose_category(self, category: str) -> Events:
        """The category bar: replaces the ticked categories; an empty one resets every filter."""
        choice = parse(CatalogueFilterChoice, {"group": "category", "value": category})
        params = self._params()
        return await self._visit(params.with_only(choice.value) if choice.value else CatalogueParams(view=params.view))

    @action(who=SHOPPERS)
    async def sort_by(self, sort: str) -> Events:
        return await self._visit(self._params().changed(sort=sort))

    @action(who=SHOPPERS)
    async def show_as(self, view: str) -> Events:
        return await self._visit(self._params().changed(view=view), replace=True)

    @action(who=SHOPPERS)
    async def clear(self) -> Events:
        """Clear All, Clear Filters: every filter and the search."""
        return await self._visit(CatalogueParams(view=self._params().view))

    @action(who=SHOPPERS)
    async def go_to(self, page: int) -> Events:
        number = parse(PageNumber, {"page": page})
        return await self._visit(self._params().changed(page=number.page))

    @action(who=SHOPPERS)
    async def search(self, text: str) -> Events:
        """While the user types: the URL is replaced, so that Back leaves the search at once."""
        typed, params = parse(Search, {"text": text}).text, self._params()
        return await self._visit(params.changed(search=typed, exact=False), replace=bool(params.search))

    async def _visit(self, params: CatalogueParams, *, replace: bool = False) -> Events:
        """Send the products together with the redirect to their URL, which saves a round trip."""
        query, before = urlencode(params.parameters()), self._query()
        self._show_choices(params)
        await self._fetch(params)
        if query == before:
            return None
        self._redirected_query = None if self.has_failed else query
        return rx.redirect(f"/?{query}" if query else "/", replace=replace)

    def _params(self) -> CatalogueParams:
        given = {key: values for key, values in parse_qs(self._query()).items() if key in PAGE_PARAMETERS}
        return parse_params(CatalogueParams, CatalogueParams.from_query(given))

    def _query(self) -> str:
        """The query of the URL, or of a redirect under way: a second click may come before it completes."""
        return self.router.url.query if self._redirected_query is None else self._redirected_query

    def _show_choices(self, params: CatalogueParams) -> None:
        self.is_loading, self.has_failed, self._is_fetching = not self.products, False, True
        self.sort, self.view, self.search_text, self.page = params.sort, params.view, params.search, params.page
        self.category = params.category[0] if len(params.category) == 1 else ""
        self._show_heading(params.search.strip())
        self.active_filters = [ActiveFilter(*chosen) for chosen in params.chosen()]
        more = params.count_more()
        self.is_more_open |= more > self.more_count
        self.more_count = more

    def _show_heading(self, search: str) -> None:
        searched = f"Results for “{search}”" if search else "All Products"
        self.heading = f"{self.category} Products" if self.category else searched

    async def _fetch(self, params: CatalogueParams) -> None:
        query = params.query()
        try:
            browsing_result = await _BROWSING_CACHE.get(
                query.model_dump_json(), lambda: acting.read(None, browsing.browse, query)
            )
        except StoreError:
            self._fail_loading()
            return
        page, summary = browsing_result.page, browsing_result.summary
        search_log.note(query, page.total, session_token_of(self))
        self.products = [card_of(product, summary.hues.get(product.category, Hue.GREEN)) for product in page.items]
        self._show_correction(params, page.corrected or "")
        self.show_found = show_label(page.total)
        self.found = found_label(page.total)
        self.pages = Paging(params.page, PAGE_SIZE, page.total).pages
        self._show_facets(summary.facets, params)
        self.nothing_found = nothing_found_panel(summary.nothing, params)
        self.is_loading = self._is_fetching = False

    def _show_correction(self, params: CatalogueParams, corrected: str) -> None:
        typed = params.search.strip()
        self._show_heading(corrected or typed)
        self.corrected, self.misspelled = corrected, typed if corrected else ""
        self.exact_href = f"/?{urlencode(params.changed(exact=True).parameters())}" if corrected else ""

    def _fail_loading(self) -> None:
        if self._is_fetching:
            self.has_failed, self.is_loading, self._is_fetching = True, False, False

    def _show_facets(self, facets: Facets, params: CatalogueParams) -> None:
        self.categories = options(facets.category, params.category)
        self.types = options(facets.type, params.type)
        self.potencies = options(facets.potency, params.potency)
        self.prices = options(facets.price_range, [params.price])
        self.effects = self._visible_options("effect", options(facets.effect, params.effect))
        self.flavors = self._visible_options("flavor", options(facets.flavor, params.flavor))
        self.brands = self._visible_options("brand", options(facets.brand, params.brand))
        self.strains = options(facets.strain, params.strain)
        self.thc_ranges = options(facets.thc_range, [params.range_of("thc")])
        self.cbd_ranges = options(facets.cbd_range, [params.range_of("cbd")])
        left = dict(facets.in_stock)["true"]
        self.in_stock = [FilterOption("true", "In stock", f"{left:,}", params.in_stock is True)]

    def _visible_options(self, group: str, options: list[FilterOption]) -> list[FilterOption]:
        """The first ten values and all ticked ones; all of them when expanded."""
        self.group_sizes = self.group_sizes | {group: len(options)}
        if group in self.expanded:
            return options
        return [option for place, option in enumerate(options) if place < FIRST_OPTIONS or option.is_on]


def options(pairs: tuple[tuple[str, int], ...], chosen: list[str]) -> list[FilterOption]:
    return [FilterOption(value, value, f"{count:,}", value in chosen) for value, count in pairs]


def show_label(count: int) -> str:
    return f"Show {counted(count, 'product')}"


def found_label(count: int) -> str:
    return f"{counted(count, 'product')} found"


def card_of(product: ProductView, hue: str) -> ProductCard:
    return ProductCard(
        id=product.id,
        href=f"/product/{product.id}",
        name=product.name,
        description=product.description,
        facts=product.facts,
        category=product.category,
        category_hue=str(hue),
        image=product.image,
        price=money.show(product.price_cents),
        rating=product.rating,
        reviews=str(product.review_count),
        in_stock=product.in_stock,
        is_featured=product.is_featured,
    )
