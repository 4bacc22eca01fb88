"""Which objects Python cannot hash, as far as that is known: what they are, in words."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxlint.flow.domain.values import (
    SEQUENCES,
    Array,
    ClassValue,
    Const,
    Container,
    External,
    ExternalInstance,
    Function,
    HostArray,
    Instance,
    Key,
    Opaque,
    Tree,
    Tuple,
    Union,
    Value,
)
from jaxlint.flow.limits import LIFTED_DEPTH
from jaxlint.flow.models.objects import classes
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.given_later import may_be_given
from jaxlint.flow.source.text import mentions
from jaxlint.semantics import libraries

_CONTAINERS = {"list": "a list", "dict": "a dict", "set": "a set", "deque": "a deque"}
_UNKNOWN = frozenset((SEQUENCES["list"], SEQUENCES["set"]))
"""A list or a set of which nothing else is known."""
_OUTSIDE = frozenset(
    "builtins.bytearray types.MappingProxyType types.SimpleNamespace argparse.Namespace collections.deque "
    "collections.defaultdict collections.OrderedDict collections.Counter".split()
)
"""Classes of the standard library whose objects compare by what is in them and can change."""
_FROZEN_BASES = frozenset(("equinox.Module", "flax.linen.Module", "flax.struct.PyTreeNode"))
"""Whose derived classes are frozen records: the hash of an object is that of its fields."""
_RECORDS = {"dataclasses.dataclass": False, "flax.struct.dataclass": True, "chex.dataclass": False}
"""What makes records of classes, and whether they are frozen where nothing says."""
_LEAVING_HASH = (
    classes.REGISTERING
    | _RECORDS.keys()
    | frozenset("functools.total_ordering typing.final typing_extensions.final jaxtyping.jaxtyped".split())
)
"""Decorators that make no hash, but for what `_RECORDS` says of records."""
_PLAIN_METACLASSES = frozenset(("abc.ABCMeta", "builtins.type"))


def unhashable(it: Interpreter, value: Value, depth: int = 0) -> str:
    """What it is that has no hash, in words; empty where it has one or nothing is known of it."""
    if depth > LIFTED_DEPTH.value:
        return ""
    if isinstance(value, Container):
        return _CONTAINERS.get(value.kind, "")
    if isinstance(value, Opaque):
        return value.text if value.text in _UNKNOWN else ""
    if isinstance(value, (Array, Key)):
        return "" if getattr(value, "declared", False) else _array(value)
    if isinstance(value, HostArray):
        return "a NumPy array" if value.no_scalar or value.shape else ""
    if isinstance(value, Tree):
        return "a tracer" if value.level and value.sure else ""
    if isinstance(value, Tuple):
        if value.cls is not None and classes.find_member(it, value.cls, "__hash__") is not None:
            return ""
        parts = (unhashable(it, item, depth + 1) for item in value.items)
        return next((f"a tuple with {part} in it" for part in parts if part), "")
    if isinstance(value, Union):
        options = [unhashable(it, option, depth + 1) for option in value.options]
        return options[0] if all(options) else ""
    if isinstance(value, ExternalInstance):
        is_hashless = value.made_by in _OUTSIDE or _has_arrays(value)
        return f"a `{value.made_by.rpartition('.')[2]}`" if is_hashless else ""
    return _object(it, value, depth) if isinstance(value, Instance) else ""


def _has_arrays(layer: ExternalInstance) -> bool:
    """Whether it is a layer of equinox that draws its weights when it is made: its hash is that of its fields."""
    return layer.made_by.startswith("equinox.nn.") and layer.made_by in libraries.KEY_USES


def _array(value: Array | Key) -> str:
    if value.level:
        return "a tracer"
    return "a key" if isinstance(value, Key) else "a jax array"


def _object(it: Interpreter, value: Instance, depth: int) -> str:
    """An object of a class of the program, or of one derived from it where nothing else is known of the object."""
    what = "" if classes.is_protocol(value.cls) else _of_class(it, value, value.cls, depth)
    if not what or any(_may_be_given_hash(it, cls) for cls in classes.linearized(value.cls)):
        return ""
    derived = it.all_classes(value.cls) if value.symbolic else ()
    others = (other for other in derived if other is not value.cls and value.cls in classes.linearized(other))
    return "" if any(_may_be_given_hash(it, one) or not _of_class(it, value, one, depth) for one in others) else what


def _of_class(it: Interpreter, value: Instance, of: ClassValue, depth: int) -> str:
    """The nearest class that says how its objects are hashed counts."""
    name = value.cls.name
    for cls in classes.linearized(of):
        members = it.state.read(cls.frame)
        own = members.get("__hash__")
        if own is not None:
            return f"an object of `{name}`, whose `__hash__` is None" if isinstance(own, Const) else ""
        compared = _dataclass_hash(it, cls)
        if compared == "fields":
            held = it.state.read(value)
            parts = (unhashable(it, held[field], depth + 1) for field in _hashed(it, cls) if field in held)
            return next((f"an object of `{name}` with {part} in it" for part in parts if part), "")
        if compared:
            return f"an object of the dataclass `{name}`, which {compared}"
        if isinstance(members.get("__eq__"), Function):
            return f"an object of `{name}`, which has `__eq__` and no `__hash__`"
        if not all(isinstance(base, ClassValue) for base in cls.bases):
            return ""  # what a class from outside says is not known
    return ""


def _may_be_given_hash(it: Interpreter, cls: ClassValue) -> bool:
    """Whether something else than the body of a class may say how its objects are hashed: a decorator that is not
    known, a metaclass, what is run for each class derived from it, or an assignment."""
    known = classes.decorator_names(cls)
    if isinstance(it.state.read(cls.frame).get("__init_subclass__"), Function):
        return True
    if len(known) != len(cls.node.decorator_list) or not known <= _LEAVING_HASH:
        return True
    for keyword in cls.node.keywords:
        given = it.eval_annotation(keyword.value, cls)
        if keyword.arg is None or (keyword.arg == "metaclass" and not _is_of(given, _PLAIN_METACLASSES)):
            return True
    return it.ask_text(cls.scope, may_be_given, cls.name, "__hash__")


def _is_of(value: Value, names: frozenset[str]) -> bool:
    return isinstance(value, External) and value.name in names


def _dataclass_hash(it: Interpreter, cls: ClassValue) -> str:
    """How a dataclass hashes its objects: by their "fields", as its bases do (empty), or why it does not."""
    if any(_is_of(base, _FROZEN_BASES) for base in cls.bases):
        return "" if any(keyword.arg in (None, "frozen", "eq") for keyword in cls.node.keywords) else "fields"
    for written in cls.node.decorator_list:
        called = written.func if isinstance(written, ast.Call) else written
        applied = it.eval_annotation(called, cls)
        if isinstance(applied, External) and applied.name in _RECORDS:
            options = {one.arg: getattr(one.value, "value", None) for one in getattr(written, "keywords", ())}
            if None in options.values() or None in options or not options.get("eq", True):
                return ""
            is_frozen = options.get("frozen", _RECORDS[applied.name])
            return "fields" if is_frozen or options.get("unsafe_hash") else "is not frozen"
    return ""


def _hashed(it: Interpreter, cls: ClassValue) -> Iterator[str]:
    """The fields of a record that go into its hash; not those of which it is not known."""
    for name in classes.fields_in_order(cls) or _declared(cls):
        found = classes.field_node(cls, name)
        if found is None or mentions(found[1].annotation, "ClassVar") or mentions(found[1].annotation, "InitVar"):
            continue
        owner, statement = found
        if not isinstance(statement.value, ast.Call):
            yield name
            continue
        maker = it.eval_annotation(statement.value.func, owner)
        told = {keyword.arg: keyword.value for keyword in statement.value.keywords}
        if isinstance(maker, External) and not {None, "hash", "compare", "converter"} & told.keys():
            yield name


def _declared(cls: ClassValue) -> Iterator[str]:
    """The fields of a class that writes its own `__init__`."""
    for part in reversed(classes.linearized(cls)):
        for statement in part.node.body:
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                yield statement.target.id
