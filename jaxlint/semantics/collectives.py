"""Functions that work along an axis which a transform around them has named, and where they are told its name."""

from __future__ import annotations

AXIS_ARGUMENTS: dict[str, int] = {
    **{
        f"jax.lax.{name}": 1
        for name in "psum pmean pmax pmin all_gather all_to_all ppermute pshuffle pswapaxes psum_scatter".split()
    },
    "jax.lax.axis_index": 0,
    "jax.lax.axis_size": 0,
}
"""The position of `axis_name`."""

WITHOUT_AXES = frozenset(
    """
    jax.jit jax.experimental.pjit.pjit jax.grad jax.value_and_grad jax.jacfwd jax.jacrev jax.jacobian jax.hessian
    jax.checkpoint jax.remat jax.jvp jax.vjp jax.linearize jax.eval_shape jax.lax.scan
    jax.lax.cond jax.lax.switch jax.lax.while_loop jax.lax.fori_loop jax.lax.map
    """.split()
)
"""What traces a function and names no axis."""

MAPPING_SHARDS = frozenset(("jax.shard_map", "jax.experimental.shard_map.shard_map"))
"""What binds the names of the axes of its mesh."""

MAPPING_LANES = frozenset(("jax.vmap", "jax.pmap"))
"""What names the axis that it maps over if it is told how."""

NAMING = MAPPING_SHARDS | MAPPING_LANES
"""What names the axes that it maps over: the others have the option `axis_name`."""

WITHOUT_A_NAME = MAPPING_LANES | {"jax.jit", "jax.experimental.pjit.pjit"}
"""What is rarely called inside of a map that another file or program makes."""
