"""JAX306: np.asarray(x) and jax.device_get(x) are read-only views."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, repair
from jaxlint.flow.domain import events


@check("JAX306", events.ReadonlyWrite)
def write_to_readonly_view(event: events.ReadonlyWrite) -> Iterator[Report]:
    yield Report(
        event.node,
        f"{event.view or 'a read-only view'} is read-only: ValueError, assignment destination is read-only",
        "copy it: `np.array(x)`",
        repair=repair("readonly_view", event),
    )
