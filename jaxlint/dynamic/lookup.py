"""Whether the installed JAX has what code asks of it: names, modules, arguments, attributes of arrays.

Runs in a process of its own, under the Python that the code runs in, and runs no code of the user's: what is asked
for comes from jaxlint's own tables.  A question is ``[kind, name, argument]``, an answer ``[state, text]``, both as
JSON; ``text`` is what Python or JAX says there.  The process that judges has the states from here, so that jax is
imported only when it is asked.
"""

from __future__ import annotations

import importlib
import inspect
import json
import sys
import warnings
from collections.abc import Callable
from typing import Any

ABSENT, WARNS, THERE, UNKNOWN = "absent", "warns", "there", "unknown"


def answer(kind: str, name: str, argument: str = "") -> tuple[str, str]:
    """One of the four states, and why."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            _ASK[kind](name, argument)
        except _Gone as error:
            return ABSENT, str(error)
        except Exception as error:  # another package is missing, or JAX does not like the machine
            return UNKNOWN, f"{type(error).__name__}: {error}"
    texts = [f"{each.category.__name__}: {each.message}" for each in told if _is_about(each, name)]
    return (WARNS, texts[0]) if texts else (THERE, "")


class _Gone(Exception):
    """There is no such thing; the text is what Python says of it."""


def _is_about(told: warnings.WarningMessage, name: str) -> bool:
    is_deprecation = issubclass(told.category, (DeprecationWarning, FutureWarning))
    return is_deprecation and name.rpartition(".")[2] in str(told.message)


def _module(name: str, _: str = "") -> Any:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise  # JAX has it, and it needs another package
        raise _Gone(_said(error)) from None


def _name(name: str, _: str = "") -> Any:
    """The object: each part is an attribute of what is before it, or a module that nobody has imported yet."""
    path, *rest = name.split(".")
    found: Any = importlib.import_module(path)
    for part in rest:
        path = f"{path}.{part}"
        try:
            found = getattr(found, part)
        except AttributeError as missing:
            try:
                found = _module(path)
            except _Gone:
                raise _Gone(_said(missing)) from None
    return found


def _argument(name: str, argument: str) -> None:
    parameters = inspect.signature(_name(name)).parameters
    if argument in parameters and parameters[argument].kind is not inspect.Parameter.POSITIONAL_ONLY:
        if (call := _CALLS.get((name, argument))) is not None:
            call(importlib.import_module("jax"))
        return
    if any(each.kind is inspect.Parameter.VAR_KEYWORD for each in parameters.values()):
        raise TypeError(f"{name} takes any keyword")
    raise _Gone(f"TypeError: {name} takes no keyword argument {argument!r}")


_CALLS: dict[tuple[str, str], Callable[[Any], Any]] = {
    ("jax.jit", "device"): lambda jax: jax.jit(abs, device=jax.devices()[0]),
    ("jax.jit", "backend"): lambda jax: jax.jit(abs, backend=jax.default_backend()),
}
"""Arguments that JAX has and warns of when they are passed."""


def _member(name: str, _: str = "") -> None:
    """An attribute of arrays; with ``()`` a method.  A class may have a name that its objects only complain about."""
    array, attribute = importlib.import_module("jax.numpy").zeros(()), name.removesuffix("()")
    try:
        found = getattr(array, attribute)
    except AttributeError as error:
        raise _Gone(_said(error)) from None
    if attribute != name and not callable(found):
        raise _Gone(f"TypeError: {attribute!r} of an array is no method")


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


_ASK: dict[str, Callable[[str, str], Any]] = {
    "module": _module,
    "name": _name,
    "argument": _argument,
    "member": _member,
}


def main(arguments: list[str]) -> None:
    """Answers the questions on standard input, a list, with a list on standard output."""
    print(json.dumps([answer(*question) for question in json.load(sys.stdin)]))
