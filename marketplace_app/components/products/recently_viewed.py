"""'Recently viewed': products that were opened in this browser before.

The browser keeps the list. To show current prices, `assets/recent.js` fetches the remembered products from the public
API by their ids, without cookies. The row stays hidden until the script fills it.
"""

from typing import Any

import reflex as rx

from marketplace_app.components.controls.pictures import picture_url_var
from marketplace_app.components.products.picks import ROW
from marketplace_app.framework.components import Imports
from marketplace_app.framework.expressions import expression
from marketplace_app.states.products.product import ProductState


class _NotifyScript(rx.Fragment):
    """Dispatches an event whenever the product on the page changes."""

    def add_imports(self) -> Imports:
        return {"react": "useEffect"}

    def add_hooks(self) -> list[str | rx.Var[Any]]:
        used = [ProductState.view, ProductState.loaded_product_id, ProductState.name, ProductState.price]
        dependencies = ", ".join(str(each) for each in used)
        notify = f"useEffect(() => {{ dispatchEvent(new Event('store:product-changed')); }}, [{dependencies}])"
        return [expression(notify, uses=used)]


def _template() -> rx.Component:
    """The element that the script copies for each product."""
    photo = rx.el.img(
        alt="",
        loading="lazy",
        decoding="async",
        custom_attrs={"width": "320", "height": "400"},
        class_name="photo size-full object-cover",
    )
    class_name = "stretched line-clamp-2 rounded-1 text-small font-semibold hover:text-brand-text"
    return rx.el.li(
        rx.el.span(photo, class_name="relative block aspect-4/5 w-18 overflow-hidden rounded-2 bg-sunken"),
        rx.el.div(
            rx.el.p(rx.el.a(class_name=class_name), class_name="wrap-anywhere"),
            rx.el.p(data_price="", class_name="mt-auto pt-1.5 text-small font-semibold tabular-nums"),
            class_name="flex min-w-0 flex-col gap-0.5",
        ),
        class_name=(
            "group relative grid w-64 flex-none snap-start grid-cols-[4.5rem_minmax(0,1fr)] gap-3 rounded-2 border "
            "border-line bg-surface p-2.5"
        ),
    )


def recently_viewed() -> rx.Component:
    clear = rx.el.button(
        "Clear",
        type="button",
        aria_label="Clear recently viewed",
        data_recent_clear="",
        class_name="inline-flex min-h-11 items-center text-small underline",
    )
    section = rx.el.section(
        rx.el.div(
            rx.el.h2("Recently viewed", class_name="text-h3"),
            clear,
            class_name="mb-1 flex items-center justify-between gap-3",
        ),
        rx.el.ul(data_recent_list="", class_name=ROW),
        rx.el.ul(_template(), hidden=True, data_recent_template=""),
        aria_label="Recently viewed",
        hidden=True,
        class_name="mt-14",
    )
    return rx.fragment(
        rx.el.div(
            section,
            data_recent="",
            data_id=ProductState.loaded_product_id.to_string(),
            data_name=ProductState.name,
            data_price=ProductState.price,
            data_image=picture_url_var(ProductState.image),
        ),
        _NotifyScript.create(),
        rx.el.script(src="/recent.js", custom_attrs={"async": True}),
    )
