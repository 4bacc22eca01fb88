"""JAX112: array operations do not raise, and a branch that raises does so while JAX traces."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, steps
from jaxlint.flow.domain import events

_DEAD = {
    "ZeroDivisionError": (
        "dividing arrays never raises ZeroDivisionError: the result is inf or nan, and this handler is dead",
        "choose with `jnp.where(y == 0, fallback, x / jnp.where(y == 0, 1, y))`",
    ),
    "LinAlgError": (
        "jax.numpy.linalg never raises LinAlgError: a bad matrix gives NaNs, and this handler is dead",
        "test the result with `jnp.isnan`",
    ),
}


@check("JAX112", events.DeadHandler)
def dead_handler(event: events.DeadHandler) -> Iterator[Report]:
    yield Report(event.node, *_DEAD[event.error])


@check("JAX112", events.RaisingBranch)
def raising_branch(event: events.RaisingBranch) -> Iterator[Report]:
    yield Report(
        event.node,
        f"a branch of `{event.operation}` that raises does so while JAX traces it, whatever the predicate is",
        "use `checkify.check`, `eqx.error_if`, or return a value that marks the failure",
        steps(event.branch_of),
    )
