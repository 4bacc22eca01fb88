"""JAX605: what is dropped because it is not finite has a slope that is not finite, and the gradient is NaN."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests, steps
from jaxlint.flow.domain import events

_GUARDED = {
    "where": "guard the argument as well: `{0}(jnp.where(condition, x, 1.0))` inside of the outer `where`",
    "select": "guard the argument as well: `{0}(jnp.where(condition, x, 1.0))` inside of the outer `select`",
}
_BOUNDED = "bound the argument instead: `jnp.{0}(jnp.maximum(x, eps))`"


@check("JAX605", events.LateGuard)
def where_nan_gradient(event: events.LateGuard) -> Iterator[Report]:
    name = _NAMES.get(event.operation, event.operation)
    yield Report(
        event.node,
        f"`{event.guard}` drops the value of `{name}` at zero, not its slope: the gradient is NaN there",
        _GUARDED.get(event.guard, _BOUNDED).format(name),
        steps(event.context.provenance),
        certainty=shown_outside_tests(event),
    )


_NAMES = {"div": "/", "pow": "**"}
