"""Buttons, and links that look like them."""

from typing import Any

import reflex as rx

from marketplace_app.components.controls.icons import icon, spinner
from marketplace_app.components.controls.links import document_link, link
from marketplace_app.framework.events import EventSpec
from marketplace_app.framework.expressions import expression, function_of
from marketplace_app.states.events.signal import SignalState

_BASE = (
    "inline-flex items-center justify-center gap-2 rounded-2 border font-semibold leading-tight whitespace-nowrap "
    "transition-colors off:border-line off:bg-off off:text-ink-3"
)
_VARIANTS = {
    "primary": ("border-transparent bg-brand text-on-brand not-off:hover:bg-brand-hover not-off:active:bg-brand-press"),
    "outline": (
        "border-line-strong bg-surface text-ink not-off:hover:border-brand-text not-off:hover:bg-wash "
        "not-off:hover:text-brand-text"
    ),
    "clear": "border-line-strong bg-transparent text-ink not-off:hover:bg-wash",
    "ghost": "border-transparent text-brand-text not-off:hover:bg-wash",
    "amber": "border-transparent bg-amber text-on-amber not-off:hover:bg-amber-hover",
    "danger": "border-current bg-surface text-bad not-off:hover:bg-bad-wash",
}
_SIZES = {
    "sm": "min-h-(--tap) px-3 text-small md:min-h-9",
    "md": "min-h-(--tap) px-5 text-ui",
    "lg": "min-h-13 px-8 text-body",
}


def button_class(variant: str = "primary", size: str = "md", wide: bool = False) -> str:
    return f"{_BASE} {_VARIANTS[variant]} {_SIZES[size]} {'w-full' if wide else ''}".strip()


def button(
    *children: Any, variant: str = "primary", size: str = "md", wide: bool = False, **props: Any
) -> rx.Component:
    props.setdefault("type", "button")
    return rx.el.button(*children, class_name=button_class(variant, size, wide), **_with_aria_disabled(props))


def _with_aria_disabled(props: dict[str, Any]) -> dict[str, Any]:
    """`disabled` becomes `aria-disabled`: a button that the browser disables loses the focus to the page.

    `framework/deferred_hydration/event-replay.js` ignores clicks on it.
    """
    if "disabled" in props:
        props["aria_disabled"] = props.pop("disabled")
    return props


def pending_button(
    label: Any,
    pending_label: str,
    is_pending: rx.Var[bool],
    disabled: Any = False,
    *,
    hidden_label: str = "",
    **props: Any,
) -> rx.Component:
    """A button that says what it is doing while it waits for the server, and keeps its width.

    Its width comes from the text of both labels, so `label` must not be a component; `hidden_label` follows it, for
    assistive technology only.
    """
    pending = rx.el.span(spinner(), pending_label, class_name="inline-flex items-center gap-2")
    idle = rx.fragment(label, rx.el.span(hidden_label, class_name="sr-only")) if hidden_label else label
    return button(
        rx.el.span(
            rx.cond(is_pending, pending, idle),
            data_idle=label,
            data_pending=pending_label,
            class_name="steady",
        ),
        disabled=is_pending | disabled,
        aria_busy=is_pending,
        **props,
    )


# Without it, nothing would seem to happen for a second on a slow connection, and users would click again.
_PENDING_ON_CLICK = """
const [isClicked, setClicked] = useState(false);
useEffect(() => setClicked(false), [{resets_on}]);
useEffect(() => {{
  if (!isClicked) return;
  const timeout = setTimeout(() => setClicked(false), {timeout_ms});
  return () => clearTimeout(timeout);
}}, [isClicked]);
"""
_TIMEOUT_MS = 10_000


def pending_on_click(on_click: EventSpec) -> dict[str, Any]:
    """For a `pending_button` alone in a component (`rx.memo`): the button shows its pending label from the click on.

    The label stays until the server has answered with a toast, or until a timeout.
    """
    hook = _PENDING_ON_CLICK.format(resets_on=f"{SignalState.toast_at!s}", timeout_ms=_TIMEOUT_MS)
    uses = [SignalState.toast_at]
    call = function_of(on_click)
    return {
        "is_pending": expression("isClicked", bool, uses=uses, react=["useEffect", "useState"], hook=hook).bool(),
        "on_click": expression(f"() => {{ setClicked(true); {call!s}(); }}", rx.EventChain, uses=[call]),
    }


def button_link(
    *children: Any, href: Any, variant: str = "primary", size: str = "md", wide: bool = False
) -> rx.Component:
    return link(*children, href=href, class_name=button_class(variant, size, wide))


def sign_in_button(label: str, variant: str = "primary", size: str = "lg", wide: bool = False) -> rx.Component:
    """Signing in leaves the site for the identity provider."""
    return document_link(label, href="/api/login", class_name=button_class(variant, size, wide))


_SQUARE = "relative inline-grid size-11 flex-none place-items-center rounded-2 transition-colors hover:bg-wash"


def icon_button(
    name: str, label: Any, *extra: Any, size: str = "md", class_name: str = "", **props: Any
) -> rx.Component:
    """A square of 44 px; its label is for assistive technology."""
    return rx.el.button(
        icon(name, size),
        *extra,
        type="button",
        aria_label=label,
        class_name=f"{_SQUARE} off:text-ink-off off:hover:bg-transparent {class_name}".strip(),
        **_with_aria_disabled(props),
    )


def icon_link(name: str, label: str, href: str, class_name: str = "") -> rx.Component:
    return link(icon(name), href=href, class_name=f"{_SQUARE} {class_name}".strip(), aria_label=label)


def sign_in_icon() -> rx.Component:
    return document_link(icon("sign-in"), href="/api/login", class_name=_SQUARE, aria_label="Sign in")
