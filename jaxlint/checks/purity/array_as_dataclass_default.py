"""JAX116: arrays are unhashable, so a dataclass refuses one as a default."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, repair
from jaxlint.flow.domain import events


@check("JAX116", events.ArrayDefault)
def array_as_dataclass_default(event: events.ArrayDefault) -> Iterator[Report]:
    yield Report(
        event.node,
        f"a jax array as the default of `{event.cls}.{event.field}`: ValueError, mutable default",
        "use `dataclasses.field(default_factory=…)`",
        repair=repair("default_factory", event),
    )
