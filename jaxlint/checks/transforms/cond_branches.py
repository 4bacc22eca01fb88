"""JAX704: branches are functions that give the same."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests
from jaxlint.flow.domain import events


@check("JAX704", events.BranchesDiffer)
def branches_that_differ(event: events.BranchesDiffer) -> Iterator[Report]:
    where = f" at `{event.place}`" if event.place else ""
    yield Report(
        event.node,
        f"the branches of `{event.operation}` return {event.first} and {event.other}{where}: TypeError",
        _CURES[event.what],
        certainty=shown_outside_tests(event),
    )


@check("JAX704", events.BranchNotCallable)
def branch_that_is_no_function(event: events.BranchNotCallable) -> Iterator[Report]:
    yield Report(
        event.node,
        f"a branch of `{event.operation}` is {event.what}, not a function: TypeError",
        "pass functions and their operands: `cond(pred, f, g, x)`; of two values that are there `jnp.where` chooses",
        certainty=shown_outside_tests(event),
    )


_CURES = {
    "structure": "return the same structure from all branches",
    "shape": "return arrays of the same shape from all branches",
    "dtype": "return the same dtype from all branches: `0.0` instead of `0`, or `astype`",
}
