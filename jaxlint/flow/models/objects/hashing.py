"""Which objects Python cannot hash, as far as that is known: what they are, in words."""

from __future__ import annotations

import ast

from jaxlint.flow.domain.values import (
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
    Tree,
    Tuple,
    Union,
    Value,
)
from jaxlint.flow.limits import LIFTED_DEPTH
from jaxlint.flow.models.objects import classes
from jaxlint.flow.port import Interpreter
from jaxlint.semantics import libraries

_CONTAINERS = {"list": "a list", "dict": "a dict", "set": "a set", "deque": "a deque"}
_OUTSIDE = frozenset(
    "builtins.bytearray types.MappingProxyType types.SimpleNamespace argparse.Namespace collections.deque "
    "collections.defaultdict collections.OrderedDict collections.Counter".split()
)
"""Classes of the standard library whose objects compare by what is in them and can change."""
_FROZEN = frozenset(("flax.struct.dataclass", "equinox.Module", "flax.struct.PyTreeNode"))
"""What makes frozen records of classes."""


def unhashable(it: Interpreter, value: Value, depth: int = 0) -> str:
    """What it is that has no hash, in words; empty where it has one or nothing is known of it."""
    if depth > LIFTED_DEPTH.value:
        return ""
    if isinstance(value, Container):
        return _CONTAINERS.get(value.kind, "")
    if isinstance(value, (Array, Key)):
        return "" if getattr(value, "declared", False) else _array(value)
    if isinstance(value, HostArray):
        return "a NumPy array" if value.no_scalar else ""
    if isinstance(value, Tree):
        return "a tracer" if value.level and value.sure else ""
    if isinstance(value, Tuple):
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
    """An object of a class of the program: the nearest class that says how its objects are hashed counts."""
    name = value.cls.name
    for cls in classes.linearized(value.cls):
        members = it.state.read(cls.frame)
        own = members.get("__hash__")
        if own is not None:
            return f"an object of `{name}`, whose `__hash__` is None" if isinstance(own, Const) else ""
        compared = _dataclass_hash(it, cls)
        if compared == "fields":
            parts = (unhashable(it, part, depth + 1) for part in it.state.read(value).values())
            return next((f"an object of `{name}` with {part} in it" for part in parts if part), "")
        if compared:
            return f"an object of the dataclass `{name}`, which {compared}"
        if isinstance(members.get("__eq__"), Function):
            return f"an object of `{name}`, which has `__eq__` and no `__hash__`"
        if not all(isinstance(base, ClassValue) for base in cls.bases):
            return ""  # what a class from outside says is not known
    return ""


def _dataclass_hash(it: Interpreter, cls: ClassValue) -> str:
    """How a dataclass hashes its objects: by their "fields", as its bases do (empty), or why it does not."""
    made = classes.decorator_names(cls) | {base.name for base in cls.bases if isinstance(base, External)}
    if not made.isdisjoint(_FROZEN):
        return "fields"
    for written in cls.node.decorator_list:
        called = written.func if isinstance(written, ast.Call) else written
        applied = it.eval_annotation(called, cls)
        if isinstance(applied, External) and applied.name == "dataclasses.dataclass":
            options = {one.arg: getattr(one.value, "value", None) for one in getattr(written, "keywords", ())}
            if None in options.values() or None in options or not options.get("eq", True):
                return ""
            return "fields" if options.get("unsafe_hash") or options.get("frozen") else "is not frozen"
    return ""
