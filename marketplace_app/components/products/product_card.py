"""A product of the catalogue: a card in the grid, a row in the list."""

from collections.abc import Callable
from typing import Any

import reflex as rx

from marketplace_app.components.controls.badges import badge
from marketplace_app.components.controls.buttons import pending_button, pending_on_click
from marketplace_app.components.controls.links import link
from marketplace_app.components.controls.pictures import CARD_SIZES, FIRST_PICTURES, picture
from marketplace_app.components.controls.stars import rating
from marketplace_app.components.products.heart import heart
from marketplace_app.components.products.legal_limit_mark import card_legal_limit_mark
from marketplace_app.states.buying.cart import CartState
from marketplace_app.states.products.catalogue_rows import ProductCard

GRID = "grid grid-cols-2 gap-x-3 gap-y-6 sm:grid-cols-3 md:gap-x-5 md:gap-y-8 2xl:grid-cols-4"
CARD_BUTTON = {"variant": "outline", "size": "sm", "wide": True}
_FADED = "grayscale-70 opacity-55"


def add_button(in_stock: Any, is_pending: Any, described_by: Any, on_click: Any, **props: Any) -> rx.Component:
    """Its accessible name is 'Add to Cart'. `described_by` is the id of an element with the product's name."""
    return pending_button(
        "Add to Cart",
        "Adding...",
        is_pending,
        disabled=~rx.Var.create(in_stock),
        on_click=on_click,
        aria_describedby=described_by,
        **props,
    )


@rx.memo
def _card_add_button(product_id: rx.Var[int], in_stock: rx.Var[bool], described_by: rx.Var[str]) -> rx.Component:
    """A component of its own, so that a click does not render the whole card."""
    click_props = pending_on_click(CartState.add(product_id))
    return add_button(in_stock, described_by=described_by, **click_props, **CARD_BUTTON)


def card_add_button(id: Any, in_stock: Any, described_by: Any) -> rx.Component:
    return _card_add_button(product_id=id, in_stock=in_stock, described_by=described_by, key=id)


def _name(product: rx.Var[ProductCard], id: Any) -> rx.Component:
    return rx.el.h2(
        link(product.name, href=product.href, key=product.id, class_name="stretched rounded-1 hover:text-brand-text"),
        id=id,
        class_name="mt-1 text-sub md:text-h3",
    )


def _photo(product: rx.Var[ProductCard], sizes: str, is_eager: rx.Var[bool]) -> rx.Component:
    return rx.el.div(
        picture(product.image, sizes, is_eager=is_eager),
        class_name=[
            "size-full transition-[scale] duration-(--slow) ease-calm group-hover:scale-102",
            rx.cond(product.in_stock, "", _FADED),
        ],
    )


def card(product: rx.Var[ProductCard], index: rx.vars.NumberVar[int]) -> rx.Component:
    save_button = heart(product_id=product.id, name=product.name, key=product.id)
    return card_layout(product, index < FIRST_PICTURES, card_add_button, save_button, _limit_mark(product), key=index)


def row(product: rx.Var[ProductCard], index: rx.vars.NumberVar[int]) -> rx.Component:
    save_button = heart(product_id=product.id, name=product.name, key=product.id)
    return row_layout(product, index < FIRST_PICTURES, card_add_button, save_button, _limit_mark(product), key=index)


def _limit_mark(product: rx.Var[ProductCard]) -> rx.Component:
    """Whether one more of the product is within the legal limits."""
    return card_legal_limit_mark(product_id=product.id, category=product.category)


def card_layout(
    product: rx.Var[ProductCard],
    is_eager: Any,
    buy_button: Callable[..., rx.Component],
    save_button: rx.Component | None = None,
    limit_mark: rx.Component | None = None,
    **item_props: Any,
) -> rx.Component:
    """`buy_button` takes the product's id, whether it is in stock, and the id of the element with its name.

    Cards are keyed by position, so that they are updated when another page is shown: that is far quicker than building
    new ones. Links and buttons are keyed by product, so that a press that began on one product does not end on another.
    """
    name_id = f"product-{product.id}"
    photo = rx.el.div(
        _photo(product, CARD_SIZES, is_eager),
        rx.el.span(
            badge(product.category, product.category_hue), class_name="absolute top-2 left-2 md:top-2.5 md:left-2.5"
        ),
        rx.cond(
            product.in_stock,
            rx.fragment(),
            rx.el.span(badge("Out of Stock", "grey"), class_name="absolute bottom-2 left-2 md:bottom-2.5 md:left-2.5"),
        ),
        *([rx.el.span(save_button, class_name="absolute top-1 right-1 z-1")] if save_button else []),
        class_name="relative aspect-4/5 overflow-hidden rounded-2 bg-sunken",
    )
    subtitle = rx.el.p(
        rx.el.span(product.subtitle),
        rating(product.rating, product.reviews),
        class_name="mt-2.5 flex flex-col justify-between gap-x-2 gap-y-0.5 text-cap text-ink-2 md:mt-3 xl:flex-row",
    )
    buy = rx.el.div(
        rx.el.span(product.price, class_name="text-sub font-semibold tabular-nums"),
        rx.el.span(
            buy_button(product.id, product.in_stock, name_id),
            class_name="relative z-1 grid",
        ),
        class_name="mt-auto flex flex-col gap-2 pt-2 md:flex-row md:items-center md:justify-between md:pt-3",
    )
    return rx.el.li(
        photo,
        subtitle,
        _name(product, name_id),
        rx.el.p(
            product.description,
            class_name="mt-1 line-clamp-2 min-h-[2.8em] text-cap text-ink-2 md:min-h-[2.9em] md:text-small",
        ),
        *([rx.el.div(limit_mark, class_name="mt-1 empty:hidden")] if limit_mark else []),
        buy,
        **item_props,
        class_name="group relative flex min-w-0 flex-col",
    )


def row_layout(
    product: rx.Var[ProductCard],
    is_eager: Any,
    buy_button: Callable[..., rx.Component],
    save_button: rx.Component | None = None,
    limit_mark: rx.Component | None = None,
    **item_props: Any,
) -> rx.Component:
    name_id = f"product-{product.id}"
    photo = rx.el.div(
        _photo(product, "112px", is_eager),
        class_name="relative row-span-2 aspect-4/5 w-26 flex-none overflow-hidden rounded-2 bg-sunken md:w-28",
    )
    details = rx.el.div(
        rx.el.p(
            badge(product.category, product.category_hue),
            rating(product.rating, product.reviews),
            class_name="mb-1 flex flex-wrap items-center gap-x-2.5 gap-y-1",
        ),
        _name(product, name_id),
        rx.el.p(product.description, class_name="mt-0.5 line-clamp-2 max-w-[56ch] text-small text-ink-2"),
        rx.el.p(product.subtitle, class_name="mt-1.5 text-cap text-ink-3"),
        *([rx.el.div(limit_mark, class_name="mt-1 empty:hidden")] if limit_mark else []),
        class_name="min-w-0 flex-1",
    )
    buy = rx.el.div(
        rx.el.p(
            rx.el.span(product.price, class_name="text-sub font-semibold tabular-nums"),
            rx.cond(
                product.in_stock, rx.fragment(), rx.el.span("Out of Stock", class_name="block text-cap text-ink-3")
            ),
            class_name="md:text-right",
        ),
        rx.el.span(
            *([save_button] if save_button else []),
            buy_button(product.id, product.in_stock, name_id),
            class_name="relative z-1 flex items-center gap-1",
        ),
        class_name=(
            "flex min-w-0 flex-wrap items-center justify-between gap-2 md:min-w-30 md:flex-col md:flex-nowrap "
            "md:items-end"
        ),
    )
    return rx.el.li(
        photo,
        details,
        buy,
        **item_props,
        class_name=(
            "group relative grid grid-cols-[6.5rem_minmax(0,1fr)] items-start gap-x-3.5 gap-y-2.5 border-t "
            "border-line py-4.5 md:flex md:items-center md:gap-5.5"
        ),
    )
