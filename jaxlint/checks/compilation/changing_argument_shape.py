"""JAX512: an argument has another shape at each call."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests
from jaxlint.flow.domain import events
from jaxlint.vocabulary.findings import Certainty, Related


@check("JAX512", events.ShapeAnew)
def changing_argument_shape(event: events.ShapeAnew) -> Iterator[Report]:
    if event.loop is None or event.loop_scope is None:
        return
    yield Report(
        event.node,
        f"`{event.transform}` is given {event.what}: every call compiles again",
        "keep the shape: fill an array of the final size with `.at[i].set(x)` and mask what is not there yet",
        (Related(event.loop_scope.location(getattr(event.loop, "target", event.loop)), "the loop"),),
        certainty=Certainty.POSSIBLE if event.seldom else shown_outside_tests(event),
    )
