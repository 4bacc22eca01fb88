"""What `jax.jacfwd`, `jacrev` and `hessian` give: for each array that a function returns a derivative by each one that
is differentiated, whose axes are those of the two."""

from __future__ import annotations

from jaxlint.flow.domain.avals import UNKNOWN, Aval
from jaxlint.flow.domain.contexts import Provenance
from jaxlint.flow.domain.values import ABSTRACT, Array, Opaque, Tree, Value
from jaxlint.flow.models.arrays.arrays import like
from jaxlint.flow.models.arrays.pytrees import map_leaves
from jaxlint.flow.port import Interpreter

_TWICE = frozenset(("jax.hessian", "equinox.filter_hessian"))


def of(it: Interpreter, name: str, outputs: Value, inputs: Value, level: int, step: Provenance) -> Value:
    """What the transform ``name`` gives a caller whose jax computes arrays of ``level``."""

    def by_inputs(output: Value) -> Value:
        if isinstance(output, Tree) and output.sure and not output.array_like and level == ABSTRACT:
            return Tree(ABSTRACT, step)
        if not isinstance(output, (Array, Tree)):
            return Opaque("derivatives")
        return map_leaves(it, inputs, lambda leaf: _derivative(output, leaf, level, step))

    found = map_leaves(it, outputs, by_inputs)
    return map_leaves(it, found, by_inputs) if name in _TWICE else found


def _derivative(output: Value, leaf: Value, level: int, step: Provenance) -> Value:
    made = like(leaf, level, step, "derivatives")
    if not isinstance(made, Array):
        return made
    by, of = made.aval, output.aval if isinstance(output, Array) else UNKNOWN
    shape = None if by.shape is None or of.shape is None else (*of.shape, *by.shape)
    dtype = by.dtype if by.dtype == of.dtype else "float" if by.kind == of.kind == "float" else ""
    ndim = None if shape is None else len(shape)
    return Array(made.level, made.provenance, made.kind, ndim, aval=Aval(dtype, None, shape))
