"""JAX511: what is passed to a compiled function is neither static nor an array."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check
from jaxlint.checks.words import raised
from jaxlint.flow.domain import events

_WITH_STATIC_ARGUMENTS = frozenset(
    ("jax.jit", "jax.experimental.pjit.pjit", "flax.nnx.jit", "jax.checkpoint", "jax.remat")
)


@check("JAX511", events.NoArray)
def non_array_traced_argument(event: events.NoArray) -> Iterator[Report]:
    parameter = f"`{event.parameter}`" if event.parameter else "an argument"
    is_whole = " in it" not in event.what and event.what != "a set"
    if event.transform not in _WITH_STATIC_ARGUMENTS:
        hint = "pass the arrays alone, or register its class as a pytree"
    elif event.parameter and is_whole:
        hint = f'declare it static: `static_argnames=("{event.parameter}",)`'
    else:
        hint = "pass the arrays alone, or bind the rest with `functools.partial` before it is compiled"
    yield Report(
        event.node,
        f"{parameter} is traced by `{event.transform}` and is given {event.what}: {raised(event.what)}",
        hint,
    )
