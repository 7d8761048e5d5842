"""'Picked for you': a row of small cards, each saying why. It scrolls sideways where it does not fit."""

from collections.abc import Callable

import reflex as rx

from marketplace_app.components.controls.links import link
from marketplace_app.components.controls.pictures import thumbnail
from marketplace_app.components.products.product_card import card_add_button
from marketplace_app.states.products.catalogue import CatalogueState
from marketplace_app.states.products.recommendations import Pick, RecommendationsState

ROW = (
    "scrollbar-thin -mx-(--gutter) flex snap-x scroll-px-(--gutter) gap-3 overflow-x-auto px-(--gutter) "
    "pb-3 lg:mx-0 lg:scroll-px-0 lg:px-0"
)


def _pick(pick: rx.Var[Pick]) -> rx.Component:
    return pick_layout(pick, card_add_button)


def pick_layout(pick: rx.Var[Pick], buy_button: Callable[..., rx.Component]) -> rx.Component:
    """`buy_button` takes the product's id, whether it is in stock, and the id of the element that describes it."""
    name_id = f"pick-{pick.id}"
    details = rx.el.div(
        rx.el.p(
            link(pick.name, href=pick.href, class_name="stretched rounded-1 hover:text-brand-text"),
            id=name_id,
            class_name="truncate text-small font-semibold",
        ),
        rx.el.p(pick.subtitle, class_name="truncate text-cap text-ink-2"),
        rx.cond(
            pick.why != "",
            rx.el.p(
                rx.el.span("Why: ", class_name="sr-only"),
                pick.why,
                class_name="text-cap font-strong text-brand-text",
            ),
        ),
        rx.el.div(
            rx.el.span(pick.price, class_name="text-small font-semibold tabular-nums"),
            rx.el.span(buy_button(pick.id, True, name_id), class_name="relative z-1 grid"),
            class_name="mt-auto flex flex-wrap items-center justify-between gap-2 pt-1.5",
        ),
        class_name="flex min-w-0 flex-col gap-0.5",
    )
    return rx.el.li(
        thumbnail(pick.image, "w-18"),
        details,
        key=pick.id,
        class_name=(
            "group relative grid w-76 flex-none snap-start grid-cols-[4.5rem_minmax(0,1fr)] gap-3 rounded-2 border "
            "border-line bg-surface p-2.5"
        ),
    )


def pick_row(
    picks: rx.vars.ArrayVar[list[Pick]],
    card: Callable[[rx.Var[Pick]], rx.Component] = _pick,
    label: str = "Picked for you",
) -> rx.Component:
    return rx.el.section(
        rx.el.div(
            rx.el.h2("Picked for you", class_name="text-h3"),
            link(
                "Preferences", href="/preferences", class_name="inline-flex min-h-11 items-center text-small underline"
            ),
            class_name="mb-1 flex items-center justify-between gap-3",
        ),
        _row(picks, card),
        aria_label=label,
        class_name="pt-4 md:pt-6",
    )


def _row(picks: rx.vars.ArrayVar[list[Pick]], card: Callable[[rx.Var[Pick]], rx.Component]) -> rx.Component:
    return rx.el.ul(rx.foreach(picks, card), class_name=ROW)


def goes_well_with(pairings: rx.vars.ArrayVar[list[Pick]]) -> rx.Component:
    """Hidden when there are no pairings."""
    shown = rx.el.section(
        rx.el.h2("Goes well with", class_name="mb-1 text-h3"),
        _row(pairings, _pick),
        aria_label="Goes well with",
        class_name="mt-14",
    )
    return rx.cond(pairings.length() > 0, shown)


def picked_for_you() -> rx.Component:
    """Only on the first page of the whole catalogue, for users with picks."""
    is_whole_catalogue = (
        (CatalogueState.active_filters.length() == 0)
        & (CatalogueState.search_text == "")
        & (CatalogueState.page == 1)
        & ~CatalogueState.is_loading
        & ~CatalogueState.has_failed
    )
    has_picks = RecommendationsState.picks.length() > 0
    return rx.cond(is_whole_catalogue & has_picks, pick_row(RecommendationsState.picks))
