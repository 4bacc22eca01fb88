"""JAX114: a flax or haiku module created inside a raw jax transform gets tracers as parameters."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, traced_since
from jaxlint.flow.domain import events


@check("JAX114", events.ModuleInRawTransform)
def implicit_state_in_raw_transform(event: events.ModuleInRawTransform) -> Iterator[Report]:
    yield Report(
        event.node,
        f"`{event.module}` keeps state that is made inside `{event.context.transform}`: its parameters become tracers",
        f"use {event.library}'s own lifted transform",
        traced_since(None, event.context),
        certainty=event.certainty,
    )
