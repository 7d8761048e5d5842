"""A mypy plugin for states: an attribute read on the class is a var of Reflex; on an instance, it is the plain value.

- `CartState.count`, an `int`, is a `NumberVar[int]`; strings, booleans, lists and objects have their own kinds of var.
- `Var[CartRow]` has the fields of `CartRow`, each as a var. A misspelled one is an error.
- Assigning an attribute that the state does not declare is an error. Without the plugin it would pass, because Reflex's
  own `__setattr__` takes any name.
- `CartState.add` is an event handler, which may be called with a part of its arguments.
- `rx.EventHandler[...]` is the type of a component's prop. The brackets hold a function, not a type.
- `rx.Var("some JavaScript")` is a `Var[Any]`, as it is for Reflex, unless an annotation says more.

Private names and class variables stay what they are. For `rx.cond` and its like see `mypy_reflex_rendering.py`.
"""

from collections.abc import Callable

from mypy.errorcodes import ATTR_DEFINED
from mypy.expandtype import expand_type_by_instance
from mypy.maptype import map_instance_to_supertype
from mypy.nodes import (
    ARG_POS,
    MDEF,
    Argument,
    Decorator,
    FuncDef,
    MypyFile,
    SymbolTableNode,
    TypeInfo,
    Var,
)
from mypy.plugin import (
    AnalyzeTypeContext,
    AttributeContext,
    ClassDefContext,
    FunctionContext,
    Plugin,
)
from mypy.plugins.common import add_method_to_class
from mypy.types import (
    AnyType,
    CallableType,
    Instance,
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
VAR = "reflex_base.vars.base.Var"
NUMBER, _BOOLEAN = "reflex_base.vars.number.NumberVar", "reflex_base.vars.number.BooleanVar"
_STRING, _ARRAY = "reflex_base.vars.sequence.StringVar", "reflex_base.vars.sequence.ArrayVar"
_OBJECT = "reflex_base.vars.object.ObjectVar"
_HANDLER = "reflex_base.event.EventHandler"
_VAR_CLASSES = {
    "builtins.bool": _BOOLEAN,
    "builtins.str": _STRING,
    "builtins.int": NUMBER,
    "builtins.float": NUMBER,
    "builtins.list": _ARRAY,
    "builtins.tuple": _ARRAY,
    "builtins.set": _ARRAY,
    "builtins.dict": _OBJECT,
}


class VarsPlugin(Plugin):
    """Knows which kind of var Reflex makes of a type."""

    def var_of(self, of: Type) -> Type:
        kind = get_proper_type(of)
        if isinstance(kind, Instance) and kind.type.has_base(VAR):
            return kind
        return self.instance(kind_of_var(kind), of)

    def instance(self, fullname: str, *args: Type) -> Instance:
        info = self.class_named(fullname)
        if info is None:
            raise LookupError(f"{fullname} is not where this plugin knows it to be")
        return Instance(info, args[: len(info.type_vars)])

    def class_named(self, fullname: str) -> TypeInfo | None:
        found = self.lookup_fully_qualified(fullname)
        return found.node if found is not None and isinstance(found.node, TypeInfo) else None


class StatesPlugin(VarsPlugin):
    def get_additional_deps(self, file: MypyFile) -> list[tuple[int, str, int]]:
        """Loads the modules of the classes of vars and handlers wherever `reflex.state` is loaded."""
        if file.fullname != "reflex.state":
            return []
        return [(10, name.rpartition(".")[0], -1) for name in (VAR, NUMBER, _STRING, _OBJECT, _HANDLER)]

    def get_customize_class_mro_hook(self, fullname: str) -> Callable[[ClassDefContext], None] | None:
        return _add_getattr if fullname == VAR else None

    def get_base_class_hook(self, fullname: str) -> Callable[[ClassDefContext], None] | None:
        """mypy calls this for each base of a class that it analyses: early enough for the states of this run."""
        if self.class_named(fullname) is not None:
            self._forbid_undeclared_attributes()
        return None

    def get_method_signature_hook(self, fullname: str) -> None:
        """For states that come from mypy's cache, since mypy calls no base class hook for them."""
        if fullname.endswith(".get_state"):
            self._forbid_undeclared_attributes()

    def _forbid_undeclared_attributes(self) -> None:
        state = self.class_named(_STATE)
        if state is not None:
            state.names.pop("__setattr__", None)

    def get_type_analyze_hook(self, fullname: str) -> Callable[[AnalyzeTypeContext], Type] | None:
        return _handler_as_a_prop if fullname == _HANDLER else None

    def get_class_attribute_hook(self, fullname: str) -> Callable[[AttributeContext], Type] | None:
        owner, _, name = fullname.rpartition(".")
        info = self.class_named(owner)
        if info is None or name.startswith("_") or not info.has_base(_STATE):
            return None
        found = info.get(name)
        return (lambda context: self._read_on_class(context, found)) if found is not None else None

    def get_attribute_hook(self, fullname: str) -> Callable[[AttributeContext], Type] | None:
        owner, _, name = fullname.rpartition(".")
        if owner not in (VAR, _OBJECT):
            return None
        info = self.class_named(owner)
        if info is None or info.get(name) is not None:
            return None
        return lambda context: self._field_of_var(context, name)

    def get_function_hook(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        return _var_of_any if fullname == VAR else None

    def _read_on_class(self, context: AttributeContext, found: SymbolTableNode) -> Type:
        """The type of an attribute of a state that is read on the class: a handler, a var, or its own type."""
        given = get_proper_type(context.default_attr_type)
        if context.is_lvalue:
            return given
        if isinstance(found.node, Decorator):
            if isinstance(given, AnyType):
                return self.instance(_HANDLER)
            if isinstance(given, Instance) and given.type.has_base(VAR) and given.args:
                return self.var_of(given.args[0])
            return given
        if isinstance(found.node, Var) and not found.node.is_classvar:
            return self.var_of(given)
        return given

    def _field_of_var(self, context: AttributeContext, name: str) -> Type:
        """A field of what the var stands for, such as of a dataclass."""
        of = without_none(content_of(_var_part(get_proper_type(context.type))))
        if isinstance(of, AnyType):
            return AnyType(TypeOfAny.from_another_any, source_any=of)
        if isinstance(of, Instance) and (field := _field(of, name)) is not None:
            return self.var_of(field)
        is_record = isinstance(of, Instance) and "dataclass" in of.type.metadata
        if not is_record and not isinstance(context.default_attr_type, AnyType):
            return context.default_attr_type
        context.api.fail(f'"{context.type}" has no attribute "{name}"', context.context, code=ATTR_DEFINED)
        return AnyType(TypeOfAny.from_error)


def _add_getattr(context: ClassDefContext) -> None:
    """mypy asks a plugin for an unknown attribute only where the class has `__getattr__`."""
    if "__getattr__" in context.cls.info.names:
        return
    text = context.api.named_type("builtins.str")
    argument = Argument(Var("name", text), text, None, ARG_POS)
    add_method_to_class(context.api, context.cls, "__getattr__", [argument], AnyType(TypeOfAny.special_form))


def _handler_as_a_prop(context: AnalyzeTypeContext) -> Type:
    """The brackets hold a function, with which Reflex checks the handler at run time, not a type."""
    return context.api.named_type(_HANDLER, [])


def _var_of_any(context: FunctionContext) -> Type:
    """`Var[Any]` for a call of `rx.Var(...)` whose type argument mypy could not infer."""
    made = get_proper_type(context.default_return_type)
    if isinstance(made, Instance) and any(isinstance(get_proper_type(of), UninhabitedType) for of in made.args):
        return made.copy_modified(args=[AnyType(TypeOfAny.explicit)])
    return made


def _var_part(kind: ProperType) -> ProperType:
    """The var in a union such as `CartRow | Var[CartRow]`, which components may take; any other type as it is."""
    if not isinstance(kind, UnionType):
        return kind
    parts = map(get_proper_type, kind.items)
    return next((part for part in parts if isinstance(part, Instance) and part.type.has_base(VAR)), kind)


def content_of(var: ProperType) -> ProperType | None:
    """`CartRow` for a `Var[CartRow]`; None for what is not a var."""
    if not isinstance(var, Instance):
        return None
    base = next((base for base in var.type.mro if base.fullname == VAR), None)
    return get_proper_type(map_instance_to_supertype(var, base).args[0]) if base is not None else None


def without_none(kind: ProperType | None) -> ProperType | None:
    """The type without None, unless it is a union of several other types."""
    if not isinstance(kind, UnionType):
        return kind
    parts = [part for part in map(get_proper_type, kind.items) if not isinstance(part, NoneType)]
    return parts[0] if len(parts) == 1 else kind


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


def kind_of_var(kind: ProperType) -> str:
    """The full name of the class of var that Reflex makes of this type."""
    if isinstance(kind, TypedDictType):
        return _OBJECT
    if isinstance(kind, TupleType):
        return _ARRAY
    if not isinstance(kind, Instance):
        return VAR
    for base in kind.type.mro:
        if base.fullname in _VAR_CLASSES:
            return _VAR_CLASSES[base.fullname]
    return _OBJECT if "dataclass" in kind.type.metadata else VAR


def plugin(version: str) -> type[Plugin]:
    return StatesPlugin
