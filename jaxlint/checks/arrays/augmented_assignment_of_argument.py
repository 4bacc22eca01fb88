"""JAX305: a += 1 rebinds the local name; the caller's jax array stays as it is."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests
from jaxlint.flow.domain import events
from jaxlint.vocabulary.findings import Certainty


@check("JAX305", events.ArgumentRebound)
def augmented_assignment_of_argument(event: events.ArgumentRebound) -> Iterator[Report]:
    supposed = Certainty.LIKELY if event.is_supposed else None
    left = "what it was taken out of stays" if event.is_part else "the caller's array stays"
    yield Report(
        event.node,
        f"`{event.name}` is rebound to a new array: {left} as it is",
        "put the new array where the old one was" if event.is_part else "return the new array, and go on with that",
        certainty=shown_outside_tests(event, supposed) if event.in_vain else Certainty.POSSIBLE,
    )
