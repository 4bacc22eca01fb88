"""JAX309: without `jax_enable_x64` an array that is asked for 64 bits has 32."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests
from jaxlint.flow.domain import events
from jaxlint.semantics.dtypes import narrowed
from jaxlint.vocabulary.findings import Certainty


@check("JAX309", events.NarrowedDtype)
def float64_without_x64(event: events.NarrowedDtype) -> Iterator[Report]:
    got = narrowed(event.dtype)
    what = "the array has" if not event.declared else "an array of jax has"
    yield Report(
        event.node,
        f"`{event.function}` is asked for {event.dtype}, {what} {got}: nothing that runs with it sets `jax_enable_x64`",
        f'set `jax.config.update("jax_enable_x64", True)` before the first array is made, or ask for {got}',
        certainty=shown_outside_tests(event, Certainty.LIKELY),
        narrow=True,
    )
