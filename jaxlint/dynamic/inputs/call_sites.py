"""The arguments that calls in the project write down: ``step(jnp.zeros((3, 4)), n=2)``."""

from __future__ import annotations

import ast
import functools
import inspect
from collections.abc import Callable, Collection, Iterator
from typing import Any

import jax
import jax.numpy as jnp

from jaxlint.dynamic.inputs.usage import MOST_FILES, parsed, text_of
from jaxlint.dynamic.inputs.values import array

MOST_SITES = 4

_MAKERS = frozenset("zeros ones full empty arange linspace eye identity array asarray PRNGKey key".split())


def known_arguments(name: str, function: Callable[..., Any], sources: Collection[str]) -> Iterator[dict[str, Any]]:
    """For each call of ``name`` in the files, the parameters whose argument can be read off it; no two alike.

    Arrays made from constants are given as their `jax.ShapeDtypeStruct`.
    """
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return
    seen: set[str] = set()
    for path in sorted(one for one in sources if name in text_of(one)):
        for call in calls_in(path).get(name, ()):
            known = _known(signature, call)
            if known and str(known) not in seen and len(seen) < MOST_SITES:
                seen.add(str(known))
                yield known


@functools.lru_cache(maxsize=MOST_FILES)
def calls_in(path: str) -> dict[str, list[ast.Call]]:
    """The calls in a file by the last part of the name that is called."""
    found: dict[str, list[ast.Call]] = {}
    tree = parsed(path)
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.Call):
            called = node.func
            name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
            found.setdefault(name, []).append(node)
    return found


def _known(signature: inspect.Signature, call: ast.Call) -> dict[str, Any]:
    if any(isinstance(one, ast.Starred) for one in call.args) or any(one.arg is None for one in call.keywords):
        return {}
    try:
        bound = signature.bind(*call.args, **{str(one.arg): one.value for one in call.keywords})
    except TypeError:  # another function of this name
        return {}
    values = {name: _value(node) for name, node in bound.arguments.items() if isinstance(node, ast.expr)}
    return {name: value for name, value in values.items() if value is not _UNREADABLE}


_UNREADABLE = object()


def _value(node: ast.expr) -> Any:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, RecursionError, MemoryError):
        pass
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _MAKERS:
        return _made(node, node.func.attr)
    return _UNREADABLE


def _made(node: ast.Call, name: str) -> Any:
    """The type of the array that a call of `jnp.zeros` and the like makes, if its arguments are constants."""
    arguments = [_value(one) for one in node.args]
    keywords = {str(one.arg): _value(one.value) for one in node.keywords if one.arg != "dtype"}
    if any(value is _UNREADABLE for value in (*arguments, *keywords.values())):
        return _UNREADABLE
    maker = getattr(jax.random if name in ("PRNGKey", "key") else jnp, name)
    try:
        made = jax.eval_shape(functools.partial(maker, *arguments, **keywords))
        return array(tuple(made.shape), _dtype(node) or made.dtype)
    except Exception:  # a call that fails, or is of another library
        return _UNREADABLE


def _dtype(node: ast.Call) -> Any:
    for keyword in node.keywords:
        if keyword.arg == "dtype" and isinstance(keyword.value, (ast.Attribute, ast.Name)):
            name = keyword.value.attr if isinstance(keyword.value, ast.Attribute) else keyword.value.id
            return jnp.dtype({"bool_": "bool", "int": "int32", "float": "float32"}.get(name, name))
    return None
