"""What compiles the functions that it is given, and which new function objects each compiles anew.

What is compiled is kept by the function object.  Some of these look through an object, at what it was made of: a new
one is then as good as the last.
"""

from __future__ import annotations

CLOSURE = "closure"  # a lambda, or a function that is defined in another one
PARTIAL = "partial"  # functools.partial(f, …)
TRANSFORMED = "transformed"  # jax.grad(f), jax.vmap(f), …
METHOD = "method"  # `self.f`, which Python makes anew whenever it is asked for
FUNCTION = "function"  # one that stays the same object

FORGETS: dict[str, frozenset[str]] = {
    "jax.jit": frozenset((CLOSURE, PARTIAL, TRANSFORMED, METHOD)),
    "jax.experimental.pjit.pjit": frozenset((CLOSURE, PARTIAL, TRANSFORMED, METHOD)),
    "jax.pmap": frozenset((CLOSURE, PARTIAL, TRANSFORMED)),
    "equinox.filter_jit": frozenset((CLOSURE, PARTIAL, TRANSFORMED)),
    "equinox.filter_pmap": frozenset((CLOSURE, PARTIAL, TRANSFORMED)),
    "flax.nnx.jit": frozenset((CLOSURE, PARTIAL, TRANSFORMED, METHOD, FUNCTION)),
}
"""What compiles, with the kinds of functions of which it compiles every new object."""

RUN_AT_ONCE: dict[str, tuple[tuple[int, str], ...]] = {
    "jax.lax.while_loop": ((0, "cond_fun"), (1, "body_fun")),
    "jax.lax.fori_loop": ((2, "body_fun"),),
    "jax.lax.scan": ((0, "f"),),
    "jax.lax.map": ((0, "f"),),
}
"""Loops that compile their functions where they are called, and keep that by these, with the places of the functions.
So do branches, which are compiled sooner."""
NEW_OBJECTS = frozenset((CLOSURE, PARTIAL, TRANSFORMED, METHOD))
"""The kinds of functions that are new objects."""

SEEN_THROUGH = {
    "jax.jit": frozenset(("jax.checkpoint", "jax.remat")),
    "jax.pmap": frozenset(("jax.checkpoint", "jax.remat")),
    "equinox.filter_jit": frozenset(("equinox.filter_grad", "equinox.filter_value_and_grad", "equinox.filter_vmap")),
}
"""Transforms of a function that are as good as the function itself, to what compiles them."""

TRACED_OUTPUTS = frozenset("jax.jit jax.experimental.pjit.pjit jax.vmap jax.checkpoint jax.remat".split())
"""What makes an array of all that a function returns, or refuses it."""

_STATIC = frozenset("static_argnums static_argnames donate_argnums donate_argnames".split())
_GRADIENT, _MAP = frozenset("argnums has_aux holomorphic".split()), frozenset("in_axes out_axes".split())

MISPLACED_OPTIONS: dict[str, frozenset[str]] = {
    "jax.jit": _GRADIENT | _MAP,
    "jax.vmap": _GRADIENT | _STATIC,
    **dict.fromkeys(("jax.grad", "jax.value_and_grad", "jax.jacfwd", "jax.jacrev", "jax.hessian"), _STATIC | _MAP),
}
"""Options of one transform that another one does not have: TypeError."""

BY_STATIC_ARGUMENTS = frozenset(("jax.jit", "jax.experimental.pjit.pjit", "jax.pmap", "flax.nnx.jit", "flax.nnx.pmap"))
"""What finds compiled code by the static arguments, which it hashes; `jax.checkpoint` looks for none."""

BY_NUMBERS = frozenset(("equinox.filter_jit",))
"""What traces arrays and finds compiled code by all else that it is given, such as numbers of Python's."""

AS_LONG_AS_GIVEN = frozenset(
    f"{package}.{name}" for package in ("jax.numpy", "numpy") for name in ("array", "asarray", "stack", "vstack")
)
"""What makes an array of a sequence that is as long as that."""

OF_GIVEN_SIZE = frozenset(
    f"{package}.{name}"
    for package in ("jax.numpy", "numpy")
    for name in ("zeros", "ones", "empty", "full", "arange", "eye", "identity")
)
"""What makes an array of the size, or shape, that its first argument says."""


NOT_FOUND_AGAIN = ("clear_cache", "clear_caches", "disable_jit")
"""Members of compiled functions and of jax after which a call traces anew."""
