"""JAX221: a traced mask gives a shape that depends on data."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, repair_traced, traced_since
from jaxlint.flow.domain import events


@check("JAX221", events.MaskIndex)
def boolean_mask_indexing(event: events.MaskIndex) -> Iterator[Report]:
    yield Report(
        event.node,
        "indexing with a traced boolean mask: NonConcreteBooleanIndexError",
        "use `jnp.where(mask, x, fill)`, a reduction's `where=`, or `jnp.nonzero(mask, size=…)`",
        traced_since(event.value, event.context),
        repair=repair_traced("mask", event, event.value),
    )
