"""JAX515: what a traced function returns is made of arrays."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check
from jaxlint.checks.words import raised
from jaxlint.flow.domain import events


@check("JAX515", events.NoOutput)
def non_array_output(event: events.NoOutput) -> Iterator[Report]:
    yield Report(
        event.node,
        f"a function under `{event.transform}` returns {event.what}: {raised(event.what)}",
        "return the arrays alone, and what is known while tracing from a function that is not traced",
    )
