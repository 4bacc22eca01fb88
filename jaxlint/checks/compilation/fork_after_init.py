"""JAX520: JAX has threads, which a copy of the process does not have."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests
from jaxlint.flow.domain import events
from jaxlint.vocabulary.findings import Related


@check("JAX520", events.ForkAfterStart)
def fork_after_init(event: events.ForkAfterStart) -> Iterator[Report]:
    where = ", where that is how processes start (on Linux up to Python 3.13)" if event.by_default else ""
    yield Report(
        event.node,
        f"`{event.function}` copies a process in which `{event.what}` has started JAX{where}: a deadlock is likely",
        'start processes by `multiprocessing.get_context("spawn")`, or before JAX is used',
        (Related(event.within.location(event.started), "JAX is used here"),),
        certainty=shown_outside_tests(event),
    )
