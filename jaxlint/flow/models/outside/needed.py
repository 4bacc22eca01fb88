"""Arguments that a function of a library does not do without, and that a call leaves out."""

from __future__ import annotations

import ast

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.values import Array, Const, Key, Value
from jaxlint.flow.models.objects.plain_containers import is_structure
from jaxlint.flow.port import Interpreter
from jaxlint.semantics import libraries


def check(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> None:
    """Whether a call passes all that the function, class or method ``name`` has no default for."""
    needs = libraries.NEEDS.get(name)
    if needs is None or args.open_ended or args.unsure or args.more_names:
        return
    for need in needs:
        if need.newer and not is_structure(it):
            continue
        value = args.get(need.position, need.name)
        given = _mistaken(value) if value is not None and need.of else ""
        if value is None or given:
            it.emit(events.ArgumentNeeded(node, name, need.name, given, need.of, need.newer))
            return


def _mistaken(value: Value) -> str:
    """What an argument is that ought to be an object of a library, as far as it is seen."""
    if isinstance(value, Key):
        return "a key"
    if isinstance(value, Const) and type(value.value) is int:
        return "a number"
    return "an array" if isinstance(value, Array) and not value.declared else ""
