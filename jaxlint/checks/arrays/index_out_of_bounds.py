"""JAX307: an index beyond the end is clamped where it reads or chooses and dropped where it writes."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests
from jaxlint.flow.domain import events


@check("JAX307", events.IndexBeyond)
def index_out_of_bounds(event: events.IndexBeyond) -> Iterator[Report]:
    read = "the first element is read" if event.index < 0 else "the last element is read"
    read = "NaN is given, or the lowest number" if event.fills else read
    yield Report(
        event.node,
        f"index {event.index} is out of bounds for an axis of size {event.size}: "
        f"{'the update is dropped' if event.update else read}, nothing is raised",
        f"use an index from {-event.size} to {event.size - 1}" if event.size else "the axis is empty",
        certainty=shown_outside_tests(event),
    )


@check("JAX307", events.SliceMoved)
def slice_moved(event: events.SliceMoved) -> Iterator[Report]:
    yield Report(
        event.node,
        f"{event.count} elements from {event.start} on are more than an axis of size {event.size} has: "
        f"`{event.function}` begins at {event.size - event.count}, nothing is raised",
        f"begin at {event.size - event.count} at most, or take fewer",
        certainty=shown_outside_tests(event),
    )


@check("JAX307", events.BranchBeyond)
def branch_beyond(event: events.BranchBeyond) -> Iterator[Report]:
    last = f"the last one, {event.count - 1}," if event.index > 0 else "the first one"
    yield Report(
        event.node,
        f"there is no branch {event.index} among the {event.count} of `{event.operation}`: "
        f"{last} runs, nothing is raised",
        f"use an index from 0 to {event.count - 1}",
        certainty=shown_outside_tests(event),
    )
