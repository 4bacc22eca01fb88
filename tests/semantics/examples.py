"""Ways to call the functions of jax, so that the tables can be run: each name with arguments that it accepts."""

from __future__ import annotations

import functools
import importlib
import io
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxlint.semantics import added, removed
from jaxlint.semantics.removed import happened, is_gone, version_key

INSTALLED = version_key(jax.__version__)

SCALAR = jnp.float32(0.5)
VECTOR = jnp.array([0.3, 0.6])
MATRIX = jnp.array([[2.0, 0.5], [0.5, 3.0]])
CUBE = jnp.ones((2, 2, 2))
INTS = jnp.array([1, 0])
INT_MATRIX = jnp.array([[1, 2], [3, 4]])
BOOLS = jnp.array([True, False])
COMPLEX = jnp.array([1 + 2j, 3.0])
KEY = jax.random.key(0)

# Tried in this order on a function that EXAMPLES says nothing about.
CANDIDATES: tuple[tuple[Any, ...], ...] = (
    (MATRIX,),
    (VECTOR,),
    (MATRIX, MATRIX),
    (VECTOR, VECTOR),
    (CUBE,),
    (SCALAR,),
    (INTS,),
    (INTS, INTS),
    (BOOLS, BOOLS),
    (COMPLEX,),
    (SCALAR, SCALAR),
    (VECTOR, 1),
    (MATRIX, 0),
    (MATRIX, 0, 1),
    (MATRIX, (1, 0)),
    (VECTOR, (2,)),
    (MATRIX, INT_MATRIX, 0),
    (3,),
    ((2,),),
    (2, 2),
    ((2,), 1.0),
    ((VECTOR, VECTOR),),
    ([MATRIX, MATRIX],),
    (VECTOR, VECTOR, VECTOR),
    (BOOLS, VECTOR, VECTOR),
    (np.float32, (2,)),
    (np.float32, 2),
    (np.float32,),
    ("ij,jk", MATRIX, MATRIX),
    (VECTOR, np.int32),
)

EXAMPLES: dict[str, tuple[Any, ...]] = {
    "jax.image.resize": (MATRIX, (4, 4), "linear"),
    "jax.lax.approx_max_k": (VECTOR, 1),
    "jax.lax.approx_min_k": (VECTOR, 1),
    "jax.lax.argmax": (VECTOR, 0, np.int32),
    "jax.lax.argmin": (VECTOR, 0, np.int32),
    "jax.lax.bitcast_convert_type": (VECTOR, np.int32),
    "jax.lax.broadcast": (VECTOR, (2,)),
    "jax.lax.broadcast_in_dim": (VECTOR, (2, 2), (1,)),
    "jax.lax.broadcasted_iota": (np.float32, (2, 2), 0),
    "jax.lax.collapse": (MATRIX, 0),
    "jax.lax.concatenate": ((VECTOR, VECTOR), 0),
    "jax.lax.dynamic_index_in_dim": (VECTOR, 0),
    "jax.lax.dynamic_slice": (VECTOR, (0,), (1,)),
    "jax.lax.dynamic_slice_in_dim": (VECTOR, 0, 1),
    "jax.lax.dynamic_update_index_in_dim": (VECTOR, SCALAR, 0, 0),
    "jax.lax.dynamic_update_slice_in_dim": (VECTOR, VECTOR, 0, 0),
    "jax.lax.expand_dims": (VECTOR, (0,)),
    "jax.lax.fft": (COMPLEX, "fft", (2,)),
    "jax.lax.full": ((2,), 1.0),
    "jax.lax.index_in_dim": (VECTOR, 0),
    "jax.lax.integer_pow": (VECTOR, 2),
    "jax.lax.iota": (np.float32, 3),
    "jax.lax.map": (jnp.sin, VECTOR),
    "jax.lax.pad": (VECTOR, SCALAR, [(1, 1, 0)]),
    "jax.lax.reduce_and": (BOOLS, (0,)),
    "jax.lax.reduce_or": (BOOLS, (0,)),
    "jax.lax.reshape": (MATRIX, (4,)),
    "jax.lax.rev": (VECTOR, (0,)),
    "jax.lax.scan": (lambda carry, _: (carry, None), 0.0, None, 3),
    "jax.lax.slice": (VECTOR, (0,), (1,)),
    "jax.lax.slice_in_dim": (VECTOR, 0, 1),
    "jax.lax.split": (VECTOR, (1, 1)),
    "jax.lax.squeeze": (jnp.ones((1, 2)), (0,)),
    "jax.lax.tile": (VECTOR, (2,)),
    "jax.lax.top_k": (VECTOR, 1),
    "jax.lax.transpose": (MATRIX, (1, 0)),
    "jax.nn.one_hot": (INTS, 3),
    "jax.numpy.arange": (3,),
    "jax.numpy.argpartition": (VECTOR, 1),
    "jax.numpy.array_split": (VECTOR, 2),
    "jax.numpy.bincount": (INTS,),
    "jax.numpy.choose": (INTS, [VECTOR, VECTOR]),
    "jax.numpy.compress": (BOOLS, VECTOR),
    "jax.numpy.cross": (jnp.ones(3), jnp.ones(3)),
    "jax.numpy.delete": (VECTOR, INTS),
    "jax.numpy.diff": (VECTOR,),
    "jax.numpy.dsplit": (CUBE, 2),
    "jax.numpy.extract": (BOOLS, VECTOR),
    "jax.numpy.eye": (3,),
    "jax.numpy.from_dlpack": (VECTOR,),
    "jax.numpy.geomspace": (1.0, 2.0),
    "jax.numpy.histogram": (VECTOR, 3),
    "jax.numpy.histogram_bin_edges": (VECTOR, 3),
    "jax.numpy.indices": ((2,),),
    "jax.numpy.insert": (VECTOR, 0, 1.0),
    "jax.numpy.linspace": (0.0, 1.0),
    "jax.numpy.logspace": (0.0, 1.0),
    "jax.numpy.mask_indices": (2, jnp.triu),
    "jax.numpy.moveaxis": (MATRIX, 0, 1),
    "jax.numpy.pad": (VECTOR, 1),
    "jax.numpy.partition": (VECTOR, 1),
    "jax.numpy.polyfit": (VECTOR, VECTOR, 1),
    "jax.numpy.ravel_multi_index": ((INTS, INTS), (2, 2)),
    "jax.numpy.repeat": (VECTOR, INTS),
    "jax.numpy.resize": (VECTOR, (2,)),
    "jax.numpy.roll": (MATRIX, 1),
    "jax.numpy.rollaxis": (MATRIX, 1),
    "jax.numpy.rot90": (MATRIX,),
    "jax.numpy.save": (io.BytesIO(), VECTOR),
    "jax.numpy.size": (MATRIX,),
    "jax.numpy.split": (VECTOR, 2),
    "jax.numpy.squeeze": (jnp.ones((1, 2)),),
    "jax.numpy.swapaxes": (MATRIX, 0, 1),
    "jax.numpy.take": (VECTOR, INTS),
    "jax.numpy.tensordot": (MATRIX, MATRIX),
    "jax.numpy.tile": (VECTOR, 2),
    "jax.numpy.tri": (3,),
    "jax.numpy.unpackbits": (INTS.astype("uint8"),),
    "jax.numpy.unravel_index": (INTS, (2, 2)),
    "jax.numpy.vander": (VECTOR,),
    "jax.numpy.where": (BOOLS,),
    "jax.ops.segment_max": (VECTOR, INTS),
    "jax.ops.segment_min": (VECTOR, INTS),
    "jax.ops.segment_prod": (VECTOR, INTS),
    "jax.ops.segment_sum": (VECTOR, INTS),
    "jax.random.ball": (KEY, 2),
    "jax.random.bernoulli": (KEY,),
    "jax.random.beta": (KEY, 1.0, 1.0),
    "jax.random.binomial": (KEY, 5.0, 0.5),
    "jax.random.bits": (KEY,),
    "jax.random.categorical": (KEY, VECTOR),
    "jax.random.chisquare": (KEY, 1.0),
    "jax.random.choice": (KEY, 3),
    "jax.random.dirichlet": (KEY, VECTOR),
    "jax.random.double_sided_maxwell": (KEY, 0.0, 1.0),
    "jax.random.f": (KEY, 1.0, 1.0),
    "jax.random.gamma": (KEY, 1.0),
    "jax.random.generalized_normal": (KEY, 1.0),
    "jax.random.geometric": (KEY, 0.5),
    "jax.random.key_data": (KEY,),
    "jax.random.key_impl": (KEY,),
    "jax.random.loggamma": (KEY, 1.0),
    "jax.random.multinomial": (KEY, 5, VECTOR),
    "jax.random.multivariate_normal": (KEY, VECTOR, MATRIX),
    "jax.random.orthogonal": (KEY, 2),
    "jax.random.pareto": (KEY, 1.0),
    "jax.random.permutation": (KEY, VECTOR),
    "jax.random.poisson": (KEY, 1.0),
    "jax.random.randint": (KEY, (2,), 0, 4),
    "jax.random.rayleigh": (KEY, 1.0),
    "jax.random.t": (KEY, 1.0),
    "jax.random.triangular": (KEY, 0.0, 0.5, 1.0),
    "jax.random.truncated_normal": (KEY, 0.0, 1.0),
    "jax.random.wald": (KEY, 1.0),
    "jax.random.weibull_min": (KEY, 1.0, 1.0),
    "jax.scipy.special.bernoulli": (3,),
    "jax.scipy.special.multigammaln": (jnp.ones(2) * 4, 2),
}
EXAMPLES |= {
    f"jax.random.{name}": (KEY,)
    for name in "split cauchy exponential gumbel laplace logistic lognormal maxwell normal rademacher uniform".split()
}


# Where an example of above does not work with a host value in place of the array that it is there for.
STATIC_EXAMPLES: dict[str, tuple[Any, ...]] = {
    "jax.numpy.delete": (VECTOR, 0),
    "jax.numpy.repeat": (VECTOR, 2),
    "jax.random.choice": (KEY, VECTOR),
    "jax.numpy.linalg.tensorsolve": (MATRIX, VECTOR),
}


@functools.cache
def resolve(name: str) -> Any:
    """The object that a qualified name stands for.  Raises AttributeError where there is none."""
    path, *rest = name.split(".")
    found: Any = importlib.import_module(path)
    for part in rest:
        path = f"{path}.{part}"
        try:
            found = getattr(found, part)
        except AttributeError:
            try:
                found = importlib.import_module(path)
            except ModuleNotFoundError:
                raise AttributeError(path) from None
    return found


def is_there(name: str) -> bool:
    """Whether the installed JAX has a name, as the tables of removed and of newer names have it."""
    older, newer = removed.NAMES.get(name), added.NAMES.get(name)
    return not (older and is_gone(older, INSTALLED)) and (newer is None or happened(newer.since, INSTALLED))


def examples(name: str) -> tuple[tuple[Any, ...], ...]:
    """Arguments to try ``name`` with; those that it does not accept are to be skipped."""
    return (EXAMPLES[name],) if name in EXAMPLES else CANDIDATES


def is_array(value: object) -> bool:
    return isinstance(value, jax.Array)


def traced_call(function: Any, arguments: tuple[Any, ...], keywords: dict[str, Any] | None = None) -> Any:
    """What ``function`` returns inside jit when every array among (and directly inside) its arguments is traced."""
    leaves, tree = jax.tree.flatten((arguments, keywords or {}))
    result = []

    def run(arrays: list[jax.Array]) -> int:
        supply = iter(arrays)
        filled = [next(supply) if is_array(leaf) else leaf for leaf in leaves]
        positional, named = jax.tree.unflatten(tree, filled)
        result.append(function(*positional, **named))
        return 0

    jax.eval_shape(run, [leaf for leaf in leaves if is_array(leaf)])
    return result[0]
