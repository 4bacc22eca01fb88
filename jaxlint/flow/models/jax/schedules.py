"""Schedules that optimisers are made with: called with the number of updates so far, at each update.

That number is part of the optimiser's state, so it is a tracer where the update, or all of it, is traced.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.contexts import Provenance, Why
from jaxlint.flow.domain.values import ABSTRACT, Array, ExternalInstance, Function, Opaque, Partial, Value
from jaxlint.flow.limits import KNOWN_ARGUMENTS
from jaxlint.flow.models.objects.iteration import known_items
from jaxlint.flow.port import Interpreter
from jaxlint.semantics import libraries


def make_scheduled(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> Value | None:
    """An optimiser, if it has a schedule that can be looked into, or one of those it is put together from has."""
    if name not in libraries.SCHEDULES and name not in libraries.PUT_TOGETHER:
        return None
    made = ExternalInstance(name, tuple(args.positional), args.named, it.ctx)
    if next(_schedules(it, made), None) is None:
        return None
    run_schedules(it, made, node)
    return made


def is_scheduled(value: ExternalInstance) -> bool:
    """Whether ``make_scheduled`` has made it."""
    return value.made_by in libraries.SCHEDULES or value.made_by in libraries.PUT_TOGETHER


def run_schedules(it: Interpreter, optimiser: ExternalInstance, node: ast.AST) -> None:
    """The optimiser is made, or updates: where that is traced, its schedules are called with a tracer."""
    if not it.ctx.staging or it.ctx.host or it.muted:
        return
    step = Provenance(Why.UPDATES, (), it.frame.scope, node, it.ctx.provenance)
    for schedule in _schedules(it, optimiser):
        with it.counted_apart(), it.scratch():
            it.call(schedule, Arguments([Array(ABSTRACT, step, "int", 0)]), node)


def _schedules(it: Interpreter, optimiser: ExternalInstance) -> Iterator[Function | Partial]:
    place = libraries.SCHEDULES.get(optimiser.made_by)
    if place is not None:
        position, keyword = place
        given = optimiser.args[position] if position < len(optimiser.args) else optimiser.kwargs.get(keyword, Opaque())
        if isinstance(given, (Function, Partial)):
            yield given
        return
    for part in (*optimiser.args, *optimiser.kwargs.values()):
        for inner in (part, *(known_items(it, part, KNOWN_ARGUMENTS.value) or ())):
            if isinstance(inner, ExternalInstance) and is_scheduled(inner):
                yield from _schedules(it, inner)
