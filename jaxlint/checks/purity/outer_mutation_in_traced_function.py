"""JAX105: changing an outer list, dict, set or object under a trace happens once."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests, traced_since
from jaxlint.flow import events
from jaxlint.flow.values import Array, Key, Tree


@check("JAX105", events.OuterWrite)
def outer_mutation_in_traced_function(event: events.OuterWrite) -> Iterator[Report]:
    if event.target not in ("attribute", "item", "method"):
        return
    if isinstance(event.stored, (Array, Tree, Key)) and event.stored.level:
        return  # JAX107 says the worse thing
    yield Report(
        event.node,
        f"`{event.what}` is changed once, while JAX traces, not at every call",
        "return what changes as a value, or carry it through the loop",
        traced_since(None, event.context),
        shown_outside_tests(event, event.certainty),
    )
