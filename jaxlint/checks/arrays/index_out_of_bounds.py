"""JAX307: an index beyond the end is clamped where it reads and dropped where it writes."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests
from jaxlint.flow.domain import events


@check("JAX307", events.IndexBeyond)
def index_out_of_bounds(event: events.IndexBeyond) -> Iterator[Report]:
    read = "the first element is read" if event.index < 0 else "the last element is read"
    yield Report(
        event.node,
        f"index {event.index} is out of bounds for an axis of size {event.size}: "
        f"{'the update is dropped' if event.update else read}, nothing is raised",
        f"use an index from {-event.size} to {event.size - 1}" if event.size else "the axis is empty",
        certainty=shown_outside_tests(event),
    )
