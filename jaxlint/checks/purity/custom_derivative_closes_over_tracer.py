"""JAX115: a custom derivative rule that closes over a differentiated value leaks its tracer."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, traced_since
from jaxlint.flow.domain import events


@check("JAX115", events.ClosedOverTracer)
def custom_derivative_closes_over_tracer(event: events.ClosedOverTracer) -> Iterator[Report]:
    name = event.name or "a nondiff_argnums argument"
    yield Report(
        event.node,
        f"`{name}` is differentiated outside and used inside a function with a custom derivative: "
        "UnexpectedTracerError",
        "pass it as an argument, or use `jax.closure_convert`",
        traced_since(event.value, event.context),
    )
