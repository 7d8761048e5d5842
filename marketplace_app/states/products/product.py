"""The product page."""

import re
from dataclasses import dataclass

import reflex as rx

from marketplace_app import messages, money
from marketplace_app.adapters import live
from marketplace_app.display.paging import counted
from marketplace_app.errors import NotFound
from marketplace_app.limits import MAX_LINE_QUANTITY
from marketplace_app.models import Hue
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.buying.saved import SaveToggle
from marketplace_app.schemas.products.lab_reports import LabReportAnswer
from marketplace_app.schemas.products.product_labels import LABELS
from marketplace_app.schemas.products.products import ProductDetailView, ProductTabChoice, ProductView
from marketplace_app.services import pricing
from marketplace_app.services.buying import stock_alerts
from marketplace_app.services.products import pairings, products
from marketplace_app.states.events.base import SHOPPERS, Updates, action, read, route_argument, write
from marketplace_app.states.events.failures import Explain, Instead, ShowView
from marketplace_app.states.events.subscriptions import subscribe
from marketplace_app.states.products.recommendations import Pick, pick_of

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


@dataclass(frozen=True)
class LabPanel:
    name: str
    result: str


class ProductState(rx.State):
    view: str = "loading"
    """loading, found or missing"""
    loaded_product_id: int = 0
    _requested_id: int = 0
    """The product that the URL names, even if it is missing or could not be read."""
    name: str = ""
    lead: str = ""
    """The first sentence of the description; the full text is shown below."""
    description: str = ""
    ingredients: str = ""
    price: str = ""
    category: str = ""
    category_hue: str = "green"
    is_featured: bool = False
    in_stock: bool = False
    max_quantity: int = 1
    """The largest quantity that can be added at once."""
    has_alert: bool = False
    """Sold out, and this user asked for a mail when it is back."""
    weight_mg: int | None = None
    thc_mg: int | None = None
    image: str = ""
    rating: str = ""
    reviews: str = ""
    """`4.8 (214 reviews)`; nothing without any."""
    stars: int = 0
    """Filled stars: the floor of the rating."""
    facts: list[tuple[str, str]] = []
    """Label rows beside the picture: Type, Potency, Availability and what else is known."""
    has_lab_report: bool = False
    lab_panels: list[LabPanel] = []
    lab_note: str = ""
    """`Report of Nov 02, 2026 · Lot 5712`"""
    lab_pdf: str = ""
    """URL of the laboratory's own document, or nothing."""
    pairings: list[Pick] = []
    """The products under 'Goes well with'."""
    tab: str = "description"

    async def _show_missing(self, error: NotFound) -> None:
        self.view, self.name = "missing", ""

    @action(who=SHOPPERS, must_sign_in=True, on_failure=(Instead(NotFound, _show_missing), ShowView("missing")))
    async def load(self) -> Updates:
        """on_load, and again after a reconnect; until the answer arrives, the screen keeps what it shows.

        One message for every reason why a product cannot be read (RULE product-page).
        """
        typed_id = route_argument(self, "product_id")
        if (self.view, str(self.loaded_product_id)) != ("found", typed_id):
            self.view, self.tab = "loading", "description"
            yield None
        if not (typed_id.isascii() and typed_id.isdigit() and len(typed_id) < 10):
            raise NotFound()
        self._requested_id = int(typed_id)
        subscribe(self, live.product(self._requested_id))
        await self._fetch(self._requested_id)

    async def _refresh(self) -> None:
        """The product was changed elsewhere."""
        try:
            await self._fetch(self._requested_id)
        except NotFound as error:
            await self._show_missing(error)

    async def _fetch(self, product_id: int) -> None:
        detail = await read(self, products.get, product_id)
        hues = {category.name: category.hue for category in await read(self, products.list_categories)}
        self._show(detail, hues.get(detail.product.category, Hue.GREEN))
        self.has_alert = not self.in_stock and await read(self, stock_alerts.is_waiting, detail.product.id)
        self.pairings = [pick_of(each) for each in await read(self, pairings.list_pairings, detail.product.id)]

    @action(
        who=SHOPPERS,
        must_sign_in=True,
        on_failure=(Instead(NotFound, _show_missing), Explain(messages.ERROR, messages.STOCK_ALERT_NOT_SAVED)),
    )
    async def set_alert(self, is_wanted: bool) -> None:
        """'Tell me when it's back': ask for that mail, or cancel it."""
        product_id, wanted = self.loaded_product_id, parse(SaveToggle, {"isWanted": is_wanted}).is_wanted
        await write(self, stock_alerts.ask if wanted else stock_alerts.cancel, product_id)
        self.has_alert = wanted

    @action(who=SHOPPERS)
    async def show_tab(self, tab: str) -> None:
        """description, ingredients or lab."""
        self.tab = parse(ProductTabChoice, {"tab": tab}).tab

    def _show(self, detail: ProductDetailView, hue: str) -> None:
        product = detail.product
        self.loaded_product_id, self.name = product.id, product.name
        self.lead = _SENTENCE_END.split(product.description.strip(), maxsplit=1)[0]
        self.description, self.ingredients = product.description, product.ingredients
        self.price, self.category, self.category_hue = money.show(product.price_cents), product.category, str(hue)
        self.weight_mg, self.thc_mg = pricing.milligrams(product.net_weight_grams), product.thc_mg
        self.is_featured, self.in_stock, self.image = product.is_featured, product.in_stock, product.image
        self.max_quantity = max(1, min(detail.available, MAX_LINE_QUANTITY))
        self.rating, self.stars = product.rating, product.rating_tenths // 10
        self.reviews = f"{product.rating} ({counted(product.review_count, 'review')})" if product.review_count else ""
        self.facts = _facts(product)
        self._show_report(detail.lab_report)
        self.view = "found"

    def _show_report(self, report: LabReportAnswer | None) -> None:
        self.has_lab_report = report is not None
        self.lab_panels = [LabPanel(each.name, each.result) for each in report.panels] if report else []
        self.lab_note = f"Report of {report.reported_on:%b %d, %Y} · Lot {report.lot}" if report else ""
        self.lab_pdf = report.pdf_url if report else ""


def _facts(product: ProductView) -> list[tuple[str, str]]:
    """The first three always; of the rest, only what is known (RULE product-page)."""
    known = {name: _format_value(getattr(product, name), each.unit) for name, each in LABELS.items() if each.row}
    if product.thc_mg is not None:
        known["thc_percent"] = f"{product.thc_mg} mg"
    strain = product.strain.value if product.strain else ""
    more = [("Strain", "" if strain == product.type.value else strain)]
    more += [(LABELS[name].row, value) for name, value in known.items()]
    facts = [
        ("Type", product.type.value),
        ("Potency", product.potency.value if product.potency else "Not stated"),
        ("Availability", "In Stock" if product.in_stock else "Out of Stock"),
    ]
    return facts + [(name, value) for name, value in more if value]


def _format_value(value: str | float | tuple[str, ...] | None, unit: str) -> str:
    if isinstance(value, tuple):
        return ", ".join(value)
    return f"{value:g}{unit}" if isinstance(value, int | float) else value or ""
