"""JAX602: whole numbers have no derivative."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests
from jaxlint.flow.domain import events


@check("JAX602", events.GradientOfWhole)
def grad_of_integer(event: events.GradientOfWhole) -> Iterator[Report]:
    short = event.transform.rpartition(".")[2]
    where = f" at `{event.place}`" if event.place else ""
    yield Report(
        event.node,
        f"`{short}` differentiates for an argument that is {event.what}{where}: TypeError, it takes floats only",
        "pass a float (`3.0`, `x.astype(float)`), or name the arguments to differentiate for with `argnums`",
        certainty=shown_outside_tests(event),
    )
