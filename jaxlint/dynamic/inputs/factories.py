"""Functions that other functions make: optimizers, environments, transformed networks, closures."""

from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import jax

DEEPEST = 2
MOST_MEMBERS = 12

_FIRST = ("init", "init_fn", "init_fun", "initialize", "init_state", "reset")
_RESULT_NAMES = frozenset(
    "state opt_state params variables carry env_state hidden hidden_state prev_state optimizer_state".split()
)
_METHODS = (*_FIRST, "update", "update_fn", "apply", "apply_fn", "step", "run", "__call__")


@dataclass(frozen=True, slots=True)
class Member:
    """A callable inside something that a factory returned; ``path`` is how it is reached: "", ".update", "[0]"."""

    path: str
    function: Callable[..., Any]

    @property
    def name(self) -> str:
        return self.path.rpartition(".")[2] or getattr(self.function, "__name__", "")


def members(value: Any) -> list[Member]:
    """The callables that a returned value is or has, those that make the others' arguments first."""
    found = list(_members(value, "", DEEPEST))[:MOST_MEMBERS]
    return sorted(found, key=lambda member: member.name not in _FIRST)


def _members(value: Any, path: str, depth: int) -> Iterator[Member]:
    if isinstance(value, type) or _is_array(value):
        return
    if inspect.isroutine(value) or isinstance(value, functools.partial) or hasattr(value, "__wrapped__"):
        yield Member(path, value)
    elif depth:
        for name, item in _items(value):
            yield from _members(item, path + name, depth - 1)


def _items(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        yield from ((f".{name}", getattr(value, name)) for name in value._fields)
    elif isinstance(value, (tuple, list)):
        yield from ((f"[{position}]", item) for position, item in enumerate(value))
    elif isinstance(value, dict):
        yield from ((f"[{name!r}]", item) for name, item in value.items())
    elif dataclasses.is_dataclass(value):
        names = [one.name for one in dataclasses.fields(value)] + [
            name for name in _METHODS if name in dir(type(value))
        ]
        yield from ((f".{name}", getattr(value, name, None)) for name in names)
    elif type(value).__module__ != "builtins":
        names = [name for name in _METHODS if callable(getattr(value, name, None))]
        yield from ((f".{name}" if name != "__call__" else "", getattr(value, name)) for name in names)


def _is_array(value: Any) -> bool:
    return isinstance(value, (jax.Array, jax.ShapeDtypeStruct)) or type(value).__module__ == "numpy"


def makes_arguments(member: Member) -> bool:
    """Whether the others of its kind take what this one returns."""
    return member.name in _FIRST


def fed(function: Callable[..., Any], given: dict[str, Any], made: Any) -> dict[str, Any]:
    """The parameters that get what `init` or `reset` was given (``given``, by name) or returned (``made``).

    An environment's `reset` returns an observation and a state, in this order or the other: the state is the one
    that is more than an array.
    """
    try:
        names = list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return {}
    known = {name: given[name] for name in names if name in given}
    if (params := given.get("params", given.get("init_params"))) is not None:
        known.update({name: params for name in names if name in _LIKE_PARAMS and name not in known})
    if type(made) is tuple and len(made) == 2:
        made, observation = sorted(made, key=lambda part: isinstance(part, jax.ShapeDtypeStruct))
        known.update({name: observation for name in names if name in ("obs", "observation")})
    if made is not None:
        known.update({name: made for name in names if name in _RESULT_NAMES and name not in given})
    return known


_LIKE_PARAMS = ("params", "updates", "grads", "gradients", "grad", "new_params")
