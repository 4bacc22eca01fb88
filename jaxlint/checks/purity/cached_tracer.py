"""JAX113: a cache that is filled while JAX traces keeps a tracer."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, traced_since
from jaxlint.flow.domain import events
from jaxlint.vocabulary.findings import Repair


@check("JAX113", events.CachedTracer)
def cached_tracer(event: events.CachedTracer) -> Iterator[Report]:
    yield Report(
        event.node,
        f"`{event.function}` caches its result; called first under a trace, it keeps a tracer: "
        "UnexpectedTracerError later",
        "compute with NumPy in the cached function, or inside `jax.ensure_compile_time_eval()`",
        traced_since(None, event.context),
        scope=event.defined_in,
        repair=Repair("compile_time", event.defined_in.location(event.node)),
    )
