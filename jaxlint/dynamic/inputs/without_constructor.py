"""An object that its constructor cannot make here, because it wants data, a download or a device.

Its methods can be looked at all the same: it is made without the constructor, and what they read of it and the class
does not have is made up from how they use it.  That is an assumption of all that is seen.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

from jaxlint.dynamic.inputs.annotations import build, hints
from jaxlint.dynamic.inputs.usage import Use, definition
from jaxlint.dynamic.inputs.values import Choice, Unknown


def bare(owner: type, concrete: Callable[[Any], Any]) -> tuple[Any, list[str]]:
    """An object of ``owner`` whose constructor has not run, and the attributes that are made up, each made
    ``concrete``.  Raises `Unknown`."""
    from jaxlint.dynamic.inputs.synthesis import names_file, used_as

    try:
        made: Any = object.__new__(owner)
    except TypeError as error:  # a built-in type lays its objects out by itself
        raise Unknown(f"{owner.__name__} cannot be made without its constructor") from error
    annotated, read = hints(owner), _read(owner)
    names = [name for name in sorted(read) if not (hasattr(owner, name) or names_file(name))]
    for name in names:
        value = _declared(annotated[name]) if name in annotated else None
        made.__dict__[name] = concrete(used_as(name, read[name], Choice()) if value is None else value)
    return made, names


def _declared(hint: Any) -> Any:
    try:
        return build(hint, Choice())
    except Unknown:
        return None


def _read(owner: type) -> dict[str, Use]:
    """What the methods read of their object, and how; not what the constructor does."""
    found: dict[str, Use] = {}
    for each in owner.__mro__:
        for name, value in vars(each).items():
            if name != "__init__" and isinstance(value, (FunctionType, property)):
                _read_by(value.fget if isinstance(value, property) else value, found)
    return found


def _read_by(method: Any, found: dict[str, Use]) -> None:
    node = definition(method) if callable(method) else None
    first = next(iter(inspect.signature(method).parameters), "") if node is not None else ""
    called = set() if node is None else {id(call.func) for call in ast.walk(node) if isinstance(call, ast.Call)}
    for part in ast.walk(node) if node is not None else ():
        chain = tuple(_chain(part))
        if len(chain) < 2 or chain[0] != first or not isinstance(getattr(part, "ctx", None), ast.Load):
            continue
        use = found.setdefault(chain[1], Use())
        if len(chain) == 2:
            use.called = use.called or id(part) in called
        else:
            use.attributes.add(chain[2])
            if len(chain) == 3 and id(part) in called:
                use.methods.setdefault(chain[2], 0)


def _chain(node: ast.AST) -> Iterator[str]:
    """The names of `self.network.apply`, one after the other; of nothing else."""
    if isinstance(node, ast.Attribute):
        before = tuple(_chain(node.value))
        if before:
            yield from (*before, node.attr)
    elif isinstance(node, ast.Name):
        yield node.id
