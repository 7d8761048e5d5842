"""Contract with Reflex: what a JavaScript expression brings along into the page it is used on."""

import inspect

import reflex as rx
from reflex_base.vars import Var, VarData

from marketplace_app.framework.expressions import expression, function_of
from marketplace_app.states.buying.cart import CartState


def test_reflex_has_what_expressions_are_made_of() -> None:
    assert {"_js_expr", "_var_type", "_var_data"} <= set(inspect.signature(Var).parameters)
    assert {"imports", "hooks"} <= set(inspect.signature(VarData.__init__).parameters)
    assert callable(Var._get_all_var_data)
    assert callable(VarData.merge)


def test_an_expression_brings_its_hook_what_that_imports_and_the_state_of_its_vars() -> None:
    hook = "const [isOpen, open] = useState(false);"
    shown = expression("isOpen", bool, uses=[CartState.count], react=["useState"], hook=hook).bool()
    built = rx.el.p(rx.cond(shown, "open", "closed"))
    assert hook in built._get_all_hooks()
    data = shown._get_all_var_data()
    assert data is not None
    assert any(f'useStateContext("{CartState.get_full_name()}")' in each for each in data.hooks)
    assert "useState" in {each.tag for each in built._get_all_imports()["react"]}
    assert "isOpen" in str(built)


def test_an_expression_alone_brings_nothing() -> None:
    assert expression("'text'", str)._get_all_var_data() is None
    assert str(expression("'text'", str)) == "'text'"


def test_a_function_of_an_event_sends_it() -> None:
    call = function_of(CartState.add(1))
    assert "cart_state.add" in str(call)
    assert "addEvents" in str(call)
    assert call._get_all_var_data() is not None
