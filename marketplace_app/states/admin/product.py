"""A product's admin page: its fields in one form, saved as a whole. Stock and lab report have states of their own."""

import reflex as rx

from marketplace_app import messages
from marketplace_app.adapters import live
from marketplace_app.errors import EditedMeanwhile, NotFound
from marketplace_app.models import Permission
from marketplace_app.schemas.admin.products import AdminProductView, SeenVersion
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.products.product_fields import ProductForm
from marketplace_app.services.admin import products as admin_products
from marketplace_app.states.admin.batches.batches import AdminBatchesState
from marketplace_app.states.admin.products.lab_report import AdminLabReportState
from marketplace_app.states.admin.products.product_form import (
    BLANK,
    BLANK_FLAGS,
    FIELDS,
    ProductFormData,
    facts_of,
    flags_of,
    values_of,
    wire_of,
)
from marketplace_app.states.admin.products.product_stock import AdminStockState
from marketplace_app.states.events.base import Updates, action, read, route_argument, toast, write
from marketplace_app.states.events.failures import Explain, Fields, On, ShowView
from marketplace_app.states.events.subscriptions import subscribe
from marketplace_app.states.events.viewer import ViewerState

NEW = "new"


class AdminProductState(rx.State):
    view: str = "loading"
    """loading, found, new, missing or failed"""
    id: int = 0
    title: str = ""
    image: str = ""
    categories: list[str] = []
    values: dict[str, str] = BLANK
    flags: dict[str, bool] = BLANK_FLAGS
    effects: list[str] = []
    flavors: list[str] = []
    errors: dict[str, str] = dict.fromkeys(FIELDS, "")
    is_saving: bool = False
    is_stale: bool = False
    """A colleague has saved the product since this form was filled."""
    form_key: int = 0
    """The form's key (RULE sent-once). It also changes if a save is refused because a colleague has saved meanwhile: a
    press made before this is seen must not replace what they saved."""
    react_key: int = 0
    """A new number rebuilds the form with the saved values."""
    _version: str = ""
    """The version of the product that saving may replace. If another one is stored, saving is refused.

    Set to the stored version when the form is filled, when saving is refused, and when only a picture has changed.
    """
    _product: AdminProductView | None = None
    """The product as it was when the form was filled."""

    @action(who=Permission.SEE_PRODUCTS, on_failure=(ShowView("missing", NotFound), ShowView("failed")))
    async def load(self) -> Updates:
        """on_load. With `new` in place of the number, the form is empty.

        A reconnect calls it too, and must not empty the form.
        """
        is_open_already = self._is_open(route_argument(self, "product_id"))
        is_reconnect = is_open_already and (await self.get_state(ViewerState))._has_reconnected
        if not is_open_already:
            self.view = "loading"
            yield None
        if not is_reconnect:
            self.errors = dict.fromkeys(FIELDS, "")
        is_new = route_argument(self, "product_id") == NEW
        if not is_new:
            subscribe(self, live.STAFF)
        self.categories = list(await read(self, admin_products.list_category_names))
        if not is_new:
            product = await read(self, admin_products.get, self._requested_id())
            await self._fill_unless_editing(product, keeps_form=is_reconnect)
        elif not is_open_already:
            self._start_new()

    @action(who=Permission.SEE_PRODUCTS)
    async def reload(self) -> None:
        """Discard what was typed and show what is saved."""
        await self._fill(await read(self, admin_products.get, self.id))

    @action(who=Permission.SEE_PRODUCTS)
    async def refresh(self) -> None:
        """A picture or document was uploaded (`assets/upload.js`)."""
        await self._refresh()

    async def _mark_stale(self, error: EditedMeanwhile) -> None:
        """Keep what was typed, so that saving again knowingly replaces what a colleague has saved."""
        self.is_stale, self.form_key = True, self.form_key + 1
        self._version = (await read(self, admin_products.get, self.id)).version

    @action(
        who=Permission.EDIT_PRODUCTS,
        on_failure=(
            Fields("errors", FIELDS),
            On(EditedMeanwhile, _mark_stale),
            Explain(messages.ERROR, messages.PRODUCT_NOT_SAVED),
        ),
    )
    async def save(self, form: ProductFormData) -> Updates:
        self.is_saving, self.errors = True, dict.fromkeys(FIELDS, "")
        yield None
        try:
            parsed = parse(ProductForm, wire_of(form, self._product))
            saved = await self._write(parsed)
        finally:
            self.is_saving = False
        await toast(self, "success", messages.PRODUCT_SAVED)
        if self.view == NEW:
            self.view = "loading"
            yield rx.redirect(f"/admin/products/{saved.id}", replace=True)
        else:
            await self._fill(saved)

    async def _write(self, form: ProductForm) -> AdminProductView:
        if self.view == NEW:
            return await write(self, admin_products.create, form)
        seen = SeenVersion(self._version, int(self.values["stock"]))
        return await write(self, admin_products.edit, self.id, form, seen=seen)

    def _is_open(self, product_id: str) -> bool:
        """Whether the form shows the product that the URL names, or the new one."""
        if product_id == NEW:
            return self.view == NEW
        return self.view == "found" and str(self.id) == product_id

    def _requested_id(self) -> int:
        number = route_argument(self, "product_id")
        if not (number.isascii() and number.isdigit() and len(number) < 10):
            raise NotFound(messages.PRODUCT_NOT_FOUND)
        return int(number)

    def _start_new(self) -> None:
        self.view, self.id, self.title, self._version, self._product = NEW, 0, "New product", "", None
        self.values = BLANK | {"category": self.categories[0] if self.categories else ""}
        self.effects, self.flavors, self.image = [], [], ""
        self.flags, self.is_stale = dict(BLANK_FLAGS), False
        self.errors = dict.fromkeys(FIELDS, "")
        self._rebuild()

    async def _fill_unless_editing(self, product: AdminProductView, *, keeps_form: bool) -> None:
        """Fill the form, unless `keeps_form` or it already shows these values: the user may be typing.

        If it is not filled, only what is beside it is updated, and the form is marked if it has become stale.
        """
        is_unchanged = (self.view, self.values["stock"]) == ("found", str(product.stock)) and self._matches(product)
        if keeps_form or is_unchanged:
            await self._check_stale(product, keeps_other_forms=keeps_form)
        else:
            await self._fill(product, keeps_other_forms=False)

    async def _fill(self, product: AdminProductView, *, keeps_other_forms: bool = True) -> None:
        """Fill this form. `keeps_other_forms` leaves the page's other forms alone, as after this form was saved."""
        self.id, self.title, self._version = product.id, product.name, product.version
        self._product = product
        self.values = values_of(product)
        self.effects, self.flavors = list(product.effects), list(product.flavors)
        self.flags = flags_of(product)
        self.errors, self.is_stale = dict.fromkeys(FIELDS, ""), False
        self.view = "found"
        self._rebuild()
        await self._show_other_panels(product, keeps_forms=keeps_other_forms)

    def _rebuild(self) -> None:
        self.form_key, self.react_key = self.form_key + 1, self.react_key + 1

    async def _show_other_panels(self, product: AdminProductView, *, keeps_forms: bool) -> None:
        """Update what is shown beside the form and changes independently of it."""
        self.image = product.image
        await (await self.get_state(AdminStockState))._show(product)
        await (await self.get_state(AdminBatchesState))._show(product.id)
        (await self.get_state(AdminLabReportState))._show(product, keeps_form=keeps_forms)

    async def _refresh(self) -> None:
        """Elsewhere, the product was saved or sold, or a file was uploaded. What is being typed stays."""
        await self._check_stale(await read(self, admin_products.get, self.id))

    async def _check_stale(self, product: AdminProductView, *, keeps_other_forms: bool = True) -> None:
        """Keep what is in the form, but mark it if a colleague has saved the product. Update what is beside it."""
        self.is_stale = not self._matches(product)
        if not self.is_stale:  # a new picture raises the version, but must not keep the form from being saved
            self._version = product.version
        await self._show_other_panels(product, keeps_forms=keeps_other_forms)

    def _matches(self, product: AdminProductView) -> bool:
        return self._product is not None and (self._product.id, facts_of(self._product)) == (
            product.id,
            facts_of(product),
        )
