"""JAX703: a scan goes through the first axes of arrays, which are of one length."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests
from jaxlint.flow.domain import events


@check("JAX703", events.NothingToScan)
def nothing_to_scan(event: events.NothingToScan) -> Iterator[Report]:
    yield Report(
        event.node,
        f"`{event.operation}` is given neither `xs` nor a `length`: ValueError",
        "give it a number of steps, `length=n`; the arguments are `scan(f, init, xs)`",
        certainty=shown_outside_tests(event),
    )


@check("JAX703", events.NoAxisToScan)
def no_axis_to_scan(event: events.NoAxisToScan) -> Iterator[Report]:
    where = f"`xs{event.place}`" if event.place else "`xs`"
    yield Report(
        event.node,
        f"{where} of `{event.operation}` is {event.what}, which has no axis to go through: ValueError or IndexError",
        "say `length=n` for a number of steps, make an array of numbers, and close over what is the same in each step",
        certainty=shown_outside_tests(event),
    )


@check("JAX703", events.LengthsDiffer)
def lengths_that_differ(event: events.LengthsDiffer) -> Iterator[Report]:
    (name, size), (other, other_size) = event.first, event.other
    told = f"`length` is {size}" if name == "length" else f"`{name}` has {size} elements"
    yield Report(
        event.node,
        f"{told} and `{other}` of `{event.operation}` has {other_size} elements: ValueError",
        "give it arrays whose first axes are equally long",
        certainty=shown_outside_tests(event),
    )
