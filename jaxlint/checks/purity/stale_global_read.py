"""JAX108: a global or closure variable is read while JAX traces; what is bound later is not seen."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, steps, traced_since
from jaxlint.flow.domain import events
from jaxlint.vocabulary.findings import Certainty


@check("JAX108", events.StaleRead)
def stale_global_read(event: events.StaleRead) -> Iterator[Report]:
    if not event.comes_first:
        return
    yield Report(
        event.node,
        f"`{event.name}` is read while JAX traces and becomes a constant; it is changed elsewhere, which is not seen",
        f"pass `{event.name}` as an argument",
        traced_since(None, event.context) + steps(event.write),
        Certainty.POSSIBLE if event.by_others or event.unsure else None,
    )
