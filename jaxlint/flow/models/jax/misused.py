"""What is no function where a transform takes one, and options that belong to another transform."""

from __future__ import annotations

import ast

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.values import (
    Array,
    Const,
    Container,
    External,
    ExternalInstance,
    Function,
    Instance,
    Tuple,
    Value,
    innermost,
)
from jaxlint.flow.models.objects.classes import find_member
from jaxlint.flow.models.objects.hashing import unhashable
from jaxlint.flow.port import Interpreter
from jaxlint.semantics.compiling import MISPLACED_OPTIONS

_SECOND = {"jax.jit": "an option", "jax.vmap": "`in_axes`"}
"""What the second argument of a transform is."""
_HASHING = frozenset(("jax.jit",))
"""Transforms that look for what they have compiled by the function."""

_REFERRING = frozenset(("jax.jit", "jax.pmap", "jax.checkpoint"))
"""Transforms that make a weak reference to the function, which no tuple can have."""


def is_misused(it: Interpreter, name: str, args: Arguments, function: Value | None, node: ast.AST) -> bool:
    """Whether a transform refuses what it is given, before or when its result is called."""
    options = MISPLACED_OPTIONS.get(name)
    if options is None or args.open_ended:
        return False
    hashless = _of_object(it, function) if name in _HASHING else ("", "")
    for what, place in (
        _of_function(it, name, function, node),
        hashless,
        _of_options(args, options),
        _of_second(name, args),
    ):
        if what:
            it.emit(events.TransformMisused(node, name, what, place))
            return True
    return False


def _of_function(it: Interpreter, name: str, function: Value | None, node: ast.AST) -> tuple[str, str]:
    if function is None:
        return "", ""
    if isinstance(function, Array) and not function.declared:
        return "an array", "the function"
    if isinstance(function, Const) and isinstance(function.value, (str, int, float)):
        return "a string" if isinstance(function.value, str) else "a number", "the function"
    if name not in _REFERRING and isinstance(function, Tuple) and function.cls is not None:
        if find_member(it, function.cls, "__call__") is not None:
            return "", ""  # a NamedTuple of which Python can call the objects
    if isinstance(function, Tuple) or (isinstance(function, Container) and function.kind in ("list", "dict")):
        return f"a {function.kind if isinstance(function, Container) else 'tuple'}", "the function"
    inner = innermost(function)[0]
    if isinstance(inner, Function):
        below = _descriptor_below(it, inner, node)
        if below:
            return f"a `{below}`", "the function"
        if isinstance(inner.node, ast.AsyncFunctionDef) and _is_itself(inner, node):
            return "an `async` function", "a function"
        if it.facts_of(inner.node).generator and _is_itself(inner, node):
            return "a generator function", "a function"
    return "", ""


def _of_object(it: Interpreter, function: Value | None) -> tuple[str, str]:
    """jax.jit(model): the object is called, and is looked up by its hash before that."""
    if isinstance(function, ExternalInstance) or (isinstance(function, Instance) and not function.symbolic):
        what = unhashable(it, function)
        return what, "a function with a hash" if what else ""
    return "", ""


def _descriptor_below(it: Interpreter, function: Function, node: ast.AST) -> str:
    """What a decorator below the transform makes of a method that only the class makes a function again."""
    decorators = list(getattr(function.node, "decorator_list", ()))
    if node not in decorators[:-1]:
        return ""
    with it.scratch(), it.quiet():
        found = it.eval(decorators[decorators.index(node) + 1])
    name = found.name.rpartition(".")[2] if isinstance(found, External) else ""
    return name if name in _DESCRIPTORS else ""


_DESCRIPTORS = frozenset("staticmethod classmethod property cached_property".split())


def _is_itself(function: Function, node: ast.AST) -> bool:
    """Whether no decorator has made something else of it before."""
    decorators = list(getattr(function.node, "decorator_list", ()))
    return not decorators or node is decorators[-1]


def _of_options(args: Arguments, options: frozenset[str]) -> tuple[str, str]:
    name = next((name for name in args.named if name in options), "")
    return (f"`{name}=`", "an option") if name else ("", "")


def _of_second(name: str, args: Arguments) -> tuple[str, str]:
    """jax.grad(f, x), jax.vmap(f, x): the arguments of the function."""
    if len(args.positional) < 2:
        return "", ""
    second, place = args.positional[1], _SECOND.get(name, "`argnums`")
    if isinstance(second, Array) and not second.declared:
        return "an array", place
    if name == "jax.jit" and isinstance(second, Const) and isinstance(second.value, int):
        return "a number by position", "an option"
    if isinstance(second, Const) and isinstance(second.value, (float, str)):
        return "a string" if isinstance(second.value, str) else "a float", place
    return "", ""
