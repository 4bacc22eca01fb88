"""JAX606: a norm, or a root, is differentiated where it is zero."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests, steps
from jaxlint.flow.domain import events


@check("JAX606", events.SingularSlope)
def singular_gradient_point(event: events.SingularSlope) -> Iterator[Report]:
    if event.reason == "pairs":
        what = f"`{event.operation}` of the difference of all pairs is taken at 0 on the diagonal"
        advice = "put another number there first: `jnp.sqrt(jnp.where(jnp.eye(n, dtype=bool), 1.0, squared))`"
    else:
        what = f"`{event.operation}` has no slope at 0, and the `{event.reason}` behind it comes too late"
        advice = "guard what is inside the root: `jnp.sqrt(jnp.where(squared > 0, squared, 1.0))`, or add to it there"
    yield Report(
        event.node,
        f"{what}: the gradient is NaN",
        advice,
        steps(event.context.provenance),
        certainty=shown_outside_tests(event),
    )
