"""JavaScript in a component: expressions that need a hook of React, or vars of the state.

Relies on `Var(_var_type=, _var_data=)`, `Var._get_all_var_data()` and `VarData`, which Reflex mentions only in passing.
They add the imports, hooks and contexts that an expression needs to each component that uses it.
"""

from collections.abc import Iterable
from typing import Any

import reflex as rx
from reflex_base.vars import VarData


def expression(
    code: str, type: Any = Any, *, uses: Iterable[rx.Var[Any]] = (), react: Iterable[str] = (), hook: str = ""
) -> rx.Var[Any]:
    """`code` is written into the page unchanged. `uses`: the vars that occur in it or in its hook.

    `hook` runs once per component, before its content. `react`: what the hook imports from React, such as `useState`.
    """
    data = [var._get_all_var_data() for var in uses]
    if hook:
        data.append(VarData(imports={"react": list(react)}, hooks={hook: None}))
    return rx.Var(code, _var_type=type, _var_data=VarData.merge(*data))


def function_of(event: Any) -> rx.Var[Any]:
    """A JavaScript function that sends this event, to be called within an expression."""
    return rx.Var.create(rx.EventChain.create(event, args_spec=rx.event.no_args_event_spec))
