"""Arguments that a function of a library does not do without, and that a call leaves out."""

from __future__ import annotations

import ast

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.values import Array, Const, Key, Value
from jaxlint.flow.port import Interpreter
from jaxlint.semantics import libraries


def check(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> None:
    """Whether a call passes all that the function, class or method ``name`` has no default for: its path ends else."""
    needs = libraries.NEEDS.get(name)
    if needs is None or args.open_ended or args.unsure or args.more_names:
        return
    for need in needs:
        if need.since and not _may_be_as_new(it, need.since):
            continue
        value = args.get(need.position, need.name)
        given = _mistaken(value) if value is not None and need.of else ""
        if value is None or given:
            it.emit(events.ArgumentNeeded(node, name, need.name, given, need.of, need.since))
            if not need.since:  # an older version goes on
                it.breaks()
            return


def _may_be_as_new(it: Interpreter, since: str) -> bool:
    """Whether flax may be that version, or a newer one."""
    versions, (flax, jax) = it.program.jax_of(it.frame.scope.module), libraries.LAST_WITHOUT[since]
    if versions.flax is not None:
        return versions.flax > flax
    return versions.maximum is None or versions.maximum >= jax


def _mistaken(value: Value) -> str:
    """What an argument is that ought to be an object of a library, as far as it is seen."""
    if isinstance(value, Key):
        return "a key"
    if isinstance(value, Const) and type(value.value) is int:
        return "a number"
    return "an array" if isinstance(value, Array) and not value.declared else ""
