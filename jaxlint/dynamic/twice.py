"""What the jaxprs of a function say: two traces that differ, arrays that were captured, results that nobody uses.

Two traces of the same function with the same inputs have the same equations, unless the function reads something that
is not among its inputs and that changed.  The caches must be cleared between them, or the second is the first.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import zip_longest
from typing import Any

import numpy as np

from jaxlint.dynamic import equations, places, private
from jaxlint.dynamic.equations import Stack
from jaxlint.dynamic.observations import Kind, Observation, Span
from jaxlint.dynamic.places import Sources

_LARGE = 1 << 20  # bytes of a captured array that are worth a word
_COMPARED = 1 << 16  # elements of captured arrays that are compared


def differences(first: Any, second: Any, sources: Sources) -> list[Observation]:
    """Where two closed jaxprs of one function differ, at the first equation that does in each jaxpr."""
    found = []
    for one, other, stack in _differing(first, second, {}, sources, None):
        if stack.at and not private.is_made_by(one, "checkify.py"):  # it numbers its errors in the order of traces
            shown = tuple(equations.text_of(each) for each in (one, other) if each is not None)
            text = "two traces with the same inputs differ here: something that is not an input was read"
            related = tuple((span, "called here") for span in reversed(stack.spans[:-1]))
            found.append(Observation(Kind.STATE, stack.at, text, "", "", (), stack.transforms, related, shown))
    return found


def as_leak(seen: Observation) -> Observation:
    """What a difference is where the second trace holds tracers: the first made them and something kept them."""
    text = "the second of two traces uses a tracer that was made here in the first"
    related = (*seen.related, *places.defined_around(seen.at.path, seen.at.line))
    return replace(seen, kind=Kind.LEAK, detail=text, related=related)


def captured(jaxpr: Any, sources: Sources, least: int = _LARGE, caller: Stack | None = None) -> list[Observation]:
    """The arrays of at least ``least`` bytes that became constants, of inner jaxprs too, where they are first used."""
    found = []
    plain = private.opened(jaxpr)
    large = {
        variable: size
        for variable in plain.constvars
        if hasattr(variable.aval, "size")
        and hasattr(variable.aval.dtype, "itemsize")
        and (size := variable.aval.size * variable.aval.dtype.itemsize) >= least
    }
    for equation in plain.eqns:
        used = [atom for atom in equation.invars if not private.is_literal(atom) and atom in large]
        inner = list(private.inner_jaxprs(equation))
        if not (used or inner):
            continue
        stack = equations.stack_of(equation, caller, sources)
        for atom in used:
            size = large.pop(atom, 0)
            if stack.at and size:
                text = f"{private.aval_text(atom)}, {size / 2**20:.1f} MiB, becomes a constant of the program"
                shown = (equations.text_of(equation),)
                found.append(Observation(Kind.CONSTANT, stack.at, text, aval=private.aval_text(atom), equations=shown))
        for _, each in inner:
            found += captured(each, sources, least, stack)
    return found


def unused(closed: Any, sources: Sources) -> list[Observation]:
    """Statements that consist of a computation whose result nothing uses, such as ``x.at[0].set(1)``."""
    found: dict[Span, Observation] = {}
    live: dict[int, set[int]] = {}

    def dead(equation: Any, jaxpr: Any) -> bool:
        if id(jaxpr) not in live:
            live[id(jaxpr)] = _live(jaxpr)
        return id(equation) not in live[id(jaxpr)]

    for equation, stack in equations.walk(closed, sources, dead):
        if stack.at and _is_statement(stack.at):
            text, shown = "the value computed here is not used", (equations.text_of(equation),)
            found[stack.at] = Observation(Kind.DEAD, stack.at, text, traced_by=stack.transforms, equations=shown)
    return list(found.values())


def _differing(
    first: Any, second: Any, twins: dict[Any, Any], sources: Sources, caller: Stack | None
) -> Iterator[tuple[Any, Any, Stack]]:
    """Pairs of equations that differ, the second None where the other trace has no more."""
    one, other = private.opened(first), private.opened(second)
    twins.update(zip(one.invars, other.invars))
    changed = {
        variable
        for variable, was, now in zip(one.constvars, private.constants(first), private.constants(second))
        if not _equal(was, now)
    }
    twins.update((a, b) for a, b in zip(one.constvars, other.constvars) if a not in changed)
    for equation, twin in zip_longest(one.eqns, other.eqns[: len(one.eqns)]):
        inner = []
        same = twin is not None and twin.primitive is equation.primitive and _same_inputs(equation, twin, twins)
        if twin is not None and same:
            twins.update(zip(equation.outvars, twin.outvars))
            same = _same_parameters(equation, twin)
            inner = list(zip(private.inner_jaxprs(equation), private.inner_jaxprs(twin)))
        if same and not inner:
            continue
        stack = equations.stack_of(equation, caller, sources)
        found = next((pair for (_, a), (_, b) in inner for pair in _differing(a, b, {}, sources, stack)), None)
        if found or not same:
            yield found or (equation, twin, stack)
            return


def _same_inputs(equation: Any, twin: Any, twins: dict[Any, Any]) -> bool:
    if len(equation.invars) != len(twin.invars):
        return False
    for atom, other in zip(equation.invars, twin.invars):
        if private.is_literal(atom) or private.is_literal(other):
            if not (private.is_literal(atom) and private.is_literal(other) and _equal(atom.val, other.val)):
                return False
        elif twins.get(atom) is not other:
            return False
    return True


def _same_parameters(equation: Any, twin: Any) -> bool:
    """Whether parameters other than jaxprs and functions are equal."""
    jaxprs = {name for name, _ in private.inner_jaxprs(equation)}
    return equation.params.keys() == twin.params.keys() and all(
        callable(value) or name in jaxprs or _equal(value, twin.params[name]) for name, value in equation.params.items()
    )


def _equal(first: Any, second: Any) -> bool:
    """Whether two values are the same as far as it can be told cheaply; nan equals itself."""
    if first is second:
        return True
    try:
        if hasattr(first, "shape") and hasattr(second, "shape"):  # jax 0.7 to 0.9 wrap literals in a class of their own
            if first.shape != second.shape or first.dtype != second.dtype:
                return False
            comparable = first.size <= _COMPARED and not private.key_dtype(first)
            one, other = (np.asarray(value) if comparable else value for value in (first, second))
            return not comparable or bool(np.array_equal(one, other, equal_nan=one.dtype.kind in "fc"))
        return bool(first == second) or str(first).partition(" at 0x")[0] == str(second).partition(" at 0x")[0]
    except Exception:  # values of the project's own classes
        return True


def _live(jaxpr: Any) -> set[int]:
    """The equations of a jaxpr that its results or its effects need, by identity."""
    needed = {atom for atom in jaxpr.outvars if not private.is_literal(atom)}
    live: set[int] = set()
    for equation in reversed(jaxpr.eqns):
        if equation.effects or any(variable in needed for variable in equation.outvars):
            live.add(id(equation))
            needed.update(atom for atom in equation.invars if not private.is_literal(atom))
    return live


def _is_statement(at: Span) -> bool:
    """Whether a place is a statement that is an expression, so that nobody can use its value."""
    for value in _expression_statements(at.path):
        if value.lineno == at.line and value.end_lineno == at.end_line:
            if at.column:
                return places.span_of(at.path, value) == at
            arguments = [*value.args, *(keyword.value for keyword in value.keywords)]
            return not any(isinstance(node, ast.Call) for each in arguments for node in ast.walk(each))
    return False


@lru_cache(maxsize=64)
def _expression_statements(path: str) -> list[ast.Call]:
    """The calls that are statements."""
    statements = (node.value for node in ast.walk(places.tree_of(path)) if isinstance(node, ast.Expr))
    return [value for value in statements if isinstance(value, ast.Call)]
