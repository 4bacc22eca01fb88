"""JAX702: the carry keeps its structure, shapes and dtypes."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests
from jaxlint.flow.domain import events
from jaxlint.vocabulary.findings import Certainty


@check("JAX702", events.CarryChanged)
def carry_type_changes(event: events.CarryChanged) -> Iterator[Report]:
    where = f"`carry{event.place}`" if event.place else "the carry"
    grown = event.what == "grown"
    if grown:
        told = f"{where} of `{event.operation}` comes back as itself with more added, of another shape: TypeError"
    elif not event.before:
        told = f"{where} of `{event.operation}` comes back as {event.after}, and is none when it goes in: TypeError"
    else:
        told = f"{where} of `{event.operation}` goes in as {event.before} and comes back as {event.after}: TypeError"
    certainty = Certainty.LIKELY if grown else None  # nobody knows that what is added is not empty
    yield Report(event.node, told, _CURES[event.what], certainty=shown_outside_tests(event, certainty))


_LARGE_ENOUGH = "make it as large as it gets before the loop, or return the parts as outputs of a `scan`"
_CURES = {
    "structure": "return a carry of the structure that it has at the start",
    "shape": _LARGE_ENOUGH,
    "grown": _LARGE_ENOUGH,
    "dtype": "start with the dtype that the body computes, or convert what it returns with `astype`",
}
