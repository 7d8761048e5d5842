"""What the site map says of each page."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import reflex as rx


@dataclass(frozen=True)
class Page:
    route: str
    view: Callable[[], rx.Component]
    title: str | rx.Var[str]
    on_load: tuple[Any, ...] = ()
    is_shop: bool = True
    """Has the shop's header, which shows the cart. Admin pages show it only to visitors without access."""
    is_static: bool = False
    """Served without Reflex's scripts (`framework/static_pages.py`): nothing on it may need a state."""
