"""JAX215: a format specification needs the number a tracer does not have."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, traced_since
from jaxlint.flow.domain import events


@check("JAX215", events.Formatted)
def format_of_traced_value(event: events.Formatted) -> Iterator[Report]:
    error = "ConcretizationTypeError" if event.how == "%" else "TypeError"
    yield Report(
        event.node,
        f"a tracer meets {'a % conversion' if event.how == '%' else 'a format specification'}: {error}",
        'use `jax.debug.print("{:.3f}", x)`, or format outside the traced function',
        traced_since(event.value, event.context),
    )
