"""Links within the store change the page without reloading the document; links to the server load a new one.

`rx.el.a` is React Router's link, which would take `/api/login` for a page of the store: `rx.el.A` is the plain anchor.
"""

from typing import Any

import reflex as rx

from marketplace_app.components.controls.icons import icon

LINK_CLASS = "text-brand-text underline decoration-1 underline-offset-3"


def link(*children: Any, href: Any, class_name: str = "", **props: Any) -> rx.Component:
    """To another page of the store, without reloading the document."""
    return rx.el.a(*children, href=href, class_name=class_name, **props)


def back_link(label: str, href: str, **props: Any) -> rx.Component:
    """Above the heading of a page: to the page that it belongs to."""
    class_name = (
        "-ml-3 inline-flex min-h-11 items-center gap-2 rounded-2 px-3 text-small font-semibold text-brand-text "
        "hover:bg-wash"
    )
    return link(icon("arrow-left", "sm"), label, href=href, class_name=class_name, **props)


def shop_link(*children: Any, href: Any, class_name: str = "", **props: Any) -> rx.Component:
    """To a page of the shop. Guests sign in first (`assets/session.js`); then the page opens."""
    return link(*children, href=href, class_name=class_name, data_members="", **props)


def document_link(*children: Any, href: Any, class_name: str = "", **props: Any) -> rx.Component:
    """A document navigation, to what the server answers itself, such as `/api/login`."""
    return rx.el.A.create(*children, href=href, class_name=class_name, **props)


def download_link(label: str, href: Any, class_name: str) -> rx.Component:
    """To a file, which the server names.

    Without `download`, Chromium would take the click for a navigation and close the socket before it finds that the
    answer is a file; the page would get no live updates until it reconnects.
    """
    return document_link(icon("download", "sm"), label, href=href, class_name=class_name, download=True)


def mail_link(address: str) -> rx.Component:
    return document_link(address, href=f"mailto:{address}", class_name=LINK_CLASS)


def anchor_link(*children: Any, id: Any, class_name: str = "") -> rx.Component:
    """To an element of the same page, which takes the focus. The URL does not change."""
    focus_target = rx.Var(
        "(event) => { event.preventDefault(); document.getElementById(event.currentTarget.hash.slice(1))?.focus(); }"
    )
    return rx.el.A.create(*children, href=f"#{id}", class_name=class_name, custom_attrs={"onClick": focus_target})
