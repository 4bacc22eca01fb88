"""JAX217: a tracer has no device, no buffers and nothing to wait for."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, repair, traced_since
from jaxlint.flow.domain import events


@check("JAX217", events.DeviceQuery)
def device_query_in_traced_function(event: events.DeviceQuery) -> Iterator[Report]:
    advice = {
        "block_until_ready": "use `jax.block_until_ready(x)`, which is a no-op on tracers",
        "sharding": "use `jax.typeof(x).sharding`",
    }
    yield Report(
        event.node,
        f"`.{event.attribute}` of a tracer: {event.error}",
        advice.get(event.attribute, "ask outside the traced function"),
        traced_since(event.value, event.context),
        repair=repair("block_until_ready", event) if event.attribute == "block_until_ready" else None,
    )
