"""Options of a compiled function that no call can pass: what is no array and is traced, and flags that the trace has to
know.

As long as callers leave them alone nothing goes wrong, so that only running the function with one traced tells.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.contexts import Provenance, Why
from jaxlint.flow.domain.retold import reason_of
from jaxlint.flow.domain.values import Const, Container, Function, Static, Transformed, Tuple, Union, Value, innermost
from jaxlint.flow.models.jax.transforms import static_parameters
from jaxlint.flow.models.objects.declared import may_be_arrays
from jaxlint.flow.models.objects.leaves import no_leaf
from jaxlint.flow.port import Interpreter

_COMPILING = frozenset(("jax.jit", "jax.experimental.pjit.pjit", "flax.nnx.jit"))


def has_options(it: Interpreter, made: Transformed) -> bool:
    """Whether there are options to look at."""
    return any(_options(it, made))


def note(it: Interpreter, made: Transformed, args: Arguments) -> None:
    """Tells of the options of a function that callers nobody knows run with ``args``, and with options of their own."""
    for function, parameter, default in _options(it, made):
        what = no_leaf(it, default)
        if what:
            it.emit(_event(made, function, parameter, parameter, what), function.scope)
            continue
        named = {**args.named, parameter.arg: Static("bool")}
        with it.scratch(), it.keeping() as told:
            it.call(made, replace(args, named=named), made.node)
        asked = (event for event, _ in told.events.values() if _asks(event, parameter))
        for event in asked:
            it.emit(_event(made, function, parameter, event.node), event.scope)


def _options(it: Interpreter, made: Transformed) -> Iterator[tuple[Function, ast.arg, Value]]:
    """The options that a compiled function traces, with their defaults.

    Only of a function that is compiled where it is defined: another one can be called as it is.
    """
    function, bound, named = innermost(made)
    if made.name not in _COMPILING or function is None or made.function is not function or bound or named:
        return
    if made.node not in getattr(function.node, "decorator_list", ()) or not _is_for_others(it, function):
        return
    static = static_parameters(it, made)
    args = function.node.args.args
    for parameter, default in (
        *zip(args[max(0, len(args) - len(function.defaults)) :], function.defaults[-len(args) :]),
        *zip(function.node.args.kwonlyargs, function.kw_defaults),
    ):
        if default is not None and parameter.arg not in static and _is_option(it, parameter, default, function):
            yield function, parameter, default


def _is_option(it: Interpreter, parameter: ast.arg, default: Value, function: Function) -> bool:
    """Whether a default is a flag, or no array.  Text may stand for one (`bins="auto"`), a tuple for another one."""
    if isinstance(default, Const) and isinstance(default.value, (bool, str)):
        return isinstance(default.value, bool) or not _may_be_arrays(it, parameter, function)
    return not isinstance(default, (Const, Static, Tuple, Container, Union)) and bool(no_leaf(it, default))


def _is_for_others(it: Interpreter, function: Function) -> bool:
    """Whether a function is what a package offers: of a script and of what is private the program has all calls."""
    package = it.program.modules.get(function.scope.module.package)
    is_private = function.name.startswith("_") and not function.name.endswith("__")
    return package is not None and package.is_package and not is_private


def _may_be_arrays(it: Interpreter, parameter: ast.arg, function: Function) -> bool:
    return parameter.annotation is None or may_be_arrays(it, parameter, function)


def _asks(event: events.Event, parameter: ast.arg) -> bool:
    """Whether Python asks for the truth of the tracer that a parameter is."""
    if not isinstance(event, events.TruthTest):
        return False
    reason = reason_of(event.value)
    steps = reason.chain() if reason is not None else []
    return any(step.why is Why.PARAMETER and step.node is parameter for step in steps)


def _event(
    made: Transformed, function: Function, parameter: ast.arg, node: ast.AST, what: str = ""
) -> events.ClosedOption:
    applied = Provenance(Why.APPLIED, (made.name,), made.scope, made.node)
    step = Provenance(Why.PARAMETER, (parameter.arg, made.name.rpartition(".")[2]), function.scope, parameter, applied)
    return events.ClosedOption(node, parameter.arg, what, step)
