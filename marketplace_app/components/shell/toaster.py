"""Toasts: sonner, driven by state and by the store's own scripts.

Reflex's toasts are strings that the browser evals, which the content security policy forbids. So a state var carries
the message, and an effect shows it once for each new `toast_at`. Likewise, each new `leave_at` opens `href` once.
Scripts in `assets/` call `window.storeToast` (components/shell/script_messages.py); a message for the next document
waits in session storage as `flash`.
"""

from typing import Any

import reflex as rx

from marketplace_app.components.controls.icons import icon
from marketplace_app.framework.components import HookProps
from marketplace_app.states.events.signal import SignalState

TOAST_MS = 5_000

_SHOW = f"""
const show = useCallback(({{kind, title, text}}) => {{
  const layer = document.getElementById("toasts");
  if (document.querySelector("dialog:modal")) layer.hidePopover();
  if (!layer.matches(":popover-open")) layer.showPopover();
  const isError = kind === "error";
  const content = createElement("div", {{role: isError ? "alert" : "status"}},
    createElement("b", {{className: "block text-ui font-semibold"}}, title),
    text ? createElement("span", {{className: "block text-pretty text-ink-2"}}, text) : null);
  (isError ? toast.error : toast.success)(content, {{id: "main", duration: {TOAST_MS}}});
}}, [])
"""

_FROM_SCRIPTS = """
useEffect(() => {
  const drain = () => { for (const message of (window.storeToasts || []).splice(0)) show(message); };
  try {
    const flash = JSON.parse(sessionStorage.getItem("flash"));
    if (flash && flash.from !== performance.timeOrigin) {
      sessionStorage.removeItem("flash");
      show(flash);
    }
  } catch { /* not ours */ }
  drain();
  window.addEventListener("store:toast", drain);
  return () => window.removeEventListener("store:toast", drain);
}, [show])
"""


def _once(key: str, stamp: rx.Var[int], action: str) -> str:
    """An effect that acts once for each new stamp, such as `toast_at`; a reload does not repeat it."""
    return (
        f"useEffect(() => {{ if ({stamp} > Number(sessionStorage.getItem('{key}') || 0)) "
        f"{{ sessionStorage.setItem('{key}', String({stamp})); {action} }} }}, [{stamp}])"
    )


class Toaster(HookProps, rx.Component):
    library = "sonner@2.0.8"
    tag = "Toaster"
    hook_props = ("toast_at", "kind", "heading", "text", "leave_at", "href", "after_ms")

    position: rx.Var[str]
    visible_toasts: rx.Var[int]
    close_button: rx.Var[bool]
    toast_options: rx.Var[dict[str, Any]]
    icons: rx.Var[dict[str, Any]]

    toast_at: rx.Var[int]
    kind: rx.Var[str]
    heading: rx.Var[str]
    text: rx.Var[str]
    leave_at: rx.Var[int]
    href: rx.Var[str]
    after_ms: rx.Var[int]

    def add_imports(self) -> dict[str, Any]:
        return {"sonner@2.0.8": [rx.ImportVar(tag="toast")], "react": ["createElement", "useCallback", "useEffect"]}

    def add_hooks(self) -> list[str | rx.Var[Any]]:
        message = f"{{kind: {self.kind}, title: {self.heading}, text: {self.text}}}"
        leave = f"setTimeout(() => window.location.assign({self.href}), {self.after_ms})"
        hooks = [
            _SHOW,
            _FROM_SCRIPTS,
            _once("toast", self.toast_at, f"show({message})"),
            _once("leave", self.leave_at, leave),
        ]
        return [rx.Var(hook) for hook in hooks]


# Radix closes an open panel when something outside it, such as a toast, is pressed. React and Radix both listen on the
# document, React first: if its listener stops a press, Radix does not hear of it.
_KEEP_PANEL_OPEN = rx.Var("(event) => event.nativeEvent.stopImmediatePropagation()")
_CLASS_NAMES = {
    "toast": (
        "flex w-full items-start gap-3 rounded-3 border border-line bg-surface py-3.5 pr-12 pl-4 text-small "
        "text-ink shadow-over"
    ),
    "icon": "mt-0.5 flex-none",
    "closeButton": "absolute top-1 right-1 grid size-11 place-items-center rounded-2 hover:bg-wash",
}


def toaster() -> rx.Component:
    """One for the whole app (`rx.App(toaster=toaster())`), so that a toast outlives a change of page.

    It lies in a popover, because only the browser's top layer is above an open age gate.
    """
    return rx.el.div(
        Toaster.create(
            position="bottom-right",
            visible_toasts=1,
            close_button=True,
            toast_options={"unstyled": True, "classNames": _CLASS_NAMES, "closeButtonAriaLabel": "Close"},
            icons={
                "success": icon("check", class_name="text-ok"),
                "error": icon("alert", class_name="text-bad"),
                "close": icon("close", "sm"),
            },
            toast_at=SignalState.toast_at,
            kind=SignalState.kind,
            heading=SignalState.title,
            text=SignalState.text,
            leave_at=SignalState.leave_at,
            href=SignalState.href,
            after_ms=SignalState.after_ms,
        ),
        id="toasts",
        custom_attrs={"popover": "manual", "onPointerDown": _KEEP_PANEL_OPEN},
    )
