"""JAX511: what is passed to a compiled function is neither static nor an array."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check
from jaxlint.flow.domain import events


@check("JAX511", events.NoArray)
def non_array_traced_argument(event: events.NoArray) -> Iterator[Report]:
    parameter = f"`{event.parameter}`" if event.parameter else "an argument"
    yield Report(
        event.node,
        f"{parameter} is traced by `{event.transform}` and is given {event.what}: TypeError, it is no array",
        f'declare it static: `static_argnames=("{event.parameter}",)`'
        if event.parameter and " in it" not in event.what and event.what != "a set"
        else "pass the arrays alone, or bind the rest with `functools.partial` before it is compiled",
    )
