"""What JAX takes for no array, and for no tree of arrays, as far as that is known: what it is, in words."""

from __future__ import annotations

from collections.abc import Sequence

from jaxlint.flow.domain.values import (
    ClassValue,
    Const,
    Container,
    External,
    ExternalInstance,
    Function,
    Instance,
    ModuleValue,
    Slice,
    Static,
    Transformed,
    Tuple,
    Union,
    Value,
    WrapperFactory,
)
from jaxlint.flow.limits import KNOWN_ITEMS, LIFTED_DEPTH
from jaxlint.flow.models.objects import beginnings, classes, instances
from jaxlint.flow.models.objects.instances import Place
from jaxlint.flow.models.objects.iteration import known_items
from jaxlint.flow.models.objects.registered import is_registered, may_be_pytree
from jaxlint.flow.port import Interpreter
from jaxlint.semantics import libraries
from jaxlint.semantics.arrays import CONSTANTS, DTYPES
from jaxlint.semantics.optimisers import MAKING

_OF_CONSTANTS: dict[type, str] = {str: "a string", bytes: "a string of bytes"}
_OF_CLASSES: dict[type, str] = {
    ClassValue: "a class",
    ModuleValue: "a module",
    Slice: "a slice",
    Transformed: "a function",
    WrapperFactory: "a function",
}
_RECORDS = frozenset(("types.SimpleNamespace", "types.MappingProxyType", "argparse.Namespace", "collections.ChainMap"))
"""Classes of Python that hold values, and that JAX knows nothing of."""
UNORDERED = "a dict with keys of kinds that have no order"
_FUNCTIONS = ("jax.numpy.", "jax.nn.", "jax.lax.", "jax.scipy.")


def no_leaf(it: Interpreter, value: Value, depth: int = 0, seen: set[Value] | None = None) -> str:
    """What it is that cannot be traced, in words; empty where it can be or nothing is known of it.  What is in ``seen``
    has been looked at: containers may hold one another, and themselves."""
    seen = set() if seen is None else seen
    if isinstance(value, Const):
        return _OF_CONSTANTS.get(type(value.value), "")
    if isinstance(value, Static):
        return {"str": "a string", "dtype": "a dtype"}.get(value.kind, "")
    if isinstance(value, (Tuple, Container)):
        if depth > LIFTED_DEPTH.value or value in seen:
            return ""
        seen.add(value)
        return _part(it, value, depth, seen)
    if isinstance(value, Union):
        options = [no_leaf(it, option, depth + 1, seen) for option in value.options]
        return options[0] if all(options) else ""
    if isinstance(value, Function):
        # A method of what is a pytree is one, and what a decorator that nobody knows makes of a function may be.
        return "a function" if value.receiver is None and value.node not in it.wrapped else ""
    if isinstance(value, External):
        return _outside(value.name)
    if isinstance(value, ExternalInstance):
        short = value.made_by.rpartition(".")[2]
        if value.made_by in _RECORDS:
            return f"a `{short}`" if not it.ask_program(is_registered, short) else ""
        parts = (no_leaf(it, part, depth + 1, seen) for part in _held(it, value))
        return next((f"`{value.made_by}` with {part}" for part in parts if part), "") or _made_outside(value)
    if isinstance(value, Instance):
        if value.symbolic and value.birth is None:  # told by an annotation: another one may do as well
            return ""
        if may_be_pytree(it, value.cls):
            return _field(it, value, depth, seen)
        return f"an object of `{value.cls.name}`"
    return _OF_CLASSES.get(type(value), "")


def _held(it: Interpreter, value: ExternalInstance) -> Sequence[Value]:
    """What a layer is given that it keeps as parts of itself."""
    position, name = libraries.HELD_LEAVES.get(value.made_by, (0, ""))
    given = value.args[position] if name and position < len(value.args) else value.kwargs.get(name)
    if isinstance(given, (Tuple, Container)):
        return known_items(it, given, KNOWN_ITEMS.value) or ()
    return () if given is None else (given,)


def _made_outside(value: ExternalInstance) -> str:
    if value.made_by in MAKING and value.made_by.startswith("optax."):
        return "an optimiser"
    other = libraries.FUNCTION_LEAVES.get(value.made_by)
    return "" if other is None or other in value.kwargs else f"`{value.made_by}` with a function in it"


def _outside(name: str) -> str:
    if name in DTYPES or name.replace("numpy.", "jax.numpy.", 1) in DTYPES:
        return "a dtype"
    if name.startswith("builtins."):
        return f"`{name.removeprefix('builtins.')}`"
    return "a function" if name.startswith(_FUNCTIONS) and name not in CONSTANTS else ""


def _part(it: Interpreter, value: Tuple | Container, depth: int, seen: set[Value]) -> str:
    """The first part that cannot be traced, and what it is in."""
    if isinstance(value, Container) and value.kind in ("set", "frozenset"):
        return "a set"
    if isinstance(value, Container) and value.kind == "deque":
        return "" if it.ask_program(is_registered, "deque") else "a deque"
    kind = value.kind if isinstance(value, Container) else "tuple"
    if kind == "dict" and _has_no_order(it, value):
        return UNORDERED
    if kind == "dict":
        items: list[Value] | None = list(it.state.read(value).values())
    else:
        items = known_items(it, value, KNOWN_ITEMS.value)
    parts = (no_leaf(it, item, depth + 1, seen) for item in items or ())
    return next((f"a {kind} with {part} in it" for part in parts if part), "")


def _field(it: Interpreter, value: Instance, depth: int, seen: set[Value]) -> str:
    """The first field of a record that is taken apart and cannot be traced, and what it is in."""
    if (
        not classes.is_pytree(it, value.cls)
        or classes.is_static(value.cls)
        or depth > LIFTED_DEPTH.value
        or value in seen
    ):
        return ""
    seen.add(value)
    made = {} if value.symbolic else beginnings.initial_of(it, value.cls)  # where one method makes it, another reads it
    for name, held in {**made, **it.state.read(value)}.items():
        is_field = isinstance(name, str) and classes.field_node(value.cls, name) is not None
        if is_field and instances.place_of(it, value.cls, name) is Place.CHILD:
            what = no_leaf(it, held, depth + 1, seen)
            if what:
                innermost = what.rpartition(" with ")[2].partition(" in it")[0]
                return f"an object of `{value.cls.name}` with {innermost} in it"
    return ""


_ORDERED_ALIKE: dict[type, type] = {bool: int, float: int}
"""Constants that are compared with those of another type."""


def _has_no_order(it: Interpreter, value: Tuple | Container) -> bool:
    """Whether a dict has keys that cannot be compared with one another: JAX sorts them."""
    known = [name[1] for name in it.state.read(value) if isinstance(name, tuple) and name[0] == "k"]
    kinds = {_ORDERED_ALIKE.get(type(name), type(name)) for name in known}
    return len(kinds) > 1 and kinds <= {str, int, bytes, type(None)}
