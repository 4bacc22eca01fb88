"""JAX112: array operations do not raise, and a branch that raises does so while JAX traces."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, steps
from jaxlint.flow import events


@check("JAX112", events.DeadHandler)
def exception_handling_in_traced_function(event: events.DeadHandler) -> Iterator[Report]:
    yield Report(event.node, event.message, event.help, steps(event.branch_of))
