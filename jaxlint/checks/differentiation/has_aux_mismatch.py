"""JAX603: with has_aux a function returns its value and the rest."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests
from jaxlint.flow.domain import events


@check("JAX603", events.NoAux)
def has_aux_mismatch(event: events.NoAux) -> Iterator[Report]:
    short = event.transform.rpartition(".")[2]
    yield Report(
        event.node,
        f"`{short}` with `has_aux=True` needs a function that returns a pair, this one returns {event.what}: TypeError",
        "return `loss, aux`, or leave `has_aux` out",
        certainty=shown_outside_tests(event),
    )
