"""JAX303: NumPy's in-place methods and attributes, and functions whose result is dropped."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, repair, shown_outside_tests
from jaxlint.flow.domain import events


@check("JAX303", events.InplaceMethod)
def inplace_method(event: events.InplaceMethod) -> Iterator[Report]:
    yield Report(
        event.node,
        f"`.{event.method}` changes a NumPy array in place; a jax array has no such thing: {event.outcome}",
        "use the jnp function and assign its result",
        repair=repair("inplace_method", event),
    )


@check("JAX303", events.UpdateDiscarded)
def result_dropped(event: events.UpdateDiscarded) -> Iterator[Report]:
    if event.how.startswith(".at[") or event.how == "jax.random.split":
        return
    yield Report(
        event.node,
        f"the result of `{event.how}` is dropped, and nothing is changed in place",
        "assign the result",
        certainty=shown_outside_tests(event),
        repair=repair("dropped_result", event, function=event.how),
    )
