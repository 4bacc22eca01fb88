"""What takes the memory of arrays that are donated to it, and what still can be asked of an array that was."""

from __future__ import annotations

DONATING = frozenset(("jax.jit", "jax.experimental.pjit.pjit", "jax.pmap"))
"""What deletes arrays that it is donated.  `flax.nnx.jit` gives the object that it was given other ones."""

SAME_METHODS = frozenset(("astype", "reshape"))
SAME = frozenset(f"jax.numpy.{name}" for name in ("astype", "reshape"))
"""Methods and functions that may give the same array again."""

KEPT = SAME_METHODS | frozenset(
    "shape dtype size ndim nbytes itemsize sharding aval weak_type committed is_deleted delete".split()
)
"""Attributes of an array that do not need its buffer."""

READING = ("jax.numpy.", "jax.lax.", "jax.nn.", "jax.scipy.", "jax.random.", "numpy.")
"""Packages whose functions read the arrays that they are given."""

NOT_READING = frozenset(
    f"{package}.{name}"
    for package in ("jax.numpy", "numpy", "jax.lax")
    for name in (
        "shape ndim size result_type issubdtype isdtype iscomplexobj isrealobj isscalar dtype asarray astype reshape "
        "zeros_like ones_like full_like empty_like broadcast_shapes"
    ).split()
) - {"numpy.asarray", "numpy.zeros_like", "numpy.ones_like", "numpy.full_like", "numpy.empty_like", "numpy.reshape"}
"""Those that look at shapes and dtypes only, or may give the same array again."""

READERS = frozenset(
    "jax.device_get jax.block_until_ready builtins.print builtins.str builtins.repr builtins.float builtins.int "
    "builtins.complex builtins.abs builtins.round copy.copy copy.deepcopy pickle.dumps pickle.dump".split()
)
"""Other functions that read them."""

MAPPING = frozenset(("jax.tree.map", "jax.tree_util.tree_map", "jax.tree_map"))
"""Functions that hand each leaf to one that they are given: that may read it."""
