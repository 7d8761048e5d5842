"""Tabs by the WAI-ARIA pattern: one stop for the Tab key, arrows between them."""

from typing import Any

import reflex as rx

# With Alt, Ctrl or Cmd a key is the browser's: Alt with the left arrow goes back.
_MOVE_FOCUS = """(event) => {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const tabs = [...event.currentTarget.querySelectorAll("[role=tab]")];
  const here = tabs.indexOf(document.activeElement);
  const to = {ARROWS, Home: 0, End: tabs.length - 1}[event.key];
  if (to === undefined || here < 0) return;
  event.preventDefault();
  const tab = tabs[(to + tabs.length) % tabs.length];
  tab.focus();
  tab.click();
}"""
_SIDEWAYS = "ArrowRight: here + 1, ArrowLeft: here - 1"
ARROW_KEYS = rx.Var(_MOVE_FOCUS.replace("ARROWS", _SIDEWAYS))
STACKED_ARROW_KEYS = rx.Var(_MOVE_FOCUS.replace("ARROWS", f"{_SIDEWAYS}, ArrowDown: here + 1, ArrowUp: here - 1"))
"""For tabs that are one above the other in a wide window and side by side in a narrow one."""
_TAB = (
    "min-h-11 border-b-2 focus-visible:-outline-offset-2 border-transparent pt-0.5 text-ui whitespace-nowrap "
    "text-ink-2 hover:text-ink aria-selected:border-brand-text aria-selected:font-semibold aria-selected:text-ink"
)


def tabs(label: str, parts: list[tuple[str, str, rx.Component]], chosen: rx.Var[str], choose: Any) -> rx.Component:
    """`parts` are (key, name, panel); `choose` is the event that takes a key."""

    def tab(key: str, name: str) -> rx.Component:
        return rx.el.button(
            name,
            type="button",
            role="tab",
            id=f"tab-{key}",
            on_click=choose(key),
            aria_selected=rx.cond(chosen == key, "true", "false"),
            aria_controls=f"panel-{key}",
            tab_index=rx.cond(chosen == key, 0, -1),
            class_name=_TAB,
        )

    def tab_panel(key: str, content: rx.Component) -> rx.Component:
        return rx.el.div(
            content,
            role="tabpanel",
            id=f"panel-{key}",
            aria_labelledby=f"tab-{key}",
            tab_index=0,
            hidden=chosen != key,
            class_name="pt-5.5",
        )

    bar = rx.el.div(
        *[tab(key, name) for key, name, _ in parts],
        role="tablist",
        aria_label=label,
        custom_attrs={"onKeyDown": ARROW_KEYS},
        class_name="scrollbar-none flex gap-6 overflow-x-auto border-b border-line",
    )
    return rx.el.div(bar, *[tab_panel(key, content) for key, _, content in parts])
