"""JAX314: a size is a whole number, and a shape one argument."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check
from jaxlint.flow.domain import events


@check("JAX314", events.FloatSize, events.ShapeInParts)
def float_size(event: events.FloatSize | events.ShapeInParts) -> Iterator[Report]:
    if isinstance(event, events.ShapeInParts):
        yield Report(
            event.node,
            f"`{event.function}` is given a size for its `dtype`: TypeError, a shape is one argument",
            "put the sizes into a tuple: `jnp.zeros((2, 3))`",
        )
        return
    yield Report(
        event.node,
        f"`{event.function}` is given a float for `{event.argument}`: TypeError, sizes are whole numbers",
        "divide with `//`, or make it an integer: `int(...)`",
    )
