"""JAX408: arguments of jax.random in the wrong place."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check
from jaxlint.flow import events


@check("JAX408", events.NotAKey)
def not_a_key(event: events.NotAKey) -> Iterator[Report]:
    yield Report(event.node, event.message, event.help)
