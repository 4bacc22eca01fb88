"""JAX508: an array is read after its memory was donated."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests
from jaxlint.flow.domain import events
from jaxlint.vocabulary.findings import Certainty, Related


@check("JAX508", events.ReadAfterDonation)
def use_after_donate(event: events.ReadAfterDonation) -> Iterator[Report]:
    donated = Related(event.donated_in.location(event.donated_by), "it was donated here")
    yield Report(
        event.node,
        f"`{event.text}` was donated to `{event.callee}` in the pass before: it is deleted, RuntimeError"
        if event.again
        else f"`{event.text}` was donated to `{event.callee}`: it is deleted, RuntimeError",
        "bind the name to the result (`state = step(state)`), copy the array before the call, or do not donate it",
        () if event.again else (donated,),
        certainty=shown_outside_tests(event, Certainty.POSSIBLE if event.unsure else None),
    )
