"""JAX513: a transform takes a function, and options of its own."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check
from jaxlint.flow.domain import events

_HELP = {
    "the function": "give it the function, and the arguments to what it returns: `jax.jit(f)(x)`, not `jax.jit(f(x))`",
    "a function with a hash": "equinox compiles modules with `eqx.filter_jit(model)`; else compile a function that "
    "calls it, `jax.jit(lambda x: model(x))`",
    "a function": "a traced function returns once: collect what it makes and return that together",
    "an option": "options of `jax.jit`, `jax.grad` and `jax.vmap` stay with that transform; bind other arguments with "
    "`functools.partial`",
}


@check("JAX513", events.TransformMisused)
def transform_misused(event: events.TransformMisused) -> Iterator[Report]:
    how = f"for {event.place}: TypeError"
    if event.place == "a function with a hash":
        how = "for the function, which has no hash: TypeError when it is called"
    cure = _HELP.get(event.place, f"give the arguments to what it returns: `{event.transform}(f)(x)`")
    if event.what.endswith("by position"):
        cure = "options have names: `static_argnums=0`"
    yield Report(
        event.node,
        f"`{event.transform}` is given {event.what} {how}",
        cure,
    )
