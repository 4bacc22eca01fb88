"""How gradients, `jax.jvp` and `jax.vjp` are called, and what comes back: by position, in pairs, as tuples."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from jaxlint.flow.domain import avals, events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.avals import Aval
from jaxlint.flow.domain.contexts import Why
from jaxlint.flow.domain.values import (
    ABSTRACT,
    CONCRETE,
    ExternalInstance,
    Function,
    Key,
    Opaque,
    Transformed,
    Tuple,
    Value,
)
from jaxlint.flow.models.arrays import handed_back
from jaxlint.flow.models.arrays.arrays import like
from jaxlint.flow.models.jax.contracts import described, differences, exact, kind_of_node, lost_slope
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.modules import is_abstract
from jaxlint.flow.source.own_names import names_function
from jaxlint.flow.source.trees import FunctionNode, descendants

PULLBACK = "jax.vjp"
"""By what a pullback is made: it keeps what the function gave, and what that was given."""


def check_argnums(
    it: Interpreter, transform: str, numbers: Sequence[int], names: Sequence[str], args: Arguments, node: ast.AST
) -> bool:
    """Whether a call passes the arguments that are differentiated for by position, as far as is known.

    ``names`` are those of the positional parameters of the function, as far as the call counts them.
    """
    if args.open_ended or args.unsure or args.assumed or args.rest is not None:
        return True
    count = len(args.positional)
    for number in numbers:
        if not -count <= number < count:
            name = names[number] if 0 <= number < len(names) else ""
            keyword = name if name in args.named else ""
            it.emit(events.ArgumentNotPassed(node, transform, number, count, keyword))
            return False
    return True


def check_read(it: Interpreter, made: Transformed, names: Sequence[str], result: Value, node: ast.AST) -> None:
    """A function that is written to be differentiated reads an argument that it is differentiated for.

    One that whoever differentiates it is given may be one of many, of which some leave an argument alone.
    """
    function = made.function
    if kind_of_node(result) not in ("", "array"):
        return  # it is refused
    if not isinstance(function, Function) or function.receiver is not None or not names or not all(names):
        return
    if getattr(function.node, "decorator_list", ()) or is_abstract(function.node):
        return
    if not _is_written(it, made, function):
        return
    if not any(_reads(function.node, name) for name in names):
        it.emit(events.ArgumentUnread(node, made.name, function, tuple(names)))


def _is_written(it: Interpreter, made: Transformed, function: Function) -> bool:
    """Whether the transform is applied to the function itself, or to its name."""
    given = made.node.args[0] if isinstance(made.node, ast.Call) and made.node.args else None
    if isinstance(given, ast.Name) and made.scope is function.scope:
        return given.id == function.name and it.ask_text(made.scope, names_function, given, function.node)
    return given is function.node


def _reads(function: FunctionNode, name: str) -> bool:
    """Whether a function, or one inside of it, reads a variable, or may by its name in a text."""
    names = {name, "locals", "vars", "eval", "exec"}
    return any(
        isinstance(part, ast.Name) and part.id in names and not isinstance(part.ctx, ast.Store)
        for part in descendants(function)
    )


# -- jvp --------------------------------------------------------------------------------------------------------


def check_tangents(it: Interpreter, primals: Value | None, tangents: Value | None, node: ast.AST) -> bool:
    """jax.jvp(f, primals, tangents): two sequences of the same kind, with leaves of the same shapes and dtypes."""
    for what, value in (("primals", primals), ("tangents", tangents)):
        if value is None or getattr(value, "declared", False):
            return True
        if kind_of_node(value) in ("array", "dict", "None") and not isinstance(value, Key):
            it.emit(events.TangentRefused(node, what, "no sequence", described(it, value), ""))
            return False
    assert primals is not None
    assert tangents is not None
    for primal, tangent, place, what in differences(it, primals, tangents):
        if isinstance(primal, Key) or isinstance(tangent, Key):
            continue
        wanted, given = exact(primal), exact(tangent)
        found = what or _refused(wanted, given)
        if wanted.kind in ("int", "bool") and given.kind and not found:
            found = "dtype"  # the tangents of whole numbers are of a dtype of their own, float0
        if found:
            told = (described(it, tangent), described(it, primal))
            it.emit(events.TangentRefused(node, f"tangents{place}", found, *told))
            return False
    return True


def _refused(wanted: Aval, given: Aval) -> str:
    """What is another one in a tangent or a cotangent; JAX promotes neither."""
    if avals.other_shape(wanted, given):
        return "shape"
    if wanted.kind in ("float", "complex") and avals.other_dtype(wanted, given):
        return "dtype" if wanted.kind != given.kind or (wanted.is_strong and given.is_strong) else ""
    return ""


# -- vjp --------------------------------------------------------------------------------------------------------


def pullback(it: Interpreter, result: Value, operands: Sequence[Value], inner: Value) -> Value:
    """The function that `jax.vjp` returns beside the result, which is ``inner`` inside of the trace."""
    return ExternalInstance(PULLBACK, (result, Tuple(tuple(operands)), inner), {}, it.ctx)


def call_pullback(it: Interpreter, made: ExternalInstance, args: Arguments, node: ast.AST) -> Value:
    """What a pullback gives: always a tuple, of as many gradients as there are operands."""
    operands = made.args[1]
    if not it.differentiations:
        lost = lost_slope(PULLBACK, made.args[2], node)
        if lost is not None:
            it.emit(lost)
    if not _takes(it, made, args, node) or not isinstance(operands, Tuple):
        return Opaque("gradients")
    level = ABSTRACT if it.ctx.staging else CONCRETE
    step = it.provenance(Why.RUN, PULLBACK, node, it.ctx.provenance)
    found = (like(operand, level, step, "gradients") for operand in operands.items)
    return handed_back.by(handed_back.GRADIENTS + PULLBACK, *found)


def _takes(it: Interpreter, made: ExternalInstance, args: Arguments, node: ast.AST) -> bool:
    """Whether a pullback takes what it is called with, as far as is known: one tree, as the function has given it."""
    if args.open_ended or args.unsure or args.named or args.rest is not None:
        return True
    result = made.args[0]
    if len(args.positional) != 1:
        it.emit(events.TangentRefused(node, "cotangents", "count", str(len(args.positional)), ""))
        return False
    for wanted, given, place, what in differences(it, result, args.positional[0]):
        if isinstance(wanted, Key) or isinstance(given, Key):
            continue
        found = what or _refused(exact(wanted), exact(given))
        if found:
            told = (described(it, given), described(it, wanted))
            it.emit(events.TangentRefused(node, f"cotangent{place}", found, *told))
            return False
    return True
