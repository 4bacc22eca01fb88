"""JAX301: jax arrays are immutable."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.checks.base import Report, check, repair_item, traced_since
from jaxlint.flow.domain import events

_METHODS = {"=": "set(v)", "+=": "add(v)", "-=": "add(-v)", "*=": "multiply(v)", "/=": "divide(v)"}


@check("JAX301", events.ItemAssignment)
def item_assignment(event: events.ItemAssignment) -> Iterator[Report]:
    if event.how in ("at", "at()"):
        return  # JAX302: an update in the wrong form
    if event.how == "del":
        message, advice = "items of a jax array cannot be deleted: AttributeError", "use `jnp.delete` or a mask"
    else:
        message = "jax arrays are immutable, item assignment raises TypeError"
        advice = f"write `x = x.at[i].{_METHODS.get(event.how, 'apply(f)')}`"
    yield Report(
        event.node,
        message,
        advice,
        traced_since(event.value),
        event.certainty,
        repair=repair_item(event),
    )


@check("JAX301", events.ContainerItemSet)
def set_in_a_container(event: events.ContainerItemSet) -> Iterator[Report]:
    """What the program itself passes is no array: callers that nobody has seen will do as it does."""
    yield Report(event.node, "", withdraws=True)
