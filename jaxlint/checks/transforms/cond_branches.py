"""JAX704: branches are functions of the same operands that give the same."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests
from jaxlint.checks.transforms.given_functions import reported
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


@check("JAX704", events.NoFunction, events.ParametersDiffer)
def branches_called(event: events.NoFunction | events.ParametersDiffer) -> Iterator[Report]:
    if event.operation == "cond":
        yield from reported(
            event,
            "pass functions and their operands: `cond(pred, f, g, x)`; between two values `jnp.where` chooses",
            "both branches are called with the operands behind them, one by one: `cond(pred, f, g, x, y)`; "
            "a tuple is one of them",
        )


@check("JAX704", events.ChoiceRefused)
def predicate_that_is_none(event: events.ChoiceRefused) -> Iterator[Report]:
    if event.role == "pred":
        yield Report(
            event.node,
            f"`{event.operation}` is to choose by {event.what}, which is no single truth: TypeError",
            "reduce it, with `jnp.all` or `jnp.any`; element by element chooses `jnp.where`",
            certainty=shown_outside_tests(event),
        )


_CURES = {
    "structure": "return the same structure from all branches",
    "shape": "return arrays of the same shape from all branches",
    "dtype": "return the same dtype from all branches: `0.0` instead of `0`, or `astype`",
}
