"""Where a gradient that JAX computes is NaN: at zero, which is where a root, a logarithm or a quotient has no slope, or
at one, which is where vectors are parallel.

What was traced is run at these points, behind the fences.  The gradient is blamed on a place only if it is NaN through
the slopes of that place alone, and is not once these are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from typing import Any

import jax
import jax.numpy as jnp

from jaxlint.dynamic import equations, places, private
from jaxlint.dynamic.observations import Kind, Observation, Span

MOST_EQUATIONS = 500
MOST_ELEMENTS = 1 << 16
_POINTS = {"zero": jnp.zeros, "one": jnp.ones}
_ASSUMED = "the arrays that it is given are {}, and what it returns is differentiated"

_Key = tuple[int, ...]
"""An equation: those that its jaxpr is in, and itself, by identity."""


def nan_gradients(closed: Any, sources: places.Sources, wanted: Collection[Span]) -> list[Observation]:
    """The places of ``wanted`` that make the gradient of a traced function NaN at zero, or else at one, though its
    value is finite."""
    plain = private.opened(closed)
    avals = [variable.aval for variable in plain.invars]
    if plain.effects or not all(_is_plain(aval) for aval in avals) or not _reaches(closed, sources, wanted):
        return []
    found: list[Observation] = []
    for name, make in _POINTS.items():
        left = [at for at in wanted if all(seen.at != at for seen in found)]
        try:
            point = [make(aval.shape, aval.dtype) for aval in avals]
            found += _blamed(closed, sources, left, point, _ASSUMED.format(name))
        except Exception:  # what cannot be run or differentiated here shows nothing
            continue
    return found


def _is_plain(aval: Any) -> bool:
    return hasattr(aval, "shape") and not private.key_dtype(aval) and aval.size <= MOST_ELEMENTS


def _reaches(closed: Any, sources: places.Sources, wanted: Collection[Span]) -> bool:
    found = list(equations.walk(closed, sources, lambda equation, jaxpr: True))
    return len(found) <= MOST_EQUATIONS and any(_is_at(stack.at, at) for _, stack in found for at in wanted)


def _is_at(seen: Span | None, at: Span) -> bool:
    """Whether an equation comes from a place, or from a part of it."""
    if seen is None or seen.path != at.path or not seen.column:
        return False
    ends = (seen.end_line, seen.end_column) <= (at.end_line, at.end_column)
    return ends and (seen.line, seen.column) >= (at.line, at.column)


def _blamed(
    closed: Any, sources: places.Sources, wanted: Collection[Span], point: list[Any], assumed: str
) -> Iterator[Observation]:
    steep = _steep(closed, sources, point) if wanted else {}

    def is_nan(left_out: set[_Key]) -> bool:
        value, slopes = _differentiated(closed, sources, frozenset(left_out))(*point)
        return bool(jnp.isfinite(value)) and any(bool(jnp.isnan(slope).any()) for slope in slopes)

    if not steep or is_nan({*steep}):
        return
    for at in wanted:
        mine = {key for key, seen in steep.items() if _is_at(seen, at)}
        if mine and is_nan(steep.keys() - mine):
            detail = f"the gradient is NaN, and is not without the slope of `{places.excerpt(at)}`"
            yield Observation(Kind.NAN_GRADIENT, at, detail, assumptions=(assumed,))


def _steep(closed: Any, sources: places.Sources, point: list[Any]) -> dict[_Key, Span | None]:
    """The equations whose own slope at this point is no finite number, with their places."""
    seen: list[tuple[_Key, Span | None]] = []

    def flags(*arrays: Any) -> list[Any]:
        run = _Run(sources, looks_at_slopes=True)
        run.evaluate(private.opened(closed), private.constants(closed), arrays, None, ())
        seen[:] = [(key, at) for key, at, _ in run.slopes]
        return [flag for _, _, flag in run.slopes]

    found = jax.jit(flags)(*point)
    return {key: at for (key, at), flag in zip(seen, found) if flag}


def _differentiated(closed: Any, sources: places.Sources, left_out: frozenset[_Key]) -> Callable[..., Any]:
    """From arrays to the sum of what the function returns, and its gradient."""

    def total(*arrays: Any) -> Any:
        run = _Run(sources, left_out)
        results = run.evaluate(private.opened(closed), private.constants(closed), arrays, None, ())
        return sum(jnp.sum(result) for result in results if jnp.issubdtype(result.dtype, jnp.floating))

    floats = [index for index, one in enumerate(private.opened(closed).invars) if _is_float(one.aval)]
    return jax.jit(jax.value_and_grad(total, argnums=floats))


def _is_float(value: Any) -> bool:
    return bool(jnp.issubdtype(value.dtype, jnp.floating))


@dataclass
class _Run:
    """An interpreter of jaxprs that leaves the slopes of some equations out, or looks at those of all."""

    sources: places.Sources
    left_out: frozenset[_Key] = frozenset()
    looks_at_slopes: bool = False
    slopes: list[tuple[_Key, Span | None, Any]] = field(default_factory=list)

    def evaluate(self, jaxpr: Any, constants: Any, arrays: Any, caller: equations.Stack | None, around: _Key) -> Any:
        known = dict(zip((*jaxpr.constvars, *jaxpr.invars), (*constants, *arrays)))

        def value(atom: Any) -> Any:
            return atom.val if private.is_literal(atom) else known[atom]

        for equation in jaxpr.eqns:
            key, stack = (*around, id(equation)), equations.stack_of(equation, caller, self.sources)
            given = [value(atom) for atom in equation.invars]
            if (inner := private.called(equation)) is not None:
                made = self.evaluate(private.opened(inner), private.constants(inner), given, stack, key)
            else:
                made = private.bound(equation, given)
                if self.looks_at_slopes:
                    self._look(equation, given, key, stack.at)
            if key in self.left_out:
                made = [jax.lax.stop_gradient(one) for one in made]
            known.update(zip(equation.outvars, made))
        return [jnp.asarray(value(atom)) for atom in jaxpr.outvars]

    def _look(self, equation: Any, given: list[Any], key: _Key, at: Span | None) -> None:
        arrays = [jnp.asarray(one) for one in given]
        floats = [index for index, one in enumerate(arrays) if _is_float(one)]
        if not floats or not any(_is_float(one.aval) for one in equation.outvars if hasattr(one.aval, "dtype")):
            return

        def of_floats(*values: Any) -> Any:
            filled = dict(zip(floats, values))
            made = private.bound(equation, [filled.get(index, one) for index, one in enumerate(arrays)])
            return [one for one in made if _is_float(one)]

        primals = [arrays[index] for index in floats]
        try:
            _, tangents = jax.jvp(of_floats, primals, [jnp.ones_like(one) for one in primals])
        except Exception:  # has a rule for the other direction only
            return
        self.slopes.append((key, at, ~jnp.array([jnp.isfinite(one).all() for one in tangents]).all()))
