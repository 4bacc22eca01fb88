"""JAX105: changing an outer list, dict, set or object under a trace happens once."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, shown_outside_tests, traced_since
from jaxlint.flow.domain import events
from jaxlint.flow.domain.values import Array, Key, Tree


@check("JAX105", events.OuterWrite)
def outer_mutation_in_traced_function(event: events.OuterWrite) -> Iterator[Report]:
    if event.target not in ("attribute", "item", "method"):
        return
    if isinstance(event.stored, (Array, Tree, Key)) and event.stored.level:
        return  # JAX107 says the worse thing
    message, advice = _words(event)
    yield Report(
        event.node,
        message,
        advice,
        traced_since(None, event.context),
        shown_outside_tests(event, event.certainty),
    )


def _words(event: events.OuterWrite) -> tuple[str, str]:
    """What happens to the object, and what to do instead."""
    what = f"`{event.what}`"
    if event.how == "push":
        return (
            f"{what} grows once, while JAX traces, not at every call",
            f"return the item and add it to {what} outside",
        )
    if event.how == "pop":
        return (
            f"{what} shrinks once, while JAX traces; every later call works with the item of that time",
            f"take the item out of {what} before the call and pass it as an argument",
        )
    if event.target == "item":
        return (
            f"an item of {what} is set once, while JAX traces, not at every call",
            f"return the new value and store it in {what} outside, or carry it through the loop",
        )
    return (
        f"{what} is changed once, while JAX traces, not at every call",
        f"return the new value of {what} and set it outside, or carry it through the loop",
    )
