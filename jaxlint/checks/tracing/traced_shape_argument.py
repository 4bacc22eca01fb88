"""JAX223: shapes, axes and sizes must be known while JAX traces."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, is_of_statics, repair_traced, traced_since
from jaxlint.flow.domain import events


@check("JAX223", events.TracedStaticArgument)
def traced_shape_argument(event: events.TracedStaticArgument) -> Iterator[Report]:
    if is_of_statics(event.value):
        return
    yield Report(
        event.node,
        f"`{event.argument}` of `{event.function}` must be static and is a tracer: {event.error}",
        "make it a static argument, or derive it from `x.shape`",
        traced_since(event.value, event.context),
        repair=repair_traced("static_argument", event, event.value),
    )
