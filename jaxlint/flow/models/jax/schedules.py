"""What optimisers are made with: schedules, called with the number of updates so far, and transformations of gradients
that the project wrote, of which an optimiser calls `update`.

The number and the gradients are tracers where the update, or all of it, is traced.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.contexts import Provenance, Why
from jaxlint.flow.domain.values import (
    ABSTRACT,
    Array,
    Const,
    ExternalInstance,
    Function,
    Instance,
    Opaque,
    Partial,
    Static,
    Tree,
    Tuple,
    Value,
)
from jaxlint.flow.limits import KNOWN_ARGUMENTS
from jaxlint.flow.models.objects.classes import find_member
from jaxlint.flow.models.objects.iteration import known_items
from jaxlint.flow.port import Interpreter
from jaxlint.semantics import libraries
from jaxlint.semantics.optimisers import MAKING


def make_optimiser(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> Value | None:
    """An optimiser, with what it is made of; None where it is made by nothing that is known to make one."""
    if name not in MAKING:
        return None
    unnamed = {UNNAMED: Opaque("options")} if args.more_names or args.open_ended else {}
    made = ExternalInstance(name, tuple(args.positional), {**args.named, **unnamed}, it.ctx)
    if next(_parts(it, made), None) is not None:
        run_schedules(it, made, node)
    return made


UNNAMED = "**"
"""The name of what an optimiser may be made with beside what the call names."""


def is_optimiser(value: ExternalInstance) -> bool:
    """Whether ``make_optimiser`` has made it."""
    return value.made_by in MAKING


def only_computes(it: Interpreter, optimiser: ExternalInstance) -> bool:
    """Whether an optimiser of optax is made of numbers, of what may be a number, and of its own parts, so that its
    `update` gives new values and does nothing else."""
    if not optimiser.made_by.startswith("optax.") or next(_parts(it, optimiser), None) is not None:
        return False
    given = (*optimiser.args, *optimiser.kwargs.values())
    if optimiser.made_by in libraries.SCHEDULES or optimiser.made_by in _CLIPPING:
        return all(isinstance(one, (Const, Static, Opaque, Array)) for one in given)
    return optimiser.made_by == "optax.chain" and all(
        isinstance(one, ExternalInstance) and only_computes(it, one) for one in given
    )


_CLIPPING = frozenset(f"optax.{name}" for name in ("clip", "clip_by_global_norm", "adaptive_grad_clip"))


def run_schedules(it: Interpreter, optimiser: ExternalInstance, node: ast.AST) -> None:
    """The optimiser is made, or updates: where that is traced, its parts are called with tracers."""
    if not it.ctx.staging or it.ctx.host or it.muted:
        return
    step = Provenance(Why.UPDATES, (), it.frame.scope, node, it.ctx.provenance)
    count, tree = Array(ABSTRACT, step, "int", 0), Tree(ABSTRACT, step)
    for part, is_update in _parts(it, optimiser):
        with it.counted_apart(), it.scratch():
            it.call(part, Arguments([tree, tree, tree] if is_update else [count]), node)


def _parts(it: Interpreter, optimiser: ExternalInstance) -> Iterator[tuple[Value, bool]]:
    """The functions of an optimiser, and whether each is called as an `update`, else as a schedule."""
    place = libraries.SCHEDULES.get(optimiser.made_by)
    if place is not None:
        position, keyword = place
        given = optimiser.args[position] if position < len(optimiser.args) else optimiser.kwargs.get(keyword, Opaque())
        if _can_be_run(it, given):
            yield given, False
        return
    for part in (*optimiser.args, *optimiser.kwargs.values()):
        for inner in (part, *(known_items(it, part, KNOWN_ARGUMENTS.value) or ())):
            update = _update_of(it, inner)
            if update is not None:
                yield update, True
            elif isinstance(inner, ExternalInstance) and is_optimiser(inner):
                yield from _parts(it, inner)


def _update_of(it: Interpreter, value: Value) -> Value | None:
    """The `update` of a transformation of gradients that is made of two functions."""
    if not isinstance(value, Tuple) or value.fields != _TRANSFORMATION:
        return None
    update = value.items[1]
    return update if _can_be_run(it, update) else None


def _can_be_run(it: Interpreter, value: Value) -> bool:
    """Whether it is a function that can be looked into, or an object that is called as one."""
    if isinstance(value, Instance):
        return find_member(it, value.cls, "__call__") is not None
    return isinstance(value, (Function, Partial))


_TRANSFORMATION = libraries.NAMED_TUPLES["optax.GradientTransformation"]
