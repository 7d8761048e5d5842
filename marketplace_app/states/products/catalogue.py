"""The catalogue: filters in the URL, products from the server, a page at a time."""

import asyncio
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import reflex as rx

from marketplace_app.adapters.versioned_cache import AsyncVersionedCache
from marketplace_app.auth import acting
from marketplace_app.display.paging import Paging
from marketplace_app.errors import StoreError
from marketplace_app.limits import PAGE_SIZE
from marketplace_app.models import Hue
from marketplace_app.schemas.base import parse, parse_params
from marketplace_app.schemas.controls import PageNumber, SearchText
from marketplace_app.schemas.products.catalogue import (
    URL_PARAMETERS,
    CatalogueFilterChoice,
    CatalogueParams,
    ExpandableGroupChoice,
)
from marketplace_app.schemas.products.facets import FacetsAnswer
from marketplace_app.services.products import catalogue
from marketplace_app.services.search import search_log
from marketplace_app.states.buying.cart import CartState
from marketplace_app.states.events.base import SHOPPERS, Events, Updates, action
from marketplace_app.states.events.choices import chosen_url, visit
from marketplace_app.states.events.connections import session_token_of
from marketplace_app.states.events.viewer import ViewerState, assign_changed
from marketplace_app.states.products.catalogue_rows import (
    ActiveFilter,
    CountedAmounts,
    FilterOption,
    ProductCard,
    card_of,
    counted_amounts_of,
    found_label,
    heading_of,
    options,
    show_results_label,
)
from marketplace_app.states.products.nothing_found import NothingFoundPanel, nothing_found_panel
from marketplace_app.states.products.recommendations import RecommendationsState

FIRST_OPTIONS = 10
"""How many effects, flavors and brands are listed, each, until the group is expanded."""
HEADING_ID = "products-heading"
"""Receives the focus when a control disappears because it was pressed."""
# Shared by all shoppers: the guard checks each event before the cache is read.
_LISTS: AsyncVersionedCache[catalogue.ProductList] = acting.catalogue_cache(max_size=128)


class CatalogueState(rx.State):
    is_loading: bool = True
    has_failed: bool = False
    products: list[ProductCard] = []
    measures: dict[int, CountedAmounts] = {}
    """For those products on the page that a legal limit counts; empty while no rules are applied."""
    heading: str = "All Products"
    count_label: str = ""
    """`37 products found`"""
    show_results_label: str = "Show 0 products"
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
    """Set while products are being fetched, and until a failure to fetch them is shown."""

    @action(who=SHOPPERS)
    async def load(self) -> Updates:
        """on_load: show what the URL asks for, unless it is on the screen already."""
        if (await self.get_state(ViewerState))._follows_redirect and not self.has_failed:
            return  # `_visit` has sent the products together with this redirect
        params, was_loading = await self._params(), self.is_loading
        self._show_choices(params)
        if self.router.url.query or not was_loading:  # otherwise the built page already has these choices
            yield None
        # In the same answer as the products, so that the layout does not shift; filters and pages bring no new picks.
        picks = await self.get_state(RecommendationsState)
        await asyncio.gather(self._fetch(params), picks._load())

    @action(who=SHOPPERS)
    async def toggle(self, group: str, value: str) -> Events:
        """Tick or untick one value of a filter. A ticked price, or a range of THC or CBD, replaces the previous one."""
        return await self._toggle(group, value)

    @action(who=SHOPPERS)
    async def remove_chip(self, group: str, value: str) -> Updates:
        """Untick the value of a chip. The chip disappears, so the focus moves."""
        yield await self._toggle(group, value)
        yield rx.set_focus(HEADING_ID)

    @action(who=SHOPPERS)
    async def toggle_more(self) -> None:
        """Open or close "More filters"."""
        self.is_more_open = not self.is_more_open

    @action(who=SHOPPERS)
    async def show_all(self, group: str) -> None:
        """Show all values of a long group, or only the first ten."""
        group = parse(ExpandableGroupChoice, {"group": group}).group
        others = [each for each in self.expanded if each != group]
        self.expanded = others if group in self.expanded else [*others, group]
        params = await self._params()
        self._show_choices(params)
        await self._fetch(params)

    @action(who=SHOPPERS)
    async def choose_category(self, category: str) -> Events:
        """The category bar: replaces the ticked categories; an empty one resets every filter."""
        choice = parse(CatalogueFilterChoice, {"group": "category", "value": category})
        params = await self._params()
        return await self._visit(
            params.in_category(choice.value) if choice.value else CatalogueParams(view=params.view)
        )

    @action(who=SHOPPERS)
    async def sort_by(self, sort: str) -> Events:
        return await self._visit((await self._params()).changed(sort=sort))

    @action(who=SHOPPERS)
    async def show_as(self, view: str) -> Events:
        return await self._visit((await self._params()).changed(view=view), replace=True)

    @action(who=SHOPPERS)
    async def clear(self) -> Events:
        """Clear All: every filter and the search."""
        return await self._clear()

    @action(who=SHOPPERS)
    async def clear_instead(self) -> Updates:
        """'Clear Filters', if nothing was found: like `clear`, but the button disappears, so the focus moves."""
        yield await self._clear()
        yield rx.set_focus(HEADING_ID)

    @action(who=SHOPPERS)
    async def go_to(self, page: int) -> Events:
        number = parse(PageNumber, {"page": page})
        return await self._visit((await self._params()).changed(page=number.page))

    @action(who=SHOPPERS)
    async def search(self, text: str) -> Events:
        """Called while the user types. Each further letter replaces the URL, so that one Back leaves the search."""
        if self.router.url.path != "/":
            return None  # typed just before another page was opened
        typed, params = parse(SearchText, {"text": text}).text, await self._params()
        return await self._visit(params.changed(search=typed, exact=False), replace=bool(params.search))

    async def _toggle(self, group: str, value: str) -> Events:
        choice = parse(CatalogueFilterChoice, {"group": group, "value": value})
        return await self._visit((await self._params()).toggled(choice.group, choice.value))

    async def _clear(self) -> Events:
        return await self._visit(CatalogueParams(view=(await self._params()).view))

    async def _visit(self, params: CatalogueParams, *, replace: bool = False) -> Events:
        """Send the products together with the redirect to their URL, which saves a round trip."""
        self._show_choices(params)
        await self._fetch(params)
        query = urlencode(params.parameters())
        return await visit(self, f"/?{query}" if query else "/", replace=replace)

    async def _params(self) -> CatalogueParams:
        query = urlsplit(await chosen_url(self)).query
        given = {key: values for key, values in parse_qs(query).items() if key in URL_PARAMETERS}
        return parse_params(CatalogueParams, CatalogueParams.values_of_query(given))

    def _show_choices(self, params: CatalogueParams) -> None:
        self._is_fetching = True
        category = params.category[0] if len(params.category) == 1 else ""
        more = params.count_more()
        values: dict[str, Any] = {
            "is_loading": not self.products,
            "has_failed": False,
            "sort": params.sort,
            "view": params.view,
            "search_text": params.search,
            "page": params.page,
            "category": category,
            "heading": heading_of(category, params.search.strip()),
            "active_filters": [ActiveFilter(*chosen) for chosen in params.chosen()],
            "is_more_open": self.is_more_open or more > self.more_count,
            "more_count": more,
        }
        assign_changed(self, values)

    async def _fetch(self, params: CatalogueParams) -> None:
        """A page number beyond the end shows the last page."""
        query = params.query()
        try:
            found = await _LISTS.get(query.model_dump_json(), lambda: acting.read(None, catalogue.show, query))
        except StoreError:
            self._fail_loading()
            return
        page, summary = found.page, found.summary
        pages = Paging(params.page, PAGE_SIZE, page.total).pages
        if params.page > pages:
            self.page = pages
            await self._fetch(params.changed(page=pages))
            return
        search_log.record(query, page.total, session_token_of(self))
        typed, corrected = params.search.strip(), page.corrected or ""
        # The cart is loaded before the catalogue (`pages.register`).
        limited = {room.category for room in (await self.get_state(CartState)).rooms}
        values: dict[str, Any] = {
            "products": [card_of(product, summary.hues.get(product.category, Hue.GREEN)) for product in page.items],
            "measures": counted_amounts_of(page.items, limited),
            "heading": heading_of(self.category, corrected or typed),
            "corrected": corrected,
            "misspelled": typed if corrected else "",
            "exact_href": f"/?{urlencode(params.changed(exact=True).parameters())}" if corrected else "",
            "show_results_label": show_results_label(page.total),
            "count_label": found_label(page.total),
            "pages": pages,
            "nothing_found": nothing_found_panel(summary.alternatives, params),
            "is_loading": False,
            **self._filter_options(summary.facets, params),
        }
        assign_changed(self, values)
        self._is_fetching = False

    def _fail_loading(self) -> None:
        if self._is_fetching:
            self.has_failed, self.is_loading, self._is_fetching = True, False, False

    def _filter_options(self, facets: FacetsAnswer, params: CatalogueParams) -> dict[str, Any]:
        """The vars of the filters."""
        in_stock_count = dict(facets.in_stock)["true"]
        long_groups = {
            "effect": options(facets.effect, params.effect),
            "flavor": options(facets.flavor, params.flavor),
            "brand": options(facets.brand, params.brand),
        }
        return {
            "categories": options(facets.category, params.category),
            "types": options(facets.type, params.type),
            "potencies": options(facets.potency, params.potency),
            "prices": options(facets.price_range, [params.price]),
            **{f"{group}s": self._visible_options(group, values) for group, values in long_groups.items()},
            "group_sizes": {group: len(values) for group, values in long_groups.items()},
            "strains": options(facets.strain, params.strain),
            "thc_ranges": options(facets.thc_range, [params.range_of("thc")]),
            "cbd_ranges": options(facets.cbd_range, [params.range_of("cbd")]),
            "in_stock": [FilterOption("true", "In stock", f"{in_stock_count:,}", params.in_stock is True)],
        }

    def _visible_options(self, group: str, values: list[FilterOption]) -> list[FilterOption]:
        """The first ten values and all ticked ones; all of them when expanded."""
        if group in self.expanded:
            return values
        return [option for index, option in enumerate(values) if index < FIRST_OPTIONS or option.is_on]
