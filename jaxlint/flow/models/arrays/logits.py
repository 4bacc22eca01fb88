"""Probabilities where a function takes logits."""

from __future__ import annotations

import ast

from jaxlint.flow.domain import events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.values import Array, Origin
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
        return
    if origin.name in rule.made_by:
        it.emit(events.ProbabilitiesAsLogits(node, name, origin.name, origin.node, origin.scope))
    elif "softmax" in rule.made_by and _is_normalised(origin):
        it.emit(events.ProbabilitiesAsLogits(node, name, "exp(x) / sum(exp(x))", origin.node, origin.scope))


def _is_normalised(origin: Origin) -> bool:
    """e / e.sum(), where e are exponentials."""
    if origin.name not in _QUOTIENTS or len(origin.parts) != 2:
        return False
    above, below = origin.parts
    if not isinstance(above, Array) or above.origin is None or above.origin.name != "exp":
        return False
    total = below.origin if isinstance(below, Array) else None
    return total is not None and total.name == "sum" and total.parts[:1] == (above,)
