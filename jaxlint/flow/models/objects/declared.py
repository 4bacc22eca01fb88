"""Values of which nothing is known but what an annotation says: of a parameter, a field, a variable or a result."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache

from jaxlint.flow.domain.values import (
    ABSTRACT,
    FREE,
    NONE,
    Array,
    ClassValue,
    Const,
    External,
    ExternalInstance,
    Function,
    Instance,
    Opaque,
    Static,
    Stream,
    Tree,
    Tuple,
    Union,
    Value,
)
from jaxlint.flow.limits import MOST_CLASSES
from jaxlint.flow.models.keys import keys
from jaxlint.flow.models.objects import classes
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.modules import is_abstract, parameters
from jaxlint.flow.source.trees import descendants
from jaxlint.semantics import libraries

ARRAY_TYPES = frozenset(
    "jax.Array jax.numpy.ndarray chex.Array chex.ArrayDevice jaxtyping.Array flax.typing.Array jax.typing.Array".split()
)
_ANY_ARRAY = ARRAY_TYPES | frozenset(
    "numpy.ndarray numpy.typing.NDArray numpy.typing.ArrayLike jax.typing.ArrayLike chex.ArrayNumpy".split()
)
_NUMBER_TYPES = frozenset(("builtins.int", "builtins.float", "builtins.bool"))
_STATIC_TYPES = _NUMBER_TYPES | {"builtins.str"}


def annotated(it: Interpreter, parameter: ast.arg, function: Function) -> Value:
    """An unknown value of the parameter's annotated type; what differentiates inside of the function leaves it alone,
    unless it is told to differentiate it."""
    value = _annotated(it, parameter, function)
    if it.ctx.parent is None and isinstance(value, Opaque):
        value.free = FREE
    elif it.ctx.parent is None and isinstance(value, Array):
        value.flat = FREE
    return value


def _annotated(it: Interpreter, parameter: ast.arg, function: Function) -> Value:
    node = parsed(parameter.annotation)
    if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)):
        value = it.eval_annotation(node, function)
        if isinstance(value, External) and value.name in ARRAY_TYPES:
            return Array(declared=True)
        if isinstance(value, External) and value.name in _STATIC_TYPES:
            return Static(value.name.removeprefix("builtins."))
        if isinstance(value, ClassValue) and classes.is_named_tuple(value) and classes.fields_in_order(value):
            return unknown_record(it, value)
    found = object_of(it, node, function, derived=False)
    return found if found is not None else Opaque(parameter.arg, holds=declared_items(it, node, function))


def may_be_arrays(it: Interpreter, parameter: ast.arg, function: Function) -> bool:
    """Whether an annotation leaves it open that a caller passes arrays, or trees of them; None is neither."""
    members = [member for member in _members(it, parameter.annotation, function) if not _is_none(member)]
    return not members or not all(_names_no_array(it, member, function) for member in members)


def is_array(it: Interpreter, parameter: ast.arg, function: Function) -> bool:
    """Whether an annotation says that it is an array, of JAX or NumPy, or None."""
    members = [member for member in _members(it, parameter.annotation, function) if not _is_none(member)]
    return bool(members) and all(_names_array(it, member, function) for member in members)


def _names_array(it: Interpreter, member: ast.expr | None, function: Function) -> bool:
    found = it.eval_annotation(member, function) if isinstance(member, _NAMES) else None
    if isinstance(member, ast.Subscript) and not isinstance(found, External):
        found = it.eval_annotation(member.value, function)  # `NDArray[np.float32]`
    return isinstance(found, External) and found.name in _ANY_ARRAY


def _names_no_array(it: Interpreter, member: ast.expr | None, function: Function) -> bool:
    named = member.value if isinstance(member, ast.Subscript) else member
    found = it.eval_annotation(named, function) if isinstance(named, _NAMES) else None
    if isinstance(found, ClassValue):
        return not classes.is_pytree(it, found) and not classes.is_named_tuple(found)
    return isinstance(found, External) and found.name in _NO_ARRAYS


def _is_none(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


_NO_ARRAYS = frozenset("builtins.str builtins.bytes builtins.type typing.Callable collections.abc.Callable".split())


def traced_record(it: Interpreter, value: Tree, cls: ClassValue) -> Value:
    """The fields of a traced NamedTuple, each traced as the whole is."""
    names = classes.fields_in_order(cls)
    if not names:
        return value
    record = Tuple(tuple(traced_field(it, value, cls, name) for name in names), tuple(names), cls)
    record.declared = True
    return record


def unknown_record(it: Interpreter, cls: ClassValue) -> Value:
    """A NamedTuple that some caller passes: arrays and numbers where the class says so."""
    names = classes.fields_in_order(cls) or ()
    items = (unknown_field(it, cls, name, numbers=True) or Opaque(name) for name in names)
    record = Tuple(tuple(items), tuple(names), cls)
    record.declared = True
    return record


def unknown_field(it: Interpreter, cls: ClassValue, name: str, numbers: bool = False) -> Value | None:
    """What a field of an object holds of which nothing is known, if its class says that it is an array."""
    field = classes.field_node(cls, name)
    named = _named_by(it, *field) if field is not None else ""
    if numbers and named in _STATIC_TYPES:
        return Static(named.removeprefix("builtins."))
    return Array(declared=True) if named in ARRAY_TYPES else None


def traced_field(it: Interpreter, value: Tree, cls: ClassValue, name: str) -> Value:
    """A field of what is traced as a whole, as far as the class says what it holds."""
    part = value.part(("attr", name), value.sure)
    named = _named_by(it, *field) if (field := classes.field_node(cls, name)) is not None else ""
    if not isinstance(part, Tree):
        return part
    if named in _NUMBER_TYPES and part.level == ABSTRACT:
        return _number(part, named)
    is_array = named in ARRAY_TYPES
    return Array(part.level, part.provenance, key=part.key, declared=True) if is_array else part


def declared_field(it: Interpreter, part: Tree, owner: ClassValue, node: ast.AnnAssign) -> Value:
    """The part of a traced object that a field of its class is declared to hold."""
    named = _named_by(it, owner, node)
    if named in _NUMBER_TYPES and part.level == ABSTRACT and part.sure:
        return _number(part, named)
    part.array_like = part.sure and named in ARRAY_TYPES
    return part


def _named_by(it: Interpreter, owner: ClassValue, node: ast.AnnAssign) -> str:
    """What outside of the program the annotation of a field names."""
    written = parsed(node.annotation)
    named = it.eval_annotation(written, owner) if isinstance(written, _NAMES) else None
    return named.name if isinstance(named, External) else ""


def _number(part: Tree, named: str) -> Array:
    """A number, of which there is one for each lane where the whole was mapped."""
    return Array(part.level, part.provenance, named.removeprefix("builtins."), key=part.key)


def object_of(
    it: Interpreter, node: ast.expr | None, owner: Function | ClassValue, derived: bool = True
) -> Value | None:
    """An object of the class that an annotation names, or of one of several: classes of the project, and those of
    libraries whose methods use keys.  None where it names anything else.  ``derived``: or of a class derived from one
    that replaces its methods."""
    options: list[Value] = []
    for member in _members(it, node, owner):
        value = it.eval_annotation(member, owner) if isinstance(member, _NAMES) else None
        if isinstance(value, ClassValue) and not classes.is_named_tuple(value):
            found = _versions(it, value) if derived else [value]
            options += [Instance(cls, None, symbolic=True) for cls in found]
        elif isinstance(value, External) and it.has_methods(value.name):
            options.append(ExternalInstance(value.name, birth=it.ctx))
        elif isinstance(value, External) and value.name in libraries.STREAMS:
            options.append(Stream(value.name))
        elif isinstance(member, ast.Constant) and member.value is None:
            options.append(NONE)
        else:
            return None
    if not options or len(options) > MOST_CLASSES.value or all(isinstance(option, Const) for option in options):
        return None
    return options[0] if len(options) == 1 else Union(tuple(options))


def _versions(it: Interpreter, cls: ClassValue) -> list[ClassValue]:
    """A class, and those derived from it that replace a method of it which does anything."""
    members = {
        name: member
        for part in reversed(classes.linearized(cls))
        for name, member in it.state.read(part.frame).items()
        if isinstance(member, Function) and (name == "__call__" or not name.startswith("__"))
    }
    given = [name for name, member in members.items() if not is_abstract(member.node)]
    others = [other for other in it.all_classes(cls) if other is not cls and cls in classes.linearized(other)]
    return [
        cls,
        *(
            other
            for other in others
            if any(classes.find_member(it, other, name) is not members[name] for name in given)
        ),
    ]


_NAMES = (ast.Name, ast.Attribute, ast.Subscript)


def _members(it: Interpreter, node: ast.expr | None, owner: Function | ClassValue) -> Iterator[ast.expr | None]:
    """The types of which an annotation means any: `A | B`, `Union[A, B]`, `Optional[A]`."""
    node = parsed(node)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        yield from _members(it, node.left, owner)
        yield from _members(it, node.right, owner)
        return
    generic = it.eval_annotation(node.value, owner) if isinstance(node, ast.Subscript) else None
    if not isinstance(node, ast.Subscript) or not isinstance(generic, External) or generic.name not in _UNIONS:
        yield node
        return
    for part in node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]:
        yield from _members(it, part, owner)
    if generic.name == "typing.Optional":
        yield ast.Constant(None)


_UNIONS = frozenset(("typing.Union", "typing.Optional"))


def declared_result(it: Interpreter, function: Value) -> Value | None:
    """The object that a function is declared to return, if its class is known.  Under a trace only a library's is taken
    for that: one of the project may hold tracers."""
    node = getattr(function.node, "returns", None) if isinstance(function, Function) else None
    if node is None or not isinstance(function, Function):
        return None
    found = object_of(it, node, function)
    return None if it.ctx.staging and not isinstance(found, ExternalInstance) else found


def as_declared(it: Interpreter, function: Function, result: Value) -> Value:
    """What a function has returned, as the object that it is declared to return where nothing else is known of it."""
    if not isinstance(result, Opaque) or result.of_host or keys.is_known_key(result):
        return result
    found = declared_result(it, function)
    return found if found is not None else result


_GENERIC_TYPES = {
    **dict.fromkeys("builtins.dict typing.Dict typing.Mapping collections.abc.Mapping".split(), "mapping"),
    **dict.fromkeys(
        "builtins.list builtins.tuple typing.List typing.Tuple typing.Sequence collections.abc.Sequence".split(),
        "sequence",
    ),
}


def declared_items(it: Interpreter, node: ast.expr | None, function: Function) -> str:
    """What ``dict[str, jax.Array]`` and ``list[dict[str, jax.Array]]`` hold arrays in: see `Tree.holds`."""
    if not isinstance(node, ast.Subscript):
        return ""
    generic = it.eval_annotation(node.value, function)
    kind = _GENERIC_TYPES.get(generic.name, "") if isinstance(generic, External) else ""
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    items = parts[1:] if kind == "mapping" else [part for part in parts if not _is_ellipsis(part)]
    if not kind or not items:
        return ""
    if all(_is_array_type(it, item, function) for item in items):
        return kind
    inner = {declared_items(it, item, function) for item in items}
    return f"{kind} {inner.pop()}" if len(inner) == 1 and "" not in inner else ""


def _is_array_type(it: Interpreter, node: ast.expr, function: Function) -> bool:
    found = it.eval_annotation(node, function) if isinstance(node, (ast.Name, ast.Attribute)) else None
    return isinstance(found, External) and found.name in ARRAY_TYPES


def _is_ellipsis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is ...


def parsed(node: ast.expr | None) -> ast.expr | None:
    """The annotation, also where it is written as a string."""
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
        return node
    return _parsed_text(node.value)


@cache
def _parsed_text(text: str) -> ast.expr | None:
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError):
        return None


def _defaults(function: Function) -> Iterator[tuple[str, Value]]:
    """The parameters that have a default, with that."""
    spec = function.node.args
    ordered = [*spec.posonlyargs, *spec.args]
    for parameter, default in zip(ordered[len(ordered) - len(function.defaults) :], function.defaults):
        yield parameter.arg, default
    for parameter, other in zip(spec.kwonlyargs, function.kw_defaults):
        if other is not None:
            yield parameter.arg, other


def unknown_arguments(it: Interpreter, function: Function, receiver: Value | None = None) -> dict[str, Value]:
    """A value for each parameter, as far as the annotation tells: what is called by default is what a caller leaves."""
    spec = function.node.args
    named = parameters(function.node)
    bound = {parameter.arg: annotated(it, parameter, function) for parameter in named}
    bound.update({name: default for name, default in _defaults(function) if isinstance(default, Function)})
    if receiver is not None and named and function.kind != "static":
        bound[named[0].arg] = receiver
    if spec.vararg is not None:
        bound[spec.vararg.arg] = Opaque(spec.vararg.arg)
    if spec.kwarg is not None:
        bound[spec.kwarg.arg] = Opaque(spec.kwarg.arg)
    return bound


def declared_class(it: Interpreter, written: ast.expr) -> Value | None:
    """What a parameter of the function that runs is declared to be, if it is never bound to anything else there."""
    function = it.activation.function
    if not isinstance(written, ast.Name) or function is None or it.activation.frame is not it.frame:
        return None
    parameter = next((one for one in parameters(function.node) if one.arg == written.id), None)
    annotation = parsed(parameter.annotation) if parameter is not None else None
    if not isinstance(annotation, (ast.Name, ast.Attribute)) or _is_bound(function.node, written.id):
        return None
    return it.eval_annotation(annotation, function)


def _is_bound(node: ast.AST, name: str) -> bool:
    return any(
        isinstance(part, ast.Name) and part.id == name and not isinstance(part.ctx, ast.Load)
        for part in descendants(node)
    )
