"""JAX101: print runs once, while JAX traces."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, repair_run, shown_where_it_runs, traced_since
from jaxlint.flow.domain import events
from jaxlint.vocabulary.findings import Certainty


@check("JAX101", events.HostEffectUnderTrace)
def print_in_traced_function(event: events.HostEffectUnderTrace) -> Iterator[Report]:
    if event.category != "print" or event.function.startswith("sys."):
        return
    if event.traced is None:
        yield Report(
            event.node,
            "print runs once, while JAX traces, and never again",
            "if it is to be seen at each call, use `jax.debug.print`",
            traced_since(None, event.context),
            Certainty.POSSIBLE,
        )
    else:
        yield Report(
            event.node,
            "print runs once, while JAX traces, and shows the tracer instead of its value",
            'use `jax.debug.print("x = {}", x)`, which prints at run time',
            traced_since(event.traced, event.context),
            shown_where_it_runs(event),
            repair=repair_run("print", event),
        )
