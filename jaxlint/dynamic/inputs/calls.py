"""A call that could be traced, and how it reads."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import jax

from jaxlint.dynamic import private
from jaxlint.dynamic.inputs.signatures import is_array
from jaxlint.dynamic.observations import Origin

LONGEST_VALUE = 60
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+(?=>)")  # says nothing to people, and is another one in each run


@dataclass(slots=True)
class Call:
    """Arguments to trace a function with.

    `jax.ShapeDtypeStruct` leaves are traced, everything else goes in as it is.  ``assumptions`` says in words what
    was made up.
    """

    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    origin: Origin
    assumptions: tuple[str, ...] = ()
    is_variant: bool = False  # asks what would be if a parameter were static, or traced, that looks the other way


def describe(name: str, parameters: Iterable[str], call: Call) -> str:
    """The call for people: ``step(params: float32[3], key: uint32[2], n=2)``."""
    names = [*parameters][: len(call.args)]
    names += [""] * (len(call.args) - len(names))
    words = [*(_argument(*pair) for pair in zip(names, call.args)), *(_argument(*pair) for pair in call.kwargs.items())]
    return f"{name}({', '.join(words)})"


def _argument(name: str, value: Any) -> str:
    traced = any(True for _ in _arrays(value))
    return f"{name}: {shown(value)}" if traced and name else f"{name}={shown(value)}" if name else shown(value)


def _arrays(value: Any) -> Iterator[Any]:
    leaves = () if private.is_endless(value) else jax.tree_util.tree_leaves(value)
    return (leaf for leaf in leaves if is_array(leaf))


def shown(value: Any) -> str:
    """A value on one line, shortened for people, its arrays as their types."""
    if is_array(value):
        return f"{value.dtype}[{','.join(map(str, value.shape))}]"
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return f"{type(value).__name__}({', '.join(f'{name}={shown(getattr(value, name))}' for name in value._fields)})"
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = [one.name for one in dataclasses.fields(value) if hasattr(value, one.name)]
        return f"{type(value).__name__}({', '.join(f'{name}={shown(getattr(value, name))}' for name in names)})"
    if type(value) is dict:
        return f"{{{', '.join(f'{key!r}: {shown(item)}' for key, item in value.items())}}}"
    if type(value) in (list, tuple):
        inside = ", ".join(shown(item) for item in value)
        return f"[{inside}]" if type(value) is list else f"({inside}{',' if len(value) == 1 else ''})"
    if callable(value) and hasattr(value, "__qualname__"):
        return str(value.__qualname__).replace("<locals>.", "")
    try:
        text = _ADDRESS.sub("", " ".join(repr(value).split()))
    except Exception:  # user code, and the object may be half made
        text = f"<{type(value).__name__}>"
    return text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 1]}…"
