"""The site map."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import reflex as rx

from marketplace_app.config import get_settings
from marketplace_app.pages.account import account
from marketplace_app.pages.checkout import checkout
from marketplace_app.pages.faq import faq
from marketplace_app.pages.gallery import gallery
from marketplace_app.pages.home import home
from marketplace_app.pages.invite import invite
from marketplace_app.pages.not_found import not_found
from marketplace_app.pages.order import order
from marketplace_app.pages.plain import PLAIN_PAGES, plain_view
from marketplace_app.pages.preferences import preferences
from marketplace_app.pages.product import product
from marketplace_app.pages.product_test import product_test
from marketplace_app.pages.support import support
from marketplace_app.states.account import AccountState
from marketplace_app.states.cart import CartState
from marketplace_app.states.catalogue import CatalogueState
from marketplace_app.states.checkout import CheckoutState
from marketplace_app.states.invitation import InvitationState
from marketplace_app.states.order import OrderState
from marketplace_app.states.preferences import PreferencesState
from marketplace_app.states.product import ProductState
from marketplace_app.states.product_test import ProductTestState
from marketplace_app.states.support import SupportState

STORE = get_settings().store_name


@dataclass(frozen=True)
class Page:
    route: str
    view: Callable[[], rx.Component]
    title: str | rx.Var[str]
    on_load: tuple[Any, ...] = ()


# The server has already written the product's name into the page; this keeps it when one browses on.
PRODUCT_TITLE = rx.cond(ProductState.name == "", f"Product · {STORE}", f"{ProductState.name} · {STORE}")

ORDER_TITLE = rx.cond(OrderState.title == "", f"Order · {STORE}", f"{OrderState.title} · {STORE}")

PAGES = [
    Page("/", home, STORE, (CatalogueState.load,)),
    Page("/product/[product_id]", product, PRODUCT_TITLE, (ProductState.load,)),
    Page("/checkout", checkout, f"Checkout · {STORE}", (CheckoutState.load,)),
    Page("/invite", invite, f"Invitation · {STORE}", (InvitationState.load_none,)),
    Page("/invite/[invitation_code]", invite, f"Invitation · {STORE}", (InvitationState.load,)),
    Page("/account", account, f"Account · {STORE}", (AccountState.load,)),
    Page("/preferences", preferences, f"Preferences · {STORE}", (PreferencesState.load,)),
    Page("/orders/[order_id]", order, ORDER_TITLE, (OrderState.load,)),
    Page("/support", support, f"Support · {STORE}", (SupportState.load,)),
    Page("/faq", faq, f"FAQ · {STORE}"),
    Page("/test", product_test, f"Product test · {STORE}", (ProductTestState.load,)),
    *[Page(plain.route, plain_view(plain), f"{plain.title} · {STORE}") for plain in PLAIN_PAGES],
    Page("404", not_found, f"Page not found · {STORE}"),
]
DEVELOPMENT_PAGES = [Page("/dev/gallery", gallery, f"Gallery · {STORE}")]
DESCRIPTION = "A private store for adults 21 and over. Delivered contactless within 48 hours, paid in cash at the door."


def site_map(is_development: bool) -> list[Page]:
    return PAGES + (DEVELOPMENT_PAGES if is_development else [])


def register(app: rx.App) -> None:
    """Every page loads the cart for its header, then its own."""
    for page in site_map(get_settings().is_development):
        app.add_page(
            page.view,
            route=page.route,
            title=page.title,
            description=DESCRIPTION,
            image="/social.jpg",
            on_load=[CartState.load, *page.on_load],
        )
