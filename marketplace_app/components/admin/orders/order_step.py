"""The button for an order's next status, and the bar that undoes it."""

from typing import Any

import reflex as rx

from marketplace_app.components.admin.shell import may
from marketplace_app.components.controls.buttons import button, pending_button
from marketplace_app.components.controls.icons import icon
from marketplace_app.framework.expressions import expression
from marketplace_app.limits import UNDO_MS
from marketplace_app.models import Permission
from marketplace_app.states.admin.orders.order_step import AdminOrderStepState

_UNDO_BUTTON_ID = "undo-step"
# Remembers that a step was taken on this page, and in which row: the bar is shown only if this page took one, not on
# the next page or after a reload. The second click of a double click is ignored, because by then the button may name a
# further step or belong to the next order. `event.detail` counts the clicks in a row; for the Enter key it is 0.
# `|` copies the dict for each button, since Reflex adds attributes to the dict that it is given.
_REMEMBER_STEP = {
    "onClickCapture": rx.Var(
        "(event) => { if (event.detail > 1) { event.preventDefault(); event.stopPropagation(); return; } "
        "window.storeStep = true; window.storeStepRow = event.currentTarget.closest('tr')?.rowIndex "
        "?? window.storeStepRow; }"
    )
}
_STEP_BUTTON = {"data-step": ""}
# The bar disappears after a while, but not while it is hovered or focused. If the order leaves the list or has no next
# step, the focused button disappears: the focus moves to the next order's button, so that Tab and Enter are enough to
# work through a list, and after the last order it moves to the bar. Since the bar is far away, at the end of the page,
# Ctrl+Z undoes as well.
_UNDO_BAR_HOOK = """
const [isShown, setShown] = useState(false);
const [isHovered, setHovered] = useState(false);
const [isFocused, setFocused] = useState(false);
useEffect(() => {{ setShown({key} > 0 && window.storeStep === true); setHovered(false); setFocused(false); }}, [{key}]);
useEffect(() => () => {{ window.storeStep = false; window.storeStepRow = undefined; }}, []);
useEffect(() => {{
  if (!isShown || isHovered || isFocused) return;
  const end = setTimeout(() => {{ setShown(false); window.storeStep = false; }}, {undo_ms});
  return () => clearTimeout(end);
}}, [isShown, isHovered, isFocused, {key}]);
useEffect(() => {{
  if (!isShown) return;
  const pressed = document.activeElement;
  const rows = () => [...document.querySelectorAll("main tr")].slice(window.storeStepRow);
  const follow = () => {{
    if (document.activeElement !== document.body || (pressed !== document.body && pressed.isConnected)) return;
    const places = window.storeStepRow === undefined ? [document] : rows();
    const step = places.map((place) => place.querySelector("[data-step]")).find(Boolean);
    const next = step ?? document.getElementById("{undo}");
    if (!next) return;
    next.focus();
    observer.disconnect();
  }};
  const observer = new MutationObserver(follow);
  observer.observe(document.body, {{ childList: true, subtree: true }});
  follow();
  return () => observer.disconnect();
}}, [isShown, {key}]);
useEffect(() => {{
  if (!isShown) return;
  const press = (event) => {{
    const undoes = event.key === "z" && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
    const button = document.getElementById("{undo}");
    if (!undoes || !button || event.target.closest("input:not([type=checkbox]), textarea, select, dialog")) return;
    event.preventDefault();
    button.click();
  }};
  addEventListener("keydown", press);
  return () => removeEventListener("keydown", press);
}}, [isShown]);
"""


def row_step_button(
    order_id: rx.Var[str], number: rx.Var[str], status: rx.Var[str], label: rx.Var[str]
) -> rx.Component:
    """For a row of a table. The label is visible only on wide screens; on others it is for screen readers."""
    step = rx.el.button(
        icon("arrow-right", "sm"),
        rx.el.span(label, class_name="max-xl:sr-only"),
        type="button",
        aria_label=f"{label}: order {number}",
        aria_disabled=AdminOrderStepState.saving_id == order_id,
        on_click=AdminOrderStepState.advance(order_id, status),
        custom_attrs=_REMEMBER_STEP | _STEP_BUTTON,
        class_name=(
            "inline-flex min-h-(--tap) min-w-(--tap) flex-none items-center justify-center gap-1.5 rounded-2 px-2 "
            "text-cap font-semibold text-brand-text hover:bg-wash off:text-ink-off"
        ),
    )
    return rx.cond(may(Permission.EDIT_ORDERS) & (label != ""), step)


def page_step_button(order_id: rx.Var[str], status: rx.Var[str], label: rx.Var[str]) -> rx.Component:
    """On the order's admin page."""
    step = pending_button(
        label,
        "Saving...",
        AdminOrderStepState.saving_id == order_id,
        size="sm",
        on_click=AdminOrderStepState.advance(order_id, status),
        custom_attrs=_REMEMBER_STEP | _STEP_BUTTON,
    )
    return rx.cond(may(Permission.EDIT_ORDERS) & (label != ""), step)


@rx.memo
def undo_bar() -> rx.Component:
    """Says what was done, with an 'Undo' button, for `UNDO_MS`."""
    hook = _UNDO_BAR_HOOK.format(key=str(AdminOrderStepState.undo_bar_key), undo_ms=UNDO_MS, undo=_UNDO_BUTTON_ID)

    def browser_value(code: str, type: Any = Any) -> rx.Var[Any]:
        return expression(
            code, type, uses=[AdminOrderStepState.undo_bar_key], react=["useEffect", "useState"], hook=hook
        )

    def call(code: str) -> rx.Var[Any]:
        return browser_value(f"() => {code}")

    is_shown = browser_value("isShown", bool).bool()

    undo = button(
        "Undo",
        id=_UNDO_BUTTON_ID,
        variant="outline",
        size="sm",
        on_click=AdminOrderStepState.undo,
        title="Ctrl+Z",
        custom_attrs=_REMEMBER_STEP | {"aria-keyshortcuts": "Control+Z Meta+Z"},
    )
    bar = rx.el.div(
        rx.el.span(AdminOrderStepState.announcement),
        rx.cond(AdminOrderStepState.can_undo, undo),
        custom_attrs={
            "onMouseEnter": call("setHovered(true)"),
            "onMouseLeave": call("setHovered(false)"),
            "onFocus": call("setFocused(true)"),
            "onBlur": call("setFocused(false)"),
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
