"""JAX608: reverse mode does not come back through a loop whose length is not known."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_when_called
from jaxlint.flow.domain import events
from jaxlint.vocabulary.findings import Related


@check("JAX608", events.NoWayBack)
def reverse_through_while(event: events.NoWayBack) -> Iterator[Report]:
    short, loop = event.transform.rpartition(".")[2], event.operation.name.rpartition(".")[2]
    bounds = " with bounds that are traced" if loop == "fori_loop" else ""
    cut = event.operation
    related: tuple[Related, ...] = ()
    if cut.scope is not None and cut.node is not None:
        related = (Related(cut.scope.location(cut.node), "the loop"),)
    yield Report(
        event.node,
        f"`{short}` goes back through a `{loop}`{bounds}: ValueError, reverse mode cannot",
        "use `jax.lax.scan`, or `fori_loop` with bounds that are Python numbers, go forwards (`jax.jacfwd`), or give "
        "the result a rule of its own with `jax.custom_vjp`",
        related,
        certainty=shown_when_called(event),
    )


@check("JAX608", events.GradientCalled)
def told_at_the_call(event: events.GradientCalled) -> Iterator[Report]:
    yield Report(event.node, "", withdraws=True)
