"""Navigation between pages: moves the focus to the new page's heading, and remembers where in the history the list of
products was.

The focused element was removed with the old page. Without this the focus falls back to the body: a screen reader does
not announce the new page, and keyboard users start at the top again.
"""

from typing import Any

import reflex as rx

from marketplace_app.framework.components import Imports

# The heading may be replaced once the page has loaded: the current one is focused until the user acts,
# for at most five seconds.
_FOCUS_HEADING = """
useEffect(() => {
  const pathBefore = window.storePath;
  window.storePath = location.pathname;
  const focusedBefore = document.activeElement;
  if (pathBefore === undefined || pathBefore === location.pathname) return;
  if (focusedBefore?.matches("input, textarea, select")) return;
  const focusHeading = () => {
    const heading = document.querySelector("main h1");
    const focused = document.activeElement;
    if (!heading || heading === focused) return;
    if (focused && focused !== document.body && focused !== focusedBefore) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  };
  const observer = new MutationObserver(focusHeading);
  const stop = () => { observer.disconnect(); clearTimeout(timeout); };
  const timeout = setTimeout(stop, 5_000);
  observer.observe(document.body, { childList: true, subtree: true });
  addEventListener("keydown", stop, { capture: true, once: true });
  addEventListener("pointerdown", stop, { capture: true, once: true });
  focusHeading();
  return stop;
}, [location.pathname]);
"""

# Where in the browser's history the list of products was last, for "Back to Products" (`assets/session.js`). It is
# forgotten on a page that does not come after the list: the visitor went back past it, or the page replaced it.
_REMEMBER_LIST = """
useEffect(() => {
  const at = history.state?.idx ?? 0;
  const list = sessionStorage.getItem("list");
  if (location.pathname === "/") sessionStorage.setItem("list", at);
  else if (list !== null && Number(list) >= at) sessionStorage.removeItem("list");
}, [location.key]);
"""


class FocusOnNavigation(rx.Fragment):
    """Used once per page. Also remembers where in the history the list of products was."""

    def add_imports(self) -> Imports:
        return {"react": "useEffect", "react-router": "useLocation"}

    def add_hooks(self) -> list[str | rx.Var[Any]]:
        return [rx.Var("const location = useLocation()"), rx.Var(_FOCUS_HEADING), rx.Var(_REMEMBER_LIST)]
