"""Probabilities where a function takes logits."""

from __future__ import annotations

import ast

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.values import Array, External, Opaque, Origin, Value
from jaxlint.flow.port import Interpreter
from jaxlint.semantics.logits import LOGITS

_QUOTIENTS = frozenset("div divide true_divide".split())


def check_logits(it: Interpreter, name: str, args: Arguments, node: ast.AST) -> None:
    """categorical(key, softmax(x)): what is drawn from is the softmax of that."""
    rule = LOGITS.get(name)
    if rule is None or args.may_lack(rule.position, rule.keyword):
        return
    value = args.get(rule.position, rule.keyword)
    origin = value.origin if isinstance(value, Array) else None
    if origin is None:
        if "softmax" in rule.made_by and isinstance(value, Opaque):
            _check_written(it, name, args.expression(node, rule.position), node)
        return
    if origin.name in rule.made_by:
        it.emit(events.ProbabilitiesAsLogits(node, name, origin.name, origin.node, origin.scope))
    elif "softmax" in rule.made_by and (above := _normalised(origin)) is not None:
        is_exp = isinstance(above, Array) and above.origin is not None and above.origin.name == "exp"
        what = "exp(x) / sum(exp(x))" if is_exp else "p / sum(p)"
        it.emit(events.ProbabilitiesAsLogits(node, name, what, origin.node, origin.scope, not is_exp))


def _check_written(it: Interpreter, name: str, written: ast.expr | None, node: ast.AST) -> None:
    """Of what is not known, that it is divided by its own sum where it is handed over."""
    if not isinstance(written, ast.BinOp) or not isinstance(written.op, ast.Div):
        return
    below = written.right
    if not isinstance(below, ast.Call):
        return
    above = ast.dump(written.left)
    if isinstance(below.func, ast.Attribute) and below.func.attr == "sum" and ast.dump(below.func.value) == above:
        it.emit(events.ProbabilitiesAsLogits(node, name, "p / sum(p)", written, it.frame.scope, True))
        return
    with it.scratch(), it.quiet():
        function = it.eval(below.func)
    is_sum = isinstance(function, External) and function.name in ("jax.numpy.sum", "numpy.sum")
    if is_sum and below.args and ast.dump(below.args[0]) == above:
        it.emit(events.ProbabilitiesAsLogits(node, name, "p / sum(p)", written, it.frame.scope, True))


def _normalised(origin: Origin) -> Value | None:
    """What is divided by its sum."""
    if origin.name not in _QUOTIENTS or len(origin.parts) != 2:
        return None
    above, below = origin.parts
    total = below.origin if isinstance(below, Array) else None
    if total is None or total.name != "sum" or not total.parts:
        return None
    return above if _itself(total.parts[0]) is _itself(above) else None


def _itself(value: Value) -> Value:
    """What an array is known to be just another name of."""
    while isinstance(value, Array) and value.origin is not None and value.origin.name == "same" and value.origin.parts:
        value = value.origin.parts[0]
    return value
