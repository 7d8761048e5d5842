"""A mypy plugin for what is rendered depending on the value of a var: `rx.cond`, `rx.match` and `rx.foreach`.

- Given values, `rx.cond` and `rx.match` return a var of the values' type; given components, a component. mypy
  reads only the overloads of `rx.cond` for components, and `rx.match` has no overloads.
- The function given to `rx.foreach` takes a var of an item and, if it takes two arguments, the item's place.
"""

from collections.abc import Callable, Sequence

from mypy.nodes import ARG_POS, Expression, LambdaExpr
from mypy.plugin import FunctionContext, FunctionSigContext, Plugin
from mypy.typeops import make_simplified_union
from mypy.types import (
    AnyType,
    CallableType,
    Instance,
    LiteralType,
    ProperType,
    TupleType,
    Type,
    TypeOfAny,
    UnionType,
    get_proper_type,
)
from mypy_reflex import NUMBER, VarsPlugin, content_of, kind_of_var, without_none

_COND, _MATCH = "reflex_components_core.core.cond.cond", "reflex_components_core.core.match.match"
_FOREACH = "reflex_components_core.core.foreach.foreach"
_BASE_COMPONENT, _COMPONENT = (f"reflex_base.components.component.{name}" for name in ("BaseComponent", "Component"))


class RenderingPlugin(VarsPlugin):
    def get_function_signature_hook(self, fullname: str) -> Callable[[FunctionSigContext], CallableType] | None:
        return {_COND: self._choice_of_values, _FOREACH: self._each}.get(fullname)

    def get_function_hook(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        return self._matched if fullname == _MATCH else None

    def _choice_of_values(self, context: FunctionSigContext) -> CallableType:
        signature = context.default_signature
        if len(context.args) != 3 or not all(context.args):
            return signature
        condition, *branches = (get_proper_type(context.api.get_expression_type(given)) for [given] in context.args)
        if any(isinstance(branch, AnyType) or _is_component(branch) for branch in branches):
            return signature
        return signature.copy_modified(arg_types=[condition, *branches], ret_type=self._one_of(branches))

    def _each(self, context: FunctionSigContext) -> CallableType:
        signature = context.default_signature
        if not all(context.args):
            return signature
        [[iterable], [function]] = context.args
        item = _item(without_none(content_of(get_proper_type(context.api.get_expression_type(iterable)))))
        if item is None:
            return signature
        given = [self.var_of(item), self.instance(NUMBER, context.api.named_generic_type("builtins.int", []))]
        taken = given[: _count_of_parameters(context, function)]
        shown = CallableType(
            taken,
            [ARG_POS] * len(taken),
            [None] * len(taken),
            AnyType(TypeOfAny.explicit),
            context.api.named_generic_type("builtins.function", []),
        )
        return signature.copy_modified(arg_types=[signature.arg_types[0], shown])

    def _matched(self, context: FunctionContext) -> Type:
        cases = [get_proper_type(case) for case in context.arg_types[-1]]
        results = [get_proper_type(case.items[-1]) if isinstance(case, TupleType) else case for case in cases]
        if any(isinstance(result, AnyType) for result in results):
            return context.default_return_type
        if any(_is_component(result) for result in results):
            return self.instance(_COMPONENT)
        return self._one_of(results)

    def _one_of(self, values: Sequence[ProperType]) -> Type:
        contents = [content_of(value) or value for value in values]
        kind = kind_of_var(get_proper_type(make_simplified_union([_without_literal(each) for each in contents])))
        return self.instance(kind, make_simplified_union([_literal(each) for each in contents]))


def _item(iterable: ProperType | None) -> Type | None:
    """None if Reflex does not iterate over plain items: of a dictionary, for example, it takes pairs."""
    if isinstance(iterable, TupleType):
        return make_simplified_union(iterable.items)
    if not isinstance(iterable, Instance) or len(iterable.args) != 1:
        return None
    return iterable.args[0] if iterable.type.has_base("typing.Iterable") else None


def _count_of_parameters(context: FunctionSigContext, function: Expression) -> int:
    if isinstance(function, LambdaExpr):
        return len(function.arguments)
    kind = get_proper_type(context.api.get_expression_type(function))
    return len(kind.arg_types) if isinstance(kind, CallableType) else 1


def _is_component(kind: ProperType) -> bool:
    if isinstance(kind, UnionType):
        return any(_is_component(part) for part in map(get_proper_type, kind.items))
    return isinstance(kind, Instance) and kind.type.has_base(_BASE_COMPONENT)


def _literal(kind: ProperType) -> ProperType:
    """Keep the literal type of a string that is written in the code: some props accept only certain strings."""
    if isinstance(kind, Instance) and kind.type.fullname == "builtins.str" and kind.last_known_value is not None:
        return kind.last_known_value
    return _without_literal(kind)


def _without_literal(kind: ProperType) -> ProperType:
    if isinstance(kind, UnionType):
        return get_proper_type(
            make_simplified_union([_without_literal(part) for part in map(get_proper_type, kind.items)])
        )
    if isinstance(kind, LiteralType):
        return kind.fallback
    return kind.copy_modified(last_known_value=None) if isinstance(kind, Instance) else kind


def plugin(version: str) -> type[Plugin]:
    return RenderingPlugin
