"""The button for an order's next status, and the bar that undoes it."""

from typing import Any

import reflex as rx

from marketplace_app.components.admin.shell import may
from marketplace_app.components.buttons import button, pending_button
from marketplace_app.components.icons import icon
from marketplace_app.framework.expressions import expression
from marketplace_app.limits import UNDO_MS
from marketplace_app.models import Permission
from marketplace_app.states.admin.order_step import AdminOrderStepState

_UNDO = "undo-step"
# A step is announced only on the page where it was taken: not on the next page, nor after a reload. Copied for each
# button, since Reflex mutates it.
_PRESSED = {"onClickCapture": rx.Var("() => { window.storeStep = true; }")}
# The bar disappears after a while, but not while it is hovered or focused. An order without a next step has no button:
# the focus moves from it to the bar.
_HIDE_AFTER_DELAY = """
const [isShown, show] = useState(false);
const [isHeld, hold] = useState(false);
useEffect(() => {{ show({key} > 0 && window.storeStep === true); hold(false); }}, [{key}]);
useEffect(() => () => {{ window.storeStep = false; }}, []);
useEffect(() => {{
  if (!isShown || isHeld) return;
  const end = setTimeout(() => {{ show(false); window.storeStep = false; }}, {undo_ms});
  return () => clearTimeout(end);
}}, [isShown, isHeld, {key}]);
useEffect(() => {{
  if (!isShown) return;
  const pressed = document.activeElement;
  const follow = () => {{
    if (document.activeElement !== document.body || (pressed !== document.body && pressed.isConnected)) return;
    document.getElementById("{undo}")?.focus();
    observer.disconnect();
  }};
  const observer = new MutationObserver(follow);
  observer.observe(document.body, {{ childList: true, subtree: true }});
  follow();
  return () => observer.disconnect();
}}, [isShown, {key}]);
"""


def row_step(order_id: rx.Var[str], number: rx.Var[str], status: rx.Var[str], label: rx.Var[str]) -> rx.Component:
    """In a table: with a label where it fits."""
    step = rx.el.button(
        icon("arrow-right", "sm"),
        rx.el.span(label, class_name="max-xl:sr-only"),
        type="button",
        aria_label=f"{label}: order {number}",
        aria_disabled=AdminOrderStepState.pending == order_id,
        on_click=AdminOrderStepState.advance(order_id, status),
        custom_attrs=dict(_PRESSED),
        class_name=(
            "inline-flex min-h-(--tap) min-w-(--tap) flex-none items-center justify-center gap-1.5 rounded-2 px-2 "
            "text-cap font-semibold text-brand-text hover:bg-wash off:text-ink-off"
        ),
    )
    return rx.cond(may(Permission.EDIT_ORDERS) & (label != ""), step)


def page_step(order_id: rx.Var[str], status: rx.Var[str], label: rx.Var[str]) -> rx.Component:
    """On the order's admin page."""
    step = pending_button(
        label,
        "Saving...",
        AdminOrderStepState.pending == order_id,
        size="sm",
        on_click=AdminOrderStepState.advance(order_id, status),
        custom_attrs=dict(_PRESSED),
    )
    return rx.cond(may(Permission.EDIT_ORDERS) & (label != ""), step)


@rx.memo
def undo_bar() -> rx.Component:
    """What was done, and for ten seconds an 'Undo' button."""
    hook = _HIDE_AFTER_DELAY.format(key=str(AdminOrderStepState.undo_bar_key), undo_ms=UNDO_MS, undo=_UNDO)

    def known(code: str, type: Any = Any) -> rx.Var[Any]:
        return expression(
            code, type, uses=[AdminOrderStepState.undo_bar_key], react=["useEffect", "useState"], hook=hook
        )

    def holding(is_held: str) -> rx.Var[Any]:
        return known(f"() => hold({is_held})")

    is_shown = known("isShown", bool).bool()

    undo = button(
        "Undo",
        id=_UNDO,
        variant="outline",
        size="sm",
        on_click=AdminOrderStepState.undo,
        custom_attrs=dict(_PRESSED),
    )
    bar = rx.el.div(
        rx.el.span(AdminOrderStepState.done),
        rx.cond(AdminOrderStepState.can_undo, undo),
        custom_attrs={
            "onMouseEnter": holding("true"),
            "onMouseLeave": holding("false"),
            "onFocus": holding("true"),
            "onBlur": holding("false"),
        },
        class_name=(
            "pointer-events-auto flex items-center gap-4 rounded-3 border border-line bg-surface py-2 pr-2 pl-4 "
            "text-small text-ink shadow-over"
        ),
    )
    return rx.el.div(
        rx.cond(is_shown, bar),
        role="status",
        class_name="pointer-events-none fixed inset-x-4 bottom-4 z-(--z-toast) flex justify-center",
    )
