"""What is wrong with how a class is registered as a pytree."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.values import (
    REGISTERED,
    Array,
    ClassValue,
    Const,
    External,
    ExternalInstance,
    Function,
    HostArray,
    Instance,
    Opaque,
    Partial,
    Tuple,
    Union,
    Value,
)
from jaxlint.flow.limits import KNOWN_ITEMS
from jaxlint.flow.models.jax.arity import taken_by
from jaxlint.flow.models.objects import classes, instances
from jaxlint.flow.models.objects.iteration import known_items
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.round_trips import exchanged, stored, taken_apart
from jaxlint.flow.source.text import dotted, mentions
from jaxlint.flow.source.unflattened import (
    always_run,
    given_children,
    may_be_set,
    no_pairs,
    own_nodes,
    returned,
    unpacked,
)

_DATACLASS = "jax.tree_util.register_dataclass"
_ONCE = classes.REGISTERING | {"flax.struct.dataclass"}
"""What registers a class that has not been registered."""
_BY_CALL = {"jax.tree_util.register_pytree_node": (1, 2), "jax.tree_util.register_pytree_with_keys": (3, 2)}
"""Functions that register a class, with the positions of what takes objects apart and of what puts them together."""
_REGISTERING = frozenset((*_BY_CALL, _DATACLASS, "jax.tree_util.register_static"))


# -- registering ----------------------------------------------------------------------------------------------


def check_class(it: Interpreter, cls: ClassValue) -> None:
    """A class statement with its decorators."""
    names = [_decorator(decorator) for decorator in cls.decorators]
    registering = [name for name in names if name in _ONCE]
    if not registering:
        return
    if len(registering) > 1:
        it.emit(events.PytreeDefect(cls.node, cls.name, "twice", registering[0]))
    elif registering[0] == _DATACLASS:
        _check_decorated(it, cls, names.index(_DATACLASS), names)
    elif registering[0] in classes.BY_HAND and all(map(_is_plain, _bases(cls))):
        _check_members(it, cls, registering[0])


def _check_members(it: Interpreter, cls: ClassValue, registered_by: str) -> None:
    """The methods that take objects of a class apart, and put them together."""
    with_keys = "with_keys" in registered_by
    flatten = classes.find_member(it, cls, "tree_flatten_with_keys" if with_keys else "tree_flatten")
    unflatten = classes.find_member(it, cls, "tree_unflatten")
    for name, member in (("tree_flatten", flatten), ("tree_unflatten", unflatten)):
        if member is None and _is_brought_by_nothing(it, cls, name):
            it.emit(events.PytreeDefect(cls.node, cls.name, "missing", name), cls.scope)
    static = isinstance(flatten, Function) and flatten.kind == "static"
    _check_pair(it, cls, flatten, unflatten, 0 if static else 1, cls.node)


def check_call(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> None:
    """`register_pytree_node(cls, flatten, unflatten)`, `register_dataclass(cls, …)`, and their like."""
    cls = args.get(0, "nodetype")
    if name in classes.BY_HAND and isinstance(cls, ClassValue) and all(map(_is_plain, _bases(cls))):
        _check_members(it, cls, name)
    if name not in _REGISTERING or not isinstance(cls, ClassValue) or args.open_ended:
        return
    if any(_decorator(decorator) in _ONCE for decorator in cls.decorators):
        it.emit(events.PytreeDefect(node, cls.name, "twice", name))
    elif name == _DATACLASS:
        given = {key: args.get(position, key) for position, key in ((1, "data_fields"), (2, "meta_fields"))}
        named = {key: value for key, value in given.items() if value is not None}
        _check_fields(it, cls, {**args.named, **named}, node)
        _note_call(it, cls, given["meta_fields"] or Tuple(()))
    elif name in _BY_CALL:
        first, second = _BY_CALL[name]
        flatten = args.get(first, "flatten_func")
        _check_pair(it, cls, flatten, args.get(second, "unflatten_func"), 1, node)
        _note_call(it, cls, flatten or Opaque("what takes it apart"))


def _note_call(it: Interpreter, cls: ClassValue, given: Value) -> None:
    """Notes that a class is one of pytrees from here on, if the module that makes it says so itself."""
    is_at_top = cls.outer is None and cls.scope is it.frame.scope and it.activation.function is None
    if is_at_top and not it.guessing:
        it.state.write(cls.frame)[REGISTERED] = given


def _decorator(value: Value) -> str:
    if isinstance(value, Partial):
        value = value.function
    if isinstance(value, ExternalInstance):
        return value.made_by
    return value.name if isinstance(value, External) else ""


def _bases(cls: ClassValue) -> Iterable[Value]:
    return (base for part in classes.linearized(cls) for base in part.bases if not isinstance(base, ClassValue))


def _is_plain(base: Value) -> bool:
    return isinstance(base, External) and base.name in classes.WITHOUT_MEMBERS


def _are_members_seen(it: Interpreter, cls: ClassValue) -> bool:
    """Whether the class has what its text and that of its bases say, and nothing else: no decorator, metaclass or base
    brings something, and nothing is put there by a computed name."""
    return all(map(_is_plain, _bases(cls))) and all(_brings_nothing(it, part) for part in classes.linearized(cls))


def _brings_nothing(it: Interpreter, cls: ClassValue) -> bool:
    if not all(_decorator(decorator) in _ADDS_NO_MEMBERS for decorator in cls.decorators):
        return False
    for keyword in cls.node.keywords:
        given = it.eval_annotation(keyword.value, cls)
        if keyword.arg != "metaclass" or not isinstance(given, External) or given.name not in _PLAIN_METACLASSES:
            return False
    if any(it.state.read(cls.frame).get(name) is not None for name in _BRINGING):
        return False
    return not any(isinstance(node, ast.Name) and node.id in _BY_COMPUTED_NAME for node in own_nodes(cls.node))


_ADDS_NO_MEMBERS = _ONCE | frozenset(
    "dataclasses.dataclass functools.total_ordering typing.final typing_extensions.final".split()
)
_PLAIN_METACLASSES = frozenset(("abc.ABCMeta", "builtins.type"))
_BRINGING = ("__init_subclass__", "__getattr__", "__getattribute__")
_BY_COMPUTED_NAME = frozenset(("locals", "vars", "exec", "eval"))


def _is_brought_by_nothing(it: Interpreter, cls: ClassValue, name: str) -> bool:
    """Whether a class that has no such member when it is registered gets none later either, which is in time for what
    takes objects apart: JAX looks that up in each of them."""
    if not _are_members_seen(it, cls):
        return False
    it.look_at(cls.scope)
    tree = cls.scope.tree
    return name == "tree_unflatten" or (tree is not None and not may_be_set(tree, cls.name, name))


# -- by hand --------------------------------------------------------------------------------------------------


def _check_pair(
    it: Interpreter, cls: ClassValue, flatten: Value | None, unflatten: Value | None, count: int, node: ast.AST
) -> None:
    """The two functions; ``count`` arguments are passed to the first, if it is none of an object."""
    if isinstance(flatten, Function):
        if _refuses(it, cls, flatten, count, "flatten", node):
            return
        for place, what in no_pairs(flatten.node):
            it.emit(events.PytreeDefect(place, cls.name, "pair", what), flatten.scope)
    if not isinstance(unflatten, Function):
        return
    of_class = unflatten.kind == "class" and unflatten.receiver is None
    if _refuses(it, cls, unflatten, 3 if of_class else 2, "unflatten", node):
        return
    if isinstance(flatten, Function):
        names = [parameter.arg for parameter in (*unflatten.node.args.posonlyargs, *unflatten.node.args.args)]
        own = frozenset(names[: unflatten.kind == "class"]) | {cls.name}
        _check_parts(it, cls, flatten, unflatten, names[unflatten.kind == "class" :], own)


def _refuses(it: Interpreter, cls: ClassValue, function: Function, count: int, how: str, node: ast.AST) -> bool:
    taken = taken_by(it, function)
    if taken is None or not taken.refuses(count):
        return False
    at_node = function.owner is None and function.scope is not it.frame.scope
    where = node if at_node else function.node
    return it.emit(events.PytreeDefect(where, cls.name, how, function.name), None if at_node else function.scope)


def _check_parts(
    it: Interpreter, cls: ClassValue, flatten: Function, unflatten: Function, names: list[str], own: frozenset[str]
) -> None:
    """What the second function does with the structure and the children that the first one gives."""
    values = returned(flatten.node) or []
    pair = values[0] if len(values) == 1 else None
    if not isinstance(pair, ast.Tuple) or len(pair.elts) != 2 or len(names) < 2:
        return
    structure = pair.elts[1]
    if isinstance(structure, ast.Constant) and structure.value is None:
        place = unpacked(unflatten.node, names[0])
        if place is not None:
            it.emit(events.PytreeDefect(place, cls.name, "order", names[0]), unflatten.scope)
            return
    swapped = _exchanged(it, cls, flatten, unflatten, names, own)
    if swapped is not None:
        place, attribute, source = swapped
        it.emit(events.PytreeDefect(place, cls.name, "swapped", f"{source}` for `{attribute}"), unflatten.scope)
    first = pair.elts[0]
    is_known = isinstance(first, ast.Tuple) and not any(isinstance(part, ast.Starred) for part in first.elts)
    count = len(first.elts) if is_known and isinstance(first, ast.Tuple) else 1
    for place, what, fails in _converted(it, cls, given_children(unflatten.node, own, names[1], count)):
        it.emit(events.LeafConverted(place, cls.name, what, fails), cls.scope)


def _exchanged(
    it: Interpreter, cls: ClassValue, flatten: Function, unflatten: Function, names: list[str], own: frozenset[str]
) -> tuple[ast.AST, str, str] | None:
    """Where the second function gives the constructor, which is seen to store it, one attribute for another."""
    made = classes.find_member(it, cls, "__init__")
    if isinstance(made, Function) and made.owner is cls and not isinstance(made.node, ast.Lambda):
        spec = made.node.args
        parameters = [parameter.arg for parameter in (*spec.posonlyargs, *spec.args)][1:]
        attributes = stored(made.node)
    else:
        fields = classes.fields_in_order(cls) if made is None else None
        parameters, attributes = list(fields or ()), {name: name for name in fields or ()}
    return exchanged(unflatten.node, own, names, taken_apart(flatten.node), parameters, attributes)


_HOST = frozenset("builtins.float builtins.int builtins.bool builtins.complex numpy.asarray numpy.array".split())
_OF_ARRAYS = frozenset(("jax.numpy.asarray", "jax.numpy.array"))


def _converted(it: Interpreter, cls: ClassValue, given: set[int | str]) -> Iterator[tuple[ast.AST, str, bool]]:
    """What the constructor does with its children that cannot be done with all that JAX puts in their place: where,
    what in words, and whether it fails for tracers as well."""
    made = classes.find_member(it, cls, "__init__")
    if not isinstance(made, Function) or isinstance(made.node, ast.Lambda) or made.owner is not cls:
        return
    spec = made.node.args
    parameters = [parameter.arg for parameter in (*spec.posonlyargs, *spec.args)][1:]
    names = {parameters[at] for at in given if isinstance(at, int) and at < len(parameters)}
    names |= {at for at in given if isinstance(at, str)}
    for node, asserted in always_run(made.node.body, names):
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Name) and node.args[0].id in names:
            called = it.eval_annotation(node.func, cls) if dotted(node.func) else None
            name = called.name if isinstance(called, External) else ""
            if name in _HOST | _OF_ARRAYS or (asserted and name == "builtins.isinstance"):
                yield node, name.removeprefix("builtins."), name in _HOST
        elif asserted and isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.value.id in names:
                yield node, node.attr, False


# -- dataclasses ----------------------------------------------------------------------------------------------


def _check_decorated(it: Interpreter, cls: ClassValue, place: int, names: list[str]) -> None:
    decorator = cls.decorators[place]
    if isinstance(decorator, Partial):
        _check_fields(it, cls, decorator.kwargs, cls.node.decorator_list[place])
    below = names[place + 1 :]
    is_other = len(classes.linearized(cls)) == 1 and all("dataclass" not in name for name in below)
    if isinstance(decorator, External) and is_other and _are_members_seen(it, cls):
        it.emit(events.PytreeDefect(cls.node, cls.name, "no dataclass", ""))


def _check_fields(it: Interpreter, cls: ClassValue, given: dict[str, Value], node: ast.AST) -> None:
    """All fields of a dataclass that its constructor takes are data or metadata, and nothing else is."""
    if "drop_fields" in given or not {"data_fields", "meta_fields"} <= given.keys():
        return
    items = [known_items(it, given[name], KNOWN_ITEMS.value) for name in ("data_fields", "meta_fields")]
    fields = _fields(it, cls)
    if fields is None or None in items:
        return
    values = [item for part in items for item in part or ()]
    names = [value.value for value in values if isinstance(value, Const) and isinstance(value.value, str)]
    if len(names) != len(values):
        return
    missing = [name for name in fields if name not in names]
    beyond = [name for name in names if name not in fields]
    if missing or beyond:
        it.emit(events.PytreeDefect(node, cls.name, "left out" if missing else "no field", (missing or beyond)[0]))


def _fields(it: Interpreter, cls: ClassValue) -> list[str] | None:
    """The fields that the constructor of a dataclass takes; None if they are not all seen."""
    names = {_decorator(decorator) for decorator in cls.decorators}
    if "dataclasses.dataclass" not in names or cls.bases or not names <= _ADDS_NO_MEMBERS:
        return None
    found: list[str] = []
    for statement in cls.node.body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            is_taken = not _is_no_field(it, cls, statement.annotation) and _is_in_constructor(it, cls, statement)
            if is_taken is None:
                return None
            if is_taken:
                found.append(statement.target.id)
        elif not _is_beside_fields(statement):
            return None
    return found


def _is_no_field(it: Interpreter, cls: ClassValue, annotation: ast.expr) -> bool:
    if any(mentions(annotation, word) for word in _NO_FIELDS):
        return True
    named = it.eval_annotation(annotation.value if isinstance(annotation, ast.Subscript) else annotation, cls)
    return isinstance(named, External) and named.name.rpartition(".")[2] in _NO_FIELDS


_NO_FIELDS = ("ClassVar", "InitVar", "KW_ONLY")


def _is_in_constructor(it: Interpreter, cls: ClassValue, statement: ast.AnnAssign) -> bool | None:
    """Whether the constructor takes a field; None if its default may say either."""
    default = statement.value
    if not isinstance(default, ast.Call):
        value = None if default is None else it.state.read(cls.frame).get(ast.unparse(statement.target))
        return None if isinstance(value, (Opaque, ExternalInstance, Union)) else True
    made_by = it.eval_annotation(default.func, cls)
    if not isinstance(made_by, External) or made_by.name != "dataclasses.field":
        return None
    options = {option.arg: option.value for option in default.keywords}
    said = options.get("init", ast.Constant(value=True))
    return bool(said.value) if isinstance(said, ast.Constant) and None not in options else None


def _is_beside_fields(statement: ast.stmt) -> bool:
    """Whether a statement in the body of a class makes no field, and changes none."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Pass)):
        return True
    if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant):
        return all(isinstance(target, ast.Name) for target in statement.targets)
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


# -- objects --------------------------------------------------------------------------------------------------


def check_structure(it: Interpreter, transform: str, values: Iterable[Value], node: ast.AST) -> None:
    """What objects that are passed have in their structure, which JAX compares and does not trace: no arrays."""
    for value in values:
        if not isinstance(value, Instance) or value.symbolic or not classes.is_pytree(it, value.cls):
            continue
        for name, part in it.state.read(value).items():
            if _is_array(part) and instances.is_static_field(it, value.cls, name):
                it.emit(events.ArrayInStructure(node, transform, value.cls.name, name))
                return


def _is_array(value: Value) -> bool:
    """Whether it is an array with axes, of which ``==`` gives many answers."""
    if isinstance(value, Array):
        return not value.declared and not value.level and bool(value.ndim)
    return isinstance(value, HostArray) and value.no_scalar
