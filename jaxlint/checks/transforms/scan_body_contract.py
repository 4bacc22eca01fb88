"""JAX701: the body of a scan returns the carry and an output."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests
from jaxlint.flow.domain import events


@check("JAX701", events.NoPair)
def scan_body_contract(event: events.NoPair) -> Iterator[Report]:
    yield Report(
        event.node,
        f"the body of `{event.operation}` returns {event.what} instead of a pair: TypeError",
        "return `carry, y`; `carry, None` where there is no output",
        certainty=shown_outside_tests(event),
    )
