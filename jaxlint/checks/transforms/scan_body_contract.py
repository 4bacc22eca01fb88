"""JAX701: the body of a scan takes the carry and an element, and returns the carry and an output."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests
from jaxlint.checks.transforms.given_functions import reported
from jaxlint.flow.domain import events


@check("JAX701", events.NoPair)
def scan_body_contract(event: events.NoPair) -> Iterator[Report]:
    yield Report(
        event.node,
        f"the body of `{event.operation}` returns {event.what} instead of a pair: TypeError",
        "return `carry, y`; `carry, None` where there is no output",
        certainty=shown_outside_tests(event),
    )


@check("JAX701", events.NoFunction, events.ParametersDiffer)
def scan_body_called(event: events.NoFunction | events.ParametersDiffer) -> Iterator[Report]:
    if event.operation == "scan":
        yield from reported(
            event,
            "the function comes first: `scan(f, init, xs)`",
            "write `f(carry, x)`: what is carried is one argument and an element of `xs` the other, "
            "each of them a tuple where it is one",
        )
