"""JAX314: a size is a whole number."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check
from jaxlint.flow.domain import events


@check("JAX314", events.FloatSize)
def float_size(event: events.FloatSize) -> Iterator[Report]:
    yield Report(
        event.node,
        f"`{event.function}` is given a float for `{event.argument}`: TypeError, sizes are whole numbers",
        "divide with `//`, or make it an integer: `int(...)`",
    )
