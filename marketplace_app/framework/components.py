"""What components need beyond Reflex's documented interface.

Relies on `Component._exclude_props()`, on `ImportDict`, on `ErrorBoundary` and on `has_too_many_connection_errors`, the
condition under which Reflex shows its own connection banner; none is exported. Also relies on the priorities of the app
wraps, on `Component.get_ref()` and on the mark of a var in a formatted string.
"""

from collections.abc import Callable
from typing import Any, ClassVar

import reflex as rx
from reflex_base.constants import REFLEX_VAR_OPENING_TAG
from reflex_base.utils.imports import ImportDict
from reflex_components_core.base.error_boundary import ErrorBoundary
from reflex_components_core.core.banner import has_too_many_connection_errors

Imports = ImportDict
"""The type that `add_imports()` returns: the names that a component's hooks need, by package."""
AppWrap = Callable[[bool], rx.Component | None]
ERROR_BOUNDARY, OVERLAY = (55, "ErrorBoundary"), (5, "Overlay")
"""Priority and name of Reflex's own wraps: a wrap with the same key replaces Reflex's."""


class HookProps:
    """First base class of a component with props that only its hooks read: they are not passed to the element."""

    hook_props: ClassVar[tuple[str, ...]] = ()

    def _exclude_props(self) -> list[str]:
        return [*super()._exclude_props(), *self.hook_props]  # type: ignore[misc]


def inline_style(**properties: Any) -> dict[str, Any]:
    """Props that give an element a `style` attribute; names of properties as in JavaScript.

    Reflex's own `style` needs Emotion, which is not part of the build (`framework/lean_build/`).
    """
    return {"custom_attrs": {"style": rx.Var.create(properties)}}


def error_boundary(*content: Any, fallback: rx.Component, **props: Any) -> rx.Component:
    """Shows `fallback` if rendering `content` fails. In `fallback`, `event_args.error` is the JavaScript error."""
    boundary: rx.Component = ErrorBoundary.create(*content, fallback_render=rx.Var.create(fallback), **props)
    return boundary


def is_connection_lost() -> rx.Var[bool]:
    """Whether opening the socket has failed several times in a row."""
    is_lost: rx.Var[bool] = has_too_many_connection_errors
    return is_lost


def app_wraps(*, error_boundary: AppWrap, overlay: AppWrap) -> dict[tuple[int, str], AppWrap]:
    """For `rx.App(extra_app_wraps=...)`: replaces Reflex's own. Each is called with whether the app has state."""
    return {ERROR_BOUNDARY: error_boundary, OVERLAY: overlay}


def make_no_refs_of_varying_ids() -> None:
    """Gives elements whose `id` contains a var (`f"pick-{row.id}"`) no React ref. To be called before pages are built.

    Reflex would make one ref for all rows, which nothing can use, and name it after a hash that differs in each build:
    two builds of one version would have different scripts.
    """
    component_class: Any = rx.Component
    get_ref_of_reflex = rx.Component.get_ref

    def get_ref(component: rx.Component) -> str | None:
        is_varying = isinstance(component.id, str) and REFLEX_VAR_OPENING_TAG in component.id
        return None if is_varying else get_ref_of_reflex(component)

    component_class.get_ref = get_ref
