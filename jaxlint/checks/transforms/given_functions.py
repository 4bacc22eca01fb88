"""What JAX701, JAX704, JAX705 and JAX706 say of the functions that loops and branches are given."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, shown_outside_tests
from jaxlint.flow.domain import events


def reported(event: events.NoFunction | events.ParametersDiffer, order: str, operands: str) -> Iterator[Report]:
    """A report of what is no function, or takes other arguments.  ``order`` says how the operation is called, and
    ``operands`` what its function is given."""
    if isinstance(event, events.NoFunction) and not event.what:
        told, cure = f"`{event.operation}` is called without `{event.role}`: TypeError", order
    elif isinstance(event, events.NoFunction):
        told, cure = f"`{event.role}` of `{event.operation}` is {event.what}, not a function: TypeError", order
        if event.role == "branches":
            told = f"`branches` of `{event.operation}` is {event.what}, not a list of functions: TypeError"
    else:
        told, cure = _parameters(event), operands
    yield Report(event.node, told, cure, certainty=shown_outside_tests(event))


def _parameters(event: events.ParametersDiffer) -> str:
    function = f"`{event.function}`" if event.function else f"`{event.role}`"
    given = f"`{event.operation}` calls {function} with {_count(event.given)}"
    if event.clash:
        return f"{given}, one of them for `{event.clash}`, which is filled in by name already: TypeError"
    if event.lacks:
        return f"{given}, and without `{event.lacks}`, which can only be passed by name: TypeError"
    if event.given < event.least:
        return f"{given}, and it needs {event.least}: TypeError"
    return f"{given}, and it takes {'none' if event.most == 0 else event.most}: TypeError"


def _count(number: int) -> str:
    return f"{number} argument" if number == 1 else f"{number or 'no'} arguments"
