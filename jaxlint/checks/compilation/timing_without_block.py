"""JAX509: the time of a call that returns before its result is there."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests
from jaxlint.flow.domain import events
from jaxlint.vocabulary.findings import Certainty, Related


@check("JAX509", events.TimedWithoutWait)
def timing_without_block(event: events.TimedWithoutWait) -> Iterator[Report]:
    yield Report(
        event.node,
        f"the clock is read before `{event.what}` is done: jax calls return at once, this times their dispatch",
        "wait for the result first: `jax.block_until_ready(result)`",
        (Related(event.begun_in.location(event.begun), f"`{event.what}` begins here"),),
        certainty=shown_outside_tests(event, Certainty.POSSIBLE if event.small else Certainty.LIKELY),
    )


@check("JAX509", events.TimedMaking)
def timing_of_making(event: events.TimedMaking) -> Iterator[Report]:
    yield Report(
        event.node,
        f"between the looks at the clock `{event.what}` is only made: jax compiles it at its first call",
        "time the first call, or `jax.jit(f).lower(x).compile()`, which compiles at once",
        certainty=shown_outside_tests(event, Certainty.LIKELY),
    )
