"""JAX114: a flax or haiku module created inside a raw jax transform gets tracers as parameters."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, traced_since
from jaxlint.flow.domain import events


@check("JAX114", events.ModuleInRawTransform)
def implicit_state_in_raw_transform(event: events.ModuleInRawTransform) -> Iterator[Report]:
    transform = event.context.transform
    yield Report(
        event.node,
        f"`{event.module}` keeps state that is made inside `{transform}`: its parameters become tracers",
        f"use {event.library}'s own lifted transform",
        traced_since(None, event.context),
        certainty=event.certainty,
    )


@check("JAX114", events.RawAttribute)
def raw_attribute(event: events.RawAttribute) -> Iterator[Report]:
    transform = event.context.transform
    yield Report(
        event.node,
        f"`{event.what}` is set to an array inside `{transform}` and is no Variable: it keeps a tracer",
        "keep the array in a `flax.nnx.Variable`, or return it",
        traced_since(None, event.context),
    )
