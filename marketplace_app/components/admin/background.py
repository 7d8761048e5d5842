"""Background behaviour of every admin page."""

from typing import Any

import reflex as rx

from marketplace_app.framework.components import HookProps, Imports
from marketplace_app.states.admin.dashboard import DashboardState


class _ScrollToCurrent(HookProps, rx.Fragment):
    """On a phone the rail is a row that scrolls horizontally: the current entry is scrolled into view."""

    hook_props = ("tab",)
    tab: rx.Var[str]

    def add_imports(self) -> Imports:
        return {"react": "useEffect", "react-router": "useLocation"}

    def add_hooks(self) -> list[str | rx.Var[Any]]:
        return [
            rx.Var("const location = useLocation()"),
            rx.Var(
                "useEffect(() => { document.querySelector('nav [aria-selected=true], nav [aria-current=page]')"
                "?.scrollIntoView({ block: 'nearest', inline: 'center' }); }, "
                f"[location.pathname, {self.tab}])"
            ),
        ]


def background(*, has_tabs: bool) -> rx.Component:
    """Tells `assets/admin.js` the newest order's number and, on the page with tabs, whether its orders are shown."""
    attributes: dict[str, Any] = {"data-last-order": DashboardState.last_order_number.to_string()}
    if has_tabs:
        attributes["data-orders-shown"] = rx.cond(DashboardState.tab == "orders", "yes", "no")
    return rx.fragment(
        rx.el.div(hidden=True, custom_attrs=attributes),
        rx.el.script(src="/admin.js", custom_attrs={"async": True}),
        _ScrollToCurrent.create(tab=DashboardState.tab),
    )
