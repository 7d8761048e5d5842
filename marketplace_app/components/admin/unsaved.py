"""Asks before a form with unsaved changes is left. Such a form has `data-changed`; its `data-leave` is the question."""

from typing import Any

import reflex as rx

from marketplace_app.framework.components import Imports

_CHANGED = 'const unsavedForm = () => document.querySelector("[data-changed][data-leave]");'
# Links, Back and Forward within the store. A navigation that replaces the history entry is not asked about: it comes
# from a button of the page, such as the first "Save product".
_ASK_WITHIN_THE_STORE = """
const leaving = useBlocker(({ currentLocation, nextLocation, historyAction }) => {
  const form = unsavedForm();
  if (!form || historyAction === "REPLACE" || currentLocation.pathname === nextLocation.pathname) return false;
  if (!confirm(form.dataset.leave)) return true;
  delete form.dataset.changed;
  return false;
});
useEffect(() => { if (leaving.state === "blocked") leaving.reset(); }, [leaving]);
"""
_ASK_BEFORE_UNLOAD = """
useEffect(() => {
  const ask = (event) => { if (unsavedForm()) event.preventDefault(); };
  addEventListener("beforeunload", ask);
  return () => removeEventListener("beforeunload", ask);
}, []);
"""


class AskBeforeLeaving(rx.Fragment):
    """Use it once per page: the router supports only one blocker at a time."""

    def add_imports(self) -> Imports:
        return {"react": "useEffect", "react-router": "useBlocker"}

    def add_hooks(self) -> list[str | rx.Var[Any]]:
        return [rx.Var(_CHANGED), rx.Var(_ASK_WITHIN_THE_STORE), rx.Var(_ASK_BEFORE_UNLOAD)]
