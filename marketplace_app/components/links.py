"""Links within the store change the page in place; links to the server leave the document."""

from typing import Any

import reflex as rx
from reflex_components_core.react_router.dom import ReactRouterLink

_TEXT = "text-brand-text underline decoration-1 underline-offset-3"


def link(*children: Any, href: Any, look: str = "", **props: Any) -> rx.Component:
    """To another page of the store, without loading the document anew."""
    return ReactRouterLink.create(*children, to=href, class_name=look, **props)


def leave(*children: Any, href: Any, look: str = "", **props: Any) -> rx.Component:
    """A document navigation: what the server answers itself, such as `/api/login`."""
    return ReactRouterLink.create(*children, to=href, reload_document=True, discover="none", class_name=look, **props)


def text_link(*children: Any, href: Any, **props: Any) -> rx.Component:
    return link(*children, href=href, look=_TEXT, **props)


def shelf_link(*children: Any, href: Any, look: str = "", **props: Any) -> rx.Component:
    """Into the shop. Guests are taken through the sign-in first (`assets/session.js`) and arrive at the same place."""
    return link(*children, href=href, look=look, data_members="", **props)
