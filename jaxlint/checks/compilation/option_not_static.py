"""JAX521: an option of a compiled function that is traced, so that no call can pass it."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests, steps
from jaxlint.flow.domain import events


@check("JAX521", events.ClosedOption)
def option_not_static(event: events.ClosedOption) -> Iterator[Report]:
    fails = f"is {event.what}: TypeError" if event.what else "this asks for its truth: TracerBoolConversionError"
    yield Report(
        event.node,
        f"no call can pass `{event.option}`: it is traced, and {fails}",
        f'declare it static: `static_argnames=("{event.option}",)`',
        steps(event.traced),
        shown_outside_tests(event),
    )
