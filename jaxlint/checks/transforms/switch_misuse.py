"""JAX705: a switch takes a number, and a list of functions."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests
from jaxlint.checks.transforms.given_functions import reported
from jaxlint.flow.domain import events


@check("JAX705", events.NoFunction, events.ParametersDiffer)
def branches_called(event: events.NoFunction | events.ParametersDiffer) -> Iterator[Report]:
    if event.operation == "switch":
        yield from reported(
            event,
            "pass a list of functions and their operands: `switch(index, [f, g], x)`",
            "each branch is called with the operands behind the list, one by one: `switch(index, [f, g], x, y)`; "
            "a tuple is one of them",
        )


@check("JAX705", events.ChoiceRefused)
def index_that_is_none(event: events.ChoiceRefused) -> Iterator[Report]:
    if event.role == "index":
        yield Report(
            event.node,
            f"`{event.operation}` is to choose by {event.what}, which is no whole number: TypeError",
            "of two branches `jax.lax.cond` chooses by a boolean; convert to a whole number with `.astype(jnp.int32)`",
            certainty=shown_outside_tests(event),
        )


@check("JAX705", events.NoBranches)
def no_branches(event: events.NoBranches) -> Iterator[Report]:
    yield Report(
        event.node,
        f"`{event.operation}` has no branches to choose from: ValueError",
        "give it at least one function",
        certainty=shown_outside_tests(event),
    )


@check("JAX705", events.BranchesAlike)
def branches_alike(event: events.BranchesAlike) -> Iterator[Report]:
    name = event.variable
    yield Report(
        event.node,
        f"each of these branches of `{event.operation}` reads `{name}` when it runs: all see the last one",
        f"keep it in each function: `lambda …, {name}={name}: …` or `functools.partial`",
        certainty=shown_outside_tests(event),
    )
