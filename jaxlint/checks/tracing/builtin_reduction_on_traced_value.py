"""JAX203: max, min and sorted compare tracers in Python."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, repair_traced, traced_since
from jaxlint.flow.domain import events

_TWINS = {"max": "`jnp.maximum` or `jnp.max`", "min": "`jnp.minimum` or `jnp.min`", "sorted": "`jnp.sort`"}


@check("JAX203", events.TruthTest)
def builtin_reduction_on_traced_value(event: events.TruthTest) -> Iterator[Report]:
    if event.how in _TWINS:
        yield Report(
            event.node,
            f"`{event.how}` compares tracers in Python: TracerBoolConversionError",
            f"use {_TWINS[event.how]}",
            traced_since(event.value, event.context),
            event.certainty,
            repair=repair_traced("builtin_reduction", event, event.value),
        )
