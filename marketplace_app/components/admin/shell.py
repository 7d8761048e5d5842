"""The shell of every admin page: the navigation rail, headings and panels."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import reflex as rx

from marketplace_app.components.admin.access import for_staff
from marketplace_app.components.admin.background import background
from marketplace_app.components.controls.icons import icon
from marketplace_app.components.controls.links import link
from marketplace_app.components.controls.tabs import STACKED_ARROW_KEYS
from marketplace_app.components.shell.crash import content_boundary
from marketplace_app.components.shell.layout import MAIN, skip_link
from marketplace_app.components.shell.load_failure import unless_load_failed
from marketplace_app.components.shell.logo import logo
from marketplace_app.components.shell.navigation import FocusOnNavigation
from marketplace_app.models import Permission
from marketplace_app.states.admin.dashboard import DashboardState
from marketplace_app.states.events.viewer import ViewerState

TAB_PANEL_ID = "admin-panel"


@dataclass(frozen=True)
class NavigationItem:
    key: str
    label: str
    symbol: str
    href: str
    count: rx.vars.NumberVar[int] | None = None
    is_urgent: bool = False
    needs: Permission | None = None


TABS = (
    NavigationItem("overview", "Overview", "dashboard", "/admin?tab=overview"),
    NavigationItem("orders", "Orders", "order", "/admin?tab=orders", DashboardState.pending_orders, is_urgent=True),
    NavigationItem("users", "Users", "users", "/admin?tab=users"),
    NavigationItem("invitations", "Invitations", "mail", "/admin?tab=invitations", DashboardState.open_invitations),
    NavigationItem("support", "Support", "support", "/admin?tab=support", DashboardState.open_tickets),
)
PAGE_LINKS = (
    NavigationItem("dispatch", "Dispatch", "route", "/admin/dispatch", needs=Permission.SEE_DISPATCH),
    NavigationItem("cash", "Cash", "cash", "/admin/cash", needs=Permission.HANDLE_CASH),
    NavigationItem("recalls", "Recalls", "ban", "/admin/recalls", needs=Permission.RECALL),
    NavigationItem("products", "Products", "tag", "/admin/products", needs=Permission.SEE_PRODUCTS),
    NavigationItem("delivery", "Delivery", "truck", "/admin/delivery", needs=Permission.SEE_SETTINGS),
    NavigationItem("rules", "Rules", "scale", "/admin/rules", needs=Permission.SEE_SETTINGS),
    NavigationItem("search", "Search", "search", "/admin/search", needs=Permission.SEE_PRODUCTS),
    NavigationItem("audit", "Audit", "list", "/admin/audit", needs=Permission.SEE_AUDIT),
    NavigationItem("health", "Health", "heart", "/admin/health", needs=Permission.SEE_HEALTH),
    NavigationItem("legal", "Legal pages", "receipt", "/admin/legal", needs=Permission.SEE_SETTINGS),
    NavigationItem("settings", "Settings", "settings", "/admin/settings", needs=Permission.SEE_SETTINGS),
)
_LABELS = {"": "Admin"} | {item.key: item.label for item in (*TABS, *PAGE_LINKS)}
_ITEM = (
    "flex min-h-11 flex-none items-center gap-2.5 rounded-2 px-3 text-small text-ink-2 hover:bg-wash hover:text-ink "
    "focus-visible:-outline-offset-2 aria-selected:bg-surface aria-selected:font-semibold aria-selected:text-ink "
    "aria-[current=page]:bg-surface aria-[current=page]:font-semibold aria-[current=page]:text-ink lg:min-h-9.5"
)


def may(permission: Permission) -> rx.Var[bool]:
    """Whether the viewer's role has this permission: for showing and hiding controls; the server checks again."""
    return ViewerState.permissions.contains(permission.value)


def _count(item: NavigationItem) -> rx.Component:
    if item.count is None:
        return rx.fragment()
    colours = "bg-amber text-on-amber" if item.is_urgent else "text-ink-2"
    number = rx.el.span(
        item.count,
        aria_hidden="true",
        class_name=(
            f"ml-auto min-w-5 rounded-full px-1.5 text-center text-cap leading-5 font-semibold tabular-nums {colours}"
        ),
    )
    return rx.cond(item.count > 0, number)


def _tab(item: NavigationItem) -> rx.Component:
    is_current = DashboardState.tab == item.key
    return link(
        icon(item.symbol, "sm"),
        item.label,
        _count(item),
        href=item.href,
        class_name=_ITEM,
        role="tab",
        id=f"tab-{item.key}",
        aria_label=item.label,
        aria_selected=rx.cond(is_current, "true", "false"),
        aria_controls=TAB_PANEL_ID,
        tab_index=rx.cond(is_current, 0, -1),
    )


def _page_link(item: NavigationItem, current: str) -> rx.Component:
    anchor = link(
        icon(item.symbol, "sm"),
        item.label,
        _count(item),
        href=item.href,
        class_name=_ITEM,
        aria_label=item.label,
        aria_current="page" if item.key == current else "false",
    )
    return rx.cond(may(item.needs), anchor) if item.needs else anchor


def _rail(current: str) -> rx.Component:
    """On `/admin` itself the items of `TABS` are tabs; on other pages they are links to those tabs."""
    group = "flex flex-none gap-1 lg:grid"  # flex-none: a group that shrinks would overlap the next one
    if current:
        first = rx.el.div(*[_page_link(item, current) for item in TABS], class_name=group)
    else:
        first = rx.el.div(
            *[_tab(item) for item in TABS],
            role="tablist",
            aria_label="Admin dashboard",
            custom_attrs={"onKeyDown": STACKED_ARROW_KEYS},
            class_name=group,
        )
    return rx.el.nav(
        rx.el.div(logo(), class_name="hidden px-2 pb-4 lg:block"),
        first,
        rx.el.div(*[_page_link(item, current) for item in PAGE_LINKS], class_name=f"{group} lg:mt-5"),
        rx.el.div(
            link(icon("store", "sm"), "Return to Store", href="/", class_name=_ITEM),
            rx.el.p(
                icon("user", "sm"),
                rx.el.span(ViewerState.email, class_name="truncate"),
                class_name=(
                    "hidden items-center gap-2.5 border-t border-line px-3 pt-3 text-cap text-ink-3 lg:mt-3 lg:flex"
                ),
            ),
            class_name="flex flex-none lg:mt-auto lg:grid",
        ),
        aria_label="Admin",
        data_ground="deep",
        class_name=(
            "sticky top-0 z-(--z-header) scrollbar-none flex gap-1 overflow-x-auto bg-paper p-1.5 lg:h-svh lg:flex-col "
            "lg:overflow-y-auto lg:px-3 lg:py-4 print:hidden"
        ),
    )


def heading(title: Any, *actions: Any, below: Any = None) -> rx.Component:
    """The head of a page or tab: its name, a line of text, and its actions."""
    return rx.el.header(
        rx.el.div(
            rx.el.h1(title, class_name="text-h2 wrap-anywhere"),
            *([rx.el.p(below, class_name="text-cap text-ink-3 wrap-anywhere")] if below is not None else []),
            class_name="min-w-0",
        ),
        rx.el.div(*actions, class_name="flex flex-wrap items-center gap-2 print:hidden"),
        class_name="flex flex-wrap items-center justify-between gap-x-4 gap-y-2.5",
    )


def _breadcrumb_links(parents: Sequence[tuple[str, str]], name: Any) -> rx.Component:
    """`Products › Midnight Orchard`; `parents` are (label, href), and `name` is this page's own."""
    arrow = icon("chevron-right", "sm", "text-ink-3")
    return rx.el.nav(
        *[
            rx.fragment(link(label, href=href, class_name="hover:text-ink hover:underline"), arrow)
            for label, href in parents
        ],
        rx.el.span(name, aria_current="page", class_name="truncate"),
        aria_label="Breadcrumbs",
        class_name="flex min-h-9 items-center gap-1.5 text-small text-ink-2 print:hidden",
    )


def panel(*children: Any, title: Any = None, aside: Any = None, class_name: str = "", **props: Any) -> rx.Component:
    """A bordered panel; `title` names it, and `aside` is at the end of the title row."""
    head = rx.el.div(
        rx.el.h2(title, class_name="font-sans text-ui font-semibold"),
        *([aside] if aside is not None else []),
        class_name="flex flex-wrap items-center justify-between gap-2",
    )
    return rx.el.section(
        *([head] if title is not None else []),
        *children,
        class_name=f"min-w-0 rounded-2 border border-line bg-surface {class_name}",
        **props,
    )


def admin_page(
    *content: Any, current: str = "", breadcrumbs: Sequence[tuple[str, str]] = (), name: Any = "", others: Any = None
) -> rx.Component:
    """`current` is the key of the page's link in the rail. Without it this is `/admin` itself: its first links are
    tabs, and its content is their panel.

    A page that lies deeper has `breadcrumbs`, (label, href) of each page above it, and its own `name` at their end.
    `others` is for signed-in users who are not staff, in place of the refusal.
    """
    trail = [_breadcrumb_links(breadcrumbs, name)] if breadcrumbs else []
    inner: dict[str, Any] = {}
    if not current:
        inner = {"role": "tabpanel", "id": TAB_PANEL_ID, "aria_labelledby": f"tab-{DashboardState.tab}"}
    page = rx.el.div(
        _rail(current),
        rx.el.main(
            rx.el.div(
                *trail,
                content_boundary(unless_load_failed(*content, title=_LABELS[current])),
                class_name="grid min-w-0 grid-cols-1 content-start gap-4",
                **inner,
            ),
            id=MAIN,
            tab_index=-1,
            class_name="min-w-0 px-4 py-4 lg:px-7 lg:py-5",
        ),
        class_name="grid min-h-svh content-start text-small lg:grid-cols-[212px_minmax(0,1fr)]",
    )
    return rx.el.div(
        FocusOnNavigation.create(),
        skip_link(),
        for_staff(rx.fragment(page, background(has_tabs=not current)), others=others),
        data_density="counter",
        class_name="min-h-svh",
    )
