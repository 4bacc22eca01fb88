"""JAX606: a norm, or a root, is differentiated where it is zero."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests, steps
from jaxlint.flow.domain import events
from jaxlint.vocabulary.findings import Certainty

_CERTAINTY = {"rows": Certainty.LIKELY, "add": Certainty.POSSIBLE}
"""A small number that is added is no more than a habit, where nothing makes zeros."""

_TOLD = {
    "ends": "the gradient is infinite there and NaN beyond",
    "zero": "the gradient is NaN or infinite",
}


@check("JAX606", events.SingularSlope)
def singular_gradient_point(event: events.SingularSlope) -> Iterator[Report]:
    if event.reason == "pairs":
        what = f"`{event.operation}` of the difference of all pairs is taken at 0 on the diagonal"
        advice = "put another number there first: `jnp.sqrt(jnp.where(jnp.eye(n, dtype=bool), 1.0, squared))`"
    elif event.reason == "ends":
        what = f"`{event.operation}` has an infinite slope at 1 and -1, and the bounds let these through"
        advice = "keep away from the ends: `jnp.clip(x, -1 + 1e-6, 1 - 1e-6)`, or use `jnp.arctan2` of sine and cosine"
    elif event.reason == "zero":
        what = f"`{event.operation}` has no slope at 0, and this is differentiated at 0"
        advice = "begin elsewhere, or guard what is inside the root: `jnp.sqrt(jnp.where(squared > 0, squared, 1.0))`"
    elif event.reason == "bound":
        what = f"`{event.operation}` has no slope at 0, and 0 is what the bound inside makes of the negative"
        advice = "bound it by a small number, `jnp.sqrt(jnp.maximum(x, 1e-12))`, or put another number there first"
    elif event.reason in ("rows", "add"):
        what = f"`{event.operation}` has no slope at 0, and what is added to it comes too late"
        if event.reason == "rows":
            what += " where nothing but zeros is left"
        advice = "add to what is inside the root, `jnp.sqrt(jnp.sum(x**2) + 1e-12)`, or put another number there first"
    else:
        what = f"`{event.operation}` has no slope at 0, and the `{event.reason}` behind it comes too late"
        advice = "guard what is inside the root: `jnp.sqrt(jnp.where(squared > 0, squared, 1.0))`, or add to it there"
    told = _TOLD.get(event.reason, "the gradient is NaN")
    yield Report(
        event.node,
        f"{what}: {told}",
        advice,
        steps(event.context.provenance),
        certainty=shown_outside_tests(event, _CERTAINTY.get(event.reason)),
    )
