"""Rules for derivatives, `f.defvjp(fwd, bwd)` and `@f.defjvp`: traced where ``f`` is differentiated under jit."""

from __future__ import annotations

import ast

from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.contexts import Provenance, Why
from jaxlint.flow.domain.values import ABSTRACT, Function, Opaque, Transformed, Tuple, Value
from jaxlint.flow.models.arrays import arrays
from jaxlint.flow.models.arrays.arrays import like
from jaxlint.flow.port import Interpreter

_GIVEN_TANGENTS = frozenset(("jvp", "vjp", "linearize", "filter_jvp", "filter_vjp"))
"""Their callers choose the tangents, which need not be traced."""

_REGISTERED = {"defvjp": ("jax.custom_vjp", 2), "defjvp": ("jax.custom_jvp", 1)}
_RULES = "rules"


def note_rules(it: Interpreter, owner: Value, method: str, rules: list[Value]) -> None:
    """``owner.method(*rules)`` is called: what is registered is kept with the function."""
    name, count = _REGISTERED.get(method, ("", 0))
    if isinstance(owner, Transformed) and owner.name == name and len(rules) == count:
        if all(isinstance(rule, Function) for rule in rules):
            it.state.write(owner)[_RULES] = Tuple(tuple(rules))


def run_rules(it: Interpreter, made: Transformed, args: Arguments, apart: list[int], node: ast.AST) -> None:
    """``made`` is called with ``args``, those at the positions ``apart`` not differentiated: runs its rules as they
    are traced if this is under jit and differentiated.  What they do to the state is the derivative's concern."""
    rules = it.state.read(made).get(_RULES)
    how = it.ctx.differentiated_by
    if not isinstance(rules, Tuple) or not how or not it.ctx.staging or it.muted or args.named or args.open_ended:
        return
    if any(isinstance(rule, Function) and it.is_running(rule.node) for rule in rules.items):
        return
    kept = [value for number, value in enumerate(args.positional) if number in apart]
    rest = [value for number, value in enumerate(args.positional) if number not in apart]
    if not any(arrays.tracer_in(it, value) is not None for value in rest):
        return
    step = Provenance(Why.RULES, (how,), made.scope, made.node, it.ctx.provenance)
    is_chosen = how in _GIVEN_TANGENTS

    def tangent(value: Value) -> Value:
        return Opaque("a tangent") if is_chosen else like(value, ABSTRACT, step, "a tangent")

    with it.counted_apart(), it.scratch():
        if made.name == "jax.custom_jvp":
            tangents = [tangent(value) if len(rest) == 1 else Opaque("a tangent") for value in rest]
            _run(it, rules.items[0], [*kept, Tuple(tuple(rest)), Tuple(tuple(tangents))], node)
        else:
            outcome = _run(it, rules.items[0], args.positional, node)
            known = outcome.items if isinstance(outcome, Tuple) and len(outcome.items) == 2 else None
            result, residuals = known or (Opaque(), Opaque("residuals"))
            it.state.uses = {}  # to draw the same numbers again is what a rule keeps a key for
            _run(it, rules.items[1], [*kept, residuals, tangent(result)], node)


def _run(it: Interpreter, rule: Value, values: list[Value], node: ast.AST) -> Value:
    return it.call(rule, Arguments(values), node)
