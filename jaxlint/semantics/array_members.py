"""The attributes and methods of an array, and what a tracer makes of them.

Error names are exception classes: of ``jax.errors`` where such a class exists, else builtins.
"""

from __future__ import annotations

STATIC_ATTRIBUTES: frozenset[str] = frozenset("shape ndim dtype size nbytes itemsize aval weak_type".split())

# Attributes that are arrays themselves.
ARRAY_ATTRIBUTES: frozenset[str] = frozenset("T mT real imag".split())

NO_METHODS: frozenset[str] = STATIC_ATTRIBUTES | ARRAY_ATTRIBUTES
"""Attributes, and nothing that can be called, though torch or TensorFlow have methods of some of the names."""

ARRAY_METHODS: frozenset[str] = frozenset(
    """
    all any argmax argmin argpartition argsort astype byteswap choose clip conj conjugate copy cumprod cumsum diagonal
    dot flatten max mean min prod ptp ravel repeat reshape round searchsorted sort squeeze std sum swapaxes take trace
    transpose var view compress nonzero
    """.split()
)

BOOL_METHODS: frozenset[str] = frozenset({"all", "any"})

INT_METHODS: frozenset[str] = frozenset({"argmax", "argmin", "argsort", "argpartition", "nonzero", "searchsorted"})

# Concrete under plain grad, as in NON_FLOAT_RESULTS.
NON_FLOAT_METHODS: frozenset[str] = BOOL_METHODS | INT_METHODS | {"round", "item"}

# Methods that need the value: the error on an abstract tracer.
CONCRETIZING_METHODS: dict[str, str] = {
    "item": "ConcretizationTypeError",
    "tolist": "ConcretizationTypeError",
    "tobytes": "ConcretizationTypeError",
    "__bool__": "TracerBoolConversionError",
    "__float__": "ConcretizationTypeError",
    "__int__": "ConcretizationTypeError",
    "__complex__": "ConcretizationTypeError",
    "__index__": "TracerIntegerConversionError",
    "__array__": "TracerArrayConversionError",
    "__dlpack__": "ConcretizationTypeError",
    "__reduce__": "ConcretizationTypeError",
}

# Attributes (and methods) of a concrete array that a tracer does not have: the error of the access or of the call.
UNAVAILABLE_ATTRIBUTES: dict[str, str] = {
    "block_until_ready": "AttributeError",
    "copy_to_host_async": "AttributeError",
    "device": "AttributeError",
    "sharding": "AttributeError",
    "format": "AttributeError",
    "platform": "AttributeError",
    "clone": "AttributeError",
    "is_ready": "AttributeError",
    "devices": "ConcretizationTypeError",
    "addressable_shards": "ConcretizationTypeError",
    "addressable_data": "ConcretizationTypeError",
    "global_shards": "ConcretizationTypeError",
    "committed": "ConcretizationTypeError",
    "is_deleted": "ConcretizationTypeError",
    "is_fully_addressable": "ConcretizationTypeError",
    "is_fully_replicated": "ConcretizationTypeError",
    "on_device_size_in_bytes": "ConcretizationTypeError",
    "unsafe_buffer_pointer": "ConcretizationTypeError",
    "traceback": "ConcretizationTypeError",
}

AT_METHODS: frozenset[str] = frozenset("set add subtract multiply mul divide power min max apply get".split())

AT_UPDATES: frozenset[str] = AT_METHODS - {"get"}

FIELDS: frozenset[str] = frozenset(
    "eigenvalues eigenvectors Q R U S Vh sign logabsdet values counts indices inverse_indices index count".split()
)
"""What tuples have that functions of `jax.numpy` return where others return an array."""

OTHER_MEMBERS: frozenset[str] = frozenset(
    """
    aval_mutable_qdd cur_qdd delete device_buffer device_buffers dimension_as_value full_lower get_const get_referent
    memory_space mutable_qdd parent pprint primal tangent to_concrete_value to_device unsafe_raw_buffer val
    """.split()
)
"""What some arrays and tracers have beside MEMBERS in one release or another, most of it for JAX itself."""

MEMBERS: frozenset[str] = STATIC_ATTRIBUTES.union(
    ARRAY_ATTRIBUTES, ARRAY_METHODS, CONCRETIZING_METHODS, UNAVAILABLE_ATTRIBUTES, ("at", "flat")
)
"""What an array has, be it a tracer or not."""
