"""JAX107: a tracer that is stored outside its trace raises when it is used there."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, traced_since
from jaxlint.flow import events
from jaxlint.flow.values import Array, Key, Tree


@check("JAX107", events.OuterWrite)
def tracer_leak(event: events.OuterWrite) -> Iterator[Report]:
    stored = event.stored
    if not isinstance(stored, (Array, Tree, Key)) or not stored.level or not getattr(stored, "sure", True):
        return
    yield Report(
        event.node,
        f"a tracer is stored in `{event.what}`, which outlives the trace: UnexpectedTracerError when it is used",
        "return the value instead of storing it",
        traced_since(stored, event.context),
    )
