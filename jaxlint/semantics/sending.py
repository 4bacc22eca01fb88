"""What reads an array of NumPy after the call has returned, or for as long as its result lives."""

from __future__ import annotations

DISPATCHING: frozenset[str] = frozenset(("jax.jit", "jax.experimental.pjit.pjit", "jax.pmap", "flax.nnx.jit"))
"""Transforms whose functions compute on memory of NumPy while Python goes on."""

AWAITED: frozenset[str] = frozenset(("equinox.filter_jit",))
"""Transforms whose functions return when all is computed: equinox waits for a result, to tell of errors (0.11.12
and 0.13.8 do)."""

SHARING: frozenset[str] = frozenset(("jax.device_put",))
"""Functions whose results are in that very memory, where the device is the CPU."""

NARROW: frozenset[str] = frozenset(
    "float32 float16 bfloat16 int32 int16 int8 uint32 uint16 uint8 bool bool_ complex64".split()
)
"""Dtypes that JAX takes as they are; arrays of the others it copies, since it makes their items narrower."""

WRITING: frozenset[str] = frozenset("fill sort put partition itemset setfield".split())
"""Methods that write to an array of NumPy."""

WRITING_FIRST: frozenset[str] = frozenset("numpy.copyto numpy.put numpy.place numpy.putmask".split())
"""Functions that write to their first argument."""
