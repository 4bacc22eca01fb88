"""The arguments that calls in the project write down: ``step(jnp.zeros((3, 4)), n=2)``."""

from __future__ import annotations

import ast
import contextlib
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


def calls_that_make(owner: type, sources: Collection[str]) -> Iterator[tuple[Callable[..., Any], dict[str, Any]]]:
    """For calls of the class, or of a classmethod by the name of the class, what is called and the constant arguments.

    What cannot be read off the text is left to its default.
    """
    makers = {owner.__name__: owner} | {
        f"{owner.__name__}.{name}": getattr(owner, name)
        for base in owner.__mro__
        for name, value in vars(base).items()
        if isinstance(value, classmethod)
    }
    count = 0
    for path in sorted(one for one in sources if owner.__name__ in text_of(one)):
        for name, maker in makers.items():
            for call in calls_in(path).get(name.rpartition(".")[2], ()):
                called = ast.unparse(call.func)
                if called != name and not called.endswith(f".{name}"):
                    continue
                arguments = [one for one in call.args if not isinstance(one, ast.Starred)]
                keywords = [one for one in call.keywords if one.arg is not None]
                with contextlib.suppress(TypeError, ValueError):
                    bound = inspect.signature(maker).bind_partial(
                        *arguments, **{str(one.arg): one.value for one in keywords}
                    )
                    values = {name: _value(node) for name, node in _flat(bound) if isinstance(node, ast.expr)}
                    known = {name: value for name, value in values.items() if value is not _UNREADABLE}
                    if known and (count := count + 1) <= MOST_SITES:
                        yield maker, known


def _flat(bound: inspect.BoundArguments) -> Iterator[tuple[str, Any]]:
    """The arguments by name, those in `**kwargs` among them."""
    for name, value in bound.arguments.items():
        if bound.signature.parameters[name].kind is inspect.Parameter.VAR_KEYWORD:
            yield from value.items()
        else:
            yield name, value


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
