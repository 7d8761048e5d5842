"""What an empty list of products says, and its links to other products."""

from typing import Any

import reflex as rx

from marketplace_app.components.controls.icons import icon
from marketplace_app.components.controls.links import link
from marketplace_app.messages import NO_PRODUCTS
from marketplace_app.states.products.nothing_found import NothingFoundPanel, SuggestedLink

_LINK = "inline-flex min-h-11 items-center text-brand-text underline decoration-1 underline-offset-3 wrap-anywhere"


def _links(title: str, links: Any, row: Any) -> rx.Component:
    listed = rx.el.section(
        rx.el.h2(title, class_name="text-h3"),
        rx.el.ul(rx.foreach(links, row), class_name="mt-1 flex flex-wrap gap-x-6"),
    )
    return rx.cond(links.length() > 0, listed)


def _name(each: rx.Var[SuggestedLink]) -> rx.Component:
    return rx.el.li(link(each.name, href=each.href, class_name=_LINK))


def _category(each: rx.Var[SuggestedLink]) -> rx.Component:
    count = rx.el.span(" (", each.count, ")", class_name="ml-1 text-ink-2 tabular-nums")
    return rx.el.li(link(each.name, count, href=each.href, class_name=_LINK))


def nothing_found(found: rx.Var[NothingFoundPanel], clear: rx.Component) -> rx.Component:
    """`clear` is the button that removes the filters."""
    filtered_out = rx.el.div(
        rx.el.p("Your filters leave out every product that matches.", class_name="text-body text-ink-2"),
        rx.foreach(found.without_filters, lambda each: link(each.name, href=each.href, class_name=_LINK)),
    )
    return rx.el.div(
        icon("nothing-found", "lg", "text-ink-3"),
        rx.cond(found.title != "", rx.el.h2(found.title, class_name="text-h2 wrap-anywhere")),
        rx.el.p(NO_PRODUCTS, class_name="text-body text-ink-2"),
        rx.cond(found.without_filters.length() > 0, filtered_out),
        clear,
        _links("Did you mean", found.nearest, _name),
        _links("Browse by category", found.categories, _category),
        class_name="grid justify-items-start gap-4 py-10",
    )
