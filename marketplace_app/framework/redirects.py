"""Redirects that a tab follows only from certain URLs. Reflex's own are followed from wherever the tab is by then.

Relies on `EventSpec.with_args()`. `from` is read by Reflex's script in the browser, as `state_script.py` changes it.
"""

from collections.abc import Iterable

import reflex as rx
from reflex_base.event import EventSpec
from reflex_base.vars import LiteralVar, Var


def redirect_from(urls: Iterable[str], path: str, *, replace: bool = False) -> EventSpec:
    """`urls`: paths with their queries, as the browser writes them."""
    redirect = rx.redirect(path, replace=replace)
    return redirect.with_args((*redirect.args, (Var("from"), LiteralVar.create(list(urls)))))
