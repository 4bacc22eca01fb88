"""JAX518: what JAX computes may come from numbers that were written later."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests
from jaxlint.flow.domain import events
from jaxlint.vocabulary.findings import Related


@check("JAX518", events.WrittenWhileRead)
def numpy_mutated_after_dispatch(event: events.WrittenWhileRead) -> Iterator[Report]:
    if event.shared:
        message = f"this array is written to, and what `{event.callee}` made of it is in the same memory on the CPU"
        advice = "give it a copy, `jnp.array(x)`, or make another array to write to"
    else:
        message = f"this array is written to while `{event.callee}` may still be reading it: it computes with either"
        advice = (
            "wait for the result first (`jax.block_until_ready`), give it a copy, or make another array to write to"
        )
    related = (Related(event.within.location(event.given), "JAX is given the array here"),)
    yield Report(event.node, message, advice, related, shown_outside_tests(event))
