"""Whether the code that runs is making the object that it works on: a constructor, or what that may have called."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from jaxlint.flow.domain.values import ClassValue, External, Function, Instance
from jaxlint.flow.models.objects import classes
from jaxlint.flow.models.objects.reaching import reached_from
from jaxlint.flow.port import Interpreter

CONSTRUCTORS = ("__init__", "__post_init__")


def runs_for(it: Interpreter, owner: Instance) -> Iterator[Function]:
    """The methods of an object's classes that run, the innermost first."""
    line, running = classes.linearized(owner.cls), it.activation
    while running is not None:
        if running.function is not None and running.function.owner in line:
            yield running.function
        running = running.caller  # type: ignore[assignment]


def is_receiver(it: Interpreter, owner: Instance) -> bool:
    """Whether an object is the first argument of the method that runs."""
    function = it.activation.function
    if function is None or function.owner is None or function.owner not in classes.linearized(owner.cls):
        return False
    first = next(iter((*function.node.args.posonlyargs, *function.node.args.args)), None)
    return first is not None and it.state.read(it.activation.frame).get(first.arg) is owner


def may_be_making(it: Interpreter, owner: Instance, family: Collection[ClassValue], makers: tuple[str, ...]) -> bool:
    """Whether what runs is one of the methods ``makers`` of an object, or may be called by one, as the text tells."""
    if any(function.name in makers for function in runs_for(it, owner)):
        return True
    running = it.activation.function
    if running is None:
        return False
    line = {part for cls in family for part in classes.linearized(cls)}
    return running.name in reached_from(it, line, makers)


def runs_constructor(it: Interpreter, owner: Instance) -> bool:
    function = it.activation.function
    return is_receiver(it, owner) and function is not None and function.name in CONSTRUCTORS


def is_compact(it: Interpreter, function: Function) -> bool:
    """Whether a method of a flax module is decorated with `compact`, so that it runs with a scope only."""
    decorators = () if isinstance(function.node, ast.Lambda) else function.node.decorator_list
    found = (it.eval_annotation(node, function) for node in decorators)
    return any(isinstance(one, External) and one.name == "flax.linen.compact" for one in found)
