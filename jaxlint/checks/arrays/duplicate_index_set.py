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


@check("JAX318", events.SetOften)
def more_entries_than_places(event: events.SetOften) -> Iterator[Report]:
    counted = f"{event.entries} entries are set in {event.places} places: "
    yield Report(
        event.node,
        counted
        + ("what is added to a place that comes again is lost" if event.adds else "which of them stay is not defined"),
        "`.add` adds up what goes to one place; `.min` and `.max` keep the least and the greatest",
        certainty=shown_outside_tests(event),
    )
