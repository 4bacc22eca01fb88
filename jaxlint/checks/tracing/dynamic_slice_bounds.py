"""JAX224: slice bounds must be static."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, is_of_statics, repair_traced, traced_since
from jaxlint.flow.domain import events


@check("JAX224", events.SliceBound)
def dynamic_slice_bounds(event: events.SliceBound) -> Iterator[Report]:
    if is_of_statics(event.value):
        return
    if event.of_reference:
        yield Report(
            event.node,
            "a slice bound of a reference is a tracer and must be static: TracerBoolConversionError",
            "use `pl.ds(start, size)` with a static size, or a mask",
            traced_since(event.value, event.context),
        )
        return
    if event.of_reference is None:
        yield Report(
            event.node,
            "a slice bound is a tracer and must be static",
            "with a static size use `pl.ds(start, size)` of a reference, or `jax.lax.dynamic_slice_in_dim` of an array",
            traced_since(event.value, event.context),
        )
        return
    yield Report(
        event.node,
        "a slice bound is a tracer and must be static: IndexError",
        "use `jax.lax.dynamic_slice_in_dim` with a static size, or a mask",
        traced_since(event.value, event.context),
        repair=repair_traced("dynamic_slice", event, event.value),
    )
