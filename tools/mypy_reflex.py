"""A mypy plugin for states: an attribute read on the class is a var of Reflex, on an instance it is the plain value.

- `CartState.count`, an `int`, is a `NumberVar[int]`; strings, booleans, lists and objects have their own kinds of var.
- `Var[CartRow]` has the fields of `CartRow`, each as a var. A misspelled one is an error.
- An attribute that a state does not declare cannot be assigned to one: Reflex's own `__setattr__` takes any name.
- `CartState.add` is an event handler, which may be called with a part of its arguments.
- `rx.cond` and `rx.match` of values are a var of what they are, of components a component. mypy reads only those
  overloads of `rx.cond` that are for components, and `rx.match` has none.
- `rx.EventHandler[...]` is the type of a component's prop. What the brackets hold is a function, and no type.
- `rx.Var("some JavaScript")` is a `Var[Any]`, as it is for Reflex, unless an annotation says more.

Private names and class variables stay what they are.
"""

from collections.abc import Callable, Sequence

from mypy.errorcodes import ATTR_DEFINED
from mypy.expandtype import expand_type_by_instance
from mypy.maptype import map_instance_to_supertype
from mypy.nodes import ARG_POS, MDEF, Argument, Decorator, FuncDef, MypyFile, SymbolTableNode, TypeInfo, Var
from mypy.plugin import (
    AnalyzeTypeContext,
    AttributeContext,
    ClassDefContext,
    FunctionContext,
    FunctionSigContext,
    Plugin,
)
from mypy.plugins.common import add_method_to_class
from mypy.typeops import make_simplified_union
from mypy.types import (
    AnyType,
    CallableType,
    Instance,
    LiteralType,
    NoneType,
    ProperType,
    TupleType,
    Type,
    TypedDictType,
    TypeOfAny,
    UninhabitedType,
    UnionType,
    get_proper_type,
)

_STATE = "reflex.state.BaseState"
_VAR = "reflex_base.vars.base.Var"
_NUMBER, _BOOLEAN = "reflex_base.vars.number.NumberVar", "reflex_base.vars.number.BooleanVar"
_STRING, _ARRAY = "reflex_base.vars.sequence.StringVar", "reflex_base.vars.sequence.ArrayVar"
_OBJECT = "reflex_base.vars.object.ObjectVar"
_HANDLER = "reflex_base.event.EventHandler"
_COND, _MATCH = "reflex_components_core.core.cond.cond", "reflex_components_core.core.match.match"
_BASE_COMPONENT, _COMPONENT = (f"reflex_base.components.component.{name}" for name in ("BaseComponent", "Component"))
_KINDS = {
    "builtins.bool": _BOOLEAN,
    "builtins.str": _STRING,
    "builtins.int": _NUMBER,
    "builtins.float": _NUMBER,
    "builtins.list": _ARRAY,
    "builtins.tuple": _ARRAY,
    "builtins.set": _ARRAY,
    "builtins.dict": _OBJECT,
}


class ReflexPlugin(Plugin):
    def get_additional_deps(self, file: MypyFile) -> list[tuple[int, str, int]]:
        """What the vars are made of is there wherever a state is."""
        if file.fullname != "reflex.state":
            return []
        return [(10, name.rpartition(".")[0], -1) for name in (_VAR, _NUMBER, _STRING, _OBJECT, _HANDLER)]

    def get_customize_class_mro_hook(self, fullname: str) -> Callable[[ClassDefContext], None] | None:
        return _open_to_fields if fullname == _VAR else None

    def get_base_class_hook(self, fullname: str) -> Callable[[ClassDefContext], None] | None:
        if self._class(fullname) is not None:
            self._close_states()
        return None

    def get_method_signature_hook(self, fullname: str) -> None:
        """Classes that come from mypy's cache have no base class hook."""
        if fullname.endswith(".get_state"):
            self._close_states()

    def _close_states(self) -> None:
        state = self._class(_STATE)
        if state is not None:
            state.names.pop("__setattr__", None)

    def get_type_analyze_hook(self, fullname: str) -> Callable[[AnalyzeTypeContext], Type] | None:
        return _handler_as_a_prop if fullname == _HANDLER else None

    def get_class_attribute_hook(self, fullname: str) -> Callable[[AttributeContext], Type] | None:
        owner, _, name = fullname.rpartition(".")
        info = self._class(owner)
        if info is None or name.startswith("_") or not info.has_base(_STATE):
            return None
        found = info.get(name)
        return (lambda context: self._read_on_class(context, found)) if found is not None else None

    def get_attribute_hook(self, fullname: str) -> Callable[[AttributeContext], Type] | None:
        owner, _, name = fullname.rpartition(".")
        if owner not in (_VAR, _OBJECT):
            return None
        info = self._class(owner)
        if info is None or info.get(name) is not None:
            return None
        return lambda context: self._field_of_var(context, name)

    def get_function_signature_hook(self, fullname: str) -> Callable[[FunctionSigContext], CallableType] | None:
        return self._choice_of_values if fullname == _COND else None

    def get_function_hook(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        if fullname == _VAR:
            return _var_of_anything
        return self._matched if fullname == _MATCH else None

    def _choice_of_values(self, context: FunctionSigContext) -> CallableType:
        signature = context.default_signature
        if len(context.args) != 3 or not all(context.args):
            return signature
        condition, *branches = (get_proper_type(context.api.get_expression_type(given)) for [given] in context.args)
        if any(isinstance(branch, AnyType) or _is_component(branch) for branch in branches):
            return signature
        return signature.copy_modified(arg_types=[condition, *branches], ret_type=self._one_of(branches))

    def _matched(self, context: FunctionContext) -> Type:
        cases = [get_proper_type(case) for case in context.arg_types[-1]]
        results = [get_proper_type(case.items[-1]) if isinstance(case, TupleType) else case for case in cases]
        if any(isinstance(result, AnyType) for result in results):
            return context.default_return_type
        if any(_is_component(result) for result in results):
            return self._instance(_COMPONENT)
        return self._one_of(results)

    def _one_of(self, values: Sequence[ProperType]) -> Type:
        contents = [_content(value) or value for value in values]
        kind = _kind_of_var(get_proper_type(make_simplified_union([_without_literal(each) for each in contents])))
        return self._instance(kind, make_simplified_union([_literal(each) for each in contents]))

    def _class(self, fullname: str) -> TypeInfo | None:
        found = self.lookup_fully_qualified(fullname)
        return found.node if found is not None and isinstance(found.node, TypeInfo) else None

    def _read_on_class(self, context: AttributeContext, found: SymbolTableNode) -> Type:
        given = get_proper_type(context.default_attr_type)
        if context.is_lvalue:
            return given
        if isinstance(found.node, Decorator):
            if isinstance(given, AnyType):
                return self._instance(_HANDLER)
            if isinstance(given, Instance) and given.type.has_base(_VAR) and given.args:
                return self._var_of(given.args[0])
            return given
        if isinstance(found.node, Var) and not found.node.is_classvar:
            return self._var_of(given)
        return given

    def _field_of_var(self, context: AttributeContext, name: str) -> Type:
        """The field of what the var stands for: that of a dataclass, say."""
        of = _content(_var_in(get_proper_type(context.type)))
        if isinstance(of, AnyType):
            return AnyType(TypeOfAny.from_another_any, source_any=of)
        if isinstance(of, Instance) and (field := _field(of, name)) is not None:
            return self._var_of(field)
        is_record = isinstance(of, Instance) and "dataclass" in of.type.metadata
        if not is_record and not isinstance(context.default_attr_type, AnyType):
            return context.default_attr_type
        context.api.fail(f'"{context.type}" has no attribute "{name}"', context.context, code=ATTR_DEFINED)
        return AnyType(TypeOfAny.from_error)

    def _var_of(self, content: Type) -> Type:
        kind = get_proper_type(content)
        if isinstance(kind, Instance) and kind.type.has_base(_VAR):
            return kind
        return self._instance(_kind_of_var(kind), content)

    def _instance(self, fullname: str, *args: Type) -> Instance:
        info = self._class(fullname)
        if info is None:
            raise LookupError(f"{fullname} is not where this plugin knows it to be")
        return Instance(info, args[: len(info.type_vars)])


def _open_to_fields(context: ClassDefContext) -> None:
    """mypy asks a plugin for an unknown attribute only where the class has `__getattr__`."""
    if "__getattr__" in context.cls.info.names:
        return
    text = context.api.named_type("builtins.str")
    argument = Argument(Var("name", text), text, None, ARG_POS)
    add_method_to_class(context.api, context.cls, "__getattr__", [argument], AnyType(TypeOfAny.special_form))


def _is_component(kind: ProperType) -> bool:
    if isinstance(kind, UnionType):
        return any(_is_component(part) for part in map(get_proper_type, kind.items))
    return isinstance(kind, Instance) and kind.type.has_base(_BASE_COMPONENT)


def _literal(kind: ProperType) -> ProperType:
    """A text written in the code is one of the texts that a prop of an element may take."""
    if isinstance(kind, Instance) and kind.type.fullname == "builtins.str" and kind.last_known_value is not None:
        return kind.last_known_value
    return _without_literal(kind)


def _without_literal(kind: ProperType) -> ProperType:
    if isinstance(kind, LiteralType):
        return kind.fallback
    return kind.copy_modified(last_known_value=None) if isinstance(kind, Instance) else kind


def _handler_as_a_prop(context: AnalyzeTypeContext) -> Type:
    """What stands in brackets is a function, by which Reflex checks a handler when it runs. It is no type."""
    return context.api.named_type(_HANDLER, [])


def _var_of_anything(context: FunctionContext) -> Type:
    made = get_proper_type(context.default_return_type)
    if isinstance(made, Instance) and any(isinstance(get_proper_type(of), UninhabitedType) for of in made.args):
        return made.copy_modified(args=[AnyType(TypeOfAny.explicit)])
    return made


def _var_in(kind: ProperType) -> ProperType:
    """A component may take a row or a var of it: the var is what mypy asks about."""
    if not isinstance(kind, UnionType):
        return kind
    parts = map(get_proper_type, kind.items)
    return next((part for part in parts if isinstance(part, Instance) and part.type.has_base(_VAR)), kind)


def _content(var: ProperType) -> ProperType | None:
    if not isinstance(var, Instance):
        return None
    base = next((base for base in var.type.mro if base.fullname == _VAR), None)
    if base is None:
        return None
    of = get_proper_type(map_instance_to_supertype(var, base).args[0])
    if isinstance(of, UnionType):
        parts = [part for part in map(get_proper_type, of.items) if not isinstance(part, NoneType)]
        return parts[0] if len(parts) == 1 else of
    return of


def _field(of: Instance, name: str) -> Type | None:

    found = of.type.get(name)
    if found is None or found.kind != MDEF:
        return None
    node = found.node
    if isinstance(node, Decorator) and node.var.is_property and isinstance(node.func, FuncDef):
        kind = get_proper_type(node.func.type)
        return kind.ret_type if isinstance(kind, CallableType) else None
    if not isinstance(node, Var) or node.type is None:
        return None
    return expand_type_by_instance(node.type, map_instance_to_supertype(of, node.info))


def _kind_of_var(kind: ProperType) -> str:
    if isinstance(kind, TypedDictType):
        return _OBJECT
    if isinstance(kind, TupleType):
        return _ARRAY
    if not isinstance(kind, Instance):
        return _VAR
    for base in kind.type.mro:
        if base.fullname in _KINDS:
            return _KINDS[base.fullname]
    return _OBJECT if "dataclass" in kind.type.metadata else _VAR


def plugin(version: str) -> type[Plugin]:
    return ReflexPlugin
