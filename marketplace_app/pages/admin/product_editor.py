"""`/admin/products/{id}` and `/admin/products/new`: one product, its stock, picture and lab report."""

import reflex as rx

from marketplace_app.components.admin.batches.batches import batches
from marketplace_app.components.admin.products.product_form import FORM, product_form, visibility
from marketplace_app.components.admin.products.product_side import lab_report, product_picture
from marketplace_app.components.admin.products.product_stock import stock_ledger
from marketplace_app.components.admin.shell import admin_page, heading, may
from marketplace_app.components.admin.unsaved import AskBeforeLeaving
from marketplace_app.components.controls.badges import badge
from marketplace_app.components.controls.buttons import button, button_link, pending_button
from marketplace_app.components.controls.notices import empty_state, failed_state, outdated_note
from marketplace_app.components.controls.skeletons import skeleton_block
from marketplace_app.messages import PRODUCT_NOT_FOUND
from marketplace_app.models import Permission
from marketplace_app.services.admin.products import ProductEditedMeanwhile
from marketplace_app.states.admin.product import AdminProductState

BREADCRUMBS = (("Products", "/admin/products"),)
UNSAVED_NOTE_ID = "unsaved"
# Unsaved changes are marked in the browser, without a server round trip: input events bubble up to the editor. Two
# elements get the mark `data-changed`: the product's form, and the note in the bar. A save rebuilds both, without the
# marks; the editor's other forms stay, with what is typed in them.
# The form alone would do if CSS showed the note with `group-has-data-changed`. But that is a `:has()` rule, all pages
# share one stylesheet, and browsers search a whole page for such a rule whenever it changes: adding to the cart took
# twice as long.
_MARKED_ELEMENTS = f'document.querySelectorAll("#{FORM}, #{UNSAVED_NOTE_ID}")'
_MARK_UNSAVED = rx.Var(
    f"""({{ target: {{ form }} }}) => {{
  if (form?.id === "{FORM}") {_MARKED_ELEMENTS}.forEach(({{ dataset }}) => {{ dataset.changed = ""; }});
}}"""
)
_REMOVE_MARKS = rx.Var(f"() => {_MARKED_ELEMENTS}.forEach(({{ dataset }}) => {{ delete dataset.changed; }})")


def _bar() -> rx.Component:
    status = rx.cond(AdminProductState.flags["active"], badge("Active"), badge("Archived", "grey"))
    text = rx.el.span("Unsaved changes", class_name="text-cap text-ink-3")
    discard = button(
        "Discard", variant="outline", size="sm", type="reset", custom_attrs={"form": FORM, "onClick": _REMOVE_MARKS}
    )
    save = pending_button(
        "Save product",
        "Saving...",
        AdminProductState.is_saving,
        size="sm",
        type="submit",
        custom_attrs={"form": FORM},
    )
    unsaved = rx.el.span(
        text,
        discard,
        id=UNSAVED_NOTE_ID,
        key=AdminProductState.form_key.to_string(),
        role="status",
        class_name="hidden items-center gap-2 data-changed:flex",
    )
    actions = rx.fragment(unsaved, save)
    title = rx.el.span(
        AdminProductState.title,
        rx.cond(AdminProductState.id > 0, rx.el.span(status, class_name="inline-flex font-sans")),
        class_name="inline-flex flex-wrap items-center gap-3",
    )
    return rx.el.div(
        heading(title, rx.cond(may(Permission.EDIT_PRODUCTS), actions)),
        class_name=(
            "sticky top-14 z-(--z-sticky) -mx-4 border-b border-line bg-paper px-4 py-2 lg:top-0 lg:-mx-7 lg:px-7"
        ),
    )


def _editor() -> rx.Component:
    return rx.el.div(
        _bar(),
        outdated_note(AdminProductState.is_stale, ProductEditedMeanwhile.message, AdminProductState.reload),
        rx.el.div(
            rx.el.div(
                product_form(),
                rx.cond(AdminProductState.id > 0, rx.fragment(batches(), stock_ledger())),
                class_name="grid min-w-0 content-start gap-4",
            ),
            rx.el.div(
                product_picture(),
                visibility(),
                rx.cond(AdminProductState.id > 0, lab_report()),
                class_name="grid min-w-0 content-start gap-4",
            ),
            class_name="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_340px]",
        ),
        AskBeforeLeaving.create(),
        custom_attrs={"onInput": _MARK_UNSAVED},
        class_name="grid grid-cols-1 gap-4",
    )


def _missing() -> rx.Component:
    return rx.el.div(
        rx.el.h1("Product", class_name="sr-only"),
        empty_state("tag", PRODUCT_NOT_FOUND, button_link("All products", href="/admin/products", variant="outline")),
    )


def _failed() -> rx.Component:
    return rx.el.div(
        rx.el.h1("Product", class_name="sr-only"),
        failed_state("This product could not be loaded.", AdminProductState.load),
    )


def _skeleton() -> rx.Component:
    return rx.el.div(
        rx.el.h1("Product", class_name="sr-only"),
        rx.el.div(
            skeleton_block("h-9 w-60"), skeleton_block("h-96 w-full"), aria_hidden="true", class_name="grid gap-4"
        ),
    )


def product_editor() -> rx.Component:
    body = rx.match(
        AdminProductState.view,
        ("found", _editor()),
        ("new", _editor()),
        ("missing", _missing()),
        ("failed", _failed()),
        _skeleton(),
    )
    return admin_page(body, current="products", breadcrumbs=BREADCRUMBS, name=AdminProductState.title)
