"""`/product/[product_id]`: one product."""

import reflex as rx

from marketplace_app.components.buying.add_to_cart import add_to_cart
from marketplace_app.components.controls.badges import badge
from marketplace_app.components.controls.buttons import button
from marketplace_app.components.controls.facts import fact_list_from_state
from marketplace_app.components.controls.icons import icon
from marketplace_app.components.controls.links import back_link, download_link
from marketplace_app.components.controls.notices import invitation_required, sign_in_notice
from marketplace_app.components.controls.pictures import PRODUCT_SIZES, picture
from marketplace_app.components.controls.skeletons import product_skeleton
from marketplace_app.components.controls.stars import five_stars
from marketplace_app.components.controls.tabs import tabs
from marketplace_app.components.products.heart import heart
from marketplace_app.components.products.legal_limit_mark import legal_limit_mark
from marketplace_app.components.products.picks import goes_well_with
from marketplace_app.components.products.recently_viewed import recently_viewed
from marketplace_app.components.shell.layout import page
from marketplace_app.components.shell.load_failure import unless_load_failed
from marketplace_app.messages import PRODUCT_NOT_FOUND
from marketplace_app.states.events.viewer import ViewerState
from marketplace_app.states.products.product import LabPanel, ProductState


def _trust_mark(symbol: str, label: str) -> rx.Component:
    return rx.el.li(
        icon(symbol, class_name="text-brand-text"),
        label,
        class_name="flex flex-col gap-1.5 text-cap font-semibold lg:flex-row lg:items-center lg:gap-2.5 lg:text-small",
    )


def _trust_marks() -> rx.Component:
    return rx.el.ul(
        rx.cond(ProductState.has_lab_report, _trust_mark("flask", "Lab Tested")),
        _trust_mark("award", "Premium Quality"),
        _trust_mark("truck", "Fast Shipping"),
        class_name="grid auto-cols-fr grid-flow-col gap-3 border-t border-line pt-4.5 lg:flex lg:justify-between",
    )


def _buy_bar() -> rx.Component:
    """On a phone, the price and the button stick to the foot of the screen until their own place scrolls into view."""
    price = rx.el.span(
        ProductState.price,
        aria_hidden="true",  # the price is above, too
        class_name="text-lead font-semibold tabular-nums lining-nums max-xs:hidden lg:hidden short:hidden",
    )
    return rx.el.div(
        # A phone has no room for the price beside the two buttons of a sold-out product.
        rx.cond(ProductState.in_stock, price),
        add_to_cart(
            product_id=ProductState.loaded_product_id,
            name=ProductState.name,
            max_quantity=ProductState.max_quantity,
            in_stock=ProductState.in_stock,
            described_by="product-name",
        ),
        rx.cond(ProductState.in_stock, rx.fragment(), _stock_alert_button()),
        data_foot_bar="",
        class_name=(
            "relative -my-3 flex flex-wrap items-center gap-3 bg-paper py-3 max-lg:sticky max-lg:bottom-0 "
            "max-lg:z-(--z-sticky) max-lg:border-t max-lg:border-line short:static short:border-0"
        ),
    )


def _stock_alert_button() -> rx.Component:
    """Asks for an email when the product is back, or cancels that. One button does both, so that it keeps the focus."""
    ask_or_stop = button(
        rx.cond(ProductState.has_alert, "We'll email you. Stop", "Tell me when it's back"),
        variant="outline",
        size="lg",
        wide=True,
        aria_describedby="product-name",
        on_click=ProductState.set_alert(~ProductState.has_alert),
    )
    return rx.el.div(ask_or_stop, class_name="max-lg:flex-auto")


def _summary() -> rx.Component:
    return rx.el.div(
        rx.el.p(
            badge(ProductState.category, ProductState.category_hue),
            rx.cond(ProductState.is_featured, badge("Featured", "amber")),
            class_name="flex flex-wrap gap-2",
        ),
        rx.el.div(
            rx.el.div(
                rx.el.h1(ProductState.name, id="product-name", class_name="mb-2.5 min-w-0 text-name wrap-anywhere"),
                heart(product_id=ProductState.loaded_product_id, name=ProductState.name),
                class_name="flex items-start justify-between gap-3",
            ),
            five_stars(ProductState.stars, ProductState.reviews),
        ),
        rx.el.p(ProductState.price, class_name="font-serif text-title tabular-nums lining-nums"),
        rx.el.p(ProductState.lead, class_name="max-w-[56ch] text-ink-2 wrap-anywhere"),
        fact_list_from_state(ProductState.facts),
        legal_limit_mark(),
        _buy_bar(),
        _trust_marks(),
        class_name="grid content-start gap-5",
    )


def _photo() -> rx.Component:
    return rx.el.div(
        picture(
            ProductState.image,
            PRODUCT_SIZES,
            ProductState.name,
            is_eager=True,
        ),
        class_name="relative aspect-4/5 overflow-hidden rounded-2 bg-sunken sm:sticky sm:top-20",
    )


def _lab_row(panel: rx.Var[LabPanel]) -> rx.Component:
    is_clean = panel.result == "Not Detected"
    return rx.el.tr(
        rx.el.th(panel.name, scope="row", class_name="border-b border-line px-3 py-2.5 text-left font-medium"),
        rx.el.td(
            rx.el.span(
                rx.cond(is_clean, icon("check", "sm")),
                panel.result,
                class_name=[
                    "flex items-center justify-end gap-1.5 text-right font-semibold wrap-anywhere",
                    rx.cond(is_clean, "text-ok", ""),
                ],
            ),
            class_name="border-b border-line px-3 py-2.5",
        ),
    )


def _lab_results() -> rx.Component:
    head = "bg-sunken px-3 py-2 text-cap font-semibold text-ink-2"
    table = rx.el.table(
        rx.el.thead(
            rx.el.tr(
                rx.el.th("Panel", scope="col", class_name=f"{head} text-left"),
                rx.el.th("Result", scope="col", class_name=f"{head} text-right"),
            )
        ),
        rx.el.tbody(rx.foreach(ProductState.lab_panels, _lab_row)),
        class_name="w-full text-ui",
    )
    document = download_link(
        "Lab report (PDF)",
        ProductState.lab_pdf,
        "mt-2 inline-flex min-h-11 items-center gap-1.5 text-brand-text underline underline-offset-3",
    )
    report = rx.fragment(
        table,
        rx.el.p(ProductState.lab_note, class_name="mt-3 text-cap text-ink-3"),
        rx.cond(ProductState.lab_pdf != "", document),
    )
    return rx.cond(ProductState.has_lab_report, report, rx.el.p("No lab report on file", class_name="text-ink-2"))


def _text(text: rx.Var[str]) -> rx.Component:
    return rx.el.p(text, class_name="max-w-measure whitespace-pre-line text-ink-2 wrap-anywhere")


def _details() -> rx.Component:
    parts = [
        ("description", "Description", _text(ProductState.description)),
        ("ingredients", "Ingredients", _text(ProductState.ingredients)),
        ("lab", "Lab Results", _lab_results()),
    ]
    return rx.el.section(
        tabs("About this product", parts, ProductState.tab, ProductState.show_tab),
        aria_label="Details",
        class_name="mt-14 max-w-205",
    )


def _found() -> rx.Component:
    return rx.fragment(
        rx.el.div(_photo(), _summary(), class_name="grid items-start gap-5.5 sm:grid-cols-2 md:gap-10 lg:gap-14"),
        _details(),
        goes_well_with(ProductState.pairings),
        recently_viewed(),
    )


def _missing() -> rx.Component:
    return rx.el.div(
        icon("nothing-found", "lg", "text-ink-3"),
        rx.el.h1(PRODUCT_NOT_FOUND, class_name="mt-4 text-title"),
        class_name="py-10",
    )


def _skeleton() -> rx.Component:
    return rx.fragment(rx.el.h1("Product", class_name="sr-only"), product_skeleton())


def _body() -> rx.Component:
    shown = rx.match(ProductState.view, ("found", _found()), ("missing", _missing()), _skeleton())
    return rx.el.div(
        rx.el.p(back_link("Back to Products", href="/", data_back_to_list=""), class_name="py-3.5"),
        unless_load_failed(shown, title="Product"),
        class_name="shell pb-20",
    )


def product() -> rx.Component:
    return page(
        rx.cond(
            ViewerState.is_known & ~ViewerState.is_signed_in,
            sign_in_notice("You need to sign in to see products."),
            rx.cond(ViewerState.is_known & ~ViewerState.has_access, invitation_required(), _body()),
        )
    )
