"""The names that maps give to their axes, and what works along an axis of a name that none has given."""

from __future__ import annotations

import ast

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.values import Const, Transformed, Tuple
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.straight import is_straight
from jaxlint.semantics.collectives import AXIS_ARGUMENTS, NAMING


def bound_by(made: Transformed, around: frozenset[str] | None) -> frozenset[str] | None:
    """The names that are bound inside of a map, with those ``around`` it; None where that may be any."""
    if made.name not in NAMING or around is None or "spmd_axis_name" in made.options:
        return None
    name = made.options.get("axis_name", Const(None))
    if not isinstance(name, Const) or not isinstance(name.value, str | None):
        return None
    return around if name.value is None else around | {name.value}


def check_axis(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> None:
    """A function that works along axes by their names, where it is known which ones there are."""
    function = it.activation.function
    if it.ctx.axes is None or args.open_ended or function is None:
        return
    if not is_straight(function.node, it.facts_of(function.node)):
        return
    given = args.get(AXIS_ARGUMENTS[name], "axis_name")
    for axis in given.items if isinstance(given, Tuple) else (given,):
        wanted = axis.value if isinstance(axis, Const) else None
        if isinstance(wanted, str) and wanted not in it.ctx.axes:
            it.emit(events.UnboundAxis(node, name, wanted, tuple(sorted(it.ctx.axes))))
            return
