"""JAX318: of several values for one place any may stay."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests
from jaxlint.flow.domain import events


@check("JAX318", events.SetAgain)
def duplicate_index_set(event: events.SetAgain) -> Iterator[Report]:
    yield Report(
        event.node,
        f"place {event.place} is set more than once: which of the values stays is not defined",
        "give each place once; `.add`, `.min` and `.max` combine the values of one place",
        certainty=shown_outside_tests(event),
    )
