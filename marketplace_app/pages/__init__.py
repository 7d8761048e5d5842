"""The site map."""

from collections.abc import Callable, Iterable
from typing import Any

import reflex as rx

from marketplace_app.config import get_settings, opened_pages_file
from marketplace_app.models import LegalPage
from marketplace_app.pages.account import account
from marketplace_app.pages.admin.audit import admin_audit
from marketplace_app.pages.admin.cash import admin_cash, admin_shift
from marketplace_app.pages.admin.dashboard import dashboard
from marketplace_app.pages.admin.delivery import admin_delivery
from marketplace_app.pages.admin.dispatch import admin_dispatch
from marketplace_app.pages.admin.health import admin_health
from marketplace_app.pages.admin.invitations import admin_invitations
from marketplace_app.pages.admin.legal_texts import admin_legal
from marketplace_app.pages.admin.order import admin_order, admin_order_slip
from marketplace_app.pages.admin.product_editor import product_editor
from marketplace_app.pages.admin.product_import import product_import
from marketplace_app.pages.admin.products import products
from marketplace_app.pages.admin.recalls import admin_recall, admin_recalls
from marketplace_app.pages.admin.rules import admin_rules
from marketplace_app.pages.admin.run import admin_run, admin_run_sheet
from marketplace_app.pages.admin.searches import admin_searches
from marketplace_app.pages.admin.settings import admin_settings
from marketplace_app.pages.admin.user import admin_user
from marketplace_app.pages.checkout import checkout
from marketplace_app.pages.drive import drive
from marketplace_app.pages.faq import faq
from marketplace_app.pages.gallery import gallery
from marketplace_app.pages.home import home
from marketplace_app.pages.invite import invite
from marketplace_app.pages.legal import legal_view
from marketplace_app.pages.not_found import not_found
from marketplace_app.pages.order import order
from marketplace_app.pages.page import Page
from marketplace_app.pages.plain import PLAIN_PAGES, plain_view
from marketplace_app.pages.preferences import preferences
from marketplace_app.pages.privacy import privacy
from marketplace_app.pages.product import product
from marketplace_app.pages.self_check import self_check
from marketplace_app.pages.support import support
from marketplace_app.pages.welcome import welcome
from marketplace_app.states.account.account import AccountState
from marketplace_app.states.account.invitation import InvitationState
from marketplace_app.states.account.preferences import PreferencesState
from marketplace_app.states.account.privacy import PrivacyState
from marketplace_app.states.account.welcome import WelcomeState
from marketplace_app.states.admin.audit import AdminAuditState
from marketplace_app.states.admin.batches.recalls import AdminRecallsState, AdminRecallState
from marketplace_app.states.admin.cash.cash import AdminCashState
from marketplace_app.states.admin.cash.shift import AdminShiftState
from marketplace_app.states.admin.dashboard import DashboardState
from marketplace_app.states.admin.delivery.closures import AdminClosuresState
from marketplace_app.states.admin.delivery.windows import AdminWindowsState
from marketplace_app.states.admin.delivery.zones import AdminZonesState
from marketplace_app.states.admin.dispatch.dispatch import AdminDispatchState
from marketplace_app.states.admin.dispatch.run import AdminRunState, AdminSheetState
from marketplace_app.states.admin.health import AdminHealthState
from marketplace_app.states.admin.invitations.invitations_page import AdminInvitationsPageState
from marketplace_app.states.admin.jurisdictions.rules import AdminRulesState
from marketplace_app.states.admin.legal_texts import AdminLegalState
from marketplace_app.states.admin.orders.order import AdminOrderState
from marketplace_app.states.admin.product import AdminProductState
from marketplace_app.states.admin.products.product_import import AdminImportState
from marketplace_app.states.admin.products.products import AdminProductsState
from marketplace_app.states.admin.searches import AdminSearchState
from marketplace_app.states.admin.settings import AdminSettingsState
from marketplace_app.states.admin.users.user import AdminUserState
from marketplace_app.states.buying.cart import CartState
from marketplace_app.states.buying.checkout import CheckoutState
from marketplace_app.states.buying.order import OrderState
from marketplace_app.states.legal import LegalState
from marketplace_app.states.products.catalogue import CatalogueState
from marketplace_app.states.products.product import ProductState
from marketplace_app.states.self_check import SelfCheckState
from marketplace_app.states.shop import ShopState
from marketplace_app.states.support.support import SupportState

STORE = get_settings().store_name


def _admin(route: str, view: Callable[[], rx.Component], name: str, *on_load: Any) -> Page:
    """A page for staff, which loads the counts in the navigation rail."""
    return Page(route, view, f"{name} · Admin · {STORE}", (DashboardState.load_counts, *on_load), is_shop=False)


# The server writes the product's name into the served page; this sets it on later navigation.
PRODUCT_TITLE = rx.cond(ProductState.name == "", f"Product · {STORE}", f"{ProductState.name} · {STORE}")

ORDER_TITLE = rx.cond(OrderState.title == "", f"Order · {STORE}", f"{OrderState.title} · {STORE}")

PAGES = [
    Page("/", home, STORE, (CatalogueState.load,)),
    Page("/product/[product_id]", product, PRODUCT_TITLE, (ProductState.load,)),
    Page("/checkout", checkout, f"Checkout · {STORE}", (CheckoutState.load,)),
    Page("/invite", invite, f"Invitation · {STORE}", (InvitationState.load_none,)),
    Page("/invite/[invitation_code]", invite, f"Invitation · {STORE}", (InvitationState.load,)),
    Page("/welcome", welcome, f"Welcome · {STORE}", (WelcomeState.load,)),
    Page("/account", account, f"Account · {STORE}", (AccountState.load,)),
    Page("/account/privacy", privacy, f"Privacy · {STORE}", (PrivacyState.load,)),
    Page("/preferences", preferences, f"Preferences · {STORE}", (PreferencesState.load,)),
    Page("/orders/[order_id]", order, ORDER_TITLE, (OrderState.load,)),
    Page("/support", support, f"Support · {STORE}", (SupportState.load,)),
    Page("/faq", faq, f"FAQ · {STORE}"),
    Page("/test", self_check, f"Product test · {STORE}", (SelfCheckState.load,)),
    Page("/admin", dashboard, f"Admin · {STORE}", (DashboardState.load,), is_shop=False),
    _admin("/admin/invitations", admin_invitations, "Invitations", AdminInvitationsPageState.load),
    _admin("/admin/orders/[order_id]", admin_order, "Order", AdminOrderState.load),
    Page(
        "/admin/orders/[order_id]/slip",
        admin_order_slip,
        f"Packing slip · Admin · {STORE}",
        (AdminOrderState.load,),
        is_shop=False,
    ),
    _admin("/admin/users/[user_id]", admin_user, "User", AdminUserState.load),
    _admin("/admin/products", products, "Products", AdminProductsState.load),
    _admin("/admin/products/import", product_import, "Import products", AdminImportState.load),
    _admin("/admin/products/[product_id]", product_editor, "Product", AdminProductState.load),
    _admin("/admin/dispatch", admin_dispatch, "Dispatch", AdminDispatchState.load),
    _admin("/admin/runs/[run_id]", admin_run, "Run", AdminRunState.load),
    Page(
        "/admin/runs/[run_id]/sheet",
        admin_run_sheet,
        f"Run sheet · Admin · {STORE}",
        (AdminSheetState.load,),
        is_shop=False,
    ),
    _admin("/admin/cash", admin_cash, "Cash", AdminCashState.load),
    _admin("/admin/shifts/[shift_id]", admin_shift, "Shift", AdminShiftState.load),
    _admin("/admin/recalls", admin_recalls, "Recalls", AdminRecallsState.load),
    _admin("/admin/recalls/[batch_id]", admin_recall, "Recall", AdminRecallState.load),
    _admin(
        "/admin/delivery",
        admin_delivery,
        "Delivery",
        AdminZonesState.load,
        AdminWindowsState.load,
        AdminClosuresState.load,
    ),
    _admin("/admin/rules", admin_rules, "Rules", AdminRulesState.load),
    _admin("/admin/search", admin_searches, "Search", AdminSearchState.load),
    _admin("/admin/settings", admin_settings, "Settings", AdminSettingsState.load),
    _admin("/admin/legal", admin_legal, "Legal pages", AdminLegalState.load),
    _admin("/admin/audit", admin_audit, "Audit", AdminAuditState.load),
    _admin("/admin/health", admin_health, "Health", AdminHealthState.load),
    Page("/drive", drive, f"Drive · {STORE}", is_shop=False, is_static=True),
    *[Page(f"/{each}", legal_view(each), f"{each.label} · {STORE}", (LegalState.load,)) for each in LegalPage],
    *[Page(each.route, plain_view(each), f"{each.title} · {STORE}") for each in PLAIN_PAGES],
    Page("404", not_found, f"Page not found · {STORE}"),
]
DEVELOPMENT_PAGES = [Page("/dev/gallery", gallery, f"Gallery · {STORE}")]
DESCRIPTION = "A private store for adults 21 and over. Contactless delivery, paid in cash at the door."
"""For search engines. It states no shop setting, since built pages would not show an owner's later change."""


def site_map(is_development: bool) -> list[Page]:
    return PAGES + (DEVELOPMENT_PAGES if is_development else [])


def register(app: rx.App) -> None:
    """A shop page loads the cart for its header, then what it needs itself, then the texts with the shop's settings.

    Admin pages load the cart too, but last: only visitors without access see the shop's header there. Static pages load
    nothing.
    """
    pages: Iterable[Page] = site_map(get_settings().is_development)
    if file := opened_pages_file():
        # Imported only here, because the import registers an event that only `make dev` may have.
        from marketplace_app.pages.on_demand import on_demand

        pages = on_demand(pages, file)
    for page in pages:
        app.add_page(
            page.view,
            route=page.route,
            title=page.title,
            description=DESCRIPTION,
            image="/social.jpg",
            on_load=_on_load(page),
        )


def _on_load(page: Page) -> list[Any]:
    if page.is_static:
        return []
    return [CartState.load, *page.on_load, ShopState.load] if page.is_shop else [*page.on_load, CartState.load]
