"""JAX601: only a scalar is differentiated."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_when_called
from jaxlint.flow.domain import events

_CURES = {
    "": "reduce it (`.sum()`, `.mean()`), map the gradient (`jax.vmap(jax.grad(f))`) or take `jax.jacrev`",
    "pair": "return the loss alone, or say `has_aux=True`",
    "complex": "return a real number (`jnp.abs(z)`, `z.real`); `holomorphic=True` is for functions of complex numbers",
}


@check("JAX601", events.GradientOfMany)
def grad_of_non_scalar(event: events.GradientOfMany) -> Iterator[Report]:
    short = event.transform.rpartition(".")[2]
    cure = _CURES[event.form]
    yield Report(
        event.node,
        f"`{short}` needs a function that returns one float, this one returns {event.what}: TypeError",
        cure,
        certainty=shown_when_called(event),
    )


@check("JAX601", events.GradientCalled)
def told_at_the_call(event: events.GradientCalled) -> Iterator[Report]:
    yield Report(event.node, "", withdraws=True)
