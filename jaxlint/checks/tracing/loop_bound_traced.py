"""JAX204: range() needs an integer, not a tracer."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, is_of_statics, repair_traced, traced_since
from jaxlint.flow.domain import events


@check("JAX204", events.ScalarConversion)
def loop_bound_traced(event: events.ScalarConversion) -> Iterator[Report]:
    if event.how == "range" and not is_of_statics(event.value):
        yield Report(
            event.node,
            "`range` over a traced bound: TracerIntegerConversionError",
            "use `jax.lax.fori_loop`, or make the bound static",
            traced_since(event.value, event.context),
            event.certainty,
            repair=repair_traced("static_argument", event, event.value),
        )
