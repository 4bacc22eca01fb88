"""JAX214: Python sequences, dicts and NumPy arrays cannot be indexed with a tracer."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, is_of_statics, repair, traced_since
from jaxlint.flow.domain import events

_ERRORS = {"NumPy array": "TracerArrayConversionError", "list": "TracerIntegerConversionError"}


@check("JAX214", events.SequenceIndex)
def sequence_indexed_by_tracer(event: events.SequenceIndex) -> Iterator[Report]:
    if is_of_statics(event.value):
        return
    yield Report(
        event.node,
        f"a {event.what} is indexed with a tracer: {_ERRORS.get(event.what, 'TracerIntegerConversionError')}",
        "index a jax array (`jnp.asarray(…)[i]`), or choose with `jax.lax.switch`",
        traced_since(event.value, event.context),
        repair=repair("sequence_index", event, what=event.what),
    )
