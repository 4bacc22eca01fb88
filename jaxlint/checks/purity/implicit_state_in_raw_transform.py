"""JAX114: a flax or haiku module created inside a raw jax transform gets tracers as parameters."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, traced_since
from jaxlint.flow.domain import events


@check("JAX114", events.ModuleInRawTransform)
def implicit_state_in_raw_transform(event: events.ModuleInRawTransform) -> Iterator[Report]:
    transform = event.context.transform
    message = f"`{event.module}` keeps state that is made inside `{transform}`: its parameters become tracers"
    help_ = f"use {event.library}'s own lifted transform"
    if event.is_attribute:
        message = f"`{event.module}` is set to an array inside `{transform}` and is no Variable: it keeps a tracer"
        help_ = f"keep the array in a `{event.library}.Variable`, or return it"
    yield Report(
        event.node,
        message,
        help_,
        traced_since(None, event.context),
        certainty=event.certainty,
    )
