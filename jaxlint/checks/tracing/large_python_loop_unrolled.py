"""JAX205: under a trace a Python loop is written out, pass by pass."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_where_it_runs
from jaxlint.flow.domain import events

FEW_PASSES = 50
"""Up to here a loop may be written out on purpose."""


@check("JAX205", events.LoopUnrolled)
def large_python_loop_unrolled(event: events.LoopUnrolled) -> Iterator[Report]:
    if event.over == "jnp.arange":
        yield Report(
            event.node,
            "a loop over `jnp.arange` under a trace is written out pass by pass, and its variable is a tracer",
            "use `jax.lax.fori_loop`, or `range`, whose numbers Python knows",
            certainty=shown_where_it_runs(event),
        )
    elif event.passes is not None and event.passes > FEW_PASSES:
        yield Report(
            event.node,
            f"{event.passes} passes of a Python loop are traced and compiled one by one"
            + (", a row each" if event.over == "rows" else ""),
            "use `jax.lax.fori_loop`, or `jax.lax.scan` over the rows, which compile the body once",
            certainty=shown_where_it_runs(event),
        )
