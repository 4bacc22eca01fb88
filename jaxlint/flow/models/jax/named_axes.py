"""The names that maps give to their axes, and what works along an axis of a name that none has given."""

from __future__ import annotations

import ast
from collections import Counter

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.contexts import OfTrace
from jaxlint.flow.domain.values import Const, Transformed, Tuple
from jaxlint.flow.models.jax import sharded_calls
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.mapped_alone import functions_alone, maps_alone, names_taken
from jaxlint.flow.source.modules import ModuleText
from jaxlint.flow.source.straight import comes_to
from jaxlint.flow.source.trees import descendants
from jaxlint.semantics.collectives import AXIS_ARGUMENTS, MAPPING_SHARDS, NAMING


def bound_by(it: Interpreter, made: Transformed, around: frozenset[str] | None) -> frozenset[str] | None:
    """The names that are bound inside of a map, with those ``around`` it; None where that may be any."""
    if made.name not in NAMING or around is None or "spmd_axis_name" in made.options:
        return None
    if made.name in MAPPING_SHARDS:
        axes = sharded_calls.axes_of(it, made.options.get("mesh"))
        return None if axes is None else around.union(axes)
    name = made.options.get("axis_name", Const(None))
    if not isinstance(name, Const) or not isinstance(name.value, str | None):
        return None
    return around if name.value is None else around | {name.value}


def check_axis(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> None:
    """A function that works along axes by their names, where it is known which ones there are."""
    function = it.activation.function
    bound = it.axes
    if bound is None or args.open_ended or function is None:
        return
    if not comes_to(function.node, it.facts_of(function.node), node):
        return
    given = args.get(AXIS_ARGUMENTS[name], "axis_name")
    for axis in given.items if isinstance(given, Tuple) else (given,):
        wanted = axis.value if isinstance(axis, Const) else None
        if isinstance(wanted, str) and wanted not in bound:
            is_written = any(part.value == wanted for part in _texts(node))
            it.ask_of_trace(OfTrace.TRANSFORMS)
            it.emit(events.UnboundAxis(node, name, wanted, tuple(sorted(bound)), is_written))
            return


def is_named_nowhere(it: Interpreter, event: events.UnboundAxis) -> bool:
    """Whether no text of the program has the name of the axis but what works along it, so that nobody whom we do not
    see can have bound it: where it is not written in the call itself, it is handed on from one other place."""
    return it.ask_program(times_written, event.axis) <= (0 if event.is_written else 1)


def times_written(it: Interpreter, axis: str) -> int:
    """How often the name of an axis stands in the program, other than in the calls that work along it and in maps that
    run nothing else of the program."""
    scopes = list(it.scopes.values())
    alone = frozenset[tuple[str, str]]().union(*(it.ask_text(scope, functions_alone) for scope in scopes))
    taken = ((scope, alone.intersection(it.ask_text(scope, names_taken))) for scope in scopes)
    return sum(it.ask_text(scope, _written_in, axis, of_others) for scope, of_others in taken)


def _written_in(scope: ModuleText, axis: str, alone: frozenset[tuple[str, str]]) -> int:
    if scope.tree is None or axis not in scope.module.document.text:
        return 0
    return scope.once(_texts_beyond, alone)[axis]


def _texts_beyond(scope: ModuleText, alone: frozenset[tuple[str, str]]) -> Counter[str]:
    """How often each text stands in a module, other than in those calls and maps."""
    calls = [call for name in _SHORT for call in scope.walked().calls.get(name, ())]
    along = {id(part) for call in (*calls, *maps_alone(scope, alone)) for part in _texts(call)}
    found = Counter[str]()
    for statement in scope.tree.body if scope.tree is not None else ():
        found.update(str(part.value) for part in scope.part(_texts, statement) if id(part) not in along)
    return found


def _texts(node: ast.AST) -> list[ast.Constant]:
    """The texts that stand in a piece of code."""
    return [part for part in descendants(node) if isinstance(part, ast.Constant) and isinstance(part.value, str)]


_SHORT = frozenset(name.rpartition(".")[2] for name in AXIS_ARGUMENTS)
