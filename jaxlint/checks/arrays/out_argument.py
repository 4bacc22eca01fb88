"""JAX304: nothing can be written into a jax array."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, repair
from jaxlint.flow.domain import events


@check("JAX304", events.OutArgument)
def out_argument(event: events.OutArgument) -> Iterator[Report]:
    yield Report(
        event.node,
        f"`{event.function}` is asked to write into a jax array: {event.outcome}",
        "use the returned array (for `jnp.put` and the like: `inplace=False`)",
        repair=repair("out_argument", event, function=event.function),
    )
