"""Methods that are called of objects of which nothing is known: what those that the program has compile anew.

Nothing else is claimed of such a call, and nothing of what it does to the state.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.values import Function, Instance, Opaque, Transformed, Value
from jaxlint.flow.limits import MOST_CALLS
from jaxlint.flow.models.objects import classes
from jaxlint.flow.models.random.ignored_keys import methods_in_reach
from jaxlint.flow.models.random.unseen import call_unseen
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.modules import names_in
from jaxlint.semantics.compiling import FORGETS


def call_unknown(it: Interpreter, function: Opaque, args: Arguments, node: ast.AST) -> Value:
    """A call of which nothing is known but, it may be, the name of the method."""
    method = node.func.attr if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else ""
    if method and not it.ctx.tracing and not it.muted and not it.runs_in_place:
        _tell_what_is_compiled(it, method, args, node)
    return call_unseen(it, function, args, node)


def _tell_what_is_compiled(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> None:
    for method in methods_in_reach(it, it.frame.scope, name):
        if method.owner is None or method.kind or not _may_compile(it, method):
            continue
        watch, it.watch = it.watch, None  # nothing is known of who is called
        try:
            with it.scratch(), it.keeping() as told:
                it.callee = bound = method.bind(Instance(method.owner, None, symbolic=True))
                it.call(bound, _unknown(args), node)
        finally:
            it.watch = watch
        for event, first in told.events.values():
            if isinstance(event, events.CompiledAtEachCall):
                it.deliver(event, first)


def _unknown(args: Arguments) -> Arguments:
    """As many arguments, of which nothing is known: what is tried out must not tell anything of the real ones."""
    positional: list[Value] = [Opaque("an argument") for _ in args.positional]
    named: dict[str, Value] = {name: Opaque(name) for name in args.named}
    return replace(args, positional=positional, named=named)


def _may_compile(it: Interpreter, method: Function) -> bool:
    """Whether the text of a method, or of what it calls, names something that compiles."""
    wave, seen = [method], set[ast.AST]()
    for _ in range(MOST_CALLS.value + 1):
        following: list[Function] = []
        for function in wave:
            if function.node not in seen:
                seen.add(function.node)
                it.note_function(function)
                names = names_in(function.node, it.facts_of(function.node))
                if not _COMPILERS.isdisjoint(names):
                    return True
                following += _named(it, function, names)
        wave = following
    return False


_COMPILERS = frozenset(name.rpartition(".")[2] for name in FORGETS)


def _named(it: Interpreter, function: Function, names: frozenset[str]) -> Iterator[Function]:
    """The methods of the same class, and the functions of the same module, of these names."""
    globals_ = it.state.read(function.scope.frame)
    for name in sorted(names):
        found = classes.find_member(it, function.owner, name) if function.owner is not None else None
        found = found or globals_.get(name)
        while isinstance(found, Transformed):
            found = found.function
        if isinstance(found, Function):
            yield found
