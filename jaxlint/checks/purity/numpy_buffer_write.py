"""JAX110: a NumPy buffer cannot take a tracer."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, traced_since
from jaxlint.flow.domain import events


@check("JAX110", events.NumpyBufferWrite)
def numpy_buffer_write(event: events.NumpyBufferWrite) -> Iterator[Report]:
    if event.how == "augmented":
        message = "the name is rebound to a new jax array and the NumPy buffer keeps its old contents"
    else:
        message = "a tracer meets an item assignment of a NumPy array: TracerArrayConversionError or ValueError"
    yield Report(
        event.node,
        message,
        "build a list and `jnp.stack` it, or use `jnp.zeros(…).at[i].set(x)`",
        traced_since(event.value, event.context),
    )
