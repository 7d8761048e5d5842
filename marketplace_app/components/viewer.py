"""Parts for guests and parts for members.

Until the server has identified the viewer, a cookie decides, which `assets/theme.js` reads before the first paint.
"""

from typing import Any

import reflex as rx

from marketplace_app.components.controls.hydration import unmanaged
from marketplace_app.framework.expressions import expression
from marketplace_app.states.events.viewer import ViewerState

_IS_MEMBER = ViewerState.is_known & ViewerState.is_signed_in
_IS_GUEST = ViewerState.is_known & ~ViewerState.is_signed_in

# Whether the members' part of the built page stays as it was built, without being hydrated: true for guests, who never
# see it. Hydrating it would be half of the work of hydrating the landing page.
_AS_BUILT = expression(
    "asBuilt",
    bool,
    react=["useSyncExternalStore"],
    hook=(
        "const asBuilt = useSyncExternalStore(() => () => {}, "
        "() => !('signedIn' in document.documentElement.dataset), "
        "() => typeof document !== 'undefined' && !('signedIn' in document.documentElement.dataset))"
    ),
).bool()


def _until_known(who: str) -> rx.vars.StringVar[str]:
    return rx.cond(ViewerState.is_known, "", who)


def for_guests(*children: Any) -> rx.Component:
    return rx.cond(
        _IS_MEMBER, rx.fragment(), rx.el.div(*children, data_until_known=_until_known("guest"), class_name="contents")
    )


def for_members(*children: Any) -> rx.Component:
    hydrated = rx.el.div(*children, key="hydrated", data_until_known=_until_known("member"), class_name="contents")
    built = rx.el.div(
        key="built",
        data_until_known="member",
        class_name="contents",
        custom_attrs=unmanaged(),
    )
    return rx.cond(_IS_GUEST, rx.fragment(), rx.cond(_AS_BUILT & ~ViewerState.is_known, built, hydrated))


def over_hero() -> rx.vars.StringVar[str]:
    """Whether the header lies on the landing page's film: `yes`, `maybe` until known, or `no`."""
    return rx.cond(ViewerState.is_known, rx.cond(ViewerState.is_signed_in, "no", "yes"), "maybe")
